"""The record of one attempt, and the collector that reads its files without trusting them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, ValidationError

from competitions.errors import UnreadableFileError
from competitions.io import walk_files, write_text
from competitions.spec import Variant, problems_of
from reports.schema import SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RECORD_VERSION = 1
RECORD_NAME = "attempt.json"
MAX_TEXT_BYTES = 64 << 20  # a larger file is read up to here; `TextFile.truncated` says so
CODE_SUFFIXES = frozenset({".py", ".ipynb", ".sh", ".r", ".R", ".Rmd", ".jl", ".sql"})

ExitStatus = Literal["running", "finished", "timed_out", "memory_limit", "killed", "crashed"]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class AgentIdentity(_Record):
    """Which system made the attempt."""

    id: str
    digest: str  # sha256 of the agent's folder
    scaffold: str | None = None
    models: tuple[str, ...] = ()
    prior_knowledge: str | None = None  # what its authors say it was given beforehand


class Budget(_Record):
    """What the attempt was allowed to use. None means no limit."""

    wall_clock_s: float
    memory_bytes: int | None = None
    cpu_count: float | None = None
    tokens: int | None = None
    cost_usd: float | None = None


class SandboxRecord(_Record):
    """How the attempt was confined, and what watched its memory."""

    kind: Literal["bubblewrap", "none", "docker"]
    network: bool
    memory_limiter: Literal["cgroup-v2", "cgroup-v1", "watchdog", "none"]
    image_digest: str | None = None
    missing_protections: tuple[str, ...] = ()


class Hardware(_Record):
    """The machine."""

    cpu_model: str
    cpu_count: int
    memory_bytes: int
    gpus: tuple[str, ...] = ()


class AttemptRecord(_Record):
    """``attempt.json``: written when the attempt starts and at each change, atomically."""

    schema_version: int = RECORD_VERSION
    attempt_id: str
    group: str
    competition_id: str
    variant: Variant
    data_source: str  # kaggle, embedded, miniature, local, mlebench
    data_digest: str  # sha256 of the prepared public tree
    agent: AgentIdentity
    seed: int
    budget: Budget
    sandbox: SandboxRecord
    hardware: Hardware
    tool_version: str
    runner_pid: int | None = None
    started_at: AwareDatetime
    ended_at: AwareDatetime | None = None
    exit_status: ExitStatus = "running"
    exit_code: int | None = None
    resumed: bool = False
    peak_memory_bytes: int | None = None
    limit_hit: str | None = None
    submission_sha256: str | None = None
    code_sha256: str | None = None
    validation_calls: int = 0


def write_record(record: AttemptRecord, attempt_dir: Path) -> None:
    """Write ``attempt.json`` atomically."""
    write_text(attempt_dir / RECORD_NAME, record.model_dump_json(indent=2) + "\n")


def read_record(attempt_dir: Path) -> AttemptRecord | None:
    """Read ``attempt.json``; None when the attempt has none (MLE-bench's own runs).

    Raises
    ------
    UnreadableFileError
        When the file is there but is not a record.
    """
    path = attempt_dir / RECORD_NAME
    if not path.is_file():
        return None
    try:
        return AttemptRecord.model_validate(json.loads(path.read_text(encoding="utf-8")))
    except ValidationError as error:
        raise UnreadableFileError(f"{path}: " + "; ".join(problems_of(error)[:5])) from error
    except (OSError, ValueError) as error:
        raise UnreadableFileError(f"{path}: expected an attempt's record: {error}.") from error


@dataclass(frozen=True)
class TextFile:
    """A text file of an attempt: hostile input, decoded without failing.

    Parameters
    ----------
    name : str
        Path relative to the attempt's folder, with forward slashes.
    text : str
        Content; bytes that are no UTF-8 become U+FFFD, NUL bytes too.
    truncated : bool
        True when only the first 64 MiB were read.
    """

    name: str
    text: str
    truncated: bool = False


def read_text_file(path: Path, name: str) -> TextFile:
    """Read a hostile text file: size capped, UTF-16 by its mark, anything undecodable replaced."""
    with path.open("rb") as stream:
        content = stream.read(MAX_TEXT_BYTES + 1)
    truncated = len(content) > MAX_TEXT_BYTES
    encoding = "utf-16" if content[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig"
    text = content[:MAX_TEXT_BYTES].decode(encoding, errors="replace")
    return TextFile(name, text.replace("\x00", "\ufffd"), truncated)


@dataclass(frozen=True)
class Attempt:
    """One attempt's folder, read lazily; nothing in it is ever imported or unpickled.

    Parameters
    ----------
    path : Path
        Folder with ``submission/``, ``code/``, ``logs/``, and perhaps ``run.log`` and
        ``attempt.json``.
    """

    path: Path
    kind = SubjectKind.ATTEMPT

    @property
    def id(self) -> str:
        """The folder's name, which holds the competition and a unique part."""
        return self.path.name

    @cached_property
    def record(self) -> AttemptRecord | None:
        """The record, or None when there is none."""
        return read_record(self.path)

    @property
    def competition_id(self) -> str:
        """From the record, else from the folder's name ``<competition>_<uuid>``."""
        return self.record.competition_id if self.record else self.path.name.rpartition("_")[0]

    @property
    def submission(self) -> Path | None:
        """The submission file, or None."""
        path = self.path / "submission" / "submission.csv"
        return path if path.is_file() and not path.is_symlink() else None

    def _files(self, *folders: str) -> Iterator[tuple[Path, str]]:
        for folder in folders:
            root = self.path / folder
            if root.is_dir() and not root.is_symlink():
                for path in walk_files(root):
                    yield path, path.relative_to(self.path).as_posix()

    @cached_property
    def code(self) -> tuple[TextFile, ...]:
        """Source files and notebooks below ``code/``."""
        return tuple(
            read_text_file(p, name) for p, name in self._files("code") if p.suffix in CODE_SUFFIXES
        )

    @cached_property
    def logs(self) -> tuple[TextFile, ...]:
        """What the runner captured (``run.log``) and every file below ``logs/``."""
        captured = self.path / "run.log"
        own = [(captured, "run.log")] if captured.is_file() and not captured.is_symlink() else []
        return tuple(read_text_file(p, name) for p, name in [*own, *self._files("logs")])

    @property
    def missing(self) -> tuple[str, ...]:
        """Which of submission, code and logs this attempt has not; a log of no bytes is none."""
        has_logs = any(log.text.strip() for log in self.logs)
        found = {
            "submission": self.submission is not None,
            "code": bool(self.code),
            "logs": has_logs,
        }
        return tuple(name for name, there in found.items() if not there)


def is_attempt(path: Path) -> bool:
    """Say whether a folder looks like an attempt: a record, or MLE-bench's sub-folders."""
    if (path / RECORD_NAME).is_file():
        return True
    return "_" in path.name and any(
        (path / part).is_dir() for part in ("submission", "logs", "code")
    )
