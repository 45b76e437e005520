"""Published rows as people print them: every usual form is read, anything else is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.errors import MleAuditError, UsageError
from reports.claims import Printed, parse_claim, read_claims, split_tasks


@pytest.mark.parametrize(
    ("text", "figures", "seeds"),
    [
        pytest.param("Low 62.12 ± 1.52, seeds 3", ["low 62.12 ± 1.52"], 3, id="usual"),
        pytest.param("low: 62.12% +/- 1.52%; 3 seeds", ["low 62.12 ± 1.52"], 3, id="per-cent"),
        pytest.param(r"Lite = 62.12 \pm 1.52 | k=3", ["low 62.12 ± 1.52"], 3, id="latex"),
        pytest.param("Overall 43.56±.89", ["all 43.56 ± .89"], None, id="no-blanks"),
        pytest.param("High 33.33", ["high 33.33"], None, id="no-spread"),
        pytest.param("Text tasks 50 ± 10 (n=8)", ["text tasks 50 ± 10"], None, id="own-split"),
    ],
)
def test_a_row_is_read(text, figures, seeds):
    claim = parse_claim(text)

    assert [f.words for f in claim.figures] == figures
    assert claim.seeds == seeds


def test_fields_beside_the_figures_are_read():
    claim = parse_claim("All 43.56, agent My Agent, model m-1, budget 24 h, prior knowledge: none")

    assert claim.label == "My Agent"
    assert claim.context == {
        "scaffold": "My Agent", "model": "m-1", "budget": "24 h", "prior knowledge": "none",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("seeds 3", "no figure", id="no-figure"),
        pytest.param("Low 62.12, Lite 62.12", "low is named twice", id="twice"),
        pytest.param("Low 620", "expected per cent", id="more-than-all"),
        pytest.param("Low high", "found 'Low high'", id="words"),
        pytest.param("Low 1, seeds 0", "number of seeds", id="no-seeds"),
        pytest.param("Low -3", "found 'Low -3'", id="negative"),
        pytest.param("x" * 10_000, "found 'x{100}'\\.", id="very-long"),
        pytest.param("Low 1 (n=0)", "how many tasks", id="no-tasks"),
        pytest.param("", "no figure", id="empty"),
    ],
)
def test_a_row_that_is_none_is_refused_with_the_form_that_is(text, words):
    with pytest.raises(UsageError, match=words) as told:
        parse_claim(text)

    assert told.value.problem


def test_a_row_with_bytes_that_are_no_text_can_be_written():
    claim = parse_claim("agent a\udcff, low 5, model \ud800")

    assert (claim.label, claim.context["model"]) == ("a?", "?")


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text):
    try:
        claim = parse_claim(text)
    except MleAuditError:
        return
    assert claim.figures


@pytest.mark.parametrize(("text", "unit"), [("62.12", 0.01), ("62.", 1.0), (".5", 0.1)])
def test_a_number_knows_its_last_digit(text, unit):
    assert Printed(text).unit == pytest.approx(unit)


def test_splits_have_the_tasks_of_the_boards():
    assert [len(split_tasks(s)) for s in ("low", "medium", "high", "all", "mine")] == [
        22, 38, 15, 75, 0,
    ]  # fmt: skip
    assert split_tasks("all") == split_tasks("low") | split_tasks("medium") | split_tasks("high")


def test_a_table_is_read_with_spreads_beside_or_inside_the_cells(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("agent,low,low_pm,All,seeds,n_low\nA,62.12,1.52,43.56 ± 0.89,3,22\nB,-,,50,,\n")
    first, second = read_claims(path).claims

    assert [f.words for f in first.figures] == ["low 62.12 ± 1.52", "all 43.56 ± 0.89"]
    assert [f.words for f in second.figures] == ["all 50"]
    assert (first.seeds, second.seeds) == (3, None)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"a,b\n1,2\n", id="no-figures"),
        pytest.param(b"agent,low,Low\na,5,6\n", id="a-column-twice"),
        pytest.param(b"\xff\xfe\x00", id="binary"),
        pytest.param(b"agent,low\n" + b'"' + b"x" * 200_000, id="a-huge-cell"),
    ],
)
def test_a_table_that_is_none_is_refused(tmp_path, content):
    path = tmp_path / "t.csv"
    path.write_bytes(content)

    with pytest.raises(UsageError):
        read_claims(path)


def test_a_row_with_too_many_cells_is_named_and_the_others_are_read(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("agent,low\nA,62.12\nB,62.12,9\n")
    table = read_claims(path)

    assert [c.label for c in table.claims] == ["A"]
    assert "row 2: it has more cells" in table.faults[0]
