"""Audit documents about copies: each kind of evidence, many attempts, hostile text."""

from __future__ import annotations

from datetime import date

from reports.schema import (
    AuditReport,
    Check,
    Conclusion,
    Confidence,
    CopiedPassages,
    Evidence,
    Finding,
    Ingredient,
    Mark,
    Outcome,
    Passage,
    Provenance,
    Severity,
    SharedMarks,
    Subject,
    SubjectKind,
    SubmissionMix,
    Verdict,
)
from tests.reports.documents import NOW
from tests.reports.hostile import HOSTILE

ANN = Provenance(
    author="ann", title="Start here", url="https://www.kaggle.com/code/ann/start-here",
    created=date(2017, 3, 5), votes=1240, licence="Apache 2.0",
)  # fmt: skip
LEFT = "\n".join(f"own_{n} = {n}" if n < 20 or n > 29 else f"lines_{n} = {n}" for n in range(1, 61))
RIGHT = "\n".join(
    f"theirs_{n}" if n < 5 or n > 14 else f"lines_{n + 15} = {n + 15}" for n in range(1, 41)
)
PASSAGE = Passage(left_first=20, left_last=29, right_first=5, right_last=14, similarity=0.98)


def passages(**changes: object) -> CopiedPassages:
    """Make a file of 60 lines that shares 10 with a public notebook of 40."""
    made = CopiedPassages(
        path="code/main.py", source="kernels.zip!ann/start.ipynb", provenance=ANN,
        share_of_source=0.25, share_of_file=1 / 6, longest_run=71, p=0.0012, q=0.0098, n_null=812,
        passages=(PASSAGE,), left_text=LEFT, right_text=RIGHT,
    )  # fmt: skip
    return made.model_copy(update=changes)


MIX = SubmissionMix(
    path="submission/submission.csv", method="blend", r2=0.9999998, n_rows=4277,
    columns=("Transported",), p=0.004, q=0.02, n_null=250,
    ingredients=(
        Ingredient(source="public_a.csv", provenance=ANN, weight=0.7, exact_share=0.125),
        Ingredient(source="public_b.csv", weight=0.3, exact_share=0.0),
    ),
)  # fmt: skip
MARKS = SharedMarks(
    path="code/main.ipynb", source="kernels.zip!ann/start.ipynb", provenance=ANN,
    n_shared=14, n_in_file=20,
    marks=(
        Mark(what="cell guid", value="aa6d6f2e-6a68-4a4c-94d5-0f20a5b1e0a1", first_line=7),
        Mark(what="author", value="ann"),
    ),
)  # fmt: skip
COPY_EXAMPLES: dict[str, Evidence] = {
    "copied_passages": passages(),
    "submission_mix": MIX,
    "shared_marks": MARKS,
}
COPY_SHOWN = {
    "copied_passages": ["code/main.py", "Start here", "by ann", "25.0 %", "16.7 %", "71", "0.0012",
                        "0.0098", "812", "2017-03-05", "1,240", "Apache 2.0", "lines_29 = 29",
                        'href="https://www.kaggle.com/code/ann/start-here"', "98.0 %"],
    "submission_mix": ["submission/submission.csv", "is a weighted mix of", "2 files", "0.7",
                       "12.5 %", "4,277", "Transported", "1.000000", "public_b.csv", "0.004"],
    "shared_marks": ["14 marks of its 20", "aa6d6f2e-6a68-4a4c-94d5-0f20a5b1e0a1", "cell guid",
                     "2 of 14 shared marks shown"],
}  # fmt: skip


def seen(
    subject: str,
    *evidence: CopiedPassages | SubmissionMix | SharedMarks,
    severity: Severity = Severity.MEDIUM,
    attempts: tuple[str, ...] = (),
) -> Finding:
    """Make a finding of the family."""
    return Finding.seen(
        "copied-notebook", subject, f"{len(evidence)} kinds of evidence.", *evidence,
        severity=severity, confidence=Confidence.MEDIUM, attempts=attempts,
    )  # fmt: skip


def audit_of(*findings: Finding, n_attempts: int = 0) -> AuditReport:
    """Make an audit of the subjects of some findings, in their order, and of clean ones."""
    by_subject: dict[str, list[Finding]] = {}
    for finding in findings:
        by_subject.setdefault(finding.subject, []).append(finding)
        for attempt in finding.attempts:
            by_subject.setdefault(attempt, [])
    for n in range(n_attempts):
        by_subject.setdefault(f"t_{n}", [])
    names = list(by_subject)
    return AuditReport(
        tool_version="0.1.0", created_at=NOW, policy="default", detectors=(),
        subjects=tuple(
            Subject(
                id=name, title=f"attempt {name}", competition="t", variant="v1", seed=n,
                agent="copyist",
                kind=SubjectKind.GROUP if name == "all" else SubjectKind.ATTEMPT,
            )
            for n, name in enumerate(names)
        ),
        checks=tuple(
            Check(
                detector="copied-notebook", subject=name, findings=tuple(found),
                outcome=Outcome.FLAGGED if found else Outcome.CLEAN,
            )
            for name, found in by_subject.items()
        ),
        verdicts=tuple(
            Verdict(
                subject=name, because=tuple(f.id for f in found),
                conclusion=Conclusion.REVIEW if found else Conclusion.CLEAN,
            )
            for name, found in by_subject.items()
        ),
    )  # fmt: skip


def crossed(n_attempts: int, n_sources: int, every: int = 7) -> AuditReport:
    """Make an audit of attempts that share text with every so many-th of some sources."""
    return audit_of(
        *(
            seen(
                f"t_{a}",
                *(
                    passages(source=f"k/{s}.ipynb", share_of_source=(1 + (a + s) % 100) / 100,
                             provenance=Provenance(title=f"Notebook {s}", author=f"author {s}"))
                    for s in range(n_sources)
                    if (a * n_sources + s) % every == 0
                ),
            )
            for a in range(n_attempts)
        )
    )  # fmt: skip


def ugly_copies(n_findings: int = 300, line: int = 0) -> AuditReport:
    """Make an audit whose copied texts, names and sources are hostile, each of 400 lines."""
    bad = Provenance(author=HOSTILE, title=HOSTILE, url=f"javascript:{HOSTILE}", licence=HOSTILE)
    text = "\n".join(["A" * line + HOSTILE, *(f"{HOSTILE} {n}" for n in range(400))])
    whole = Passage(left_first=1, left_last=900, right_first=3, right_last=900, similarity=1)
    return audit_of(
        *(
            seen(
                f"t_{n % 50}",
                passages(path=HOSTILE, source=f"{n}{HOSTILE}", provenance=bad, left_text=text,
                         right_text=text, passages=(whole, PASSAGE)),
                MIX.model_copy(update={"path": HOSTILE, "columns": (HOSTILE,), "ingredients": (
                    Ingredient(source=HOSTILE, provenance=bad, weight=-1.0, exact_share=0.5),
                    Ingredient(source=f"2{HOSTILE}", provenance=bad, weight=2.0, exact_share=0.5),
                )}),
                MARKS.model_copy(update={
                    "path": HOSTILE, "source": HOSTILE, "provenance": bad,
                    "marks": (Mark(what=HOSTILE, value=HOSTILE),),
                }),
            )
            for n in range(n_findings)
        )
    )  # fmt: skip
