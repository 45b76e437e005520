"""The typed model of a task's YAML: facts only; every path is derived from the id.

A task is one file, ``competitions/catalog/<id>.yaml``. Recipes and metrics are names in tables
(`competitions.splits.SPLITS`, `competitions.metrics.METRICS`); what YAML cannot say goes to a hook.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import Field, ValidationError, model_validator

from competitions.errors import InvalidDefinitionError, UnknownNameError, UsageError
from competitions.problems import problems_of
from competitions.shapes import (
    Entity,
    GroupKey,
    GroupSizes,
    MiniatureColumn,
    MiniatureTable,
    Needs,
    OutputFile,
    RawFile,
    Relative,
    Renumber,
    RowFiles,
    SampleSubmission,
    Scalar,
    Shape,
    Source,
    Split,
)
from competitions.trap_record import Trap
from competitions.yamls import read_yaml

__all__ = [
    "Board",
    "Column",
    "Competition",
    "Entity",
    "GroupKey",
    "GroupSizes",
    "KnownIssue",
    "Metric",
    "MiniatureColumn",
    "MiniatureTable",
    "Needs",
    "OutputFile",
    "RawFile",
    "Renumber",
    "RowFiles",
    "SampleSubmission",
    "Scalar",
    "Slug",
    "Source",
    "Split",
    "SubmissionRules",
    "Twin",
    "Variant",
    "catalog_ids",
    "load",
    "load_file",
    "problems_of",
    "read_yaml",
    "variant_named",
]

Variant = Literal["v1", "fixed"]
Slug = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9-]*$")]

CATALOG = Path(__file__).parent / "catalog"


class Column(Shape):
    """A predicted column and what may stand in it."""

    type: Literal["bool", "int", "float", "label", "text"]
    low: float | None = None
    high: float | None = None
    labels: tuple[Scalar, ...] = ()
    lenient: bool = False  # v1 only: take what the published grader takes (`competitions.labels`)
    may_be_empty: bool = False  # an empty cell says something: no label, a wrong one, nothing found
    by_metric: bool = False  # v1 only: the metric alone says which cells the published grader takes
    meaning: str | None = None
    form: str | None = None  # of a text: how a cell is written, in words without the task's story

    @model_validator(mode="after")
    def _is_coherent(self) -> Column:
        if self.form is not None and self.type != "text":
            raise ValueError("form: only texts have one; other types say how they are written")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError(f"low: expected at most high, {self.high:g}; found {self.low:g}")
        return self


class SubmissionRules(Shape):
    """What a valid submission is; `competitions.submission` reads it.

    Notes
    -----
    Many columns with one rule have a short form, ``alike: {names: [a, b], type: float, low: 0}``;
    they stand before those of `columns`.
    """

    key: tuple[str, ...]
    columns: dict[str, Column]

    @model_validator(mode="before")
    @classmethod
    def _spell_out(cls, given: object) -> object:
        if not isinstance(given, dict) or "alike" not in given:
            return given
        if not _names(given["alike"]):
            raise ValueError("alike: expected a list of names and one rule for all of them")
        rule = {field: value for field, value in given["alike"].items() if field != "names"}
        rest = {field: value for field, value in given.items() if field != "alike"}
        columns = dict.fromkeys(_names(given["alike"]), rule)
        return rest | {"columns": columns | (rest.get("columns") or {})}


def _names(alike: object) -> list[str]:
    names = alike.get("names") if isinstance(alike, dict) else None
    return names if isinstance(names, list) else []


class Metric(Shape):
    """The task's metric by its canonical name, with the board's own name for it."""

    name: str
    file: Relative | None = None  # a Python file beside a definition outside the catalog
    direction: Literal["higher", "lower"]
    official_name: str | None = None
    arguments: dict[str, Scalar] = Field(default_factory=dict)
    definition: str

    @property
    def is_lower_better(self) -> bool:
        """Whether a smaller score is a better one."""
        return self.direction == "lower"


class Board(Shape):
    """The pinned leaderboard. Boards made of baselines award no medals."""

    kind: Literal["kaggle", "baselines"]
    sha256: str
    official_sha256: str | None = None  # Git-LFS object id of MLE-bench's own file


class KnownIssue(Shape):
    """A fault of the task that is known before anyone runs it."""

    id: Slug
    kind: Literal["leak", "grader", "split", "labels", "board", "file"]
    what: str
    probe: str | None = None  # id of the detector that shows it
    fixed_by: str | None = None  # what the `fixed` variant does about it


class Twin(Shape):
    """A public data set that holds answers of the task's test part.

    Parameters
    ----------
    marks : tuple of str
        How addresses, packages, paths and calls name it, in small letters and digits with spaces
        between the words: ``stanford dogs`` is also ``stanford_dogs`` and ``StanfordDogs``.
    contents : tuple of str
        Columns, files and counts of rows that it has and the task's own data have not, as they
        are printed.
    """

    name: str
    holds: str  # what of the answers it has
    marks: Annotated[
        tuple[Annotated[str, Field(pattern=r"^[a-z0-9]+( [a-z0-9]+)*$")], ...],
        Field(min_length=1),
    ]
    contents: tuple[Annotated[str, Field(min_length=5)], ...] = ()
    source: str | None = None  # its public page


class Oracle(Shape):
    """What a comparison with MLE-bench's own code needs to know.

    Parameters
    ----------
    patch : dict
        Constants of its preparer that forbid a small raw folder, with what they are set to;
        ``function.argument`` for one that stands in a call, ``function=number`` for one in its
        body, the value ``skip`` for a function that shall do nothing.
    cannot : str or None
        Why its code does not run with current libraries.
    """

    patch: dict[str, Scalar] = Field(default_factory=dict)
    cannot: str | None = None


# What one of the seven standard submissions scores; `graded` is any number at all.
Expected = float | Literal["best", "none", "same-as-perfect", "graded", "nan", "infinite"]


class Competition(Shape):
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
    renumber: Renumber | None = None
    # New columns of both parts, after renumbering: texts with columns in braces, {patient}_{side}.
    derived: dict[str, str] = Field(default_factory=dict)
    public: tuple[OutputFile, ...]
    private: tuple[OutputFile, ...]
    files: tuple[RowFiles, ...] = ()
    answers: str
    sample_submission: SampleSubmission
    submission: SubmissionRules
    metric: Metric
    board: Board
    columns: dict[str, str] = Field(
        default_factory=dict
    )  # what each column of the public tables means
    entities: tuple[Entity, ...] = ()
    known_issues: tuple[KnownIssue, ...] = ()
    twins: tuple[Twin, ...] = ()
    expect: dict[Variant, dict[str, Expected]] = Field(default_factory=dict)
    hooks: str | None = None
    needs: Needs = Needs()
    oracle: Oracle = Oracle()
    trap: Trap | None = None  # how `counterexample build` made it; nothing of it is handed out
    variant: Variant = "v1"
    has_fixed: bool = False
    # Where a definition outside the catalog was read from; its board and metric lie beside it.
    origin: Path | None = Field(default=None, exclude=True)

    @model_validator(mode="before")
    @classmethod
    def _fill_all_alike(cls, given: dict[str, Any]) -> dict[str, Any]:
        sample, rules = given.get("sample_submission"), given.get("submission")
        if not isinstance(sample, dict) or not isinstance(rules, dict):
            return given
        fill = sample.get("fill", {})
        if isinstance(fill, dict) and set(fill) != {"*"}:
            return given
        names = [*_names(rules.get("alike")), *(rules.get("columns") or ())]
        value = fill["*"] if isinstance(fill, dict) else fill
        return given | {"sample_submission": sample | {"fill": dict.fromkeys(names, value)}}

    @model_validator(mode="after")
    def _is_coherent(self) -> Competition:
        predicted = set(self.submission.columns)
        if predicted != set(self.sample_submission.fill):
            raise ValueError("submission.columns and sample_submission.fill name other columns")
        if predicted & set(self.submission.key):
            raise ValueError("a key column cannot be predicted")
        if not self.submission.key or len(set(self.submission.key)) != len(self.submission.key):
            raise ValueError("submission.key: expected at least one column, each once")
        if self.answers not in {f.path for f in self.private}:
            raise ValueError(f"answers: {self.answers} is no private file")
        self._require_own_places()
        return self

    def _require_own_places(self) -> None:
        """See that no output would be written over another, or over what `prepare` writes."""
        for tree, files in (("public", self.public), ("private", self.private)):
            taken = {"description.md"} if tree == "public" else set()
            for file in files:
                if file.lies_at in taken:
                    raise ValueError(f"{tree}: {file.lies_at} would be written twice")
                taken.add(file.lies_at)

    @property
    def targets(self) -> tuple[str, ...]:
        """Predicted columns, in the submission's order."""
        return tuple(self.submission.columns)

    @property
    def raw_folder(self) -> Path | None:
        """The folder that `source.folder` of a definition outside the catalog names, if it does."""
        if self.origin is None or self.source.folder is None:
            return None
        return self.origin.parent / self.source.folder

    @property
    def called(self) -> str:
        """What a call names it by: its id, or the path of a definition outside the catalog."""
        kept = self.origin is not None and self.origin.parent.name == "task"  # by `prepare`
        return self.id if self.origin is None or kept else str(self.origin)

    def file_of(self, part: Literal["train", "test", "sample"]) -> str | None:
        """Path of the public file or archive that holds this part, or None where none does."""
        files = (f for f in self.public if f.part == part)
        return next((f.lies_at for f in files if part == "sample" or not f.source), None)

    @property
    def keys_in(self) -> str:
        """Path of the public table that has the submission's key: the test part or the sample."""
        test = next((f for f in self.public if f.part == "test" and not f.source), None)
        key = set(self.submission.key)
        grouped = any(f.one_per for f in self.private)
        if test is None or grouped or (test.columns and not key <= set(test.columns)):
            return self.sample_submission.path
        renamed = set(self.sample_submission.rename.values()) - set(test.rename.values())
        return self.sample_submission.path if key & renamed else test.lies_at


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
    if overlay is not None and not isinstance(overlay, dict):
        raise InvalidDefinitionError(path, [f"fixed: expected a mapping, found {overlay!r:.60}"])
    if variant == "fixed":
        if not overlay:
            raise UsageError(f"{path.stem} has no repaired variant.", "Use --variant v1.")
        content |= overlay
    try:
        spec = Competition.model_validate(
            content
            | {"variant": variant, "has_fixed": bool(overlay)}
            | {"origin": None if path.parent.resolve() == CATALOG.resolve() else path}
        )
    except ValidationError as error:
        raise InvalidDefinitionError(path, problems_of(error, Competition)) from error
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
