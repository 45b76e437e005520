"""Whether code and submissions are copies of public ones, for attempts and for loose files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audit.base_code import base_code
from audit.checks import (
    checks_of,
    chosen_detectors,
    comparisons_of,
    group_of_all,
    shown_settings,
)
from audit.collect import (
    attempt_subject,
    group_subject,
    groups_of,
)
from audit.document import document
from audit.false_discoveries import control
from audit.loose import fitting, gather
from audit.verdict import judge
from competitions.errors import UsageError
from detectors.group import ALL_ATTEMPTS
from detectors.plagiarism.corpus.index import Corpus
from detectors.plagiarism.corpus.less import less_base
from detectors.text_file import printable_name
from reports.schema import AuditReport, Outcome, Subject, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from audit.checks import Subjects
    from audit.loose import Found
    from audit.verdict import Policy
    from detectors.base import Detector, Scalar
    from detectors.group import Group
    from reports.schema import Check, Verdict

FAMILY = "plagiarism"
_PARTS = frozenset({"code", "logs", "submission"})
_LOOKED = frozenset({Outcome.CLEAN, Outcome.FLAGGED})


def plagiarism(  # noqa: PLR0913 - each is an option of the verb of the same name
    paths: Iterable[Path],
    corpus: Path | None,
    data_dir: Path,
    policy: Policy,
    now: datetime,
    *,
    competition: str = "",
    base: Sequence[Path] = (),
    select: Sequence[str] = (),
    progress: Callable[[int, int, str], None] | None = None,
) -> AuditReport:
    """Hold attempts, files and folders of code against a corpus of public solutions.

    Parameters
    ----------
    paths : iterable of Path
        Attempts, groups, folders of groups; anything else is a file or folder of code.
    corpus : Path or None
        The corpus' folder.
    data_dir : Path
        Where tasks are prepared: what their descriptions say is no copy of anybody's words.
    competition : str
        What loose code is for, and of whose attempts this is; empty compares loose code with
        everything that the corpus holds, and looks at all attempts.
    base : sequence of Path
        Starter kits, templates, a scaffold's own code: what they hold is no copy.
    select : sequence of str
        Ids of detectors of this family; empty runs all.
    progress : callable or None
        Told how many checks are done, how many there are, and which was the last.

    Raises
    ------
    UsageError
        When there is no corpus, or a path does not exist or holds no attempt of the competition.
    CorpusError
        When the corpus is none, is broken, or another version wrote it.
    UnknownNameError
        When a selected detector does not exist or is of another family.
    """
    folder = needed(corpus)
    settings = {"corpus": str(folder), "competition": competition, "data": str(data_dir)}
    found = gather(paths, competition, Corpus.open(folder))
    settings["base"] = base_code(found.attempts, base)
    shown = shown_settings(settings)
    if base:
        shown["corpus"] = (
            f"{shown['corpus']} less {', '.join(printable_name(b.name) for b in base)}"
        )
    with less_base(folder, base) as compared:
        settings["corpus"] = str(compared)
        chosen = chosen_detectors(select, family=FAMILY, usual=settings)
        checks, groups = _checks(found, chosen, shown, progress)
    subjects = tuple(_subjects(found, chosen, groups, checks))
    verdicts = _judged(found, subjects, checks, policy)
    about = f"{FAMILY} alone"
    return document(
        policy, now, chosen, subjects, checks, verdicts, about=about, families=(FAMILY,)
    )


def _checks(
    found: Found,
    chosen: Sequence[Detector],
    shown: Mapping[str, Scalar],
    progress: Callable[[int, int, str], None] | None,
) -> tuple[list[Check], tuple[Group, ...]]:
    """Ask every detector; also return the groups that any of them may have looked at."""
    groups = groups_of((*found.attempts, *found.loose))
    everyone = group_of_all(chosen, groups)
    of_kind: Subjects = {
        SubjectKind.ATTEMPT: (*found.attempts, *found.loose),
        SubjectKind.GROUP: (*groups, *everyone),
    }
    tell = _counted(chosen, of_kind, progress)
    given = {one.id: one for one in found.loose}
    asked = checks_of(chosen, of_kind, tell, shown)
    made = [fitting(c, given[c.subject]) if c.subject in given else c for c in asked]
    return control(made, comparisons=comparisons_of(everyone)), (*groups, *everyone)


def needed(corpus: Path | None) -> Path:
    """Return the corpus that was given.

    Raises
    ------
    UsageError
        When none was.
    """
    if corpus is None:
        raise UsageError(
            "Expected --corpus, a folder of public solutions to compare with; found none.",
            "Make one with: mle-audit corpus build SOURCES --competition ID -o corpus/",
        )
    return corpus


def _counted(
    chosen: Iterable[Detector],
    of_kind: Subjects,
    progress: Callable[[int, int, str], None] | None,
) -> Callable[[str], None]:
    """Return what is told each check's words, and tells how many of all are done."""
    total = sum(
        1
        for one in chosen
        for subject in of_kind.get(one.about.subject, ())
        if getattr(subject, "across_agents", False) == one.about.across_agents
    )
    done = 0

    def tell(words: str) -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, total, words)

    return tell


def _judged(
    found: Found, subjects: Sequence[Subject], checks: Sequence[Check], policy: Policy
) -> tuple[Verdict, ...]:
    """Judge each subject; what nothing could be compared with is not cleared.

    A check of all attempts together counts as one of each: for a submission it is the only one.
    """
    strict = policy.model_copy(update={"decisive": (*policy.decisive, "corpus")})
    together = [c for c in checks if c.subject == ALL_ATTEMPTS]
    alone = {one.id for one in found.loose if one.expected == {"submission"}}
    verdicts: list[Verdict] = []
    families = {c.detector: FAMILY for c in checks}
    for subject in subjects:
        if subject.kind is not SubjectKind.ATTEMPT:
            verdicts += judge([subject], checks, policy, families=families)
            continue
        wanted = _LOOKED if subject.id not in alone else {*_LOOKED, Outcome.NOT_AVAILABLE}
        own = [_as_of(c, subject.id) for c in together if c.outcome in wanted]
        verdicts += judge([subject], [*checks, *own], strict, families=families)
    return tuple(verdicts)


def _as_of(made: Check, subject: str) -> Check:
    """Return the answer about all attempts as one about this one; findings name whom they mean."""
    own = {"subject": subject, "findings": ()}
    if made.concerns and subject not in made.concerns:
        gone = {"outcome": Outcome.CLEAN, "reason": None, "missing": None, "concerns": ()}
        return made.model_copy(update=own | gone)
    outcome = Outcome.CLEAN if made.outcome in _LOOKED else made.outcome
    return made.model_copy(update=own | {"outcome": outcome})


def _subjects(
    found: Found,
    chosen: Iterable[Detector],
    groups: Iterable[Group],
    checks: Iterable[Check],
) -> Iterator[Subject]:
    """Describe what was looked at; what nobody asked for is not missing."""
    asked_for = frozenset[str]().union(*(one.about.needs for one in chosen))
    for attempt in found.attempts:
        subject = attempt_subject(attempt)
        missing = tuple(m for m in subject.missing if m not in _PARTS or m in asked_for)
        yield subject.model_copy(update={"missing": missing})
    for one in found.loose:
        place = one.path if one.path.is_dir() else one.path.parent  # evidence is named from there
        yield Subject(
            id=one.id,
            kind=SubjectKind.ATTEMPT,
            title=f"{one.id}/" if one.path.is_dir() else one.id,
            competition=one.competition or None,
            path=printable_name(str(place)),
            missing=tuple(m for m in one.missing if m in one.expected & asked_for),
        )
    looked_at = {check.subject for check in checks}
    yield from (group_subject(group) for group in groups if group.id in looked_at)
