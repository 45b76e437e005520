"""The part of a task's YAML about files: what comes in, how it is split, what goes out."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

Scalar = bool | int | float | str
# A path with names of columns in braces, or one character of them: images/{id[0]}/{id}.png
_PER_ROW = r"^[^{}]*(\{\w+(\[\d+\])?\}[^{}]*)+$"


def _is_relative(path: str) -> str:
    parts = path.split("/")
    if not path or path.startswith("/") or "\\" in path or "\0" in path or ".." in parts:
        raise ValueError("expected a relative path within its folder")
    return path


Relative = Annotated[str, AfterValidator(_is_relative)]
Character = Annotated[str, Field(min_length=1, max_length=1)]


def spelled_out(name: str) -> list[str]:
    """Return the columns that a name stands for: ``f_08..10`` is f_08, f_09, f_10."""
    match = re.fullmatch(r"(.*?)(\d+)\.\.(\d+)", name)
    if match is None:
        return [name]
    stem, first, last = match.groups()
    return [f"{stem}{n:0{len(first)}d}" for n in range(int(first), int(last) + 1)]


def _all_spelled_out(names: object) -> object:
    """Spell out every name of a list, or of a mapping whose value then stands for each of them."""
    if isinstance(names, dict):
        return {n: rule for name, rule in names.items() for n in spelled_out(str(name))}
    if isinstance(names, list):
        return [n for name in names for n in spelled_out(str(name))]
    return names


SpelledOut = BeforeValidator(_all_spelled_out)


class Shape(BaseModel):
    """A frozen model that takes no unknown field."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Source(Shape):
    """Where raw files come from; `local`: from a folder that the user names."""

    kind: Literal["kaggle", "embedded", "local"]
    url: str
    dataset: str | None = None  # embedded only: a name in competitions.sources.embedded
    licence: str | None = None
    folder: str | None = None  # local only: holds the raw files; relative to the definition
    sha256: str | None = None  # embedded: of the raw CSV; of the raw folder if there are files
    zip_md5: str | None = None  # kaggle only: digest of the zip it hands out, as MLE-bench pins it


class Needs(Shape):
    """What preparing takes where the published size of the data does not say it.

    Parameters
    ----------
    disk_gb : float or None
        Free room for the zip, what it unpacks to and the prepared files together, in 10⁹ bytes.
    memory_gb : float or None
        Peak memory of the process that prepares, in 10⁹ bytes.
    whole : str or None
        What is held whole, where that is why it takes so much.
    """

    disk_gb: Annotated[float, Field(gt=0)] | None = None
    memory_gb: Annotated[float, Field(gt=0)] | None = None
    whole: str | None = None


class Packed(Shape):
    """The archive that raw files come in; `prepare` unpacks it into a scratch folder."""

    archive: Relative  # relative to the raw folder
    into: Relative = "."  # folder it is unpacked into, relative to the raw folder


class Read(Shape):
    """How a raw table is read; pandas' defaults with exact floats, unless said otherwise."""

    sep: Character = ","
    dtype: dict[str, Literal["str", "int", "float"]] = {}
    empty_is_missing: bool = True  # False keeps empty cells and words such as NA as text


class Listing(Shape):
    """A raw table that is made from file names, where no table names the files."""

    files: Relative  # a pattern such as train/*/*.png
    columns: dict[str, Literal["name", "stem", "parent", "path"]]
    sort: tuple[str, ...] = ()  # columns by which rows are sorted as text; else by path

    @model_validator(mode="after")
    def _sorts_by_its_columns(self) -> Listing:
        if odd := [name for name in self.sort if name not in self.columns]:
            raise ValueError(f"sort: {odd[0]} is no column of the listing")
        return self


class EachFile(Shape):
    """What a miniature holds for a path with columns in braces: a file per row of a table."""

    of: str | None = None  # raw table whose rows name the files; None for one file
    kind: Literal[
        "png", "jpg", "tif", "wav", "aif", "npy", "csv", "parquet", "txt", "json", "dcm", "bytes"
    ]
    size: tuple[int, ...] = (8, 8)  # pixels, samples or array


class RawFile(Shape):
    """A raw file, or files that rows name, and what a miniature of it holds.

    Parameters
    ----------
    path : str
        Relative to the raw folder once archives are unpacked; may hold columns in braces.
    packed : Packed or None
        The archive it comes in.
    listing : Listing or None
        For a table that is no file: `path` is then a name for it.
    """

    path: Relative
    columns: Annotated[tuple[str, ...], SpelledOut] = ()
    note: str | None = None
    packed: Packed | None = None
    read: Read = Read()
    listing: Listing | None = None
    miniature: MiniatureTable | None = None
    each: EachFile | None = None

    @property
    def comes_as(self) -> str | None:
        """What must lie in the raw folder: the archive, or the file; None for many files."""
        if self.packed is not None:
            return self.packed.archive
        return None if self.listing is not None or "{" in self.path else self.path


class MiniatureColumn(Shape):
    """How one column of a miniature table is made; see `competitions.miniature`.

    A `label` is a weighted sum of other columns plus noise: True for its upper half; with `choices`
    (and `weights`) one of them, from least to greatest; with `decimals` a number from `low` to
    `high`.
    """

    kind: Literal["choice", "number", "flag", "mark", "word", "template", "label"]
    shared: bool = False  # one value for all rows of a group
    missing: Annotated[float, Field(ge=0, le=1)] = 0.0  # share of empty cells
    first: tuple[Scalar, ...] = ()  # what stands in the first rows, whatever was drawn for them
    choices: tuple[Scalar, ...] = ()
    weights: tuple[Annotated[float, Field(gt=0)], ...] = ()
    share: Annotated[float, Field(ge=0, le=1)] = 0.5  # flag: share of True
    where: str | None = None  # mark: 1 where an earlier column or part has a value (`id.side=S`)
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
    off: Scalar = 0.0  # what stands there where `zero_where` is set


class GroupSizes(Shape):
    """How many rows share a group, and how often."""

    sizes: tuple[Annotated[int, Field(gt=0)], ...]
    weights: tuple[Annotated[float, Field(gt=0)], ...]


class MiniatureTable(Shape):
    """A tiny synthetic table with the real schema."""

    rows: Annotated[int, Field(gt=0)]
    groups: GroupSizes | None = None
    columns: Annotated[dict[str, MiniatureColumn], SpelledOut]


class GroupKey(Shape):
    """A column whose values (or their prefix) name the thing that rows belong to."""

    column: str
    prefix_before: str | None = None  # text before this separator is the group


class Entity(GroupKey):
    """Something in the world that several rows may describe: a person, a family, a place."""

    name: str


class Split(Shape):
    """A split recipe: the name of a function and its arguments."""

    method: str
    on: Relative  # raw table that is split
    test_size: Annotated[float, Field(gt=0, lt=1)] | Annotated[int, Field(gt=0)] | None = None
    train_size: Annotated[float, Field(gt=0, lt=1)] | Annotated[int, Field(gt=0)] | None = None
    test_size_of_miniature: Annotated[int, Field(gt=0)] | None = None  # where the own is too large
    test_on: Relative | None = None  # whole_test only: the raw table that is the test part
    drop_rows: dict[str, tuple[Scalar, ...]] = {}  # rows with one of these values never count
    seed: int = 0
    group: GroupKey | None = None
    stratify: str | None = None
    time: str | None = None  # column of dates or numbers that orders the rows
    note: str | None = None


class Renumber(Shape):
    """New values of an id column, in the order of each part; the old ones are in ``raw_<column>``.

    Parameters
    ----------
    train, test : str
        Pattern in which ``{n}`` is the running number; plain ``{n}`` gives whole numbers.
    first : int
        Where counting begins.
    continues : bool
        Whether the test part counts on from the train part.
    shared : bool
        Whether rows of one part that had one value get one number, by first appearance.
    """

    column: str
    train: str = "{n}"
    test: str = "{n}"
    first: int = 0
    continues: bool = False
    shared: bool = False


class OutputFile(Shape):
    """A file of the public or the private part: a table, a copy, or what a hook writes.

    Parameters
    ----------
    part : {"train", "test", "sample"}
        Whose rows; for a side table, whose rows' files it keeps. None for a copy of something else.
    drop, columns : tuple of str
        Columns left out; or exactly these, in this order, after `rename`.
    rename : dict
        Old name to new.
    sort : tuple of str
        Columns by which rows are sorted.
    one_hot : str or None
        A column that becomes one column of 0 and 1 per predicted column's name.
    source, by : str or None
        A side table: rows of this raw table whose `by` value occurs in the part's column `by`. For
        the sample: its rows and their order.
    copy_of : str or None
        A raw file or folder that is copied as it is; `part` then says whose rows it holds.
    made : str or None
        What the task's hook writes there, a file or a folder; `part` then only says whose rows.
    one_per : str or None
        One row per value of this column, sorted by it: the first cell of each that is not empty.
    quote : {"minimal", "words"}
        ``words`` quotes the header and every cell that is no number.
    pack : str or None
        Archive (.zip or .7z) that holds the file alone; the loose file is not kept.
    """

    path: Relative
    part: Literal["train", "test", "sample"] | None = None
    drop: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rename: dict[str, str] = {}
    sort: tuple[str, ...] = ()
    one_hot: str | None = None
    source: Relative | None = None
    by: str | None = None
    copy_of: Annotated[Relative | None, Field(alias="copy")] = None
    made: str | None = None
    one_per: str | None = None
    quote: Literal["minimal", "words"] = "minimal"
    pack: Annotated[Relative, Field(pattern=r"\.(zip|7z)$")] | None = None
    sep: Character = ","
    index: bool = False
    float_format: str | None = None

    @property
    def lies_at(self) -> str:
        """Its path once it is written: that of the archive it is packed into, else its own."""
        return self.pack or self.path

    @model_validator(mode="after")
    def _is_one_thing(self) -> OutputFile:
        if self.part is None and self.copy_of is None and self.made is None:
            raise ValueError("expected a part, a copy or what a hook makes")
        if (self.source is None) != (self.by is None):
            raise ValueError("a side table needs source and by")
        return self


class RowFiles(Shape):
    """Raw files, one per row of a part, that follow their rows into the public folder."""

    source: Annotated[Relative, Field(alias="from", pattern=_PER_ROW)]  # relative to the raw folder
    to: Annotated[Relative, Field(pattern=_PER_ROW)]  # relative to the public folder
    part: Literal["train", "test"]
    # Archive with them, relative to the public folder.
    pack: Annotated[Relative, Field(pattern=r"\.(zip|7z|tar|tar\.gz)$")] | None = None
    lost: bool = False  # the archive holds none of them, as it was published
    may_lack: bool = False  # rows without a file are passed over; a folder counts as a file
    meaning: str | None = None  # what one of them is


class Varied(Shape):
    """Values of a predicted column that differ from row to row.

    Parameters
    ----------
    spread : {"even", "whole", "uniform"}
        ``even``: from `low` to `high` in equal steps (``numpy.linspace``); ``whole``: random whole
        numbers from `low` to `high`, both included (``numpy.random.RandomState(seed).randint``);
        ``uniform``: random numbers (``numpy.random.default_rng(seed).uniform``).
    decimals : int or None
        What `uniform` is rounded to.
    """

    spread: Literal["even", "whole", "uniform"]
    low: float = 0.0
    high: float = 1.0
    seed: int = 0
    decimals: int | None = None


class Borrowed(Shape):
    """Values of a predicted column that come from another column.

    Parameters
    ----------
    column : str
        Of the test part; with `mean` of the train part.
    mean : bool
        One value for all rows, the mean of the column's cells.
    """

    column: str
    mean: bool = False


class SampleSubmission(Shape):
    """The submission handed to the agent as an example.

    Parameters
    ----------
    fill : dict
        A value for each predicted column, None for empty cells; in YAML also one for all, bare or
        under ``*``.
    rename : dict
        Raw name of a key column to its name in submissions, where they differ.
    keep : tuple of str
        Further columns of the test part that stand there, too.
    """

    path: Relative
    fill: dict[str, Scalar | Varied | Borrowed | None]
    keep: tuple[str, ...] = ()
    rename: dict[str, str] = {}
