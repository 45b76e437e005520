"""How far figures hold, on the page and in the summary: everything is there, once, and named."""

from __future__ import annotations

import re
from html import unescape

import pytest

from reports.curve_plots import MAX_SERIES
from reports.html import render_html
from reports.markdown import MAX_HELD, render_markdown
from reports.rates_page import MAX_AGENTS, MAX_CURVES, RatesPage
from reports.schema import AuditReport
from reports.sensitivity.models import Omitted
from reports.sensitivity.words import MAX_NAMED, left_out, not_shown
from tests.reports.documents import sample
from tests.reports.hostile import HOSTILE
from tests.reports.rate_documents import rated


@pytest.fixture(scope="module")
def page():
    return render_html(rated())


def section(page, name):
    return page.split(f'<section id="{name}"')[1].split("</section>")[0]


def test_the_document_can_be_read_back_and_gives_the_same_page():
    report = rated()
    again = AuditReport.model_validate_json(report.model_dump_json())

    assert again == report
    assert render_html(again) == render_html(report)


def test_every_row_and_every_task_of_each_agent_is_on_the_page(page):
    held = section(page, "sensitivity")

    for one in rated().sensitivity:
        table = held.split(f'All figures of {one.agent}">')[1].split("</table>")[0]
        assert table.count("<tr") == 1 + len(one.rows)
        assert all(row.name in table for row in one.rows)
        assert all(t.task in held for t in one.tasks)
        for sentence in not_shown(one.omitted):
            assert f"No row for {sentence}." in unescape(held)


def test_plots_stand_there_once_for_each_width_and_their_ids_are_unique(page):
    ids = re.findall(r' id="([^"]+)"', page)

    assert len(ids) == len(set(ids))
    for name in ("sensitivity", "scaling"):
        part = section(page, name)
        large, small = (part.count(f'class="rates {w}-screen"') for w in ("large", "small"))
        assert large == small > 0


def test_medals_that_are_not_the_boards_carry_their_asterisk(page):
    assert "66.67 ± 33.33 %*" in section(page, "sensitivity")
    assert "not comparable with the board" in section(page, "sensitivity")


def test_what_has_no_curve_is_named_with_the_reason(page):
    assert "Not here: curve over time: no copy of a submission was made (peeker)." in section(
        page, "scaling"
    )


def test_a_document_without_these_figures_has_neither_section_nor_link_to_it():
    page, text = render_html(sample()), render_markdown(sample())

    assert "#sensitivity" not in page
    assert "#scaling" not in page
    assert "How far the headline holds" not in text


def test_very_many_agents_are_counted_and_not_all_drawn():
    report = rated()
    many = tuple(
        one.model_copy(update={"agent": f"{one.agent}-{i}"})
        for i in range(10)
        for one in report.sensitivity
    )
    big = report.model_copy(update={"sensitivity": many})

    rates = RatesPage(big)

    assert (len(rates.agents), rates.n_more) == (MAX_AGENTS, 30 - MAX_AGENTS)
    assert f"{30 - MAX_AGENTS} more agents are in the audit document" in render_html(big)
    assert f"… and {30 - MAX_HELD} more agents, in the audit document." in render_markdown(big)


def test_curves_without_room_are_counted():
    report = rated()
    (first, *_) = report.scaling
    many = tuple(first.model_copy(update={"agent": f"a{i}"}) for i in range(MAX_SERIES + 2))
    tasks = tuple(
        path.model_copy(update={"task": f"{path.task}-{i}"})
        for i in range(MAX_CURVES)
        for path in first.trajectories
    )

    crowded = render_html(report.model_copy(update={"scaling": many}))
    wide = first.model_copy(update={"trajectories": tasks})
    long = RatesPage(report.model_copy(update={"scaling": (wide,)}))

    assert "2 more curves are not drawn; the audit document has them." in crowded
    assert (len(long.score_curves), long.n_more_tasks) == (MAX_CURVES, 2 * MAX_CURVES)


def test_names_from_outside_are_escaped_on_page_and_summary():
    report = rated()
    (one, *_) = report.sensitivity
    ugly = one.model_copy(
        update={
            "agent": HOSTILE,
            "omitted": (Omitted(name=HOSTILE, why=HOSTILE),),
            "rows": tuple(r.model_copy(update={"name": HOSTILE}) for r in one.rows),
            "tasks": tuple(t.model_copy(update={"task": HOSTILE}) for t in one.tasks),
        }
    )
    paths = report.scaling[0].model_copy(update={"agent": HOSTILE})
    changed = report.model_copy(update={"sensitivity": (ugly,), "scaling": (paths,)})

    for made in (render_html(changed), render_markdown(changed)):
        assert "<script>alert" not in made
        assert "\u202e" not in made


def test_the_summary_tells_what_changes_the_best_of_several_and_what_time_brought():
    text = render_markdown(rated()).split("### How far the headline holds")[1]
    text = text.split("### Attempts in question")[0]

    assert "| baseline | without tasks whose data give answers away |" in text
    assert "| baseline | without attempts in question" not in text  # none of its is in question
    assert "| peeker   | attempts in question counted as failed" in text
    assert "- baseline, best of 3: any medal 100.00 % over 1 task." in text
    over_time = "any medal 0.00 ± 0.00 % after 2 h and 66.67 ± 33.33 % after"
    assert f"- baseline, over time: {over_time}" in text


def test_many_names_are_cut_and_counted():
    row = rated().sensitivity[0].rows[0].model_copy(update={"left_out": tuple("abcdefgh")})

    assert left_out(row) == f"a, b, c and {8 - MAX_NAMED} more"
    assert left_out(row.model_copy(update={"left_out": ()})) == ""
    same = [Omitted(name="a", why="x"), Omitted(name="b", why="x"), Omitted(name="c", why="y")]
    assert not_shown(same) == ["a and b: x", "c: y"]
