"""The typed model of a task's YAML: facts only; every path is derived from the id.

A task is one file, ``competitions/catalog/<id>.yaml``. Recipes and metrics are names in tables
(`competitions.splits.SPLITS`, `competitions.metrics.METRICS`); what YAML cannot say goes to a hook.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from competitions.errors import InvalidDefinitionError, UnknownNameError, UsageError

Variant = Literal["v1", "fixed"]
Slug = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9-]*$")]
Scalar = bool | int | float | str
_PER_ROW = r"^[^{}]*(\{\w+\}[^{}]*)+$"  # a path with names of columns in braces: images/{id}.png

CATALOG = Path(__file__).parent / "catalog"


class _Spec(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Source(_Spec):
    """Where raw files come from; `local`: from a folder that the user names."""

    kind: Literal["kaggle", "embedded", "local"]
    url: str
    dataset: str | None = None  # embedded only: a name in competitions.sources.embedded
    licence: str | None = None
    sha256: str | None = None  # embedded: of the raw CSV; of the raw folder if there are files
    zip_md5: str | None = None  # kaggle only: digest of the zip it hands out, as MLE-bench pins it


class RawFile(_Spec):
    """A raw file and what a miniature of it holds."""

    path: str
    columns: tuple[str, ...] = ()
    note: str | None = None
    miniature: MiniatureTable | None = None


class MiniatureColumn(_Spec):
    """How one column of a miniature table is made; see `competitions.miniature`."""

    kind: Literal["choice", "number", "flag", "word", "template", "label"]
    shared: bool = False  # one value for all rows of a group
    missing: Annotated[float, Field(ge=0, le=1)] = 0.0  # share of empty cells
    choices: tuple[Scalar, ...] = ()
    weights: tuple[Annotated[float, Field(gt=0)], ...] = ()
    share: Annotated[float, Field(ge=0, le=1)] = 0.5  # flag: share of True
    spread: Literal["uniform", "normal", "exponential"] = "uniform"
    low: float = 0.0  # uniform: least; normal: values below are set to it; exponential: least
    high: float = 1.0  # uniform: greatest; normal: mean; exponential: mean above `low`
    deviation: float = 1.0  # normal only
    decimals: int | None = None
    whole: bool = False  # write 3 and not 3.0
    zero: Annotated[float, Field(ge=0, le=1)] = 0.0  # share of zeros before `spread` applies
    zero_where: str | None = None  # all zero where this flag is set
    template: str | None = None  # filled with `parts`, `group` and `member` numbers
    parts: dict[str, MiniatureColumn] = {}
    signal: dict[str, float] = {}  # label: column, part (`Cabin.side=S`) or choice -> weight
    noise: Annotated[float, Field(ge=0)] = 1.0  # label: scale of the logistic noise


class GroupSizes(_Spec):
    """How many rows share a group, and how often."""

    sizes: tuple[Annotated[int, Field(gt=0)], ...]
    weights: tuple[Annotated[float, Field(gt=0)], ...]


class MiniatureTable(_Spec):
    """A tiny synthetic table with the real schema."""

    rows: Annotated[int, Field(gt=0)]
    groups: GroupSizes | None = None
    columns: dict[str, MiniatureColumn]


class GroupKey(_Spec):
    """A column whose values (or their prefix) name the thing that rows belong to."""

    column: str
    prefix_before: str | None = None  # text before this separator is the group


class Entity(GroupKey):
    """Something in the world that several rows may describe: a person, a family, a place."""

    name: str


class Split(_Spec):
    """A split recipe: the name of a function and its arguments."""

    method: str
    on: str  # raw file that is split
    test_size: Annotated[float, Field(gt=0, lt=1)] | Annotated[int, Field(gt=0)]
    seed: int = 0
    group: GroupKey | None = None
    stratify: str | None = None
    time: str | None = None  # column of dates or numbers that orders the rows
    note: str | None = None


class OutputFile(_Spec):
    """A file of the public or the private part."""

    path: str
    part: Literal["train", "test", "sample"]
    drop: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()  # when given: exactly these, in this order


class RowFiles(_Spec):
    """Raw files, one per row of a part, that follow their rows into the public folder."""

    source: Annotated[str, Field(alias="from", pattern=_PER_ROW)]  # relative to the raw folder
    to: Annotated[str, Field(pattern=_PER_ROW)]  # relative to the public folder
    part: Literal["train", "test"]
    meaning: str | None = None  # what one of them is


class SampleSubmission(_Spec):
    """The submission handed to the agent as an example."""

    path: str
    fill: dict[str, Scalar]


class Column(_Spec):
    """A predicted column and what may stand in it."""

    type: Literal["bool", "int", "float", "label", "text"]
    low: float | None = None
    high: float | None = None
    labels: tuple[Scalar, ...] = ()
    lenient: bool = False  # v1 only: take what the published grader takes (`competitions.labels`)
    meaning: str | None = None


class SubmissionRules(_Spec):
    """What a valid submission is; `competitions.submission` reads it."""

    key: tuple[str, ...]
    columns: dict[str, Column]


class Metric(_Spec):
    """The task's metric by its canonical name, with the board's own name for it."""

    name: str
    direction: Literal["higher", "lower"]
    official_name: str | None = None
    arguments: dict[str, Scalar] = {}
    definition: str

    @property
    def is_lower_better(self) -> bool:
        """Whether a smaller score is a better one."""
        return self.direction == "lower"


class Board(_Spec):
    """The pinned leaderboard. Boards made of baselines award no medals."""

    kind: Literal["kaggle", "baselines"]
    sha256: str
    official_sha256: str | None = None  # Git-LFS object id of MLE-bench's own file


class KnownIssue(_Spec):
    """A fault of the task that is known before anyone runs it."""

    id: Slug
    kind: Literal["leak", "grader", "split", "labels", "board", "file"]
    what: str
    probe: str | None = None  # id of the detector that shows it
    fixed_by: str | None = None  # what the `fixed` variant does about it


# What one of the seven standard submissions scores; `graded` is any number at all.
Expected = float | Literal["best", "none", "same-as-perfect", "graded"]


class Competition(_Spec):
    """One task.

    Raises
    ------
    pydantic.ValidationError
        When a column is predicted but the sample has no fill for it, or a key is also predicted.
    """

    id: Slug
    title: str
    summary: str
    source: Source
    category: str
    modality: Literal["tabular", "text", "image", "audio", "time-series", "multimodal", "other"]
    complexity: Literal["low", "medium", "high", "dev", "embedded"]
    split75: bool = False
    awards_medals: bool = False
    raw: tuple[RawFile, ...]
    split: Split
    public: tuple[OutputFile, ...]
    private: tuple[OutputFile, ...]
    files: tuple[RowFiles, ...] = ()
    answers: str
    sample_submission: SampleSubmission
    submission: SubmissionRules
    metric: Metric
    board: Board
    columns: dict[str, str] = {}  # what each column of the public tables means
    entities: tuple[Entity, ...] = ()
    known_issues: tuple[KnownIssue, ...] = ()
    expect: dict[Variant, dict[str, Expected]] = {}
    hooks: str | None = None
    variant: Variant = "v1"
    has_fixed: bool = False

    @model_validator(mode="after")
    def _is_coherent(self) -> Competition:
        predicted = set(self.submission.columns)
        if predicted != set(self.sample_submission.fill):
            raise ValueError("submission.columns and sample_submission.fill name other columns")
        if predicted & set(self.submission.key):
            raise ValueError("a key column cannot be predicted")
        if self.answers not in {f.path for f in self.private}:
            raise ValueError(f"answers: {self.answers} is no private file")
        return self

    @property
    def targets(self) -> tuple[str, ...]:
        """Predicted columns, in the submission's order."""
        return tuple(self.submission.columns)

    def file_of(self, part: Literal["train", "test", "sample"]) -> str | None:
        """Path of the public file that holds this part, or None when there is none."""
        return next((f.path for f in self.public if f.part == part), None)


def variant_named(name: str) -> Variant:
    """Return the variant with this name.

    Raises
    ------
    UsageError
        When there is none.
    """
    known: tuple[Variant, ...] = get_args(Variant)
    for variant in known:
        if variant == name:
            return variant
    raise UsageError(f"Expected a variant of {', '.join(known)}; found {name!r}.")


def problems_of(error: ValidationError) -> list[str]:
    """Say each problem of a pydantic error as ``field: what is wrong``."""
    return [
        f"{'.'.join(str(p) for p in e['loc']) or 'document'}: {e['msg']}" for e in error.errors()
    ]


class _Loader(yaml.SafeLoader):
    """The safe loader with YAML 1.2's booleans: `on`, `off`, `yes` and `no` stay words."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF")
)


def read_yaml(path: Path) -> dict[str, Any]:
    """Read a YAML mapping with the safe loader.

    Raises
    ------
    InvalidDefinitionError
        When the file is not UTF-8, not YAML, or not a mapping.
    """
    try:
        content = yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)  # noqa: S506 - safe
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InvalidDefinitionError(path, [" ".join(str(error).split())]) from error
    if not isinstance(content, dict):
        raise InvalidDefinitionError(path, [f"expected a mapping, found {type(content).__name__}"])
    return content


def load_file(path: Path, variant: Variant = "v1") -> Competition:
    """Read one definition.

    Parameters
    ----------
    path : Path
        A YAML file whose name is the task's id.
    variant : {"v1", "fixed"}
        ``fixed`` lays the YAML's `fixed:` section over the rest, key by key at the top level.

    Raises
    ------
    InvalidDefinitionError
        With every problem, when the file breaks the model.
    UsageError
        When ``fixed`` is asked of a task that has no repaired variant.
    """
    content = read_yaml(path)
    overlay = content.pop("fixed", None)
    if variant == "fixed":
        if not overlay:
            raise UsageError(f"{path.stem} has no repaired variant.", "Use --variant v1.")
        content |= overlay
    try:
        spec = Competition.model_validate(
            content | {"variant": variant, "has_fixed": bool(overlay)}
        )
    except ValidationError as error:
        raise InvalidDefinitionError(path, problems_of(error)) from error
    if spec.id != path.stem:
        raise InvalidDefinitionError(path, [f"id: expected {path.stem!r}, found {spec.id!r}"])
    return spec


def catalog_ids() -> list[str]:
    """List the ids of the tasks that ship with mle-audit, sorted."""
    return sorted(p.stem for p in CATALOG.glob("*.yaml"))


@cache
def load(competition_id: str, variant: Variant = "v1") -> Competition:
    """Load a task of the catalog by its id.

    Raises
    ------
    UnknownNameError
        When no task has this id.
    """
    if competition_id not in catalog_ids():
        raise UnknownNameError(
            "competition",
            competition_id,
            catalog_ids(),
            "List them with: mle-audit list competitions",
        )
    return load_file(CATALOG / f"{competition_id}.yaml", variant)
