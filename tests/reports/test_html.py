"""The page: it answers a reader's questions, holds hostile text harmless, and keeps its size."""

from __future__ import annotations

import base64
import hashlib
import itertools
import re
from html.parser import HTMLParser
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reports.html import TEMPLATES, evidence_template, render_html
from reports.page import MAX_LINE, MAX_LINES, Anchors, excerpt
from reports.schema import (
    Check,
    CodeLines,
    Confidence,
    Evidence,
    FileDigest,
    Finding,
    LogLines,
    Outcome,
    PicturePair,
    Quantity,
    RowOverlap,
    RowPair,
    Severity,
    Subject,
    SubjectKind,
    TextPair,
    Verdict,
)
from tests.reports.copy_documents import COPY_EXAMPLES, COPY_SHOWN
from tests.reports.documents import BOARDS, attempt_id, empty, sample
from tests.reports.hostile import HOSTILE, ugly

DOT = (  # a PNG of one pixel
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
)
KINDS = [get_args(t.model_fields["kind"].annotation)[0] for t in get_args(get_args(Evidence)[0])]
EXAMPLES: dict[str, Evidence] = {
    "log_lines": LogLines(
        path="run.log", first_line=41, last_line=42, excerpt="one\ntwo", shows="Two lines."
    ),
    "code_lines": CodeLines(
        path="code/a.py", first_line=7, last_line=7, excerpt="import os", shows="An import."
    ),
    "row_overlap": RowOverlap(
        left_table="train.csv", right_table="test.csv", n_left=900, n_right=100, n_shared=31,
        compared_columns=("age", "fare"), ignored_columns=("id",),
        pairs=tuple(RowPair(left_row=i + 1, right_row=i + 501) for i in range(12)),
        answers_agree=29,
    ),
    "quantity": Quantity(
        name="overlap", value=0.31, unit="of rows", compared_with="threshold", reference=0.05
    ),
    "file_digest": FileDigest(path="code/b.py", sha256="f" * 64, shows="The file."),
    "picture_pair": PicturePair(
        left="public/train/1.png", right="public/test/2.png", shows="Mirrored.", likeness=0.9975,
        bound=0.9817, left_png=DOT, private_png="[hidden: shown only with --reveal-private]",
    ),
    "text_pair": TextPair(
        left="public/train.csv", right="public/test.csv", left_row=3, right_row=1204, column="said",
        shows="Cut short.", likeness=0.93, left_text="as <b>he</b> said", right_text="as he",
    ),
    **COPY_EXAMPLES,
}  # fmt: skip
SHOWN = {
    "log_lines": ["run.log:41-42", "Two lines.", ">41</span>one", ">42</span>two"],
    "code_lines": ["code/a.py:7<", "An import.", ">7</span>import os"],
    "row_overlap": ["31 rows of the 100", "900 rows", "age, fare", "Left out: id", "29",
                    ">510</td>", "10 of 31 equal rows shown"],
    "quantity": ["overlap", "0.31 of rows", "threshold", "0.05 of rows"],
    "file_digest": ["code/b.py", "The file.", "f" * 64],
    "picture_pair": ["public/train/1.png", "public/test/2.png", "Mirrored.", "0.9975", "0.9817",
                     f'<img src="data:image/png;base64,{DOT}"', "shown only with"],
    "text_pair": ["public/train.csv, row 3", "public/test.csv, row 1,204", "<code>said</code>",
                  "Cut short.", "0.9300", "as &lt;b&gt;he&lt;/b&gt; said", ">as he<"],
    **COPY_SHOWN,
}  # fmt: skip
VOID = {"meta", "link", "input", "br", "img", "hr"}


class Outline(HTMLParser):
    """Reads a page strictly: balanced tags, ids, targets, headings, addresses, bare attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.targets: list[str] = []
        self.outside: list[str] = []
        self.headings: list[int] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        self.tags.append((tag, named))
        if "id" in named:
            self.ids.append(str(named["id"]))
        for name in ("href", "src"):
            if (value := named.get(name)) is not None:
                (self.targets if value.startswith("#") else self.outside).append(value)
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def page():
    return render_html(sample())


@pytest.fixture(scope="module")
def ugly_page():
    return render_html(ugly(line=10_000_000))


def with_evidence(*evidence, **changes):
    finding = Finding.seen(
        "d", "a", "seen", *evidence, severity=Severity.HIGH, confidence=Confidence.LOW
    )
    return empty().model_copy(
        update={
            "subjects": (Subject(id="a", kind=SubjectKind.ATTEMPT, title="a"),),
            "checks": (
                Check(detector="d", subject="a", outcome=Outcome.FLAGGED, findings=(finding,)),
            ),
            "verdicts": (Verdict(subject="a", conclusion="review", because=(finding.id,)),),
        }
        | changes
    )


def test_every_kind_of_evidence_has_a_template_and_an_example_here():
    missing = [k for k in KINDS if not (TEMPLATES / evidence_template(k)).is_file()]

    assert not missing
    assert sorted(EXAMPLES) == sorted(SHOWN) == sorted(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_evidence_is_shown_with_all_it_takes_to_look_it_up(kind):
    made = render_html(with_evidence(EXAMPLES[kind]))

    assert not [text for text in SHOWN[kind] if text not in made]


def test_the_first_sentence_says_which_attempts_are_in_question(page):
    said = re.search(r'class="answer">(.*?)</p>', page)

    assert said
    assert said[1] == (
        "9 of 27 attempts are in question (all 9 of agent peeker), 2 could not be judged."
    )


def test_the_page_tells_what_a_stranger_asks(page):
    text = " ".join(re.sub(r"<[^>]+>", " ", page).split())

    for sentence in [
        "no attempt of peeker is left and the figures of the other agents stay as they are",
        "2 attempts could not be judged, 2 checks gave no answer and 4 things were not looked at",
        "a gate at review, the default, ends with exit code 1",
        "The log names the task's private folder 3 times; each read failed.",
        "no detector of this family was run",
        "UnicodeDecodeError: invalid start byte",
        "The attempt left no log. (missing: logs)",
        "Miniature data are made up, so repeated rows mean nothing.",
        "column malignant: 3 values are empty (rows 4, 17, 80).",
        "What a clean verdict does not prove.",
        "Medals are counted over 1 of 3 tasks; boards made of baselines award none.",
        "* not comparable with the board: spaceship-titanic: its data are not",
        "bronze medal*",
        "66.67 ± 33.33 %*",
        "2 attempts that could not be judged still count in the figures without",
        "values from hidden data are left out",
        "1 attempt without a score is not drawn",
    ]:
        assert sentence in text.replace("&#39;", "'"), sentence


def test_every_attempt_is_in_the_matrix_and_leads_to_its_section(page):
    outline = Outline(page)

    for board, agent, seed in itertools.product(BOARDS, ("constant", "peeker"), (0, 1, 2)):
        place = f"subject-{attempt_id(board, agent, seed)}".replace("_", "-")
        assert outline.ids.count(place) == 1
        assert f"#{place}" in outline.targets


def test_every_finding_has_a_permanent_link_of_its_own(page):
    outline = Outline(page)

    for finding in sample().findings:
        assert outline.ids.count(finding.id) == 1
        assert f"#{finding.id}" in outline.targets


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(sample, id="rich"),
        pytest.param(empty, id="empty"),
        pytest.param(lambda: ugly(6, 40), id="hostile"),
        pytest.param(
            lambda: ugly(3, 3000), id="more-findings-than-are-told", marks=pytest.mark.slow
        ),
    ],
)
def test_links_lead_somewhere_ids_are_unique_and_headings_do_not_skip(make):
    outline = Outline(render_html(make()))

    assert len(outline.ids) == len(set(outline.ids))
    assert {t[1:] for t in outline.targets} <= set(outline.ids)
    assert outline.headings[0] == 1
    assert all(b - a <= 1 for a, b in itertools.pairwise(outline.headings))
    assert outline.headings.count(1) == 1


@pytest.mark.parametrize("make", [sample, lambda: ugly(6, 40)], ids=["rich", "hostile"])
def test_nothing_is_fetched_and_only_our_script_may_run(make):
    made = render_html(make())
    outline = Outline(made)
    (script,) = re.findall(r"<script>(.*?)</script>", made, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()

    assert {o for o in outline.outside if not o.startswith("https://")} == {"data:,"}
    assert f"script-src 'sha256-{digest}'" in made
    assert "default-src 'none'" in made
    assert not [t for t, a in outline.tags if t in {"img", "iframe", "object", "embed"}]
    assert not [a for _, a in outline.tags if any(n.startswith("on") for n in a)]


@pytest.mark.slow
def test_hostile_text_is_shown_and_not_obeyed(ugly_page):
    assert "<script>alert" not in ugly_page
    assert "&lt;script&gt;alert" in ugly_page
    assert "javascript:" not in "".join(re.findall(r'href="[^"]*"', ugly_page))
    assert not re.search(
        "[\x00-\x08\x0b-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2066-\u2069]", ugly_page
    )
    assert "⟨ESC⟩[31mred" in ugly_page
    assert "⟨U+202E⟩evil" in ugly_page
    assert "{{ 7*7 }}" in ugly_page
    Outline(ugly_page)


def test_a_big_and_ugly_audit_stays_small(ugly_page):
    assert len(ugly_page.encode()) < 15_000_000
    assert len(re.findall(r'class="finding"', ugly_page)) == 2000


@pytest.mark.slow
def test_two_thousand_findings_in_each_of_225_attempts_are_counted_and_some_told():
    plain = ugly(225, 225)
    checks = tuple(
        c.model_copy(
            update={
                "findings": tuple(
                    c.findings[0].model_copy(update={"id": f"{c.findings[0].id}-{n}"})
                    for n in range(2000)
                )
            }
        )
        for c in plain.checks
    )

    made = render_html(plain.model_copy(update={"checks": checks}))

    assert len(made.encode()) < 15_000_000
    assert made.count("1,992 more findings of this subject") == 225


def test_the_same_document_gives_the_same_page(page):
    assert render_html(sample()) == page


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=60), st.text(max_size=60))
def test_no_text_breaks_the_page(name, words):
    lines = LogLines.model_construct(
        kind="log_lines", path=name, first_line=1, last_line=1, excerpt=words, shows=words
    )
    report = with_evidence(EXAMPLES["log_lines"])
    finding = report.findings[0].model_copy(update={"evidence": (lines,), "message": words})
    check = report.checks[0].model_copy(update={"findings": (finding,), "reason": words})
    subject = report.subjects[0].model_copy(
        update={"title": name, "agent": name, "facts": {name: words}}
    )

    made = render_html(report.model_copy(update={"checks": (check,), "subjects": (subject,)}))

    made.encode()
    outline = Outline(made)
    assert len(outline.ids) == len(set(outline.ids))


def test_what_checks_speak_of_is_shown_although_nobody_described_it():
    report = with_evidence(EXAMPLES["quantity"], subjects=())

    made = render_html(report)

    assert "0.31 of rows" in made
    Outline(made)


def test_a_missing_headline_is_said_and_not_left_blank(page):
    assert "no attempt left" in page
    assert "This document holds no grades" in render_html(empty())


def test_an_excerpt_is_cut_in_lines_and_length_and_says_so():
    long = LogLines(
        path="run.log", first_line=100, last_line=999, shows="",
        excerpt="\n".join(["x" * 1000] * 900),
    )  # fmt: skip

    cut = excerpt(long, 10**6)

    assert [n for n, _ in cut.lines] == list(range(100, 100 + MAX_LINES))
    assert cut.lines[0][1] == "x" * MAX_LINE + f" … [{MAX_LINE} of 1,000 characters shown]"
    assert cut.note == f"876 more lines not shown here; see run.log:{100 + MAX_LINES}"


@given(st.text(max_size=2000), st.integers(0, 3000), st.integers(1, 10**6))
def test_an_excerpt_keeps_its_budget_and_counts_every_line(text, budget, first):
    lines = LogLines.model_construct(
        path="run.log", first_line=first, last_line=first, excerpt=text, shows=""
    )

    cut = excerpt(lines, budget)

    assert 1 <= len(cut.lines) <= MAX_LINES
    assert sum(len(t.encode()) for _, t in cut.lines[1:]) <= budget
    left = text.count("\n") + 1 - len(cut.lines)
    assert bool(cut.note) is (left > 0)


@given(st.lists(st.text(max_size=30), unique=True, max_size=12))
def test_anchors_are_safe_and_never_given_twice(names):
    anchors = Anchors()

    given_ = [anchors.of("finding", name) for name in names]

    assert len(set(given_)) == len(names)
    assert all(re.fullmatch("[A-Za-z0-9-]+", a) for a in given_)
    assert [anchors.of("finding", name) for name in names] == given_


def luminance(colour: str) -> float:
    channels = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]  # fmt: skip
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


INKS = [
    "ink",
    "soft",
    "accent",
    "clean",
    "note",
    "review",
    "disqualify",
    "undetermined",
    "unjudged",
]


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("ink", INKS)
def test_text_has_the_contrast_of_wcag_aa_on_every_ground_it_stands_on(scheme, ink):
    style = (TEMPLATES / "style.css").read_text()
    block = re.findall(r":root \{(.*?)\}", style, re.DOTALL)[scheme]
    colours = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", block))
    grounds = ["bg", "raised", "review-bg", "disqualify-bg"]

    assert min(contrast(colours[ink], colours[g]) for g in grounds) >= 4.5
    assert contrast(colours["strong"], colours["bg"]) >= 3


def test_hostile_samples_hold_what_they_should():
    assert all(mark in HOSTILE for mark in ["<script>", "\x1b[31m", "\u202e", "\x00", "|", "`"])
