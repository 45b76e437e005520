"""The record of one attempt: what it was allowed, how it was confined, and how it ended."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, ValidationError

from competitions.errors import UnreadableFileError
from competitions.io import write_text
from competitions.spec import Variant, problems_of

if TYPE_CHECKING:
    from pathlib import Path

RECORD_VERSION: Literal[1] = 1
RECORD_NAME = "attempt.json"
MAX_RECORD_BYTES = 1 << 20

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
