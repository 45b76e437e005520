"""A comparison as rows: the same tables for the terminal, Markdown and the page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from reports.comparison import words
from reports.copy_words import probability

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.comparison.schema import Comparison, LeftOut, Paired, Step


_DIGEST = re.compile(r"\b[0-9a-f]{64}\b")


class Table(NamedTuple):
    """A head and rows of text."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def version_table(document: Comparison) -> Table:
    """Say what each side is."""
    head = ("", "what", "agent", "digest", "started", "tasks", "attempts", "in question")
    rows = tuple(
        (
            v.label,
            v.name,
            ", ".join(v.agents) or "unknown",
            ", ".join(d[:12] for d in v.digests) or "not recorded",
            f"{v.started_at:%Y-%m-%d %H:%M}" if v.started_at else "not recorded",
            str(v.n_tasks),
            str(v.n_attempts),
            _in_question(v.n_in_question, v.n_kept_in_question, is_vetted=v.is_vetted),
        )
        for v in document.versions
    )
    return Table(head, rows)


def _in_question(gone: int, kept: int, *, is_vetted: bool) -> str:
    if not is_vetted:
        return "not vetted"
    if kept:
        return f"{kept}, kept"
    return f"{gone}, left out" if gone else "none"


def result_table(found: Paired, document: Comparison) -> Table:
    """Lay out the figures of one comparison, a fact a line."""
    unit = document.unit
    rows = [
        ("mean difference", words.with_unit(found.mean, unit)),
        ("95 % interval", words.interval(found, unit)),
        ("compared", words.size_of(found)),
    ]
    for tested in found.tests:
        over = tested.over
        rows.append(
            (f"over {over}", f"{tested.better} better, {tested.worse} worse, {tested.ties} equal")
        )
        how = "exact" if tested.draws is None else f"{tested.draws:,} draws"
        permutation = f"{probability(tested.permutation_p)} ({how})"
        rows.append(
            (
                f"p over {over}",
                f"permutation {permutation}; sign {probability(tested.sign_p)}; "
                f"the smallest possible {probability(tested.smallest_p)}",
            )
        )
    least = "–" if found.smallest_seen is None else (
        words.with_unit(found.smallest_seen, unit, signed=False)
    )  # fmt: skip
    rows += [
        (
            "effect size",
            f"d_z {words.figure(found.cohens_d)}; "
            f"rank-biserial {words.figure(found.rank_biserial)}",
        ),
        ("seen 4 times in 5 from", least),
    ]
    return Table(("fact", "value"), tuple(rows))


def task_table(found: Paired, document: Comparison) -> Table:
    """Lay out the tasks, those that gained most first."""
    unit = document.unit
    rows = []
    for task in sorted(found.tasks, key=lambda t: (-t.mean, t.competition_id)):
        before, after = words.means_of(task)
        rows.append(
            (
                task.competition_id + ("" if task.variant == "v1" else f" ({task.variant})"),
                words.mean_value(before, unit),
                words.mean_value(after, unit),
                words.amount(task.mean, unit),
                f"{len(task.pairs)} by {task.paired_by}",
                "lower" if task.is_lower_better else "higher",
            )
        )
    return Table(("task", "before", "after", "difference", "pairs", "better is"), tuple(rows))


def field_table(
    step: Step, document: Comparison, standings: Sequence[str] = words.STANDINGS
) -> Table:
    """Lay out what the records of both sides say, what differs first."""
    rows = tuple(
        (
            f.name,
            f.standing,
            _short(f.before),
            _short(f.after),
        )
        for f in sorted(step.fields, key=lambda f: words.STANDINGS.index(f.standing))
        if f.standing in standings
    )
    labels = [words.called(step.before), words.called(step.after)]
    if document.mode == "pair":
        labels = ["A", "B"]
    return Table(("of the records", "standing", *labels), rows)


def _short(said: str | None) -> str:
    """Cut digests to what tells them apart."""
    return "not recorded" if said is None else _DIGEST.sub(lambda found: found[0][:12], said)


def step_table(steps: Sequence[Step], document: Comparison) -> Table:
    """Lay out the steps of a history."""
    head = ("step", "difference", "95 % interval", "tasks", "p", "p, Holm", "counts", "why not")
    rows = []
    for step in steps:
        found = step.result
        rows.append(
            (
                f"{step.before} → {step.after}",
                words.amount(found.mean, document.unit) if found else "–",
                words.interval(found, document.unit) if found else "–",
                str(len(found.tasks)) if found else "0",
                probability(found.main.permutation_p) if found else "–",
                probability(step.holm_p),
                "yes" if step.counts else "no",
                step.why_not or "",
            )
        )
    return Table(head, tuple(rows))


def left_out(document: Comparison) -> tuple[LeftOut, ...]:
    """List what entered no figure, each once."""
    found = [*document.left_out]
    for step in document.consecutive:
        found += step.left_out
    return tuple(dict.fromkeys(found))
