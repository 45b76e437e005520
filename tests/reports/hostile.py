"""An audit document whose every text tries to do harm, as big as one likes."""

from __future__ import annotations

from reports.schema import (
    AuditReport,
    Check,
    Conclusion,
    Confidence,
    DetectorNote,
    FileDigest,
    Finding,
    LogLines,
    NotChecked,
    Outcome,
    Severity,
    Subject,
    SubjectKind,
    Verdict,
)
from tests.reports.documents import NOW

# What a hostile agent may put into its code, logs and file names.
HOSTILE = (
    "<script>alert('owned')</script>"
    "\x1b[31mred\x1b[0m\x07\x00\x08"
    "\u202eevil\u202c\u2066\u200f\u200b"
    "`code` | cell | ](javascript:alert(1)) <img src=x onerror=alert(1)> {{ 7*7 }} {% raw %}\r\n"
    "```\n# heading\n</pre></details></main>&amp;"
)


def ugly(n_attempts: int = 225, n_findings: int = 2000, line: int = 0) -> AuditReport:
    """Make an audit whose every text is hostile; `line` is the length of one line of evidence."""
    long_line = "A" * line + HOSTILE
    names = [f"task_{i:04d}{HOSTILE if i == 0 else ''}" for i in range(n_attempts)]
    by_attempt: dict[str, list[Finding]] = {name: [] for name in names}
    excerpt = "\n".join([HOSTILE] * 8)
    for i in range(n_findings):
        name = names[i % n_attempts]
        by_attempt[name].append(
            Finding.seen(
                f"answers-read{HOSTILE}",
                name,
                f"{i} {HOSTILE}",
                LogLines(
                    path=f"logs/{HOSTILE}", first_line=i + 1, last_line=i + 33,
                    excerpt=long_line if i == 0 else excerpt, shows=HOSTILE,
                ),
                FileDigest(path=HOSTILE, sha256=HOSTILE, shows=HOSTILE),
                severity=Severity.HIGH,
                confidence=Confidence.LOW,
            )
        )  # fmt: skip
    return AuditReport(
        tool_version=HOSTILE,
        created_at=NOW,
        policy=HOSTILE,
        subjects=tuple(
            Subject(
                id=name, kind=SubjectKind.ATTEMPT, title=HOSTILE, competition=f"c{i % 75}{HOSTILE}",
                agent=HOSTILE, seed=i // 75, path=HOSTILE, facts={HOSTILE: HOSTILE},
                missing=(HOSTILE,),
            )
            for i, name in enumerate(names)
        ),
        detectors=(
            DetectorNote(
                id=f"answers-read{HOSTILE}", family=HOSTILE, subject=SubjectKind.ATTEMPT,
                asks=HOSTILE, blind_spots=HOSTILE, reference=f"javascript:{HOSTILE}",
            ),
        ),
        checks=tuple(
            Check(
                detector=f"answers-read{HOSTILE}", subject=name, outcome=Outcome.FLAGGED,
                findings=tuple(found), reason=HOSTILE,
            )
            for name, found in by_attempt.items()
        ),
        verdicts=tuple(
            Verdict(
                subject=name, conclusion=Conclusion.REVIEW,
                because=(HOSTILE, *(f.id for f in found)),
            )
            for name, found in by_attempt.items()
        ),
        not_checked=(NotChecked(what=HOSTILE, why=HOSTILE),),
    )  # fmt: skip
