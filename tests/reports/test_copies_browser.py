"""Copies in a real browser: regions meet by click and key, with and without script, on a phone."""

from __future__ import annotations

import importlib.util
import shutil

import pytest

from reports.html import render_html
from reports.schema import Passage
from tests.reports.copy_documents import MARKS, MIX, audit_of, crossed, passages, seen, ugly_copies

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
    pytest.mark.skipif(
        importlib.util.find_spec("playwright") is None, reason="playwright is not installed"
    ),
]
IN_VIEW = """e => {
    const [r, p] = [e.getBoundingClientRect(), e.closest('.pane').getBoundingClientRect()];
    return r.top >= Math.max(p.top, 0) - 1 && r.bottom <= Math.min(p.bottom, innerHeight) + 1;
}"""


def crossing():
    """Make two long texts whose regions stand in opposite orders, far from one another."""
    text = "\n".join(f"line_{n} = {n}" for n in range(1, 400))
    spans = [(10, 300), (120, 180), (330, 20)]
    return passages(
        left_text=text, right_text=text,
        passages=tuple(
            Passage(left_first=a, left_last=a + 39, right_first=b, right_last=b + 39, similarity=1)
            for a, b in spans
        ),
    )  # fmt: skip


def stretched():
    """Make a copy of 60 lines whose source says the same in 240."""
    lines = [f"line_{n} = {n}" for n in range(1, 61)]
    whole = Passage(left_first=1, left_last=60, right_first=1, right_last=240, similarity=1)
    return passages(
        left_text="\n".join(lines), right_text="\n\n# why\n\n".join(lines), passages=(whole,)
    )


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        yield started
        started.close()


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    documents = {
        "pair": audit_of(seen("t_1", crossing(), MIX, MARKS), n_attempts=3),
        "stretched": audit_of(seen("t_1", stretched())),
        "map": crossed(50, 200, every=9),
        "ugly": ugly_copies(30, 5000),
    }
    for name, report in documents.items():
        (folder / f"{name}.html").write_text(render_html(report), encoding="utf-8")
    return {name: (folder / f"{name}.html").as_uri() for name in documents}


@pytest.fixture
def open_page(browser, places):
    contexts = []

    def opened(name="pair", width=1280, **options):
        contexts.append(browser.new_context(viewport={"width": width, "height": 800}, **options))
        page = contexts[-1].new_page()
        page.said, page.asked = [], []
        page.on("console", lambda message: page.said.append(message.text))
        page.on("pageerror", lambda error: page.said.append(str(error)))
        page.on("request", lambda request: page.asked.append(request.url))
        page.goto(places[name])
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", ["pair", "map", "ugly"])
@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_is_quiet_alone_and_never_scrolls_sideways(open_page, places, name, width):
    page = open_page(name, width)

    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.said == []
    assert [u for u in page.asked if not u.startswith("data:")] == [places[name]]


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_enter_on_a_region_brings_its_counterpart_into_view(open_page, width, script):
    page = open_page(width=width, java_script_enabled=script)
    badges = page.locator(".half").first.locator("a.badge")
    assert badges.count() == 3
    for badge in badges.all():
        badge.focus()
        page.keyboard.press("Enter")
        counterpart = page.locator(f"[id='{badge.get_attribute('href')[1:]}']")
        if script:  # without it, nothing can be asked of the page but what it looks like
            assert counterpart.evaluate(IN_VIEW)
            assert counterpart.evaluate("e => e === document.activeElement")
        box = counterpart.bounding_box()
        assert box
        assert 0 <= box["y"] <= 800


def test_a_second_enter_leads_back(open_page):
    page = open_page()
    badge = page.locator(".half a.badge").nth(2)
    badge.focus()

    page.keyboard.press("Enter")
    page.keyboard.press("Enter")

    assert badge.evaluate("e => e === document.activeElement")
    assert badge.evaluate(IN_VIEW)


def test_a_click_anywhere_in_a_region_lights_both_and_they_begin_at_one_height(open_page):
    page = open_page()
    half = page.locator(".half")
    region = half.nth(1).locator("[data-region='1']").first

    region.locator(".l").nth(2).click()

    assert page.locator(".lit").count() == 2
    other = half.nth(0).locator("[data-region='1'] .badge")
    assert other.evaluate(IN_VIEW)


def test_in_a_region_that_was_stretched_a_clicked_line_is_met_by_its_equal(open_page):
    page = open_page("stretched")
    halves = page.locator(".half").all()
    left, right = (half.locator(".l", has_text="line_55 = 55") for half in halves)

    left.click()

    assert right.evaluate(IN_VIEW)
    assert abs(left.bounding_box()["y"] - right.bounding_box()["y"]) <= 2


def test_marking_lines_to_copy_them_does_not_jump(open_page):
    page = open_page()
    lines = page.locator("[data-region='1'] .l")
    lines.first.scroll_into_view_if_needed()
    start, end = lines.nth(1).bounding_box(), lines.nth(3).bounding_box()

    page.mouse.move(start["x"] + 90, start["y"] + 5)
    page.mouse.down()
    page.mouse.move(end["x"] + 140, end["y"] + 5)
    page.mouse.up()

    assert "line_12 = 12" in page.evaluate("String(getSelection())")
    assert page.locator(".lit").count() == 0


def test_on_a_phone_the_texts_stand_one_under_the_other(open_page):
    boxes = [h.bounding_box() for h in open_page(width=390).locator(".half").all()]

    assert boxes[0]["x"] == boxes[1]["x"]
    assert boxes[1]["y"] >= boxes[0]["y"] + boxes[0]["height"]


def test_the_tab_key_reaches_the_regions_and_not_every_cell_of_the_map(open_page):
    page = open_page()
    page.locator(".pane").first.focus()

    page.keyboard.press("Tab")
    page.keyboard.press("Tab")

    assert page.evaluate("document.activeElement.closest('.pane') !== null")
    assert open_page("map").locator(".heat-box a:not([tabindex='-1'])").count() == 0


def test_the_names_of_the_maps_columns_stay_in_sight(open_page):
    page = open_page("map")
    box = page.locator(".heat-box")
    box.scroll_into_view_if_needed()

    box.evaluate("e => { e.scrollTop = 900; }")

    head, frame = page.locator(".heat-head").bounding_box(), box.bounding_box()
    assert abs(head["y"] - frame["y"]) <= 2


@pytest.mark.parametrize("name", ["pair", "ugly"])
def test_the_print_has_every_matched_line_in_colour_and_nothing_beside_the_paper(open_page, name):
    page = open_page(name, width=760)

    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")

    for pane in page.locator(".pane").all()[:4]:
        hidden = "e => [e.scrollHeight - e.clientHeight, e.scrollWidth - e.clientWidth]"
        assert max(pane.evaluate(hidden)) <= 1
    region = page.locator(".region").first
    assert region.evaluate("e => getComputedStyle(e).printColorAdjust") == "exact"
    assert region.locator(".l").last.is_visible()
    assert not page.locator(".rest pre:visible").count()
