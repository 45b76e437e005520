"""The page about policies shows the one that ships, and its examples do what is said of them."""

from __future__ import annotations

import itertools
from datetime import date

import pytest

from audit.suppressions import load_appeals, load_suppressions, struck_out, suppressed
from audit.verdict import POLICIES, Policy, load_policy, policy_names
from detectors.base import all_detectors, family_of
from reports.schema import (
    Conclusion,
    Confidence,
    Finding,
    Quantity,
    Severity,
    Subject,
    SubjectKind,
)
from tests.docs.pages import ROOT, blocks

PAGE = ROOT / "docs" / "policy.md"
DEFAULT, OWN, SUPPRESSIONS, APPEALS = (block.text for block in blocks(PAGE, "yaml"))
ALL = list(itertools.product(Severity, Confidence))
S, C, K = Severity, Confidence, Conclusion


def load(tmp_path, text: str, reader):
    (tmp_path / "example.yaml").write_text(text, encoding="utf-8")
    return reader(tmp_path / "example.yaml")


def finding(detector: str, severity: Severity, confidence: Confidence) -> Finding:
    proof = Quantity(name="n", value=1)
    return Finding.seen(detector, "a", "saw", proof, severity=severity, confidence=confidence)


def concluded(policy: Policy, detector: str, severity: Severity, confidence: Confidence):
    family = family_of(all_detectors()[detector])
    return policy.conclude(finding(detector, severity, confidence), family)


def test_the_page_shows_the_default_as_it_ships():
    assert (POLICIES / "default.yaml").read_text(encoding="utf-8") == DEFAULT


def test_the_page_names_all_policies_that_ship():
    rows = [line.split("`")[1] for line in PAGE.read_text().splitlines() if line.startswith("| `")]

    assert set(rows) >= set(policy_names())


def test_page_and_file_say_the_rules_in_the_same_words():
    page = " ".join(PAGE.read_text(encoding="utf-8").split("## The default")[0].split())

    for said in (
        "The first rule that fits a finding wins; where none fits, the finding is a note.",
        '`severity` and `confidence` mean "at least": a rule for medium fits medium and high.',
        "A rule without `confidence` fits every confidence.",
    ):
        assert said in page
        assert said in " ".join(DEFAULT.replace("\n# ", " ").split())


@pytest.mark.parametrize(
    ("detector", "severity", "confidence", "conclusion"),
    [
        pytest.param("copied-notebook", S.HIGH, C.HIGH, K.REVIEW, id="copies-never-disqualify"),
        pytest.param("copied-submission", S.LOW, C.LOW, K.REVIEW, id="copies-ask-for-a-person"),
        pytest.param("copied-notebook", S.NOTE, C.HIGH, K.NOTE, id="a-note-about-a-copy"),
        pytest.param("answers-read", S.MEDIUM, C.HIGH, K.DISQUALIFY, id="rules-and-sure"),
        pytest.param("answers-read", S.MEDIUM, C.LOW, K.REVIEW, id="rules-and-unsure"),
        pytest.param("padded-seeds", S.LOW, C.LOW, K.REVIEW, id="claims"),
        pytest.param("exact-row-overlap", S.HIGH, C.HIGH, K.DISQUALIFY, id="as-in-the-default"),
        pytest.param("exact-row-overlap", S.LOW, C.LOW, K.NOTE, id="mild-as-in-the-default"),
    ],
)
def test_the_example_concludes_what_the_page_says_of_it(
    tmp_path, detector, severity, confidence, conclusion
):
    own = load(tmp_path, OWN, load_policy)

    assert concluded(own, detector, severity, confidence) is conclusion
    assert set(own.decisive) - set(load_policy().decisive) == {"data"}


def test_the_example_of_suppressions_acts_until_its_last_days(tmp_path):
    records = load(tmp_path, SUPPRESSIONS, load_suppressions)
    rows = finding("exact-row-overlap", S.HIGH, C.HIGH)
    task = Subject(id="a", kind=SubjectKind.TASK, title="a", competition="modechoice")

    def states(day: date):
        return [s.state for s in suppressed(records, [rows], [task], day)]

    assert states(date(2027, 1, 31)) == ["unused", "acts"]
    assert states(date(2027, 2, 1)) == ["expired", "acts"]
    assert states(date(2027, 7, 1)) == ["expired", "expired"]
    assert struck_out(suppressed(records, [rows], [task], date(2027, 1, 31))) == {rows.id}


def test_the_example_of_an_appeal_can_be_read(tmp_path):
    (said,) = load(tmp_path, APPEALS, load_appeals)

    assert (said.author, said.date) == ("Team Seven", date(2026, 11, 2))
