"""Calls of programs in any language but Python and the shell, with the texts that reach them.

No grammar of a language is known: names before brackets are calls, quoted texts are followed
through plain assignments, joined paths, and texts put together. Nothing is run.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from detectors.bounds import UNKNOWN
from detectors.other_tokens import Token, tokens

MAX_DEPTH = 60  # brackets within brackets
MAX_VALUES = 200  # texts of one call
MAX_PROGRAM = 1 << 20  # characters
MAX_NAME = 400  # characters of a call's name that are kept, from its end: chains of calls grow
ASSIGNED = "="  # name of what is no call: a name is set to texts

_OPENS = {"(": ")", "[": "]", "{": "}"}
_SETS = frozenset({"=", "<-", "<<-", ":=", "+="})
_JOINS = frozenset({"+", ".", "..", "*", "&", "||", "%"})
_PIPES = frozenset({"|>", "%>%"})
_GOES_ON = frozenset({".", "|>", "%>%", "->", "+", "||", "?", "..", "::", "&&"})
_DEFINES = frozenset({"function", "def", "sub", "func", "fn", "fun", "macro"})
_PATHS = re.compile(
    r"(?:^|\.)(?:file\.path|joinpath|join|Join|resolve|path|path_join|fullfile|catfile)$"
)
_PASTES = re.compile(
    r"(?:^|\.)(?:paste0?|string|strcat|concat|concatenate|str_c|glue|sprintf|Sprintf|format|stringf)$"
)
_HOLDS = re.compile(
    r"(?:^|\.)(?:c|list|Dict|dict|Map|vec|array|tuple|tibble|data\.frame|stringify|toJSON|json|"
    r"generate|encode|to_json|encode_json|Marshal|JSON|collect|body_json|HashMap|Pair|quote|"
    r"add_headers|Vector|vector|Array|as\.list|List\.of|Map\.of)$"
)
_BY_WORD = frozenset(  # that take what follows without brackets
    re.findall(
        r"\w+",
        """open opendir unlink rename system exec require do use load copy move mkdir attach from
        join getline qx""",
    )
)
_NO_CALL = frozenset(
    re.findall(
        r"\w+",
        """function return in case throw and or not if else elsif elseif when is eq ne lt gt cmp x
        import export default as typeof yield await new like ilike while until for foreach switch
        match die unless where select set values const let var my our local val mut end then""",
    )
)
_CLAUSES = frozenset(
    {"where", "group", "order", "limit", "join", "having", "union", "on", "select"}
)
_NAMES_DATA = frozenset({"data", "library", "require", "dataset"})
_INTERPOLATED = re.compile(r"[#$]\{(\w+)\}|\$\((\w+)\)|\$(\w+)|(?<![\w{])\{(\w+)\}")
_WORDY = frozenset({"pl", "pm", "rb", "lua", "sql", "php", "awk"})


class OtherCall(NamedTuple):
    """One call.

    Parameters
    ----------
    name : str
        With dots between its parts, whatever the language has; `ASSIGNED` where a name is set.
    strings : tuple of str
        Texts that reach it, those it was sent by a pipe or called on first.
    keys : frozenset of str
        Names its arguments are given by, also within lists and objects.
    """

    name: str
    strings: tuple[str, ...]
    first_line: int
    last_line: int
    keys: frozenset[str] = frozenset()


class _Value(NamedTuple):
    """Of an expression: the texts it may be, all texts in it, and the keys in it."""

    texts: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    keys: frozenset[str] = frozenset()


def other_calls(text: str, suffix: str) -> tuple[OtherCall, ...]:
    r"""List the calls of a program in the order in which they end.

    Parameters
    ----------
    suffix : str
        Of its file, which tells the language: see `detectors.other_tokens.suffix_of`.

    Examples
    --------
    >>> code = 'd <- file.path("..", "x")\nread.csv(paste0(d, "/a.csv"))'
    >>> [(c.name, c.strings) for c in other_calls(code, "R")][-1]
    ('read.csv', ('../x/a.csv',))
    """
    return _read(text[:MAX_PROGRAM], suffix)


@lru_cache(maxsize=16)
def _read(text: str, suffix: str) -> tuple[OtherCall, ...]:
    reader = _Reader(tokens(text, suffix), suffix)
    while reader.at < len(reader.tokens):
        reader.expression("")
        reader.at += 1
    return tuple(reader.found)


class _Reader:
    """Goes through the tokens once."""

    def __init__(self, found: list[Token], suffix: str) -> None:
        self.tokens = found
        self.suffix = suffix
        self.at = 0
        self.depth = 0
        self.known: dict[str, tuple[str, ...]] = {}
        self.found: list[OtherCall] = []

    def peek(self, ahead: int = 0) -> Token:
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else Token("end", "\n", 0)

    def arguments(self, closer: str, *, binds: bool = True) -> list[_Value]:
        """Read up to the closing bracket, or for a word's own arguments to the line's end."""
        values: list[_Value] = []
        self.depth += 1
        while self.at < len(self.tokens) and len(values) <= MAX_VALUES:
            values.append(self.expression(closer, binds=binds))
            token = self.peek()
            if token.text == closer or (not closer and token.text != ","):
                break
            self.at += 1
        self.depth -= 1
        return values

    def ends(self, token: Token, closer: str, *, is_whole: bool) -> bool:
        """Say whether an expression ends before a token."""
        if not closer and self.suffix == "sql" and is_whole and token.text.lower() in _CLAUSES:
            return True
        if token.kind == "end":
            if closer in {")", "]"} or not is_whole:
                return False
            after = next((t for t in self.tokens[self.at : self.at + 4] if t.kind != "end"), token)
            return not (after.kind == "sign" and after.text in _GOES_ON)
        return token.kind == "sign" and token.text in {",", ";", ")", "]", "}"}

    def expression(self, closer: str, *, binds: bool = True) -> _Value:
        """Read one expression; what it is assigned to is bound."""
        terms: list[_Value] = []
        signs: list[str] = []
        name, key, piped = "", "", ()  # type: str, str, tuple[str, ...]
        keys: set[str] = set()
        chain, is_choice, first = "", False, self.peek().line
        while self.at < len(self.tokens):
            token = self.peek()
            if self.ends(token, closer, is_whole=bool(terms) and not (signs and signs[-1])):
                break
            self.at += 1
            if token.kind == "end":
                continue
            sets = token.text in _SETS or token.text in {"in", "of"}
            is_key = token.text in {"=>", ":"} and not is_choice
            if token.kind in {"sign", "name"} and (sets or is_key) and terms:
                key, terms, signs = name, [], []
                keys |= {key} if key else set()
                continue
            if token.kind == "sign" and token.text in _PIPES:
                piped, terms, signs = _folded(terms, signs).texts, [], [token.text]
                continue
            if token.kind == "sign" and token.text not in _OPENS:
                is_choice = is_choice or token.text == "?"
                signs.append(token.text)
                continue
            value, name, chain = self.term(
                token, (*piped,), chain if signs[-1:] else "", signs, terms
            )
            piped = piped if token.kind == "end" else ()
            terms.append(value)
        whole = _folded(terms, signs)
        if binds:
            self.bind(key, whole, first)
        if closer == "}" and not key and name and len(terms) == 1:
            keys |= {name}  # JavaScript's {model, messages}
        return whole._replace(keys=whole.keys | keys)

    def bind(self, key: str, value: _Value, line: int) -> None:
        name = key.lstrip("$@").rpartition(".")[2]
        texts = value.texts or value.within
        if not name or not re.match(r"[A-Za-z_]\w*$", name):
            return
        if texts:
            self.known[name] = texts[:MAX_VALUES]
            self.found.append(
                OtherCall(ASSIGNED, texts[:MAX_VALUES], line, line, frozenset({name}))
            )
        else:
            self.known.pop(name, None)

    def term(
        self,
        token: Token,
        piped: tuple[str, ...],
        chain: str,
        signs: list[str],
        terms: list[_Value],
    ) -> tuple[_Value, str, str]:
        """Read one operand: its value, the name it has, and the call that a method may follow."""
        if token.kind == "text":
            said = self.filled(token.text)
            signs.append("") if terms and not signs[-1:] else None
            return _Value((said,), (said,)), token.text, ""
        if token.kind == "run":
            said = self.filled(token.text)
            self.found.append(OtherCall("system", (said,), token.line, token.line))
            return _Value((), (said,)), "", ""
        if token.kind == "name":
            is_method = bool(terms) and signs[-1:] in (["."], ["->"], ["::"])
            return self.named(
                token, piped, chain if is_method else "", terms if is_method else [], signs
            )
        if token.text in _OPENS and self.depth < MAX_DEPTH:
            inside = self.arguments(_OPENS[token.text])
            self.at += 1
            alone = inside[0].texts if len(inside) == 1 and token.text == "(" else ()
            return _all(inside)._replace(texts=alone), "", ""
        return _Value(), "", ""

    def named(
        self,
        token: Token,
        piped: tuple[str, ...],
        chain: str,
        receiver: list[_Value],
        signs: list[str],
    ) -> tuple[_Value, str, str]:
        before = self.tokens[self.at - 2].text if self.at > 1 else ""
        name = re.sub(r"::|->|\?\.|\$(?=\w)", ".", token.text.lstrip("$@")).rstrip("!?")
        word = name.lower()
        is_call = self.peek().text == "(" and self.peek().kind == "sign" and word not in _NO_CALL
        if not (is_call or self.is_by_word(word)) or self.depth >= MAX_DEPTH:
            signs.append("") if len(signs) > 0 and not signs[-1] else None
            held = self.known.get(name) or self.known.get(name.rpartition(".")[2], ())
            return _Value(held, held), token.text, name
        self.at += 1 if is_call else 0
        bare = self.bare(word)
        inside = self.arguments(")" if is_call else "", binds=before in _DEFINES)
        self.at += 1 if is_call else 0
        if before in _DEFINES:
            return _Value(), "", ""
        called = _all(inside)
        full = f"{chain}.{name}"[-MAX_NAME:] if chain else name
        on = receiver[-1].texts if receiver else ()
        owner = self.known.get(name.rpartition(".")[0].rpartition(".")[2], ())
        sent = (*piped, *on, *owner)
        folded = _joined(full, receiver, inside) or _made(full, sent, inside)
        if receiver:
            receiver.pop()
            signs.pop()
        if not _is_made(full):
            last = self.tokens[min(self.at, len(self.tokens)) - 1].line
            strings = (*sent, *bare, *called.within)[:MAX_VALUES]
            self.found.append(OtherCall(full, strings, token.line, last, called.keys))
        return folded, "", full

    def is_by_word(self, word: str) -> bool:
        """Say whether a word takes what follows without brackets."""
        kind = self.peek().kind
        takes = kind == "text" or (word in _BY_WORD and kind == "name")
        return self.suffix in _WORDY and word not in _NO_CALL and takes

    def bare(self, word: str) -> tuple[str, ...]:
        """Return the name that ``data(NAME)`` is given without quotes."""
        following = self.peek()
        return (following.text,) if word in _NAMES_DATA and following.kind == "name" else ()

    def filled(self, text: str) -> str:
        """Put into a text what is known of the names in it."""
        if self.suffix == "R" and "{" not in text:
            return text

        def held(match: re.Match[str]) -> str:
            name = next(g for g in match.groups() if g)
            values = self.known.get(name, ())
            return values[0] if len(values) == 1 else match.group()

        return _INTERPOLATED.sub(held, text)[:4000] if "$" in text or "{" in text else text


def _is_made(name: str) -> bool:
    """Say whether a call only makes a text or a list of what it is given."""
    return bool(_PASTES.search(name) or _HOLDS.search(name) or _is_path(name))


def _is_path(name: str) -> bool:
    return (
        bool(_PATHS.search(name))
        and not name.endswith((".get", "HTTP.get"))
        and name not in {"get", "join.get"}
    )


def _made(name: str, sent: tuple[str, ...], inside: list[_Value]) -> _Value:
    """Return what a call gives back, as far as texts go."""
    whole = _all(inside)
    parts = [*((s,) for s in sent), *(v.texts for v in inside)]
    if _is_path(name):
        made = "/".join((p[0] if len(p) == 1 else UNKNOWN) for p in parts if p or len(parts) > 1)
        return _Value((made,), (made,)) if whole.within or sent else _Value()
    if _PASTES.search(name):
        return _pasted(name, parts, whole)
    if _HOLDS.search(name):
        return whole._replace(texts=whole.within if "=" not in name else ())
    alone = [v for v in inside if v.texts]
    if len(alone) == 1 and len(inside) == 1 and not sent and len(alone[0].texts) == 1:
        return _Value(alone[0].texts, alone[0].texts)
    return _Value()


def _joined(name: str, receiver: list[_Value], inside: list[_Value]) -> _Value | None:
    """Return the text of a list whose parts a method joins: ``["a", "b"].join("")``."""
    if not name.endswith("join") or len(inside) != 1 or not receiver or receiver[-1].texts:
        return None
    parts, between = receiver[-1].within, inside[0].texts
    return _Value((between[0].join(parts),), parts) if parts and len(between) == 1 else None


def _pasted(name: str, parts: list[tuple[str, ...]], whole: _Value) -> _Value:
    words = [p[0] if len(p) == 1 else UNKNOWN for p in parts]
    if not whole.within:
        return _Value()
    if "%" in words[0] and len(words) > 1:
        made = words[0]
        for word in words[1:]:
            made = re.sub(r"%[\w.]", lambda _m, w=word: w, made, count=1)  # type: ignore[misc]
    elif name.endswith("paste"):
        separator = words.pop() if "sep" in whole.keys else " "
        made = separator.join(words)
    else:
        made = "".join(words)
    return _Value((made,), (made,))


def _all(values: list[_Value]) -> _Value:
    within = tuple(s for v in values for s in (v.texts or v.within))[:MAX_VALUES]
    return _Value((), within, frozenset().union(*(v.keys for v in values)))


def _folded(terms: list[_Value], signs: list[str]) -> _Value:
    """Put the operands of one expression together."""
    if len(terms) == 1:
        return terms[0]
    whole = _all(terms)
    used = {s for s in signs if s}
    is_path = used == {"/"}
    if not terms or not used or not (used <= _JOINS or is_path) or not any(t.texts for t in terms):
        return whole
    made = ("/" if is_path else "").join(
        t.texts[0] if len(t.texts) == 1 else UNKNOWN for t in terms
    )
    return whole._replace(texts=(made,))
