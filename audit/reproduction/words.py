"""The sentences of a reproduction: the answer first, then what the figures cannot show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audit.reproduction.uncertainty import smallest_p
from reports.schema import Conclusion
from reports.words import counted, listed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from audit.reproduction.schema import Mean, Reproduction, Run, Side, TaskResult
    from reports.grading import GradeDetails

IN_QUESTION = frozenset({Conclusion.REVIEW, Conclusion.DISQUALIFY})
SIGNIFICANT = 0.05  # what is usually asked of a p
_TWO = 2
FEW = 6  # runs from which an exact test can be below it
STANDINGS = {
    "better": "better than the baseline",
    "worse": "worse than the baseline",
    "equal": "equal to the baseline",
    "unknown": "cannot be compared",
}


def question(agent: str, baseline: str, n_tasks: int, n_runs: int) -> str:
    """Ask what a reproduction answers."""
    tasks = counted(n_tasks, "task")
    return f"Does {agent} beat {baseline} on {tasks}, {n_runs} independent runs each?"


def figure(value: float) -> str:
    """Write a score or a difference of scores with at most five decimals.

    Examples
    --------
    >>> figure(0.5), figure(-0.00012), figure(53.25)
    ('0.5', '−0.00012', '53.25')
    """
    text = f"{value:.5f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", "0"} else text.replace("-", "−")


def interval(mean: Mean | None) -> str:
    """Write a mean with its interval.

    Examples
    --------
    >>> from audit.reproduction.uncertainty import mean_of
    >>> interval(mean_of([1.0, 2.0, 3.0])), interval(mean_of([1.0])), interval(mean_of([]))
    ('2 (−0.48414 to 4.48414)', '1 (a single run: no interval)', 'none')
    """
    if mean is None:
        return "none"
    if mean.low is None or mean.high is None:
        return f"{figure(mean.mean)} (a single run: no interval)"
    if mean.is_constant:
        return f"{figure(mean.mean)} ({'both' if mean.n == _TWO else f'all {mean.n}'} equal)"
    return f"{figure(mean.mean)} ({figure(mean.low)} to {figure(mean.high)})"


def share(side: Side) -> str:
    """Write how many runs handed in a valid submission, with the interval of the share."""
    low, high = 100 * side.valid.low, 100 * side.valid.high
    return f"{side.valid.count} of {side.valid.n} ({low:.0f}–{high:.0f} %)"


def p_value(p: float | None) -> str:
    """Write a p; a dash where all differences are zero.

    Examples
    --------
    >>> p_value(0.25), p_value(0.000019), p_value(None)
    ('0.25', '0.00002', '–')
    """
    return "–" if p is None else figure(round(p, 5)) if p >= 1e-5 else "below 0.00001"  # noqa: PLR2004


def board(details: GradeDetails | None) -> str:
    """Say what a task's board is."""
    if details is None:
        return "unknown"
    kind = "baselines" if details.board_kind == "baselines" else "Kaggle teams"
    return f"{details.board_n_teams:,} {kind}"


def answer(document: Reproduction) -> str:
    """Answer the question in one paragraph."""
    questioned = list(_questioned(document))  # whoever reads a score has to know first
    none = "" if questioned else "The detectors that ran put no run and no task in question."
    certainty, handed_in = _certainty(document), _handed_in(document)
    parts = [_outcome(document), *questioned, *certainty, handed_in, none]
    return " ".join(part for part in parts if part)


def _outcome(document: Reproduction) -> str:
    agent, baseline = document.agent.identity.id, document.baseline.identity.id
    if len(document.tasks) == 1:
        task = document.tasks[0]
        told = {
            "better": f"was better than {baseline}",
            "worse": f"was worse than {baseline}",
            "equal": f"was equal to {baseline}",
            "unknown": f"cannot be compared with {baseline}",
        }[task.standing]
        means = ""
        if task.agent.score and task.baseline.score:
            better = "lower" if task.is_lower_better else "higher"
            means = (
                f": mean hidden {task.metric} {figure(task.agent.score.mean)} against "
                f"{figure(task.baseline.score.mean)}, {better} is better"
            )
        return f"{agent} {told} on {task.competition_id}{means}."
    counts = {s: sum(t.standing == s for t in document.tasks) for s in STANDINGS}
    rest = [
        f"{what} on {counts[s]}"
        for s, what in (
            ("worse", "worse"), ("equal", "equal"), ("unknown", "could not be compared")
        )
        if counts[s]
    ]  # fmt: skip
    told = f"; it was {listed(rest)}" if rest else ""
    total = counted(len(document.tasks), "task")
    return (
        f"{agent} beat {baseline} on {counts['better']} of {total} in its mean hidden score{told}."
    )


def _certainty(document: Reproduction) -> Iterable[str]:
    """Say how sure that is: intervals, the test over tasks, and what so few runs can show."""
    compared = [t for t in document.tasks if t.difference]
    if not compared:
        return
    if len(document.tasks) == 1 and compared[0].difference:
        over = compared[0].difference.over
        if over.low is not None and over.high is not None and not over.is_constant:
            yield (
                f"The 95 % interval of the difference is {figure(over.low)} to "
                f"{figure(over.high)}, above 0 being better."
            )
    else:
        clear = [t.standing for t in compared if t.difference and t.difference.excludes_zero]
        told = [f"{clear.count(s)} where it was {s}" for s in ("better", "worse") if s in clear]
        yield f"The 95 % interval of the difference leaves out 0 on {listed(told) or 'none'}."
    if constant := sum(t.difference.over.is_constant for t in compared if t.difference):
        which = "The" if constant == len(document.tasks) else f"On {counted(constant, 'task')} the"
        yield f"{which} runs do not differ, so they cannot say how sure the difference is."
    smallest = min(t.difference.smallest_p for t in compared if t.difference)
    if smallest > SIGNIFICANT:
        yield f"No exact test over so few runs can give a p below {p_value(smallest)}."
    if document.tasks_p is not None:
        yield f"Over the tasks, a sign test gives p = {p_value(document.tasks_p)}."


def _handed_in(document: Reproduction) -> str:
    def told(sides: list[Side]) -> str:
        count, n = sum(s.valid.count for s in sides), sum(s.valid.n for s in sides)
        return f"{count} of {counted(n, 'run')} of {sides[0].agent}"

    agent, baseline = ([getattr(t, s) for t in document.tasks] for s in ("agent", "baseline"))
    return f"A valid submission came from {told(agent)} and {told(baseline)}."


def _questioned(document: Reproduction) -> Iterable[str]:
    """Say what the audit put in question, and what it could not judge."""
    for side in ("agent", "baseline"):
        runs = [r for t in document.tasks for r in getattr(t, side).runs]
        if found := sum(r.verdict in IN_QUESTION for r in runs):
            verb, total = ("is" if found == 1 else "are"), counted(len(runs), "run")
            agent = getattr(document, side).identity.id
            yield f"{found} of {total} of {agent} {verb} in question: read why first."
    if tasks := [t.competition_id for t in document.tasks if t.verdict in IN_QUESTION]:
        verb = "is" if len(tasks) == 1 else "are"
        yield f"The data of {listed(tasks)} {verb} in question: the task may leak."
    runs = [r for t in document.tasks for r in (*t.agent.runs, *t.baseline.runs)]
    if unjudged := sum(r.verdict in {None, Conclusion.UNDETERMINED} for r in runs):
        yield f"{counted(unjudged, 'run')} could not be judged."


def cautions(document: Reproduction) -> tuple[str, ...]:
    """Say what the figures cannot show."""
    return tuple(_cautions(document))


def _cautions(document: Reproduction) -> Iterable[str]:
    n = document.n_runs
    yield (
        f"With {n} runs the smallest two-sided p of an exact test is {p_value(smallest_p(n))}"
        + (
            f": even if all {n} differences point one way, it is no proof by the usual measure of "
            f"0.05, which takes {FEW} runs at least. The t interval leans on the assumption that "
            "scores scatter normally, which so few runs cannot check."
            if smallest_p(n) > SIGNIFICANT
            else ". The t interval leans on the assumption that scores scatter normally."
        )
    )
    yield (
        "Intervals are over runs on one frozen split. They do not say how scores would change "
        "with other test rows, another split or another task."
    )
    yield (
        "A pair shares the number of its seed and the data, and nothing else: pairing takes no "
        "chance away."
    )
    if len(document.tasks) > 1:
        yield (
            f"{len(document.tasks)} tasks are compared and no interval is widened for that; the "
            "sign test over tasks takes each task as one voice, whatever its difference is."
        )
    if any(t.data_source == "miniature" for t in document.tasks):
        yield "Scores on miniature data are synthetic and say nothing about the real task."
    if any(s.kind == "none" for p in (document.agent, document.baseline) for s in p.sandbox):
        yield ("Some runs had no sandbox: answers, graders and the network may have been in reach.")
    yield (
        "A claimed score is the last line of a run's own logs that states one. It is the agent's "
        "word; a run without such a line may have validated all the same."
    )
    yield (
        "No finding means that the detectors that ran saw nothing. It does not mean that nothing "
        "was there, and whether a model knew the answers from its training was not asked."
    )


def notes(task: TaskResult) -> tuple[str, ...]:
    """Say what to know of a task's figures before they are taken at their word."""
    return tuple(_notes(task))


def _notes(task: TaskResult) -> Iterable[str]:
    for side in (task.agent, task.baseline):
        yield from _side_notes(side)
    if task.standing == "worse" and task.difference is None:
        yield f"{task.agent.agent} has no score here and counts as worse than one that has."
    elif task.standing == "unknown":
        yield from _why_unknown(task)
    elif task.difference and task.difference.over.is_constant:
        yield "The difference is the same in every pair, so it has no interval worth the name."
    if task.difference and len(task.difference.seeds) < len(task.agent.runs):
        named = listed([str(s) for s in task.difference.seeds])
        yield f"The difference is over the seeds for which both have a score: {named}."
    if not task.comparable_with_board and task.board != "unknown":
        yield "Percentiles are not comparable with the board: the data are not the board's."


def _side_notes(side: Side) -> Iterable[str]:
    agent, n = side.agent, len(side.runs)
    lost = [r for r in side.runs if r.score is None]
    if lost:
        why = listed(sorted({_outcome_words(r) for r in lost}))
        left = "" if len(lost) == n else "; the mean is over the others, which may flatter"
        yield f"{len(lost)} of {counted(n, 'run')} of {agent} gave no score ({why}){left}."
    if side.score and side.score.is_constant:
        how = {1: "the same file"}.get(side.n_files, f"{side.n_files} different files")
        scores = "Both scores" if side.score.n == _TWO else f"All {side.score.n} scores"
        yield (
            f"{scores} of {agent} are equal, from {how}: it is deterministic here "
            "or takes no notice of its seed. The width 0 of the interval says that, and not that "
            "the figure is certain."
        )


def _outcome_words(run: Run) -> str:
    told = {
        "invalid": "invalid submission",
        "missing": f"nothing handed in, {run.exit_status.replace('_', ' ')}",
        "nan": "the score is NaN",
        "infinite": "the score is infinite",
        "grader_error": "the grader crashed",
        "not_graded": "not graded",
    }
    return told.get(run.outcome, run.outcome)


def _why_unknown(task: TaskResult) -> Iterable[str]:
    if task.baseline.score is None:
        yield f"{task.baseline.agent} has no score here, so there is nothing to compare with."
    elif task.agent.score is None:
        yield (
            f"{task.agent.agent} has no score here, not by its own doing alone: nothing follows."
        )
    else:
        yield "No seed has a score of both, so no pair can be compared."
