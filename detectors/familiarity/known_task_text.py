"""Whether a model knows a task's text: its score beside those of control texts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from competitions.errors import EvidenceUnavailableError
from detectors.base import About, register
from detectors.familiarity.calibration import MIN_CORRELATION, RATE, controls_needed
from detectors.familiarity.metrics import METRICS
from detectors.known import Decision
from detectors.model import Model
from reports.schema import Confidence, FileDigest, Quantity, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.base import Subject
    from detectors.known import Known
    from reports.schema import Finding

_HOW = "Score it with: mle-audit familiarity -c ID --model MODEL --description DIR"
_SPREADS = "standard deviations of controls"


@register
@dataclass(frozen=True)
class KnownTaskText:
    """Holds the familiarity of a text against control texts that the model cannot have read."""

    about: ClassVar[About] = About(
        id="known-task-text",
        subject=SubjectKind.MODEL,
        asks="Is the task's text more probable to the model than unseen texts of its kind?",
        blind_spots=(
            "Texts that were read once or twice among many; whether what is known was used; data, "
            "discussions and solutions, which are other texts; controls that differ from the text "
            "in a way that length, tables and register do not show."
        ),
        reference="https://arxiv.org/abs/2404.02936",
    )

    def applies(self, subject: Subject) -> str | None:
        """Models only."""
        return None if isinstance(subject, Model) else "It looks at models."

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """Tell what was measured; only a text that stands out among controls is more than a note.

        Raises
        ------
        EvidenceUnavailableError
            When nothing was scored, or what was scored allows no verdict.
        """
        if not isinstance(subject, Model):
            return
        known = subject.known
        if known is None:
            if subject.gap:
                raise EvidenceUnavailableError("model", subject.gap)
            raise EvidenceUnavailableError("model", "No text was scored.", _HOW)
        familiar = known.decision is Decision.FAMILIAR
        message = message_of(known)
        yield self.about.finding(
            subject,
            message,
            *_evidence(subject, known),
            severity=Severity.LOW if familiar else Severity.NOTE,
            confidence=Confidence.HIGH if known.metric == "reference-t" else Confidence.MEDIUM,
        )
        if known.decision in {Decision.CONFOUNDED, Decision.NO_DECISION}:
            raise EvidenceUnavailableError("controls", message)


def message_of(known: Known) -> str:
    """Say what was seen in sentences, with what they do not say."""
    one = known.calibrated
    seen = (
        f"{METRICS[known.metric].label} {one.score:.3g}, of an unseen text {one.expected:.3g} "
        f"expected ({one.excess:+.1f} standard deviations)"
    )
    if known.decision is Decision.FAMILIAR:
        return (
            f"More probable to the model than unseen texts of its kind: {seen}; p = {one.p:.2g} "
            f"beside {known.n_controls} controls, q = {known.q:.2g} over {known.n_texts} texts."
        )
    if known.decision is Decision.CONFOUNDED:
        return (
            f"Confounded: without any model it can be told from the {known.n_controls} controls "
            f"{known.controls} ({_blind_words(known)}). The score ({seen}) shows nothing; "
            "controls of its kind are needed."
        )
    if known.decision is Decision.NO_DECISION:
        return (
            f"No decision: {seen}. {known.n_controls} controls cannot show that one of "
            f"{known.n_texts} texts stands out; {controls_needed(known.n_texts)} can."
        )
    return (
        f"Nothing seen: {seen}; p = {one.p:.2g} beside {known.n_controls} controls. An excess "
        f"below {one.upper:.2g} cannot be excluded; one below {one.visible:.2g} mostly goes unseen."
    )


def _blind_words(known: Known) -> str:
    if math.isnan(known.register_auc):
        return f"{known.odd:.0%} of texts look as odd"
    return f"AUC by length {known.length_auc:.2f}, by register {known.register_auc:.2f}"


def _evidence(subject: Model, known: Known) -> Iterator[Quantity | FileDigest]:
    """Yield the figures, those that are not there left out."""
    one = known.calibrated
    yield FileDigest(
        path=subject.text or subject.id, sha256=known.text_sha256, shows="the text that was scored"
    )
    yield Quantity(
        name=METRICS[known.metric].label,
        value=one.score,
        compared_with="expected of an unseen text of its length, tables and difficulty",
        reference=one.expected,
    )
    yield from _numbers("excess", one.excess, _SPREADS)
    if known.decision in {Decision.FAMILIAR, Decision.NOTHING_SEEN}:
        yield Quantity(
            name="p",
            value=one.p,
            compared_with=f"smallest that {known.n_controls} controls can give",
            reference=one.floor,
        )
        yield Quantity(name="q", value=known.q, compared_with="limit", reference=RATE)
    yield from _numbers("excess that cannot be excluded", one.upper)
    yield from _numbers(f"smallest excess seen with a probability of {0.8:g}", one.visible)
    yield from _numbers("AUC of length alone", known.length_auc, reference=0.5)
    yield from _numbers("AUC of register alone", known.register_auc, reference=0.5)
    yield from _numbers("share of texts as unlike the controls", known.odd)
    if known.correlation is not None:
        yield from _numbers(
            "correlation of target and reference on controls",
            known.correlation,
            reference=MIN_CORRELATION,
        )
    yield from _numbers("mean probability, as MLE-bench has it", known.values["mean-probability"])
    yield Quantity(name="tokens", value=known.n_tokens)


def _numbers(
    name: str, value: float, unit: str | None = None, reference: float | None = None
) -> Iterator[Quantity]:
    if math.isfinite(value):
        said = None if reference is None else "chance" if reference == 0.5 else "least"  # noqa: PLR2004
        yield Quantity(name=name, value=value, unit=unit, compared_with=said, reference=reference)
