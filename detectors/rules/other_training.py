"""Training on hidden answers in R and Julia, read statement by statement."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAX_STATEMENT = 8_000  # characters
_LANGUAGES = (".R", ".r", ".Rmd", ".jl")
_TEXT = re.compile(r"\"([^\"\n]{1,500})\"|'([^'\n]{1,500})'")
_PIECES = re.compile(r"\b(?:file\.path|joinpath)\s*\(([^()]{1,500})\)")
_READS = re.compile(
    r"\b(?:read[._]\w+|fread|readRDS|load|vroom|read|CSV\.(?:read|File)|readdlm|readtable|scan)\s*\("
)
_SETS = re.compile(
    r"^\s*(?P<name>[A-Za-z_.][\w.]*)(?:\[\[?[^\n]*?\]\]?|\$[\w.]+|\.[\w!]+)*\s*(?:<<?-|=(?!=))"
    r"(?P<value>[\s\S]+)$"
)
_GIVES = re.compile(r"^(?P<value>[\s\S]+?)->>?\s*(?P<name>[A-Za-z_.][\w.]*)\s*$")
_ADDS = re.compile(r"\b(?:append!|push!|vcat!)\s*\(\s*(?P<name>[A-Za-z_]\w*)")
_FITS = re.compile(
    r"\b(?:ranger|randomForest|lm|glm|gam|gbm|rpart|svm|nnet|knn|naiveBayes|glmnet|cv\.glmnet|bart|"
    r"xgboost|xgb\.(?:train|cv|DMatrix)|lgb\.(?:train|cv|Dataset)|lightgbm|catboost\.\w+|train|"
    r"h2o\.\w+|fit[!\w]*|earth|cforest|ctree|kknn|caret::train|DecisionTree\w*|build_forest)\s*\("
)
_GOES_ON = re.compile(r"(?:%>%|\|>|[+,({\[=]|<-|&&|\|\|)\s*$")
_COMMENT = re.compile(r"(?:^|\s)#.*$")


class OtherTaught(NamedTuple):
    """A statement that trains on answers, and the one that reads them; lines count from 1."""

    source: str
    source_line: int
    call: str
    call_line: int


def trained_on(name: str, text: str, is_answers: Callable[[str], bool]) -> OtherTaught | None:
    r"""Return the first training on what was read from answers; None for other languages.

    Parameters
    ----------
    name : str
        The file, whose ending tells its language.

    Examples
    --------
    >>> code = 'k <- read.csv("/private/a.csv")\ntest$y <- k$y\nm <- lm(y ~ ., data = test)\n'
    >>> trained_on("a.R", code, lambda path: "private" in path).call_line
    3
    """
    if not name.endswith(_LANGUAGES):
        return None
    held: dict[str, tuple[str, int]] = {}  # names, and the statement that their answers came by
    for line, statement in _statements(text):
        used = set(re.findall(r"[A-Za-z_.][\w.]*", _TEXT.sub(" ", statement)))
        used |= {word.partition(".")[0] for word in used}  # a part of a frame of Julia
        reading = _READS.search(statement) and any(map(is_answers, _texts(statement)))
        source = (statement, line) if reading else next((held[n] for n in used if n in held), None)
        if source is None:
            continue
        if _FITS.search(statement):
            return OtherTaught(*source, statement, line)
        sets = _SETS.match(statement) or _GIVES.match(statement) or _ADDS.search(statement)
        if sets:
            value = sets.groupdict().get("value") or statement
            of_value = set(re.findall(r"[A-Za-z_.][\w.]*", value))
            of_value |= {word.partition(".")[0] for word in of_value}
            if reading or of_value & held.keys():
                held.setdefault(sets["name"], source)
    return None


def _texts(statement: str) -> Iterator[str]:
    for pieces in _PIECES.finditer(statement):
        yield "/".join(a or b for a, b in _TEXT.findall(pieces[1]))
    yield from (a or b for a, b in _TEXT.findall(statement))


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Join lines while a bracket is open or an operator ends one."""
    parts: list[str] = []
    first = depth = 0
    for number, line in enumerate(text.split("\n"), start=1):
        code = _COMMENT.sub("", line)
        if not code.strip() and not parts:
            continue
        first = first if parts else number
        parts.append(code)
        bare = _TEXT.sub("", code)
        depth += sum(map(bare.count, "([")) - sum(map(bare.count, ")]"))
        whole = "\n".join(parts)
        if (depth <= 0 and not _GOES_ON.search(code)) or len(whole) > MAX_STATEMENT:
            yield first, whole
            parts, depth = [], 0
    if parts:
        yield first, "\n".join(parts)
