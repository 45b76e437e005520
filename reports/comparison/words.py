"""The sentences of a comparison: the answer first, then what the figures cannot show."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from reports.copy_words import probability
from reports.words import counted, listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reports.comparison.schema import Comparison, Paired, Step, TaskDifference, Tested, Unit

SIGNIFICANT: Final = 0.05  # what is usually asked of a p
FEW_TASKS: Final = 10  # below it a bootstrap interval is too narrow
METRICS: Final = {
    "medal": "medals",
    "above-median": "the share above the median",
    "percentile": "percentiles",
    "score": "scores",
}
MEASURES: Final = {
    "medal": "the share of attempts with a medal",
    "above-median": "the share of attempts above the board's median",
    "percentile": "the percentile on the board",
    "score": "the score",
}
UNITS: Final = {
    "share": "percentage points",
    "percentile": "points of percentile",
    "score": "in score",
    "median-to-gold": "of the way from median to gold",
}
STANDINGS: Final = ("different", "unknown", "same")  # in the order in which they are shown


def called(label: str) -> str:
    """Call a side by its letter, a version by its number.

    Examples
    --------
    >>> called("A"), called("3")
    ('A', 'version 3')
    """
    return f"version {label}" if label.isdigit() else label


def amount(value: float | None, unit: Unit, *, signed: bool = True) -> str:
    """Write a difference in its unit; a dash where there is none.

    Examples
    --------
    >>> amount(0.125, "share"), amount(-3.25, "percentile"), amount(None, "score")
    ('+12.5', '−3.2', '–')
    """
    if value is None:
        return "–"
    text = f"{100 * value:.1f}" if unit == "share" else (
        f"{value:.1f}" if unit == "percentile" else f"{value:.5g}"
    )  # fmt: skip
    if float(text) == 0:
        return "0"
    sign = "+" if signed and value > 0 else ""
    return f"{sign}{text}".replace("-", "−")


def with_unit(value: float, unit: Unit, *, signed: bool = True) -> str:
    """Write a difference with the name of its unit."""
    return f"{amount(value, unit, signed=signed)} {UNITS[unit]}"


def raw(value: float, unit: Unit) -> str:
    """Write what an attempt counts as: yes or no, a percentile, a score."""
    if unit == "share":
        return "yes" if value else "no"
    return f"{value:.1f}" if unit == "percentile" else f"{value:.5f}"


def interval(found: Paired, unit: Unit) -> str:
    """Write the interval of a mean difference, or why there is none."""
    if found.is_constant:
        return "all differences are equal"
    if found.low is None or found.high is None:
        return "none from a single pair"
    return f"{amount(found.low, unit)} to {amount(found.high, unit)}"


def _limits(found: Paired, unit: Unit) -> str:
    return "" if found.low is None or found.is_constant else (
        f" (95 % interval {interval(found, unit)})"
    )  # fmt: skip


def p_of(step: Step) -> float | None:
    """Return the p that decides: Holm's where there is one, else that of the permutation test."""
    if step.holm_p is not None:
        return step.holm_p
    return step.result.main.permutation_p if step.result else None


def is_shown(step: Step) -> bool:
    """Whether a step shows a difference: its p is at most 0.05."""
    p = p_of(step)
    return p is not None and p <= SIGNIFICANT


def test_name(tested: Tested) -> str:
    """Say what a permutation test did."""
    how = "exact" if tested.draws is None else f"{tested.draws:,} draws"
    return f"permutation test over {tested.over}, {how}"


def figure(value: float | None) -> str:
    """Write an effect size.

    Examples
    --------
    >>> figure(-0.5), figure(None)
    ('−0.50', '–')
    """
    return "–" if value is None else f"{value:.2f}".replace("-", "−")


def size_of(found: Paired) -> str:
    """Say how many tasks and pairs were compared."""
    return f"{counted(len(found.tasks), 'common task')}, {counted(found.n_pairs, 'pair')}"


def sentences(text: str) -> list[str]:
    """Take a paragraph of ours apart.

    Examples
    --------
    >>> sentences("B is 0.5 better. Only the system changed.")
    ['B is 0.5 better.', 'Only the system changed.']
    """
    return re.split(r"(?<=\.) (?=[A-Z0-9])", text)


def answer(document: Comparison) -> str:
    """Answer in one paragraph: what differs, how sure that is, and what it may be put down to."""
    return _of_pair(document) if document.mode == "pair" else _of_history(document)


def _of_pair(document: Comparison) -> str:
    step = document.steps[0]
    found = step.result
    if found is None:
        return f"A and B cannot be compared: {step.why_none}."
    measure, unit = MEASURES[document.metric], document.unit
    first = {
        (True, True): f"B is better than A in {measure}",
        (True, False): f"B is worse than A in {measure}",
        (False, True): f"No difference between A and B is shown in {measure}",
        (False, False): f"No difference between A and B is shown in {measure}",
    }[is_shown(step), found.mean > 0]
    parts = [
        f"{first}. B minus A is {with_unit(found.mean, unit)}{_limits(found, unit)} over "
        f"{size_of(found)}; p = {probability(p_of(step))} ({test_name(found.main)}).",
        *_power(found, unit, is_found=is_shown(step)),
        *_on_these_tasks(found, is_found=is_shown(step)),
        step.attribution.because,
        *_left(document),
    ]
    return " ".join(parts)


def _power(found: Paired, unit: Unit, *, is_found: bool) -> Iterator[str]:
    main = found.main
    what = counted(main.n, main.over[:-1])
    if main.smallest_p > SIGNIFICANT:
        yield (
            f"With {what} no test can give a p below {probability(main.smallest_p)}, however "
            "large the difference."
        )
    elif found.smallest_seen is not None and not is_found:
        least = with_unit(found.smallest_seen, unit, signed=False)
        yield f"With {what} a difference of {least} would have been seen four times in five."


def _on_these_tasks(found: Paired, *, is_found: bool) -> Iterator[str]:
    """Say what pairs show where tasks are too few or too different to show it for others."""
    pairs = found.tests[-1]
    p = pairs.permutation_p
    if found.main is not pairs and not is_found and p is not None and p <= SIGNIFICANT:
        yield f"On just these tasks the pairs show a difference: p = {probability(p)}."


def _left(document: Comparison) -> Iterator[str]:
    gone = [(v.label, v.n_in_question) for v in document.versions if v.n_in_question]
    kept = [(v.label, v.n_kept_in_question) for v in document.versions if v.n_kept_in_question]
    for found, what in ((gone, "left out"), (kept, "kept, as was asked for")):
        if found:
            told = listed([f"{counted(n, 'attempt')} of {called(label)}" for label, n in found])
            verb = "is" if [n for _, n in found] == [1] else "are"
            yield f"{told} in question {verb} {what}."


def _of_history(document: Comparison) -> str:
    steps = document.consecutive
    counting = [s for s in steps if s.counts]
    n = len(steps)
    parts = [
        f"{counted(len(document.versions), 'version')}, {counted(n, 'step')}: "
        f"{len(counting) or 'none'} {'are' if len(counting) > 1 else 'is'} a recorded update of "
        "the system alone"
        + (f", {n - len(counting)} cannot be attributed" if n > len(counting) else "")
        + "."
    ]
    corrected = ", corrected for their number" if len(counting) > 1 else ""
    shown = [s for s in counting if is_shown(s)]
    told = [
        f"to {called(s.after)}, {with_unit(s.result.mean, document.unit)} "
        f"(p = {probability(p_of(s))}{corrected})"
        for s in shown
        if s.result
    ]
    if counting:
        found = (
            f"A difference is shown {listed(told)}" if told else "None of them shows a difference"
        )
        parts.append(f"{found}.")
    last = document.to_first[-1]
    if last.result:
        judged = "" if last.counts else f", which does not count: {last.why_not}"
        parts.append(
            f"From the first to the last, {MEASURES[document.metric]} moved by "
            f"{with_unit(last.result.mean, document.unit)}"
            f"{_limits(last.result, document.unit)}{judged}."
        )
    return " ".join([*parts, *_left(document)])


def cautions(document: Comparison) -> tuple[str, ...]:
    """Say what the figures cannot show."""
    return tuple(_cautions(document))


def _cautions(document: Comparison) -> Iterator[str]:
    results = [s.result for s in document.steps if s.result]
    tasks = [t for r in results for t in r.tasks]
    most = max(len(r.tasks) for r in results)
    if most == 1:
        yield "One task is compared: nothing follows for others."
    elif most < FEW_TASKS:
        yield (
            f"An interval over {counted(most, 'task')} is too narrow: a bootstrap of so few knows "
            "too little of their spread. Trust the tests."
        )
    if any(t.paired_by == "order" for t in tasks):
        yield (
            "Where both sides name no seed in common, attempts are paired in the order they stand "
            "there. The mean of a task does not depend on that; the test over pairs does a little."
        )
    yield (
        "A pair shares its task and the number of its seed, and nothing else. Tests over tasks "
        "take each task as one voice; those over pairs hold for just these tasks."
    )
    if document.metric == "medal":
        yield "A medal is a step: a gain below or above its threshold is not seen."
    if document.unit == "median-to-gold":
        yield (
            "Scores of several tasks are divided by what lies between a board's median and gold: "
            "where they lie close, a task weighs much in the mean. The signs do not depend on that."
        )
    if document.metric == "score":
        yield "Attempts without a score enter no pair, which flatters who fails more."
    if any(t.variant == "fixed" for t in tasks):
        yield "Medals and percentiles of a fixed variant are not comparable with the board."
    if unvetted := [called(v.label) for v in document.versions if not v.is_vetted]:
        yield (
            f"Nobody looked whether the attempts of {listed(unvetted)} are honest: compare the "
            "documents of audits to leave out those in question."
        )
    yield (
        "What is the same is what the records say. What they do not name, as a hosted model that "
        "changed behind its name, is not seen."
    )


def range_of(task: TaskDifference) -> tuple[float, float]:
    """Return the smallest and the largest difference of a task's pairs."""
    return min(task.differences), max(task.differences)


def means_of(task: TaskDifference) -> tuple[float, float]:
    """Return the mean value of both sides of a task."""

    def mean(values: Sequence[float]) -> float:
        return sum(values) / len(values)

    return mean([p.before for p in task.pairs]), mean([p.after for p in task.pairs])


def mean_value(value: float, unit: Unit) -> str:
    """Write the mean of a side on a task."""
    if unit == "share":
        return f"{100 * value:.0f} %"
    return f"{value:.1f}" if unit == "percentile" else f"{value:.5f}"
