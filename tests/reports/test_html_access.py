"""The page for people who do not see it or use no mouse: axe-core, tab order, keys, print."""

from __future__ import annotations

import importlib.util
import itertools
import shutil
from typing import Any

import pytest

from reports.html import render_html
from reports.schema import CodeLines, LogLines
from tests.reports.documents import sample
from tests.reports.rate_documents import published_rows
from tests.reports.test_html import EXAMPLES, with_evidence
from tests.reports.test_remarks import document as with_remarks
from tests.reports.test_remarks import suppression

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
FOCUS = """() => {
  const e = document.activeElement;
  const box = e.getBoundingClientRect();
  return {
    tag: e.tagName, place: e.getAttribute("href") || e.id,
    name: (e.getAttribute("aria-label") || e.textContent || e.placeholder).trim(),
    top: box.top + scrollY, seen: box.width > 0 && box.height > 0,
    outline: getComputedStyle(e).outlineStyle,
  };
}"""


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
def addresses(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    documents = {
        "sample": sample(),
        "kinds": with_evidence(*EXAMPLES.values()),
        "remarks": with_remarks(suppression(), suppression("expired")),
        "published": published_rows(folder),
    }
    for name, document in documents.items():
        (folder / f"{name}.html").write_text(render_html(document), encoding="utf-8")
    return {name: (folder / f"{name}.html").as_uri() for name in documents}


@pytest.fixture
def open_page(browser, addresses):
    contexts = []

    def opened(name, **options):
        contexts.append(browser.new_context(**options))
        page = contexts[-1].new_page()
        page.goto(addresses[name])
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.mark.parametrize(
    ("name", "scheme", "viewport"),
    [
        pytest.param("kinds", "light", DESKTOP, id="kinds-light-desktop"),
        pytest.param("kinds", "light", PHONE, id="kinds-light-phone"),
        pytest.param("kinds", "dark", DESKTOP, id="kinds-dark-desktop"),
        pytest.param("kinds", "dark", PHONE, id="kinds-dark-phone"),
        pytest.param("sample", "light", DESKTOP, id="sample-light-desktop"),
        pytest.param("sample", "dark", PHONE, id="sample-dark-phone"),
        pytest.param("remarks", "light", DESKTOP, id="remarks-light-desktop"),
        pytest.param("remarks", "dark", PHONE, id="remarks-dark-phone"),
        pytest.param("published", "light", DESKTOP, id="published-light-desktop"),
        pytest.param("published", "dark", PHONE, id="published-dark-phone"),
    ],
)
def test_axe_finds_nothing_serious(open_page, name, scheme, viewport):
    from axe_playwright_python.sync_playwright import Axe

    page = open_page(name, color_scheme=scheme, viewport=viewport)
    page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    found = Axe().run(page).response

    grave = [v for v in found["violations"] if v["impact"] in {"serious", "critical"}]
    assert [(v["id"], v["nodes"][0]["html"][:200]) for v in grave] == []
    assert len(found["passes"]) > 30  # it did look


def walk(page, most):
    """Press Tab until the focus leaves the page, and give what had it."""
    found: list[dict[str, Any]] = []
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            return found
        found.append(page.evaluate(FOCUS))
    return found


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_tab_key_goes_down_the_page_and_every_stop_is_seen_and_named(open_page, viewport):
    stops = walk(open_page("kinds", viewport=viewport), 400)

    assert stops[0]["place"] == "#findings"  # the link that skips to them
    assert len(stops) < 400
    assert [s for s in stops if not (s["seen"] and s["name"])] == []
    assert {s["outline"] for s in stops} == {"solid"}
    tops = [s["top"] for s in stops[1:]]
    assert [a for a, b in itertools.pairwise(tops) if a - b > 1000] == []
    assert "SUMMARY" in {s["tag"] for s in stops}


def test_a_finding_is_folded_filtered_and_linked_by_keys_alone(open_page):
    page = open_page("sample", viewport=DESKTOP)
    finding = page.locator("#findings .finding").first
    summary = finding.locator("summary").first
    was_open = finding.evaluate("e => e.open")

    summary.focus()
    page.keyboard.press("Enter")
    assert finding.evaluate("e => e.open") is not was_open
    page.keyboard.press("Space")
    assert finding.evaluate("e => e.open") is was_open

    page.get_by_label("Show only what contains").focus()
    page.keyboard.type("peeker modechoice")
    assert page.locator("#findings article:visible").count() == 1

    link = page.locator("#findings article:visible a", has_text="Permanent link").first
    link.focus()
    page.keyboard.press("Enter")
    place = page.evaluate("location.hash.slice(1)")
    assert page.locator(f"[id='{place}']").is_visible()
    assert place in {f.id for f in sample().findings}


def test_every_finding_leads_to_all_of_its_evidence_in_the_page_alone(open_page):
    page = open_page("sample", viewport=DESKTOP, java_script_enabled=True)
    report = sample()

    for finding in report.findings:
        page.goto(page.url.partition("#")[0] + f"#{finding.id}")
        place = page.locator(f"[id='{finding.id}']")
        place.wait_for(state="visible")
        assert place.locator("figure.evidence").count() == len(finding.evidence)
        for evidence in finding.evidence:
            if isinstance(evidence, LogLines | CodeLines):
                text = place.inner_text()
                assert evidence.path in text
                assert all(line.strip() in text for line in evidence.excerpt.splitlines())


def test_print_has_every_finding_open_and_no_tools(open_page):
    page = open_page("sample", viewport=DESKTOP)

    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")

    for place in page.locator("#findings .finding figure.evidence").all():
        assert place.is_visible()
    assert not page.locator(".tools").is_visible()
    assert page.locator("body").evaluate("e => getComputedStyle(e).backgroundColor") in {
        "rgb(255, 255, 255)", "rgba(0, 0, 0, 0)",
    }  # fmt: skip
