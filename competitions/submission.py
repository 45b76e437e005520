"""Read a submission and check it against its task's rules: one reader, one validator, no labels.

Everything the validator needs stands in ``submission-schema.json`` and in a public file, so that a
submission can be checked where the answers are not.
"""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING, BinaryIO, Literal, get_args

from pydantic import BaseModel, ConfigDict, ValidationError

from competitions.columns import JOINT, MAX_SHOWN, column_problems, list_shown, show_key
from competitions.errors import (
    InvalidSubmissionError,
    NotPreparedError,
    UnknownNameError,
    UnreadableFileError,
)
from competitions.io import said_by
from competitions.labels import is_integral
from competitions.spec import Column, problems_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pandas as pd

    from competitions.spec import Competition

MAX_SUBMISSION_BYTES = 4 << 30
MAX_HEADER_BYTES = 1 << 20
Pairing = Literal["position", "sorted", "sorted-set", "sorted-known", "joined", "as-read"]
SCHEMA_NAME = "submission-schema.json"
_BLOCK = 1 << 20


class SubmissionSchema(BaseModel):
    """What a submission must look like; written beside the prepared data.

    Parameters
    ----------
    key : tuple of str
        Columns that name a row.
    key_source : str
        A public file, relative to the prepared folder, that holds every key once.
    columns : dict of str to Column
        Predicted columns.
    pairing : str or None
        How a published grader that never compares keys pairs rows: see
        `competitions.metrics.pairing.paired`; ``as-read``: the metric takes both tables as they
        were read, and looks at keys itself. None: by the key.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: int = 1
    competition_id: str
    variant: str
    key: tuple[str, ...]
    key_source: str
    columns: dict[str, Column]
    pairing: Pairing | None = None


def _pairing(spec: Competition) -> Pairing | None:
    named = spec.metric.arguments.get("pairing")
    if spec.variant == "fixed" and named != "as-read":
        named = None
    known: tuple[Pairing, ...] = get_args(Pairing)
    found = next((pairing for pairing in known if pairing == named), None)
    if found != named:
        raise UnknownNameError("pairing of rows", str(named), known)
    return found


def schema_of(spec: Competition) -> SubmissionSchema:
    """Build the schema from a task's definition alone."""
    return SubmissionSchema(
        competition_id=spec.id,
        variant=spec.variant,
        key=spec.submission.key,
        key_source=f"public/{spec.keys_in}",
        columns=spec.submission.columns,
        pairing=_pairing(spec),
    )


def read_schema(prepared_dir: Path) -> SubmissionSchema:
    """Read the schema of a prepared folder.

    Raises
    ------
    NotPreparedError
        When there is none.
    UnreadableFileError
        When it is broken.
    """
    path = prepared_dir / SCHEMA_NAME
    if not path.is_file():
        raise NotPreparedError(f"Expected {SCHEMA_NAME} in {prepared_dir}, found none.")
    try:
        return SubmissionSchema.model_validate_json(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, ValidationError) as error:
        said = problems_of(error) if isinstance(error, ValidationError) else [str(error)]
        raise UnreadableFileError(f"{path}: {'; '.join(said)}") from error


def read_table(path: Path) -> pd.DataFrame:
    """Read a table of our own with exact floats and pandas' default missing values.

    It may be the only file of a zip or 7z archive, or hold JSON records or parquet.
    """
    import pandas as pd

    if path.suffix == ".7z":
        from competitions.packs import read_only_member

        return pd.read_csv(io.BytesIO(read_only_member(path)), low_memory=False)
    if path.suffix in {".json", ".jsonl", ".parquet"}:
        from competitions.work import read_raw

        return read_raw(path)
    sep = "\t" if path.name.endswith((".tsv", ".tsv.zip")) else ","
    return pd.read_csv(path, sep=sep, low_memory=False)


def _file_problem(path: Path, max_lines: int | None) -> str | None:
    if path.is_symlink() or not path.is_file():
        return f"expected a file {path.name}, found {'a link' if path.is_symlink() else 'none'}"
    if path.suffix.lower() != ".csv":
        return f"expected a name that ends in .csv, found {path.name}"
    if path.stat().st_size > MAX_SUBMISSION_BYTES:
        return (
            f"expected at most {MAX_SUBMISSION_BYTES >> 30} GiB, found {path.stat().st_size >> 30}"
        )
    with path.open("rb") as stream:
        if stream.read(2) in {b"\xff\xfe", b"\xfe\xff"}:
            return "the file is UTF-16; write it as UTF-8"
        stream.seek(0)
        if len(stream.readline(MAX_HEADER_BYTES + 1)) > MAX_HEADER_BYTES:
            return f"the header is longer than {MAX_HEADER_BYTES >> 10} KiB"
        stream.seek(0)
        return _content_problem(stream, max_lines)


def _content_problem(stream: BinaryIO, max_lines: int | None) -> str | None:
    """Look through the bytes before they are parsed, which takes thirty times their memory."""
    n_lines = 0
    while block := stream.read(_BLOCK):
        if b"\0" in block:
            return "the file holds NUL bytes; it is binary or no UTF-8 text"
        n_lines += block.count(b"\n")
        if max_lines is not None and n_lines > max_lines:
            return f"the file has more than {max_lines:,} lines, far more than rows are expected"
    return None


def max_lines(n_rows: int) -> int:
    """Return from how many lines on a submission is refused unread: ten times what is expected."""
    return 10 * n_rows + 10_000


def read_submission(path: Path, max_lines: int | None = None) -> pd.DataFrame:
    """Read a submission file; it may be hostile.

    Parameters
    ----------
    max_lines : int or None
        A file of more lines is refused before it is parsed.

    Returns
    -------
    DataFrame
        Columns as pandas infers them, floats exact, "NA", "null", "None" and the like missing.

    Raises
    ------
    InvalidSubmissionError
        With the reason: no such file, a link, no .csv, empty, ragged, binary, not UTF-8.
    """
    import pandas as pd

    problem = _file_problem(path, max_lines)
    if problem:
        raise InvalidSubmissionError([problem])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", category=pd.errors.ParserWarning)
            frame = read_table(path)
    except pd.errors.EmptyDataError as error:
        raise InvalidSubmissionError(["the file is empty"]) from error
    except UnicodeDecodeError as error:
        raise InvalidSubmissionError([f"the file is no UTF-8 text ({error.reason})"]) from error
    except (pd.errors.ParserError, ValueError, OverflowError) as error:
        raise InvalidSubmissionError([f"the file is no readable CSV: {said_by(error)}"]) from error
    return frame.reset_index(drop=True)


def _as_text(values: pd.Series) -> pd.Series:
    """Write key values so that 7, 7.0 and "7" are one key; a missing one stays missing."""
    import pandas as pd

    if pd.api.types.is_float_dtype(values):
        whole = is_integral(values) & (values.abs() < 2**53)
        return pd.Series(
            [
                None if v != v else str(int(v)) if is_whole else repr(float(v))  # noqa: PLR0124
                for v, is_whole in zip(values, whole, strict=True)
            ],
            index=values.index,
            dtype=object,
        )
    return values.map(str, na_action="ignore").astype(object).where(values.notna(), None)


def key_index(frame: pd.DataFrame, key: Sequence[str]) -> pd.Index:
    """Name each row by its key columns, as text; several are joined by a control character."""
    import pandas as pd

    parts = [_as_text(frame[column]) for column in key]
    named: list[str | None] = list(parts[0])
    if len(parts) > 1:
        named = [
            JOINT.join("" if p is None else p for p in row) for row in zip(*parts, strict=True)
        ]
    return pd.Index(named, dtype=object)


def _list_keys(keys: pd.Index) -> str:
    return list_shown(map(show_key, keys[:MAX_SHOWN]), len(keys))


def _key_problems(schema: SubmissionSchema, found: pd.Index, keys: pd.Index) -> list[str]:
    if schema.pairing in {"position", "sorted", "as-read"}:
        return []
    name, problems = ", ".join(schema.key), []
    repeated = found[found.duplicated()].unique()
    checks = [
        ("keys that occur more than once", repeated[:0] if schema.pairing else repeated),
        ("keys that are not in the test part", found[~found.isin(keys)].unique()),
    ]
    if schema.pairing != "sorted-known":
        checks.append(("missing keys", keys[~keys.isin(found)]))
    for what, wrong in checks:
        if len(wrong):
            problems.append(f"{name}: {what} ({len(wrong)}): {_list_keys(wrong)}")
    return problems


def validate(schema: SubmissionSchema, frame: pd.DataFrame, keys: pd.Index) -> tuple[str, ...]:
    """Say everything that is wrong with a submission, all at once.

    Parameters
    ----------
    schema : SubmissionSchema
        The task's rules.
    frame : DataFrame
        The submission as `read_submission` gives it.
    keys : Index
        Every key of the test part, as `key_index` writes them.

    Returns
    -------
    tuple of str
        One sentence per problem, at most five rows each, by their keys; empty when it is valid. The
        order of rows and columns is free and further columns are ignored.
    """
    problems = []
    key = () if schema.pairing == "position" else schema.key
    missing = [c for c in (*key, *schema.columns) if c not in frame.columns]
    if missing:
        found = ", ".join(str(c)[:60] for c in frame.columns[:20])
        problems.append(f"missing columns: {', '.join(missing)}; found {found}")
    if len(frame) != len(keys) and schema.pairing not in {"joined", "as-read"}:
        problems.append(f"expected {len(keys)} rows, found {len(frame)}")
    own_keys = None
    if not set(schema.key) - set(frame.columns):
        own_keys = key_index(frame, schema.key)
        problems += _key_problems(schema, own_keys, keys)
    for name, rule in schema.columns.items():
        if name in frame.columns:
            problems += [f"{name}: {p}" for p in column_problems(rule, frame[name], own_keys)]
    return tuple(problems)


def public_keys(schema: SubmissionSchema, prepared_dir: Path) -> pd.Index:
    """Read every key of the test part from the public file that the schema names.

    Raises
    ------
    NotPreparedError
        When that file is not there.
    """
    path = prepared_dir / schema.key_source
    if not path.is_file():
        raise NotPreparedError(
            f"Expected the keys in {path}, found no file.",
            f"Prepare it with: mle-audit prepare -c {schema.competition_id} --force",
        )
    return key_index(read_table(path), schema.key)


def validate_file(
    submission: Path, prepared_dir: Path, schema: SubmissionSchema | None = None
) -> tuple[str, ...]:
    """Check a CSV file without any label: the schema and a public file are enough.

    Parameters
    ----------
    submission : Path
        The file; whatever is wrong with it is a problem in the result, never an exception.
    prepared_dir : Path
        Holds ``submission-schema.json`` and ``public/``; ``private/`` is not read.
    schema : SubmissionSchema or None
        None reads it from the folder.

    Returns
    -------
    tuple of str
        Every problem; empty when the submission is valid.
    """
    rules = schema or read_schema(prepared_dir)
    keys = public_keys(rules, prepared_dir)
    try:
        frame = read_submission(submission, max_lines(len(keys)))
    except InvalidSubmissionError as error:
        return error.problems
    return validate(rules, frame, keys)


def align(
    schema: SubmissionSchema, frame: pd.DataFrame, answers: pd.DataFrame
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Bring a valid submission into the order of the answers and number both anew."""
    order = key_index(frame, schema.key).get_indexer(key_index(answers, schema.key))
    return answers.reset_index(drop=True), frame.iloc[order].reset_index(drop=True)
