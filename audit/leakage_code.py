"""What training code makes of its rows: code that is an attempt's, and code that is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from audit.checks import checks_of, chosen_detectors, shown_settings
from audit.collect import attempt_subject
from audit.document import document, selected
from audit.loose import fitting, names_of, told_apart
from audit.verdict import judge
from detectors.base import family_of
from detectors.loose_logs import LooseLogs
from detectors.text_file import printable_name
from reports.schema import AuditReport, Subject, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from audit.verdict import Policy
    from detectors.attempt import Attempt
    from detectors.base import Detector, Scalar
    from reports.schema import Check, Verdict

FAMILY = "leakage"


@dataclass(frozen=True)
class TrainingCode(LooseLogs):
    """A source file, a notebook or a folder of them, whoever wrote it.

    Parameters
    ----------
    competition : str
        The task that it was written for, as far as somebody said.
    """

    competition: str = ""

    @property
    def competition_id(self) -> str:
        """The task that it was written for; empty where nobody said."""
        return self.competition


def leakage_of_code(  # noqa: PLR0913 - each is an option of the verb
    paths: Iterable[Path],
    policy: Policy,
    now: datetime,
    *,
    competition: str = "",
    data_dir: Path | None = None,
    select: Sequence[str] = (),
    progress: Callable[[int, int, str], None] | None = None,
) -> AuditReport:
    """Ask of training code what the detectors of family leakage ask of an attempt's.

    Parameters
    ----------
    paths : iterable of Path
        Attempts and folders of them; anything else is a source file, a notebook, or a folder that
        is one piece of work.
    competition : str
        The task that code which is no attempt was written for; what is asked about a task's own
        things is asked only then.
    data_dir : Path or None
        Where tasks are prepared, and definitions from outside the catalog were kept.
    select : sequence of str
        Ids of detectors; empty runs all that look at code.
    progress : callable or None
        Told how many are done, how many there are, and which was the last.

    Raises
    ------
    UsageError
        When a path does not exist.
    UnknownNameError
        When a selected detector does not exist, or does not look at code.
    """
    usual: dict[str, Scalar] = {"data": str(data_dir)} if data_dir is not None else {}
    chosen, shown = _chosen(select, usual), shown_settings(usual)
    gathered = _gathered(paths, competition)
    subjects: list[Subject] = []
    checks: list[list[Check]] = []
    verdicts: list[Verdict] = []
    for number, one in enumerate(gathered, start=1):
        made = checks_of(chosen, {SubjectKind.ATTEMPT: (one,)}, lambda _words: None, shown)
        own = [fitting(c, one) if isinstance(one, LooseLogs) else c for c in made]
        subjects.append(_subject(one))
        checks.append(own)
        families = {one.about.id: FAMILY for one in chosen}
        verdicts += judge([subjects[-1]], own, policy, families=families)
        if progress is not None:
            progress(number, len(gathered), one.id)
    in_order = (c for row in zip(*checks, strict=True) for c in row)
    about, families_asked = "training code alone", (FAMILY,)
    return document(
        policy, now, chosen, subjects, in_order, verdicts, about=about, families=families_asked
    )


def _chosen(select: Sequence[str], usual: Mapping[str, Scalar]) -> tuple[Detector, ...]:
    about_code = (SubjectKind.ATTEMPT, FAMILY)
    every = chosen_detectors(usual=usual)
    known = [o for o in every if (o.about.subject, family_of(o)) == about_code]
    return selected(known, select, kind="detector about training code", subject="attempts")


def _gathered(paths: Iterable[Path], competition: str) -> list[Attempt]:
    attempts, others = told_apart(paths, "code")
    loose = (
        TrainingCode(place, name=name, competition=competition)
        if place.is_dir()
        else TrainingCode(place.parent, place.name, name, competition)
        for place, name in names_of(others, {a.id for a in attempts})
    )
    return [*attempts, *loose]


def _subject(one: Attempt) -> Subject:
    if not isinstance(one, TrainingCode):
        return attempt_subject(one)
    return Subject(
        id=one.id,
        kind=SubjectKind.ATTEMPT,
        title=one.id if one.only else f"{one.id}/",
        path=printable_name(str(one.path)),
        competition=one.competition or None,
        missing=() if one.code else ("code",),
    )
