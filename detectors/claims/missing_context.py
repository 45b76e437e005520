"""Say what a reader has to know of a result and is not told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from detectors.base import About, register
from detectors.group import Group
from reports.claims import CONTEXT
from reports.schema import Confidence, Quantity, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.base import Subject
    from detectors.record import AttemptRecord
    from reports.schema import Finding

_SHOWN = 200


@register
@dataclass(frozen=True)
class MissingContext:
    """Which of seven fields about a result are filled: model, scaffold, budget, hardware and so on.

    It is asked of what was published, a report or a row. A field is filled by the records of the
    attempts beside it, or by the row. What stands there is not judged.
    """

    about: ClassVar[About] = About(
        id="missing-context",
        subject=SubjectKind.GROUP,
        asks="Is a reader told with which model, scaffold, budget and knowledge a result was made?",
        blind_spots=(
            "It sees whether a field is filled, not whether what stands there is true or enough. A "
            "paper beside the row is not read."
        ),
        reference="https://doi.org/10.48550/arXiv.2410.07095 (MLE-bench, what to report)",
    )

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        if not isinstance(subject, Group):
            return "it looks at groups only"
        is_published = subject.reports or subject.claims
        return None if is_published else "nothing that was published about it was given"

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`."""
        if not isinstance(subject, Group):
            raise TypeError(subject)
        card = disclosure(subject)
        unfilled = [name for name, value in card.items() if value is None]
        if not unfilled:
            return
        filled = "; ".join(f"{name}: {value}" for name, value in card.items() if value is not None)
        yield self.about.finding(
            subject,
            f"Not told: {', '.join(unfilled)}. Told: {filled or 'nothing'}.",
            Quantity(
                name="fields of the disclosure card that are filled",
                value=len(card) - len(unfilled),
                compared_with="all of them",
                reference=len(card),
            ),
            severity=Severity.NOTE,
            confidence=Confidence.HIGH,
        )


def disclosure(group: Group) -> dict[str, str | None]:
    """Return the disclosure card of a group: each field of `CONTEXT`, None where it is not told."""
    records = [r for a in group.attempts if (r := a.readable_record) is not None]
    card: dict[str, str | None] = {}
    for name in CONTEXT:
        said = {text for r in records for text in _recorded(r, name)}
        said |= {c.context[name] for c in group.claims if c.context.get(name)}
        card[name] = "; ".join(sorted(said))[:_SHOWN] or None
    return card


def _recorded(record: AttemptRecord, name: str) -> tuple[str, ...]:
    """Return what a record says of one field."""
    agent, budget, machine = record.agent, record.budget, record.hardware
    memory = f"{machine.memory_bytes / (1 << 30):.0f} GiB"
    gpus = ", ".join(machine.gpus) or "no GPU"
    fields: dict[str, tuple[str | None, ...]] = {
        "model": agent.models,
        "scaffold": (agent.scaffold or agent.id,),
        "budget": (f"{budget.wall_clock_s:g} s an attempt",),
        "hardware": (f"{machine.cpu_count} x {machine.cpu_model}, {memory}, {gpus}",),
        "network": (record.sandbox.network_words,),
        "prior knowledge": (agent.prior_knowledge,),
        # The server says of a file whether its form is right, and never what it scores.
        "test feedback": ("the form of a submission alone",),
    }
    return tuple(text for text in fields[name] if text)
