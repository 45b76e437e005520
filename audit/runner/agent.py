"""What an agent is: a folder with ``agent.yaml``, ``start.sh`` and its code."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

import audit.agents
from audit.runner.limits import parse_duration, parse_size
from competitions.errors import InvalidDefinitionError, UnknownNameError, UsageError
from competitions.io import sha256_tree
from competitions.spec import Scalar, Slug, problems_of, read_yaml
from detectors.record import AgentIdentity

if TYPE_CHECKING:
    from collections.abc import Callable

AGENTS = Path(audit.agents.__path__[0])
DEFINITION = "agent.yaml"
START = "start.sh"
# The runner sets these; an agent that could set them would write its own contract.
RESERVED = frozenset(
    {
        *("SUBMISSION_DIR", "LOGS_DIR", "CODE_DIR", "AGENT_DIR", "DATA_DIR", "INSTRUCTIONS"),
        *("COMPETITION_ID", "TIME_LIMIT_SECS", "SEED", "PYTHONHASHSEED"),
        *("VALIDATION_URL", "VALIDATE_SUBMISSION"),
        *("HOME", "PATH", "TMPDIR", "PYTHONPATH", "PYTHONHOME"),
    }
)


class AgentBudget(BaseModel):
    """What one attempt is declared to cost; None where the agent asks no model, or says nothing.

    Parameters
    ----------
    tokens, cost_usd : int, float
        Of the models it asks; recorded, not enforced.
    wall_clock, memory : str
        What one attempt needs, as ``10m`` and ``2G``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    tokens: Annotated[int, Field(gt=0)] | None = None
    cost_usd: Annotated[float, Field(ge=0)] | None = None
    wall_clock: str | None = None
    memory: str | None = None

    @field_validator("wall_clock")
    @classmethod
    def _is_duration(cls, text: str | None) -> str | None:
        return _read_by(parse_duration, text)

    @field_validator("memory")
    @classmethod
    def _is_size(cls, text: str | None) -> str | None:
        return _read_by(parse_size, text)

    @property
    def wall_clock_s(self) -> float | None:
        """The declared wall clock in seconds."""
        return parse_duration(self.wall_clock) if self.wall_clock else None

    @property
    def memory_bytes(self) -> int | None:
        """The declared memory in bytes."""
        return parse_size(self.memory) if self.memory else None


def _read_by(read: Callable[[str], float], text: str | None) -> str | None:
    try:
        if text is not None:
            read(text)
    except UsageError as error:
        raise ValueError(error.problem) from error
    return text


class AgentDefinition(BaseModel):
    """``agent.yaml``: who the agent is and what it needs.

    Parameters
    ----------
    scaffold, scaffold_version : str or None
        What it is built on.
    models : tuple of str
        Every model it asks, with its version.
    python : Path or None
        The interpreter its own one is built on; None is the one mle-audit runs on.
    requirements : tuple of str
        Packages it needs, as pip reads them; pinned or not.
    requirements_alone : tuple of str
        Packages that are installed without what they ask for in turn, for those that ask for much
        more than they use.
    image : str or None
        The image it comes as, for ``--sandbox docker``; its software is then the image's.
    kwargs : dict
        Handed to ``start.sh`` as ``key=value``.
    env : dict
        Further environment variables.
    honest : bool
        False for agents that exist to break rules.
    offences : tuple of str
        Ids of the detectors that must see what it does; `undetected` names those to come.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    id: Slug
    summary: Annotated[str, Field(min_length=1)]
    scaffold: str | None = None
    scaffold_version: str | None = None
    models: tuple[str, ...] = ()
    prior_knowledge: str | None = None
    python: Path | None = None
    image: Annotated[str, Field(pattern=r"^[a-z0-9][A-Za-z0-9._/:@-]*$")] | None = None
    requirements: tuple[str, ...] = ()
    requirements_alone: tuple[str, ...] = ()
    kwargs: dict[Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_.-]*$")], Scalar] = {}
    env: dict[Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")], str] = {}
    budget: AgentBudget = AgentBudget()
    honest: bool = True
    offences: tuple[str, ...] = ()

    @property
    def undetected(self) -> tuple[str, ...]:
        """Offences that nobody sees yet: a detector of that id does not exist."""
        from detectors.base import all_detectors

        known = all_detectors()
        return tuple(offence for offence in self.offences if offence not in known)

    @field_validator("env")
    @classmethod
    def _leaves_the_contract_alone(cls, env: dict[str, str]) -> dict[str, str]:
        taken = sorted(RESERVED & set(env))
        if taken:
            raise ValueError(f"{', '.join(taken)} is set by the runner")
        if any("\x00" in value for value in env.values()):
            raise ValueError("a value holds a NUL byte")
        return env

    @model_validator(mode="after")
    def _is_a_version_of_something(self) -> AgentDefinition:
        if self.scaffold_version and not self.scaffold:
            raise ValueError("scaffold_version is given and scaffold is not")
        return self

    @field_validator("requirements", "requirements_alone")
    @classmethod
    def _are_requirements(cls, requirements: tuple[str, ...]) -> tuple[str, ...]:
        from packaging.requirements import InvalidRequirement, Requirement

        for text in requirements:
            try:
                Requirement(text)
            except InvalidRequirement as error:
                raise ValueError(f"{text!r} is no requirement as pip reads them") from error
        return requirements


@dataclass(frozen=True)
class Agent:
    """An agent's definition, its folder and the digest of that folder."""

    definition: AgentDefinition
    folder: Path
    digest: str

    @property
    def id(self) -> str:
        """The id its definition gives."""
        return self.definition.id

    @property
    def identity(self) -> AgentIdentity:
        """What an attempt's record says about it."""
        return AgentIdentity(
            id=self.id,
            digest=self.digest,
            scaffold=" ".join(
                filter(None, (self.definition.scaffold, self.definition.scaffold_version))
            )
            or None,
            models=self.definition.models,
            prior_knowledge=self.definition.prior_knowledge,
        )


def agent_ids() -> list[str]:
    """List the agents that ship with mle-audit, sorted."""
    return sorted(path.parent.name for path in AGENTS.glob(f"*/{DEFINITION}"))


def load_agent(name_or_path: str | Path) -> Agent:
    """Load an agent by its id, or from a folder of one's own.

    Parameters
    ----------
    name_or_path : str or Path
        An id of `agent_ids`, which wins over a folder of the same name; write ``./name`` for that.

    Raises
    ------
    UnknownNameError
        When it is neither.
    InvalidDefinitionError
        When the folder is no agent; every problem is listed.
    """
    name = str(name_or_path)
    known = agent_ids()
    if name in known:
        return _load_folder(AGENTS / name)
    folder = Path(name_or_path)
    if not folder.is_dir():
        remedy = f"Agents: {', '.join(known)}; or give a folder that holds {DEFINITION}."
        raise UnknownNameError("agent", name, known, remedy)
    return _load_folder(folder.resolve())


def _lacking(name: str) -> str:
    what = {DEFINITION: "says who the agent is", START: "is run once per attempt, with bash"}[name]
    return f"{name}: not in this folder; it {what}"


def _load_folder(folder: Path) -> Agent:
    path = folder / DEFINITION
    problems = [_lacking(n) for n in (DEFINITION, START) if not (folder / n).is_file()]
    content: dict[str, Any] = {} if not path.is_file() else read_yaml(path)
    try:
        definition = AgentDefinition.model_validate(content) if content else None
    except ValidationError as error:
        found = [*problems, *problems_of(error, AgentDefinition)]
        raise InvalidDefinitionError(folder if problems else path, found) from error
    if problems or definition is None:
        where = folder if problems else path
        raise InvalidDefinitionError(where, problems or ["the file is empty"])
    return Agent(definition, folder, sha256_tree(folder))
