"""What the HTML templates ask for beside the overview: places, excerpts, the matrix, the plots."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from reports import caveats, plots, words
from reports.copies_page import CopiesPage
from reports.overview import silence
from reports.rates_page import RatesPage
from reports.schema import CodeLines, LogLines, Outcome, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.grading import CompetitionReport
    from reports.overview import Audited, Overview
    from reports.schema import Conclusion, Finding

MAX_LINE: Final = 240  # characters of one line of an excerpt
MAX_LINES: Final = 24  # lines of one excerpt
MAX_FINDINGS: Final = 2000  # told in full, shared out fairly among subjects; the rest are counted
EXCERPT_BUDGET: Final = 2_000_000  # bytes of all excerpts together, before mark-up
LEAST_TOLD: Final = 5  # findings of one subject, however many subjects there are
MAX_SEEDS: Final = 10  # named in a sentence
MAX_REASONS: Final = 5  # of one verdict
MAX_CONCERNED: Final = 20  # attempts named with a finding about a group
OPEN_FINDINGS: Final = 60  # up to here evidence is unfolded from the start
MEDALS: Final = ("gold", "silver", "bronze", "median")
SECTIONS: Final = (
    "answer",
    "headline",
    "matrix",
    "plots",
    "sensitivity",
    "scaling",
    "copies",
    "findings",
    "remarks",
    "gaps",
    "how",
    "main",
)


class Excerpt(NamedTuple):
    """The part of some lines that is shown, numbered as in their file."""

    lines: list[tuple[int, str]]
    note: str  # what was left out; empty when nothing was


class Told(NamedTuple):
    """A finding with its permanent place in the page."""

    finding: Finding
    anchor: str


class Cell(NamedTuple):
    """One attempt in the matrix."""

    audited: Audited
    anchor: str


@dataclass(frozen=True)
class Row:
    """A task's row in the matrix: its attempts by agent and seed."""

    competition: str
    variant: str
    cells: dict[tuple[str, int | None], list[Cell]]


@dataclass(frozen=True)
class Plot:
    """A task's strip plot and what to read beside it."""

    competition: str
    variant: str
    svg: str
    is_comparable: bool
    board: str
    n_unscored: int


def excerpt(lines: LogLines | CodeLines, n_bytes: int) -> Excerpt:
    """Cut an excerpt to the cap of lines, of characters in a line, and of bytes in all.

    Parameters
    ----------
    n_bytes : int
        Budget for this excerpt; its first line is always shown, cut where needed.
    """
    found = lines.excerpt.split("\n")
    shown: list[tuple[int, str]] = []
    for offset, line in enumerate(found[:MAX_LINES]):
        # Only the head of a huge line is looked at: a line may be as long as the file.
        text = words.visible(line[:MAX_LINE].removesuffix("\r"))
        if len(line) > MAX_LINE:
            text = f"{text} … [{MAX_LINE} of {len(line):,} characters shown]"
        n_bytes -= len(text.encode("utf-8", "replace"))
        if shown and n_bytes < 0:
            break
        shown.append((lines.first_line + offset, text))
    left = len(found) - len(shown)
    place = f"{lines.path}:{lines.first_line + len(shown)}"
    note = f"{words.counted(left, 'more line')} not shown here; see {place}" if left else ""
    return Excerpt(shown, note)


class Gap(NamedTuple):
    """Checks of one detector that gave no answer for the same reason."""

    outcome: Outcome
    detector: str
    reason: str
    missing: str | None
    subjects: list[tuple[str, str]]  # title and place in the page


class Anchors:
    """Names for places in the page: safe in an address, stable, never given twice."""

    def __init__(self) -> None:
        self._given: dict[tuple[str, ...], str] = {}
        self._taken: set[str] = set()

    def of(self, *key: str) -> str:
        """Return the anchor of something; the last part of its key is what it is called."""
        if key not in self._given:
            plain = re.sub(r"[^A-Za-z0-9]+", "-", key[-1][:80]).strip("-") or "unnamed"
            name, n = plain, 2
            while name in self._taken:
                name, n = f"{plain}-{n}", n + 1
            self._taken.add(name)
            self._given[key] = name
        return self._given[key]


class Page:
    """What the templates ask for beside the overview; built once for one page."""

    def __init__(self, over: Overview) -> None:
        self.over = over
        self._anchors = Anchors()
        for name in SECTIONS:
            self._anchors.of("section", name)  # sections keep their names whatever an id says
        for audited in over.audited:
            for finding in self._kept(audited):
                self._anchors.of("finding", audited.subject.id, finding.id)

    @cached_property
    def _cap(self) -> int:
        """How many findings of one subject are told in full."""
        left = MAX_FINDINGS
        counts = sorted(len(a.findings) for a in self.over.audited)
        for done, count in enumerate(counts):  # those with few leave their share to the others
            share = left // (len(counts) - done)
            if count > share:
                return max(LEAST_TOLD, share)
            left -= count
        return max(LEAST_TOLD, *counts, 0)

    @cached_property
    def _excerpt_bytes(self) -> int:
        told = [f for a in self.over.audited for f in self._kept(a)]
        pieces = sum(isinstance(e, LogLines | CodeLines) for f in told for e in f.evidence)
        return EXCERPT_BUDGET // max(pieces, 1)

    def _kept(self, audited: Audited) -> tuple[Finding, ...]:
        return audited.findings[: self._cap]

    def anchor(self, subject: str) -> str:
        """Return the place of a subject's section."""
        return self._anchors.of("subject", f"subject-{subject}")

    def place(self, *key: str) -> str:
        """Return the place of a region of a text; the last part of its key is its name."""
        return self._anchors.of("region", *key)

    @cached_property
    def copies(self) -> CopiesPage:
        """What the page says of copies."""
        return CopiesPage(self)

    @cached_property
    def rates(self) -> RatesPage:
        """What the page says of how far figures hold."""
        return RatesPage(self.over.report)

    def told(self, audited: Audited) -> dict[str, list[Told]]:
        """Give the findings told in full by detector, the decisive ones first."""
        groups: dict[str, list[Told]] = defaultdict(list)
        for finding in self._kept(audited):
            anchor = self._anchors.of("finding", audited.subject.id, finding.id)
            groups[finding.detector].append(Told(finding, anchor))
        return dict(groups)

    def first(self, audited: Audited, count: int = 3) -> list[Told]:
        """Give a subject's first findings."""
        return [t for found in self.told(audited).values() for t in found][:count]

    def places_of(self, findings: Sequence[str]) -> list[tuple[str, str]]:
        """Give the ids of some findings with their places, up to a cap; '' where none is told."""
        return [(i, self._places.get(i, "")) for i in findings[:MAX_CONCERNED]]

    @cached_property
    def _places(self) -> dict[str, str]:
        told = (t for a in self.over.audited for found in self.told(a).values() for t in found)
        return {t.finding.id: t.anchor for t in told}

    def scores(self, attempts: list[Audited]) -> list[str]:
        """Give the scores of some attempts; one where all are equal."""
        told = [words.score(a.grade.score if a.grade else None) for a in attempts]
        return told if len(set(told)) > 1 else told[:1]

    def concerned(self, finding: Finding) -> list[tuple[str, str]]:
        """Give the attempts that a finding about a group names, as id and title, up to a cap."""
        return [(a, self._titles.get(a, a)) for a in finding.attempts[:MAX_CONCERNED]]

    @cached_property
    def _titles(self) -> dict[str, str]:
        return {a.subject.id: a.subject.title for a in self.over.audited}

    def untold(self, audited: Audited) -> int:
        """Count the findings that are only counted."""
        return len(audited.findings) - len(self._kept(audited))

    def reasons(self, audited: Audited) -> list[tuple[str, str | None]]:
        """Say what a verdict rests on: a text, and the place of the finding if it is one."""
        told = {t.finding.id: t for found in self.told(audited).values() for t in found}
        because = audited.verdict.because if audited.verdict else ()
        untold = {f.id for f in audited.findings} - set(told)
        said = [b for b in because if b not in untold][:MAX_REASONS]
        reasons: list[tuple[str, str | None]] = [
            (told[b].finding.message, told[b].anchor) if b in told else (b, None) for b in said
        ]
        if rest := len(because) - len(said):
            reasons.append((words.counted(rest, "more reason"), None))
        return reasons

    def sentences(self, audited: Audited) -> list[str]:
        """Give what a verdict rests on beside findings: the policy's own sentences."""
        ids = {f.id for f in audited.findings}
        because = audited.verdict.because if audited.verdict else ()
        return [b for b in because if b not in ids][:MAX_REASONS]

    def excerpt(self, lines: LogLines | CodeLines) -> Excerpt:
        """Cut an excerpt to what this page can carry."""
        return excerpt(lines, self._excerpt_bytes)

    @cached_property
    def unfold(self) -> bool:
        """Whether evidence is unfolded from the start."""
        return sum(len(a.findings) for a in self.over.audited) <= OPEN_FINDINGS

    @cached_property
    def columns(self) -> dict[str, list[int | None]]:
        """Agents and their seeds, in the order of the document."""
        found: dict[str, set[int | None]] = defaultdict(set)
        for a in self.over.attempts:
            found[a.agent].add(a.subject.seed)
        return {
            agent: sorted(seeds, key=lambda s: (s is None, s or 0))
            for agent, seeds in found.items()
        }

    @cached_property
    def rows(self) -> list[Row]:
        """The matrix, a row per task and variant."""
        cells: dict[tuple[str, str], dict[tuple[str, int | None], list[Cell]]] = {}
        for a in self.over.attempts:
            row = cells.setdefault(a.task, defaultdict(list))
            row[a.agent, a.subject.seed].append(Cell(a, self.anchor(a.subject.id)))
        return [Row(*task, found) for task, found in cells.items()]

    @cached_property
    def plots(self) -> list[Plot]:
        """A strip plot for each task that has scores."""
        return [plot for i, row in enumerate(self.rows) if (plot := self._plot(f"plot_{i}", row))]

    def _plot(self, name: str, row: Row) -> Plot | None:
        cells = [cell for found in row.cells.values() for cell in found]
        graded = [
            (cell, grade)
            for cell in cells
            if (grade := cell.audited.grade) and grade.score is not None
        ]
        if not graded:
            return None
        first = graded[0][1]
        board = first.mle_audit
        marks = [
            plots.Mark(
                row=cell.audited.agent,
                label=f"{cell.audited.agent}, seed {cell.audited.subject.seed}",
                value=grade.score or 0.0,
                shape=shape(cell.audited.conclusion),
                href=f"#{cell.anchor}",
            )
            for cell, grade in graded
        ]
        lines = [
            plots.Threshold(medal, value)
            for medal in MEDALS
            if (value := getattr(first, f"{medal}_threshold")) is not None
        ]
        metric = self.facts(row).get("metric", "score").partition(",")[0]
        axis = plots.Axis(metric, first.is_lower_better)
        # Both stand in the page and the width of the screen chooses one.
        svg = "".join(
            plots.strip(
                marks,
                lines,
                name=f"{name}_{frame.css}",
                title=f"Scores on {words.clip(row.competition, 80)}",
                axis=axis,
                frame=frame,
            )
            for frame in (plots.LARGE, plots.SMALL)
        )
        told = f"{board.board_kind}, {board.board_n_teams:,} entries" if board else ""
        comparable = board.comparable_with_board if board else True
        return Plot(row.competition, row.variant, svg, comparable, told, len(cells) - len(graded))

    def facts(self, row: Row) -> dict[str, str]:
        """Give what the document says of a task, from its subject."""
        return next(
            (
                a.subject.facts
                for a in self.over.others
                if a.task == (row.competition, row.variant) and a.subject.kind is SubjectKind.TASK
            ),
            {},
        )

    def board(self, row: Row) -> CompetitionReport | None:
        """Give one graded attempt of a task, which carries the task's board."""
        grades = (c.audited.grade for found in row.cells.values() for c in found)
        return next((g for g in grades if g), None)

    @cached_property
    def gaps(self) -> list[Gap]:
        """Checks without an answer, those alike together."""
        alike: dict[tuple[Outcome, str, str, str | None], list[tuple[str, str]]] = {}
        for c in self.over.unanswered:
            key = c.outcome, c.detector, silence(c) or "No reason was given.", c.missing
            alike.setdefault(key, []).append((self._titles[c.subject], self.anchor(c.subject)))
        return [Gap(*key, subjects) for key, subjects in alike.items()]

    @cached_property
    def ungraded(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """Attempts without a grade by reason, with their title and their place in the page."""
        titles = {a.subject.id: a.subject.title for a in self.over.attempts}
        return [
            (why, [(titles.get(a, a), self.anchor(a) if a in titles else "") for a in attempts])
            for why, attempts in caveats.ungraded(self.over)
        ]

    @cached_property
    def _tallies(self) -> dict[str, Counter[Outcome]]:
        found: dict[str, Counter[Outcome]] = defaultdict(Counter)
        for c in self.over.report.checks:
            found[c.detector][c.outcome] += 1
        return found

    def tally(self, detector: str) -> list[tuple[Outcome, int]]:
        """Count a detector's answers by outcome."""
        return [(o, n) for o in Outcome if (n := self._tallies[detector][o])]

    @cached_property
    def common_facts(self) -> dict[str, str]:
        """Facts that all attempts share, with their value; a single attempt shares none."""
        facts = [a.subject.facts for a in self.over.attempts]
        if len(facts) == 1:
            return {}
        return {n: v for n, v in next(iter(facts), {}).items() if all(f.get(n) == v for f in facts)}

    @cached_property
    def fact_names(self) -> list[str]:
        """Facts by which attempts differ, in order of first appearance."""
        names = dict.fromkeys(name for a in self.over.attempts for name in a.subject.facts)
        return [n for n in names if n not in self.common_facts]

    @cached_property
    def seeds(self) -> str:
        """Say which seeds the headline is over, where all agents have the same few."""
        found = {p.everything.seeds for p in self.over.headlines if p.everything}
        same = next(iter(found)) if len(found) == 1 else ()
        return f" {words.listed([str(s) for s in same])}" if 1 < len(same) <= MAX_SEEDS else ""


def shape(conclusion: Conclusion | None) -> str:
    """Name the symbol of a conclusion."""
    return conclusion.value if conclusion else "unjudged"


def short(text: str) -> str:
    """Shorten a digest to what one compares by eye; other texts stay.

    Examples
    --------
    >>> short("0123456789abcdef" * 4), short("finished")
    ('0123456789ab…', 'finished')
    """
    return f"{text[:12]}…" if re.fullmatch(r"[0-9a-f]{64}", text) else text
