"""Folders of data that an attempt makes for itself: what it does there is done to its own copy."""

from __future__ import annotations

import re

MAX_LOOKED_AT = 100_000  # characters of one text
MAX_FOLDERS = 8  # in one text
_FOLDER = re.compile(r"/(?:workspace|kaggle)/input(?:/[\w-]{1,80})?(?=[/\"'\s;|&)]|$)")
_NAMED = r"\b(?P<name>[A-Za-z_]\w{0,40})\s{0,3}=\s{0,3}(?:[\w.]{1,30}\()?[\"']FOLDER/?[\"']"
_BY_COMMAND = (
    r"\bcd\s+PARENT/?\s{0,3}(?:&&|;|\n)[^\n]{0,200}?\bmkdir\b[^\n;|&]{0,80}\sLAST/?(?=[\s;|&]|$)|"
    r"\b(?:(?:mkdir|git clone)\b[^\n;|&]{0,200}?\s|(?:unzip|tar|7z|kaggle|gdown|wget)\b"
    r"[^\n;|&]{0,200}?\s-{1,2}(?:[dCpPoO]|path|directory)[ =]?)[\"']?FOLDER/?(?=[\s;|&\"']|$)|"
    r"\b(?:cp|ln|rsync|mv)\b[^\n;|&]{1,200}\sFOLDER/?[ \t]*(?:[\n;|&\"']|$)|"
    r"\b(?:cp|ln|rsync)\b(?![^\n;|&]{0,200}\s[\"']?FOLDER\S*\s+\S)[^\n;|&]{0,160}"
    r"sample_?submission\w{0,20}\.csv\S?"
    r"\s+\S?FOLDER/sample_?submission\w{0,20}\.csv(?=[\s;|&\"']|$)"
)
_BY_PYTHON = (
    r"(?:makedirs|mkdir|extractall)\(\s*(?:path\s*=\s*)?HELD|HELD\)?\.(?:mkdir|symlink_to)\(|"
    r"(?:copytree|unpack_archive|symlink|move)\([^\n]{1,160},\s*HELD\s*[,)]|"
    r"copy(?:2|file)?\((?![^\n,]{0,160}FOLDER)[^\n,]{0,160}sample_?submission[^\n,]{0,40},\s*"
    r"(?:[\"']FOLDER/sample|[^\n]{0,20}HELD)"
)
_MAY_MAKE = re.compile(
    r"mkdir|makedirs|extractall|unzip|\btar\b|7z|kaggle|gdown|wget|clone|cp |ln |rsync|mv |"
    r"copy|symlink|unpack|move"
)


def made_folders(text: str) -> set[str]:
    """Return the folders of data that a command or a program makes or fills from elsewhere.

    Examples
    --------
    >>> made_folders("mkdir -p /workspace/input && cp a.csv /workspace/input/train.csv")
    {'/workspace/input'}
    >>> made_folders("mkdir -p out; cp s.csv /workspace/input/sample_submission.csv")
    set()
    """
    text = text[:MAX_LOOKED_AT]
    if "/input" not in text or not _MAY_MAKE.search(text):
        return set()
    folders = sorted(set(_FOLDER.findall(text)))[:MAX_FOLDERS]
    return {f for f in folders if _is_made(f, text)}


def _is_made(folder: str, text: str) -> bool:
    literal = re.escape(folder)
    parent, _, last = folder.rpartition("/")
    names = {m["name"] for m in re.finditer(_NAMED.replace("FOLDER", literal), text)}
    held = "|".join([rf"(?:[\w.]{{1,30}}\()?[\"']{literal}/?[\"']", *(rf"\b{n}\b" for n in names)])
    pattern = f"{_BY_COMMAND}|{_BY_PYTHON}".replace("FOLDER", literal)
    pattern = pattern.replace("PARENT", re.escape(parent)).replace("LAST", re.escape(last))
    return bool(re.search(pattern.replace("HELD", f"(?:{held})"), text))
