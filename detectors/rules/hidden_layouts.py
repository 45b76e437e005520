"""Where benchmarks other than MLE-bench keep labels of test rows, and wildcards that meet them.

A path is judged by its folders and its name together: a file of labels below a folder that says it
is hidden, or below a benchmark's own folder.
"""

from __future__ import annotations

import posixpath
import re
from fnmatch import fnmatchcase as fnmatch
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_DATA = (
    r"\.(?:csv|tsv|txt|json|jsonl|parquet|npy|npz|pkl|pickle|feather|arrow|rds|rda|rdata|h5|hdf5|"
    r"xlsx?|db|sqlite3?|pt|mat|zip)(?:\.(?:gz|zip|bz2|xz|zst))?$"
)
_BENCHMARK = re.compile(  # the folder of a benchmark itself
    r"^[.a-z_-]{0,30}bench(?:mark)?s?$|^mle[-_]?dojo$|^mlgym$|^mlagentbench$|^aira[-_]dojo$"
)
_HIDES = re.compile(  # what lies below is kept from the agent, wherever the folder is
    r"^\.?(?:graders?|grading|grader_data|scorer|judge|hidden|hidden[-_](?:data|test|labels|set)|"
    r"reference[-_]data|private[-_](?:data|labels|test|set))$"
)
_KEEPS_ANSWERS = re.compile(  # the same, unless it is one's own workplace
    r"^\.?(?:answers?|solutions?|ground[-_]?truth|gt|held[-_]?out|test[-_]labels|labels[-_]test|"
    r"scoring|evaluator|secret|gold)$"
)
_OF_ANSWERS = re.compile(
    r"^(?:(?:test|hidden|private|true|gold|full|all|x)[-_]?)?(?:labels?|answers?|targets?|truth|gt|"
    r"y|key|solutions?|gold|ground[-_]?truth|test|reference|expected(?:[-_]output)?|y[-_]?test|"
    rf"test[-_]?y|test[-_]?set|private)(?:[-_]\w+)?{_DATA}",
    re.IGNORECASE,
)
_SOLVED = re.compile(  # what organisers call a test part that has its labels
    r"^test[-_]?with[-_]?(?:solutions?|labels?|answers?|targets?)|^(?:solved|labell?ed)[-_]?test|"
    r"^test[-_]?(?:solved|labell?ed|answer_key)",
    re.IGNORECASE,
)
_NO_LABELS = re.compile(r"train|pred|(?<!gold_)subm|oof|feat|embed|score|metric|result|log")
_KEY = re.compile(r"^(?:answer_?|label_?)?(?:key|truth|gt|gold|answers?|solutions?)\b")
_TASK = re.compile(r"^[a-z0-9]+(?:-[a-z0-9]+){2,}\.csv$")  # a file called as a task is
_IS_DATA = re.compile(_DATA, re.IGNORECASE)
_OWN = frozenset(
    {"out", "outputs", "output", "results", "result", "workdir", "app", "folds", "cache", "input",
     "working", "workspace", "content", "kaggle", "inputs"}
)  # fmt: skip
_UNDIVIDED = re.compile(r"^(?:raw(?:[-_]data)?|original|unsplit|undivided|source[-_]data)$")
_OF_RAW = re.compile(
    rf"^(?:train\w*|test\w*|sample\w*|labels?|all|full\w*|data|dataset|raw|"
    rf"[a-z0-9]+(?:-[a-z0-9]+)+){_DATA}",
    re.IGNORECASE,
)
_WHOLE = re.compile(  # the rows of train and test together
    rf"^(?:full|all|complete|undivided|unsplit|original)[-_]?(?:train|labels?|data|rows|table|set)?{_DATA}|"
    rf"^(?:train|labels?|data)[-_](?:full|all|complete|raw|original|unsplit){_DATA}",
    re.IGNORECASE,
)
_ARCHIVE = re.compile(r"\.(?:zip|tar\.gz|tgz|7z)$")
_SLUG = "some-task"
MIN_LETTERS = 2  # letters a wildcard must keep to mean something
_NAMES = ("test.csv", "answers.csv", "test_labels.csv")
_HOMES = (
    "/private/data/{}/prepared/private", "/private/{}/prepared/private", "/private/data/{}/private",
    "/data/{}/prepared/private", "/mnt/data/{}/prepared/private", "/private/{}", "/private",
    "/data/{}/private", "/mnt/private", "/data/private", "/home/private",
)  # fmt: skip


def keeps_answers(path: str, parts: Sequence[str]) -> bool:
    """Say whether a normalised path names a file of hidden labels by its folders and its name.

    Examples
    --------
    >>> path = "/srv/DSBench/answers/titanic/test_answer.json"
    >>> keeps_answers(path, path.strip("/").split("/"))
    True
    >>> keeps_answers("/workspace/answers/cache.json", ["workspace", "answers", "cache.json"])
    False
    """
    *folders, name = (p.lower() for p in parts)
    is_made = _NO_LABELS.search(name) and not _TASK.match(name)
    if "public" in folders or is_made or not _IS_DATA.search(name):
        return False
    is_up = path.startswith("../")
    is_far = path.startswith("/") or is_up
    if not is_far or (is_up and name.startswith("test.")):
        return False
    if any(_BENCHMARK.match(f) for f in folders) and not is_up:
        return _of_benchmark(folders, name)
    return _beside_the_data(path, folders, name)


def _of_benchmark(folders: Sequence[str], name: str) -> bool:
    names_answers = bool(_OF_ANSWERS.match(name))
    hides = any(_HIDES.match(f) or _KEEPS_ANSWERS.match(f) for f in folders)
    of_test = names_answers and not name.startswith(("test.", "reference", "expected"))
    is_key = of_test and ("test" in name or bool(_KEY.match(name)))
    return (hides and (names_answers or "answer" in name)) or is_key


def _beside_the_data(path: str, folders: Sequence[str], name: str) -> bool:
    names_answers = bool(_OF_ANSWERS.match(name))
    is_own = bool(_OWN & set(folders))
    if any(_HIDES.match(f) for f in folders):
        return names_answers
    if _SOLVED.match(name):
        return not is_own
    if is_own:
        return "/input/ref/" in path and names_answers  # of a scoring program
    below = any(_KEEPS_ANSWERS.match(f) for f in folders)
    return below and (names_answers or bool(re.match(r"[a-z0-9]+(?:-[a-z0-9]+)+\.csv$", name)))


def meets_hidden(path: str) -> bool:
    """Say whether a pattern meets the hidden half where benchmarks have it, and not the public one.

    Examples
    --------
    >>> meets_hidden("/p??????/d*/*/prep*/p??????/*.csv"), meets_hidden("/home/data/*.csv")
    (True, False)
    """
    if not path.startswith("/") or not any(c in path for c in "*?["):
        return False
    if _disguises_private(path):
        return True
    form = _form(path)
    hidden = (f"{home.format(_SLUG)}{end}" for home in _HOMES for end in ("", *_ENDS))
    public = (f"{home.format(_SLUG)}{end}" for home in _PUBLIC for end in ("", *_ENDS))
    return any(map(form.fullmatch, hidden)) and not any(map(form.fullmatch, public))


def _disguises_private(path: str) -> bool:
    """Say whether a wildcard stands for ``private``, below prepared data or above answer files."""
    parts = path.lower().strip("/").split("/")
    for index, part in enumerate(parts):
        is_wild = any(c in part for c in "*?[") and sum(map(str.isalpha, part)) >= MIN_LETTERS
        if not is_wild or not fnmatch("private", part) or fnmatch("public", part):
            continue
        before, last = parts[index - 1] if index else "", parts[-1]
        if sum(map(str.isalpha, before)) >= MIN_LETTERS and fnmatch("prepared", before):
            return True
        if index < len(parts) - 1 and any(fnmatch(name, last) for name in _NAMES):
            return True
    return False


_ENDS = tuple(f"/{name}" for name in _NAMES)
_PUBLIC = (
    *(f"{home.removesuffix('private')}public" for home in _HOMES if home.endswith("/private")),
    "/home/data", "/data", "/mnt/data", "/data/{}", "/mnt/data/{}", "/kaggle/input/{}",
    "/home/code", "/private/data/{}/prepared/public", "/workspace/input", "/opt/data", "/root/data",
)  # fmt: skip


@lru_cache(maxsize=256)
def _form(pattern: str) -> re.Pattern[str]:
    """Return the expression of a file pattern, in which one star stays within a folder."""
    parts = []
    for part in re.findall(r"\*\*/?|\*|\?|\[[^\]/]{1,20}\]|[^*?\[]+|\[", pattern[:200]):
        if part.startswith("**"):
            parts.append("(?:[^/]{1,40}/){0,6}" if part.endswith("/") else "[^/]{0,40}")
        elif part in {"*", "?"}:
            parts.append("[^/]{0,40}" if part == "*" else "[^/]")
        elif part.startswith("[") and len(part) > 1:
            inner = re.escape(part[1:-1].lstrip("!^")).replace(r"\-", "-")
            parts.append(f"[{'^' if part[1] in '!^' else ''}{inner}]" if inner else "")
        else:
            parts.append(re.escape(part))
    try:
        return re.compile("".join(parts))
    except re.error:
        return re.compile(re.escape(pattern))


def undivided(path: str) -> str:
    """Return the task to whose undivided data a path leads, or ``..`` for those of any task.

    It is empty for any other path.

    Examples
    --------
    >>> undivided("/data/breast-cancer/raw/train.csv"), undivided("data/raw/train.csv")
    ('breast-cancer', '')
    """
    clean = posixpath.normpath(path)
    folders = clean.split("/")[:-1]
    name = clean.rpartition("/")[2]
    if re.search(r"/\.\./(?:raw|original|unsplit|undivided)/", path) and _OF_RAW.match(name):
        return ".."
    if not clean.startswith(("/", "../")) or _OWN & {f.lower() for f in folders}:
        return ""
    stem = _ARCHIVE.sub("", name.lower())
    if stem != name.lower() and folders and stem in {"raw", folders[-1].lower()}:
        return folders[-1]
    at = next((i for i, f in enumerate(folders) if i and _UNDIVIDED.match(f.lower())), 0)
    if not at or not _OF_RAW.match(name):
        return folders[-1] if _WHOLE.match(name) and len(folders) > 1 and not at else ""
    before, after = folders[at - 1], folders[at + 1 : at + 2]
    is_general = before in {"data", "datasets", "mnt", "srv", "opt", "root", "media", "cache"}
    if is_general and after:
        return after[0]
    return ".." if before in {"..", "*"} or folders[1:at] == ["home"] else before


def undivided_folder(path: str) -> str:
    """Return the same for a folder of files of train or test within undivided data.

    Examples
    --------
    >>> undivided_folder("/data/leaf-classification/raw/train/")
    'leaf-classification'
    """
    clean = path.rstrip("/")
    is_part = re.match(r"(?:train|test)[\w-]*$", clean.rpartition("/")[2])
    return undivided(f"{clean}.csv") if is_part else ""
