"""The page about policies shows the one that ships, and its example does what is said of it."""

from __future__ import annotations

import itertools

import pytest

from audit.verdict import POLICIES, Policy, load_policy
from reports.schema import Conclusion, Confidence, Finding, Quantity, Severity
from tests.docs.pages import ROOT, blocks

PAGE = ROOT / "docs" / "policy.md"
DEFAULT, STRICT = (block.text for block in blocks(PAGE, "yaml"))
ALL = list(itertools.product(Severity, Confidence))


@pytest.fixture
def strict(tmp_path) -> Policy:
    (tmp_path / "strict.yaml").write_text(STRICT, encoding="utf-8")
    return load_policy(tmp_path / "strict.yaml")


def concluded(policy: Policy, severity: Severity, confidence: Confidence) -> Conclusion:
    proof = Quantity(name="n", value=1)
    return policy.conclude(
        Finding.seen("d", "a", "saw", proof, severity=severity, confidence=confidence)
    )


def test_the_page_shows_the_default_as_it_ships():
    assert (POLICIES / "default.yaml").read_text(encoding="utf-8") == DEFAULT


def test_page_and_file_say_the_rules_in_the_same_words():
    page = " ".join(PAGE.read_text(encoding="utf-8").split("```")[0].split())

    for said in (
        "The first rule that fits a finding wins; where none fits, the finding is a note.",
        '`severity` and `confidence` mean "at least": a rule for medium fits medium and high.',
        "A rule without `confidence` fits every confidence.",
    ):
        assert said in page
        assert said in " ".join(DEFAULT.replace("\n# ", " ").split())


def test_the_example_is_nowhere_milder_than_the_default_and_somewhere_stricter(strict):
    pairs = [(concluded(strict, *one), concluded(load_policy(), *one)) for one in ALL]

    assert all(ours >= theirs for ours, theirs in pairs)
    assert any(ours > theirs for ours, theirs in pairs)
    assert set(load_policy().decisive) < set(strict.decisive)


def test_where_no_rule_fits_a_finding_is_a_note(strict):
    assert concluded(strict, Severity.NOTE, Confidence.HIGH) is Conclusion.NOTE


@pytest.mark.parametrize(
    ("severity", "confidence", "conclusion"),
    [
        (Severity.HIGH, Confidence.LOW, Conclusion.DISQUALIFY),
        (Severity.MEDIUM, Confidence.HIGH, Conclusion.DISQUALIFY),
        (Severity.MEDIUM, Confidence.MEDIUM, Conclusion.REVIEW),
        (Severity.LOW, Confidence.LOW, Conclusion.REVIEW),
    ],
)
def test_the_example_concludes_what_the_page_says_of_it(strict, severity, confidence, conclusion):
    assert concluded(strict, severity, confidence) is conclusion
