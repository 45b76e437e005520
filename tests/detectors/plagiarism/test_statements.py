"""Texts as rows of statements, and pairs of equal runs whose number stays linear."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from detectors.plagiarism.runs import MAX_PAIRS, paired, partners, runs_of
from detectors.plagiarism.statements import (
    MAX_STATEMENT_LINES,
    aligned,
    code_statements,
    folded_names,
    prose_statements,
)


def ranges(code: str, language: str = "python") -> list[tuple[int, int]]:
    made = code_statements(code, language)
    return list(zip(made.first_lines.tolist(), made.last_lines.tolist(), strict=True))


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        pytest.param("a = 1\nb = 2\n", [(1, 1), (2, 2)], id="lines"),
        pytest.param("a = f(\n  1,\n  2,\n)\nb = 2\n", [(1, 4), (5, 5)], id="open-bracket"),
        pytest.param("a = {'x': [\n1, 2],\n}\n", [(1, 3)], id="brackets-within"),
        pytest.param("a)\nb = (1,\n2)\n", [(1, 1), (2, 3)], id="a-bracket-too-many"),
        pytest.param("\n\n# note\na = 1\n\n", [(4, 4)], id="blank-lines-and-comments"),
        pytest.param("", [], id="nothing"),
        pytest.param("# only words\n", [], id="only-a-comment"),
    ],
)
def test_statements_stand_at_their_lines(code, expected):
    assert ranges(code) == expected


def test_a_bracket_that_nothing_closes_does_not_swallow_the_rest():
    code = "a = 1\nb = (\n" + "c = 2\n" * (MAX_STATEMENT_LINES + 10)

    assert len(ranges(code)) > MAX_STATEMENT_LINES


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("df = pd.read_csv('a')", 'table = pandas.read_csv("b")', id="names"),
        pytest.param("x[ 'a' ] = y + 1", "frame['b']=rows+20", id="blanks-and-values"),
        pytest.param("m.fit(X, y, epochs=3)  # go", "net.fit(A,\n   B, epochs=50)", id="lines"),
    ],
)
def test_statements_that_differ_in_names_and_values_are_the_same(one, other):
    assert folded_names(one) == folded_names(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("x.fit(y)", "x.score(y)", id="another-method"),
        pytest.param("f(a, depth=1)", "f(a, width=1)", id="another-keyword"),
        pytest.param("load(x)", "save(x)", id="another-function"),
        pytest.param("a + b", "a - b", id="another-operator"),
        pytest.param("if a:", "while a:", id="another-word-of-the-language"),
    ],
)
def test_what_belongs_to_a_library_tells_statements_apart(one, other):
    assert folded_names(one) != folded_names(other)


def test_statements_are_matched_one_to_one_the_most_alike_first():
    left = code_statements("a = rows.merge(b, on='k')\nc = rows.merge(d, how='left', on='k')\n")
    right = code_statements("e = t.merge(f, how='left', on='k')\ng = t.merge(h, on='k')\n")
    links = aligned(left, right, range(2), range(2), 60.0)

    assert {(k.left, k.right) for k in links} == {(0, 1), (1, 0)}
    assert [k.similarity for k in links] == [1.0, 1.0]


def test_prose_is_a_row_of_sentences():
    made = prose_statements("One short sentence. And one more!\n\n> quoted\n\nThe last")

    assert made.first_lines.tolist() == [1, 1, 5]
    assert [made.text(i) for i in range(3)] == ["one short sentence", "and one more", "the last"]


HASHES = st.lists(st.integers(0, 5), max_size=60).map(lambda v: np.array(v, np.uint64))


@given(HASHES, HASHES)
def test_pairs_are_of_equal_hashes_and_leave_none_out(left, right):
    pairs = paired(left, right)

    assert (left[pairs.left] == right[pairs.right]).all()
    assert set(pairs.left.tolist()) == {i for i, h in enumerate(left) if h in set(right.tolist())}
    assert len(set(zip(*pairs, strict=True))) == len(pairs.left)
    assert len(pairs.left) <= len(left) + MAX_PAIRS * len(set(left.tolist()))


@given(HASHES, HASHES, st.integers(1, 16))
def test_runs_agree_hash_by_hash(left, right, run):
    runs = runs_of(paired(left, right), run)

    for i, j, length in zip(runs.left, runs.right, runs.lengths, strict=True):
        n = length - run + 1
        assert (left[i : i + n] == right[j : j + n]).all()


@given(HASHES, HASHES)
def test_each_token_has_one_partner_at_most(left, right):
    runs = runs_of(paired(left, right), 1)
    partner = partners(runs, len(left), len(right), 1)

    told = np.flatnonzero(partner >= 0)
    assert (left[told] == right[partner[told]]).all()
