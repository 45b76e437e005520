"""Whether a model knows a data table: its rows beside rows that nobody has read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from competitions.errors import EvidenceUnavailableError
from detectors.base import About, register
from detectors.familiarity.calibration import RATE, controls_needed
from detectors.known import Decision
from detectors.model import Model
from reports.schema import Confidence, FileDigest, Quantity, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.base import Subject
    from detectors.known_data import DataTest, KnownData
    from reports.schema import Finding

_ASKED = {
    "header": "the header",
    "row": "rows",
    "first token": "first tokens of rows",
    "feature": "cells of one column",
    "order": "the order of rows",
}


@register
@dataclass(frozen=True)
class KnownTable:
    """Holds a table's header, rows and order against tables and orders that were never published.

    Five questions: is its header more probable than the same names in other orders; are its rows,
    their first tokens, and the cells of its most telling column more probable than those of fresh
    tables of the same shape; is its order more probable than others. Each is asked only where no
    reader could guess the answer without having read the table.
    """

    about: ClassVar[About] = About(
        id="known-table",
        subject=SubjectKind.MODEL,
        asks="Is a data table more probable to the model than tables like it that nobody has read?",
        blind_spots=(
            "Rows beyond the first forty; a table that was read in another form, as with other "
            "decimals or column names; ties between columns that fresh tables have not and a model "
            "sees without having read the table."
        ),
        reference="https://arxiv.org/abs/2404.06209; https://arxiv.org/abs/2310.17623",
    )

    def applies(self, subject: Subject) -> str | None:
        """Models that were asked about a table only."""
        if not isinstance(subject, Model):
            return "It looks at models."
        return None if subject.table is not None or subject.table_gap else "No table was asked for."

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """Tell what was measured; only what stands out is more than a note.

        Raises
        ------
        EvidenceUnavailableError
            When nothing was scored, or nothing that was allows an answer.
        """
        if not isinstance(subject, Model):
            return
        table = subject.table
        if table is None:
            raise EvidenceUnavailableError("model", subject.table_gap)
        answers = [one for one in table.tests if one.decision is not None]
        for one in answers:
            familiar = one.decision is Decision.FAMILIAR
            yield self.about.finding(
                subject,
                said_of(one, table),
                *_evidence(one, table),
                severity=Severity.LOW if familiar else Severity.NOTE,
                confidence=Confidence.MEDIUM,
            )
        decided = {Decision.FAMILIAR, Decision.NOTHING_SEEN}
        if not any(one.decision in decided for one in answers):
            whys = dict.fromkeys(said_of(one, table) for one in table.tests)
            raise EvidenceUnavailableError("controls", " ".join(whys))


def said_of(one: DataTest, table: KnownData) -> str:
    """Say what was seen of one question in sentences."""
    what = _ASKED[one.name] + (f" {table.column}" if one.name == "feature" else "")
    if one.calibrated is None or one.decision is None:
        return f"{what[0].upper()}{what[1:]}: not asked, {one.why}."
    c = one.calibrated
    seen = f"{c.excess:+.1f} standard deviations from {one.n_controls} {one.beside}"
    match one.decision:
        case Decision.FAMILIAR:
            said = f"more probable to the model: {seen}; p = {c.p:.2g}, q = {one.q:.2g}"
        case Decision.CONFOUNDED:
            said = f"confounded ({one.why}): {seen}"
        case Decision.NO_DECISION:
            needed = controls_needed(table.n_asked)
            said = f"no decision: {seen}; {table.n_asked} questions need {needed} controls"
        case _:
            said = (
                f"nothing seen: {seen}; p = {c.p:.2g}; an excess below {_in_spreads(c.upper, one)} "
                f"cannot be excluded, one below {_in_spreads(c.visible, one)} mostly goes unseen"
            )
    return f"{what[0].upper()}{what[1:]} of {table.name}, {said}."


def _in_spreads(value: float, one: DataTest) -> str:
    spread = one.calibrated.spread if one.calibrated else 0.0
    return f"{value / spread if spread else 0.0:.1f}"


def _evidence(one: DataTest, table: KnownData) -> Iterator[Quantity | FileDigest]:
    c = one.calibrated
    if c is None:
        return
    shows = f"its first {table.n_rows} rows, {table.n_tokens:,} tokens"
    yield FileDigest(path=table.name, sha256=table.sha256, shows=shows)
    yield Quantity(
        name=f"{one.name}: mean log-probability, nats",
        value=c.score,
        compared_with=f"mean of {one.n_controls} {one.beside}",
        reference=c.expected,
    )
    if one.decision in {Decision.FAMILIAR, Decision.NOTHING_SEEN}:
        compared = f"smallest that {one.n_controls} controls can give"
        yield Quantity(name="p", value=c.p, compared_with=compared, reference=c.floor)
        yield Quantity(name="q", value=one.q, compared_with="limit", reference=RATE)
    yield Quantity(name="share of fresh tables that look as odd to a blind reader", value=table.odd)
