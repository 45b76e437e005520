"""JUnit XML: read by a parser of the format; failures are what the gate stops at."""

from __future__ import annotations

import pytest
from junitparser import Error, Failure, JUnitXml, Skipped

from audit.verdict import exit_code
from reports.junit import render_junit
from reports.schema import Check, Conclusion, Outcome, Severity, Verdict
from tests.reports.documents import empty, sample
from tests.reports.hostile import ugly
from tests.reports.test_html import EXAMPLES, with_evidence


def parsed(report):
    return JUnitXml.fromstring(render_junit(report).encode())


def results(suite):
    """Give the first result of each case, None where it passed."""
    return [case.result[0] if case.result else None for case in suite]


def one(outcome, conclusion=Conclusion.CLEAN, **fields):
    report = with_evidence(EXAMPLES["quantity"])
    check = Check(detector="d", subject="a", outcome=outcome, **fields)
    because = tuple(f.id for f in check.findings)
    verdict = Verdict(subject="a", conclusion=conclusion, because=because)
    return report.model_copy(update={"checks": (check,), "verdicts": (verdict,)})


@pytest.mark.parametrize(
    ("outcome", "kind", "words"),
    [
        (Outcome.CLEAN, None, ""),
        (Outcome.NOT_APPLICABLE, Skipped, "not applicable: why"),
        (Outcome.NOT_AVAILABLE, Skipped, "not available: why"),
        (Outcome.FAILED, Error, "why"),
    ],
)
def test_a_check_without_findings_is_a_case_by_its_outcome(outcome, kind, words):
    suite, _ = parsed(one(outcome, reason="why"))
    (found,) = results(suite)

    assert found is None if kind is None else isinstance(found, kind)
    assert (found.message if found is not None else "") == words


@pytest.mark.parametrize(
    ("severity", "conclusion", "failed"),
    [
        (Severity.HIGH, Conclusion.DISQUALIFY, True),
        (Severity.LOW, Conclusion.REVIEW, True),
        (Severity.HIGH, Conclusion.NOTE, False),  # a lenient policy
        (Severity.NOTE, Conclusion.NOTE, False),
    ],
)
def test_a_check_fails_where_the_policy_puts_something_in_question(severity, conclusion, failed):
    (finding,) = with_evidence(EXAMPLES["quantity"]).findings
    finding = finding.model_copy(update={"severity": severity})
    suite, verdicts = parsed(one(Outcome.FLAGGED, conclusion, findings=(finding,)))
    (case,) = suite

    assert [isinstance(r, Failure) for r in results(suite)] == [failed]
    assert [isinstance(r, Failure) for r in results(verdicts)] == [failed]
    told = case.result[0].text if failed else case.system_out
    assert finding.message in told
    assert finding.id in told


def test_an_undetermined_verdict_is_an_error_and_no_pass():
    *_, verdicts = parsed(one(Outcome.NOT_AVAILABLE, Conclusion.UNDETERMINED, reason="x"))

    assert isinstance(results(verdicts)[0], Error)


def test_there_is_a_suite_for_each_kind_of_subject_and_a_case_for_each_check():
    report = sample()
    xml = parsed(report)
    suites = {suite.name: suite for suite in xml}
    n_checks = sum(len(list(s)) for name, s in suites.items() if name != "verdicts")

    assert set(suites) == {"attempts", "tasks", "verdicts"}
    assert n_checks == len(report.checks)
    assert len(list(suites["verdicts"])) == len(report.verdicts)
    names = [(c.classname, c.name) for s in xml for c in s]
    assert len(set(names)) == len(names)
    assert ("rules.answers-read" in {c.classname for c in suites["attempts"]}) is True


def test_the_counts_are_those_of_the_cases():
    xml = parsed(sample())
    written = (xml.tests, xml.failures, xml.errors, xml.skipped)
    xml.update_statistics()

    assert written == (xml.tests, xml.failures, xml.errors, xml.skipped)


def test_a_failure_stands_there_exactly_where_the_gate_stops():
    for report in (sample(), one(Outcome.CLEAN), empty()):
        assert bool(parsed(report).failures) is (exit_code(report.verdicts) == 1)


def test_hostile_words_make_no_other_element():
    report = ugly(5, 20, line=10_000)
    xml = parsed(report)

    assert sum(len(list(s)) for s in xml) == len(report.checks) + len(report.verdicts)
