"""Who seems to have copied what: pairs ranked by evidence, connected groups, the heat map's grid.

A pair is a file or attempt under audit and one source. Groups are joined over verified pairs only:
those that a detector proved and that a finding above a note speaks of.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from reports.copy_words import percent
from reports.schema import (
    CopiedPassages,
    Provenance,
    Severity,
    SharedMarks,
    SubmissionMix,
)
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reports.overview import Overview
    from reports.schema import Finding, Ingredient

Copied: TypeAlias = CopiedPassages | SubmissionMix | SharedMarks

MAX_GRID: Final = (200, 60)  # rows and columns of the heat map; the strongest are kept
_NEVER = 2.0  # sorts what has no p behind all that have one


class Node(NamedTuple):
    """An attempt, a file of it, or a source."""

    key: str
    label: str
    subject: str | None = None  # the audited subject that it is, where it is one


@dataclass(frozen=True)
class Pair:
    """All that was seen between one copy and one source."""

    copy: Node
    source: Node
    provenance: Provenance
    findings: tuple[Finding, ...]  # the gravest first
    passages: tuple[CopiedPassages, ...] = ()
    marks: tuple[SharedMarks, ...] = ()
    mixes: tuple[tuple[SubmissionMix, Ingredient], ...] = ()

    @property
    def is_verified(self) -> bool:
        """Whether a finding above a note speaks of it."""
        return self.findings[0].severity > Severity.NOTE

    def best(self, channel: str) -> CopiedPassages | None:
        """Give the strongest passages of one channel."""
        found = [p for p in self.passages if p.channel == channel]
        return max(found, key=lambda p: (p.share_of_source, p.longest_run), default=None)

    @cached_property
    def strongest(self) -> CopiedPassages | None:
        """The passages whose figures stand for the pair: of the gravest finding, code first."""
        channels = [c for c in ("code", "prose") if self.best(c)]
        return self.best(max(channels, key=self._weight)) if channels else None

    def _weight(self, channel: str) -> tuple[int, int]:
        """Give severity and confidence of the gravest finding that tells of a channel."""
        own = {id(passages) for passages in self.passages if passages.channel == channel}
        return max(
            (f.severity.rank, f.confidence.rank)
            for f in self.findings
            if not own.isdisjoint(map(id, f.evidence))
        )

    @property
    def share(self) -> float | None:
        """Share copied: of the source's text, or of the submission; None for marks alone."""
        if self.strongest:
            return self.strongest.share_of_source
        return max((mix_share(*mixed) for mixed in self.mixes), default=None)

    @property
    def p(self) -> float | None:
        """The p of the passages that stand for the pair; without any, the smallest of its mixes."""
        return min((e.p for e in self._tested if e.p is not None), default=None)

    @property
    def q(self) -> float | None:
        """The q that belongs to `p`."""
        return min((e.q for e in self._tested if e.q is not None), default=None)

    @property
    def _tested(self) -> tuple[CopiedPassages | SubmissionMix, ...]:
        """What the share and the longest run are told of: no other's p may stand beside them."""
        return (self.strongest,) if self.strongest else tuple(m for m, _ in self.mixes)

    @property
    def rank(self) -> tuple[float, ...]:
        """Sort key: severity, confidence, q, p, share, longest run."""
        first = self.findings[0]
        q, p, share = self.q, self.p, self.share
        return (
            -first.severity.rank,
            -first.confidence.rank,
            _NEVER if q is None else q,
            _NEVER if p is None else p,
            -(share or 0),
            -(self.strongest.longest_run if self.strongest else 0),
        )


@dataclass(frozen=True)
class Group:
    """Copies and sources that verified pairs connect, the strongest pair first."""

    pairs: tuple[Pair, ...]

    @cached_property
    def copies(self) -> tuple[Node, ...]:
        """What copies in this group."""
        return tuple(dict.fromkeys(p.copy for p in self.pairs))

    @cached_property
    def sources(self) -> tuple[Node, ...]:
        """What is copied from in this group."""
        return tuple(dict.fromkeys(p.source for p in self.pairs))


@dataclass(frozen=True)
class Grid:
    """Copies against sources; the longer side goes down the page."""

    rows: tuple[Node, ...]
    columns: tuple[Node, ...]
    cells: dict[tuple[str, str], Pair]  # by key of row and column
    rows_are_sources: bool
    n_left_out: int  # copies and sources that the grid has no room for


class Copies:
    """The pairs of one document, from its evidence alone."""

    def __init__(self, over: Overview) -> None:
        self._over = over
        self._nodes: dict[str, Node] = {}
        self._labels: set[str] = set()

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """All pairs, the strongest first."""
        found: dict[tuple[str, str], list[_Seen]] = defaultdict(list)
        for seen in self._seen():
            found[seen.copy.key, seen.source.key].append(seen)
        pairs = (_pair(seen) for seen in found.values())
        return tuple(sorted(pairs, key=lambda p: (p.rank, p.copy.key, p.source.key)))

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """Connected groups over verified pairs, the one with the strongest pair first."""
        verified = [p for p in self.pairs if p.is_verified]
        beside: dict[str, list[int]] = defaultdict(list)
        for i, pair in enumerate(verified):
            beside[pair.copy.key].append(i)
            beside[pair.source.key].append(i)
        done: set[int] = set()
        groups = []
        for i in range(len(verified)):
            if i not in done:
                members = _reached(i, verified, beside)
                done |= members
                groups.append(Group(tuple(verified[m] for m in sorted(members))))
        return tuple(groups)

    @cached_property
    def grid(self) -> Grid | None:
        """The heat map's rows, columns and cells; None where there is but one of either."""
        measured = [p for p in self._by_group if p.share is not None or p.marks]
        copies = tuple(dict.fromkeys(p.copy for p in measured))
        sources = tuple(dict.fromkeys(p.source for p in measured))
        if min(len(copies), len(sources)) < 2:  # noqa: PLR2004 - one line of cells is the table
            return None
        down = len(sources) >= len(copies)
        rows, columns = (sources, copies) if down else (copies, sources)
        shown = rows[: MAX_GRID[0]], columns[: MAX_GRID[1]]
        left_out = len(rows) + len(columns) - len(shown[0]) - len(shown[1])
        cells = {
            ((p.source.key, p.copy.key) if down else (p.copy.key, p.source.key)): p
            for p in measured
        }
        return Grid(*shown, cells, down, left_out)

    @property
    def _by_group(self) -> Iterator[Pair]:
        """Give connected pairs together, so that they stand together in the grid."""
        verified = [p for group in self.groups for p in group.pairs]
        yield from verified
        yield from (p for p in self.pairs if not p.is_verified)

    @cached_property
    def _titles(self) -> dict[str, str]:
        """Attempts by id: agent and seed where these tell them apart, else the whole title."""
        attempts = self._over.attempts
        short = {
            a.subject.id: a.agent if a.subject.seed is None else f"{a.agent}, seed {a.subject.seed}"
            for a in attempts
        }
        if len({a.task for a in attempts}) == 1 and len(set(short.values())) == len(attempts):
            return short
        return {a.subject.id: a.subject.title for a in attempts}

    def _evidence(self) -> Iterator[tuple[Finding, Copied]]:
        for finding in self._over.report.findings:
            for evidence in finding.evidence:
                if isinstance(evidence, CopiedPassages | SubmissionMix | SharedMarks):
                    yield finding, evidence

    def _seen(self) -> Iterator[_Seen]:
        for finding, e in self._evidence():
            copy = self._copy(finding, e.path)
            if isinstance(e, SubmissionMix):
                for i in e.ingredients:
                    source = self._source(finding, i.source, i.provenance)
                    yield _Seen(finding, copy, source, i.provenance, e, i)
            else:
                source = self._source(finding, e.source, e.provenance)
                yield _Seen(finding, copy, source, e.provenance, e)

    def _copy(self, finding: Finding, path: str) -> Node:
        """Name what copies: the attempt; its file where there is but one attempt."""
        subject = self._attempt_in(finding, path) or finding.subject
        if len(self._over.attempts) > 1:
            return self._node(subject, self._titles.get(subject, subject), subject)
        return self._node(f"file:{path}", path, subject)

    def _source(self, finding: Finding, source: str, provenance: Provenance) -> Node:
        """Name a source: another attempt, or a document with what it is called and by whom."""
        if attempt := self._attempt_in(finding, source):
            return self._node(attempt, self._titles.get(attempt, attempt), attempt)
        key = f"source:{source}"
        if key not in self._nodes:
            by = f" ({provenance.author})" if provenance.author else ""
            label = f"{provenance.title or source}{by}"
            if label in self._labels:  # many notebooks are called "Getting started"
                label = f"{re.split('[/!]', source)[-1]}: {label}"
            self._labels.add(label)
            self._node(key, label)
        return self._nodes[key]

    def _node(self, key: str, label: str, subject: str | None = None) -> Node:
        """Give one node for one key, whatever its evidence calls it."""
        return self._nodes.setdefault(key, Node(key, label, subject))

    def _attempt_in(self, finding: Finding, path: str) -> str | None:
        """Give the attempt that a path of a finding about a group begins with."""
        begun = path.partition("/")[0]
        if begun in finding.attempts or (begun != path and begun in self._titles):
            return begun
        return None


def shared(pair: Pair) -> str:
    """Say in a few words what a pair shares.

    Examples
    --------
    >>> pair = Pair(Node("a", "a"), Node("b", "b"), Provenance(), ())
    >>> shared(pair)
    ''
    """
    first = pair.strongest
    parts: list[str] = [first.channel] if first else []
    others = (p for c in ("code", "prose") if (p := pair.best(c)) and first)
    parts += [
        f"{p.channel} ({percent(p.share_of_source)})" for p in others if p.channel not in parts
    ]
    if pair.marks:
        parts.append(counted(sum(m.n_shared for m in pair.marks), "mark"))
    methods = dict.fromkeys(mix.method for mix, _ in pair.mixes)
    parts += [f"submission ({method})" for method in methods]
    return ", ".join(parts)


def mix_share(mix: SubmissionMix, ingredient: Ingredient) -> float:
    """Say how much of a submission one file makes up: its weight in a blend, or its equal rows.

    What was only scaled or bent has few equal rows, so there it is the quality of the fit.
    """
    if mix.method == "blend":
        whole = sum(abs(i.weight) for i in mix.ingredients)
        return abs(ingredient.weight) / whole if whole else 0.0
    if mix.method in {"affine", "monotone"} and mix.r2 is not None:
        return max(mix.r2, 0.0)
    return ingredient.exact_share


class _Seen(NamedTuple):
    """One piece of evidence between a copy and a source."""

    finding: Finding
    copy: Node
    source: Node
    provenance: Provenance
    evidence: Copied
    ingredient: Ingredient | None = None


def _pair(seen: list[_Seen]) -> Pair:
    first = seen[0]
    findings = {s.finding.id: s.finding for s in seen}.values()
    told = max((s.provenance for s in seen), key=lambda p: len(p.known))
    return Pair(
        first.copy,
        first.source,
        told,
        tuple(sorted(findings, key=lambda f: (-f.severity.rank, -f.confidence.rank))),
        tuple(s.evidence for s in seen if isinstance(s.evidence, CopiedPassages)),
        tuple(s.evidence for s in seen if isinstance(s.evidence, SharedMarks)),
        tuple(
            (s.evidence, s.ingredient)
            for s in seen
            if isinstance(s.evidence, SubmissionMix) and s.ingredient
        ),
    )


def _reached(start: int, pairs: list[Pair], beside: dict[str, list[int]]) -> set[int]:
    """Give the places of all pairs that hang together with one."""
    reached, waiting = {start}, [start]
    while waiting:
        pair = pairs[waiting.pop()]
        new = {*beside[pair.copy.key], *beside[pair.source.key]} - reached
        reached |= new
        waiting += new
    return reached
