"""Accounts of tokens and money that stand in files of their own, or that a command shows."""

from __future__ import annotations

import csv
import json
import re
from itertools import islice, pairwise
from typing import TYPE_CHECKING, NamedTuple

from detectors.rules.usage import READS_FILES
from detectors.trajectories.commands import whole
from detectors.trajectories.events import Event, EventKind, events, recognised
from detectors.trajectories.zip_members import members, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from detectors.text_file import TextFile

MAX_TEXT = 4 << 20  # characters of a file that is read as an account
MAX_PIECES = 64  # of the head of an archive
MAX_DEPTH = 12
_ACCOUNT = re.compile(
    r"(?:^|[/_.-])\w*(?:usage|tokens?|costs?|spend\w*|billing|ledger|meter|tracker|metrics|stats|"
    r"llm|calls?|budget)\w*(?=[_.-]|$)",
    re.IGNORECASE,
)
_SHOWN = re.compile(  # a file that a command shows
    r"(?:^|[\s/'\"=])\.?[\w.-]*(?:usage|costs?|spend\w*|billing|ledger|token|budget|meter)[\w-]*"
    r"(?:\.(?:log|txt|json|jsonl|csv|ya?ml|out))?(?=[\s'\";|&)]|$)",
    re.IGNORECASE,
)
_OF_SCAFFOLD = re.compile(
    r"(?:^|[\s/'\"=])(?:scaffold|harness|runner)[\w-]*\.(?:log|txt)(?=[\s'\";|&)]|$)", re.IGNORECASE
)
_OF_MONEY = re.compile(r"\bcosts?\b|\bspen[dt]\b|[$]|\busd\b", re.IGNORECASE)
_OF_DATA = re.compile(
    r"corpus|\bdata\b|train|\btest|vocab|tokeni[sz]|eda\b|texts?\b|essay|sample|input|descri",
    re.IGNORECASE,
)
_WORD = re.compile(r"token|usage", re.IGNORECASE)
_TOTAL = re.compile(r"total|accumulated|cumulative|overall|\bsum\b|all$|so_far", re.IGNORECASE)
_PER_CALL = re.compile(r"limit|max|budget|price|per_|context|window|remaining", re.IGNORECASE)
_SENT = frozenset(
    {"prompt", "input", "in", "sent", "prompt_tokens", "input_tokens", "tokens_in", "tokens_sent",
     "prompttokens", "inputtokens", "n_prompt", "tokens_prompt", "prompt_token_count", "in_tokens"}
)  # fmt: skip
_GOT = frozenset(
    {"completion", "output", "out", "received", "completion_tokens", "output_tokens", "tokens_out",
     "tokens_received", "completiontokens", "outputtokens", "n_completion", "tokens_completion",
     "candidates_token_count", "out_tokens"}
)  # fmt: skip
_BARE = frozenset({"prompt", "input", "in", "sent", "completion", "output", "out", "received"})
_COSTS = frozenset({"cost", "cost_usd", "usd", "price_usd", "response_cost", "call_cost"})


class Counted(NamedTuple):
    """What one place of an account tells: tokens sent and received, and whether of all calls."""

    sent: float
    received: float
    is_total: bool


def shown_accounts(log: TextFile) -> Iterator[Event]:
    """Yield, line by line, what commands show of files that by their names are accounts."""
    for raw in events([log]):
        if raw.kind is not EventKind.COMMAND or not READS_FILES.match(raw.text):
            continue
        event = whole(raw)
        is_scaffolds = _OF_SCAFFOLD.search(event.text) is not None
        is_account = is_scaffolds or _SHOWN.search(event.text)
        if "\n" in event.text.strip() or not is_account or _OF_DATA.search(event.text):
            continue
        for line in event.output.split("\n"):
            if not is_scaffolds or _OF_MONEY.search(line):
                yield event._replace(text=line, output="")


def counted_in(log: TextFile) -> float:
    """Return the tokens that a file tells which is an account by its name; 0 where it is none.

    Counts of all calls stand against the sum of the others, and the larger one counts.
    """
    if not is_account(log) and recognised(log) != "inspect-eval":
        return 0.0
    found = [one for part in _documents(log) for one in _counted(part, (log.name,))]
    total = max((one.sent + one.received for one in found if one.is_total), default=0.0)
    calls = [one for one in found if not one.is_total]
    return max(total, _sum([c.sent for c in calls], [c.received for c in calls]))


def cost_in(log: TextFile) -> float:
    """Return the sum of a table's column of costs, in USD, of a file that is an account."""
    if not is_account(log) or not log.name.endswith((".csv", ".tsv")):
        return 0.0
    rows = list(_rows(log))
    values = [_figure(row[k]) for row in rows for k in row if k.lower() in _COSTS]
    return values[-1] if are_running(values) else sum(values)


def is_account(log: TextFile) -> bool:
    """Say whether a file is an account of the scaffold by its name and its form."""
    name = log.name.rpartition("/")[2]
    return (
        recognised(log) in {"plain-text", "json-document"}
        and _ACCOUNT.search(name) is not None
        and _OF_DATA.search(name) is None
        and name.endswith((".json", ".jsonl", ".csv", ".tsv", ".ndjson", ".yaml", ".yml"))
    )


def are_running(*kinds: list[float]) -> bool:
    """Say whether figures are totals so far: all kinds rise, one by about as much as at first.

    A conversation makes the prompts of single calls rise, too, but by little each time.

    Examples
    --------
    >>> are_running([4000, 8100, 12500], [300, 500, 900])
    True
    >>> are_running([4000, 4700, 5400], [300, 310, 320]), are_running([2000, 4000], [90, 80])
    (False, False)
    """
    told = [values for values in kinds if values]
    if not told or any(len(v) < 2 or any(b <= a for a, b in pairwise(v)) for v in told):  # noqa: PLR2004
        return False
    return any((v[-1] - v[0]) / (len(v) - 1) >= v[0] / 3 for v in told)


def _sum(sent: list[float], received: list[float]) -> float:
    """Add up single calls; of totals so far the last ones count."""
    if are_running(*(kind for kind in (sent, received) if any(kind))):
        return (sent[-1] if sent else 0.0) + (received[-1] if received else 0.0)
    return sum(sent) + sum(received)


def _documents(log: TextFile) -> Iterator[object]:
    if log.name.endswith((".csv", ".tsv")):
        yield from _rows(log)
        return
    if recognised(log) == "inspect-eval":
        yield _parsed(stats_of_archive(log))
        return
    text = log.text[:MAX_TEXT]
    whole_text = _parsed(text)
    if whole_text is not None:
        yield whole_text
        return
    lines = (_parsed(line) for line in text.split("\n") if line.startswith("{"))
    yield from (line for line in lines if line is not None)


def stats_of_archive(log: TextFile) -> str:
    """Return the JSON of what Inspect counts of an evaluation's models, empty where it is none."""
    if recognised(log) != "inspect-eval" or log.source is None:
        return ""
    for member in members(log.source):
        if member.name == "header.json":
            pieces = islice(text_of(log.source, member), MAX_PIECES)
            header = _parsed("".join(pieces))
            stats = header.get("stats") if isinstance(header, dict) else None
            return json.dumps(stats) if isinstance(stats, dict) else ""
    return ""


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _rows(log: TextFile) -> Iterator[Mapping[str, str]]:
    lines = log.text[:MAX_TEXT].split("\n")
    try:
        for row in csv.DictReader(lines, delimiter="\t" if log.name.endswith(".tsv") else ","):
            yield {k: v for k, v in row.items() if isinstance(k, str) and isinstance(v, str)}
    except csv.Error:
        return


def _counted(part: object, above: tuple[str, ...]) -> Iterator[Counted]:
    if len(above) > MAX_DEPTH:
        return
    if isinstance(part, list):
        for one in part:
            yield from _counted(one, (*above, ""))
    if not isinstance(part, dict):
        return
    sent, received = _of_keys(part, _SENT, above), _of_keys(part, _GOT, above)
    if sent or received:
        yield Counted(sent, received, any(_TOTAL.search(key) for key in above[1:]))
        return
    for key, value in part.items():
        if not _PER_CALL.search(str(key)):
            yield from _counted(value, (*above, str(key)))


def _of_keys(part: dict[object, object], keys: frozenset[str], above: tuple[str, ...]) -> float:
    is_told = any(_WORD.search(key) for key in above)
    for key, value in part.items():
        name = str(key).lower().replace(" ", "_")
        if name in keys and (name not in _BARE or is_told):
            return _figure(value)
    return 0.0


def _figure(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return 0.0
    try:
        return max(0.0, float(value))
    except ValueError:
        return 0.0
