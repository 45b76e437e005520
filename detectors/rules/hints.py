"""Words that give a task's solution away: thresholds, boards, winners' and kernels' methods."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from detectors.rules.giveaways import decoded, giveaways, handed_over, to_win
from detectors.rules.recipes import graded_runs, recipes
from detectors.rules.thresholds import OF_DATA, OF_EARLIER, OWN, denied, thresholds

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_TEXT = 200_000  # characters of one text that are looked at
_REACH = 160  # characters after a place in which a method must be named
_DECIMAL = r"\d{0,12}\.\d{1,6}"
_NOUN = (
    r"(?:solutions?|teams?|recipes?|approach(?:es)?|notebooks?|kernels?|write-?ups?|posts?|"
    r"methods?|tricks?|pipelines?|strateg(?:y|ies)|ensembles?)['\"’”]?"
)
_PLACE = re.compile(
    rf"\b(?:(?:1st|2nd|3rd|[4-9]th|[1-9]\dth|first|second|third)[ -]place(?:d)?\b(?:\s+{_NOUN})?|"
    rf"{_NOUN}\s+(?:of|by|from)\s+(?:the\s+)?(?:winners?|1st|first|top|gold)\b(?:[ -]\w+)?|"
    rf"(?:known|secret|magic)\s+(?:leaks?|exploits?|tricks?|features?)|known\s+{_NOUN}|"
    rf"(?:winn(?:ing|er'?s?'?)|top[ -]?\d{{0,3}}|gold(?:[ -]medal(?:ist)?'?s?)?)\s+{_NOUN}|"
    r"(?:kaggle|past|previous|former) winners|"
    r"winners?\b(?=\s+(?:used|trained|combined|blended|stacked|built|ensembled|fine-?tuned)\b))"
    r"(?:\s*\([^)\n]{1,60}\))?(?:\s+(?:of|for|in|on|to)\s+(?:(?:this|the)\s+)?[\w-]{2,60})?"
    r"(?:\s+(?:all|both|each|also|mostly|usually|mainly|typically))?"
    r"\s*(?::|[-–—=]>?|\b(?:used?|uses|was|is|were|are|trained|combined|blended|stacked|had|did|"
    r"won|gave|reached)\b)",
    re.IGNORECASE,
)
_WITH_MEDAL = re.compile(
    r"\b(?:solution|submission|notebook|kernel|approach|code|pipeline)s?\b[^.\n]{0,60}"
    r"\b(?:earned|won|got|received|reached|achieved)\b[^.\n]{0,20}\b(?:gold|silver|bronze|medal)|"
    r"\b(?:solution|submission|notebook|kernel|code|script|program)s?\b[^\n]{0,80}"
    rf"\b(?:private|LB|board|graded)\b[^\n\d]{{0,20}}{_DECIMAL}[^\n\w]{{1,4}}(?:gold|silver|bronze)\b",
    re.IGNORECASE,
)
_SHOWN = r"```|^[ \t]*(?:import|from) \w|^[ \t]*[\w.]+ = \w+[\[(.]|\.fit\("
_PLACE_ELSEWHERE = re.compile(  # in the languages that prompts are written in, besides English
    r"\b(?:(?:erste[rn]?|zweite[rn]?|dritte[rn]?|1\.) Platz|(?:Sieger|Gewinner)(?:l(?:ö|oe)sung)?|"
    r"(?:premi(?:è|e)re|deuxi(?:è|e)me|1re) place|solution gagnante|gagnants?|vainqueurs?|"
    r"(?:primer|segundo) (?:lugar|puesto)|soluci(?:ó|o)n ganadora|ganador(?:es|a)?|"
    r"primeiro lugar|solu(?:ç|c)(?:ã|a)o vencedora|vencedor(?:es|a)?|"
    r"gagnée?|remportée?|gewonnen|ganad[oa]|vinto|vencid[oa]|"
    r"primo (?:posto|classificato)|soluzione vincente|перв\w+ мест\w+|победител\w+)\b|"
    r"第[一1]名|冠军|金牌方案|(?:优胜|获胜|夺冠)(?:方案|队伍|解法)?|1位(?:解法|の)?|優勝(?:解法|チーム)?",
    re.IGNORECASE,
)
_METHOD = re.compile(
    r"\b(?:ensembl\w*|stack\w*|blend\w*|tta|augment\w*|\d+ folds?|five folds|lgbm?|lightgbm|"
    r"xgb\w*|catboost|gbm|random forest|cnns?|(?:se)?res(?:ne)?xt?\w*|resnet\w*|"
    r"efficientnet[\w-]*|densenet\w*|vit|swin\w*|\w*bert[\w-]*|unet\w*|mixup|cutmix|swa|"
    r"label smoothing|pseudo[- ]?label\w*|features?|target encoding|ratio|post-?process\w*|"
    r"autoencoder\w*|embeddings?|tf-?idf|learning rate|progressive resiz\w*|"
    r"drop(?:ped|ping)? duplicates|leak\w*|group(?:ed)? by|lstm|gru|transformers?|rnn|ridge|svm|"
    r"knn|external (?:data|20\d\d)|hill[- ]climb\w*|adversarial|fine-?tun\w*|pretrained|"
    r"multipl(?:y|ies|ied)|magic|lags?|reconstruct\w*|sort(?:ed|ing)?|tabnet|distill\w*|"
    r"denois\w*|crop\w*|weighted|dropout|adamw?)\b",
    re.IGNORECASE,
)
_VAGUE = re.compile(r"features?|ratio|sort(?:ed|ing)?|weighted|crop\w*|leak\w*", re.IGNORECASE)
_ENDS = re.compile(r"[.;!?](?:\s|$)|\n\s*\n|[。；！？]")  # of a sentence
_PRIZE = re.compile(r"[$€£¥]|\b(?:euros?|usd|preis\w*|prix|premio\w*)\b", re.IGNORECASE)
_KERNEL = re.compile(
    r"\b(?:(?:best|top|highest|most)[ -]?(?:scor\w+|voted|ranked|rated)?\s*"
    r"(?:public\s+|kaggle\s+)*|public\s+(?:kaggle\s+)?)(?:notebook|kernel)s?\b",
    re.IGNORECASE,
)
_LIES_AT = re.compile(
    r"\s*(?:of|for|from) (?:this|the) (?:competition|task|challenge)\b[^.\n]{0,30}"
    r"\b(?:in|under|at|from)\s+[`'\"]?[~.]{0,2}/"
)
_OF_KERNEL = re.compile(
    rf"```|\b(?:LB|votes|upvotes|score)\b[^\n]{{0,20}}\d|{_METHOD.pattern}", re.I
)
_BOARD = r"(?:leader[- ]?board|board|LB)"
_SCORE = re.compile(
    r"\b(?:private|public)[\s_]+(?:LB|leaderboard|board|score)\b[^\w\n]{0,4}"
    rf"(?:of\s+|is\s+|was\s+)?{_DECIMAL}|\bLB\b\s*[:=]?\s*0?\.\d{{3,}}|"
    rf"\bprivate[rns]?\b[ :=~]{{1,3}}(?:[a-z0-9-]{{2,12}}[ :=]{{1,3}})?{_DECIMAL}|"
    rf"\b\d*\.\d{{2,6}} (?:on|by|from) (?:the )?(?:official|hidden|private)\b|"
    rf"\b{_DECIMAL}\s*\(?(?:on|in) (?:the )?(?:(?:private|public|final|kaggle|hidden) )?{_BOARD}\b|"
    r"\b\d*\.\d{2,6} (?:private|public)\b(?! key)|"
    rf"\b(?:official|hidden)[- ](?:grade|score)\b[^\w\n]{{0,4}}(?:of\s+|is\s+|was\s+)?{_DECIMAL}|"
    rf"\bgraded\b(?: at)?[^\w\n]{{0,3}}{_DECIMAL}",
    re.IGNORECASE,
)
_WITH_ITS_MEDAL = re.compile(
    rf"\b(?:test|final)[ _]score\b\W{{1,4}}{_DECIMAL}[^\n\w]{{1,4}}"
    r"(?:no medal|gold|silver|bronze)\b",
    re.IGNORECASE,
)
_REACHED_BY = re.compile(
    r"[^.\n]{0,20}\b(?:reached|achieved|obtained|got|scored|made|set)?\s?\b(?:by|with|using|"
    r"from)\b",
    re.IGNORECASE,
)
_EARLIER = re.compile(  # what other runs did: the answers of this one's own are another question
    r"\b(?:earlier|previous|prior|past|old|former|other|last (?:week|month|year)(?:['’]s)?|"
    r"yesterday['’]s)\s+(?:\w+\s+){0,2}(?:attempts?|runs?|sessions?|trials?|agents?)\b|"
    r"\b(?:attempt|run) #?\d+\b",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\b(?:similar|other|another|different|related|unrelated|toy)\s+(?:\w+\s+)?"
    r"(?:tasks?|problems?|competitions?|challenges?|data ?sets?)\b|"
    r"\bnone of (?:them|these) (?:is|are) (?:your|this|the)\b",
    re.IGNORECASE,
)
_GRADED = re.compile(
    r"\b(?:grade[ds]?|grader|grading|hidden|official|private|medal|gold|silver|bronze|(?:this|"
    r"the same) task)\b",
    re.IGNORECASE,
)
_WAS_GRADED = re.compile(  # of another agent: what the agent's own was graded is another question
    r"\b(?:agent [A-Z0-9]\w*|predecessor|(?:another|other|previous|earlier|former) agent|"
    r"(?<!your )run [\w-]*\d[\w-]*)\b"
    r"[^.\n]{0,60}\b(?:was|were|got|has been)\s+(?:graded|scored)\b[^.\n\d]{0,12}0?\.\d{3,6}\b",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?<![\w.])(?:0?\.\d{3,6}|\d{1,3}\.\d{3,6})(?!\d|\s*(?:h|hours?|min|s|GB)\b)")


class Kind(StrEnum):
    """What a text gives away."""

    THRESHOLDS = "medal thresholds or ranks with their scores"
    WINNERS = "what winning or highly placed solutions did"
    KERNEL = "a public kernel"
    SCORES = "methods with the board scores that they reached"
    RUNS = "what earlier runs of the task were graded"


class Hint(NamedTuple):
    """A stretch of a text that gives something away."""

    kind: Kind
    start: int
    end: int


def hints(text: str) -> Iterator[Hint]:
    """Yield what a text gives away, of each kind the first place.

    What it forbids, what medals are, prizes, and the agent's own scores are none.

    Examples
    --------
    >>> [h.kind.name for h in hints("1st place solution: EfficientNet, mixup, TTA.")]
    ['WINNERS']
    >>> [h.kind.name for h in hints("1st place: $5,000. Do not copy the winning solution: no leak")]
    []
    """
    text = text[:MAX_TEXT]
    yield from _first_of_each(text)
    for start, end, words in decoded(text):
        yield from (Hint(hint.kind, start, end) for hint in _first_of_each(words))


def _first_of_each(text: str) -> Iterator[Hint]:
    for find in (_thresholds, _winners, _kernel, _scores, _runs, _recipes, _weighed):
        found = next((hint for hint in find(text) if not _elsewhere(text, hint.start)), None)
        if found is not None:
            yield found


def _thresholds(text: str) -> Iterator[Hint]:
    yield from (Hint(Kind.THRESHOLDS, *place) for place in thresholds(text))


def _winners(text: str) -> Iterator[Hint]:
    for place in _PLACE.finditer(text):
        after = text[place.end() : place.end() + _REACH]
        method = _METHOD.search(after)
        if method and _VAGUE.fullmatch(method[0]) and _ENDS.search(after[: method.start()]):
            continue
        if method and not denied(text, place.start()) and not re.match(r"\s*[$€£]", after):
            yield Hint(Kind.WINNERS, place.start(), place.end() + method.end())
    for place in _WITH_MEDAL.finditer(text):
        after = text[place.end() : place.end() + _REACH]
        shown = re.search(rf"{_SHOWN}|{_METHOD.pattern}", after, re.IGNORECASE | re.MULTILINE)
        own = OWN.search(text, max(0, place.start() - 40), place.end())
        if shown and not own and not denied(text, place.start()):
            yield Hint(Kind.WINNERS, place.start(), place.end() + shown.end())
    for place in _PLACE_ELSEWHERE.finditer(text):
        method = _METHOD.search(text, place.end(), place.end() + _REACH)
        is_vague = method and (
            _VAGUE.fullmatch(method[0]) or _PRIZE.search(text, *_gap(place, method))
        )
        is_one = method and not _ENDS.search(text, *_gap(place, method))
        if method and is_one and not is_vague:
            yield Hint(Kind.WINNERS, place.start(), method.end())


def _gap(first: re.Match[str], second: re.Match[str]) -> tuple[int, int]:
    """Return where the text between two places begins and ends."""
    return first.end(), second.start()


def _kernel(text: str) -> Iterator[Hint]:
    for kernel in _KERNEL.finditer(text):
        after = text[kernel.end() : kernel.end() + 2 * _REACH]
        after = re.split(r"\n\s*\n(?!```)", after)[0]  # not of the next paragraph
        shown = _LIES_AT.match(after) or _OF_KERNEL.search(after)
        none = re.search(r"\bno\s*$", text[: kernel.start()][-8:], re.IGNORECASE)
        if shown and not none and not denied(text, kernel.start()):
            yield Hint(Kind.KERNEL, kernel.start(), kernel.end() + shown.end())


def _scores(text: str) -> Iterator[Hint]:
    """Find board scores with a method before them; what the agent itself scored is none."""
    for score in _SCORE.finditer(text):
        before = text[max(0, score.start() - _REACH) : score.start()]
        by = _REACHED_BY.match(text, score.end())
        method = _METHOD.search(before) or (
            _METHOD.search(text, by.end(), by.end() + 80) if by else None
        )
        own = OWN.search(re.split(r"[.;!?\n]\s", before)[-1])
        if method and not own and not denied(text, score.start()):
            start = score.start() if by else score.start() - len(before) + method.start()
            yield Hint(Kind.SCORES, start, max(score.end(), by.end() if by else 0))


def _runs(text: str) -> Iterator[Hint]:
    """Find earlier runs with a score on hidden answers after them."""
    for run in OF_EARLIER.finditer(text):
        end = re.search(r"\n\s*\n|$", text[run.end() : run.end() + _REACH])
        about = text[max(0, run.start() - 60) : run.end() + (end.start() if end else _REACH)]
        is_other = OF_DATA.search(about) or re.search(r"\byour\b", about, re.IGNORECASE)
        if _GRADED.search(about) and _BARE.search(about) and not is_other:
            yield Hint(Kind.RUNS, *run.span())
    for run in _WAS_GRADED.finditer(text):
        if not denied(text, run.start()):
            yield Hint(Kind.RUNS, *run.span())
    for run in _EARLIER.finditer(text):
        within = (run.end(), run.end() + 2 * _REACH)
        score = _SCORE.search(text, *within) or _WITH_ITS_MEDAL.search(text, *within)
        if score and not denied(text, run.start()):
            yield Hint(Kind.RUNS, run.start(), score.end())
    yield from (Hint(Kind.RUNS, *place) for place in graded_runs(text))


def _recipes(text: str) -> Iterator[Hint]:
    """Find whoever did well with what they did, where none of the set phrases says it."""
    yield from (Hint(Kind.WINNERS, *place) for place in recipes(text))


def _weighed(text: str) -> Iterator[Hint]:
    """Find places and scores with methods beside them, and files that hold what others did."""
    for one in giveaways(text):
        yield Hint(Kind.WINNERS if one.by_place else Kind.SCORES, one.start, one.end)
    places = (*handed_over(text), *to_win(text))
    yield from (Hint(Kind.WINNERS, *place) for place in places)


def _elsewhere(text: str, at: int) -> bool:
    """Say whether a text says of what stands here that it is about other tasks."""
    return bool(_ELSEWHERE.search(text, max(0, at - 3 * _REACH), at))
