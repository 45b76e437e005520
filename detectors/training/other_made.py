"""Values that a program of any language makes of test rows alone: by rules, or by draws.

No language is parsed: what is looked at are the files that the text names, the names that it calls
and does not define itself, and the libraries that it loads. A program that reads no file but the
test rows and the sample, and calls nothing that learns, has nothing from which its values could be
learnt.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from detectors.training.programs import Origin

MAX_TEXT = 400_000  # characters
MAX_NUMBERS = 24  # decimals of a text, from which on they may be the weights of a model
_COMMENTS = re.compile(
    r"^[ \t]*(?:#(?!include)|//|--|%|;).*$|/\*[\s\S]*?\*/|(?<=\s)(?:#|//)\s.*$", re.M
)
_TEXT = re.compile(r"\"((?:[^\"\\\n]|\\.){0,400})\"|'((?:[^'\\\n]|\\.){0,400})'")
_FILE = re.compile(
    r"[\w./~${}-]*\w\.(?:csv|tsv|txt|json[l]?|parquet|rds|rda|rdata|pkl|bin|model|onnx|xgb|dat|npy|"
    r"npz|feather|jld2?|h5|mat|db|sqlite|pt|pth|ft|gz|out|cbm)\b",
    re.IGNORECASE,
)
_SUBMISSION = re.compile(r"subm|pred", re.IGNORECASE)
_SAMPLE = re.compile(r"sample|template", re.IGNORECASE)
_ROWS = re.compile(r"test", re.IGNORECASE)
_TRAIN = re.compile(r"train", re.IGNORECASE)
_CALLED = re.compile(r"\b([A-Za-z_][\w.:!]*)\s*\(")
_DEFINED = re.compile(
    r"\b(?:function|sub|func|def|fn|fun)\s+(\w+)|\b(\w+)\s*(?:<-|=)\s*(?:function\b|"
    r"\(?[\w, ]*\)?\s*=>|\([\w, ]*\)\s*->)"
)
_LEARNS = re.compile(
    r"(?:^|[.:])(?:\w*train\w*|\w*fit\w*|predict\w*|glm\w*|lm|loess|knn\w*|svm|rpart|ranger|nnet|gam|"
    r"randomForest|xgb\w*|lgb\w*|lightgbm|catboost\w*|kmeans|solve|optim\w*|lsq\w*|nls|load\w*|readRDS|"
    r"inverse|inv|pinv|svd|qr|polyfit|regress\w*|forest\w*|boost\w*|Infer\w*|forward|backward|"
    r"system2?|exec\w*|spawn\w*|popen|source|include|require_relative|eval|Command|ProcessBuilder|"
    r"h2o\w*|keras\w*|torch\w*|tensorflow\w*)!?$",
    re.IGNORECASE,
)
_LOADED = re.compile(
    r"^\s*(?:library|require|requireNamespace|suppressPackageStartupMessages\(library)\s*\(\s*[\"']?([\w.]+)|"
    r"^\s*using\s+([\w, .:]+)$|^\s*import\s+([\w.]+)|\brequire\(\s*[\"']([^\"']+)|"
    r"^\s*require\s+[\"']([^\"']+)|^\s*use\s+([A-Za-z][\w:]*)|^\s*#include\s*[<\"]([\w./]+)|"
    r"\bfrom\s+[\"']([^\"']+)[\"']|^\s*\"([\w./]+)\"\s*$",
    re.MULTILINE,
)
_PLAIN = re.compile(
    r"^(?:readr|dplyr|data\.table|stringr|tidyverse|jsonlite|purrr|tidyr|magrittr|tibble|lubridate|"
    r"digest|CSV|DataFrames|Random|Statistics|Printf|DelimitedFiles|Dates|SHA|JSON\w*|strict|warnings|"
    r"utf8|List::Util|Text::CSV\w*|POSIX|Digest::\w+|Getopt::Long|JSON::\w+|csv|json|digest|set|date|"
    r"securerandom|fs|path|readline|crypto|papaparse|csv-?parse\S*|node:\w+|fmt|os|io|bufio|strings|"
    r"strconv|math|math/rand\S*|encoding/\w+|crypto/\w+|hash/\w+|time|log|sort|errors|std\S*|rand\S*|"
    r"java\S*|v?5[\d.]*|[a-z]+\.h|iostream|fstream|sstream|string|vector|random|cmath|cstdio|cstdlib|"
    r"algorithm|map|unordered_map|iomanip|functional|utils|stats|base|methods)$"
)
_DRAWS = re.compile(
    r"\b(?:runif|rnorm|rbinom|rbeta|rexp|rpois|rgamma|sample(?:_n|_frac)?|Math\.random|rand[nif]?|randint|"
    r"random|randperm|shuffle\w*|mt_rand|drand48|srand|nextInt|nextDouble|nextFloat|Float64|Intn|"
    r"gen_range|thread_rng|mt19937|setseed)!?\s*\(|\bRandom\.(?:rand|new)|\brand\b\s*(?:[<*+.;,)]|\d)|"
    r"\bRANDOM\b|\bgen::<"
)
_DECIDES = re.compile(
    r"\b(?:if|ifelse|case|when|switch|elsif|elif|if_else|case_when|fifelse|iff|grepl|str_detect|match|"
    r"contains|length|nchar|hash\w*|md5\w*|sha\d*\w*|crc32|sin|cos|ord|charCodeAt|row_number)\b|"
    r"=~|%%|[\w)\]]\s*[%*/]\s*[\w(.]|\?[^:\n]+:",
    re.IGNORECASE,
)
_LOOPS = re.compile(
    r"\b(?:for|while|repeat|apply|sapply|lapply|map|each|foreach|group_by|aggregate|tapply)\b|%\*%|\bby\s*="
)
MIN_LABELS = 8  # values of a list that somebody typed
_LISTED = re.compile(r"[(\[{]([^()\[\]{};]{16,100000})[)\]}]")
_ROWS_LISTED = re.compile(r"(?:\([^()\n]{3,200}\)\s*,\s*){7,}\([^()\n]{3,200}\)")
_WORDS = re.compile(r"\bq?w[(/\[{]([^()/\[\]{}]{16,100000})[)/\]}]")  # of Perl and Ruby
_KEYED = re.compile(r"^[\"']?[\w.-]{1,60}[\"']?\s*(?:=>|[:=])\s*")
_LABEL = re.compile(r"-?\d{0,9}(?:\.\d{0,4})?|[A-Za-z]\w{0,40}")
_UNKNOWN = re.compile(
    r"\b(?:commandArgs|ARGV|ARGS|process\.argv|os\.Args|args\[|env::args|STDIN|stdin|list\.files|readdir|"
    r"glob|Sys\.glob)\b|[^\w\\]`[^`\n]+`\s*;|\bqx[{(/]"
)


class OtherMade(NamedTuple):
    """A program that makes the submission without a model; its line counts from 1."""

    origin: Origin
    line: int
    text: str


def other_made(text: str) -> OtherMade | None:
    r"""Return what makes the values of a program that has nothing to learn from.

    Parameters
    ----------
    text : str
        All of a program that is not Python, or its statements of SQL.

    Examples
    --------
    >>> code = 't <- read.csv("test.csv")\nt$y <- ifelse(t$a > 3, 1, 0)\n'
    >>> other_made(code + 'write.csv(t, "submission.csv")\n').origin.name
    'RULE'
    >>> other_made('m <- ranger(y ~ ., read.csv("train.csv"))\n' + code) is None
    True
    """
    code = _COMMENTS.sub("", text[:MAX_TEXT])
    said = " ".join(a or b for a, b in _TEXT.findall(code))
    named = {f.rpartition("/")[2] for f in _FILE.findall(said)}
    written = {f for f in named if _SUBMISSION.search(f) and not _SAMPLE.search(f)}
    read = named - written
    if not written or _UNKNOWN.search(code):
        return None
    bare = _TEXT.sub('""', code)
    if not _learns_nothing(bare, code):
        return None
    listed = _listed(code) if all(_ROWS.search(f) or _SAMPLE.search(f) for f in read) else None
    if listed is not None or not read:
        return _at(text, code, listed, Origin.TYPED) if listed is not None else None
    drawn = _DRAWS.search(code)
    others = {f for f in read if not _ROWS.search(f) and not _SAMPLE.search(f)}
    of_train = {f for f in others if _TRAIN.search(f)}
    if others - of_train or (of_train and (not drawn or _LOOPS.search(bare))):
        return None
    shown = drawn or _DECIDES.search(bare) or _DECIDES.search(said)
    if shown is None or (not drawn and len(re.findall(r"\d\.\d{3,}", code)) > MAX_NUMBERS):
        return None
    return _at(text, code, shown, Origin.DRAWN if drawn else Origin.RULE)


def _listed(code: str) -> re.Match[str] | None:
    """Return a list of values, or of rows of keys and values, that somebody typed."""
    lists = (m for m in _LISTED.finditer(code) if _are_labels(m[1]))
    words = (m for m in _WORDS.finditer(code) if _are_labels(",".join(m[1].split())))
    return next(lists, None) or next(words, None) or _ROWS_LISTED.search(code)


def _are_labels(text: str) -> bool:
    """Say whether what stands in brackets are eight values or more that come again."""
    cells = [c.strip(" \n\t\"'()[]{}") for c in text.split(",")]
    values = [_KEYED.sub("", c).strip(" \"'") for c in cells if c]
    is_short = all(_LABEL.fullmatch(v) for v in values)
    return is_short and len(values) >= MIN_LABELS and 1 < len(set(values)) < len(values)


def _learns_nothing(bare: str, code: str) -> bool:
    """Say whether a program calls nothing of others that learns, runs or loads something."""
    own = {a or b for a, b in _DEFINED.findall(bare)}
    called = {name for name in _CALLED.findall(bare) if name not in own}
    if any(_LEARNS.search(name) for name in called):
        return False
    loaded = [part for groups in _LOADED.findall(code) for part in groups if part]
    libraries = [x.strip().partition(":")[0] if " " in part else x.strip() for part in loaded
                 for x in part.split(",")]  # fmt: skip
    return all(_PLAIN.match(name) or "::" in name for name in libraries if name)


def _at(text: str, code: str, shown: re.Match[str], origin: Origin) -> OtherMade:
    """Find the line again in the text as it stands, comments and all."""
    start = code.rfind("\n", 0, shown.start()) + 1 if shown.string is code else 0
    end = code.find("\n", shown.start()) if shown.string is code else code.find("\n")
    words = code[start : end if end >= 0 else None]
    at = max(0, text.find(words.strip()))
    return OtherMade(origin, text.count("\n", 0, at) + 1, words.strip())
