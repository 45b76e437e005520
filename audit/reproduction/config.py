"""What is to be reproduced: a YAML file of facts, and the same with the data's digests."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from audit.runner.agent import agent_ids, load_agent
from audit.runner.limits import DEFAULT_PROCESSES, Limits, parse_duration, parse_size
from audit.selection import SPLITS, chosen_competitions
from competitions.errors import InvalidDefinitionError, MleAuditError, UnknownNameError, UsageError
from competitions.io import write_text
from competitions.sources import NAMES
from competitions.spec import Slug, Variant, load, problems_of, read_yaml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from audit.runner.agent import Agent
    from competitions.spec import Competition

MIN_RUNS = 2  # a single run has no interval
MAX_RUNS = 1000
_TEXTS = ("time_limit", "memory", "disk", "output_limit")
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
_Written = Annotated[str, BeforeValidator(str)]  # 600 as well as 10m


class Frozen(BaseModel):
    """A task's data by digest; what is None was not frozen and is not compared.

    Parameters
    ----------
    public, private : str or None
        sha256 of everything an agent may see, and of the answers' folder.
    definition : str or None
        sha256 of the parts of the task's definition that shape its data.
    board : str or None
        sha256 of the board that percentiles and medals are read from.
    split : str or None
        The recipe in words.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    public: Digest | None = None
    private: Digest | None = None
    definition: Digest | None = None
    board: Digest | None = None
    split: str | None = None


class ReproductionConfig(BaseModel):
    """``CONFIG.yaml``; paths in it are relative to its own folder.

    Parameters
    ----------
    agent, baseline : str
        An agent's id, or a folder that holds one.
    competitions : tuple of str
        Ids; or `split`, a name of the benchmark's splits.
    source : dict
        Task to where its raw files come from; without it what is prepared is taken, else the
        task's own source.
    runs : int
        Independent runs per agent and task, with the seeds 0 to runs − 1.
    agent_sha256, baseline_sha256 : str or None
        Digests of the agents' folders, which must then match.
    freeze : dict
        Task to the digests its prepared data must have.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    agent: Annotated[str, Field(min_length=1)]
    baseline: Annotated[str, Field(min_length=1)] = "baseline"
    competitions: tuple[Slug, ...] = ()
    split: str | None = None
    variant: Variant = "v1"
    source: dict[Slug, str] = {}
    data_dir: str | None = None
    runs: Annotated[int, Field(ge=MIN_RUNS, le=MAX_RUNS)] = 3
    time_limit: _Written = "1h"
    memory: _Written | None = None
    disk: _Written = "20G"
    output_limit: _Written = "1G"
    processes: int = DEFAULT_PROCESSES
    sandbox: Literal["bubblewrap", "none"] = "bubblewrap"
    jobs: Annotated[int, Field(ge=1)] = 1
    agent_sha256: Digest | None = None
    baseline_sha256: Digest | None = None
    freeze: dict[Slug, Frozen] = {}


@dataclass(frozen=True)
class Plan:
    """A configuration with everything it names found.

    Parameters
    ----------
    folder : Path
        Of the configuration; its paths are relative to it.
    specs : tuple of Competition
        The tasks, in order.
    """

    config: ReproductionConfig
    folder: Path
    agent: Agent
    baseline: Agent
    specs: tuple[Competition, ...]
    limits: Limits

    def data_dir(self, default: Path) -> Path:
        """Return where data are prepared; `default` when the configuration does not say."""
        named = self.config.data_dir
        return default if named is None else self.folder / _at_home(named)

    @property
    def seeds(self) -> range:
        """One seed per independent run."""
        return range(self.config.runs)


def read_plan(path: Path) -> Plan:
    """Read a configuration and find its agents and tasks; nothing is made or started.

    Raises
    ------
    UsageError
        When there is no such file.
    InvalidDefinitionError
        With every problem at once, each naming its field.
    """
    try:
        content = read_yaml(path)
    except OSError as error:
        raise UsageError(
            f"{path}: no configuration can be read here ({error.strerror}).",
            "What one looks like: docs/reproduce.md",
        ) from error
    problems: list[str] = []
    config: ReproductionConfig | None = None
    try:
        config = ReproductionConfig.model_validate(content)
    except ValidationError as error:
        problems = problems_of(error, ReproductionConfig)
    broken = {p.partition(":")[0].partition(".")[0] for p in problems}
    sound = {name: value for name, value in content.items() if name not in broken}
    problems += _problems(sound, broken, path.parent)
    if problems or config is None:
        raise InvalidDefinitionError(path, problems)
    agent, baseline = (agent_at(n, path.parent) for n in (config.agent, config.baseline))
    specs = tuple(load(name, config.variant) for name in _names(config.competitions, config.split))
    return Plan(config, path.parent, agent, baseline, specs, limits_of(config.model_dump()))


def _at_home(text: str) -> Path:
    """Put a home folder in the place of ``~``; one of nobody stays as it is, and is not found."""
    return Path(os.path.expanduser(text))  # noqa: PTH111 - pathlib's raises RuntimeError


def agent_at(name: str, folder: Path) -> Agent:
    """Load an agent by its id, or from a folder relative to another.

    Raises
    ------
    UnknownNameError
        When it is neither.
    InvalidDefinitionError
        When the folder is no agent.
    """
    known = agent_ids()
    place = folder / _at_home(name)
    if name not in known and not place.is_dir():
        raise UnknownNameError("agent", name, known, f"Expected an id, or a folder {place}.")
    return load_agent(name if name in known else place)


def limits_of(fields: Mapping[str, Any]) -> Limits:
    """Return what one run may use, from the fields of a configuration; others have defaults.

    Raises
    ------
    UsageError
        When one of them is no such quantity, or beyond what is possible.
    """
    texts = {
        name: fields.get(name, ReproductionConfig.model_fields[name].default) for name in _TEXTS
    }
    return Limits(
        parse_duration(str(texts["time_limit"])),
        parse_size(str(texts["memory"])) if texts["memory"] is not None else None,
        processes=fields.get("processes", DEFAULT_PROCESSES),
        disk_bytes=parse_size(str(texts["disk"])),
        output_bytes=parse_size(str(texts["output_limit"])),
    )


def _problems(sound: Mapping[str, Any], broken: set[str], folder: Path) -> Iterator[str]:
    """Say what is wrong with fields that are of their type; broken ones were named already."""
    yield from _wrong_agents(sound, broken, folder)
    names: list[str] = []
    if not broken & {"competitions", "split"}:
        listed, split = sound.get("competitions", ()), sound.get("split")
        if bool(listed) == bool(split):
            what = "both" if listed else "neither"
            yield f"competitions: expected competitions or split, found {what}"
        elif split and split not in SPLITS:
            yield f"split: expected one of {', '.join(SPLITS)}, found {split!r}"
        else:
            names = _found(_names, listed, split) or []
            for name in listed:
                yield from _told("competitions", load, name, sound.get("variant", "v1"))
    for field in ("source", "freeze"):
        for name in sound.get(field, ()) if names and field not in broken else ():
            if name not in names:
                yield f"{field}: {name} is not one of the tasks"
    for name, source in sound.get("source", {}).items():
        if source not in NAMES:
            yield f"source.{name}: expected one of {', '.join(NAMES)}, found {source!r}"
    yield from _wrong_limits(sound)


def _wrong_limits(sound: Mapping[str, Any]) -> Iterator[str]:
    unread: set[str] = set()
    for field in _TEXTS:
        if sound.get(field) is not None:
            read = parse_duration if field == "time_limit" else parse_size
            if problems := list(_told(field, read, str(sound[field]))):
                unread.add(field)
                yield from problems
    yield from _told("limits", limits_of, {n: v for n, v in sound.items() if n not in unread})


def _wrong_agents(sound: Mapping[str, Any], broken: set[str], folder: Path) -> Iterator[str]:
    found: dict[str, Agent] = {}
    for field, default in (("agent", None), ("baseline", "baseline")):
        name = sound.get(field, default)
        if name is None or field in broken:
            continue
        try:
            found[field] = agent_at(name, folder)
        except MleAuditError as error:
            yield f"{field}: {_one_line(error)}"
    if len(found) == 2 and found["agent"].id == found["baseline"].id:  # noqa: PLR2004 - both
        yield f"baseline: expected another agent than {found['agent'].id}, found the same id"


def _told(field: str, read: Callable[..., object], *arguments: object) -> Iterator[str]:
    """Say what a reader says against a value, or nothing."""
    try:
        read(*arguments)
    except MleAuditError as error:
        yield f"{field}: {error.problem}"  # what helps on a command line is no help here


def _found(read: Callable[..., list[str]], *arguments: object) -> list[str] | None:
    try:
        return read(*arguments)
    except MleAuditError:
        return None


def _one_line(error: MleAuditError) -> str:
    return " ".join(str(error).split())


def _names(listed: tuple[str, ...], split: str | None) -> list[str]:
    return chosen_competitions(listed, None, split)


def freeze_config(
    plan: Plan, frozen: dict[str, Frozen], sources: dict[str, str], target: Path
) -> ReproductionConfig:
    """Write a configuration that names data and agents by digest, paths relative to its folder.

    Parameters
    ----------
    sources : dict
        Task to the source it can be prepared from again.

    Returns
    -------
    ReproductionConfig
        What was written: whoever runs it on other data is told.
    """
    config, here = plan.config, target.parent.absolute()

    def moved(text: str | None, *, is_agent: bool = False) -> str | None:
        if text is None or (is_agent and text in agent_ids()):
            return text
        place = os.path.relpath((plan.folder / _at_home(text)).absolute(), here)
        return place if place.startswith(".") else f"./{place}"

    done = config.model_copy(
        update={
            "agent": moved(config.agent, is_agent=True),
            "baseline": moved(config.baseline, is_agent=True),
            "data_dir": moved(config.data_dir),
            "competitions": tuple(spec.id for spec in plan.specs),
            "split": None,
            "source": sources | config.source,
            "agent_sha256": plan.agent.digest,
            "baseline_sha256": plan.baseline.digest,
            "freeze": frozen,
        }
    )
    content = done.model_dump(mode="json", exclude_none=True)
    written = yaml.safe_dump(content, sort_keys=False, allow_unicode=True)
    write_text(target, f"# Written by mle-audit reproduce; run it with: {_COMMAND}\n{written}")
    return done


_COMMAND = "mle-audit reproduce frozen.yaml -o again"
