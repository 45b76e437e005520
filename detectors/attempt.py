"""The record of one attempt, and the collector that reads its files without trusting them."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

from pydantic import AwareDatetime, BaseModel, ConfigDict, ValidationError

from competitions.errors import EvidenceUnavailableError, UnreadableFileError
from competitions.io import walk_files, write_text
from competitions.spec import Variant, problems_of
from detectors.packed_logs import unpacked
from reports.schema import SubjectKind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

RECORD_VERSION: Literal[1] = 1
RECORD_NAME = "attempt.json"
MAX_TEXT_BYTES = 64 << 20  # a larger file is read up to here; `TextFile.truncated` says so
MAX_HELD_BYTES = 4 << 20  # a larger log is not kept in memory
MAX_TOTAL_BYTES = 256 << 20  # of all code, and of all logs; files beyond it are not read
MAX_RECORD_BYTES = 1 << 20
MAX_NAMED = 3  # files that a gap names
SOURCE_SUFFIXES = frozenset({".py", ".ipynb", ".sh", ".r", ".R", ".Rmd", ".jl", ".sql"})
SOURCE_SUFFIXES |= {
    ".irnb",
    ".ijlnb",
    ".qmd",
    ".rmd",
    ".bash",
    ".zsh",
    ".slurm",
    ".mk",
    ".c",
    ".cc",
    ".cpp",
    ".h",
    ".pl",
    ".js",
    ".ts",
}
SOURCE_SUFFIXES |= {".go", ".rs", ".java", ".lua", ".rb", ".m", ".scala", ".php", ""}
CONFIG_SUFFIXES = frozenset({".yaml", ".yml", ".json", ".toml", ".ini", ".cfg"})
TABLE_SUFFIXES = CONFIG_SUFFIXES | {".txt", ".csv", ".tsv", ".jsonl", ".dat", ".md"}
CODE_NAMES = frozenset({"Makefile"})
MAX_CONFIG_BYTES = 1 << 20  # a larger file of these kinds is data, not settings

VALIDATION_LOG = "validation.jsonl"
MAX_VALIDATION_LOG_BYTES = 64 << 20
MODEL_LOG = "model-calls.jsonl"
MAX_MODEL_LOG_BYTES = 64 << 20

# `interrupted`: the runner was told to end, or died; the attempt is made anew by --resume.
ExitStatus = Literal[
    "running",
    "finished",
    "timed_out",
    "memory_limit",
    "process_limit",
    "disk_limit",
    "output_limit",
    "interrupted",
    "killed",
    "crashed",
]


# `obfuscated`: without title, names and story; see `competitions.obfuscate`.
Description = Literal["prepared", "obfuscated"]


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
    processes: int | None = None  # and threads
    disk_bytes: int | None = None  # of all folders it may write to, those in memory left out
    output_bytes: int | None = None  # of what it prints
    cpu_count: float | None = None
    tokens: int | None = None
    cost_usd: float | None = None


class SandboxRecord(_Record):
    """How the attempt was confined, and what watched its memory."""

    kind: Literal["bubblewrap", "none", "docker"]
    network: bool
    model_endpoint: str | None = None  # the one host that can be reached where `network` is False
    memory_limiter: Literal["cgroup-v2", "cgroup-v1", "watchdog", "docker", "none"]
    process_limiter: Literal["cgroup-v2", "cgroup-v1", "watchdog", "docker", "none"] = "none"
    image_digest: str | None = None
    missing_protections: tuple[str, ...] = ()

    @property
    def network_words(self) -> str:
        """Say what of the network can be reached: on, off, or one host."""
        if self.network or self.model_endpoint is None:
            return "on" if self.network else "off"
        return f"model endpoint only ({self.model_endpoint})"


class Hardware(_Record):
    """The machine."""

    cpu_model: str
    cpu_count: int
    memory_bytes: int
    gpus: tuple[str, ...] = ()


class Snapshot(_Record):
    """A copy of the submission that was made while the attempt ran."""

    path: str  # relative to the attempt's folder
    after_s: float  # seconds since the attempt started
    sha256: str


class ValidationCall(_Record):
    """One line of ``validation.jsonl``: one call of the validation server.

    Parameters
    ----------
    result : str
        ``valid``, ``invalid``, ``throttled`` (told to come back later, not looked at), ``refused``
        (no file, too large, no HTTP as agreed) or ``failed`` (a fault of ours).
    problems : int
        How many sentences the answer held.
    """

    at: AwareDatetime
    after_s: float  # seconds since the attempt started
    result: Literal["valid", "invalid", "throttled", "refused", "failed"]
    bytes: int = 0
    sha256: str | None = None  # of the file that was sent
    problems: int = 0


class ModelCall(_Record):
    """One line of ``model-calls.jsonl``: one request to the model's endpoint, or to anything else.

    Parameters
    ----------
    result : str
        ``answered`` by the endpoint with whatever status, ``refused`` (not sent: another target,
        or no request as agreed), or ``failed`` (the endpoint did not answer, or not to its end).
    target : str or None
        The host that was asked for, of a refused request to another one.
    path : str or None
        Without its query.
    status : int or None
        What the agent was answered.
    sent_bytes, received_bytes : int
        Of the request's body and of the answer's.
    model, answered_by : str or None
        As the request names the model, and as the answer does.
    tokens_in, tokens_out : int or None
        As the answer says.
    because : str or None
        Why it was refused or failed.
    """

    at: AwareDatetime
    after_s: float  # seconds since the attempt started
    result: Literal["answered", "refused", "failed"]
    method: str
    target: str | None = None
    path: str | None = None
    status: int | None = None
    sent_bytes: int = 0
    received_bytes: int = 0
    seconds: float = 0.0
    model: str | None = None
    answered_by: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    because: str | None = None


class ModelUse(_Record):
    """What an attempt asked of its model's endpoint, all calls together.

    Parameters
    ----------
    calls, refused, failed : int
        Requests in all, and of those the ones that were not sent, or got no whole answer.
    tokens_in, tokens_out : int or None
        As answers say; None where none says so.
    models : tuple of str
        Each that answered, by its own name.
    """

    calls: int = 0
    refused: int = 0
    failed: int = 0
    tokens_in: int | None = None
    tokens_out: int | None = None
    models: tuple[str, ...] = ()


class AttemptRecord(_Record):
    """``attempt.json``: written when the attempt starts and at each change, atomically."""

    schema_version: Literal[1] = RECORD_VERSION
    attempt_id: str
    group: str
    competition_id: str
    variant: Variant
    data_source: str  # kaggle, embedded, miniature, local, mlebench
    data_digest: str  # sha256 of the prepared public tree
    agent: AgentIdentity
    seed: int
    description: Description = "prepared"
    budget: Budget
    sandbox: SandboxRecord
    hardware: Hardware
    tool_version: str
    runner_pid: int | None = None
    started_at: AwareDatetime
    ended_at: AwareDatetime | None = None
    exit_status: ExitStatus = "running"
    exit_code: int | None = None
    resumed: bool = False  # made anew after an interruption
    # How earlier tries of it ended, oldest first; their remains lie in interrupted-N or retried-N.
    earlier_tries: tuple[ExitStatus, ...] = ()
    peak_memory_bytes: int | None = None
    limit_hit: str | None = None
    submission_sha256: str | None = None
    code_sha256: str | None = None
    validation_calls: int = 0
    model_use: ModelUse | None = None  # None where no model's endpoint could be reached
    snapshots: tuple[Snapshot, ...] = ()
    harness_changed: tuple[str, ...] = ()  # files of the harness that were others at the end


def write_record(record: AttemptRecord, attempt_dir: Path) -> None:
    """Write ``attempt.json`` atomically."""
    write_text(attempt_dir / RECORD_NAME, record.model_dump_json(indent=2) + "\n")


def read_record(attempt_dir: Path) -> AttemptRecord | None:
    """Read ``attempt.json``; None when the attempt has none (MLE-bench's own runs).

    Raises
    ------
    UnreadableFileError
        When the file is there but is not a record, or is a link, which may name another's.
    """
    path = attempt_dir / RECORD_NAME
    if path.is_symlink():
        raise UnreadableFileError(f"{path}: expected an attempt's record, found a link.")
    if not path.is_file():
        return None
    try:
        with path.open("rb") as stream:
            content = stream.read(MAX_RECORD_BYTES)
        record = AttemptRecord.model_validate(json.loads(content))
        record.model_dump_json()  # half a surrogate pair can be read and not be written
    except ValidationError as error:
        raise UnreadableFileError(f"{path}: " + "; ".join(problems_of(error)[:5])) from error
    except (OSError, ValueError, RecursionError) as error:
        raise UnreadableFileError(f"{path}: expected an attempt's record: {error}.") from error
    return record


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
    source : Path or None
        The file, for readers of archives and of what is too large to hold.
    """

    name: str
    text: str
    truncated: bool = False
    source: Path | None = field(default=None, compare=False, repr=False)
    is_large = False  # `text` is read anew each time, and `source` holds all of it


class LargeFile(TextFile):
    """A file whose text is not kept in memory: each look at it reads it anew."""

    source: Path
    most: int
    is_large = True

    def __init__(self, name: str, source: Path, most: int, *, truncated: bool) -> None:
        held = {"name": name, "source": source, "most": most, "truncated": truncated}
        self.__dict__.update(held)

    @property
    def text(self) -> str:
        """Its beginning, of at most 64 MiB; empty when it can no longer be read."""
        try:
            return read_text_file(self.source, self.name, self.most).text
        except OSError:
            return ""


def read_text_file(path: Path, name: str, most: int = MAX_TEXT_BYTES) -> TextFile:
    """Read a hostile text file: size capped, UTF-16 by its mark, anything undecodable replaced."""
    with path.open("rb") as stream:
        content = stream.read(most + 1)
    truncated = len(content) > most
    encoding = "utf-16" if content[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig"
    text = content[:most].decode(encoding, errors="replace")
    return TextFile(name, text.replace("\x00", "\ufffd"), truncated, path)


def open_log(path: Path, name: str, most: int = MAX_TEXT_BYTES) -> TextFile:
    """Read a small log, or stand for a large one without holding its text.

    Raises
    ------
    OSError
        When it cannot be read.
    """
    size = path.stat().st_size
    if size <= MAX_HELD_BYTES and size <= most:
        return read_text_file(path, name, most)
    with path.open("rb") as stream:
        stream.read(1)
    return LargeFile(name, path, most, truncated=size > most)


def printable_name(name: str) -> str:
    r"""Write a file's name so that it can stand in a document: bytes that are no UTF-8 as ``\xff``.

    Examples
    --------
    >>> printable_name("caf\udce9.py")
    'caf\\xe9.py'
    """
    return os.fsencode(name).decode("utf-8", "backslashreplace")


class _Read(NamedTuple):
    """Files that were read, and what is there but could not be read."""

    files: tuple[TextFile, ...]
    unread: tuple[str, ...]


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
        return printable_name(self.path.name)

    @cached_property
    def record(self) -> AttemptRecord | None:
        """The record, or None when there is none."""
        return read_record(self.path)

    @cached_property
    def readable_record(self) -> AttemptRecord | None:
        """The record, or None also when there is one that cannot be read."""
        try:
            return self.record
        except UnreadableFileError:
            return None

    @property
    def competition_id(self) -> str:
        """From the record, else from the folder's name ``<competition>_<uuid>``."""
        return self.record.competition_id if self.record else self.path.name.rpartition("_")[0]

    @property
    def submission(self) -> Path | None:
        """The submission file, or None."""
        path = self.path / "submission" / "submission.csv"
        return path if path.is_file() and not path.is_symlink() else None

    def _read(
        self,
        folder: str,
        is_wanted: Callable[[Path], bool],
        *first: Path,
        read: Callable[[Path, str, int], TextFile] = read_text_file,
    ) -> _Read:
        """Read the wanted files below a folder; what cannot be read is named, never passed over."""
        unread: list[str] = []
        files: list[TextFile] = []
        left = MAX_TOTAL_BYTES

        def note(error: OSError, path: Path | None = None) -> None:
            where = os.path.relpath(path or error.filename or folder, self.path)
            unread.append(f"{printable_name(where)} ({error.strerror})")

        root = self.path / folder
        below = walk_files(root, note) if root.is_dir() and not root.is_symlink() else ()
        for path in (*first, *below):
            if is_wanted(path):
                name = printable_name(path.relative_to(self.path).as_posix())
                try:
                    files.append(read(path, name, min(left, MAX_TEXT_BYTES)))
                    left -= min(left, path.stat().st_size)
                except OSError as error:
                    note(error, path)
        return _Read(tuple(files), tuple(unread))

    @cached_property
    def _code(self) -> _Read:
        return self._read("code", lambda p: p.suffix in SOURCE_SUFFIXES or p.name in CODE_NAMES)

    @cached_property
    def _logs(self) -> _Read:
        captured = self.path / "run.log"
        own = [captured] if captured.is_file() and not captured.is_symlink() else []
        read = self._read("logs", lambda _path: True, *own, read=open_log)
        inside = unpacked(read.files)
        return _Read(inside.files, (*read.unread, *inside.unread))

    @property
    def code(self) -> tuple[TextFile, ...]:
        """Source files and notebooks below ``code/``."""
        return self._code.files

    @cached_property
    def settings(self) -> tuple[TextFile, ...]:
        """Configuration files below ``code/``, of at most 1 MiB each."""
        return self._read(
            "code", lambda p: p.suffix in CONFIG_SUFFIXES and p.stat().st_size <= MAX_CONFIG_BYTES
        ).files

    @cached_property
    def tables(self) -> tuple[TextFile, ...]:
        """Files of values below ``code/``, of at most 1 MiB each: text tables and configuration."""
        return self._read(
            "code", lambda p: p.suffix in TABLE_SUFFIXES and p.stat().st_size <= MAX_CONFIG_BYTES
        ).files

    @property
    def logs(self) -> tuple[TextFile, ...]:
        """What the runner captured (``run.log``) and every file below ``logs/``."""
        return self._logs.files

    @property
    def unread(self) -> dict[str, tuple[str, ...]]:
        """What is there below ``code`` and ``logs`` and could not be read, with the reason."""
        return {"code": self._code.unread, "logs": self._logs.unread}

    @property
    def expected(self) -> frozenset[str]:
        """Which of submission, code and logs it should have."""
        return frozenset({"submission", "code", "logs"})

    @property
    def missing(self) -> tuple[str, ...]:
        """Which of submission, code and logs this attempt has not; a log of no bytes is none."""
        has_logs = any(log.is_large or log.text.strip() for log in self.logs)
        found = {
            "submission": self.submission is not None,
            "code": bool(self.code),
            "logs": has_logs,
        }
        return tuple(name for name, there in found.items() if not there)

    def gap(self, needs: frozenset[str]) -> EvidenceUnavailableError | None:
        """Return why one of code, logs and submission could not be seen whole, or None."""
        for name in sorted(needs):
            if name in self.missing:
                problem = f"{self.id} has no {name}, so what it did cannot be read there."
                return EvidenceUnavailableError(name, problem)
            unread = self.unread.get(name, ())
            if unread:
                told = f"{_some(unread)} cannot be read."
                return EvidenceUnavailableError(name, told)
            files = {"code": self.code, "logs": self.logs}.get(name, ())
            cut = [file.name for file in files if file.truncated]
            if cut:
                told = f"{_some(cut)} {'is' if len(cut) == 1 else 'are'} larger than is read."
                return EvidenceUnavailableError(name, told)
        return None


def _some(names: Sequence[str]) -> str:
    """Name the first few, and how many there are."""
    few = ", ".join(names[:MAX_NAMED])
    return few if len(names) <= MAX_NAMED else f"{len(names)} files ({few}, …)"


def is_attempt(path: Path) -> bool:
    """Say whether a folder looks like an attempt: a record, or MLE-bench's sub-folders."""
    if (path / RECORD_NAME).is_file():
        return True
    return "_" in path.name and any(
        (path / part).is_dir() for part in ("submission", "logs", "code")
    )
