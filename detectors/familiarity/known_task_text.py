"""Whether a model knows a task's text: its score beside those of control texts."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from competitions.errors import EvidenceUnavailableError
from detectors.base import About, register
from detectors.familiarity.calibration import MIN_CORRELATION, RATE, controls_needed
from detectors.familiarity.metrics import METRICS
from detectors.known import Decision
from detectors.model import Model
from reports.schema import Confidence, FileDigest, Quantity, Severity, SubjectKind
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.base import Subject
    from detectors.known import Known
    from reports.schema import Finding

_HOW = "Score it with: mle-audit familiarity -c ID --model MODEL --description DIR"
_SPREADS = "standard deviations of controls"
EXCESS_OF = "excess of "  # and the name of one document of several


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
            "and whatever texts of the task are not here; controls that differ from the text in a "
            "way that length, tables and register do not show, as in their subject."
        ),
        reference="https://arxiv.org/abs/2404.02936",
    )

    def applies(self, subject: Subject) -> str | None:
        """Models only, and those that were asked about a text."""
        if not isinstance(subject, Model):
            return "It looks at models."
        is_about_table = subject.table is not None or bool(subject.table_gap)
        return "A table was asked for." if is_about_table else None

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
    seen = _seen(known)
    if known.decision is Decision.FAMILIAR:
        return (
            f"More probable to the model than unseen texts of its kind: {seen}; p = {one.p:.2g} "
            f"beside {known.n_controls} controls, q = {known.q:.2g} over "
            f"{counted(known.n_texts, 'text')}."
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
            f"{counted(known.n_texts, 'text')} stands out; {controls_needed(known.n_texts)} can."
        )
    return (
        f"Nothing seen: {seen}; p = {one.p:.2g} beside {known.n_controls} controls. An excess "
        f"below {one.upper:.2g} cannot be excluded; one below {one.visible:.2g} mostly goes unseen."
    )


def _seen(known: Known) -> str:
    """Tell the score beside its expectation; of several documents the average excess."""
    one = known.calibrated
    n_documents = len(known.counting)
    if n_documents < 2:  # noqa: PLR2004 - one text has a score of its own
        return (
            f"{METRICS[known.metric].label} {one.score:.3g}, of an unseen text {one.expected:.3g} "
            f"expected ({one.excess:+.1f} standard deviations)"
        )
    low, high = known.interval
    between = "" if math.isnan(low) else f" (95 % between {low:+.1f} and {high:+.1f})"
    kinds = Counter(d.kind for d in known.counting)
    of_kind = ", ".join(f"{n} {kind}" for kind, n in kinds.items())
    return (
        f"{METRICS[known.metric].label} of {n_documents} documents ({of_kind}) is on average "
        f"{one.score:+.1f} standard deviations of single controls{between}, taken as independent"
    )


def _blind_words(known: Known) -> str:
    if math.isnan(known.register_auc):
        return f"{known.odd:.0%} of texts look as odd"
    return f"AUC by length {known.length_auc:.2f}, by register {known.register_auc:.2f}"


def _evidence(subject: Model, known: Known) -> Iterator[Quantity | FileDigest]:
    """Yield the figures, those that are not there left out."""
    one = known.calibrated
    if len(known.documents) > 1:
        yield from _documents(known)
    else:
        path, shows = subject.text or subject.id, "the text that was scored"
        yield FileDigest(path=path, sha256=known.text_sha256, shows=shows)
    if len(known.counting) < 2:  # noqa: PLR2004 - an average of excesses is expected to be 0
        yield Quantity(
            name=METRICS[known.metric].label,
            value=one.score,
            compared_with="expected of an unseen text of its length, tables and difficulty",
            reference=one.expected,
        )
    yield from _numbers("excess", one.excess, _SPREADS)
    for name, value in zip(("lower", "upper"), known.interval, strict=True):
        yield from _numbers(f"{name} end of its 95 % interval over documents", value, _SPREADS)
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


def _documents(known: Known) -> Iterator[Quantity | FileDigest]:
    """Yield each document, where it stood, and what it differs from its controls."""
    for one in known.documents:
        shows = f"{one.kind}, {one.n_tokens:,} tokens"
        shows += f", left out: {one.left_out}" if one.left_out else ""
        shows += f"; {one.url}" if one.url else ""
        yield FileDigest(path=one.name, sha256=one.sha256, shows=shows)
        if not one.left_out:
            yield from _numbers(f"{EXCESS_OF}{one.name}", one.excess, _SPREADS)


def _numbers(
    name: str, value: float, unit: str | None = None, reference: float | None = None
) -> Iterator[Quantity]:
    if math.isfinite(value):
        said = None if reference is None else "chance" if reference == 0.5 else "least"  # noqa: PLR2004
        yield Quantity(name=name, value=value, unit=unit, compared_with=said, reference=reference)
