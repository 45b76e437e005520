"""Where everything of one attempt lies, on the host and inside, and its environment."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from audit.runner.hidden import Bind

if TYPE_CHECKING:
    from audit.runner.agent import Agent
    from audit.runner.interpreter import Interpreter
    from audit.runner.limits import Limits

INTERPRETER = Path("/opt/interpreter")
BIN = INTERPRETER / "bin"
DESCRIPTION = "description.md"
WRITABLE = ("submission", "code", "logs")
_HOME = PurePosixPath("/home")
VALIDATION_SOCKET = "server.sock"
RELAY = PurePosixPath("/run/validation/relay.py")
SOCKET = PurePosixPath("/run/validation") / VALIDATION_SOCKET
PORT = 5000  # MLE-bench's
_SCRIPT = "validate_submission.sh"
MODEL_SOCKET = "model.sock"
MODEL_PORT = 5001
_MODEL = PurePosixPath("/run/model")
PLACEHOLDER = "the-key-is-added-outside-the-sandbox"  # clients refuse to start without one
_THREAD_SETTINGS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "POLARS_MAX_THREADS",
    "LOKY_MAX_CPU_COUNT",
)
_MAX_HASH_SEED = 1 << 32


@dataclass(frozen=True)
class Validation:
    """How an agent reaches the validation server.

    Parameters
    ----------
    folder : Path
        On the host: holds ``validate_submission.sh``, and the socket and the relay for a sandbox.
    url : str
        Where it listens for an agent without a sandbox; inside one, the port is always the same.
    """

    folder: Path
    url: str

    @property
    def script(self) -> Path:
        """What asks it about a file."""
        return self.folder / _SCRIPT


@dataclass(frozen=True)
class ModelAccess:
    """How an agent reaches its model's endpoint.

    Parameters
    ----------
    folder : Path
        On the host: holds the socket and the relay for a sandbox.
    url : str
        The base address for the agent's client.
    """

    folder: Path
    url: str

    @property
    def relay(self) -> PurePosixPath:
        """The relay inside."""
        return _MODEL / RELAY.name

    @property
    def socket(self) -> PurePosixPath:
        """The socket inside."""
        return _MODEL / MODEL_SOCKET

    @property
    def environment(self) -> dict[str, str]:
        """What clients of OpenAI's and Anthropic's interfaces look for."""
        return {
            "OPENAI_BASE_URL": self.url,
            "OPENAI_API_BASE": self.url,
            "OPENAI_API_KEY": PLACEHOLDER,
            "ANTHROPIC_BASE_URL": self.url.removesuffix("/v1"),
            "ANTHROPIC_API_KEY": PLACEHOLDER,
        }


@dataclass(frozen=True)
class Places:
    """The host's folders of one attempt.

    Parameters
    ----------
    attempt : Path
        The attempt's folder; holds ``submission``, ``code``, ``logs`` and ``instructions.txt``.
    public : Path
        The public half of the prepared data.
    agent : Path
        The agent's folder.
    interpreter : Interpreter
        The agent's own.
    hidden : tuple of Path
        Host paths that must not be seen even if they lie below one of the above.
    scratch_bytes : int or None
        What all scratch folders inside may hold together; None leaves it to the kernel.
    validation : Validation or None
        The attempt's validation server; None where there is none.
    model : ModelAccess or None
        The way to the model's endpoint; None where there is none.
    description : Path or None
        Stands in the place of the data's ``description.md``; None leaves it.
    """

    attempt: Path
    public: Path
    agent: Path
    interpreter: Interpreter
    hidden: tuple[Path, ...] = ()
    scratch_bytes: int | None = None
    validation: Validation | None = None
    model: ModelAccess | None = None
    description: Path | None = None

    @property
    def agent_inside(self) -> PurePosixPath:
        """Where the agent's folder stands inside."""
        return _HOME / "agent"

    @property
    def instructions(self) -> Path:
        """The task as told to the agent."""
        return self.attempt / "instructions.txt"


def inside_binds(places: Places) -> list[tuple[Bind, bool]]:
    """List the contract's folders inside; the flag says whether the agent may write there."""
    home = Path(_HOME)
    server: list[tuple[Bind, bool]] = []
    if places.validation is not None:
        folder = places.validation.folder
        server = [
            (Bind(folder / VALIDATION_SOCKET, Path(SOCKET)), False),
            (Bind(folder / RELAY.name, Path(RELAY)), False),
            (Bind(places.validation.script, home / _SCRIPT), False),
        ]
    if places.model is not None:
        model = places.model
        server += [
            (Bind(model.folder / MODEL_SOCKET, Path(model.socket)), False),
            (Bind(model.folder / RELAY.name, Path(model.relay)), False),
        ]
    told = places.description
    described = [(Bind(told, home / "data" / DESCRIPTION), False)] if told is not None else []
    return [
        (Bind(places.public, home / "data"), False),
        *described,
        (Bind(places.agent, home / "agent"), False),
        (Bind(places.instructions, home / "instructions.txt"), False),
        *((Bind(places.attempt / name, home / name), True) for name in WRITABLE),
        *server,
    ]


def inside_environment(
    agent: Agent, places: Places, competition_id: str, seed: int, limits: Limits
) -> dict[str, str]:
    """Return the whole environment of an agent in a sandbox with folders of its own."""
    return {
        **agent.definition.env,
        **_common(competition_id, seed, limits),
        **(places.model.environment | _refusing_proxy() if places.model else {}),
        "SUBMISSION_DIR": str(_HOME / "submission"),
        "LOGS_DIR": str(_HOME / "logs"),
        "CODE_DIR": str(_HOME / "code"),
        "AGENT_DIR": str(_HOME / "agent"),
        "DATA_DIR": str(_HOME / "data"),
        "INSTRUCTIONS": str(_HOME / "instructions.txt"),
        "VALIDATION_URL": f"http://127.0.0.1:{PORT}/validate",
        "VALIDATE_SUBMISSION": str(_HOME / _SCRIPT),
        "HOME": str(_HOME / "user"),
        "TMPDIR": "/tmp",  # noqa: S108 - new and empty inside
        "PATH": f"{BIN}:/usr/local/bin:/usr/bin:/bin",
    }


def _refusing_proxy() -> dict[str, str]:
    """Lead every other request to the model's proxy, which refuses it and writes down its target.

    Without this it would fail as well, and nobody would learn what was asked for.
    """
    ways = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
    all_cases = [name for way in ways for name in (way, way.lower())]
    return {
        **dict.fromkeys(all_cases, f"http://127.0.0.1:{MODEL_PORT}"),
        **dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost"),
    }


def outside_environment(
    agent: Agent, places: Places, competition_id: str, seed: int, limits: Limits
) -> dict[str, str]:
    """Return the whole environment of an agent that runs without a sandbox."""
    server = {}
    if places.validation is not None:
        script = str(places.validation.script)
        server = {"VALIDATION_URL": places.validation.url, "VALIDATE_SUBMISSION": script}
    return {
        **agent.definition.env,
        **_common(competition_id, seed, limits),
        **(places.model.environment if places.model else {}),
        **server,
        "SUBMISSION_DIR": str(places.attempt / "submission"),
        "LOGS_DIR": str(places.attempt / "logs"),
        "CODE_DIR": str(places.attempt / "code"),
        "AGENT_DIR": str(places.agent),
        "DATA_DIR": str(places.public),
        "INSTRUCTIONS": str(places.instructions),
        "PATH": f"{places.interpreter.bin}:/usr/local/bin:/usr/bin:/bin",
    }


def arguments(agent: Agent) -> list[str]:
    """Return what ``start.sh`` is called with: ``key=value`` for each of the agent's kwargs."""
    return [f"{key}={value}" for key, value in agent.definition.kwargs.items()]


def _common(competition_id: str, seed: int, limits: Limits) -> dict[str, str]:
    return {
        "COMPETITION_ID": competition_id,
        "TIME_LIMIT_SECS": str(int(limits.wall_clock_s)),
        "SEED": str(seed),
        "PYTHONHASHSEED": str(seed % _MAX_HASH_SEED),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONNOUSERSITE": "1",
        "PYTHONUNBUFFERED": "1",  # what was printed before a kill is in the log
        "LANG": "C.UTF-8",
        "USER": "agent",
        **dict.fromkeys(_THREAD_SETTINGS, str(limits.threads)),
    }
