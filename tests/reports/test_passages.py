"""Two texts laid out: every line is shown or counted, regions come first, huge texts stay cheap."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.passages import (
    FOLDED,
    MAX_LINE,
    MAX_REGIONS,
    MAX_WHOLE,
    NEAR,
    Region,
    matched,
    numbered,
    pane,
    regions_of,
)
from reports.schema import Passage
from tests.reports.copy_documents import passages

PLENTY = 10**7


def text(n_lines, start=1):
    return numbered("\n".join(f"line {n}" for n in range(start, start + n_lines)), start)


def region(first, last, number=1):
    return Region(number, first, last, "a")


def shown(made):
    return [n for b in made.blocks for n, _ in b.lines]


@given(
    st.integers(0, 60),
    st.integers(1, 500),
    st.lists(st.tuples(st.integers(1, 600), st.integers(0, 80)), max_size=6),
    st.integers(0, 4000),
)
def test_every_line_is_shown_once_in_its_order_or_counted(n_lines, start, spans, budget):
    lines = text(n_lines, start) if n_lines else {}
    regions = [region(a, a + n, i) for i, (a, n) in enumerate(spans, start=1)]

    made = pane(lines, regions, budget)

    numbers = shown(made)
    assert numbers == sorted(set(numbers))
    assert len(numbers) + sum(b.n_skipped for b in made.blocks) == n_lines
    assert bool(numbers) is bool(n_lines)
    assert all(
        {r.number for r in b.inside} == {r.number for r in regions if r.first <= n <= r.last}
        for b in made.blocks
        for n, _ in b.lines
    )
    begins = [r.number for b in made.blocks for r in b.begins]
    assert len(begins) == len(set(begins))
    assert set(begins) == made.shown
    covered = {n for r in regions for n in range(r.first, r.last + 1) if n in lines}
    assert made.n_cut == len(covered.difference(numbers))


def test_a_text_that_fits_is_whole_and_folded_away_from_its_regions():
    made = pane(text(100), [region(50, 59)], PLENTY)

    assert shown(made) == list(range(1, 101))
    assert [(len(b.lines), b.is_folded) for b in made.blocks] == [
        (49 - NEAR, True), (NEAR, False), (10, False), (NEAR, False), (41 - NEAR, True),
    ]  # fmt: skip


def test_a_text_without_regions_is_not_folded():
    assert not any(b.is_folded for b in pane(text(100), [], PLENTY).blocks)


def test_a_few_lines_between_regions_are_not_folded():
    between = 2 * NEAR + FOLDED - 1

    made = pane(text(10 + between), [region(1, 5), region(6 + between, 10 + between, 2)], PLENTY)

    assert not any(b.is_folded for b in made.blocks)


def test_what_does_not_fit_is_cut_far_from_regions_first():
    made = pane(text(MAX_WHOLE + 500), [region(900, 909)], PLENTY)

    assert made.n_cut == 0
    assert set(range(900, 910)) < set(shown(made))
    assert len(shown(made)) < 30


def test_a_region_inside_another_keeps_both_numbers_and_the_narrow_one_is_last():
    made = pane(text(40), [region(10, 30), region(15, 16, 2)], PLENTY)

    inner = next(b for b in made.blocks if b.lines[0][0] == 15)
    assert [r.number for r in inner.inside] == [1, 2]
    assert [r.number for r in inner.begins] == [2]


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: "x" * 50_000_000, id="one-line-of-50-MB"),
        pytest.param(lambda: "a = 1\n" * 1_000_000, id="a-million-lines"),
        pytest.param(lambda: "\n" * 200_000, id="empty-lines"),
    ],
)
def test_a_huge_text_keeps_its_budget_whatever_lines_a_document_claims(make):
    regions = [region(1, 10**12), *(region(n, 10**9, n) for n in range(2, MAX_REGIONS))]

    made = pane(numbered(make()), regions, 20_000)

    assert sum(len(t) + 40 for b in made.blocks for _, t in b.lines) <= 20_000
    assert shown(made)


def test_a_long_line_is_cut_and_says_so():
    (block,) = pane(numbered("x" * 1000), [], PLENTY).blocks

    assert block.lines == [(1, "x" * MAX_LINE + f" … [{MAX_LINE} of 1,000 characters shown]")]


@given(st.text(max_size=300))
def test_no_shown_line_hides_or_reorders_text(hostile):
    made = pane(numbered(hostile), [region(1, 2)], PLENTY)

    assert not [
        t for b in made.blocks for _, t in b.lines
        if re.search("[\x00-\x08\x0b-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2066-\u2069]", t)
    ]  # fmt: skip


def test_passages_are_numbered_in_the_order_of_the_file_and_the_longest_are_kept():
    made = passages(
        passages=tuple(
            Passage(left_first=a, left_last=a + n, right_first=a, right_last=a + n, similarity=1)
            for a, n in [(50, 2), (10, 9), (30, 5)]
        )
    )

    assert [(n, p.left_first) for n, p in matched(made)] == [(1, 10), (2, 30), (3, 50)]
    assert [(n, p.left_first) for n, p in matched(made, 2)] == [(1, 10), (2, 30)]
    left, right = regions_of(made, "left"), regions_of(made, "right")
    assert [(r.number, r.colour) for r in left] == [(r.number, r.colour) for r in right]
