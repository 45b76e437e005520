import json

import numpy as np
import pandas as pd  # noqa: TID253
import pytest

from competitions import spec
from competitions.errors import (
    InvalidSubmissionError,
    NotPreparedError,
    UnknownNameError,
    UnreadableFileError,
)
from competitions.prepare import load_prepared
from competitions.spec import Column
from competitions.submission import (
    SubmissionSchema,
    align,
    key_index,
    max_lines,
    read_schema,
    read_submission,
    read_table,
    schema_of,
    validate,
    validate_file,
)

KEYS = [f"k{i}" for i in range(8)]


def schema(key=("id",), **columns):
    return SubmissionSchema(
        competition_id="t",
        variant="v1",
        key=key,
        key_source="public/test.csv",
        columns=columns or {"y": Column(type="float", low=0, high=1)},
    )


def problems(frame, rules=None, keys=KEYS):
    return validate(rules or schema(), frame, pd.Index(keys, dtype=object))


def good(**columns):
    return pd.DataFrame({"id": KEYS, "y": np.linspace(0, 1, 8)} | columns)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"", "empty", id="no-byte"),
        pytest.param(b"\n\n", "empty", id="only-lines"),
        pytest.param(b"a,b\n1,2\n1,2,3\n", "Expected 2 fields in line 3, saw 3", id="ragged"),
        pytest.param(b'a,b\n1,"2\n', "no readable CSV", id="open-quote"),
        pytest.param(b"a,b\n1,\x00\n", "NUL", id="nul"),
        pytest.param(bytes(range(256)) * 8, "NUL", id="binary"),
        pytest.param(b"\xff\xd8\xff\xe0" + bytes(range(1, 255)), "no UTF-8", id="binary-no-nul"),
        pytest.param("a,b\n1,2\n".encode("utf-16"), "UTF-16", id="utf-16"),
        pytest.param("a,b\n1,2\n".encode("utf-16-le"), "NUL", id="utf-16-without-mark"),
        pytest.param("a,b\n1,é\n".encode("latin-1"), "no UTF-8", id="latin-1"),
    ],
)
def test_a_file_that_cannot_be_read_is_invalid_with_its_reason(submit, content, said):
    with pytest.raises(InvalidSubmissionError, match=said):
        read_submission(submit(content))


def test_a_file_of_another_name_is_invalid(submit):
    with pytest.raises(InvalidSubmissionError, match=r"ends in \.csv"):
        read_submission(submit("id,y\n1,2\n", "submission.txt"))


def test_a_missing_file_and_a_folder_are_invalid(tmp_path):
    (tmp_path / "folder.csv").mkdir()
    for name in ("gone.csv", "folder.csv"):
        with pytest.raises(InvalidSubmissionError, match="found none"):
            read_submission(tmp_path / name)


def test_a_link_is_not_followed(tmp_path):
    (tmp_path / "answers.csv").write_text("id,y\n1,1\n")
    (tmp_path / "submission.csv").symlink_to(tmp_path / "answers.csv")

    with pytest.raises(InvalidSubmissionError, match="a link"):
        read_submission(tmp_path / "submission.csv")


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"\xef\xbb\xbfid,y\n1,0.1\n", id="byte-order-mark"),
        pytest.param(b"id,y\r\n1,0.1\r\n", id="crlf"),
        pytest.param(b"id,y\n\n1,0.1\n\n", id="blank-lines"),
        pytest.param(b'"id","y"\n"1","0.1"\n', id="quoted"),
        pytest.param(b"id,y\n0,1,0.1\n", id="index-without-a-name"),
    ],
)
def test_harmless_oddities_are_read(submit, content):
    frame = read_submission(submit(content))

    assert frame.to_dict("list") == {"id": [1], "y": [0.1]}


@pytest.mark.parametrize("value", [0.1, 1 / 3, 5e-324, 0.30000000000000004, 123456.78901234567])
def test_floats_are_read_exactly(submit, value):
    assert read_submission(submit(f"id,y\n1,{value!r}\n"))["y"].tolist() == [value]


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        pytest.param(good(), [], id="valid"),
        pytest.param(good().iloc[::-1], [], id="other-row-order"),
        pytest.param(good()[["y", "id"]], [], id="other-column-order"),
        pytest.param(good(more=1), [], id="further-column"),
        pytest.param(good().drop(columns="y"), ["missing columns: y; found id"], id="no-y"),
        pytest.param(
            good().drop(columns="id"), ["missing columns: id; found y"], id="no-key-column"
        ),
        pytest.param(
            good().iloc[:7], ["expected 8 rows, found 7", "id: missing keys (1): k7"], id="row-gone"
        ),
        pytest.param(
            good(id=[*KEYS[:7], "other"]),
            ["id: keys that are not in the test part (1): other", "id: missing keys (1): k7"],
            id="unknown-key",
        ),
        pytest.param(
            good(id=[*KEYS[:7], "k0"]),
            ["id: keys that occur more than once (1): k0", "id: missing keys (1): k7"],
            id="key-twice",
        ),
        pytest.param(
            good(id=[*KEYS[:7], None]),
            ["id: keys that are not in the test part (1): (empty)", "id: missing keys (1): k7"],
            id="empty-key",
        ),
        pytest.param(
            good(id=[f"x{i}" for i in range(8)]),
            [
                "id: keys that are not in the test part (8): x0, x1, x2, x3, x4 and 3 more",
                "id: missing keys (8): k0, k1, k2, k3, k4 and 3 more",
            ],
            id="at-most-five-examples",
        ),
        pytest.param(
            good(y=[None, *[0.5] * 7]), ["y: empty cells (1), at k0"], id="empty-cell-and-its-key"
        ),
        pytest.param(
            good(y=["a", *["0.5"] * 7]),
            ["y: expected numbers, found 1 other value: 'a' at k0"],
            id="text",
        ),
        pytest.param(
            good(y=[True] * 8),
            [
                "y: expected numbers, found 8 other values: 'True' at k0, 'True' at k1, "
                "'True' at k2, 'True' at k3, 'True' at k4 and 3 more"
            ],
            id="bool-for-float",
        ),
        pytest.param(
            good(y=[-1, 2, *[0.5] * 6]),
            ["y: 1 value below 0: -1.0 at k0", "y: 1 value above 1: 2.0 at k1"],
            id="out-of-range",
        ),
        pytest.param(
            good(y=[np.inf, *[0.5] * 7]),
            ["y: 1 infinite value: inf at k0", "y: 1 value above 1: inf at k0"],
            id="infinite",
        ),
    ],
)
def test_the_validator_says_what_is_wrong(frame, expected):
    assert list(problems(frame)) == expected


def test_all_problems_are_told_at_once():
    frame = pd.DataFrame({"id": ["k0", "k0", "zz"], "y": [2.0, None, 0.5]})
    found = problems(frame, schema(y=Column(type="float", high=1), z=Column(type="int")))

    assert [p.split(" (")[0] for p in found] == [
        "missing columns: z; found id, y",
        "expected 8 rows, found 3",
        "id: keys that occur more than once",
        "id: keys that are not in the test part",
        "id: missing keys",
        "y: empty cells",
        "y: 1 value above 1: 2.0 at k0",
    ]


UNIT, WHOLE = Column(type="float", low=0, high=1), Column(type="int", low=0)
MIXED = ["x", "1.5", "0.5", "-2", "", "0.5", "y", "-1"]


@pytest.mark.parametrize(
    ("rule", "cells", "expected"),
    [
        pytest.param(
            UNIT,
            MIXED,
            [
                "empty cells (1), at k4",
                "expected numbers, found 2 other values: 'x' at k0, 'y' at k6",
                "2 values below 0: -2.0 at k3, -1.0 at k7",
                "1 value above 1: 1.5 at k1",
            ],
            id="words-hide-no-gap-and-no-range",
        ),
        pytest.param(
            WHOLE,
            MIXED,
            [
                "empty cells (1), at k4",
                "expected numbers, found 2 other values: 'x' at k0, 'y' at k6",
                "expected whole numbers, found 3 other values: 1.5 at k1, 0.5 at k2, 0.5 at k5",
                "2 values below 0: -2.0 at k3, -1.0 at k7",
            ],
            id="words-hide-no-fraction",
        ),
        pytest.param(
            UNIT,
            ["7", "9", "8", "2", "3", "4", "5", "0.5"],
            ["7 values above 1: 9.0 at k1, 8.0 at k2, 7.0 at k0, 5.0 at k6, 4.0 at k5 and 2 more"],
            id="farthest-out-first-and-a-count",
        ),
        pytest.param(
            Column(type="bool"),
            ["True", "False", "maybe", "True", "False", "1", "True", "no"],
            [
                "expected True or False in every row, found 2 other values: "
                "'maybe' at k2, 'no' at k7"
            ],
            id="good-words-of-a-bool-column-are-not-blamed",
        ),
        pytest.param(
            Column(type="bool"),
            ["True", "1"] * 4,
            [
                "expected one spelling, True and False or 1 and 0, in every row, "
                "found 'True', '1'"
            ],
            id="two-spellings",
        ),
        pytest.param(
            Column(type="bool", lenient=True),
            ["True", "no", "True", "no"] * 2,
            [
                "expected True/False or whole numbers, found 4 other values: "
                "'no' at k1, 'no' at k3, 'no' at k5, 'no' at k7"
            ],
            id="lenient-names-the-odd-word",
        ),
        pytest.param(
            Column(type="bool", lenient=True),
            ["1", "0.7", "", "0", "1", "0", "1", "0"],
            [
                "empty cells (1), at k2",
                "expected whole numbers (probabilities are no labels), "
                "found 1 other value: '0.7' at k1",
            ],
            id="lenient-tells-gap-and-probability",
        ),
        pytest.param(
            WHOLE,
            [str(10**22), *["1"] * 7],
            [
                f"expected numbers, found whole numbers beyond 64 bits: '{10**22}' at k0",
                "expected whole numbers, found 1 other value: 1e+22 at k0",
            ],
            id="beyond-64-bits",
        ),
        pytest.param(
            Column(type="label", labels=("a", "b")),
            ["a", "c", "b", "", "d", "a", "a", "a"],
            [
                "empty cells (1), at k3",
                "2 values not among the labels: 'c' at k1, 'd' at k4",
            ],
            id="labels",
        ),
        pytest.param(
            UNIT, ["\x1b[2J", *["0.5"] * 7],
            ["expected numbers, found 1 other value: '\\x1b[2J' at k0"], id="hostile-word",
        ),
    ],
)  # fmt: skip
def test_all_problems_of_a_column_are_told_with_the_rows_that_have_them(
    submit, rule, cells, expected
):
    lines = "".join(f"{k},{c}\n" for k, c in zip(KEYS, cells, strict=True))
    frame = read_submission(submit(f"id,y\n{lines}"))

    assert list(problems(frame, schema(y=rule))) == [f"y: {said}" for said in expected]


def test_rows_are_numbered_where_the_file_has_no_key(submit):
    frame = read_submission(submit("y\n0.5\nx\n" + "2\n" * 6))

    assert problems(frame)[1:] == (
        "y: expected numbers, found 1 other value: 'x' at row 2",
        "y: 6 values above 1: 2.0 at row 3, 2.0 at row 4, 2.0 at row 5, 2.0 at row 6, "
        "2.0 at row 7 and 1 more",
    )


STRICT, LENIENT = Column(type="bool"), Column(type="bool", lenient=True)


@pytest.mark.parametrize(
    ("values", "strict", "lenient"),
    [
        pytest.param([True, False], True, True, id="bool"),
        pytest.param([1, 0], True, True, id="int"),
        pytest.param([1.0, 0.0], True, True, id="whole-float"),
        pytest.param([7, 0], False, True, id="another-integer"),
        pytest.param([1e18, 0.0], False, True, id="large-float-of-64-bits"),
        pytest.param([1e19, 0.0], False, False, id="float-beyond-64-bits"),
        pytest.param([0.5, 1.0], False, False, id="probability"),
        pytest.param([np.nan, 1.0], False, False, id="nan"),
        pytest.param([True, None], False, False, id="empty"),
        pytest.param([np.inf, 1.0], False, False, id="infinity"),
        pytest.param(["yes"], False, False, id="one-word"),
        pytest.param(["yes", "no"], False, False, id="two-words"),
        pytest.param(["True", "False", "Tru"], False, True, id="three-words"),
        pytest.param(["yes", "no", "x", None], False, False, id="three-words-and-empty"),
        pytest.param([10**22, 10**22 + 1, 1], False, True, id="three-integers-beyond-64-bits"),
    ],
)
def test_a_bool_column_is_strict_or_takes_what_the_published_grader_takes(values, strict, lenient):
    filled = [values[i % len(values)] for i in range(8)]
    frame = good(y=pd.Series(filled, dtype=object).infer_objects())

    assert (not problems(frame, schema(y=STRICT))) is strict
    assert (not problems(frame, schema(y=LENIENT))) is lenient


@pytest.mark.parametrize(
    ("rule", "values", "said"),
    [
        pytest.param(Column(type="int"), [1, 2], None, id="int"),
        pytest.param(Column(type="int"), [1.0, 2.0], None, id="whole-floats-are-integers"),
        pytest.param(
            Column(type="int"),
            [1.5, 2.0],
            "expected whole numbers, found 4 other values",
            id="fraction",
        ),
        pytest.param(
            Column(type="int", low=2), [1, 2], "4 values below 2: 1 at k0", id="int-range"
        ),
        pytest.param(Column(type="label", labels=("a", "b")), ["a", "b"], None, id="label"),
        pytest.param(
            Column(type="label", labels=("a",)),
            ["a", "c"],
            "4 values not among the labels: 'c' at k1",
            id="unknown",
        ),
        pytest.param(Column(type="label", labels=(1, 2)), [1, 2], None, id="number-labels"),
        pytest.param(Column(type="text"), ["anything", "x"], None, id="text"),
        pytest.param(Column(type="text"), ["x", None], "empty cells (4)", id="empty-text"),
        pytest.param(Column(type="text", may_be_empty=True), ["x", None], None, id="empty-allowed"),
        pytest.param(Column(type="text", may_be_empty=True), [None, None], None, id="all-empty"),
        pytest.param(
            Column(type="label", labels=("a",), may_be_empty=True),
            ["c", None],
            "4 values not among the labels: 'c' at k0",
            id="unknown-beside-empty",
        ),
    ],
)
def test_each_column_type_has_its_rule(rule, values, said):
    found = problems(good(y=[values[i % 2] for i in range(8)]), schema(y=rule))

    assert (not found) if said is None else said in found[0]


def test_a_key_may_be_written_as_integer_float_or_text():
    expected = ["1", "2", "30"]
    for values in ([1, 2, 30], [1.0, 2.0, 30.0], ["1", "2", "30"]):
        assert key_index(pd.DataFrame({"id": values}), ("id",)).tolist() == expected


def test_a_key_of_two_columns_is_compared_by_both():
    rules = schema(("a", "b"), y=Column(type="int"))
    answers = pd.DataFrame({"a": ["x", "x,1"], "b": ["1,2", "2"], "y": [0, 1]})
    keys = key_index(answers, rules.key)
    swapped = pd.DataFrame({"a": ["x", "x,1"], "b": ["1", "2"], "y": [0, 1]})

    assert keys.is_unique
    assert validate(rules, answers, keys) == ()
    assert validate(rules, swapped, keys) == (
        "a, b: keys that are not in the test part (1): x/1",
        "a, b: missing keys (1): x/1,2",
    )


def test_aligning_puts_equal_keys_in_equal_rows():
    answers = pd.DataFrame({"id": ["b", "a", "c"], "y": [1, 2, 3]}, index=[7, 8, 9])
    submission = pd.DataFrame({"id": ["a", "b", "c"], "y": [20, 10, 30]})
    truth, aligned = align(schema(), submission, answers)

    assert aligned["id"].tolist() == truth["id"].tolist() == ["b", "a", "c"]
    assert aligned["y"].tolist() == [10, 20, 30]


def test_a_file_is_validated_without_the_private_folder(data_dir, tmp_path):
    prepared = load_prepared(spec.load("modechoice"), data_dir)
    for name in ("public", "submission-schema.json"):
        (tmp_path / name).symlink_to(prepared.folder / name)

    sample = prepared.public / "sample_submission.csv"
    assert validate_file(sample, tmp_path) == ()
    assert validate_file(tmp_path / "gone.csv", tmp_path) == (
        "expected a file gone.csv, found none",
    )


def test_the_written_schema_holds_no_key_and_no_label(data_dir):
    prepared = load_prepared(spec.load("modechoice"), data_dir)
    text = (prepared.folder / "submission-schema.json").read_text()

    assert set(json.loads(text)) == set(SubmissionSchema.model_fields)
    assert len(text) < 1000


def test_a_folder_without_schema_or_keys_is_not_prepared(tmp_path):
    with pytest.raises(NotPreparedError, match="submission-schema"):
        read_schema(tmp_path)
    with pytest.raises(NotPreparedError, match="keys"):
        validate_file(tmp_path / "s.csv", tmp_path, schema())


@pytest.mark.parametrize("content", [b"{", b'{"key": 1}', b"\xff"])
def test_a_broken_schema_is_unreadable(tmp_path, content):
    (tmp_path / "submission-schema.json").write_bytes(content)
    with pytest.raises(UnreadableFileError):
        read_schema(tmp_path)


def test_far_too_many_lines_are_refused_before_they_are_parsed(submit):
    path = submit("id,y\n" + "1,2\n" * 30_000)

    with pytest.raises(InvalidSubmissionError, match="more than 11,000 lines"):
        read_submission(path, max_lines(100))

    assert len(read_submission(path, max_lines(3_000))) == 30_000


def test_a_header_of_a_million_columns_is_refused(submit):
    with pytest.raises(InvalidSubmissionError, match="header is longer"):
        read_submission(submit(",".join(f"c{i}" for i in range(200_000)) + "\n"))


@pytest.mark.parametrize(
    ("pairing", "keys", "columns", "said"),
    [
        pytest.param("position", None, {"y": 8}, None, id="position-needs-no-key"),
        pytest.param("position", None, {"y": 7}, "expected 8 rows", id="position-counts"),
        pytest.param("position", ["x"] * 8, {"y": 8}, None, id="position-reads-no-key"),
        pytest.param("sorted", ["x"] * 8, {"y": 8}, None, id="sorted-compares-no-key"),
        pytest.param("sorted", None, {"y": 8}, "missing columns: id", id="sorted-needs-the-key"),
        pytest.param("sorted", KEYS[:7], {"y": 7}, "expected 8 rows", id="sorted-counts"),
        pytest.param("sorted-set", [*KEYS[:7], "k0"], {"y": 8}, "missing keys", id="set-lacks-one"),
        pytest.param("sorted-known", [*KEYS[:7], "k0"], {"y": 8}, None, id="known-may-lack-one"),
        pytest.param(
            "sorted-known", [*KEYS[:7], "x"], {"y": 8}, "not in the test part", id="known-knows-all"
        ),
        pytest.param("joined", [*KEYS, "k0"], {"y": 9}, None, id="joined-takes-a-key-twice"),
        pytest.param(
            "joined", [*KEYS, "x"], {"y": 9}, "not in the test part", id="joined-knows-all"
        ),
        pytest.param(None, ["x"] * 8, {"y": 8}, "missing keys", id="keys-are-compared-otherwise"),
    ],
)
def test_rows_are_checked_as_the_published_grader_pairs_them(pairing, keys, columns, said):
    frame = pd.DataFrame({"y": np.linspace(0, 1, columns["y"])})
    if keys is not None:
        frame.insert(0, "id", keys)
    found = problems(frame, schema().model_copy(update={"pairing": pairing}))

    assert (said is None) == (not found)
    assert said is None or any(said in problem for problem in found)


@pytest.mark.parametrize(
    ("variant", "arguments", "expected"),
    [
        pytest.param("v1", {"pairing": "sorted"}, "sorted", id="v1"),
        pytest.param("fixed", {"pairing": "sorted"}, None, id="fixed-compares-keys"),
        pytest.param("v1", {}, None, id="by-the-key"),
    ],
)
def test_a_task_says_how_its_grader_pairs_rows(variant, arguments, expected):
    task = spec.load("modechoice")
    metric = task.metric.model_copy(update={"arguments": arguments})
    rules = schema_of(task.model_copy(update={"metric": metric, "variant": variant}))

    assert rules.pairing == expected


def test_an_unknown_pairing_of_rows_is_an_error_of_the_task():
    task = spec.load("modechoice")
    metric = task.metric.model_copy(update={"arguments": {"pairing": "by luck"}})
    with pytest.raises(UnknownNameError, match="by luck"):
        schema_of(task.model_copy(update={"metric": metric}))


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.csv.zip", "a.tsv.zip"])
def test_a_table_of_ours_may_be_packed_and_have_tabs(tmp_path, name):
    frame = pd.DataFrame({"id": [1, 2], "said": ["a, b", "c"]})
    frame.to_csv(tmp_path / name, index=False, sep="\t" if ".tsv" in name else ",")

    pd.testing.assert_frame_equal(read_table(tmp_path / name), frame)


@pytest.mark.parametrize("odd", [float("inf"), "word", None, 7])
def test_any_cell_is_let_through_where_the_metric_looks_at_them(odd):
    frame = good(y=pd.Series([odd, *[0.5] * 7], dtype=object))

    assert problems(frame, schema(y=Column(type="float", high=1)))
    assert not problems(frame, schema(y=Column(type="float", high=1, by_metric=True)))
    assert problems(frame[["id"]], schema(y=Column(type="float", by_metric=True)))
