"""A tiny task, agents written on the spot, and one attempt with them."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import psutil
import yaml

from audit.runner.agent import Agent, load_agent
from audit.runner.attempt import TaskData
from audit.runner.group import RunOptions, run_group
from audit.runner.limits import Limits
from competitions.prepared import Prepared
from competitions.spec import Competition
from detectors.record import AttemptRecord, read_record

if TYPE_CHECKING:
    from pathlib import Path

CANARY = "canary-7f3a9c51"
SPEC: dict[str, Any] = {
    "id": "tiny-task",
    "title": "A tiny task",
    "summary": "Say whether y is one.",
    "source": {"kind": "embedded", "url": "https://example.org/"},
    "category": "Tabular",
    "modality": "tabular",
    "complexity": "embedded",
    "raw": [{"path": "data.csv"}],
    "split": {"method": "random_rows", "on": "data.csv", "test_size": 0.5},
    "public": [
        {"path": "train.csv", "part": "train"},
        {"path": "test.csv", "part": "test", "drop": ["y"]},
        {"path": "sample_submission.csv", "part": "sample"},
    ],
    "private": [{"path": "answers.csv", "part": "test"}],
    "answers": "answers.csv",
    "sample_submission": {"path": "sample_submission.csv", "fill": {"y": 0.5}},
    "submission": {"key": ["id"], "columns": {"y": {"type": "float"}}},
    "metric": {"name": "log-loss", "direction": "lower", "definition": "Mean of -ln p."},
    "board": {"kind": "baselines", "sha256": "0" * 64},
}


def now() -> datetime:
    return datetime.now(UTC)  # noqa: TID251 - the real clock is part of these tests


def make_task(data_dir: Path, rows: int = 60, name: str = "tiny-task") -> TaskData:
    """Write a prepared folder by hand; the canary stands in every private file."""
    spec = Competition.model_validate(SPEC | {"id": name})
    prepared = data_dir / name / "prepared"
    (prepared / "public").mkdir(parents=True)
    (prepared / "private").mkdir()
    table = [(f"{i:04d}", i // 3, (i * 7) % 10, int((i * 7) % 10 > 4)) for i in range(2 * rows)]
    train, test = table[:rows], table[rows:]
    files = {
        "public/train.csv": ["id,visit,x,y", *(f"{i},{v},{x},{y}" for i, v, x, y in train)],
        "public/test.csv": ["id,visit,x", *(f"{i},{v},{x}" for i, v, x, _ in test)],
        "public/sample_submission.csv": ["id,y", *(f"{i},0.5" for i, _, _, _ in test)],
        "private/answers.csv": ["id,y", *(f"{i},{y}" for i, _, _, y in test), f"{CANARY},1"],
        "private/test.csv": ["id,y", f"{CANARY},1"],
    }
    for path, lines in files.items():
        (prepared / path).write_text("\n".join(lines) + "\n")
    return TaskData.of(Prepared(spec, prepared, "local", None), (data_dir,))


def make_agent(folder: Path, start: str, files: dict[str, str] | None = None, **fields) -> Agent:
    """Write an agent whose ``start.sh`` holds these lines."""
    folder.mkdir(parents=True)
    definition = {"id": "probe", "summary": "Made by a test."} | fields
    (folder / "agent.yaml").write_text(yaml.safe_dump(definition))
    (folder / "start.sh").write_text("#!/bin/bash\n" + textwrap.dedent(start))
    for name, text in (files or {}).items():
        (folder / name).write_text(textwrap.dedent(text))
    return load_agent(folder)


@dataclass(frozen=True)
class Ran:
    """One attempt that was made."""

    path: Path
    record: AttemptRecord

    @property
    def log(self) -> str:
        return (self.path / "run.log").read_text(errors="replace")

    def everything(self) -> bytes:
        """Every byte the agent could have written."""
        files = [p for p in self.path.rglob("*") if p.is_file() and not p.is_symlink()]
        return b"\n".join(p.name.encode() + b"\n" + p.read_bytes() for p in files)


def attempts_of(group: Path) -> list[Ran]:
    found = []
    for path in sorted(p.parent for p in group.glob("*/attempt.json")):
        record = read_record(path)
        assert record is not None
        found.append(Ran(path, record))
    return found


def run_once(
    agent: Agent, task: TaskData, run_dir: Path, cache: Path, seconds: float = 60, **options
) -> Ran:
    """Run one attempt with seed 0."""
    names = ("memory_bytes", "log_bytes", "threads", "processes", "disk_bytes", "output_bytes")
    limits = Limits(seconds, **{n: options.pop(n) for n in names if n in options})
    settings = RunOptions(limits, now, cache=cache, **options)
    (ran,) = attempts_of(run_group(agent, [task], [0], run_dir, settings))
    return ran


def alive(word: str) -> list[list[str]]:
    """Return the command lines of running processes that hold a word."""
    found = []
    for process in psutil.process_iter(["cmdline", "status"]):
        line = process.info["cmdline"] or []
        if any(word in part for part in line) and process.info["status"] != psutil.STATUS_ZOMBIE:
            found.append(line)
    return found
