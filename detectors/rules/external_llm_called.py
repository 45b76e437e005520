"""Say whether the attempt's solution asked a hosted language model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from detectors.attempt import Attempt
from detectors.base import About, register
from detectors.rules.contacts import Fate, contacts_of
from detectors.rules.hosts import Purpose
from reports.schema import Confidence, Severity, SubjectKind
from reports.words import counted, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.base import Subject
    from reports.schema import Finding

_SAW = {
    Fate.GOT: "The log shows that the solution asked a hosted model, and something came back",
    Fate.LOGGED: "The log shows that the solution asked a hosted model",
    Fate.WRITTEN: "The code is written to ask a hosted model; no log tells whether it ran",
    Fate.FAILED: "Code or logs ask a hosted model; the logs show that it failed",
}


@register
@dataclass(frozen=True)
class ExternalLlmCalled:
    """Asking a hosted language model in the solution's own code or commands.

    Seen are uses of vendors' clients that were imported as such, in any language, requests to
    their addresses or with what only they are sent, programs of the command line that ask them,
    and what a program's client printed of its requests.
    A model on this machine is none, nor are the calls by which a scaffold asks its own model: those
    stand in its log as messages and not as code that ran. Where the record says that the sandbox
    could reach none, it weighs little; where the log says that the call failed, it is a note.

    Parameters
    ----------
    max_evidence : int >= 1, default=8
        Places shown with a finding; the message tells how many there are.
    """

    about: ClassVar[About] = About(
        id="external-llm-called",
        subject=SubjectKind.ATTEMPT,
        asks="Did the solution's code or a command ask a hosted language model?",
        blind_spots=(
            "Vendors that are not in its table, clients written by hand for an address that is "
            "computed, and proxies on this machine are not seen. Where a scaffold keeps its own "
            "source beside the solution, its calls look like the solution's."
        ),
        reference="https://arxiv.org/abs/2410.07095 (MLE-bench, rule violations: calls to other "
        "models)",
        needs=frozenset({"code", "logs"}),
    )
    max_evidence: int = 8

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        return None if isinstance(subject, Attempt) else "it looks at attempts only"

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            After the findings, when code was too large to follow to its end.
        """
        if not isinstance(subject, Attempt):
            raise TypeError(subject)
        contacts = contacts_of(subject)
        seen = [s for s in contacts.seen if s.contact.purpose is Purpose.LLM]
        if seen:
            fate = min(one.fate for one in seen)
            is_open = contacts.network is None or contacts.has_model
            offline = not is_open and fate is not Fate.GOT
            severity = Severity.LOW if offline else Severity.MEDIUM
            confidence = Confidence.MEDIUM if fate is Fate.WRITTEN else Confidence.HIGH
            why = "; the record says that the sandbox had no network" if offline else ""
            names = listed(list(dict.fromkeys(s.contact.client for s in seen))[:3])
            some = f"; {self.max_evidence} shown" if len(seen) > self.max_evidence else ""
            yield self.about.finding(
                subject,
                f"{_SAW[fate]}{why} ({counted(len(seen), 'way')}, by {names}{some}).",
                *(s.evidence() for s in seen[: self.max_evidence]),
                severity=Severity.NOTE if fate is Fate.FAILED else severity,
                confidence=Confidence.LOW if offline else confidence,
            )
        gap = contacts.gap()
        if gap:
            raise gap
