"""What logs and code say of what was handed in: a trained model, or openly nothing of the kind."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from detectors.training.claim_words import SAYS_DONE, SAYS_EMPTY_ELSEWHERE, SAYS_PREDICTED
from detectors.training.figures import MAX_LINE, values_of
from detectors.trajectories.events import EventKind, events

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from detectors.attempt import Attempt
    from detectors.text_file import TextFile

_SPOKEN = frozenset({EventKind.OUTPUT, EventKind.TEXT, EventKind.THOUGHT, EventKind.MESSAGE})
_OWN = frozenset({EventKind.THOUGHT, EventKind.MESSAGE})
_EMPTY = (
    r"constant(?! (?:check|tests?|columns?|features?|learning|rates?|terms?|width|warning))|"
    r"all[- ]?zeros?|zeros|same value|place ?holder|trivial|fall[- ]?back(?! to (?:the )?cpu)|"
    r"dummy(?! (?:variables?|encod\w*|columns?|features?|coding))|naive(?![- ]bayes)|"
    r"majority(?:[- ]class)?(?![- ]vot)|"
    r"most (?:common|frequent)(?! (?:words?|tokens?|n-?grams?|terms?|categor\w+|characters?))|"
    r"(?:train\w*|global|overall|column|target) (?:mean|median|mode|prior)s?|class priors?|"
    r"the prior|uniform(?! (?:sampl\w*|weights?|averag\w*|noise|blend|distribution))|"
    r"(?:mean|median) of(?! (?:the |all |our |its |those )?(?:\w+ )?(?:fold|seed|model|run|predict|"
    r"probab|checkpoint|network|tree|three|five|two|four|ten|\d))"
)
_HANDS_IN = (
    r"submit\w*|submission|hand(?:ed|ing|s)? in|writ(?:e|es|ing|ten)|wrote|sav(?:e|es|ed|ing)|"
    r"us(?:e|es|ed|ing)|predict(?:s|ed|ing|ions?)?|fill(?:s|ed|ing)?|return\w*|file|output"
)
_NO_MODEL = (
    r"nothing (?:was|is|has been) (?:learn\w*|train\w*|fit\w*)|"
    r"\bno (?:model|training|learning|ml)\b(?! (?:errors?|problems?|leak|data|loss))|"
    r"\bwithout (?:a |any )?(?:model|training|learning|fitting|machine learning)\b|"
    r"\b(?:not|n't|never) (?:train|fit)(?:ed|ted)?\b|"
    r"\b(?:no|not) (?:the |any |a )?(?:predictions?|outputs?|results?|values?|work) "
    r"(?:of|from|by) (?:a|any|the) (?:\w+ )?model\b"
)
_SAYS_EMPTY = re.compile(
    rf"\b(?:{_EMPTY})\b[^.\n]{{0,50}}\b(?:{_HANDS_IN}|baseline)\b|"
    rf"\b(?:{_HANDS_IN})\b[^.\n]{{0,50}}\b(?:{_EMPTY})\b|"
    r"\b(?:fell|fall(?:s|ing)?)[ -]?back\b(?! (?:to|on) (?:the )?(?:cpu|gpu|pandas|python|default|"
    r"slow|eager|single|float|regular|standard|local|numpy)\b)|"
    r"\b(?:cop(?:y|ied|ying)|hand\w* in|submit\w*|us(?:e|ed|ing)|returned)\b (?:over |in )?"
    r"(?:just |only )?(?:the |provided )*sample submission\b(?!'s)"
    r"(?! (?:format|ids|columns|as an? |for |to |order|template))|"
    r"\bis (?:still |just |now )?the (?:provided |plain |unchanged |uniform |given |raw )*"
    r"sample(?: submission| file)?\b"
    r"(?! (?:format|size|mean|of))|"
    r"\b(?:each|every|all) (?:the )?(?:rows?|ids?|predictions?|values?|pictures?|images?)\b"
    r"[^.\n]{0,20}\b(?:is|are|gets?|has|have|set to)\b (?:a |an |just |only )?"
    r"(?:\d|(?:the )?(?:same|mean|median|prior|mode|constant|flat)\b)|"
    r"\bflat \d|\b(?:not|no|aren't|isn't) (?:the |a |real )?model(?:'s)? predictions|"
    r"\b(?:only|just|all|nothing but) (?:zeros?|ones|constants?|placeholders?)\b|"
    r"\b(?:same|one|single) (?:value|prediction|probability|score|constant) (?:for|in|to) "
    r"(?:all|every|each)\b|\bfailed\b[^.\n]{0,40}\b(?:submit\w*|hand\w*)\b|"
    r"\bfailed\b[^.\n]{0,40}\b(?:so|instead|therefore)\b[^.\n]{0,60}"
    r"(?:\b(?:submi\w+|sample|constant|"
    r"prior|mean|median|mode|zeros?|file|value|number)\b|\d)|"
    rf"sample[ _]submission\S* (?:as[- ]is|unchanged|itself|unmodified)|{_NO_MODEL}",
    re.IGNORECASE,
)
_IMPUTES = re.compile(
    r"\b(?:missing|nans?|nulls?|imput\w*|outliers?|unseen|unknown|padd\w+)\b", re.IGNORECASE
)
_RANDOM_OTHER = (
    r"[- ]?(?:forest|search|seeds?|state|split|crop|flip|sampl|shuffl|augment|init|subset|order|"
    r"walk)"
)
_SAYS_NO_MODEL = re.compile(
    rf"{_NO_MODEL}|\b(?:random(?:ly)?(?!{_RANDOM_OTHER})|rule[- ]?based|rules?|heuristics?|"
    r"dummy(?! (?:variables?|encod|columns?))|naive(?![- ]bayes)|trivial|place ?holder|"
    r"coin[- ]flips?|hand[- ]?crafted)\b[^.\n]{0,30}\b"
    r"(?:baseline|submission|predictions?|guess(?:es|ing)?|values|labels|numbers|approach|"
    r"classifier|scores?)\b|"
    r"\b(?:submit\w*|hand\w* in)\b[^.\n]{0,30}"
    rf"\b(?:random(?!{_RANDOM_OTHER})|rules?|heuristics?)\b|"
    r"\bnot a (?:real |trained )?model\b",
    re.IGNORECASE,
)
_SAYS_TRAINED = re.compile(
    r"\b(?:train(?:ed|ing)|fitt(?:ed|ing)|fine[- ]?tun(?:ed|ing)|ensembl(?:ed|ing)|stacked|blended)"
    r"\b[^.\n]{0,60}\b(?:(?:model|classifier|regressor|network)s?|lightgbm|lgbm|xgboost|catboost|forest|"
    r"ensemble|resnet\w*|bert\w*|deberta\w*|efficientnet\w*|cnn|lstm|folds?|seeds?|epochs?)\b|"
    r"\b(?:fold|epoch)s? \d|"
    r"\b(?:models?|classifiers?|regressors?|networks?|ensemble|cnn|lstm|gru|nets?|forest|\w*bert\w*|"
    r"(?:res|efficient|dense|conv|mobile)ne\w+|light ?gbm|lgbm|xgb\w*|catboost|regression|boost\w*|"
    r"svm|transformer|vit|u-?net|perceptron|mlp|ridge|lasso)\b(?:[^.\n]|\.(?=\d)){0,60}"
    r"\b(?:re-?)?(?:trained|fitted|fit|fine-?tuned|tuned|converged|learn(?:ed|t))\b",
    re.IGNORECASE,
)
_REPORT = re.compile(
    r"(?:report|result|summary|notes?|readme|write_?up|card|submission|findings|metrics?|scores?|log|"
    r"final|answer|experiment|run_info|metadata|changelog)\w*\.(?:md|txt|rst|json|ya?ml)$",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"[*\"`]")
_ASKED = re.compile(
    r"\b(?:must|should|you|your|please|do not|don't|will be|todo|plan)\b", re.IGNORECASE
)


class Said(NamedTuple):
    """A line of a log and its place; the agent's own words, or what a program printed."""

    path: str
    line: int
    text: str
    is_own: bool = False
    turn: int = 0  # of the log: what was said at once has one number


def spoken(logs: Iterable[TextFile]) -> Iterator[Said]:
    """Yield the lines that were printed or said by the agent; prompts and code are left out."""
    for turn, event in enumerate(events(logs)):
        if event.kind in _SPOKEN and event.by not in {"system", "user"} and not event.target:
            for offset, line in enumerate(event.text.split("\n")):
                if line.strip():
                    number = event.first_line + (0 if event.member else offset)
                    last = max(event.first_line, event.last_line)
                    is_own = event.kind in _OWN
                    yield Said(event.where, min(number, last), line[:MAX_LINE], is_own, turn)


def written_down(attempt: Attempt) -> Iterator[Said]:
    """Yield the lines of reports and notes that stand beside an attempt's code, or above it."""
    for file in (*attempt.tables, *attempt.notes):
        if _REPORT.search(file.name.rpartition("/")[2]):
            for number, line in enumerate(file.text.split("\n"), start=1):
                if line.strip():
                    yield Said(file.name, number, _MARKUP.sub("", line)[:MAX_LINE], is_own=True)


def claim_of_training(said: Iterable[Said]) -> tuple[Said, ...]:
    """Return lines that tell of a trained model: first what was trained, then figures of it.

    Empty where the log says nothing of a training; talk of what shall be done is none.
    """
    trained: list[Said] = []
    figures: list[Said] = []
    for one in said:
        if any(values_of(one.text)):
            figures.append(one)
        if says_modelled(one):
            trained.append(one)
    return (*trained[:2], *figures[-2:]) if figures or trained else ()


def says_modelled(one: Said) -> bool:
    """Say whether a line tells of a trained model or of its predictions, figures aside."""
    denied = _ASKED.search(one.text) or _SAYS_NO_MODEL.search(one.text)
    said_so = (_SAYS_TRAINED, SAYS_PREDICTED, SAYS_DONE)
    return not denied and any(pattern.search(one.text) for pattern in said_so)


def says_empty(said: Iterable[Said]) -> Said | None:
    """Return a line that says openly that a constant, the sample or a fallback is handed in."""
    patterns = (_SAYS_EMPTY, SAYS_EMPTY_ELSEWHERE)
    found = (s for s in said if any(p.search(s.text) for p in patterns))
    found = (s for s in found if not _IMPUTES.search(s.text))
    return next((s for s in found if not _ASKED.search(s.text)), None)


def says_no_model(said: Iterable[Said]) -> Said | None:
    """Return a line that says openly that what is handed in comes of no model."""
    pattern = (_SAYS_NO_MODEL, _SAYS_EMPTY, SAYS_EMPTY_ELSEWHERE)
    found = (s for s in said if any(p.search(s.text) for p in pattern))
    return next((s for s in found if not _ASKED.search(s.text)), None)


def collapsed(said: Iterable[Said]) -> Said | None:
    """Return a line that tells that the model itself gives one value for every row."""
    return next((s for s in said if _COLLAPSED.search(s.text)), None)


def others_are_rare(said: Iterable[Said], n_rows: int) -> bool:
    """Say whether a log tells that all but one label are so few that `n_rows` may have none.

    It may count the labels on lines of their own, as `uniq -c` and `value_counts` do, or say so.

    Examples
    --------
    >>> lines = [Said("log", 1, "0    9990"), Said("log", 2, "1      10")]
    >>> others_are_rare(lines, 100), others_are_rare(lines, 9000)
    (True, False)
    """
    counts: list[int] = []
    for one in said:
        if _RARE.search(one.text):
            return True
        counted = _COUNTED.match(one.text)
        if counted:
            counts.append(max(int(counted["one"]), int(counted["other"])))
            continue
        if _few(counts, n_rows):
            return True
        counts = []
    return _few(counts, n_rows)


def _few(counts: list[int], n_rows: int) -> bool:
    """Say whether of rows drawn alike fewer than some are expected to be of a lesser count."""
    total = sum(counts)
    rest = 1 - max(counts) / total if len(counts) > 1 and total else 1.0
    return rest * n_rows < _SOME


_SOME = 3
_COUNTED = re.compile(r"^\s*(?P<one>\d{1,9})\s+(?P<other>\d{1,9})\s*$")
_RARE = re.compile(
    r"\b(?:rare|scarce|heavily skewed|(?:highly|very|strongly|extremely) imbalanced)\b|"
    r"\b(?:only|just|about|under|less than) \d*\.?\d+ ?% (?:of (?:the )?\w+ )?(?:are |is )?"
    r"(?:positives?|ones|frauds?|true)\b",
    re.IGNORECASE,
)
_COLLAPSED = re.compile(
    r"\b(?:all|every|each|100 ?%)\b[^.\n]{0,40}\b(?:predict\w*|predicted|rows|classified)\b"
    r"[^.\n]{0,40}\b(?:same|class|one|0|1|negative|positive|majority|identical)\b|"
    r"\bpredicts? (?:only|always|one class|a single)\b|"
    r"\bpredicts? (?:class |label )?\S{1,20} (?:for|in) (?:all|every|each)\b|\bcollaps\w+\b|"
    r"\b(?:same|identical|single|one) (?:class|value|label|prediction)\b[^.\n]{0,30}"
    r"\b(?:all|every|each)\b|\bunique (?:predictions?|values?)\D{0,5}1\b",
    re.IGNORECASE,
)
