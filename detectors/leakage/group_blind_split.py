"""Say whether code splits at random the rows of a task whose test part has other things in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from detectors.base import About, register
from detectors.leakage.code_faults import blind_splits
from detectors.leakage.code_reading import applies_to_code, gap_of, programs_of
from detectors.training.handed_in import task_of
from reports.schema import Confidence, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from competitions.shapes import Entity
    from competitions.spec import Competition
    from competitions.trap_record import TrapKind
    from detectors.attempt import Attempt
    from detectors.base import Subject
    from reports.schema import Finding

_CUT_BY_THINGS: Final[frozenset[TrapKind]] = frozenset({"duplicated", "fuzzy"})


@register
@dataclass(frozen=True)
class GroupBlindSplit:
    """Random folds over rows of which several are about one thing: a person, a breath, a place.

    Asked of tasks that declare such a thing and whose own test part keeps it whole: the hidden rows
    are about new things, and random folds ask about known ones. What the code says of itself
    is then better than what it can do. A program that splits by groups anywhere, splits the things'
    names, keeps one row of each, or splits in the order of rows, is left out.

    Parameters
    ----------
    max_evidence : int >= 1, default=8
        Places of the code shown with the finding.
    data : str, default=""
        Directory of prepared data, where definitions of tasks outside the catalog were kept.
    """

    about: ClassVar[About] = About(
        id="group-blind-split",
        subject=SubjectKind.ATTEMPT,
        asks="Does the code split at random rows that belong together in the task?",
        blind_spots=(
            "Only things that the task's definition declares and its split keeps whole are known. "
            "Python alone is followed, without running it; folds that an agent makes by hand are "
            "not judged."
        ),
        reference="https://doi.org/10.1016/j.patter.2023.100804 (Kapoor and Narayanan 2023, L3.2)",
        needs=frozenset({"code", "logs"}),
    )
    max_evidence: int = 8
    data: str = ""

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        no = applies_to_code(subject)
        if no is not None:
            return no
        spec = task_of(subject, self.data)  # type: ignore[arg-type]
        if spec is None:
            return "it is not known for which task the code is"
        return None if kept_whole(spec) else "the task's split keeps no declared things whole"

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            After the finding, when code was too long to be followed to its end.
        """
        read = programs_of(subject)
        entity = self._entity(subject)  # type: ignore[arg-type]
        careful = any(p.story.is_grouped or entity.column in p.story.one_each for p in read)
        found = [] if careful else [(p, one) for p in read for one in blind_splits(p.story)]
        if found:
            names = dict.fromkeys(one.name for _, one in found)
            yield self.about.finding(
                subject,
                f"Rows are held out at random ({', '.join(names)}), and several rows are about one "
                f"{entity.name} ({entity.column}); the task's test part has other ones.",
                *list(
                    dict.fromkeys(p.lines(one.place, "splits rows at random") for p, one in found)
                )[: self.max_evidence],
                severity=Severity.HIGH,
                confidence=Confidence.MEDIUM,
            )
        gap = gap_of(read)
        if gap is not None:
            raise gap

    def _entity(self, subject: Attempt) -> Entity:
        spec = task_of(subject, self.data)
        if spec is None:
            raise TypeError(subject)
        return kept_whole(spec)[0]


def kept_whole(spec: Competition) -> tuple[Entity, ...]:
    """Return the declared things that the task's own split leaves whole on one side.

    A task with a trap comes with its parts made: its record says that they were cut by things.
    """
    if spec.trap is not None and spec.trap.kind in _CUT_BY_THINGS:
        return tuple(e for e in spec.entities if e.column not in spec.targets)
    group = spec.split.group
    if group is None:
        return ()
    return tuple(
        e
        for e in spec.entities
        if e.column == group.column
        and e.prefix_before == group.prefix_before
        and e.column not in spec.targets
    )
