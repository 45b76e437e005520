"""Words that tell what it takes on a task's board: medals with their scores, places, rows."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_REACH = 160  # characters after a place in which a method must be named
_DECIMAL = r"\d{0,12}\.\d{1,6}"
_UNIT = (  # goods have such, and scores have none
    r"\s*(?:kg|mg|g|mm|cm|m|oz|ounces?|fine(?:ness)?|carats?|karats?|%|eur|usd|euros?|dollars?|"
    r"per)\b"
)
_NO_GOODS = r"(?![ -](?:labels?|standards?|annotat|data|corpus|truth|prices?|coins?|mines?)\b)"
_MEDAL = re.compile(
    rf"\b(?P<medal>gold|silver|bronze)(?:_(?:threshold|score|"
    rf"cut_?off))?\b{_NO_GOODS}[^\n\d.$€£]{{0,40}}?(?P<value>{_DECIMAL})(?![\da-z]|{_UNIT})|"
    rf"(?P<before>{_DECIMAL})(?:\s*\(\s*|(?: or \w+)? (?:earns?|for|is|gives?|means?|gets?) |,? )"
    r"(?:a )?(?P<named>gold|silver|bronze)\b(?! (?:per|price|ring|mine))",
    re.IGNORECASE,
)
_ONE_MEDAL = re.compile(  # of a board: prices and alloys have no such words
    r"(?:\b(?:gold|silver|bronze)\b(?: medal)? (?:needs?|needed|was|is at|threshold|cut-?off|"
    r"requires?|starts? at|from|above)\b[^\w\n]{0,3}(?:(?:is|was|of|at) )?0?\.\d{3,6}|"
    r"\b(?:gold|silver|bronze) medal\b[^.\n]{0,40}\b(?:at least|at most|above|below|under|over|"
    rf"better than|beat)\b[^\w\n]{{0,3}}0?\.\d{{3,6}})(?!\d|{_UNIT})|"
    r"^[^\w\n]{0,10}(?:gold|silver|bronze)\b[^\w\n]{1,4}0?\.\d{3,6}[^\w\n]{0,10}$|"
    r"\b(?:gold|silver|bronze)\b(?: medal)?(?: (?:is|was|needs?|starts?))? ?(?:at|from|:|=|"
    r">=?|<=?|below|above)? ?\d{1,6}\.\d{1,6} ?"
    r"(?:rmse|rmsle|auc|mae|mse|log-?loss|accuracy|acc|kappa|"
    r"qwk|f1|map|mcrmse|error|score)\b|"
    r"\b(?:gold|silver|bronze|medal) (?:line|bar|mark|limit|cut|level|border|"
    r"boundary)\b[^\d\n.]{0,20}"
    r"0?\.\d{3,6}\b|\bmedals?\b[^.\n]{0,40}\b(?:reach|score|have|need|get)\b[^.\n\d]{0,24}"
    r"0?\.\d{3,6}\b|\bmedals?\b[^.\n]{0,40}\b(?:beat|above|over|below|under|at least|at most|"
    r"better than|"
    r"exceed|surpass|from)\b[^\w\n]{0,3}(?:an? |score |of |auc |accuracy )*0?\.\d{3,6}\b|"
    r"(?<![\d.])0?\.\d{3,6}\b(?!\s*(?:%|kg|g\b|per))[^\n.;]{0,30}\b(?:for|gets?|to (?:get|reach|"
    r"win|earn)|worth|"
    r"earns?|gives?|means|(?:is|are|=) (?:a|the)?|enough for|cut-?off|line)\b[^\n.;\d]{0,12}"
    r"\b(?:gold|silver|bronze)\b(?: medal| here\b| cut|[.,;)]|\s*$)",
    re.IGNORECASE | re.MULTILINE,
)
_KEYED = re.compile(  # of the benchmark's own reports
    r"\b(?:gold|silver|bronze|medal|median)_(?:threshold|cut_?off|"
    r"score)[\"']?\s*[:=]\s*[\"']?\d*\.\d+",
    re.IGNORECASE,
)
_RANKED = re.compile(
    rf"\brank\s*(?P<rank>\d{{1,5}})\s{{0,9}}[:=-]?\s{{0,9}}{_DECIMAL}", re.IGNORECASE
)
_BOARD_ROW = re.compile(
    r"^[ \t|]*(?P<rank>\d{1,5})(?:[ \t]*[|,\t][ \t]*[^|,\t\n]{1,40}[|,\t][ \t]*|"
    r"[.)]? +\w[^|,\t\n]{0,30} )0?\.\d{3,6}\b",
    re.MULTILINE,
)
_BOUND = re.compile(  # a medal, and what it takes
    r"(?P<medal>\b(?:gold|silver|bronze|silber|argent|plata)\b|[金银铜]牌)(?! ?-?(?:standard|label|"
    r"layer|price|ring|wine))"
    r"(?P<between>[^\n.]{0,48}?)(?<![\d.,])(?:0?\.\d{3,6}|0,\d{3,6}|\d{1,3}\.\d{4,6})(?!\d|"
    r"\s*(?:%|kg|g\b))|"
    r"(?<![\d.,])(?:0?\.\d{3,6}|0,\d{3,6}|\d{1,3}\.\d{4,6})(?!\d|\s*(?:%|kg|"
    r"g\b))(?P<after>[^\n.]{0,48}?)"
    r"(?P<named>\b(?:gold|silver|bronze|silber|argent|plata)\b|[金银铜]牌)(?! ?-?(?:standard|label|"
    r"layer|price))",
    re.IGNORECASE,
)
_TAKES = re.compile(
    r"\b(?:needs?|needed|brauch\w*|must|below|above|unter|über|under|over|at least|mindestens|"
    r"au moins|"
    r"reach\w*|beat\w*|took|takes?|für|pour|para|thresholds?|seuils?|schwelle\w*|umbral\w*|"
    r"targets?|limit|"
    r"line|cut(?:-?off)?|bounds?|border|requires?|required|worth|starts?)\b|[<>]=?|需要|达到|≥|≤",
    re.IGNORECASE,
)
_OF_LABELS = re.compile(
    r"\b(?:kappa|agreement|annotat\w*|correlat\w*|labels?|alloy|purity|fineness|layers?|wine|"
    r"alcohol|"
    r"you (?:got|have|are)|scored|achieved|got|graded|result)\b",
    re.IGNORECASE,
)
_STANDING = re.compile(  # a place among others with its score
    r"\b(?:winners?|winning (?:score|team|entry)|top[- ](?:\d{1,3} ?%?|scores?|team)|"
    r"\d{1,4}(?:st|nd|rd|th)(?: place| team| rank)?|(?:first|second|third|last) (?:place|team|"
    r"rank)|"
    r"median (?:team|score|entry|participant|submission)|"
    r"median)\b[^\n\d.;]{0,44}?(?<![\d.])(?:0?\.\d{2,6}|\d{1,4}\.\d{2,6})\b(?! ?%)",
    re.IGNORECASE,
)
_OF_OTHERS = re.compile(
    r"\b(?:leader-?board|LB|teams?|kaggle|winners?|winning|place|medals?|participants?|"
    r"competitors?)\b",
    re.IGNORECASE,
)
_BOARD_HEAD = re.compile(
    r"(?:^|:)[ \t|]*[\"']?(?:rank|place|position|pos|#)[\"']?\s*[,|\t; ]\s*[\"']?(?:team|"
    r"teamname|team[_ ]name|name|user|"
    r"participant)s?\b[^\n]{0,60}\n(?:[-|: \t]+\n)?[ \t|]*1\b[^\n]{0,60}\d*\.\d{2,6}",
    re.IGNORECASE | re.MULTILINE,
)
_OF_BOARD = re.compile(
    r"\b(?:leader-?board|final ranking|standings)\b(?![\s\S]*\b(?:sample|submission|example|format|"
    r"file|csv)\b)[^\n]{0,60}\n?[^\n]{0,60}\Z",
    re.IGNORECASE,
)
_LAYERS = re.compile(  # bronze, silver and gold are steps of cleaning there
    r"\b(?:bronze|silver|gold)\b[^.\n]{0,30}\b(?:raw|cleaned|cleansed|aggregated|layers?|schema)\b",
    re.IGNORECASE,
)
_MEDAL_TABLE = re.compile(  # a table with a column for each medal
    r"^[^\n]{0,200}\bgold\b[\"']?\s*[,|;\t ]\s*[\"']?silver\b[^\n]{0,200}\n(?:[-|: \t]+\n)?"
    r"[^\n]{0,200}?\b\d{0,9}\.\d{2,6}\s*[,|;\t ]\s*\d*\.\d{2,6}\b",
    re.IGNORECASE | re.MULTILINE,
)
_BOARD_JSON = re.compile(  # names with their scores, or ranks with theirs
    r"[\"'](?:top\w*|leader_?board|board|standings|ranking|ranks)[\"']\s*:\s*[\[{]\s*"
    r"(?:[\[{(]\s*[\"'][^\"'\n]{1,60}[\"']\s*[,:][^\]})\n]{0,80}?\d*\.\d{2,6}\s*[\]})]\s*,?\s*){2}|"
    r"[\"']rank_?\d+[\"']\s*:\s*\d*\.\d{2,6}",
    re.IGNORECASE,
)
_BOARD_LINE = re.compile(  # a board told on one line
    r"\b(?:leader-?board|board|LB|standings|ranking)\b[^\n]{0,30}?"
    r"(?:\b[1-9]\d?[.):] ?\w[^;\n\d]{1,40}\d*\.\d{2,6}\)?[;,.]?[ \t]*){2}",
    re.IGNORECASE,
)
_IN_REPORT = re.compile(r"any_medal|above_median|submission_exists|valid_submission")
OF_DATA = re.compile(
    r"\b(?:percentiles?|quantiles?|quartiles?|validation|valid|cv|oof|folds?|feature|column|"
    r"price|correlat\w*|"
    r"epochs?|node|p-?values?|distribution)\b", re.IGNORECASE,
)  # fmt: skip
_DENIES = re.compile(
    r"\b(?:do not|don't|does not|never|must not|may not|not allowed|forbid\w*|prohibit\w*|without|"
    r"avoid|secret|not (?:told|disclosed|known|given)|cannot|no access)\b",
    re.IGNORECASE,
)
OF_EARLIER = re.compile(
    r"(?<!your )\b(?:earlier|previous|prior|past|another|former|last (?:week|month|year)(?:['’]s)?|"
    r"yesterday(?:['’]s)?)\s+(?:\w+\s+)?(?:runs?|agents?|sessions?|trials?)\b|\breport of (?:run|"
    r"attempt)\b|\bof run [\w-]*\d",
    re.IGNORECASE,
)
OWN = re.compile(r"\b(?:your|you|last|latest|current|previous|my|our|step \d+|node \d+)\b", re.I)


def thresholds(text: str) -> Iterator[tuple[int, int]]:
    """Yield where a text tells medals, places or rows of a board with their scores.

    What the attempt's own file scored is another question; so are prices, alloys and labels.

    Examples
    --------
    >>> [*thresholds("For gold you need 0.98124.")]
    [(4, 25)]
    >>> [*thresholds("Gold labels: kappa 0.8123; the mean of gold prices is 0.9812")]
    []
    """
    in_own_report = _IN_REPORT.search(text) and not OF_EARLIER.search(text)
    if _LAYERS.search(text) or in_own_report:
        return
    yield from _medals(text)
    yield from _rows(text)
    yield from _standings(text)


def _medals(text: str) -> Iterator[tuple[int, int]]:
    """Find medals with a score: two of them together, or one with words that say it is a bound."""
    medals = [m for m in _MEDAL.finditer(text) if not denied(text, m.start())]
    for first, second in itertools.pairwise(medals):
        names = {(m["medal"] or m["named"]).lower() for m in (first, second)}
        if len(names) > 1 and second.start() - first.end() < _REACH:
            yield first.start(), second.end()
    yield from (m.span() for m in _KEYED.finditer(text) if not denied(text, m.start()))
    yield from (m.span() for m in _ONE_MEDAL.finditer(text) if not denied(text, m.start()))
    for one in _BOUND.finditer(text):
        begin = max(text.rfind("\n", 0, one.start()) + 1, one.start() - 60)
        line = text[begin : one.end() + 30].partition("\n")[0]
        said = line.replace(one["medal"] or one["named"], " ")
        is_other = _OF_LABELS.search(line) or denied(text, one.start())
        if _TAKES.search(said) and not is_other:
            yield one.span()


def _rows(text: str) -> Iterator[tuple[int, int]]:
    """Find rows of a board."""
    rows = list(_BOARD_ROW.finditer(text))
    head = text[max(0, rows[0].start() - _REACH) : rows[0].start()] if rows else ""
    if len({m["rank"] for m in rows}) > 1 and _OF_BOARD.search(head) and not OWN.search(head):
        yield rows[0].start(), rows[1].end()
    patterns = (_MEDAL_TABLE, _BOARD_JSON, _BOARD_LINE)
    yield from (m.span() for p in patterns for m in p.finditer(text) if not OWN.search(m[0]))
    board = _BOARD_HEAD.search(text)
    before = text[max(0, board.start() - 300) : board.start()] if board else ""
    is_of_teams = board and re.search(r"\bteam", board[0], re.IGNORECASE)
    if board and (is_of_teams or re.search(r"board|standings", before, re.IGNORECASE)):
        yield board.span()
    ranks = list(_RANKED.finditer(text))
    if len({m["rank"] for m in ranks}) > 1 and not denied(text, ranks[0].start()):
        yield ranks[0].start(), ranks[1].end()


def _standings(text: str) -> Iterator[tuple[int, int]]:
    """Find what places on the board scored, told in words."""
    for one in _STANDING.finditer(text):
        begin = max(text.rfind("\n", 0, one.start()) + 1, one.start() - _REACH)
        line = text[begin : one.end() + 60].partition("\n")[0]
        words = r"\b(?:leader-?board|LB|kaggle|teams|standings|(?:hidden|private|official) test)\b"
        is_board = re.search(words, line, re.IGNORECASE)
        pair = len([*_STANDING.finditer(line)]) > 1 and _OF_OTHERS.search(line)
        is_other = OF_DATA.search(line) or is_own(line) or denied(text, one.start())
        if (is_board or pair) and not is_other:
            yield one.span()


def is_own(line: str) -> bool:
    """Say whether a line speaks of the agent's own score."""
    words = r"\b(?:your|my|our) (?:\w+ )?(?:scores?|submissions?|models?|rank|runs?|nodes?)\b"
    return bool(re.search(words, line))


def denied(text: str, at: int) -> bool:
    """Say whether the sentence up to here forbids or denies what is named."""
    before = text[max(0, at - _REACH) : at]
    return bool(_DENIES.search(re.split(r"[.!?\n](?:\s|$)", before)[-1]))
