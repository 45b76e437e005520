"""The views of a comparison are made from its document alone, and are safe to look at."""

from __future__ import annotations

import re

import pytest

from audit.comparison.compare import Options
from audit.comparison.history import history
from reports.comparison import plots, words
from reports.comparison.html import render_html
from reports.comparison.markdown import render_markdown
from reports.comparison.schema import Comparison, FieldDifference
from reports.comparison.tables import field_table, task_table
from reports.comparison.text import MAX_TASKS, render_text
from tests.audit.comparison.made import (
    NOW,
    compared,
    result,
    row,
    rows_of,
    write_document,
    write_report,
)

HOSTILE = '<script>alert("x")</script>\x1b[31m\u202e'
TASKS = [f"task-{i}" for i in range(8)]


def lines(head, rows):
    return "\n".join("  ".join(row) for row in (head, *rows))


@pytest.fixture(scope="module")
def pair(tmp_path_factory) -> Comparison:
    folder = tmp_path_factory.mktemp("pair")
    sides = [
        write_document(
            folder / f"{a}.json",
            rows_of(a, {t: [i < n, i % 2 == 0] for i, t in enumerate(TASKS)}),
            {"agent digest": a * 64},
        )
        for a, n in (("a", 2), ("b", 7))
    ]
    return compared(*sides)


@pytest.fixture(scope="module")
def versions(tmp_path_factory) -> Comparison:
    folder = tmp_path_factory.mktemp("versions")
    sides = [
        write_document(
            folder / f"{a}.json",
            rows_of(a, {t: [i < n] for i, t in enumerate(TASKS)}),
            {"agent digest": a * 64, "started": f"2026-01-0{n}T00:00:00+00:00", **facts},
        )
        for a, n, facts in (("a", 1, {}), ("b", 4, {}), ("c", 8, {"time limit": "9 s"}))
    ]
    return history(sides, Options(folder), NOW)


def test_every_view_begins_with_the_answer(pair, versions):
    for document in (pair, versions):
        first = words.sentences(document.answer)[0]

        assert " ".join(render_text(document, lines).split()).startswith(first)
        assert first in render_html(document)
        assert render_markdown(document).splitlines()[2].startswith(first)


def test_the_same_document_gives_the_same_page(pair):
    again = Comparison.model_validate_json(pair.model_dump_json())

    assert render_html(again) == render_html(pair)
    assert render_markdown(again) == render_markdown(pair)


def test_every_task_is_in_the_plot_and_the_table_and_the_best_comes_first(pair):
    found = result(pair)
    plot = plots.differences(found, pair.unit, "p")

    assert task_table(found, pair).rows[0][0] == "task-2"
    for task in TASKS:
        assert plot.count(f">{task}<") == 2  # wide and narrow
    assert "mean, 95 %" in plot
    assert len(re.findall(r'class="task better"', plot)) == 10


def test_a_history_draws_hollow_what_does_not_count(versions):
    curve = plots.curve(versions, "c")

    assert curve.count('class="mean counts"') == 4  # the first and one that counts, twice
    assert curve.count('class="mean open"') == 2
    assert "something else changed with the update: budget" in curve


def test_what_is_the_same_is_told_last(pair):
    standings = [r[1] for r in field_table(pair.steps[0], pair).rows]

    assert standings == sorted(standings, key=words.STANDINGS.index)
    assert set(standings) == {"different", "same"}


def test_hostile_names_command_neither_page_nor_terminal(tmp_path):
    sides = [
        write_report(
            tmp_path / f"{a}.json", [row(HOSTILE, 0.1, medal=a == "b", seed=0, agent=a + HOSTILE)]
        )
        for a in "ab"
    ]
    document = compared(*sides)
    field = FieldDifference(
        name="models", belongs_to="system", before=HOSTILE, after="|`x`|", standing="different"
    )
    step = document.steps[0].model_copy(update={"fields": (field,)})
    document = document.model_copy(update={"steps": (step,)})

    page, text = render_html(document), render_markdown(document)

    assert "<script" not in page
    assert "\x1b" not in page + text
    assert "\u202e" not in page + text
    assert not re.search(r"(?<!\\)<script", text)
    assert "\\|" in text


def test_the_page_asks_nothing_of_anybody(pair, versions):
    for document in (pair, versions):
        page = render_html(document)

        assert "default-src 'none'" in page
        assert not re.search(r'(src|href)="(?!#|data:)', page)


def test_a_terminal_shows_the_best_and_the_worst_of_many_tasks(tmp_path):
    names = [f"t{i:02}" for i in range(MAX_TASKS + 5)]
    sides = [
        write_report(tmp_path / f"{a}.json", rows_of(a, {t: [a == "b"] for t in names}))
        for a in "ab"
    ]
    text = render_text(compared(*sides), lines)

    assert "… 5 more" in text
    assert names[0] in text
    assert names[-1] in text
    assert names[17] not in text.partition("of the records")[0].partition("better is")[2]


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        pytest.param(0.125, "share", "+12.5 percentage points", id="share"),
        pytest.param(-3.25, "percentile", "−3.2 points of percentile", id="percentile"),
        pytest.param(0.0000001, "share", "0 percentage points", id="nothing"),
        pytest.param(0.012345678, "score", "+0.012346 in score", id="score"),
        pytest.param(0.5, "median-to-gold", "+0.5 of the way from median to gold", id="scaled"),
    ],
)
def test_a_difference_is_written_in_its_unit(value, unit, text):
    assert words.with_unit(value, unit) == text
