"""The page in a real browser: quiet, alone, narrow, by keyboard, in the dark, without script."""

from __future__ import annotations

import importlib.util
import shutil

import pytest

from reports.html import render_html
from tests.reports.documents import sample
from tests.reports.hostile import ugly

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
    pytest.mark.skipif(
        importlib.util.find_spec("playwright") is None, reason="playwright is not installed"
    ),
]


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
    (folder / "rich.html").write_text(render_html(sample()), encoding="utf-8")
    (folder / "ugly.html").write_text(render_html(ugly(12, 120)), encoding="utf-8")
    (folder / "long.html").write_text(render_html(long_facts()), encoding="utf-8")
    return {name: (folder / f"{name}.html").as_uri() for name in ("rich", "ugly", "long")}


def long_facts():
    """Give each attempt of the sample facts of its own, one of them long, one of a few words."""
    report = sample()
    subjects = tuple(
        s.model_copy(
            update={
                "facts": s.facts
                | {
                    "prior knowledge": f"{s.id} " + "was read " * 40,
                    "missing protections": f"no seccomp filter; {s.id[-8:]} unlimited",
                }
            }
        )
        for s in report.subjects
    )
    return report.model_copy(update={"subjects": subjects})


@pytest.fixture
def open_page(browser, places):
    contexts = []

    def opened(name="rich", fragment="", **options):
        contexts.append(browser.new_context(**options))
        page = contexts[-1].new_page()
        page.said, page.asked = [], []
        page.on("console", lambda message: page.said.append(message.text))
        page.on("pageerror", lambda error: page.said.append(str(error)))
        page.on("dialog", lambda dialog: page.said.append(dialog.message))
        page.on("request", lambda request: page.asked.append(request.url))
        page.goto(places[name] + fragment)
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", ["rich", "ugly"])
def test_the_console_stays_silent_and_nothing_is_requested(open_page, places, name):
    page = open_page(name)

    page.wait_for_timeout(200)

    assert page.said == []
    assert [u for u in page.asked if not u.startswith("data:")] == [places[name]]


@pytest.mark.parametrize("name", ["rich", "ugly"])
@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_never_scrolls_sideways(open_page, name, width):
    page = open_page(name, viewport={"width": width, "height": 800})

    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_headline_fits_a_laptop_without_scrolling(open_page):
    page = open_page(viewport={"width": 1280, "height": 800})

    for section in ("#headline", "#matrix"):
        box = page.locator(f"{section} .scroll")
        assert box.evaluate("e => e.scrollWidth - e.clientWidth") <= 0


def test_the_keyboard_reaches_the_first_finding(open_page):
    page = open_page()

    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("!!document.activeElement.closest('.finding > summary')"):
            break

    assert page.evaluate("!!document.activeElement.closest('.finding > summary')")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_dark_mode_changes_the_ground_and_the_ink(open_page):
    found = {}
    for scheme in ("light", "dark"):
        page = open_page(color_scheme=scheme)
        found[scheme] = page.evaluate(
            "(s => [s.backgroundColor, s.color])(getComputedStyle(document.body))"
        )

    assert found["light"][0] == "rgb(255, 255, 255)"
    assert found["light"][0] != found["dark"][0]
    assert found["light"][1] != found["dark"][1]


def test_without_script_the_proof_is_on_the_page(open_page):
    page = open_page(java_script_enabled=False)

    assert page.locator(".finding pre").first.is_visible()
    assert not page.locator(".tools").is_visible()


def folded(report):
    """Give places of the page that lie in closed details: a finding and a whole other seed."""
    seed_2 = next(s for s in report.subjects if s.agent == "peeker" and s.seed == 2)
    finding = next(f for f in report.findings if f.subject == seed_2.id)
    return [finding.id, f"subject-{seed_2.id}".replace("_", "-")]


@pytest.mark.parametrize("place", folded(sample()), ids=["finding", "attempt"])
def test_a_permanent_link_unfolds_what_it_leads_to(open_page, place):
    page = open_page("rich")
    target = page.locator(f"[id='{place}']")
    assert not target.is_visible()

    page.evaluate("place => { location.hash = place; }", place)

    target.wait_for(state="visible")
    in_view = "e => { const r = e.getBoundingClientRect(); return r.top >= 0 && r.top < 600; }"
    page.wait_for_function(f"e => ({in_view})(e)", arg=target.element_handle())


@pytest.mark.parametrize("place", folded(sample()), ids=["finding", "attempt"])
@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_an_address_with_a_permanent_link_opens_it(open_page, place, script):
    page = open_page("rich", f"#{place}", java_script_enabled=script)

    page.locator(f"[id='{place}']").wait_for(state="visible")


def test_a_link_followed_again_unfolds_again_what_was_folded_by_hand(open_page):
    place = folded(sample())[1]
    page = open_page("rich", f"#{place}")
    target = page.locator(f"[id='{place}']")
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = false; })")
    assert not target.is_visible()

    page.locator(f"#findings table a[href='#{place}']").first.click()

    assert target.is_visible()


def test_the_filter_shows_what_matches_and_says_when_nothing_does(open_page):
    page = open_page()
    cards = page.locator("#findings article:visible")
    field = page.get_by_label("Show only what contains")
    told = page.locator("#findings [role=status]")
    assert cards.count() == 3

    field.fill("peeker modechoice")
    assert cards.count() == 1
    assert page.locator("#findings .seed:visible").count() == 2

    field.fill("nowhere at all")
    assert told.inner_text() == "Nothing contains “nowhere at all”."
    assert page.locator("#findings table:visible, #findings h3:visible").count() == 0

    field.fill("")
    assert cards.count() == 3
    assert told.inner_text() == ""


def test_a_link_to_what_the_filter_hides_shows_it(open_page):
    place = folded(sample())[0]
    page = open_page()
    page.get_by_label("Show only what contains").fill("nowhere at all")

    page.evaluate("place => { location.hash = place; }", place)

    page.locator(f"[id='{place}']").wait_for(state="visible")


def test_the_first_press_unfolds_everything_and_the_second_folds_it(open_page):
    page = open_page()
    button = page.get_by_role("button", name="Unfold")
    n_details = page.locator("#findings details").count()

    button.click()
    assert page.locator("#findings details[open]").count() == n_details
    button.click()
    assert page.locator("#findings details[open]").count() == 0


def test_a_phone_is_told_where_to_scroll_and_a_laptop_is_not(open_page):
    phone = open_page(viewport={"width": 390, "height": 800})
    laptop = open_page(viewport={"width": 1280, "height": 800})

    for section in ("#headline", "#matrix"):
        assert phone.locator(f"{section} .cue").is_visible()
        assert not laptop.locator(f"{section} .cue").is_visible()
    fits = "c => c.nextElementSibling.scrollWidth <= c.nextElementSibling.clientWidth"
    for cue in phone.locator(".cue:visible").all():
        assert not cue.evaluate(fits)


def test_plots_show_every_mark_on_a_phone_without_scrolling(open_page):
    page = open_page(viewport={"width": 390, "height": 800})

    assert page.locator(".strip.large-screen:visible").count() == 0
    assert page.locator(".strip:visible").count() == 3
    marks = page.locator(".strip:visible svg.mark")
    assert marks.count() == 26  # one attempt has no score
    boxes = [m.bounding_box() for m in marks.all()]
    assert all(b and b["x"] >= 0 and b["x"] + b["width"] <= 390 for b in boxes)
    assert page.locator(".plot .scroll").first.evaluate("e => e.scrollWidth - e.clientWidth") <= 0


def test_a_long_fact_does_not_make_its_row_high(open_page):
    page = open_page("long", viewport={"width": 1280, "height": 800})

    rows = page.locator("#how table").first.locator("tbody tr")
    assert max(r.bounding_box()["height"] for r in rows.all()) <= 64


def test_the_print_has_the_proof(open_page):
    page = open_page()

    page.emulate_media(media="print")

    assert page.locator(".finding pre").first.is_visible()
    assert not page.locator("nav").is_visible()
