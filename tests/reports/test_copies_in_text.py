"""Copies on a terminal and in the summary: passages by the width, nothing that harms either."""

from __future__ import annotations

import re

import pytest

from reports.explain import explain_findings
from reports.explain_copies import MAX_LINES, MAX_PASSAGES, cells
from reports.markdown import render_markdown
from reports.schema import Ingredient, Mark, Passage, Provenance
from tests.reports.copy_documents import (
    MARKS,
    MIX,
    PASSAGE,
    audit_of,
    crossed,
    passages,
    seen,
    ugly_copies,
)


def explained(*evidence, width=80):
    report = audit_of(seen("t_1", *evidence))
    return explain_findings(report, report.findings, width)


def proof(text):
    return [line.strip() for line in text.partition("proof 1:\n")[2].splitlines()]


def test_a_source_is_told_with_its_figures():
    assert proof(explained(passages()))[:6] == [
        "code/main.py shares code with kernels.zip!ann/start.ipynb",
        "source: “Start here”, by ann, 2017-03-05, 1,240 votes, licence Apache 2.0",
        "https://www.kaggle.com/code/ann/start-here",
        "share of source 25.0 %, share of file 16.7 %, longest run 71 tokens",
        "p 0.0012, q 0.0098, held against 812 honest comparisons",
        "passage 1: lines 20-29 and 5-14 of the source, 98.0 % alike",
    ]


def test_on_a_narrow_terminal_passages_stand_one_under_the_other():
    lines = proof(explained(passages(), width=80))[6:]

    assert lines[0] == "code/main.py"
    assert lines[1] == "20 | lines_20 = 20"
    assert lines[11] == "kernels.zip!ann/start.ipynb"
    assert lines[12] == "5 | lines_20 = 20"
    assert len(lines) == 22


def test_on_a_wide_terminal_equal_lines_stand_beside_one_another():
    mine = passages(left_text="a = 1\nb = 2\nd = 4", right_text="a = 1\nb = 2\nc = 3\nd = 4",
                    passages=(Passage(left_first=1, left_last=3, right_first=1, right_last=4,
                                      similarity=0.9),))  # fmt: skip

    rows = [re.split(r"\s{3,}", line) for line in proof(explained(mine, width=120))[6:]]

    assert rows == [
        ["1  a = 1", "1  a = 1"], ["2  b = 2", "2  b = 2"], [">", "3  c = 3"],
        ["3  d = 4", "4  d = 4"],
    ]  # fmt: skip


@pytest.mark.parametrize("line", ["汉" * 200, "x" * 5000, "\t" * 90, "é" * 100])
def test_side_by_side_no_line_is_wider_than_the_terminal(line):
    first = PASSAGE.model_copy(update={"left_first": 1, "right_first": 1})
    mine = passages(left_text=line, right_text=line, passages=(first,))

    shown = explained(mine, width=130).partition("passage 1")[2].splitlines()[1:]

    assert shown
    assert max(map(cells, shown)) <= 130


@pytest.mark.parametrize("width", [80, 200])
def test_long_passages_and_many_are_cut_and_counted(width):
    text = "\n".join(f"x_{n} = {n}" for n in range(5000))
    every = tuple(
        Passage(left_first=n, left_last=n + 299, right_first=n, right_last=n + 299, similarity=1)
        for n in range(1, 4000, 300)
    )

    shown = explained(passages(left_text=text, right_text=text, passages=every), width=width)

    assert shown.count(f"… {300 - MAX_LINES} more lines") == 2 * MAX_PASSAGES
    assert f"and {len(every) - MAX_PASSAGES} shorter passages" in shown


def test_a_mix_names_its_files_and_weights():
    assert proof(explained(MIX)) == [
        "submission/submission.csv is a weighted mix of 2 files",
        "over 4,277 rows of Transported, R² 1.000000",
        "p 0.004, q 0.02, held against 250 honest comparisons",
        "weight 0.7, 12.5 % of rows equal: public_a.csv",
        "source: “Start here”, by ann, 2017-03-05, 1,240 votes, licence Apache 2.0",
        "https://www.kaggle.com/code/ann/start-here",
        "weight 0.3, 0 % of rows equal: public_b.csv",
    ]
    one = MIX.model_copy(update={"ingredients": MIX.ingredients[1:], "method": "equal", "r2": None})
    assert "submission.csv has the same values as public_b.csv" in explained(one)
    many = tuple(Ingredient(source=f"{n}", weight=1, exact_share=0) for n in range(50))
    assert "and 30 more files" in explained(MIX.model_copy(update={"ingredients": many}))


def test_marks_are_told_with_their_lines():
    assert proof(explained(MARKS))[0] == (
        "code/main.ipynb shares 14 marks of its 20 with kernels.zip!ann/start.ipynb"
    )
    assert proof(explained(MARKS))[3:] == [
        "line 7: cell guid aa6d6f2e-6a68-4a4c-94d5-0f20a5b1e0a1", "author ann", "and 12 more marks",
    ]  # fmt: skip
    all_of_them = MARKS.model_copy(update={"n_shared": 1, "marks": (Mark(what="a", value="b"),)})
    assert "more mark" not in explained(all_of_them)


def test_no_p_is_said_with_its_reason_and_so_is_a_trajectory():
    few = passages(p=None, q=None, n_null=3, only_in_trajectory=True)

    assert "no p: 3 honest comparisons are too few" in explained(few)
    assert "seen in the trajectory only: what was handed in does not hold it" in explained(few)


@pytest.mark.parametrize("width", [80, 160])
def test_hostile_copies_cannot_speak_to_the_terminal(width):
    report = ugly_copies(1, line=1_000_000)

    shown = explain_findings(report, report.findings, width)

    assert all(c.isprintable() or c == "\n" for c in shown)
    assert len(shown) < 100_000


def test_the_summary_names_the_strongest_pairs_and_counts_the_rest():
    told = render_markdown(crossed(4, 6, every=2)).partition("### Copies and their sources\n")[2]

    rows = [line for line in told.splitlines() if line.startswith("| copyist")]
    assert len(rows) == 8
    assert re.match(r"\| copyist, seed \d +\| Notebook \d \(author \d\) +\| code +\| ", rows[0])
    assert "… and 4 more weaker pairs" not in told
    assert "… and 4 weaker pairs, in the audit document." in told


def test_the_summary_of_an_audit_without_copies_does_not_speak_of_them():
    assert "Copies" not in render_markdown(audit_of(n_attempts=2))


def test_hostile_copies_do_not_break_the_summary():
    told = render_markdown(ugly_copies(3)).partition("### Copies")[2].partition("\n### ")[0]

    rows = [line for line in told.splitlines() if line.startswith("|")]
    assert len({len(re.findall(r"(?<!\\)\|", row)) for row in rows}) == 1
    assert "<script>" not in told
    assert "\\<script\\>" in told


def test_a_source_without_provenance_is_told_by_its_name():
    assert proof(explained(passages(provenance=Provenance())))[1].startswith("share of source")
