"""A table prepared in pieces is, byte for byte, the one prepared whole."""

from __future__ import annotations

import functools
import io
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd  # noqa: TID253
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from competitions import prepare as preparing
from competitions import row_keys, streamed
from competitions.chunks import chunked
from competitions.errors import MleAuditError, RawDataError
from competitions.hooks import purchases
from competitions.io import walk_files
from competitions.prepare import prepare
from competitions.shapes import RawFile, Read
from competitions.spec import Competition, load
from competitions.streamed import write_streamed
from competitions.work import Work, raw_table
from tests.audit.runner.tiny import SPEC

TASK = Competition.model_validate(SPEC | {"source": {"kind": "local", "url": "https://a.b/"}})
ROWS = 12
VAST, UNSIGNED = "99999999999999999999999", "18446744073709551615"
CELLS = [
    *("", "1", "-1", "2.50", "1e3", "007", "True", "FALSE", "NA", "null", "inf", " 3", "0.1", "5."),
    *("abc", "a longer text", '"x,y"', '"a\nb"', '"he said ""hi"""', "é", '"7"', "-0.0", "1e400"),
    *(VAST, UNSIGNED, "9223372036854775807", "9007199254740993", "0x1F", "1e30", "#N/A N/A"),
]
ALIKE = [
    *(["1", "2", ""], ["True", "False", ""], ["1", "2.5"], ["a", "", "1"], ["", ""], ["1", "7"]),
    *([UNSIGNED, "1", "", "-1", "1.5"], [VAST, "1.5", ""], [VAST, "a longer text", "", "NA"]),
    *([UNSIGNED, "a longer text", ""], ["True", "true"], ["True", "1"], ["1", "2", "x"]),
]
COLUMN = st.one_of(
    [st.lists(st.sampled_from(c), min_size=ROWS, max_size=ROWS) for c in (CELLS, *ALIKE)]
)
TYPED = st.one_of(
    [
        st.lists(st.sampled_from(c), min_size=ROWS, max_size=ROWS)
        for c in ALIKE
        if not {VAST, UNSIGNED} & set(c)
    ]
)
BY_ROW = 1  # bytes: a chunk of one row


def csv_of(columns: dict[str, list[str]]) -> str:
    lines = [",".join(columns), *(",".join(row) for row in zip(*columns.values(), strict=True))]
    return "".join(f"{line}\n" for line in lines)


def read_both_ways(folder: Path, text: str, size: int, read: Read | None = None):
    """Return the whole table, and the chunked one or None."""
    (folder / "data.csv").write_text(text, encoding="utf-8")
    file = RawFile(path="data.csv", read=read or Read())
    task = TASK.model_copy(update={"raw": (file,)})
    work = Work(folder, folder / "unpacked")
    return raw_table(task, work, "data.csv"), chunked(task, work, "data.csv", size)


def assert_alike(whole: pd.DataFrame, table) -> None:
    chunks = list(table.chunks())
    assert table.n_rows == len(whole)
    for one in (table.head, *chunks):
        assert list(one.dtypes) == list(whole.dtypes)
    pd.testing.assert_frame_equal(pd.concat(chunks), whole)
    for quoting in (0, 2):
        texts = [c.to_csv(header=False, quoting=quoting) for c in chunks]
        assert "".join(texts) == whole.to_csv(header=False, quoting=quoting)


# ---------------------------------------------------------------- types of columns


@settings(max_examples=150)
@given(
    columns=st.lists(COLUMN, min_size=1, max_size=3),
    n_rows=st.integers(0, ROWS),
    size=st.sampled_from([BY_ROW, 8192, 20000]),
    empty_is_missing=st.booleans(),
)
@example([["1"] * 6 + [""] * 6], 12, BY_ROW, True)
@example([[UNSIGNED] * 2 + [""] * 10], 12, BY_ROW, True)
@example([[VAST, "a longer text", ""] * 4], 12, 8192, True)
def test_chunks_have_the_types_and_the_text_of_the_whole(columns, n_rows, size, empty_is_missing):
    named = {f"c{i}": cells[:n_rows] for i, cells in enumerate(columns)}
    text = csv_of(named | {"k": ["0"] * n_rows})
    with tempfile.TemporaryDirectory() as folder:
        read = Read(empty_is_missing=empty_is_missing)
        whole, table = read_both_ways(Path(folder), text, size, read)
        if table is not None:
            assert_alike(whole, table)


@pytest.mark.parametrize(
    ("cells", "dtype"),
    [
        pytest.param(["1", "2", "3"], "int64", id="whole-numbers"),
        pytest.param(["1", "2", ""], "float64", id="one-empty-cell-makes-floats"),
        pytest.param(["", "1", "2"], "float64", id="the-first-cell-is-empty"),
        pytest.param(["1", "2", "2.5"], "float64", id="one-fraction-makes-floats"),
        pytest.param(["", "", ""], "float64", id="nothing"),
        pytest.param(["True", "FALSE", "true"], "bool", id="flags"),
        pytest.param(["True", "", "FALSE"], "object", id="flags-and-an-empty-cell"),
        pytest.param(["", "", "True"], "object", id="one-flag"),
        pytest.param(["True", "1", "0"], "str", id="flags-and-numbers"),
        pytest.param(["007", "1", "x"], "str", id="a-word-makes-text-of-numbers"),
        pytest.param(["x", "", "1.50"], "str", id="numbers-after-a-word-keep-their-zeros"),
        pytest.param(["word", "1", VAST], "str", id="a-vast-number-after-a-word"),
        pytest.param(
            ["9007199254740993", "", "1"], "float64", id="digits-are-lost-as-in-the-whole"
        ),
        pytest.param([VAST, "1", "x"], None, id="a-vast-number-before-a-word"),
        pytest.param([UNSIGNED, "1", "2"], None, id="beyond-signed-64-bits"),
        pytest.param(["1", "1e30", "2"], None, id="a-float-that-may-be-a-vast-number"),
    ],
)
def test_a_column_has_the_type_that_all_of_its_cells_give_it(tmp_path, cells, dtype):
    whole, table = read_both_ways(tmp_path, csv_of({"c": cells, "k": list("abc")}), BY_ROW)
    if dtype is None:
        assert table is None
        return
    assert str(whole["c"].dtype) == dtype
    assert_alike(whole, table)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a,b\n1,2\n3,4,5\n", id="a-row-too-long"),
        pytest.param('a,b\n1,2\n3,"4\n', id="a-quote-that-is-not-closed"),
        pytest.param("a,b\n1,2\n3", id="cut-off"),
        pytest.param("", id="empty"),
    ],
)
def test_a_broken_table_is_told_as_when_it_is_read_whole(tmp_path, text):
    (tmp_path / "data.csv").write_text(text)
    work = Work(tmp_path, tmp_path / "unpacked")
    with pytest.raises(RawDataError) as whole:
        raw_table(TASK, work, "data.csv")
    with pytest.raises(RawDataError) as in_chunks:
        chunked(TASK, work, "data.csv", BY_ROW)
    assert str(in_chunks.value) == str(whole.value)


@pytest.mark.parametrize("names", ["xy", "01", "10"])
def test_rows_that_name_themselves_are_refused(tmp_path, names):
    text = "a,b\n{},1,2\n{},3,4\n".format(*names)
    with pytest.raises(RawDataError, match="its rows have 3 cells and its first line names 2"):
        read_both_ways(tmp_path, text, BY_ROW)


def test_columns_that_are_not_asked_for_are_not_there(tmp_path):
    _, table = read_both_ways(tmp_path, csv_of({"a": ["1", ""], "b": ["x", "y"]}), BY_ROW)
    assert [list(chunk.columns) for chunk in table.chunks(["b"])] == [["b"], ["b"]]


# ---------------------------------------------------------------- whole tasks


SPLITS: dict[str, dict[str, Any]] = {
    "rows": {"method": "random_rows", "test_size": 0.3, "seed": 3},
    "rows-by-label": {"method": "random_rows", "test_size": 0.5, "stratify": "y"},
    "so-many-rows": {"method": "random_rows", "test_size": 5},
    "rows-that-count": {"method": "random_rows", "test_size": 0.3, "drop_rows": {"g": ["01"]}},
    "numbers-that-count": {"method": "random_rows", "test_size": 0.3, "drop_rows": {"y": [2]}},
    "groups": {"method": "random_groups", "test_size": 0.4, "group": {"column": "g"}},
    "unique": {"method": "unique_groups", "test_size": 0.4, "group": {"column": "n"}},
    "shuffled": {"method": "shuffled_groups", "test_size": 0.4, "group": {"column": "g"}},
    "prefix": {
        "method": "unique_groups",
        "test_size": 0.4,
        "group": {"column": "id", "prefix_before": "_"},
    },
    "tail": {"method": "time_tail", "test_size": 0.3, "time": "n"},
    "own-test": {"method": "whole_test", "test_on": "side.csv", "drop_rows": {"g": ["b"]}},
}
RENUMBER = [
    None,
    {"column": "id"},
    {"column": "n", "first": 1, "continues": True},
    {"column": "g", "train": "tr-{n}", "test": "te-{n}", "shared": True},
]
STYLES: list[dict[str, Any]] = [
    {},
    {"sep": "\t", "index": True, "quote": "words"},
    {"float_format": "%.3g", "pack": "packed.zip"},
    {"rename": {"g": "group"}, "columns": ["y", "group", "id"]},
    {"one_hot": "y", "drop": ["g"]},
]


def task_of(split: str, renumber, style: dict[str, Any], *, by: str, quote: str) -> Competition:
    return Competition.model_validate(
        SPEC
        | {
            "source": {"kind": "local", "url": "https://example.org/"},
            "raw": [{"path": "data.csv"}, {"path": "side.csv"}],
            "split": {"on": "data.csv"} | SPLITS[split],
            "renumber": renumber,
            "derived": {"both": "{g}-{id[0]}"},
            "public": [
                {"path": "train.csv", "part": "train"} | style,
                {"path": "test.csv", "part": "test", "drop": ["y"], "quote": quote},
                {"path": "side.csv", "part": "train", "source": "side.csv", "by": by},
                {"path": "sample_submission.csv", "part": "sample"},
            ],
            "files": [{"from": "{n}.txt", "to": "notes/{n}.txt", "part": "train"}],
            "sample_submission": {
                "path": "sample_submission.csv",
                "keep": ["both"],
                "fill": {"0": 0.5, "1": {"column": "x0"}, "2": None},
            },
            "submission": {
                "key": ["id"],
                "columns": {name: {"type": "float"} for name in "012"},
            },
        }
    )


def table_of(rng: np.random.RandomState, n_rows: int, columns: list[list[str]]) -> str:
    groups = ["01", "a", "b", "c", "1"]
    named = {
        "id": [f"{rng.randint(5)}_{i}" for i in rng.permutation(n_rows)],
        "g": [groups[i] for i in rng.randint(5, size=n_rows)],
        "n": [str(i) for i in rng.randint(6, size=n_rows)],
        "y": [str(i) for i in rng.randint(3, size=n_rows)],
    }
    return csv_of(named | {f"x{i}": cells[:n_rows] for i, cells in enumerate(columns)})


def side_of(rng: np.random.RandomState, columns: list[list[str]]) -> str:
    text = table_of(rng, ROWS, columns)
    table = pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)
    return table.assign(both=table["g"] + "-" + table["id"].str[0]).to_csv(index=False)


def prepared_in(data_dir: Path, task: Competition, raw: Path) -> dict[str, bytes] | str:
    """Return all files, or the name of the error."""
    try:
        folder = prepare(task, data_dir, raw=raw).folder
    except MleAuditError as error:
        return error.code
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in walk_files(folder)}


def both_ways(task: Competition, seed: int, n_rows: int, columns: list[list[str]], chunk: int):
    """Return what reading whole gives, what pieces give, and whether there were pieces."""
    rng = np.random.RandomState(seed)
    ways = []
    with tempfile.TemporaryDirectory() as root, pytest.MonkeyPatch.context() as patch:
        raw = Path(root) / "raw"
        raw.mkdir()
        (raw / "data.csv").write_text(table_of(rng, n_rows, columns), encoding="utf-8")
        (raw / "side.csv").write_text(side_of(rng, columns), encoding="utf-8")
        for number in range(ROWS):
            (raw / f"{number}.txt").write_text(str(number))
        whole = prepared_in(Path(root) / "whole", task, raw)

        def spied(*arguments) -> bool:
            ways.append(write_streamed(*arguments))
            return ways[-1]

        patch.setattr(preparing, "write_streamed", spied)
        patch.setattr(streamed, "LEAST", 0)
        patch.setattr(streamed, "CHUNK", chunk)
        return whole, prepared_in(Path(root) / "pieces", task, raw), ways == [True]


PLAIN = [["1", "2", ""] * 4, ["True", "False", ""] * 4, ["0.1", "x", '"y,\n"'] * 4]


@pytest.mark.slow
@pytest.mark.parametrize("renumber", range(len(RENUMBER)))
@pytest.mark.parametrize("split", SPLITS)
def test_every_recipe_gives_the_same_files_in_pieces(split, renumber):
    style = STYLES[renumber]
    task = task_of(split, RENUMBER[renumber], style, by="n", quote="words")
    whole, in_pieces, are_pieces = both_ways(task, 5, ROWS, PLAIN, BY_ROW)

    assert isinstance(whole, dict)
    assert are_pieces
    assert in_pieces == whole


@pytest.mark.slow
@settings(max_examples=30)
@given(
    columns=st.lists(TYPED, min_size=1, max_size=2),
    split=st.sampled_from(sorted(SPLITS)),
    renumber=st.sampled_from(RENUMBER),
    style=st.sampled_from(STYLES),
    seed=st.integers(0, 99),
    n_rows=st.integers(2, ROWS),
    chunk=st.sampled_from([BY_ROW, 8192, 20000]),
    by=st.sampled_from(["g", "n", "both"]),
)
def test_files_are_the_same_whichever_way(  # noqa: PLR0917 - drawn
    columns, split, renumber, style, seed, n_rows, chunk, by
):
    task = task_of(split, renumber, style, by=by, quote="minimal")
    whole, in_pieces, _ = both_ways(task, seed, n_rows, columns, chunk)

    assert in_pieces == whole


@pytest.mark.parametrize(
    "ids",
    [
        pytest.param(["1", "2", "1", "1"], id="whole-numbers"),
        pytest.param(["a", "b", "b", ""], id="texts-and-an-empty-one"),
        pytest.param(["1", "2", "", ""], id="floats-and-empty-ones"),
        pytest.param(["1", "1.0", "x", "1"], id="texts-that-look-like-numbers"),
        pytest.param(["1", "1.0", "2", "3"], id="one-number-written-twice"),
    ],
)
def test_repeated_keys_are_told_with_the_same_counts(tmp_path, monkeypatch, ids):
    (tmp_path / "data.csv").write_text(csv_of({"id": ids, "y": ["0", "1"] * 2}))
    said = []
    for least in (1 << 60, 0):
        monkeypatch.setattr(streamed, "LEAST", least)
        monkeypatch.setattr(streamed, "CHUNK", BY_ROW)
        with pytest.raises(RawDataError, match="expected one row per id") as error:
            prepare(TASK, tmp_path / str(least), raw=tmp_path)
        said.append(str(error.value))
    assert said[0] == said[1]


def test_keys_with_one_hash_are_told_apart(tmp_path, monkeypatch):
    def first_letter(frame, key):
        return np.array([ord(text[0]) for text in frame[key[0]]], dtype=np.uint64), 0

    monkeypatch.setattr(row_keys, "key_hashes", first_letter)
    monkeypatch.setattr(streamed, "LEAST", 0)
    (tmp_path / "data.csv").write_text(csv_of({"id": ["a1", "a2", "b1"], "y": ["0", "1", "0"]}))

    assert prepare(TASK, tmp_path / "data", raw=tmp_path).is_new


# ---------------------------------------------------------------- the catalog's large tables


LARGE = [
    "champs-scalar-coupling",
    "facebook-recruiting-iii-keyword-extraction",
    "icecube-neutrinos-in-deep-ice",
    "jigsaw-unintended-bias-in-toxicity-classification",
    "new-york-city-taxi-fare-prediction",
    "nfl-player-contact-detection",
    "tabular-playground-series-dec-2021",
    "tabular-playground-series-may-2022",
    "text-normalization-challenge-english-language",
    "text-normalization-challenge-russian-language",
    "ventilator-pressure-prediction",
]


def trees_of(task: Competition, data_dir: Path) -> dict[str, bytes]:
    folder = prepare(task, data_dir, "miniature").folder
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in walk_files(folder)}


def variants_of_large() -> list[Competition]:
    tasks = [load(name) for name in LARGE]
    return tasks + [load(task.id, "fixed") for task in tasks if task.has_fixed]


@pytest.mark.slow
@pytest.mark.parametrize(
    "task", [pytest.param(t, id=f"{t.id}-{t.variant}") for t in variants_of_large()]
)
@pytest.mark.parametrize("chunk", [500, 20000])
def test_large_tasks_are_the_same_in_pieces(tmp_path, monkeypatch, task, chunk):
    whole = trees_of(task, tmp_path / "whole")
    monkeypatch.setattr(streamed, "LEAST", 0)
    monkeypatch.setattr(streamed, "CHUNK", chunk)
    monkeypatch.setattr("competitions.prepare.split_frame", None)  # the whole way would end here

    assert trees_of(task, tmp_path / "pieces") == whole


@pytest.mark.parametrize("name", LARGE)
def test_large_tables_can_be_prepared_in_pieces(name):
    assert streamed.can_stream(load(name))


def test_purchases_are_the_same_in_pieces(tmp_path, monkeypatch):
    task = load("h-and-m-personalized-fashion-recommendations")
    whole = trees_of(task, tmp_path / "whole")
    monkeypatch.setattr(purchases, "chunked", functools.partial(chunked, size=BY_ROW))
    in_pieces = trees_of(task, tmp_path / "pieces")
    monkeypatch.setattr(purchases, "chunked", lambda *_: None)

    assert in_pieces == whole
    assert trees_of(task, tmp_path / "at-once") == whole


def test_parquet_of_many_row_groups_has_the_same_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr("competitions.outputs.ROW_GROUP", 7)
    monkeypatch.setattr(streamed, "ROW_GROUP", 7)
    task = load("icecube-neutrinos-in-deep-ice")
    whole = trees_of(task, tmp_path / "whole")
    monkeypatch.setattr(streamed, "LEAST", 0)
    monkeypatch.setattr(streamed, "CHUNK", 500)
    in_pieces = trees_of(task, tmp_path / "pieces")

    with pq.ParquetFile(io.BytesIO(whole["public/train_meta.parquet"])) as table:
        assert table.num_row_groups > 10
    assert in_pieces == whole
