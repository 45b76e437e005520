"""Feedback that a scaffold puts before its agent between two steps: scores, medals, comparisons."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.trajectories.events import EventKind

if TYPE_CHECKING:
    from detectors.rules.prompts import Said

MAX_TEXT = 20_000  # characters of one message that are looked at
_NUMBER = r"-?\d{0,20}\.\d{2,}"
_METRIC = (
    r"(?:score[ds]?|auc|acc|accuracy|rmse|rmsle|mae|mse|f1|log[- _]?loss|loss|kappa|qwk|map|dice|"
    r"iou|"
    r"error|metric|result|graded|grade|evaluated|mcrmse|ndcg|pearson|smape)"
)
_SCORED = re.compile(
    rf"\b{_METRIC}\b[^\n]{{0,50}}?(?<![\w.]){_NUMBER}|"
    rf"(?<![\w.]){_NUMBER}[^\n\d]{{0,30}}\b{_METRIC}\b",
    re.IGNORECASE,
)
_ON_BOARD = re.compile(
    r"\b(?:public|private|kaggle|LB|leader-?board|grader)\b(?: (?:LB|score|says|gives|gave|shows|"
    r"is|was|at|board|"
    rf"result|test))*[\s:=]{{1,3}}~?{_NUMBER}|"
    r"\d[.,]\d{2,}[^\n]{0,30}\b(?:Test(?:antwort|label|l(?:ö|oe)sung)\w*|r(?:é|e)ponses (?:du|"
    r"de) test|"
    r"respuestas? (?:de|del) (?:test|prueba))|(?:评分|测试集得分|排行榜|榜单)\D{0,12}\d\.\d{2,}",
    re.IGNORECASE,
)
_OF_GRADER = re.compile(
    r"^\W{0,3}(?:evaluator|grader|scorer|judge|oracle|referee|verifier|leader-?board|kaggle)\b|"
    r"\b(?:attempts?|tries|submissions?|calls) (?:left|remaining|so far)\b|\b(?:left|"
    r"remaining)\W{1,3}"
    r"(?:attempts?|tries|submissions?)\b|"
    r"\b(?:bronze|silver|gold)\b[^\n]{0,12}(?:\d|need|medal|threshold)|\bmedals?\b|"
    r"\brank(?:ed)?[ :#]{1,3}\d|\b(?:leader-?board|LB|above median)\b|\bgrad(?:er|ed|ing)\b|"
    r"\b(?:held[- ]?out|hidden|private|secret|official|test) (?:answers|labels|solutions?)\b|"
    r"\b(?:hidden|private|secret|official)[ _-](?:test|score|set|split|data)\b|\btest_(?:score|"
    r"metric)\b",
    re.IGNORECASE | re.MULTILINE,
)
_OWN = re.compile(
    r"\b(?:valid(?:ation)?|val|cv|oof|out-of-fold|folds?|cross[- ]?val\w*|your own|dev set)\b|"
    r"\bval_",
    re.IGNORECASE,
)
_RETURNED = re.compile(  # what a command printed, which some logs give to the user
    r"^\s*(?:<|\{|\[\{|observations?\b|outputs?\b|std(?:out|err)\b|traceback\b|returncode|"
    r"exit ?code|"
    r"tool\b|result of|execution|ran\b|\$ )|\bEpoch \d|\bexit code\b",
    re.IGNORECASE,
)
_ADDRESSED = re.compile(  # somebody says it, and no program prints it
    r"\b(?:you|your|please|try|continue|improve|attempts?|submissions?|graded|scored|uploaded|kaggle|"
    r"grader|harness|"
    r"evaluator|leader-?board|result of|we|us|again)\b",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"\b(?:expect\w*|estimate\w*|would|could|should|need\w*|aim|target|goal|threshold|beat|"
    r"baseline|typical\w*|"
    r"agreement|standard)\b",
    re.IGNORECASE,
)
_MEDAL = re.compile(
    r"\b(?:result|outcome|status|verdict|grader|grading|so far|now|currently|yet|that (?:is|was)|"
    r"you "
    r"(?:got|have|are|won|reached|earned))\b[^\n.]{0,30}\b(?:no|bronze|silver|gold) medal\b|"
    r"\b(?:no|bronze|silver|gold) medal\b[^\n.]{0,20}\b(?:yet|now|reached|so far|for this|"
    r"with this)\b",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"\b(?:better|worse|higher|lower|improved|improvement|above|below|pass(?:es|ed)?|fail(?:s|"
    r"ed)?|yes|no)\b"
    r"[^\n.]{0,60}\b(?:on|against|of) the (?:(?:hidden|private|official|secret|held[- ]?back)"
    r"(?: test)?(?: (?:answers|labels|set|score|data|split))?|test (?:answers|labels))\b",
    re.IGNORECASE,
)
_PICKS = re.compile(
    r"\b(?:select\w*|choos\w*|chose\w*|keep\w*|kept|pick\w*|best|promot\w*)\b[^\n]{0,40}"
    r"\b(?:by|best|highest|lowest|max\w*|min\w*) (?:the )?(?:test|private|hidden|official|LB|"
    r"leader-?board|graded)"
    r"(?:[_ ](?:score|metric|set|auc|acc\w*))?(?![\w_])",
    re.IGNORECASE,
)
_TOOL_CALL = re.compile(
    r"^(?:submit\w*|grade\w*|(?:get|check|request|query)_(?:score|grade|leaderboard|result)\w*|"
    r"(?:score|evaluate)_(?:submission|predictions|file|on_test|hidden|"
    r"final)\w*)"
    r" \{", re.IGNORECASE,
)  # fmt: skip
_ACTION = re.compile(r"^\s*Action: *(\w{2,60})\s*$", re.IGNORECASE)
_ROW = re.compile(r"[^\n]+")
_GAP = r"(?:[ \t]*[|,][ \t]*|\t|[ ]{2,}|[ ](?=\S))"
_TABLE = re.compile(  # a head that begins with nodes and names a hidden score, and rows below it
    r"^[ \t|]*(?:nodes?|steps?|attempts?|candidates?|iter\w*|trials?|runs?|gen\w*|versions?|id|#)"
    rf"{_GAP}(?=[^\n]{{0,160}}(?:\b|_)(?:graded|official|private|hidden|medal)(?:\b|_))"
    r"[\w \t|,()/%.-]{4,160}\n(?:[-=|: \t+]+\n)?"
    rf"(?P<rows>(?:[ \t|]*#?\w{{1,12}}{_GAP}[^\n]{{0,120}}?{_NUMBER}[^\n]{{0,80}}(?:\n|\Z)){{2,}})",
    re.IGNORECASE | re.MULTILINE,
)
_GRADED = re.compile(
    r"\b(?:attempt|node|candidate|step|iteration|submission|run|trial|program|"
    r"individual)\s*#?\s*\w{1,8}\b"
    rf"[^\n]{{0,30}}\bgraded\b[^\n\d]{{0,20}}{_NUMBER}",
    re.IGNORECASE,
)


_REMEMBERED = re.compile(  # of one earlier try both its own score and that on the test
    rf"\b(?:val(?:idation)?|cv|oof|dev|local)\b[^\n\d]{{0,24}}{_NUMBER}[^\n\d]{{1,16}}"
    rf"\b(?:test|hidden|private|official|lb|leaderboard)\b[^\n\d]{{0,16}}{_NUMBER}",
    re.IGNORECASE,
)
_OWN_TEST = re.compile(r"y_?te(?:st)?\b|\btest[_ ](?:score|acc|auc|loss|rmse|mae|f1|metric|y|idx)")
_WEIGHED = re.compile(  # of two hidden scores the better is taken
    rf"{_NUMBER}[^\n.\d]{{0,12}}\b(?:and|vs\.?|against|while|but)\b[^\n.]{{1,40}}?{_NUMBER}"
    r"[^\n\d]{0,12}\b(?:on|against) the (?:hidden|private|official|secret) (?:test\b|answers|"
    r"labels|split|set|data)[^\d]{0,160}"
    r"\b(?:better|best|higher|lower|which|pick|choose|keep|hand in|take|wins?)\b",
    re.IGNORECASE,
)


def weighs_hidden(text: str) -> bool:
    """Say whether two hidden scores are put beside each other, and one of them is taken.

    Examples
    --------
    >>> weighs_hidden("A got 0.88 and B 0.89 on the private test data. Which one do you take?")
    True
    """
    return bool(_WEIGHED.search(text[:MAX_TEXT]))


def remembers_test(text: str, own_words: str) -> bool:
    r"""Say whether a prompt lists of several tries their own score and one on the test.

    Parameters
    ----------
    own_words : str
        The attempt's code in lower case: a program that keeps a test part of its own tells that.

    Examples
    --------
    >>> memory = "A. Validation: 0.861. Test score: 0.852.\nB. Validation: 0.857. Test score: 0.85."
    >>> remembers_test(memory, ""), remembers_test(memory, "a, b, y_a, y_test = split(x, y)")
    (True, False)
    """
    lines = text[:MAX_TEXT].split("\n")
    return sum(bool(_REMEMBERED.search(x)) for x in lines) > 1 and not _OWN_TEST.search(own_words)


def takes_submissions(call: str) -> bool:
    """Say whether a call is one of a tool that takes submissions.

    Examples
    --------
    >>> takes_submissions('submit_csv {"path": "s.csv"}'), takes_submissions('bash {"x": "ls"}')
    (True, False)
    """
    return bool(_TOOL_CALL.match(call))


def hands_in_by(one: Said, did: bool) -> bool:  # noqa: FBT001 - what was before
    """Say whether a tool of the scaffold has just been called that takes submissions.

    Parameters
    ----------
    did : bool
        The event before did: in a plain log what it was given stands on a line of its own.
    """
    text = one.event.text
    if one.event.kind is not EventKind.TEXT:
        return False
    if one.own and (action := _ACTION.match(text)):
        return takes_submissions(f"{action[1]} {{")
    goes_on = one.own and text.lstrip().lower().startswith("action input")
    return takes_submissions(text) or (did and goes_on)


def node_rows(text: str) -> list[tuple[int, int]]:
    r"""Return where the rows of a table lie in which each node has a hidden score or a medal.

    Examples
    --------
    >>> node_rows("node cv test(graded) medal\n1 0.80 0.79 none\n2 0.81 0.81 bronze\n")
    [(27, 43), (44, 62)]
    """
    found = _TABLE.search(text)
    if found is None:
        return []
    return [row.span() for row in _ROW.finditer(text, found.start("rows"), found.end("rows"))]


def fed_back(text: str) -> bool:
    """Say whether a message between two steps tells the agent what a grader made of its work.

    Examples
    --------
    >>> fed_back("[harness] attempt 1 scored. test log loss = 1.4471. You have 2 attempts left.")
    True
    >>> fed_back("Your validation score is 0.8123; you have 2 attempts left.")
    False
    """
    text = text[:MAX_TEXT]
    if _RETURNED.search(text):
        return False
    if _MEDAL.search(text) or _COMPARED.search(text):
        return True
    of_grader = _OF_GRADER.search(text) and _ADDRESSED.search(text)
    for found in (*_ON_BOARD.finditer(text), *(_SCORED.finditer(text) if of_grader else ())):
        before = re.split(r"[.;!?]\s|\n", text[: found.start()])[-1]
        if not _OWN.search(before + found[0]) and not _ASKED.search(before + found[0]):
            return True
    return False


def compared_with_hidden(text: str) -> bool:
    """Say whether a text says how a submission compares on hidden answers, without a number.

    Examples
    --------
    >>> compared_with_hidden("worse than the one before on the hidden answers")
    True
    >>> compared_with_hidden("better on the validation folds")
    False
    """
    return bool(_COMPARED.search(text[:MAX_TEXT]))


def picked_by_hidden(line: str, own_words: str) -> bool:
    """Say whether a harness picks by a hidden score, in words that the attempt's code has not.

    Examples
    --------
    >>> picked_by_hidden("keeping attempt 2 (best graded)", "")
    True
    >>> picked_by_hidden("kept the best by test_score", "best by test_score")
    False
    """
    found = _PICKS.search(line[:MAX_TEXT])
    return found is not None and re.split(r"\s+", found[0].lower())[-1] not in own_words


def graded_step(line: str) -> re.Match[str] | None:
    """Return where a harness logs what it graded of one step."""
    return _GRADED.search(line[:MAX_TEXT])
