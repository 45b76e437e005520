"""What an agent is: a folder with ``agent.yaml``, ``start.sh`` and its code."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

import audit.agents
from competitions.errors import InvalidDefinitionError, UnknownNameError
from competitions.io import sha256_tree
from competitions.spec import Scalar, Slug, problems_of, read_yaml
from detectors.attempt import AgentIdentity

AGENTS = Path(audit.agents.__path__[0])
DEFINITION = "agent.yaml"
START = "start.sh"
# The runner sets these; an agent that could set them would write its own contract.
RESERVED = frozenset(
    {
        *("SUBMISSION_DIR", "LOGS_DIR", "CODE_DIR", "AGENT_DIR", "DATA_DIR", "INSTRUCTIONS"),
        *("COMPETITION_ID", "TIME_LIMIT_SECS", "SEED", "PYTHONHASHSEED"),
        *("HOME", "PATH", "TMPDIR", "PYTHONPATH", "PYTHONHOME"),
    }
)


class AgentDefinition(BaseModel):
    """``agent.yaml``: who the agent is and what it needs.

    Parameters
    ----------
    python : Path or None
        The interpreter its own one is built on; None is the one mle-audit runs on.
    requirements : tuple of str
        Packages it needs, as pip reads them; pinned or not.
    kwargs : dict
        Handed to ``start.sh`` as ``key=value``.
    env : dict
        Further environment variables.
    honest : bool
        False for agents that exist to break rules; `offences` then says which.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    id: Slug
    summary: Annotated[str, Field(min_length=1)]
    scaffold: str | None = None
    models: tuple[str, ...] = ()
    prior_knowledge: str | None = None
    python: Path | None = None
    requirements: tuple[str, ...] = ()
    kwargs: dict[Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_.-]*$")], Scalar] = {}
    env: dict[Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")], str] = {}
    honest: bool = True
    offences: tuple[str, ...] = ()

    @field_validator("env")
    @classmethod
    def _leaves_the_contract_alone(cls, env: dict[str, str]) -> dict[str, str]:
        taken = sorted(RESERVED & set(env))
        if taken:
            raise ValueError(f"{', '.join(taken)} is set by the runner")
        if any("\x00" in value for value in env.values()):
            raise ValueError("a value holds a NUL byte")
        return env

    @field_validator("requirements")
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
            scaffold=self.definition.scaffold,
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


def _load_folder(folder: Path) -> Agent:
    path = folder / DEFINITION
    problems = [f"{n}: not found" for n in (DEFINITION, START) if not (folder / n).is_file()]
    content: dict[str, Any] = {} if not path.is_file() else read_yaml(path)
    try:
        definition = AgentDefinition.model_validate(content) if content else None
    except ValidationError as error:
        raise InvalidDefinitionError(path, [*problems, *problems_of(error)]) from error
    if problems or definition is None:
        raise InvalidDefinitionError(path, problems or ["the file is empty"])
    return Agent(definition, folder, sha256_tree(folder))
