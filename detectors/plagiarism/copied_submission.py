"""Say whether a submission is a public one or another attempt's: equal, bent, mixed, overridden."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from competitions.errors import EvidenceUnavailableError
from detectors.base import About, register
from detectors.group import Group
from detectors.plagiarism.against import needed_corpus
from detectors.plagiarism.authors import authors_of, by_competition, could_know
from detectors.plagiarism.likeness import ONE_KIND, SURE, Likeness
from detectors.plagiarism.submission_files import File, rules_of, sheets_of
from detectors.training.account import Account, accounted, handed_through
from reports.schema import (
    CodeLines,
    Confidence,
    Ingredient,
    Provenance,
    Severity,
    SubjectKind,
    SubmissionMix,
)
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from competitions.spec import Variant
    from detectors.attempt import Attempt
    from detectors.base import Subject
    from detectors.plagiarism.likeness import Explained
    from detectors.training.parsed import Shown
    from reports.schema import Finding

_SAMPLE = re.compile(r"sample[-_ ]?sub|sub\w*[-_ ]?(?:sample|example|format)", re.IGNORECASE)
_SEVERAL = 2  # agents that gave one file, which shared code and defaults account for
_TOLD_R2 = 0.999  # from which a likeness is told where too few files are there to say more
_OF_FEW = (Severity.NOTE, "too few different values to say whether it was copied")
_METHODS = {
    "equal": "is equal to",
    "affine": "is a scaled copy of",
    "monotone": "has the values of {} put through one rising curve",
    "blend": "is a mix of",
    "overridden rows": "is, but for some rows,",
}


class _Task(NamedTuple):
    """The attempts and public files of one task."""

    attempts: dict[str, Attempt]
    likeness: Likeness


class _Reason(NamedTuple):
    """Why an attempt's code cannot have given an equal file by itself."""

    told: str
    severity: Severity
    place: Shown | None


@register
@dataclass(frozen=True)
class CopiedSubmission:
    """Submissions that public ones or those of other agents' attempts reproduce.

    A submission is fitted by the others of its task: equal, scaled, put through a rising curve,
    mixed with weights of at least 0 (of values or of ranks), any of these but for some rows. How
    well that goes is held against how well the others reproduce each other, because honest models
    of one task are alike, of some tasks to the last digit. Labels are compared where they differ
    from what most say. An equal file alone is a note: shared code, defaults and seeds give one; it
    is more where the code trains nothing, or nothing that could come out equal.

    Parameters
    ----------
    corpus : str, default=
        Folder of public solutions with their submission files; without one attempts are compared
        with each other alone.
    competition : str, default=
        Take the public submissions of this competition; empty takes the attempts' own.
    max_p : float in (0, 1], default=0.01
        Chance of an honest submission to seem as much of a copy, up to which a reproduction is told
        that leaves nothing but rounding.
    max_p_inexact : float in (0, 1], default=0.001
        The same where more is left.
    min_r2 : float in [0, 1], default=0.998
        R² below which no likeness is told, unless rows agree to the last digit.
    min_rows : int >= 1, default=300
        Rows from which an equal file of labels is more than a note, where the code trains nothing.
    """

    about: ClassVar[About] = About(
        id="copied-submission",
        subject=SubjectKind.GROUP,
        asks="Is a submission a public one or another agent's, or made of such?",
        blind_spots=(
            "It knows only the public files that the corpus holds. With fewer than eight other "
            "files of a task only copies that are exact to rounding are told. A file that a model "
            "of its own makes up a third of, or that noise was added to, is seldom told from an "
            "honest one, the less so where honest models agree anyway; nor is one of so few "
            "digits, or so little changed, that a model of the same kind is as near. Columns are "
            "compared together: one that was copied beside others of its own is not seen. An equal "
            "file beside code that trains a model is no more than a note."
        ),
        reference="https://doi.org/10.1137/1.9781611971217 (non-negative least squares)",
        across_agents=True,
    )
    corpus: str = ""
    competition: str = ""
    max_p: float = 0.01
    max_p_inexact: float = 0.001
    min_r2: float = 0.998
    min_rows: int = 300

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        if not isinstance(subject, Group):
            return "it looks at groups only"
        if not any(a.submission for a in subject.attempts):
            return "no attempt has a submission"
        return None

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            After the findings: when no corpus was given, it has no submission of a task, or a
            submission could not be compared.
        """
        if not isinstance(subject, Group):
            raise TypeError(subject)
        gaps: list[EvidenceUnavailableError] = []
        authors = authors_of(subject.attempts)
        for competition, attempts in by_competition(subject).items():
            files = [*self._public(competition, gaps), *_handed_in(attempts, authors)]
            for task in _tasks(competition, attempts, files, gaps):
                yield from self._findings(subject, task)
        if gaps:
            raise _joined(gaps)

    def _public(self, competition: str, gaps: list[EvidenceUnavailableError]) -> Iterator[File]:
        try:
            corpus = needed_corpus(self.corpus)
        except EvidenceUnavailableError as error:
            gaps.append(error)
            return
        asked = self.competition or competition
        found = (*corpus.submissions(asked), *(corpus.submissions("") if asked else ()))
        named = [f for f in found if not _SAMPLE.search(f.name)]
        if not named:
            told = f"The corpus holds no submission of {asked or 'an unknown competition'}."
            task = asked or "ID"
            remedy = f"mle-audit corpus add CORPUS --submissions FILES --competition {task}"
            gaps.append(EvidenceUnavailableError("corpus", told, f"Add some with: {remedy}"))
        for file in named:
            author = file.provenance.author or f"public file {file.name}"
            yield File(file.path, file.name, author, provenance=file.provenance)

    def _findings(self, subject: Group, task: _Task) -> Iterator[Finding]:
        likeness = task.likeness
        for one, file in enumerate(likeness.sheets.files):
            if not file.attempt:
                continue
            if likeness.sheets.number_columns:
                explained = likeness.explain(one)
            else:
                explained = likeness.explain_labels(one)
            if explained is not None:
                yield from self._finding(subject, task, one, explained)

    def _finding(self, subject: Group, task: _Task, one: int, how: Explained) -> Iterator[Finding]:
        file = task.likeness.sheets.files[one]
        attempt = task.attempts[file.attempt]
        reason = _unaccounted(attempt)
        severity, told = _OF_FEW if how.is_of_few else self._weighed(task, one, how, reason)
        if severity is None:
            return
        evidence = _mix(task.likeness, one, how)
        shown = [_lines(attempt, reason.place)] if reason and reason.place else []
        yield self.about.finding(
            subject,
            f"The submission of {file.attempt} {_told(task.likeness, how)}; {told}.",
            evidence,
            *shown,
            severity=severity,
            confidence=Confidence.HIGH if severity is Severity.NOTE else Confidence.MEDIUM,
            attempts=(file.attempt,),
        )

    def _weighed(
        self, task: _Task, one: int, how: Explained, reason: _Reason | None
    ) -> tuple[Severity | None, str]:
        """Return how much an explanation matters, None for not at all, and why."""
        limit = self.max_p if how.is_exact or how.r2 is None else self.max_p_inexact
        is_rare = how.p is not None and how.p <= limit
        if how.method == "equal":
            return self._weighed_equal(task, how, reason, is_rare=is_rare)
        repeated = [task.likeness.agents_with(s, one) for s in how.fit.sources if how.r2]
        if reason is None and min(repeated, default=0) >= _SEVERAL:
            return Severity.NOTE, "several other agents gave what it is made of, as defaults do"
        if how.p is None:
            return _uncompared(how)
        if not is_rare or (how.r2 is not None and not how.is_exact and how.r2 < self.min_r2):
            return None, ""
        near = (task.likeness.mixtures.alike(one, s) for s in how.fit.sources if how.r2)
        if not how.is_exact and min(near, default=1.0) <= ONE_KIND:
            return Severity.NOTE, "two models of one kind can be so alike"
        rate = round(1 / max(how.p, 1e-9))
        told = f"one in {rate:,} honest ones is expected to seem as much of a copy"
        severity = max(Severity.MEDIUM, reason.severity) if reason else Severity.MEDIUM
        return severity, f"{told}, and {reason.told}" if reason else told

    def _weighed_equal(
        self, task: _Task, how: Explained, reason: _Reason | None, *, is_rare: bool
    ) -> tuple[Severity, str]:
        is_telling = how.r2 is not None or is_rare or task.likeness.sheets.n_rows >= self.min_rows
        if reason and is_telling:
            return reason.severity, reason.told
        if reason:
            return Severity.NOTE, "so few labels can agree by chance"
        return Severity.NOTE, "its code may account for that, as shared defaults and seeds do"


def _uncompared(how: Explained) -> tuple[Severity | None, str]:
    """Weigh an explanation where too few files are there to say what is usual."""
    if how.is_exact and (how.method == "overridden rows" or how.fit.unexplained <= SURE):
        return Severity.MEDIUM, "nothing but rounding is left"
    if how.r2 is not None and how.r2 >= _TOLD_R2:
        return Severity.NOTE, f"{how.n_null} other files are too few to say whether that is usual"
    return None, ""


def _handed_in(attempts: Sequence[Attempt], authors: dict[str, str]) -> Iterator[File]:
    for attempt in attempts:
        path = attempt.submission
        if path:
            below = path.relative_to(attempt.path).as_posix()
            name = attempt.id if below == "." else f"{attempt.id}/{below}"
            yield File(path, name, f"agent {authors[attempt.id]}", attempt.id)


def _tasks(
    competition: str,
    attempts: Sequence[Attempt],
    files: Sequence[File],
    gaps: list[EvidenceUnavailableError],
) -> Iterator[_Task]:
    """Read the submissions of a competition, each variant's beside the public ones."""
    by_variant: dict[Variant, dict[str, Attempt]] = {}
    for attempt in attempts:
        record = attempt.readable_record
        by_variant.setdefault(record.variant if record else "v1", {})[attempt.id] = attempt
    for variant, found in sorted(by_variant.items()):
        beside = [f for f in files if not f.attempt or f.attempt in found]
        if len({f.author for f in beside}) < len(("this one", "another")):
            continue
        sheets = sheets_of(beside, rules_of(competition, variant))
        for file, why in sheets.left_out:
            if file.attempt:
                told = why if why.startswith(file.name) else f"{file.name}: {why}"
                gaps.append(EvidenceUnavailableError("submission", told, attempts=(file.attempt,)))
        yield _Task(found, Likeness(sheets, _barred(sheets.files, found)))


def _joined(gaps: Sequence[EvidenceUnavailableError]) -> EvidenceUnavailableError:
    """Return what could not be looked at: what concerns all, else every file that could not be."""
    for gap in gaps:
        if not gap.attempts:
            return gap
    told = "; ".join(dict.fromkeys(g.problem for g in gaps))
    concerned = dict.fromkeys(a for g in gaps for a in g.attempts)
    return EvidenceUnavailableError("submission", told, attempts=tuple(concerned))


def _barred(files: Sequence[File], attempts: dict[str, Attempt]) -> dict[int, frozenset[int]]:
    """Return, for each attempt's file, those of attempts that began after it had ended."""
    theirs = [(n, attempts[f.attempt]) for n, f in enumerate(files) if f.attempt]
    return {n: frozenset(o for o, b in theirs if not could_know(a, b)) for n, a in theirs}


def _unaccounted(attempt: Attempt) -> _Reason | None:
    """Say why an attempt's code cannot have given another's file by itself; None where it may."""
    place = handed_through(attempt)
    if place:
        return _Reason("its code trains and predicts nothing", Severity.HIGH, place)
    said = accounted(attempt)
    first = said.places[0] if said.places else None
    if said.account is Account.READY_MADE:
        return _Reason(said.account.value, Severity.HIGH, first)
    if said.account is Account.DRAWN or (said.account is Account.VARIES and not said.is_seeded):
        return _Reason(said.account.value, Severity.MEDIUM, first)
    return None


def _lines(attempt: Attempt, place: Shown) -> CodeLines:
    return CodeLines(
        path=f"{attempt.id}/{place.path}",
        first_line=place.first_line,
        last_line=max(place.first_line, place.last_line),
        excerpt=place.excerpt.encode("utf-8", "replace").decode("utf-8"),
        shows=place.shows,
    )


def _mix(likeness: Likeness, one: int, how: Explained) -> SubmissionMix:
    sheets = likeness.sheets
    ingredients = [
        Ingredient(
            source=sheets.files[source].name,
            provenance=sheets.files[source].provenance or Provenance(),
            weight=weight,
            exact_share=share,
        )
        for source, weight, share in zip(how.fit.sources, how.fit.weights, how.shares, strict=True)
    ]
    return SubmissionMix(
        path=sheets.files[one].name,
        method=how.method,
        r2=how.r2,
        n_rows=sheets.numbers.shape[1],
        columns=sheets.number_columns or sheets.label_columns,
        ingredients=tuple(ingredients),
        p=how.p,
        n_null=how.n_null,
    )


def _told(likeness: Likeness, how: Explained) -> str:
    files = [likeness.sheets.files[source] for source in how.fit.sources]
    named = " and ".join(f.attempt or f.name for f in files[:2])
    rest = f" and {counted(len(files) - 2, 'more file')}" if len(files) > len(("a", "b")) else ""
    words = _METHODS[how.method]
    told = words.format(named + rest) if "{}" in words else f"{words} {named}{rest}"
    return told if how.r2 is None else f"{told} (R² {how.r2:.6f})"
