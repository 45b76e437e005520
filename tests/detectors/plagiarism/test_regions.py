"""Passages that two texts share, on both sides, however the copy was disguised."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from detectors.plagiarism.regions import MIN_WEIGHT, matched_regions
from detectors.plagiarism.statements import code_statements, prose_statements
from tests.detectors.plagiarism.texts import OTHER, SOLUTION

LINES = SOLUTION.count("\n")


def regions(left: str, right: str, language: str = "python"):
    return matched_regions(code_statements(left, language), code_statements(right, language))


def covered(left: str, right: str) -> float:
    """Share of the code lines of the left text that lie in a passage."""
    found = regions(left, right)
    inside = {n for p in found.passages for n in range(p.left_first, p.left_last + 1)}
    lines = [n for n, line in enumerate(left.split("\n"), start=1) if line.strip()]
    return sum(n in inside for n in lines) / len(lines)


def renamed(code: str) -> str:
    names = "train test spent frame bills bill decks parts codes letter number columns folds model"
    for name in [*names.split(), "predicted", "fit_rows", "held_rows", "score"]:
        code = re.sub(rf"(?<![\w.\"]){name}\b(?!\")", f"q_{name[::-1]}", code)
    return code


def edited(code: str) -> str:
    """Change something in every third line, without leaving a run of tokens whole."""
    lines = code.split("\n")
    for n in range(0, len(lines), 3):
        lines[n] = lines[n].replace(")", ", None)", 1).replace("[", "[0 + ", 1)
    return "\n".join(lines)


FUNCTIONS = SOLUTION.split("\n\n\n")
SHUFFLED = "\n\n\n".join([FUNCTIONS[0], FUNCTIONS[2], FUNCTIONS[1], FUNCTIONS[3]])


@pytest.mark.parametrize(
    ("copy", "least"),
    [
        pytest.param(SOLUTION, 1.0, id="the-same"),
        pytest.param(re.sub(r"\d+", "3", SOLUTION), 0.95, id="other-numbers"),
        pytest.param(renamed(SOLUTION), 0.95, id="renamed"),
        pytest.param(SHUFFLED, 0.8, id="functions-in-another-order"),
        pytest.param(edited(SOLUTION), 0.8, id="every-third-line-edited"),
        pytest.param(edited(renamed(SOLUTION)), 0.8, id="edited-and-renamed"),
        pytest.param(SOLUTION.replace("    ", "\t").replace(", ", ","), 0.95, id="reformatted"),
        pytest.param(SOLUTION.replace("\n", "  # so\n\n"), 0.95, id="comments-and-blank-lines"),
    ],
)
def test_a_disguised_copy_is_shown_whole(copy, least):
    assert covered(copy, SOLUTION) >= least
    assert covered(SOLUTION, copy) >= least


def test_a_copy_is_one_passage_and_not_many():
    found = regions(edited(renamed(SOLUTION)), SOLUTION)

    longest = max(p.left_last - p.left_first + 1 for p in found.passages)
    assert longest >= 0.6 * LINES


@pytest.mark.parametrize(
    ("left", "right"),
    [
        pytest.param(SOLUTION, OTHER, id="another-solution-of-the-task"),
        pytest.param(SOLUTION, "", id="nothing"),
        pytest.param("", "", id="nothing-at-all"),
        pytest.param("x = 1\n", "x = 1\n", id="one-line"),
        pytest.param(
            "import a\nimport b\nimport c\n", "import x\nimport y\nimport z\n", id="imports"
        ),
    ],
)
def test_what_shares_nothing_in_a_row_has_no_passages(left, right):
    assert regions(left, right).passages == ()


def test_lines_are_right_on_both_sides():
    part = "\n".join(SOLUTION.split("\n")[9:24])
    found = regions(f"{OTHER}\n{part}\n\n{OTHER[:200]}", SOLUTION)

    (only,) = found.passages
    before = OTHER.count("\n") + 1
    assert (only.left_first, only.left_last) == (before + 1, before + 15)
    assert (only.right_first, only.right_last) == (10, 24)
    assert only.similarity == pytest.approx(1.0)


def test_what_was_copied_twice_is_shown_twice():
    part = "\n".join(SOLUTION.split("\n")[9:17])
    found = regions(f"{part}\n{OTHER}\n{part}\n", SOLUTION)

    assert [(p.right_first, p.right_last) for p in found.passages] == [(10, 17), (10, 17)]


def test_the_longest_run_counts_tokens():
    line = "alpha = beta(gamma, delta[1], 'x') + 3\n"  # 15 tokens

    assert regions(line * 2, "import os\n" + line * 2 + "y = 0\n").longest_run == 30


def test_what_everybody_writes_makes_no_passage():
    left, right = code_statements(SOLUTION), code_statements(SOLUTION)
    common = np.full(len(left.hashes), 1e-4)

    assert matched_regions(left, right, common).passages == ()
    assert 1e-4 * left.n_tokens < MIN_WEIGHT


def test_the_rarer_passage_keeps_its_lines():
    everybody = "\n".join(SOLUTION.split("\n")[:8]) + "\n"
    left, right = code_statements(SOLUTION), code_statements(SOLUTION)
    rarity = np.ones(len(left.hashes))
    rarity[: len(code_statements(everybody).hashes)] = 0.0
    (only,) = matched_regions(left, right, rarity).passages

    assert only.left_last == LINES


@pytest.mark.slow
@pytest.mark.parametrize(
    "texts",
    [
        pytest.param(lambda n: ("x = 1\n" * n,) * 2, id="one-line-over-and-over"),
        pytest.param(lambda n: (SOLUTION * (n // LINES),) * 2, id="a-solution-over-and-over"),
        pytest.param(lambda n: ("a = f(b)\n" * n, "c = g(d)\n" * (n // 2)), id="of-two-lengths"),
        pytest.param(lambda n: ("x = [" + "1, " * 3 * n, "y = [" + "2, " * 3 * n), id="one-list"),
        pytest.param(lambda n: ("(" * n, "(" * n), id="open-brackets"),
        pytest.param(
            lambda n: ("".join(f"v{i} = {'-' * (i % 97)}w\n" for i in range(n)),) * 2, id="cycle"
        ),
    ],
)
def test_work_grows_as_the_texts_do(texts):
    few, many = (regions(*texts(n)).n_compared for n in (4_000, 16_000))

    assert many <= 4.5 * few + 600_000  # the second term: what is left over, which has a limit


@pytest.mark.slow
def test_a_million_lines_that_repeat_are_compared_in_linear_work():
    text = "x = fit(1)\n" * 1_000_000
    found = regions(text, text)

    assert found.n_compared <= 7 * 1_000_000
    assert found.passages[0].left_last == 1_000_000


def test_of_a_text_that_is_too_long_the_beginning_is_compared():
    left = code_statements(SOLUTION * 3, most=300)
    rarity = np.ones(len(code_statements(SOLUTION * 3).hashes))
    found = matched_regions(left, code_statements(SOLUTION), rarity)

    assert found.longest_run == 300
    assert found.passages[-1].left_last <= LINES


@given(st.text(alphabet="ab=()[]+.,\n '\"#1", max_size=400), st.text(max_size=200))
def test_any_two_texts_have_regions_within_their_lines(left, right):
    found = regions(left, right)

    for p in found.passages:
        assert 1 <= p.left_first <= p.left_last <= left.count("\n") + 1
        assert 1 <= p.right_first <= p.right_last <= right.count("\n") + 1


@given(st.lists(st.sampled_from(SOLUTION.split("\n")), max_size=60))
def test_a_line_of_the_left_text_belongs_to_one_passage(lines):
    found = regions("\n".join(lines), SOLUTION)

    last = 0
    for p in found.passages:
        assert p.left_first > last
        last = p.left_last


def test_edited_prose_is_one_passage():
    mine = (
        "We average five models that were trained on different seeds. "
        "The folds are drawn by group so that no family is on both sides.\n\n"
        "Spending is summed up first, because zero spending goes with sleeping passengers. "
        "Cabins are cut into their deck, their number and the side of the ship.\n"
    )
    theirs = "# Title\n\n" + mine.replace("different", "many").replace("cut into", "split in")
    found = matched_regions(prose_statements(mine), prose_statements(theirs))

    assert [(p.left_first, p.left_last, p.right_first, p.right_last) for p in found.passages] == [
        (1, 3, 3, 5)
    ]
    assert found.longest_run >= 15
