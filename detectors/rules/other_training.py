"""Training on hidden answers in any language but Python, read statement by statement."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAX_STATEMENT = 8_000  # characters
_LANGUAGES = (
    *(".R", ".r", ".Rmd", ".rmd", ".qmd", ".jl", ".pl", ".pm", ".rb", ".js", ".mjs", ".ts", ".go"),
    *(".rs", ".java", ".scala", ".kt", ".cs", ".c", ".cc", ".cpp", ".m", ".lua", ".php", ".sql"),
)
_BY_LINE = (".R", ".r", ".Rmd", ".rmd", ".qmd", ".jl")
_PARTS = re.compile(r";\s*|\{\s+|\s\}|\n(?=\s*\})")  # between statements of languages with braces
_BY_HASH = (".R", ".r", ".Rmd", ".rmd", ".qmd", ".jl", ".pl", ".pm", ".rb", ".php")
_TEXT = re.compile(r"\"([^\"\n]{1,500})\"|'([^'\n]{1,500})'")
_PIECES = re.compile(r"\b(?:file\.path|joinpath)\s*\(([^()]{1,500})\)")
_READS = re.compile(
    r"\b(?:read[._]\w+|fread|readRDS|load|vroom|read|CSV\.(?:read|File)|readdlm|readtable|scan)\s*\("
)
_SETS = re.compile(
    r"^[\s{]*(?:(?:const|let|var|my|our|local|final|static|auto|val|mut|double|int|float|[A-Z]\w*"
    r"(?:<[^>\n]*>)?(?:\[\])?)\s+)*[$@%]?(?P<name>[A-Za-z_.][\w.]*)(?:\[\[?[^\n]*?\]\]?|"
    r"\{[^\n]*?\}|\$[\w.]+|\.[\w!]+|\([^()\n]*\)|,\s*\w+)*\s*(?:<<?-|:?=(?![=>~]))(?P<value>[\s\S]+)$"
)
_OF_SQL = re.compile(
    r"^\s*(?:create\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+)?(?:table|view)\s+(?:if\s+not\s+exists\s+)?"
    r"|insert\s+into\s+)[\"`]?(?P<name>\w+)[\"`]?(?P<value>[\s\S]+)$",
    re.IGNORECASE,
)
_OPENED = re.compile(  # a file's handle, and what a loop takes from it
    r"\bopen\w*\s*\(?\s*(?:my\s+)?[$]?(?P<name>\w+)\s*,(?P<value>[\s\S]+)$|"
    r"\b(?:while|for|foreach)\s*\(?\s*(?:(?:const|let|var|my|auto&?)\s+)?[$]?(?P<each>\w+)\s*(?:=|in|of|:)"
    r"(?P<of>[\s\S]+)$|\bmy\s*\((?P<list>[^()]+)\)\s*=(?P<from>[\s\S]+)$"
)
_GIVES = re.compile(r"^(?P<value>[\s\S]+?)->>?\s*(?P<name>[A-Za-z_.][\w.]*)\s*$")
_ADDS = re.compile(r"\b(?:append!|push!|vcat!)\s*\(\s*(?P<name>[A-Za-z_]\w*)")
_FITS = re.compile(
    r"\b(?:ranger|randomForest|lm|glm|gam|gbm|rpart|svm|nnet|knn|naiveBayes|glmnet|cv\.glmnet|bart|"
    r"xgboost|xgb\.(?:train|cv|DMatrix)|lgb\.(?:train|cv|Dataset)|lightgbm|catboost\.\w+|train|"
    r"h2o\.\w+|fit[!\w]*|[Ff]it|Train|\w*[_.]?train(?:_\w+|er)?|learn\w*|buildClassifier|fitc\w+|fitr\w+|"
    r"TreeBagger|svmtrain|add_instance|addInstance|partial_fit|machine|"
    r"earth|cforest|ctree|kknn|caret::train|DecisionTree\w*|build_forest)\s*\(|"
    r"^\s*create\s+(?:or\s+replace\s+)?model\b|\bmadlib\.\w+_train\s*\(",
    re.IGNORECASE,
)
_LOOKS = re.compile(  # does not read rows: asks whether they are there, copies, prints
    r"\b(?:file\.exists|existsSync|exists|isfile|copyFile\w*|print\w*|console\.\w+|cat|message|die)\s*\(?\s*[\"']"
)
_GOES_ON = re.compile(r"(?:%>%|\|>|[+,({\[=]|<-|&&|\|\|)\s*$")
_COMMENT = re.compile(r"(?:^|\s)#.*$")
_OTHER_COMMENT = re.compile(r"(?:^|\s)(?://|--|%).*$")


_WRITES = re.compile(
    r"\b(?:write[._]\w+|fwrite|saveRDS|save|write_\w+|CSV\.write|writedlm|export|to_csv)\s*\(|^\s*copy\s",
    re.IGNORECASE,
)


_SUMS_UP = re.compile(
    r"(?:rmse|rmsle|mae|mse|auc|accuracy|score|metric|loss|error|mean|sum|cor|max|min|length|nrow|optim\w{0,20}|"
    r"levels|names|unique|table|predict)\s*\(",
    re.IGNORECASE,
)
_SUBMITTED = re.compile(
    r"^[\w.-]*(?:subm|\bsub\b|preds?\b|predictions)[\w.-]*\.(?:csv|tsv|json|parquet|txt)$",
    re.IGNORECASE,
)
_JUDGED = re.compile(r"score|log|report|diff|check|metric|compare|eval|sample", re.IGNORECASE)


def is_submitted(path: str) -> bool:
    """Say whether a path is called like a submission, and not like what is told of one.

    Examples
    --------
    >>> is_submitted("out/submission.csv"), is_submitted("submission_score.csv")
    (True, False)
    """
    name = path.rpartition("/")[2]
    return _SUBMITTED.match(name) is not None and not _JUDGED.search(name)


class OtherTaught(NamedTuple):
    """A statement that trains on answers or hands them in, and the one that reads them.

    Lines count from 1.
    """

    source: str
    source_line: int
    call: str
    call_line: int
    is_handed_in: bool = False


def trained_on(name: str, text: str, is_answers: Callable[[str], bool]) -> OtherTaught | None:
    r"""Return the first training on what was read from answers, or the first that hands it in.

    None for languages that are not read here.

    See `written_by` for what is written with them instead.

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
    return next(
        (t for t, is_fit in _uses(name, text, is_answers) if is_fit or t.is_handed_in), None
    )


def written_by(name: str, text: str, is_answers: Callable[[str], bool]) -> frozenset[str]:
    """Return the names of files into which another language writes what was read from answers."""
    used = (taught.call for taught, is_fit in _uses(name, text, is_answers) if not is_fit)
    paths = (path for call in used for path in _texts(call) if "." in path and not is_answers(path))
    return frozenset(path.rpartition("/")[2] for path in paths)


def _uses(
    name: str, text: str, is_answers: Callable[[str], bool]
) -> Iterator[tuple[OtherTaught, bool]]:
    """Yield statements that train on what was read from answers, or write it to a file."""
    if not name.endswith(_LANGUAGES):
        return
    held: dict[str, tuple[str, int]] = {}  # names, and the statement that their answers came by
    figures: set[str] = set()  # names of what only sums answers up, or was judged by them
    for line, statement in _statements(
        text, by_hash=name.endswith(_BY_HASH), is_braced=not name.endswith(_BY_LINE)
    ):
        bare = _TEXT.sub(" ", statement)
        used = _names(bare if name.endswith((".R", ".r", ".jl")) else statement)
        of_path = any(map(is_answers, _texts(statement)))
        reading = of_path and (_READS.search(statement) or not _LOOKS.search(statement))
        source = (statement, line) if reading else next((held[n] for n in used if n in held), None)
        if source is None:
            continue
        if _FITS.search(bare) or _WRITES.search(bare):
            is_rows = reading or bool(used & held.keys() - figures)
            is_given = is_rows and any(map(is_submitted, _texts(statement)))
            found = OtherTaught(*source, statement, line, is_handed_in=is_given)
            yield found, bool(_FITS.search(bare))
        for target, value in _set_by(statement):
            if reading or _names(value) & held.keys():
                held.setdefault(target, source)
                is_figure = _SUMS_UP.search(value) or not (
                    reading or _names(value) & held.keys() - figures - {target}
                )
                figures |= {target} if is_figure else set()


def _set_by(statement: str) -> Iterator[tuple[str, str]]:
    """Yield the names that a statement sets, each with what it sets them to."""
    found = _SETS.match(statement) or _GIVES.match(statement) or _OF_SQL.match(statement)
    if found:
        yield found["name"].rstrip("."), found["value"]
        yield found["name"].partition(".")[0], found["value"]
    added = _ADDS.search(statement)
    if added:
        yield added["name"], statement
    for opened in _OPENED.finditer(statement):
        value = opened["value"] or opened["of"] or opened["from"]
        names = [opened["name"] or opened["each"]] if not opened["list"] else []
        names += re.findall(r"\w+", opened["list"] or "")
        yield from ((name, value) for name in names if name)


def _names(text: str) -> set[str]:
    """Return the names in some code; of a dotted one also what stands before its first dot."""
    found = set(re.findall(r"[A-Za-z_.][\w.]*", text))
    return found | {word.partition(".")[0] for word in found}


def _texts(statement: str) -> Iterator[str]:
    for pieces in _PIECES.finditer(statement):
        yield "/".join(a or b for a, b in _TEXT.findall(pieces[1]))
    yield from (a or b for a, b in _TEXT.findall(statement))


def _statements(text: str, *, by_hash: bool, is_braced: bool) -> Iterator[tuple[int, str]]:
    """Join lines while a bracket is open or an operator ends one."""
    comment = _COMMENT if by_hash else _OTHER_COMMENT
    parts: list[str] = []
    first = depth = 0
    for number, line in enumerate(text.split("\n"), start=1):
        code = comment.sub("", line)
        if not code.strip() and not parts:
            continue
        first = first if parts else number
        parts.append(code)
        bare = _TEXT.sub("", code)
        depth += sum(map(bare.count, "([")) - sum(map(bare.count, ")]"))
        whole = "\n".join(parts)
        goes_on = _GOES_ON.search(code) and not (is_braced and code.rstrip().endswith("{"))
        if (depth <= 0 and not goes_on) or len(whole) > MAX_STATEMENT:
            yield from ((first, part) for part in (_PARTS.split(whole) if is_braced else [whole]))
            parts, depth = [], 0
    if parts:
        yield first, "\n".join(parts)
