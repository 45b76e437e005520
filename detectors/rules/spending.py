"""What scaffolds' own accounts in logs tell of tokens and money that an attempt used."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from detectors.rules.accounts import are_running, cost_in, counted_in, is_account, shown_accounts
from detectors.rules.usage import Used, all_lines, own_lines
from detectors.trajectories.events import Event, EventKind, recognised

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from detectors.text_file import TextFile

LEAST = 6  # characters of words that tell whose a figure is
_ASKS_A_MODEL = re.compile(
    r"openai|anthropic|litellm|completions?\b|\busage\b|generativeai|chat\(", re.IGNORECASE
)
MAX_APART = 6  # lines of a document between the name of an account and its figures
_FLOAT = r"\d{1,9}(?:,\d{3})*(?:\.\d+)?(?:[eE][+-]?\d+)?"
_OF_RUN = r"(?:instance|accumulated|total|cumulative|overall|sum|running|so[_ ]far|session|run)"
_OF_MONEY = re.compile(r"cost|spen[dt]|usd|[$]|price|dollar|bill|charged|paid", re.IGNORECASE)
_TOTAL_COST = re.compile(
    rf"\"{_OF_RUN}_(?:\w+_)?(?:cost|spend|spent)(?:_usd|_so_far)?\"\s*:\s*\"?\$?(?P<value>{_FLOAT})|"
    rf"\b{_OF_RUN}_(?:\w+_)?(?:cost|spend|spent)_(?:usd|dollars)\s?[=:]\s?\$?(?P<said>{_FLOAT})|"
    rf"\b(?:accumulated_cost|instance_cost|cost_(?:usd_)?total(?:_usd)?|cost_so_far(?:_usd)?)\"?"
    rf"\s?[=:]\s?\$?(?P<kept>{_FLOAT})|\bspent\s?[=:]\s?(?P<spent>{_FLOAT})\b(?=[^\n]{{0,40}}\busd\b)"
)
_CALL_COST = re.compile(
    r"\"(?:cost|cost_usd|usd|response_cost|call_cost|step_cost|price_usd|llm_cost)\"\s*:\s*"
    rf"(?P<value>{_FLOAT})"
)
_OF_CALLS = re.compile(r"token|model|\bllm|\bapi\b|prompt|completion|usage", re.IGNORECASE)
_MONEY = (
    rf"(?:(?:US)?\$\s?(?P<value>{_FLOAT})|"
    rf"(?P<behind>{_FLOAT})\s?(?:(?:USD|dollars?)\b|(?:US)?\$(?!\d)))"
)
_COST_SAID = re.compile(
    r"\b(?:cost|costs|spend|spent|spending|billed|charged|paid|bill|billing|ausgegeben|\w*kosten)\b"
    r"(?P<between>[^$\d\n]{0,40})" + _MONEY,
    re.IGNORECASE,
)
_COST_BEHIND = re.compile(
    rf"(?:\$\s?(?P<value>{_FLOAT})|(?P<behind>{_FLOAT})\s?(?:USD|US\$))\s"
    r"(?:(?:was|were|have been|already) ){0,2}(?:spent|billed|charged|used)\b",
    re.IGNORECASE,
)
_COST_OF = re.compile(  # a sum beside what is allowed, or the last of a line on costs
    rf"\bcosts?\b[^$\d\n]{{0,10}}\$(?P<value>{_FLOAT}) ?(?:/|of|out of) ?\$\d|"
    rf"(?:\bcosts?\b[^\n]{{0,40}}\btotal\b\W{{1,3}}|\btokens\b\W{{1,4}})\$(?P<behind>{_FLOAT})",
    re.IGNORECASE,
)
_TOTAL_ALONE = re.compile(
    r"\b(?:total|sum|so far|spent)\b\W{1,3}(?:USD ?)?\$?(?P<value>\d{1,6}\.\d{1,4})\b",
    re.IGNORECASE,
)
_OF_RUN_BEHIND = re.compile(
    r"\b(?:budget|llm|api|agent|run|model|calls?|step|so far|attempt|total)\b", re.IGNORECASE
)
_COST_IN_UNIT = re.compile(
    r"\b(?:cost|costs|spend|spent)\b[^$\d\n]{0,20}\(?\bUSD\)?[^$\d\n]{0,6}"
    + f"(?:(?P<behind>(?!))|(?P<value>{_FLOAT}))",
    re.IGNORECASE,
)
_OF_ALL = re.compile(
    r"\b(?:total|cumulative|accumulated|overall|so far|to date|spent|billed|charged|budget|used|"
    r"llm|api|agent|run|session|final|bill|billing|harness|scaffold|runner|insgesamt|\w*kosten)\b",
    re.IGNORECASE,
)
_NO_ACCOUNT = re.compile(
    r"\b(?:limit(?:s|ed)?|allowed|at most|cap|max(?:imum)?|estimate[ds]?|would|could|expected|"
    r"per (?:day|1|million|token|call)|rides?|price of|sample|mean|average|house|"
    r"product|item|customer)\b",
    re.IGNORECASE,
)
_SENT = r"(?:prompt|input|in|sent)"
_RECEIVED = r"(?:completion|output|out|received)"
_KEY = re.compile(
    rf"[\"']?\b(?:num_|n_|llm_)?(?:(?P<sent>{_SENT}_tok(?:ens)?|tokens_(?:sent|in(?:put)?|prompt))|"
    rf"(?P<received>{_RECEIVED}_tok(?:ens)?|tokens_(?:received|out(?:put)?|completion))|"
    r"(?P<total>total_tokens(?:_used)?|tokens_(?:used|total)))[\"']?\s?[:=]\s?"
    r"(?P<value>\d[\d,]*)"
)
_KEY_SAID = re.compile(
    r"(?:^|[|;,] ?|(?<=[\]:] ))\s*(?:llm |total )?(?:"
    r"(?P<sent>(?:input|prompt|sent) tokens|tokens (?:in|sent|input))|"
    r"(?P<received>(?:output|completion|received) tokens|tokens (?:out|received|output))|"
    r"(?P<total>(?!)))"
    r"\s?[:=]\s{0,8}(?P<value>\d[\d,]*)",
    re.IGNORECASE,
)
_OF_TOTAL = re.compile(r"total|accumulated|cumulative|so[_ ]far|overall|\bsum\b|tokens_sent", re.I)
_UNIT = {"k": 1e3, "m": 1e6, "b": 1e9}
_TOKENS_SAID = re.compile(
    r"\b(?<!\d,)(?P<value>\d[\d,]*(?:\.\d+)?)\s?(?P<unit>[kKmM])?\s?"
    r"(?:(?:/|of) ?\d[\d,.]*[kKmM]? ?)?(?:llm |api |total )?tokens\b|"
    r"\btokens?(?:[ _](?:usage|used|spent|consumed|total|budget|so far|count))*\s?[:=]?\s"
    r"{0,3}(?:used )?(?P<behind>\d[\d,]*(?:\.\d+)?)\s?(?P<unit2>[kKmM])?\b",
    re.IGNORECASE,
)
_COUNT = r"\d[\d,]*(?:\.\d+)?"
_PAIR = re.compile(  # what went in and came out, in the words of a line on tokens
    rf"\b(?:in|input|prompt|sent)\b[=: ]{{1,3}}(?P<n>{_COUNT}) ?(?P<unit>[kKmM])?\b[^\d\n]{{0,12}}"
    rf"\b(?:out|output|completion|received)\b[=: ]{{1,3}}(?P<m>{_COUNT}) ?(?P<unit2>[kKmM])?\b",
    re.IGNORECASE,
)
_PAIR_BEHIND = re.compile(
    rf"(?<!\d)(?<!\d,)(?P<n>{_COUNT}) ?(?P<unit>[kKmM])? (?:in|input|prompt|sent)\b[^\d\n]{{1,12}}"
    rf"(?P<m>{_COUNT}) ?(?P<unit2>[kKmM])? (?:out|output|completion|received)\b",
    re.IGNORECASE,
)
_COUNTS = re.compile(r"token|_tok\b|\btok\b|\busage\b", re.IGNORECASE)
_BESIDE = re.compile(  # what is allowed, behind what was used
    r"\(?\b(?:limit|budget|cap|max(?:imum)?|of)\b\W{0,3}\d[\d,.]*[kKmM]?\)?|"
    r"(?<=\d) ?/ ?\d[\d,.]*[kKmM]?"
)
_SO_FAR = re.compile(r"so far|total|cumulative|accumulated|overall|\bsum\b", re.IGNORECASE)
_LEFT = re.compile(r"\s*(?:are |is )?(?:left|remain\w*|available|free|to go)\b", re.IGNORECASE)
_TOKEN_FIRST = re.compile(r"(?:^|[\]:] )\W{0,3}tokens?\b", re.IGNORECASE)
_TOKENS_OF_RUN = re.compile(
    r"\b(?:total|used|usage|consumed|spent|so far|cumulative|overall|llm|api)\b|"
    r"\[(?:scaffold|agent|budget|harness|runner|aide)\]",
    re.IGNORECASE,
)
_OF_TEXTS = re.compile(
    r"\b(?:corpus|vocab\w*|texts?|documents?|dataset|data|rows?|sequence|train(?:ed|ing)?|max|mean|"
    r"average|context|window|limit|per|tokenizer|allowed|of \d+ words|essays?|longest)\b",
    re.IGNORECASE,
)


class _Line(NamedTuple):
    """A line of a log, with what told that its figures are of the whole run."""

    event: Event
    is_total: bool


@dataclass
class _Sums:
    """The figures of one log: of single calls, and of the run so far."""

    calls: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    totals: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    last: Event | None = None

    def add(self, name: str, value: float, event: Event, *, is_total: bool) -> None:
        """Take a figure down."""
        self.last = event
        if is_total:
            self.totals[name] = max(self.totals[name], value)
        else:
            self.calls[name].append(value)

    def add_all(
        self, name: str, event: Event, found: Iterable[tuple[float, re.Match[str]]]
    ) -> None:
        """Take down the totals that an event's text tells."""
        for value, one in found:
            self.add(name, value, _cut(event, one), is_total=True)

    def of(self, name: str) -> float:
        """Return what was used: the last running total, or the sum of the calls."""
        calls = self.calls[name]
        is_total = are_running(*self.calls.values())
        return max(self.totals[name], (calls[-1] if is_total else sum(calls)) if calls else 0.0)


def cost_of(logs: Iterable[TextFile], code: str = "") -> Used | None:
    """Return the largest sum of money that a scaffold's own account in the logs tells, in USD.

    Parameters
    ----------
    code : str
        The attempt's own: what it prints is of its data.
    """
    prints = _prints(code)
    found = [used for log in logs for used in [_cost(log, prints)] if used is not None]
    return max(found, key=lambda used: used.value, default=None)


def _prints(code: str) -> str:
    """Return the code, in small letters, where what it prints is of its data: it asks no model."""
    return "" if _ASKS_A_MODEL.search(code) else code.lower()


def _is_printed(line: str, prints: str) -> bool:
    """Say whether the words before a figure stand in the code."""
    words = re.split(r"[$\d]", line, maxsplit=1)[0].strip().lower()
    return len(words) >= LEAST and words in prints


def _cost(log: TextFile, prints: str) -> Used | None:
    sums = _Sums()
    kind = recognised(log)
    is_known = kind not in {"plain-text", "json-document"}
    for event in own_lines(log):
        text = event.text
        if not _OF_MONEY.search(text):
            continue
        for one in _TOTAL_COST.finditer(text):
            told = next(v for v in one.groups() if v)
            sums.add("cost", _number(told), _cut(event, one), is_total=True)
        if is_known or _OF_CALLS.search(text):
            for one in _CALL_COST.finditer(text):
                sums.add("cost", _number(one["value"]), _cut(event, one), is_total=False)
        if kind == "plain-text" and not _is_printed(text, prints):
            sums.add_all("cost", event, _costs_said(text))
    for event in shown_accounts(log):
        sums.add_all("cost", event, chain(_costs_said(event.text), _totals_said(event.text)))
    listed = cost_in(log)
    if listed:
        sums.add("cost", listed, _first_line(log), is_total=True)
    most = sums.of("cost")
    return Used(most, sums.last) if most and sums.last else None


def _costs_said(text: str) -> Iterator[tuple[float, re.Match[str]]]:
    if "$" not in text and "usd" not in text.lower() and "dollar" not in text.lower():
        return
    behind = [one for one in _COST_BEHIND.finditer(text) if _OF_RUN_BEHIND.search(text)]
    forms = (_COST_SAID, _COST_IN_UNIT) if _OF_ALL.search(text) else ()
    said = [one for form in forms for one in form.finditer(text)]
    for one in (*said, *behind, *_COST_OF.finditer(text)):
        if not _NO_ACCOUNT.search(text[: one.end("value" if one["value"] else "behind")]):
            yield _number(one["value"] or one["behind"]), one  # a limit may stand behind


def _totals_said(text: str) -> Iterator[tuple[float, re.Match[str]]]:
    """Yield totals on lines of an account of money, where nothing else says what they are of."""
    for one in _TOTAL_ALONE.finditer(text):
        yield _number(one["value"]), one


def _first_line(log: TextFile) -> Event:
    return Event(EventKind.TEXT, log.text[:400], log.name, 1, 1)


def tokens_of(logs: Iterable[TextFile], code: str = "") -> Used | None:
    """Return the tokens of the log that tells of most.

    Running totals count by the largest of them; figures of single calls are added up.

    Parameters
    ----------
    code : str
        The attempt's own: what it prints is of its data.
    """
    prints = _prints(code)
    found = [used for log in logs for used in [_tokens(log, prints)] if used is not None]
    return max(found, key=lambda used: used.value, default=None)


def _tokens(log: TextFile, prints: str) -> Used | None:
    sums = _Sums()
    is_plain = recognised(log) == "plain-text"
    for line in _counting(log):
        text = line.event.text
        keys = list(_KEY.finditer(text))
        forms = (_PAIR, _PAIR_BEHIND) if not keys and not _OF_TEXTS.search(text) else ()
        pairs = [pair for form in forms for pair in form.finditer(text)]
        if forms and not pairs and is_plain and log.name != "run.log":
            keys = list(_KEY_SAID.finditer(text))
        for pair in pairs:
            is_total = line.is_total or _SO_FAR.search(text) is not None
            for kind, n, unit in (("sent", "n", "unit"), ("received", "m", "unit2")):
                value = _number(pair[n]) * _UNIT.get((pair[unit] or "").lower(), 1)
                sums.add(kind, value, _cut(line.event, pair), is_total=is_total)
        for one in keys:
            name = one.lastgroup and next(n for n in ("sent", "received", "total") if one[n])
            before = text[max(0, one.start() - 80) : one.start() + 14]
            before = before.replace("total_tokens", "") if name != "total" else before
            is_total = line.is_total or name == "total" or bool(_OF_TOTAL.search(before))
            value = _number(one["value"])
            sums.add(name or "total", value, _cut(line.event, one), is_total=is_total)
        if is_plain and not keys and not pairs:
            for value, one in _tokens_said(text):
                if not _is_printed(text, prints):
                    sums.add("total", value, _cut(line.event, one), is_total=True)
    listed = counted_in(log)
    if listed and sums.last is None:
        sums.last = _first_line(log)
    most = max(sums.of("sent") + sums.of("received"), sums.of("total"), listed)
    return Used(most, sums.last) if sums.last is not None and most else None


def _counting(log: TextFile) -> Iterator[_Line]:
    """Yield lines that tell of tokens; of a document, with the name of the account above them."""
    of_total = -1
    lines = all_lines(log) if is_account(log) else own_lines(log)
    for number, event in enumerate(chain(lines, shown_accounts(log))):
        text = event.text
        if len(text) < 200 and _OF_TOTAL.search(text.replace("total_tokens", "")):  # noqa: PLR2004 - a line of a document
            of_total = number + MAX_APART
        if _COUNTS.search(text):
            is_near = number <= of_total and len(text) < 200  # noqa: PLR2004
            yield _Line(event, is_near)


def _tokens_said(text: str) -> Iterator[tuple[float, re.Match[str]]]:
    alone = _BESIDE.sub("", text)
    is_of_run = _TOKENS_OF_RUN.search(text) or (alone != text and _TOKEN_FIRST.search(text))
    if not is_of_run or _OF_TEXTS.search(alone):
        return
    for one in _TOKENS_SAID.finditer(text):
        if _LEFT.match(text, one.end()):
            continue
        unit = (one["unit"] or one["unit2"] or "").lower()
        yield _number(one["value"] or one["behind"]) * _UNIT.get(unit, 1), one


def _number(text: str) -> float:
    return float(text.replace(",", "") or 0)


def _cut(event: Event, at: re.Match[str]) -> Event:
    """Keep of a long line what stands around a place."""
    return event._replace(text=event.text[max(0, at.start() - 60) : at.end() + 60])
