"""The page of a reproduction in a real browser: quiet, alone, narrow, in the dark."""

from __future__ import annotations

import importlib.util
import shutil

import pytest

from audit.reproduction.html import render_html
from tests.audit.reproductions import Made, reproduction, write_group

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
    + (
        ".concat([...document.querySelectorAll('use')].map(u => u.getAttribute('href').slice(1)))"
        ".filter(id => !document.getElementById(id))"
    )
)
BACKGROUND = "getComputedStyle(document.body).backgroundColor"


@pytest.fixture
def page_file(tmp_path, data_dir, submissions):
    peek = "open('/private/data/answers.csv').read()\n"
    agent = [
        Made(submissions["perfect"], "Validation score: auc 0.75\n", peek),
        Made(submissions["sample"]),
        Made(submissions["broken"]),
    ]
    runs = tmp_path / "runs"
    groups = (
        write_group(runs, "an-agent-whose-name-is-longer-than-most-names-are", agent),
        write_group(runs, "simple", [Made(submissions["sample"])] * 3),
    )
    path = tmp_path / "reproduction.html"
    path.write_text(render_html(reproduction(groups, data_dir)), encoding="utf-8")
    return path


@pytest.fixture
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        yield started
        started.close()


def test_the_page_is_quiet_alone_and_narrow_in_light_and_dark(browser, page_file):
    seen = {}
    screens = (("light", 1280, "light"), ("dark", 1280, "dark"), ("phone", 360, "light"))
    for name, width, scheme in screens:
        context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
        page = context.new_page()
        said: list[str] = []
        asked: list[str] = []
        page.on("console", lambda message, said=said: said.append(message.text))
        page.on("pageerror", lambda error, said=said: said.append(str(error)))
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.goto(page_file.as_uri())

        assert said == []
        assert asked == [page_file.as_uri()]
        assert page.evaluate(BROKEN) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator(".strip:visible").count() == 1
        assert page.get_by_text("not in question").count() == 0
        seen[name] = page.evaluate(BACKGROUND)
        context.close()

    assert seen["light"] == seen["phone"] != seen["dark"]


def test_the_answer_is_the_first_thing_on_a_phone(browser, page_file):
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(page_file.as_uri())

    answer = page.locator(".answer")
    assert answer.bounding_box()["y"] < 300
    assert page.locator("#answer").get_by_text("in question: read why first").is_visible()
