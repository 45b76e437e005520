"""The page of a comparison in a real browser: quiet, alone, narrow, in the dark."""

from __future__ import annotations

import importlib.util
import shutil
from typing import Any

import pytest

from audit.comparison.compare import Options
from audit.comparison.history import history
from reports.comparison.html import render_html
from tests.audit.comparison.made import NOW, rows_of, write_document

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
    pytest.mark.skipif(
        importlib.util.find_spec("playwright") is None, reason="playwright is not installed"
    ),
]
BROKEN = (
    "[...document.querySelectorAll('a[href^=\"#\"]')].map(a => a.getAttribute('href').slice(1))"
    ".filter(id => !document.getElementById(id))"
)
CUT = (  # texts of plots that are cut off by the plot's edge
    "[...document.querySelectorAll('.strip text')].filter(t => t.getClientRects().length)"
    ".filter(t => { const b = t.getBBox(), v = t.ownerSVGElement.viewBox.baseVal;"
    " return b.x < 0 || b.x + b.width > v.width; }).map(t => t.textContent)"
)
BACKGROUND = "getComputedStyle(document.body).backgroundColor"
TASKS = [f"a-competition-whose-name-is-rather-long-{i}" for i in range(8)]


@pytest.fixture
def page_file(tmp_path):
    sides = [
        write_document(
            tmp_path / f"{a}.json",
            rows_of(a, {t: [i < n, i < 2] for i, t in enumerate(TASKS)}),
            {"agent digest": a * 64, "started": f"2026-01-0{n}T00:00:00+00:00"},
        )
        for a, n in (("a", 1), ("b", 4), ("c", 8))
    ]
    path = tmp_path / "comparison.html"
    path.write_text(render_html(history(sides, Options(tmp_path), NOW)), encoding="utf-8")
    return path


def test_the_page_is_quiet_alone_and_narrow_in_light_and_dark(page_file):
    from playwright.sync_api import sync_playwright

    seen = {}
    screens = (("light", 1280, "light"), ("dark", 1280, "dark"), ("phone", 390, "light"))
    with sync_playwright() as playwright:
        browser: Any = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        for name, width, scheme in screens:
            page = browser.new_page(
                viewport={"width": width, "height": 800},
                color_scheme="dark" if scheme == "dark" else "light",
            )
            said: list[str] = []
            asked: list[str] = []
            page.on("console", lambda message, said=said: said.append(message.text))
            page.on("pageerror", lambda error, said=said: said.append(str(error)))
            page.on("request", lambda request, asked=asked: asked.append(request.url))
            page.goto(page_file.as_uri())

            assert said == []
            assert asked == [page_file.as_uri()]
            assert page.evaluate(BROKEN) == []
            assert page.evaluate(CUT) == []
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.locator(".strip:visible").count() == 3
            seen[name] = page.evaluate(BACKGROUND)
        browser.close()

    assert seen["light"] == seen["phone"] != seen["dark"]
