"""Figures under other counts in a real browser: wide and narrow, light and dark."""

from __future__ import annotations

import importlib.util
import shutil

import pytest

from reports.html import render_html
from tests.reports.rate_documents import rated

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
NEEDED = ("playwright", "axe_playwright_python")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
    pytest.mark.skipif(
        any(importlib.util.find_spec(name) is None for name in NEEDED),
        reason=f"one of {', '.join(NEEDED)} is not installed",
    ),
]
DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 800}
SECTIONS = {"include": [["#sensitivity"], ["#scaling"]]}
UNFOLD = "document.querySelectorAll('details').forEach((d) => { d.open = true; })"


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        yield started
        started.close()


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    place = tmp_path_factory.mktemp("pages") / "rated.html"
    place.write_text(render_html(rated()), encoding="utf-8")
    return place.as_uri()


@pytest.fixture
def open_page(browser, address):
    contexts = []

    def opened(**options):
        contexts.append(browser.new_context(**options))
        page = contexts[-1].new_page()
        page.said = []
        page.on("console", lambda message: page.said.append(message.text))
        page.on("pageerror", lambda error: page.said.append(str(error)))
        page.goto(address)
        page.evaluate(UNFOLD)
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_axe_finds_nothing_serious_and_the_page_never_scrolls_sideways(open_page, scheme, viewport):
    from axe_playwright_python.sync_playwright import Axe

    page = open_page(color_scheme=scheme, viewport=viewport)

    found = Axe().run(page, context=SECTIONS).response["violations"]
    assert [v["id"] for v in found if v["impact"] in {"serious", "critical"}] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    assert page.said == []


@pytest.mark.parametrize(
    ("viewport", "there", "absent"),
    [
        pytest.param(DESKTOP, "large-screen", "small-screen", id="desktop"),
        pytest.param(PHONE, "small-screen", "large-screen", id="phone"),
    ],
)
def test_each_width_has_its_own_plots_and_sees_them_whole(open_page, viewport, there, absent):
    page = open_page(viewport=viewport)

    assert page.locator(f".rates.{absent}:visible").count() == 0
    plots = page.locator(f".rates.{there}:visible")
    assert plots.count() > 10
    for plot in plots.all():
        scroll = plot.locator("xpath=..")
        assert scroll.evaluate("e => e.scrollWidth - e.clientWidth") <= 0
        over = plot.evaluate(
            "s => [...s.querySelectorAll('text')].filter(t => { const b = t.getBBox(), v ="
            " s.viewBox.baseVal; return b.x < -2 || b.x + b.width > v.width + 2; })"
            ".map(t => t.textContent)"
        )
        assert over == []


def test_no_two_texts_of_a_plot_lie_on_each_other(open_page):
    page = open_page(viewport=PHONE)

    for plot in page.locator(".rates.small-screen:visible").all():
        assert plot.evaluate(
            "s => { const all = [...s.querySelectorAll('text')].filter(t =>"
            " !t.classList.contains('level')).map(t => [t.textContent, t.getBBox()]);"
            " return all.flatMap(([n, a], i) => all.slice(i + 1).filter(([, b]) =>"
            " a.x + 1 < b.x + b.width && b.x + 1 < a.x + a.width &&"
            " a.y + 3 < b.y + b.height && b.y + 3 < a.y + a.height).map(([m]) => [n, m])); }"
        ) == []  # fmt: skip
