"""A reproduction as a summary in Markdown: the answer, a table per task, what it cannot show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audit.reproduction import words
from competitions.disk import size_text
from reports.markdown import code, plain
from reports.words import clip

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from audit.reproduction.schema import Claim, Played, Reproduction, Run, Seen, TaskResult

_MAX_FINDINGS = 3  # of one subject; the audit's page has them all


def render_markdown(document: Reproduction) -> str:
    """Render a reproduction from its document alone.

    Returns
    -------
    str
        The same document gives the same text, byte for byte.
    """
    lines = [
        f"# {plain(document.question)}",
        "",
        words_of(document.answer),
        "",
        *_table(_HEAD, (_row(task) for task in document.tasks)),
        "",
        "Means over runs with 95 % t intervals, differences above 0 where the agent is better, "
        "shares with 95 % Wilson intervals.",
    ]
    for task in document.tasks:
        lines += ["", *_task(task)]
    for played in (document.agent, document.baseline):
        if told := list(_told(f"runs of {played.identity.id}", played.told_at, played.findings)):
            lines += ["", f"## The runs of {plain(played.identity.id)}, side by side", "", *told]
    lines += ["", "## What these figures cannot show", ""]
    lines += [f"- {words_of(text)}" for text in document.cautions]
    lines += ["", "## How it was run", "", *_how(document)]
    lines += ["", "## What was not checked", ""]
    lines += [f"- {plain(n.what)}: {plain(n.why)}" for n in document.not_checked] or [
        "- nothing named"
    ]
    lines += ["", "## Files", ""]
    lines += [f"- [{path}]({path}): {what}" for what, path in document.files.items()]
    return "\n".join(lines) + "\n"


_HEAD = ("task", "metric", "valid", "agent", "valid", "baseline", "difference", "exact p")


def words_of(text: str) -> str:
    """Escape a sentence of ours, however long, since it holds names that agents chose."""
    return " ".join(plain(part) for part in text.split(" "))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    for cells in (head, ["---"] * len(head), *rows):
        yield f"| {' | '.join(cells)} |"


def _row(task: TaskResult) -> tuple[str, ...]:
    compared = task.difference
    better = "lower" if task.is_lower_better else "higher"
    return (
        plain(task.competition_id),
        f"{plain(task.metric)}, {better} is better",
        words.share(task.agent),
        words.interval(task.agent.score),
        words.share(task.baseline),
        words.interval(task.baseline.score),
        words.interval(compared.over) if compared else words.STANDINGS[task.standing],
        words.p_value(compared.permutation_p) if compared else "–",
    )


def _task(task: TaskResult) -> Iterator[str]:
    yield f"## {plain(task.competition_id)}: {words.STANDINGS[task.standing]}"
    yield ""
    head = ("agent", "seed", "ended", "hidden", "claimed", "gap", "percentile", "medal", "verdict")
    yield from _table(head, [_run(s.agent, r) for s in (task.agent, task.baseline) for r in s.runs])
    if task.notes:
        yield ""
    yield from (f"- {words_of(note)}" for note in task.notes)
    if seen := list(_seen(task)):
        yield ""
        yield "Findings:"
        yield ""
        yield from seen
    frozen = task.frozen
    digests = {"public": frozen.public, "private": frozen.private, "definition": frozen.definition}
    yield ""
    split = plain(frozen.split or "?")
    yield f"Data: {plain(task.data_source)}, variant {task.variant}, split {split}."
    yield (
        "Frozen by sha256: " + ", ".join(f"{n} {code(d or '?')}" for n, d in digests.items()) + "."
    )


def _run(agent: str, run: Run) -> tuple[str, ...]:
    tries = f", try {1 + len(run.earlier_tries)}" if run.earlier_tries else ""
    verdict = run.verdict.value if run.verdict else "not judged"
    return (
        plain(agent),
        str(run.seed),
        plain(run.exit_status.replace("_", " ") + tries),
        words.figure(run.score) if run.score is not None else plain(run.outcome),
        *_claim(run.claim),
        "–" if run.percentile is None else f"{run.percentile:.1f}",
        run.medal or "–",
        f"[{verdict}]({run.told_at})" if run.told_at else verdict,
    )


def _claim(claim: Claim | None) -> tuple[str, str]:
    """Say what a run claimed, and by how much that is better than the hidden score."""
    if claim is None:
        return "not found", "–"
    note = " (another metric)" if claim.metric == "other" else ""
    return words.figure(claim.value) + note, "–" if claim.gap is None else words.figure(claim.gap)


def _seen(task: TaskResult) -> Iterator[str]:
    subjects: list[tuple[str, str | None, tuple[Seen, ...]]] = [
        ("the task itself", task.told_at, task.findings)
    ]
    for side in (task.agent, task.baseline):
        subjects += [(f"{side.agent}, seed {r.seed}", r.told_at, r.findings) for r in side.runs]
    for what, place, findings in subjects:
        yield from _told(what, place, findings)


def _told(what: str, place: str | None, findings: tuple[Seen, ...]) -> Iterator[str]:
    for one in findings[:_MAX_FINDINGS]:
        where = f" ([evidence]({place}))" if place else ""
        yield (
            f"- {plain(what)}: {plain(one.message)} "
            f"({one.severity.value}, confidence {one.confidence.value}, {code(one.id)}){where}"
        )
    if (rest := len(findings) - _MAX_FINDINGS) > 0:
        yield f"- {plain(what)}: {rest} more"


def _how(document: Reproduction) -> Iterator[str]:
    for role, played in (("agent", document.agent), ("baseline", document.baseline)):
        yield f"- {role} {plain(played.identity.id)}, sha256 {code(played.identity.digest)}: " + (
            "; ".join(f"{name} {plain(fact)}" for name, fact in facts(played).items()) + "."
        )
    versions = ", ".join(f"{name} {plain(v)}" for name, v in document.versions.items())
    yield f"- versions: {versions}"
    yield f"- made: {document.created_at:%Y-%m-%d %H:%M %Z}"


def facts(played: Played) -> dict[str, str]:
    """Say in words what an agent's runs had in common."""
    budget = played.budget
    sandboxes = "; ".join(
        f"{s.kind}, network {s.network_words}"
        + (f", missing: {', '.join(s.missing_protections)}" if s.missing_protections else "")
        for s in played.sandbox
    )
    machines = "; ".join(
        f"{h.cpu_model}, {h.cpu_count} cores, {size_text(h.memory_bytes)}"
        + (f", {', '.join(h.gpus)}" if h.gpus else "")
        for h in played.hardware
    )
    limits = [f"{budget.wall_clock_s:g} s"]
    limits += [f"memory {size_text(budget.memory_bytes)}"] if budget.memory_bytes else []
    limits += [f"{budget.processes} processes"] if budget.processes else []
    limits += [f"disk {size_text(budget.disk_bytes)}"] if budget.disk_bytes else []
    limits += [f"output {size_text(budget.output_bytes)}"] if budget.output_bytes else []
    identity = played.identity
    known = identity.prior_knowledge or "none declared"
    return {
        "budget per run": ", ".join(limits),
        "sandbox": sandboxes or "unknown: no run was made",
        "machine": machines or "unknown",
        "models": ", ".join(identity.models) or "none declared",
        "prior knowledge": clip(known, 100),
        "runs": played.group,
    }
