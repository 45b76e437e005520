"""``make bench-page``: how large the page of a whole benchmark is, and how long it takes to open.

The audit is made: 75 tasks, three seeds of one agent, 2,000 findings with every kind of evidence,
and again with text in which every character does harm. Chromium opens each page several times.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from itertools import cycle, product
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from audit.console import table
from detectors.base import all_detectors, family_of
from reports.grading import grading_report, headlines
from reports.html import render_html
from reports.schema import (
    AuditReport,
    Check,
    CodeLines,
    Conclusion,
    Confidence,
    DetectorNote,
    Finding,
    LogLines,
    Outcome,
    Severity,
    SubjectKind,
    Verdict,
)
from tests.reports import documents
from tests.reports.copy_documents import passages
from tests.reports.hostile import ugly
from tests.reports.test_html import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from reports.schema import Evidence

TASKS, SEEDS, FINDINGS = 75, 3, 2000
OPENED = 7
MOST_S, MOST_BYTES = 2.0, 15e6
HEAD = (
    "page", "attempts", "findings", "made in", "size", "first paint", "opened", "of it computed",
    "filter", "elements",
)  # fmt: skip
_LINES = 12  # of each excerpt
_QUESTIONED = 3  # every third attempt is in question
_TIMES = """() => new Promise(done => requestAnimationFrame(() => setTimeout(() => {
  const [nav] = performance.getEntriesByType("navigation");
  const paint = performance.getEntriesByName("first-contentful-paint")[0];
  done([paint ? paint.startTime : nav.loadEventEnd, performance.now(),
        document.getElementsByTagName("*").length]);
})))"""
_FILTER = """() => {
  const field = document.querySelector(".tools input");
  const begun = performance.now();
  field.value = "task_7 seed 2";
  field.dispatchEvent(new Event("input"));
  document.body.getBoundingClientRect();
  return performance.now() - begun;
}"""


class Opened(NamedTuple):
    """What one page took, medians over several times it was opened; milliseconds."""

    painted: float
    ready: float
    computed: float  # by the page's thread; what other work the machine has does not enter
    filtered: float
    n_elements: int


def boards() -> list[documents.Board]:
    """Give the sample's boards new names until there is one for each task."""
    found = zip(cycle(documents.BOARDS), range(TASKS), strict=False)
    return [
        b._replace(
            competition=f"task-{n:02d}-{b.competition}", scores={"agent": b.scores["baseline"]}
        )
        for b, n in found
    ]


def proofs(n: int) -> Iterator[Evidence]:
    """Give the evidence of the n-th finding: each kind in turn, lines always with it."""
    text = "\n".join(f"line {i} of finding {n}: x_{i} = frame['column_{i}']" for i in range(_LINES))
    kinds = (LogLines, CodeLines)
    yield kinds[n % 2](
        path=f"code/part_{n % 9}.py", first_line=n + 1, last_line=n + _LINES, excerpt=text,
        shows="These lines do what the finding says.",
    )  # fmt: skip
    example = list(EXAMPLES.values())[n % len(EXAMPLES)]
    if example.kind == "copied_passages":
        yield passages(source=f"kernel-{n % 40}")
    elif example.kind not in {"log_lines", "code_lines"}:
        yield example


def audit_of_all() -> AuditReport:
    """Make the audit of 225 attempts with 2,000 findings, checked by every detector there is."""
    made = list(product(boards(), range(SEEDS)))
    names = [documents.attempt_id(board, "agent", seed) for board, seed in made]
    found: dict[str, list[Finding]] = {name: [] for name in names}
    severities = tuple(Severity)
    for n, name in zip(range(FINDINGS), cycle(names), strict=False):
        finding = Finding.seen(
            "answers-read", name, f"Finding {n} says in one sentence what was seen of the attempt.",
            *proofs(n), severity=severities[n % len(severities)], confidence=Confidence.MEDIUM,
        )  # fmt: skip
        found[name].append(finding)
    rows = [documents.grade_row(board, "agent", seed) for board, seed in made]
    grading = grading_report(rows, tool_version="0.1.0", now=documents.NOW)
    return AuditReport(
        tool_version="0.1.0",
        created_at=documents.NOW,
        policy="default",
        subjects=(
            *(documents.attempt_subject(board, "agent", seed) for board, seed in made),
            *map(documents.task_subject, boards()),
        ),
        detectors=tuple(_notes()),
        checks=tuple(c for name in names for c in _checks(name, found[name])),
        verdicts=tuple(
            Verdict(
                subject=name,
                conclusion=Conclusion.NOTE if n % _QUESTIONED else Conclusion.REVIEW,
                because=tuple(f.id for f in found[name]),
            )
            for n, name in enumerate(names)
        ),
        not_checked=documents.NOT_CHECKED,
        grading=grading,
        headlines=headlines(rows),
    )


def _notes() -> Iterator[DetectorNote]:
    for name, cls in all_detectors().items():
        about = cls.about
        yield DetectorNote(
            id=name, family=family_of(cls), subject=about.subject, asks=about.asks,
            blind_spots=about.blind_spots, reference=about.reference,
        )  # fmt: skip


def _checks(name: str, found: list[Finding]) -> Iterator[Check]:
    for note in _notes():
        if note.id == "answers-read":
            flagged = Outcome.FLAGGED
            yield Check(detector=note.id, subject=name, outcome=flagged, findings=tuple(found))
        elif note.subject is SubjectKind.ATTEMPT:
            yield Check(detector=note.id, subject=name, outcome=Outcome.CLEAN, duration_s=0.1)


def opened(browser: Browser, address: str) -> Opened:
    """Open a page several times, each in a fresh profile, until it is painted and quiet."""
    times = []
    for _ in range(OPENED):
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        page = context.new_page()
        tools = context.new_cdp_session(page)
        tools.send("Performance.enable", {"timeDomain": "threadTicks"})
        page.goto(address, wait_until="load")
        painted, ready, elements = page.evaluate(_TIMES)
        metrics = {m["name"]: m["value"] for m in tools.send("Performance.getMetrics")["metrics"]}
        computed = 1e3 * metrics["TaskDuration"]
        times.append(Opened(painted, ready, computed, page.evaluate(_FILTER), elements))
        context.close()
    return Opened(*(statistics.median(column) for column in zip(*times, strict=True)))


def main() -> int:
    """Measure both pages and print a table; end with 1 where a limit is broken."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path, help="Leave the pages in this folder.")
    keep = parser.parse_args().keep
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    lines, broken = [], False
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        place = keep or Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        for name, report in (("a whole benchmark", audit_of_all()), ("hostile text", ugly())):
            begun = time.perf_counter()
            text = render_html(report).encode()
            took = time.perf_counter() - begun
            path = place / f"{name.replace(' ', '-')}.html"
            path.write_bytes(text)
            found = opened(browser, path.resolve().as_uri())
            broken |= found.ready > 1e3 * MOST_S or len(text) > MOST_BYTES
            n_attempts = sum(s.kind is SubjectKind.ATTEMPT for s in report.subjects)
            lines.append([
                name, f"{n_attempts}", f"{len(report.findings):,}", f"{took:.1f} s",
                f"{len(text) / 1e6:.1f} MB", f"{found.painted / 1e3:.2f} s",
                f"{found.ready / 1e3:.2f} s", f"{found.computed / 1e3:.2f} s",
                f"{found.filtered:.0f} ms", f"{found.n_elements:,}",
            ])  # fmt: skip
        browser.close()
    sys.stdout.write(table(HEAD, lines) + "\n")
    return int(broken)


if __name__ == "__main__":
    sys.exit(main())
