"""Vet run groups: collect, detect, grade, judge; the outcome is one document."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import audit
from audit.base_code import base_code
from audit.checks import (
    checks_of,
    chosen_detectors,
    comparisons_of,
    group_of_all,
    note_of,
    shown_settings,
)
from audit.collect import attempt_subject, collect, group_subject, task_subject
from audit.false_discoveries import control
from audit.grading import grade_attempts
from audit.planned import unfinished
from audit.published import Published, apart, listed_places, with_published
from audit.published_figures import published_headlines
from audit.rejudge import judged
from audit.scaling import scalings
from audit.seal import inputs_of, sealed
from audit.suppressions import appealed
from competitions.prepared import load_prepared
from detectors.base import FAMILIES, family_of, parameters_of
from reports.schema import (
    AuditReport,
    Check,
    NotChecked,
    Outcome,
    Subject,
    SubjectKind,
    redact,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    from audit.checks import Subjects
    from audit.collect import Collected
    from audit.suppressions import Said, Struck
    from audit.verdict import Policy
    from detectors.base import Detector, Scalar
    from detectors.group import Group


def vet(  # noqa: PLR0913 - each is an option of the verb of the same name
    paths: Iterable[Path],
    data_dir: Path,
    policy: Policy,
    now: datetime,
    *,
    select: Sequence[str] = (),
    settings: Mapping[str, Scalar] | None = None,
    reveal_private: bool = False,
    progress: Callable[[str], None] | None = None,
    published: Published | None = None,
    suppressions: Sequence[Struck] = (),
    appeals: Sequence[Said] = (),
) -> AuditReport:
    """Audit every attempt below the paths, each agent's together, and the tasks they belong to.

    Parameters
    ----------
    paths : iterable of Path
        Attempts, groups, or folders of groups; a JSON file is a grading report.
    select : sequence of str
        Ids of detectors to run; empty runs all.
    settings : mapping of str to bool, int, float or str, or None
        Values of detectors' parameters by name, such as ``{"corpus": "kernels/"}``.
    reveal_private : bool
        Leave in the evidence what is known from hidden data.
    progress : callable or None
        Called with a few words after each unit of work.
    published : Published or None
        Grading reports, a list of experiments and published rows to vet with them.
    suppressions, appeals : sequence
        What people say of findings; see `audit.suppressions`.

    Raises
    ------
    UsageError
        When a path holds no attempt, no detector has such a parameter, or a published row or a list
        of experiments cannot be read.
    UnknownNameError
        When a selected detector does not exist.
    CorpusError
        When a setting `corpus` names no corpus that can be read.
    """
    chosen_detectors(select, settings)  # refuses what is none before anything is read
    shown_settings(settings or {})
    tell = progress or (lambda _words: None)
    places, given = apart(map(Path, paths), published or Published())
    places = places or listed_places(given)
    found = collect(places, data_dir)
    usual = {"data": str(data_dir), "base": base_code(found.attempts)}
    chosen = chosen_detectors(select, settings, usual=usual)
    shown = shown_settings({**usual, **(settings or {})})
    left = unfinished(places, found.attempts)
    grading = grade_attempts(found.attempts, data_dir, now, tell, left)
    groups, untold = with_published(found.groups, given, grading.competition_reports)
    found = found._replace(groups=groups)
    everyone = group_of_all(chosen, found.groups)
    subjects = _subjects(found, everyone, data_dir)
    of_kind: Subjects = {
        SubjectKind.ATTEMPT: found.attempts,
        SubjectKind.GROUP: (*found.groups, *everyone),
        SubjectKind.TASK: tuple(found.tasks.values()),
    }
    made = [*checks_of(chosen, of_kind, tell, shown), *_not_here(found, chosen)]
    checks = control(made, comparisons=comparisons_of(everyone))
    if not reveal_private:
        checks = [c.model_copy(update={"findings": tuple(map(redact, c.findings))}) for c in checks]
    seen = AuditReport(
        tool_version=audit.__version__,
        created_at=now,
        policy=policy.name,
        subjects=subjects,
        detectors=tuple(map(note_of, chosen)),
        checks=tuple(checks),
        verdicts=(),
        not_checked=(*_not_checked(found, chosen), *untold),
        grading=grading,
        headlines=published_headlines(groups),
        scaling=scalings(found.attempts, grading.competition_reports, data_dir, now, tell),
        private_revealed=reveal_private,
        appeals=appealed(appeals, [f for c in checks for f in c.findings]),
    )
    made_from = inputs_of(found, given, str((settings or {}).get("corpus", "")))
    return sealed(judged(seen, policy, now, suppressions, groups), made_from)


def _subjects(found: Collected, everyone: tuple[Group, ...], data_dir: Path) -> tuple[Subject, ...]:
    tasks = [task_subject(t, load_prepared(t.spec, data_dir).source) for t in found.tasks.values()]
    return (
        *(attempt_subject(a) for a in found.attempts),
        *map(group_subject, (*found.groups, *everyone)),
        *tasks,
        *map(_absent, found.absent.items()),
    )


def _absent(item: tuple[str, str]) -> Subject:
    """Describe a task that attempts belong to and whose data is not here."""
    competition, why = item
    return Subject(
        id=f"task:{competition}",
        kind=SubjectKind.TASK,
        title=competition,
        competition=competition,
        missing=("data",),
        facts={"not here": why},
    )


def _not_here(found: Collected, chosen: Sequence[Detector]) -> list[Check]:
    """Answer for tasks whose data is not here: no detector could look."""
    return [
        Check(
            detector=one.about.id,
            subject=_absent(item).id,
            outcome=Outcome.NOT_AVAILABLE,
            reason=item[1],
            missing="data",
            parameters=parameters_of(one),
        )
        for one in chosen
        if one.about.subject is SubjectKind.TASK
        for item in found.absent.items()
    ]


def _not_checked(found: Collected, chosen: Sequence[Detector]) -> Iterable[NotChecked]:
    """Say what nobody looked at: families without a detector here, tasks that are not here.

    Detectors that ask a model have none to ask in a vetting: they did not run.
    """
    families = {family_of(d) for d in chosen if d.about.subject is not SubjectKind.MODEL}
    for family, what in FAMILIES.items():
        if family not in families:
            yield NotChecked(what=f"{family}: {what}", why="no detector of this family was run")
    for competition, why in sorted(found.absent.items()):
        yield NotChecked(what=f"scores on {competition}", why=why)
