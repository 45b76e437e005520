"""Data that no definition describes: two folders, or two tables, as a call names them."""

from __future__ import annotations

import gzip
import json
import zipfile
from datetime import UTC, datetime

import numpy as np
import pytest
from typer.testing import CliRunner

from audit.cli import app
from audit.leakage import leakage
from audit.leakage_data import Places, dataset_at
from audit.verdict import load_policy
from competitions.errors import EvidenceUnavailableError, UsageError
from detectors.dataset import Dataset, Roles
from detectors.leakage import tables
from detectors.leakage.split import split_of
from detectors.leakage.tables import read_any
from reports.schema import Conclusion, Outcome, read_audit

N = 60
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def rows(n, first, seed):
    import pandas as pd

    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "id": [f"r{rng.integers(1 << 40):x}" for _ in range(n)],
            "seen": pd.date_range("2024-01-01", periods=n, freq="h").astype(str),
            "width": rng.normal(size=n).round(6),
            "picture": [f"p{first + k}.png" for k in range(n)],
            "price": rng.normal(size=n).round(3),
        }
    )


@pytest.fixture
def folders(tmp_path):
    """Return a public and a private folder as competitions have them, answers sorted."""
    public, private = tmp_path / "public", tmp_path / "private"
    public.mkdir()
    private.mkdir()
    train, test = rows(N, 0, 1), rows(N, N, 2).sort_values("price")
    train.to_csv(public / "train.csv", index=False)
    test.drop(columns="price").to_csv(public / "test.csv", index=False)
    test[["id"]].assign(price=0.5).to_csv(public / "sampleSubmission.csv", index=False)
    test[["id", "price"]].to_csv(private / "solution.csv", index=False)
    return public, private


def test_what_columns_are_is_inferred_with_the_reason(folders):
    split = split_of(Dataset.of_folders(*folders))

    assert (split.key, split.targets) == (("id",), ("price",))
    assert (split.times, split.media) == (("seen",), ("picture",))
    assert split.features == ("seen", "width", "picture")
    assert {how.split(":")[0] for how in split.how.values()} == {"inferred"}


def test_what_a_person_says_stands_above_what_is_inferred(folders):
    split = split_of(Dataset.of_folders(*folders, times=(), key=("picture",)))

    assert (split.key, split.times) == (("picture",), ())
    assert split.how["key"] == "asked"


def test_answers_are_brought_into_the_order_of_the_public_rows(folders):
    import pandas as pd

    public, private = folders
    shuffled = pd.read_csv(private / "solution.csv").sample(frac=1, random_state=0)
    shuffled.to_csv(private / "solution.csv", index=False)

    found = split_of(Dataset.of_folders(public, private)).hidden()

    assert found.ids == pd.read_csv(public / "test.csv")["id"].tolist()
    assert (np.diff(found.targets["price"]) >= 0).all()


def test_two_tables_with_answers_are_paired_by_place_where_no_key_is(tmp_path):
    train, test = (rows(N, 0, seed).drop(columns="id") for seed in (1, 2))
    for name, table in (("a.csv", train), ("b.csv", test)):
        table.to_csv(tmp_path / name, index=False)
    data = Dataset.of_tables(tmp_path / "a.csv", tmp_path / "b.csv", targets=("price",), key=())

    assert split_of(data).hidden().targets["price"].tolist() == test["price"].tolist()


def test_folders_without_a_definition_are_audited(folders):
    data = Dataset.of_folders(*folders)
    report = leakage([], folders[0], load_policy(), NOW, data=[data])

    assert {f.detector for f in report.findings} >= {"row-order-encodes-target"}
    assert {c.outcome for c in report.checks if c.detector == "nan-accepted"} == {
        Outcome.NOT_APPLICABLE
    }
    assert report.subjects[0].facts["targets"].startswith("price (inferred")


def test_what_cannot_be_asked_of_two_tables_is_told_and_leaves_no_question_open(tmp_path):
    for name, seed, absent in (("train", 1, ["picture"]), ("test", 2, ["picture", "price"])):
        rows(N, seed * N, seed).drop(columns=absent).to_csv(tmp_path / f"{name}.csv", index=False)
    asked = ("--target", "price", "--entity", "none", "--time", "none")
    tables = ("--train", str(tmp_path / "train.csv"), "--test", str(tmp_path / "test.csv"))
    told = CliRunner().invoke(app, ["leakage", *tables, *asked, "--json", str(tmp_path / "a.json")])
    checks = read_audit(tmp_path / "a.json").checks

    assert {c.detector for c in checks if c.outcome is Outcome.NOT_AVAILABLE} == set()
    assert "without an answer" not in told.output
    assert "no hidden answers were named. Name them with --answers or --private" in told.output


def test_the_verb_says_what_columns_were_taken_for(folders, tmp_path):
    document = tmp_path / "out.json"
    call = ["leakage", "--public", folders[0], "--private", folders[1], "--json", document]
    call += ["--entity", "none", "--select", "row-order-encodes-target"]
    ran = CliRunner().invoke(app, list(map(str, call)))

    assert ran.exit_code == 1
    assert "key: id (inferred" in ran.stdout
    assert read_audit(document).subjects[0].facts["entities"] == "none"


def named(folder, **places):
    return {option: folder / name for option, name in places.items()}


@pytest.mark.parametrize(
    ("places", "said"),
    [
        pytest.param({"train": "train.csv"}, "--test", id="one-table"),
        pytest.param({"private": "."}, "--public", id="private-alone"),
        pytest.param({"public": "nowhere"}, "expected a folder", id="no-folder"),
        pytest.param({"train": "nowhere.csv", "test": "train.csv"}, "a file", id="no-file"),
        pytest.param({"train": "train.pkl", "test": "train.csv"}, "a table", id="a-pickle"),
        pytest.param({"public": ".", "schema": "train.csv"}, "submission-schema", id="schema"),
        pytest.param({"train": "train.csv", "test": "./train.csv"}, "the same file", id="twice"),
    ],
)
def test_a_call_that_names_no_data_is_refused(tmp_path, places, said):
    for name in ("train.csv", "train.pkl"):
        (tmp_path / name).write_text("a,b\n1,2\n")

    with pytest.raises(UsageError, match=said):
        dataset_at(Places(**named(tmp_path, **places)), Roles())


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(["--target", "cost"], id="target"),
        pytest.param(["--entity", "nobody", "--entity", "id"], id="one-among-others"),
    ],
)
def test_a_column_that_no_table_has_is_refused_with_those_there_are(folders, tmp_path, options):
    call = ["leakage", "--public", str(folders[0]), "--json", str(tmp_path / "out.json"), *options]
    ran = CliRunner().invoke(app, call)

    assert isinstance(ran.exception, UsageError)
    assert options[0] in str(ran.exception)
    assert "id, seen, width, picture, price" in str(ran.exception.remedy)
    assert not (tmp_path / "out.json").exists()


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(["-c", "breast-cancer", "--target", "y"], id="of-a-task"),
        pytest.param(["--code", ".", "--public", "."], id="beside-code"),
        pytest.param(["--code", ".", "--key", "id"], id="of-code"),
    ],
)
def test_what_a_call_says_in_vain_is_refused(call):
    assert isinstance(CliRunner().invoke(app, ["leakage", *call]).exception, UsageError)


def test_a_schema_names_key_and_targets(folders):
    public, private = folders
    schema = {
        "competition_id": "x",
        "variant": "v1",
        "key": ["picture"],
        "key_source": "public/test.csv",
        "columns": {"price": {"type": "label"}},
    }
    (public / "submission-schema.json").write_text(json.dumps(schema))
    places = Places(public, private, schema=public / "submission-schema.json")

    split = split_of(dataset_at(places, Roles()))

    assert (split.key, split.targets) == (("picture",), ("price",))


def written(path, table):
    """Write a table in the format that a name says."""
    text = table.to_csv(index=False)
    match "".join(path.suffixes[-2:]):
        case ".csv.gz":
            path.write_bytes(gzip.compress(text.encode()))
        case ".csv.zip" | ".zip":
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr("inner.csv", text)
        case ".parquet":
            table.to_parquet(path)
        case ".feather":
            table.to_feather(path)
        case ".json":
            table.to_json(path, orient="records")
        case ".jsonl":
            table.to_json(path, orient="records", lines=True)
        case ".tsv":
            table.to_csv(path, sep="\t", index=False)
        case _:
            path.write_text(text)
    return path


@pytest.mark.parametrize(
    "name",
    [
        "t.csv",
        "t.tsv",
        "t.csv.gz",
        "t.csv.zip",
        "t.zip",
        "t.json",
        "t.jsonl",
        "t.parquet",
        "t.feather",
    ],
)
def test_every_format_gives_the_same_rows(tmp_path, name):
    import pandas as pd

    table = pd.DataFrame({"id": ["1e6641000824bd20", "7"], "x": [1.5, -2.0]})

    read = read_any(written(tmp_path / name, table))

    pd.testing.assert_frame_equal(read, table)


@pytest.mark.parametrize(
    ("content", "columns"),
    [
        pytest.param(b"id;x y;z\n1;2,5;3\n", ["id", "x y", "z"], id="semicolons"),
        pytest.param(b"id|x\n1|2\n", ["id", "x"], id="bars"),
        pytest.param(b"id;x,z\n1,2\n", ["id;x", "z"], id="a-comma-is-the-separator"),
        pytest.param(b"word\nx\n", ["word"], id="one-column"),
        pytest.param("id,größe\n1,2\n".encode("utf-16"), ["id", "größe"], id="utf-16"),
        pytest.param("id,größe\n1,2\n".encode("utf-8-sig"), ["id", "größe"], id="byte-order-mark"),
    ],
)
def test_tables_of_text_are_read_whatever_wrote_them(tmp_path, content, columns):
    (tmp_path / "t.csv").write_bytes(content)

    assert list(read_any(tmp_path / "t.csv").columns) == columns


def test_names_and_cells_of_any_kind_are_made_comparable(tmp_path):
    import pandas as pd

    (tmp_path / "t.json").write_text('[[1, {"a": [2]}], [3, null]]')
    pd.DataFrame({"b": [b"\xff", b"x"], "l": [[1], [2, 3]]}).to_parquet(tmp_path / "t.parquet")

    rows, cells = read_any(tmp_path / "t.json"), read_any(tmp_path / "t.parquet")

    assert (list(rows.columns), rows["1"].tolist()[0]) == (["0", "1"], '{"a": [2]}')
    assert (cells["b"].tolist(), cells["l"].tolist()) == (["\\xff", "x"], ["[1]", "[2, 3]"])


def test_a_packed_table_may_not_unpack_to_a_thousand_times_its_size(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "USUAL_UNPACKED", 10_000)
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(b"a,b\n" + b"0,0\n" * 100_000))
    with zipfile.ZipFile(tmp_path / "t.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("t.csv", b"a,b\n" + b"0,0\n" * 100_000)

    for name in ("t.csv.gz", "t.zip"):
        with pytest.raises(EvidenceUnavailableError, match="unpacks to more"):
            read_any(tmp_path / name)


def test_an_archive_of_pictures_is_no_table_of_the_test_part(folders):
    public, private = folders
    (public / "test.csv").rename(public / "sub_test.csv")
    with zipfile.ZipFile(public / "test.zip", "w") as archive:
        for n in range(3):
            archive.writestr(f"test/{n}.png", b"")
    with zipfile.ZipFile(public / "train.zip", "w") as archive:
        archive.writestr("__MACOSX/._train.csv", b"")
        archive.writestr("train.csv", (public / "train.csv").read_bytes())
    (public / "train.csv").unlink()

    split = split_of(Dataset.of_folders(public, private))

    assert split.test is split.sample
    assert split.train is not None
    assert (split.train.name, len(split.train.frame)) == ("public/train.zip", N)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        pytest.param("t.csv", b"a,b\n1,2\n1,2,3\n", "expected 2 cells in line 3, f", id="ragged"),
        pytest.param("t.csv", b"a,b\n1,2,3\n1,2,3\n", "cells", id="more-cells-than-names"),
        pytest.param("t.csv", b'a,b\n1,2\n1,"2\n', "closing quotation mark", id="open-quotes"),
        pytest.param("t.csv", b"", "found an empty file", id="empty"),
        pytest.param("t.csv", b"PAR1\x15\x04\n", "found a Parquet file", id="parquet-as-csv"),
        pytest.param("t.csv", b"a,b\n\0\1\2\n", "found a binary file", id="binary"),
        pytest.param("t.csv", None, "first line", id="ten-million-columns"),
        pytest.param("t.csv", b"a," * 200_000, "100000 columns", id="too-many-columns"),
        pytest.param("t.json", b"5", "expected a list of records, found a number", id="a-number"),
        pytest.param("t.json", b'{"a": 1}', "a list of records, found an object", id="an-object"),
        pytest.param("t.json", b"", "found an empty file", id="empty-json"),
        pytest.param("t.json", b"[" * 9_999, "t.json cannot be read", id="nested-json"),
        pytest.param("t.json", b"[\n{", "line 2, column 2", id="half-a-json"),
        pytest.param("t.jsonl", b'{"a": 1}\n{', "a JSON record in line 2", id="half-a-line"),
        pytest.param("t.parquet", b"PAR1nothing", "expected a Parquet file", id="no-parquet"),
        pytest.param("t.feather", b"", "expected a Feather file", id="no-feather"),
        pytest.param("t.zip", b"PK\x03\x04", "expected a zip archive", id="no-zip"),
        pytest.param("t.csv.gz", b"\x1f\x8bnothing", "expected a gzip file", id="no-gzip"),
        pytest.param("t.sqlite", b"SQLite", "expected one of", id="no-table"),
    ],
)
def test_what_is_no_table_is_told_with_the_reason(tmp_path, name, content, said):
    (tmp_path / name).write_bytes(b"x," * 5_000_000 if content is None else content)

    with pytest.raises(EvidenceUnavailableError, match=said) as told:
        read_any(tmp_path / name)
    assert "DataFrame" not in str(told.value)
    assert "C error" not in str(told.value)


def test_a_table_that_cannot_be_read_leaves_questions_open_and_nothing_crashes(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n1,2\n1,2,3\n")
    (tmp_path / "b.csv").write_text("a,b\n1,2\n")
    data = Dataset.of_tables(tmp_path / "a.csv", tmp_path / "b.csv")
    report = leakage([], tmp_path, load_policy(), NOW, data=[data])

    assert Outcome.FAILED not in {c.outcome for c in report.checks}
    assert any("line 3" in str(c.reason) for c in report.checks)
    assert report.verdicts[0].conclusion is Conclusion.UNDETERMINED
    assert "line 3" in report.verdicts[0].because[0]


def test_tables_that_share_no_column_are_not_cleared(tmp_path):
    for name, column in (("a", "p"), ("b", "q")):
        (tmp_path / f"{name}.csv").write_text(f"{column}\n1\n2\n")
    data = Dataset.of_tables(tmp_path / "a.csv", tmp_path / "b.csv")
    report = leakage([], tmp_path, load_policy(), NOW, data=[data])

    assert report.verdicts[0].conclusion is Conclusion.UNDETERMINED
