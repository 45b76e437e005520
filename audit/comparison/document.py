"""From sides that were read to the steps and the document of a comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import audit
from audit.comparison.fields import SYSTEM, attribution_of, fields_of
from audit.comparison.pairs import by_task, common_tasks, default_metric, pairing
from audit.comparison.statistics import BOOTSTRAP_DRAWS, SEED, paired
from competitions.errors import DataError
from competitions.io import printable
from reports.comparison import words
from reports.comparison.schema import Comparison, LeftOut, Step, Version
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime
    from pathlib import Path

    from audit.comparison.sides import Side
    from reports.comparison.schema import Attribution, FieldDifference, Metric, Unit


class Taken(NamedTuple):
    """A side with its letter, or a version with its number."""

    label: str
    side: Side


class Measure(NamedTuple):
    """What is compared.

    Parameters
    ----------
    is_scaled : bool
        Whether differences of scores are divided by what lies between median and gold, as those of
        several tasks have to be.
    data_dir : Path
        Where definitions of tasks from outside the catalog are kept.
    """

    metric: Metric
    is_scaled: bool
    data_dir: Path


def measure_of(taken: Sequence[Taken], chosen: Metric | None, data_dir: Path) -> Measure:
    """Settle what is compared, for all steps alike."""
    sides = [one.side for one in taken]
    metric = chosen or default_metric(sides)
    most = max(len(common_tasks(a, b)) for a in sides for b in sides if a is not b)
    return Measure(metric, metric == "score" and most > 1, data_dir)


def make_step(
    before: Taken,
    after: Taken,
    measure: Measure,
    against: Literal["the one before", "the first"] = "the one before",
    *,
    is_history: bool = False,
) -> Step:
    """Compare one side with another; in a history it may turn out not to count."""
    fields = fields_of(before.side, after.side)
    attribution = attribution_of(fields)
    found = pairing(before.side, after.side, measure, (named(before.label), named(after.label)))
    result = paired(found.tasks) if found.tasks else None
    why_none = None
    if result is None:
        shared = common_tasks(before.side, after.side)
        why_none = (
            f"no common task can be compared by {words.METRICS[measure.metric]}"
            if shared
            else "they have no task in common"
        )
    why_not = _not_counted(fields, attribution) if is_history else None
    return Step(
        before=before.label,
        after=after.label,
        against=against,
        result=result,
        why_none=why_none,
        fields=fields,
        attribution=attribution,
        counts=result is not None and why_not is None,
        why_not=why_none or why_not,
        left_out=found.left_out,
    )


def named(label: str) -> str:
    """Call a side by its letter, a version by its number.

    Examples
    --------
    >>> named("A"), named("3")
    ('A', 'version 3')
    """
    return f"version {label}" if label.isdigit() else label


def _not_counted(fields: Sequence[FieldDifference], attribution: Attribution) -> str | None:
    """Say why a step of a history is not attributable to an update; None where it is."""
    digest = next(f for f in fields if f.name == "agent digest")
    if digest.before is None or digest.after is None or digest.standing == "unknown":
        return "no record of an update: the attempts do not all name their system's digest"
    if digest.standing == "same":
        return "no update on record: both versions have the same digest"
    if any("; " in side for side in (digest.before, digest.after)):
        return "no record of a single update: a version holds attempts of several digests"
    if attribution.conclusion == "system":
        return None
    others = [c for c in attribution.changed if c != SYSTEM]
    if others:
        return f"something else changed with the update: {', '.join(others)}"
    return f"not disclosed by one side or both: {', '.join(attribution.unknown)}"


def nothing_to_compare(taken: Sequence[Taken], metric: Metric, step: Step) -> DataError:
    """Say why nothing can be compared."""
    sides = [one.side for one in taken]
    variants = [sorted({task[1] for task in by_task(side)}) for side in sides]
    ids = [{task[0] for task in by_task(side)} for side in sides]
    if set.intersection(*ids) and not common_tasks(sides[0], sides[1]):
        told = " and ".join(", ".join(v) for v in variants)
        return DataError(
            f"The sides have tasks in common, but of different variants: {told}. Scores on two "
            "splits cannot be compared.",
            "Run both on one variant: mle-audit run --agent baseline -c breast-cancer --variant v1",
        )
    if "in common" in (step.why_none or ""):
        counts = " and ".join(counted(len(i), "task") for i in ids)
        return DataError(
            f"The sides have no task in common: {counts}.",
            "See what a side holds with: mle-audit grade runs/A",
        )
    why = "; ".join(f"{o.what}: {o.why}" for o in step.left_out)
    other = "percentile" if metric == "medal" else "above-median"
    return DataError(
        f"No common task can be compared by {words.METRICS[metric]}. {why}",
        f"Try another measure: mle-audit compare A B --metric {other}",
    )


def unit_of(measure: Measure) -> Unit:
    """Say what a difference is measured in: scores of several tasks have no unit in common."""
    if measure.metric == "score":
        return "median-to-gold" if measure.is_scaled else "score"
    return "percentile" if measure.metric == "percentile" else "share"


def make_document(
    taken: Sequence[Taken],
    measure: Measure,
    steps: Sequence[Step],
    now: datetime,
    order: Literal["recorded start", "as given"] | None = None,
    left_out: Iterable[LeftOut] = (),
) -> Comparison:
    """Put the document together, with its answer; `order` says how a history was put in order."""
    out = [*left_out]
    for label, side in taken:
        out += [LeftOut(what=f"{named(label)}, {o.what}", why=o.why) for o in side.left_out]
    document = Comparison(
        tool_version=audit.__version__,
        created_at=now,
        mode="history" if order else "pair",
        metric=measure.metric,
        unit=unit_of(measure),
        ordered_by=order or "as given",
        versions=tuple(_version(one) for one in taken),
        steps=tuple(steps),
        left_out=tuple(out),
        answer="",
        bootstrap_draws=BOOTSTRAP_DRAWS,
        seed=SEED,
    )
    return document.model_copy(
        update={"answer": words.answer(document), "cautions": words.cautions(document)}
    )


def _version(taken: Taken) -> Version:
    label, side = taken
    tasks = by_task(side)
    return Version(
        label=label,
        name=side.name,
        agents=tuple(map(printable, side.agents)),
        digests=tuple(sorted({d for row in side.rows if (d := row.facts.get("agent digest"))})),
        inputs=side.inputs,
        started_at=side.started_at,
        n_attempts=len(side.rows),
        n_tasks=len(tasks),
        n_seeds=max(map(len, tasks.values())),
        n_in_question=0 if side.keeps_in_question else len(side.in_question),
        n_kept_in_question=len(side.in_question) if side.keeps_in_question else 0,
        n_not_graded=side.n_not_graded,
        is_vetted=side.is_vetted,
    )
