"""Secrets in texts: which stretches are keys and tokens, and the text with all of them masked.

The table is our own because it must give the places of secrets (scanners such as `detect-secrets`
give lines), take time in proportion to hostile texts, and know the keys of model vendors.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from pydantic import BaseModel

from reports.decoded import readings
from reports.secret_forms import EDGE, FORMS, NAMES, Form

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_T = TypeVar("_T")

MIN_BITS = 3.0  # of entropy per character, below which a value is a word and no key
MIN_HEX_BITS = 2.6
_VARIETY = 8  # different characters that a key has at least


class Secret(NamedTuple):
    """A stretch of text that is a secret.

    Parameters
    ----------
    kind : str
        What it is, in words.
    start, end : int
        Its place in the text.
    is_certain : bool
        It has the form of one vendor's keys; else only its name and its looks say so.
    """

    kind: str
    start: int
    end: int
    is_certain: bool


_HINTS = tuple((hint, n) for n, form in enumerate(FORMS) for hint in form.hints)
_VALUE = re.compile(r"(?<![A-Za-z0-9_+/.~-])[A-Za-z0-9_+/.~-]{16,}+={0,2}+(?![\w(\[])")
_MAX_VALUE = 500  # characters
_BEFORE = re.compile(  # what stands before a value that is a key by its name
    r"(?:(?P<bearer>\bbearer\s{1,3})|"
    r"(?P<given>--?(?:[\w-]{0,20}api-?key|[\w-]{0,20}token|password|secret|key)[ =]{1,3}[\"']?|"
    r"\b(?:password|wandb login(?:\s--?[\w-]{1,20}(?:[= ]\S{1,60})?){0,2}|relogin)\s{1,3}|"
    r"\bconfig set -n (?:key|token) -v |"
    r"authorization\\{0,3}[\"']?\s{0,3}[:=]\s{0,3}\\{0,3}[\"']?(?:token|apikey|key|basic)?\s{0,2}|"
    r"\b(?:api|secret|access|auth)[ -](?:key|token)\b[^\n:=\"']{0,50}:\s|"
    r"(?:\b\w{0,20}Client(?:V2)?|\b(?:Mistral|Groq|OpenAI|Anthropic|Together)|[lL]ogin|set_(?:api_)?key)"
    r"\(\s{0,3}[\"']|"
    rf"(?:{NAMES})[\"']\s{{0,2}},\s{{0,3}}[\"']|(?:{NAMES})>)|"
    rf"(?:{NAMES})\\{{0,3}}[\"'\]]{{0,2}}\s{{0,3}}(?:[:=]|=>|<-)\s{{0,3}}\\{{0,3}}"
    r"(?P<quote>[\"'])?)\Z",
    re.IGNORECASE,
)
_GIVEN = re.compile(
    r"(?:[Bb]earer|[Pp]assword|login|[Tt]oken|key|Key|KEY|secret|\S)[\s=]{1,3}[\"']?\Z|\w\([\"']\Z|"
    r"[\"']\s{0,2},\s{0,3}[\"']\Z|\w>\Z"
)
_MOST_BEFORE = 80  # characters
_PLACEHOLDER = re.compile(
    r"x{4}|\*{3}|\.{3}|your|example|placeholder|change_?me|dummy|fake|sample|redacted|masked|"
    r"insert|replace|todo|foobar|here\b|_here|0{5}|12345|abcde|qwerty|deadbeef|my[_-]?(?:api|key|"
    r"secret|token)|test[_-]?(?:key|token|secret)|not[_-]a|(.)\1{5}",
    re.IGNORECASE,
)
_OF_LOGIN = re.compile(
    r"\bbasic\s{1,3}\Z|\bauth\\{0,3}[\"']?\s{0,3}[:=]\s{0,3}\\{0,3}[\"']?\Z", re.IGNORECASE
)
_DECODES = re.compile(r"base64|b64|atob|decode", re.IGNORECASE)
_SPLIT = re.compile(r"[\"'][ \t]{0,3}\+[ \t]{0,3}[\"']")  # between two pieces of one text
_OF_PASSWORDS = re.compile(
    r"[Pp][Aa][Ss][Ss]|[Pp][Ww][Dd]|SECRET|secret|\.login\(|[Aa]uth|docker login|redis-cli|mysql|"
    r"mariadb|:\d{2,5}:|\\x|--key|sudo|chpasswd|lftp|smbclient|FTP\(|unzip|7z|Private-Lines|stdin"
)
_LONG = re.compile(r"[A-Za-z0-9_+/=.:-]{16,}")  # what every key has within it
_DIGIT = re.compile(r"\d")
_EXPRESSION = re.compile(
    r"[()\[\]{}\\|<>]|^\$|://|^[A-Z_]+$|[*]{2}|^\d+$|^[\d:.,/-]+$|\.(?:py|csv|json)$"
)
_CASES = re.compile(r"[a-z]+|[A-Z]+|\d+")
_MIXED = re.compile(r"\d|[a-z][A-Z]")
_WORDS = re.compile(  # a name made of words and numbers: ``hist-gradient-boosting-v2``
    r"[a-z]{1,20}\d{0,3}(?:[-_.](?:[a-z]{1,20}\d{0,3}|\d{1,8}[a-z]?))+"
)
_TOLD = re.compile(  # in plain words
    r"\b(?:my|your|our|the)\s(?:(?:api|access|secret|wandb|kaggle|service|hub|auth)[\s_-]?){0,2}"
    r"(?:key|token|password|secret)\s(?:is|was)\s{0,2}:?\s{0,2}[\"'`]?\Z",
    re.IGNORECASE,
)
# What vendors print in their manuals, and the sample of jwt.io.
_PUBLISHED = ("SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c", "7MDENG/bPxRfiCY")
_KEY_LINE = re.compile(  # of a private key whose first line is not here
    r"^[ \t>|+\"']{0,8}(?P<value>[A-Za-z0-9+/]{64})(?:\\n|[\"',\\ \t])*$", re.MULTILINE
)
_CUT = re.compile(  # by whoever made an excerpt: too short to be known by its length
    rf"{EDGE}(?P<value>(?:sk-|hf_|gh[pousr]_|github_pat_|glpat-|AKIA|AIza|xox[abeoprs]-|gsk_|"
    rf"xai-|pplx-|eyJ)[\w.-]{{2,400}}|(?:(?<=key)|(?<=token)|(?<=secret)|(?<=password)|(?<=bearer))"
    rf"[\"']?(?:\s?[:=]\s?|\s)[\"']?[\w+/=.-]{{4,500}})(?= …(?:\n|\Z))",
    re.IGNORECASE,
)


def _bits(value: str) -> float:
    """Return the entropy of a text's characters, in bits per character."""
    counts = Counter(value).values()
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts)


def _is_random(value: str) -> bool:
    """Say whether a value looks drawn and not written: digits and letters, many different."""
    if re.fullmatch(r"[0-9a-fA-F]+", value):
        return bool(re.search(r"[a-fA-F]", value)) and _bits(value) >= MIN_HEX_BITS
    if len(re.findall(r"[_./-]", value)) > len(value) / 10:  # a name made of words, or a UUID
        return False
    runs = re.findall(r"[A-Za-z]+|\d+", value)
    is_mixed = re.search(r"\d", value) and re.search(r"[A-Za-z]", value)
    # A name made of words and a number changes between letters and digits once or twice, and
    # between small and capital letters twice a word.
    changes = len(runs) > len(value) / 8 or len(_CASES.findall(value)) > len(value) / 2
    return bool(is_mixed) and changes and _bits(value) >= MIN_BITS


def _is_secret(form: Form, value: str) -> bool:
    if form.kind == "private key":  # a heading alone, as in a check for one, is none
        return len(re.sub(r"\s", "", value)) > 100  # noqa: PLR2004 - of the smallest keys
    if _is_published(value):
        return False
    if "password" in form.kind:  # of a command, ids of users and groups look alike
        if value.lower() in {"password", "passwd", "secret"}:
            return False
        return "address" in form.kind or _is_password(form.kind, value)
    if "cookie" in form.kind or form.kind == "token in an address":
        return looks_drawn(value)
    tail = value[3:]
    is_name = bool(_WORDS.fullmatch(value)) or len(set(value)) < _VARIETY
    return not is_name and bool(_MIXED.search(tail)) and _bits(tail) >= MIN_HEX_BITS


def _is_password(kind: str, value: str) -> bool:
    """Say whether a text that stands for a password is one, and no name, pattern or expression."""
    if kind == "password of a command":
        return bool(_DIGIT.search(value)) and not _EXPRESSION.search(value)
    if kind == "password of a call" and looks_drawn(value):
        return True
    classes = sum(bool(re.search(one, value)) for one in ("[a-z]", "[A-Z]", r"\d", r"[^\w]"))
    is_mixed = bool(_DIGIT.search(value)) and classes >= len("Aa1")
    return is_mixed and not _EXPRESSION.search(value) and len(set(value)) >= _VARIETY - 2


def _is_published(value: str) -> bool:
    return bool(_PLACEHOLDER.search(value)) or any(known in value for known in _PUBLISHED)


def looks_drawn(value: str) -> bool:
    """Say whether a value that is no vendor's by its form is a key by its looks.

    Examples
    --------
    >>> looks_drawn("aB3dE5gH7jK9mN1p"), looks_drawn("model_fold_2_seed_42")
    (True, False)
    """
    return (
        bool(_DIGIT.search(value))
        and len(set(value)) >= _VARIETY
        and _is_random(value)
        and not _is_published(value)
    )


def _may_hold(text: str) -> bool:
    """Say whether a text can hold a secret at all; most lines of a log cannot."""
    if "-----BEGIN" in text or ("://" in text and "@" in text) or _OF_PASSWORDS.search(text):
        return True
    return any(_MIXED.search(text, *run.span()) for run in _LONG.finditer(text))


def secrets_in(text: str) -> list[Secret]:
    """Find the secrets of a text, in order; none lies within another.

    Placeholders (``sk-xxxx``, ``YOUR_KEY``) and the samples of vendors' manuals are none.

    Examples
    --------
    >>> [s.kind for s in secrets_in("export HF_TOKEN=hf_" + "aB3dE5gH7j" * 4)]
    ['Hugging Face token']
    >>> secrets_in("export OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxx")
    []
    """
    return _in_pieces(text) if _SPLIT.search(text) else _in_whole(text)


def _in_whole(text: str) -> list[Secret]:
    if not _may_hold(text):
        return []
    small = text.lower()
    found: list[Secret] = []
    for form in (FORMS[n] for n in sorted({n for hint, n in _HINTS if hint in small})):
        for match in form.pattern.finditer(text):
            group = match.lastgroup if match.lastgroup in {"value", "word"} else 0
            start, end = match.span(group)
            if _is_secret(form, match.group(group)):
                found.append(Secret(form.kind, start, end, form.is_certain))
    return list(_apart([*found, *_named(text), *_encoded(text)]))


def _in_pieces(text: str) -> list[Secret]:
    """Find secrets in code that puts them together from quoted pieces, ``"sk-" + "ab1…"``."""
    kept, starts, ends, at, size = [], [0], [0], 0, 0
    for gap in _SPLIT.finditer(text):
        kept.append(text[at : gap.start()])
        size += gap.start() - at
        starts.append(size)
        ends.append(gap.end())
        at = gap.end()
    found = _in_whole("".join([*kept, text[at:]]))

    def place(offset: int, *, is_end: bool) -> int:
        piece = (bisect_left if is_end else bisect_right)(starts, offset) - 1
        return ends[piece] + offset - starts[piece]

    return [
        one._replace(start=place(one.start, is_end=False), end=place(one.end, is_end=True))
        for one in found
    ]


def _encoded(text: str) -> Iterator[Secret]:
    """Yield stretches that say a key when they are decoded, or a login of a user."""
    for plain, start, end in readings(text):
        head = text[max(0, start - _MOST_BEFORE) : start]
        inner = next((s for s in _in_whole(plain) if s.is_certain), None)
        login = re.fullmatch(r"[\w.@+-]{1,60}:(\S{6,200})", plain)
        is_login = login is not None and _OF_LOGIN.search(head) and not _is_published(login[1])
        is_key = re.search(rf"(?:{NAMES}|login)\b", head, re.IGNORECASE) and _DECODES.search(text)
        if inner:
            yield Secret(inner.kind, start, end, is_certain=True)
        elif is_login:
            yield Secret("password in base64", start, end, is_certain=False)
        elif is_key and looks_drawn(plain):
            yield Secret("value named as a key", start, end, is_certain=False)


def _named(text: str) -> Iterator[Secret]:
    """Yield values that look drawn by lot and stand behind a name such as ``api_key``."""
    for match in _VALUE.finditer(text):
        value, start = match.group(), match.start()
        head = text[max(0, start - _MOST_BEFORE) : start]
        is_value = head.rstrip(" \t'\"\\").endswith((":", "=", "=>", "<-")) or _GIVEN.search(
            head[-20:]
        )
        is_told = _TOLD.search(head) is not None
        if not (is_value or is_told) or len(value) > _MAX_VALUE or not looks_drawn(value):
            continue
        if is_told:
            yield Secret("value named as a key", *match.span(), is_certain=False)
            continue
        before = _BEFORE.search(head)
        if before and (before["quote"] or before["bearer"] or before["given"] or "." not in value):
            kind = "bearer token" if before["bearer"] else "value named as a key"
            yield Secret(kind, *match.span(), is_certain=False)


def _apart(found: list[Secret]) -> Iterator[Secret]:
    """Yield those that do not overlap: the first in the table stays."""
    kept: list[Secret] = []
    taken = -1
    for one in sorted(found, key=lambda s: (s.start, not s.is_certain, -s.end)):
        if one.start >= taken:
            kept.append(one)
            taken = one.end
        elif one.end > taken:  # the rest of it is no less secret
            kept[-1] = kept[-1]._replace(end=one.end)
            taken = one.end
    yield from kept


class Marked(NamedTuple):
    """A text in which a label stands for each secret, and where the labels begin."""

    text: str
    labels: tuple[tuple[Secret, int], ...]


def marked(text: str) -> Marked:
    """Put a label in the place of every secret; lines stay where they were."""
    parts: list[str] = []
    labels: list[tuple[Secret, int]] = []
    at = size = 0
    for one in secrets_in(text):
        before = text[at : one.start]
        labels.append((one, size + len(before)))
        new = f"{before}[secret: {one.kind}]" + "\n" * text.count("\n", one.start, one.end)
        parts.append(new)
        at, size = one.end, size + len(new)
    return Marked("".join([*parts, text[at:]]), tuple(labels))


def masked(text: str) -> str:
    """Return a text with a label in the place of every secret; lines stay where they were.

    Also masked are lines that look like the middle of a private key, and keys that the making of
    an excerpt cut short, which `secrets_in` does not count as secrets.

    Examples
    --------
    >>> masked("key: hf_" + "aB3dE5gH7j" * 4)
    'key: [secret: Hugging Face token]'
    """
    text = _KEY_LINE.sub(_masked_line, marked(text).text)
    return _CUT.sub("[secret, cut off]", text) if " …" in text else text


def _masked_line(match: re.Match[str]) -> str:
    line, value = match.group(), match.group("value")
    is_key = all(re.search(kind, value) for kind in ("[a-z]", "[A-Z]", r"\d"))
    return line.replace(value, "[secret: line of a key]") if is_key else line


def mask_record(record: _T) -> _T:
    """Return a text, or a record or tuple of such, with every secret in it masked."""
    if isinstance(record, str):
        return masked(record)  # type: ignore[return-value]
    if isinstance(record, tuple):
        return tuple(mask_record(one) for one in record)  # type: ignore[return-value]
    if isinstance(record, BaseModel):
        changed = _changed(record, type(record).model_fields)
        return record.model_copy(update=changed) if changed else record
    if is_dataclass(record) and not isinstance(record, type):
        changed = _changed(record, [f.name for f in fields(record)])
        return replace(record, **changed) if changed else record
    return record


def _changed(record: object, names: Iterable[str]) -> dict[str, Any]:
    values = {name: getattr(record, name) for name in names}
    new = {name: mask_record(value) for name, value in values.items()}
    return {name: value for name, value in new.items() if value != values[name]}
