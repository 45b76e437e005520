"""An audit as JUnit XML, which every CI system shows: what the policy puts in question has failed.

The format has no standard; the elements and attributes used here are those that Jenkins, GitLab
and the readers of GitHub agree on: https://github.com/testmoapp/junitxml
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Final

from reports.overview import IN_QUESTION
from reports.places import where
from reports.schema import Conclusion, Outcome, SubjectKind
from reports.words import appealed, clip, counted, struck_out, visible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reports.schema import AuditReport, Check, Finding, Subject, Verdict

MAX_TEXT: Final = 400  # characters of any one text
MAX_TOLD: Final = 20  # findings of one check that are told
VERDICTS: Final = "verdicts"
_COUNTED: Final = {"failures": "failure", "errors": "error", "skipped": "skipped"}


def render_junit(report: AuditReport) -> str:
    """Render an audit as JUnit XML.

    Parameters
    ----------
    report : AuditReport
        The document; nothing else is read.

    Returns
    -------
    str
        A test suite for each kind of subject with a case for each check, and one suite with a case
        for each verdict. A check fails where a verdict of review or disqualify rests on one of its
        findings, so that failures are what the gate at its default stops at; it is an error where
        it crashed, and skipped where it could not look or the question makes no sense. Milder
        findings are told in a case that passed.
    """
    titles = {s.id: s for s in report.subjects}
    decisive = {
        reason for v in report.verdicts if v.conclusion in IN_QUESTION for reason in v.because
    }
    root = ET.Element("testsuites", name="mle-audit")
    for kind in SubjectKind:
        checks = [c for c in report.checks if _kind(titles.get(c.subject)) is kind]
        if checks:
            cases = [_check(report, c, titles.get(c.subject), decisive) for c in checks]
            root.append(_suite(report, f"{kind.value}s", cases))
    if report.verdicts:
        cases = [_verdict(v, titles.get(v.subject)) for v in report.verdicts]
        root.append(_suite(report, VERDICTS, cases))
    for name in ("tests", *_COUNTED):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    root.set("time", f"{sum(float(suite.get('time', '0')) for suite in root):.3f}")
    ET.indent(root, " ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _kind(subject: Subject | None) -> SubjectKind:
    return subject.kind if subject else SubjectKind.GROUP  # as everywhere, where nothing is told


def _safe(text: str, most: int = MAX_TEXT) -> str:
    """Cut a text and name what XML cannot hold."""
    return visible(clip(text, most))


def _suite(report: AuditReport, name: str, cases: list[ET.Element]) -> ET.Element:
    suite = ET.Element("testsuite", name=name, tests=str(len(cases)))
    for attribute, tag in _COUNTED.items():
        suite.set(attribute, str(sum(case.find(tag) is not None for case in cases)))
    suite.set("time", f"{sum(float(case.get('time', '0')) for case in cases):.3f}")
    suite.set("timestamp", report.created_at.isoformat(timespec="seconds"))
    properties = ET.SubElement(suite, "properties")
    for key, value in (("policy", report.policy), ("mle-audit", report.tool_version)):
        ET.SubElement(properties, "property", name=key, value=_safe(value))
    suite.extend(cases)
    return suite


def _case(classname: str, subject_id: str, subject: Subject | None, time: float) -> ET.Element:
    """Make a case; its name says which subject, also where two have one title."""
    title = subject.title if subject else subject_id
    name = title if title == subject_id else f"{title} ({subject_id})"
    return ET.Element("testcase", classname=_safe(classname), name=_safe(name), time=f"{time:.3f}")


def _check(
    report: AuditReport, check: Check, subject: Subject | None, decisive: set[str]
) -> ET.Element:
    family = next((n.family for n in report.detectors if n.id == check.detector), None)
    classname = f"{family}.{check.detector}" if family else check.detector
    case = _case(classname, check.subject, subject, check.duration_s)
    reason = check.reason or "No reason was given."
    grave = [f for f in check.findings if f.id in decisive]
    if grave:
        _told(
            case,
            "failure",
            _headline(grave),
            grave[0].severity.value,
            _lines(report, check.findings),
        )
    elif check.outcome is Outcome.FAILED:
        _told(case, "error", reason, "failed", reason)
    elif check.outcome in {Outcome.NOT_AVAILABLE, Outcome.NOT_APPLICABLE}:
        words = check.outcome.value.replace("_", " ")
        ET.SubElement(case, "skipped", message=_safe(f"{words}: {reason}"))
    if check.findings and not grave:
        ET.SubElement(case, "system-out").text = _lines(report, check.findings)
    return case


def _verdict(verdict: Verdict, subject: Subject | None) -> ET.Element:
    case = _case("verdict", verdict.subject, subject, 0.0)
    because = "; ".join(verdict.because[:MAX_TOLD]) or "no reason is given"
    if verdict.conclusion in IN_QUESTION:
        _told(case, "failure", verdict.conclusion.value, verdict.conclusion.value, because)
    elif verdict.conclusion is Conclusion.UNDETERMINED:
        _told(case, "error", "undetermined: something decisive was missing", "error", because)
    else:
        ET.SubElement(case, "system-out").text = verdict.conclusion.value
    return case


def _told(case: ET.Element, tag: str, message: str, kind: str, text: str) -> None:
    element = ET.SubElement(case, tag, message=_safe(message), type=kind)
    element.text = visible(text)


def _headline(findings: list[Finding]) -> str:
    more = f" (+{counted(len(findings) - 1, 'more finding')})" if len(findings) > 1 else ""
    return f"{clip(findings[0].message, MAX_TEXT // 2)}{more}"


def _lines(report: AuditReport, findings: Iterable[Finding]) -> str:
    """Tell findings one below the other, with the place of their first proof."""
    told = list(findings)
    lines = []
    for f in told[:MAX_TOLD]:
        lines += [
            f"{f.severity.value}, confidence {f.confidence.value}: {_safe(f.message)}",
            f"  {_safe(where(f.evidence[0]))}",
            f"  mle-audit explain {_safe(f.id)}",
        ]
        if suppression := report.suppression_of(f.id):
            lines.append(f"  counts in no verdict: {_safe(struck_out(suppression))}")
        lines += [f"  appeal: {_safe(appealed(a))}" for a in report.appeals_of(f.id)]
    rest = len(told) - MAX_TOLD
    return "\n".join([*lines, *([f"and {counted(rest, 'more finding')}"] if rest > 0 else [])])
