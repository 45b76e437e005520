"""Which rules logs and code show to be broken, for attempts and for loose logs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from audit.checks import checks_of, chosen_detectors, shown_settings
from audit.collect import attempt_subject
from audit.document import document
from audit.engine import check_engine, completed
from audit.facts import log_facts
from audit.judge.judging import NOTE as OPINION
from audit.judge.judging import Asked, questions_about
from audit.loose import fitting, names_of, told_apart
from audit.verdict import judge
from detectors.loose_logs import PARTS, LooseLogs
from detectors.text_file import printable_name
from reports.schema import AuditReport, NotChecked, Subject, SubjectKind, redact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from audit.judge.judging import Judge
    from audit.verdict import Policy
    from detectors.attempt import Attempt
    from detectors.base import Detector, Scalar
    from detectors.opinions.prompts import Question
    from reports.schema import Check, Verdict

FAMILY = "rules"


def rules(  # noqa: PLR0913 - each is an option of the verb of the same name
    paths: Iterable[Path],
    data_dir: Path,
    policy: Policy,
    now: datetime,
    *,
    select: Sequence[str] = (),
    reveal_private: bool = False,
    jobs: int = 1,
    progress: Callable[[int, int, str], None] | None = None,
    judge: Judge | None = None,
) -> AuditReport:
    """Ask every detector of the family about attempts, log files and folders of logs.

    Attempts are read one after the other and let go, so that a thousand cost the memory of `jobs`.
    One that cannot be read is told in its own checks and stops nothing.

    Parameters
    ----------
    paths : iterable of Path
        Attempts, groups, folders of groups; anything else is a log file, or a folder of logs and
        code that is looked at as one piece of work.
    data_dir : Path
        Where tasks are prepared.
    select : sequence of str
        Ids of detectors of this family; empty runs all.
    reveal_private : bool
        Leave in the evidence what is known from hidden data.
    jobs : int
        How many attempts at once.
    progress : callable or None
        Told how many are done, how many there are, and which was the last.
    judge : Judge or None
        Asks a model for an opinion, which stands beside what detectors found.

    Raises
    ------
    UsageError
        When a path does not exist, or two attempts have one name.
    UnknownNameError
        When a selected detector does not exist or is of another family.
    """
    check_engine(jobs, "loky")
    usual: dict[str, Scalar] = {"data": str(data_dir)}
    chosen = chosen_detectors(select, family=FAMILY, usual=usual)
    asked = [one for one in chosen if one.about.subject is SubjectKind.ATTEMPT]
    attempts = _gathered(paths)
    ask = _Asking(tuple(asked), shown_settings(usual), reveal_private, judge is not None)
    found: dict[int, _Answer] = {}
    for number, answer in completed(ask, list(enumerate(attempts)), jobs=jobs):
        found[number] = answer
        if progress is not None:
            progress(len(found), len(attempts), answer.subject.id)
    answers = [found[number] for number in range(len(attempts))]
    if judge is not None:
        answers = _with_opinions(answers, judge, progress)
    return document(
        policy,
        now,
        asked,
        (one.subject for one in answers),
        (c for row in zip(*(a.checks for a in answers), strict=True) for c in row),
        _judged(answers, policy),
        about="rules alone",
        families=(FAMILY,),
        opinions=(OPINION,) if judge is not None else (),
        not_checked=_not_checked(chosen),
        private_revealed=reveal_private,
    )


def _gathered(paths: Iterable[Path]) -> list[Attempt]:
    """Tell attempts from loose logs; both in the order in which they were given."""
    attempts, others = told_apart(paths, "logs")
    loose = (
        LooseLogs(place, name=name) if place.is_dir() else LooseLogs(place.parent, place.name, name)
        for place, name in names_of(others, {a.id for a in attempts})
    )
    return [*attempts, *loose]


class _Answer(NamedTuple):
    """What the detectors say of one attempt, in their order."""

    subject: Subject
    checks: tuple[Check, ...]
    questions: tuple[Question, ...] = ()  # for a model


def _with_opinions(
    answers: list[_Answer], judge: Judge, progress: Callable[[int, int, str], None] | None
) -> list[_Answer]:
    """Put a model's opinion beside the checks of each; those stay as they are."""
    asked = [Asked(one.subject.id, one.checks, one.questions) for one in answers]
    opinions = judge.checks(asked, progress)
    pairs = zip(answers, opinions, strict=True)
    return [one._replace(checks=(*one.checks, opinion)) for one, opinion in pairs]


@dataclass(frozen=True)
class _Asking:
    """Asks detectors about one attempt; other processes can be handed it."""

    chosen: tuple[Detector, ...]
    shown: Mapping[str, Scalar]
    reveal_private: bool
    with_questions: bool = False

    def __call__(self, item: tuple[int, Attempt]) -> tuple[int, _Answer]:
        """Return the number that was given and what is said of the attempt."""
        number, given = item
        attempt = replace(given)  # what it reads goes with it
        of_kind = {SubjectKind.ATTEMPT: (attempt,)}
        checks = tuple(checks_of(self.chosen, of_kind, lambda _words: None, self.shown))
        if isinstance(attempt, LooseLogs):
            checks = tuple(fitting(made, attempt) for made in checks)
        questions: tuple[Question, ...] = ()
        if self.with_questions:
            questions = questions_about(attempt, checks, with_outputs=self.reveal_private)
        if not self.reveal_private:
            checks = tuple(
                c.model_copy(update={"findings": tuple(map(redact, c.findings))}) for c in checks
            )
        needed = frozenset[str]().union(*(one.about.needs for one in self.chosen))
        return number, _Answer(_subject(attempt, needed), checks, questions)


def _subject(attempt: Attempt, needed: frozenset[str]) -> Subject:
    """Describe what was looked at; what nobody asked for is not missing."""
    if not isinstance(attempt, LooseLogs):
        subject = attempt_subject(attempt)
        missing = tuple(m for m in subject.missing if m not in PARTS or m in needed)
        return subject.model_copy(update={"missing": missing})
    return Subject(
        id=attempt.id,
        kind=SubjectKind.ATTEMPT,
        title=attempt.id if attempt.only else f"{attempt.id}/",
        path=printable_name(str(attempt.path)),
        missing=tuple(m for m in attempt.missing if m in attempt.expected),
        facts={"given": ", ".join(sorted(attempt.expected)), **log_facts(attempt)},
    )


def _judged(answers: Iterable[_Answer], policy: Policy) -> Iterator[Verdict]:
    for one in answers:
        families = {made.detector: FAMILY for made in one.checks if made.detector != OPINION.id}
        yield from judge([one.subject], one.checks, policy, families=families)


def _not_checked(chosen: Iterable[Detector]) -> Iterator[NotChecked]:
    """Name what is about more than one attempt."""
    for one in chosen:
        if one.about.subject is not SubjectKind.ATTEMPT:
            why = f"it looks at a {one.about.subject.value}, and this was about attempts alone"
            yield NotChecked(what=f"{one.about.id}: {one.about.asks}", why=why)
