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
    return {name: (folder / f"{name}.html").as_uri() for name in ("rich", "ugly")}


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


def test_a_permanent_link_unfolds_what_it_leads_to(open_page):
    name = sample().findings[-1].id

    page = open_page("rich", f"#{name}")

    assert page.locator(f"[id='{name}']").is_visible()


def test_filter_and_fold_work(open_page):
    page = open_page()
    cards = page.locator("#findings article:visible")

    assert cards.count() == 9
    page.get_by_label("Show only what contains").fill("peeker modechoice")
    assert cards.count() == 3
    page.get_by_role("button", name="Unfold").click()
    assert page.locator(".finding[open]").count() == 0


def test_the_print_has_the_proof(open_page):
    page = open_page()

    page.emulate_media(media="print")

    assert page.locator(".finding pre").first.is_visible()
    assert not page.locator("nav").is_visible()
