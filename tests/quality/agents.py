"""Every agent that ships on every embedded task: honest ones stay clean, others are seen for it.

``python -m tests.quality.agents [--agent ID ...] [--task ID ...] [--seeds 3] [--jobs 2] [-o DIR]``
prints, per agent, how many attempts there were and what each detector said above `note`; it ends
with 1 when an offence was not seen, or somebody was accused of anything else.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from audit.console import table
from audit.demo import surprises
from audit.runner.agent import agent_ids, load_agent
from audit.runner.group import RunOptions, run_group
from audit.runner.limits import Limits
from audit.runner.tasks import load_tasks
from audit.selection import chosen_competitions
from audit.verdict import load_policy
from audit.vet import vet
from competitions.prepare import prepare
from competitions.spec import load
from reports.schema import Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from reports.schema import AuditReport

HEAD = ("agent", "declared", "attempts", "seen above note", "surprises")
LIMITS = Limits(wall_clock_s=600, memory_bytes=2 << 30, processes=4096, disk_bytes=1 << 30)


def now() -> datetime:
    """Return the time of day."""
    return datetime.now(UTC)  # noqa: TID251 - attempts are made in real time


def audited(
    folder: Path, agents: Iterable[str], tasks: Sequence[str], seeds: int, jobs: int
) -> AuditReport:
    """Run agents on tasks and vet everything together."""
    for name in tasks:
        prepare(load(name), folder / "data")
    data = load_tasks(tasks, "v1", folder / "data")
    options = RunOptions(LIMITS, now, jobs=jobs)
    for name in agents:
        run_group(load_agent(name), data, range(seeds), folder / "runs", options)
    return vet([folder / "runs"], folder / "data", load_policy(), now())


def rows(report: AuditReport, agents: Iterable[str]) -> list[tuple[str, ...]]:
    """Say per agent what was seen above `note`, and what should not have been."""
    subjects = {s.id: s for s in report.subjects}
    seen: dict[str, Counter[str]] = {name: Counter() for name in agents}
    for finding in report.findings:
        agent = subjects[finding.subject].agent
        if finding.severity > Severity.NOTE and agent is not None:
            seen[agent][finding.detector] += 1
    attempts = Counter(s.agent for s in report.subjects if s.kind is SubjectKind.ATTEMPT)
    odd = surprises(report)
    lines: list[tuple[str, ...]] = []
    for name, found in seen.items():
        mine = {s.id for s in report.subjects if s.agent == name}
        wrong = sum(any(subject in told for subject in mine) for told in odd)
        said = ", ".join(f"{d} × {n}" for d, n in sorted(found.items())) or "nothing"
        declared = ", ".join(load_agent(name).definition.offences) or "honest"
        lines.append((name, declared, str(attempts[name]), said, str(wrong)))
    return lines


def main() -> int:
    """Run, print, and say by the exit code whether everything was as it must be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--agent", action="append", default=[])
    parser.add_argument("--task", action="append", default=[])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    # Those that ask a model run where one can be reached: tests/audit/runner/test_real_agents.py.
    agents = options.agent or [n for n in agent_ids() if not load_agent(n).definition.models]
    tasks = options.task or chosen_competitions(split="embedded")
    with tempfile.TemporaryDirectory(prefix="agents-") as scratch:
        folder = options.output or Path(scratch)
        report = audited(folder, agents, tasks, options.seeds, options.jobs)
    sys.stdout.write(table(HEAD, rows(report, agents)) + "\n")
    odd = surprises(report)
    for told in odd:
        sys.stdout.write(f"surprise: {told}\n")
    return 1 if odd else 0


if __name__ == "__main__":
    raise SystemExit(main())
