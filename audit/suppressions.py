"""What people say of findings: suppressions, which strike them out of verdicts, and appeals.

Both are YAML files, read here and put on an audit's findings; the clock is an argument.
"""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Annotated, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError, model_validator

from competitions.errors import InvalidDefinitionError, UsageError
from competitions.spec import problems_of, read_yaml
from reports.remarks import Appeal, Suppression, Words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from reports.schema import Finding, Subject

_PARTS = ("finding", "detector", "subject", "competition")


def _day(value: object) -> object:
    """Refuse numbers, also as texts, which would be taken for seconds since 1970."""
    is_text_of_none = isinstance(value, str) and not re.match(r"\d{4}-\d{2}-\d{2}", value)
    if isinstance(value, int | float) or is_text_of_none:
        raise ValueError(f"expected a date such as 2026-12-31, found {value!r}")
    return value


Day = Annotated[date, BeforeValidator(_day)]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Struck(_Record):
    """One record of a file of suppressions.

    Parameters
    ----------
    finding : str or None
        The id of a finding. Else `detector`, with a `subject`, a `competition` or both.
    reason, author : str
        Why, and who answers for it; both are printed in every report.
    expires : date
        The last day (UTC) on which it acts.
    """

    finding: Words | None = None
    detector: Words | None = None
    subject: Words | None = None
    competition: Words | None = None
    reason: Words
    author: Words
    expires: Day

    @model_validator(mode="after")
    def _says_of_what(self) -> Struck:
        by_place = self.detector and (self.subject or self.competition)
        if bool(self.finding) == bool(by_place) or (
            self.finding and (self.detector or self.subject or self.competition)
        ):
            raise ValueError(
                "expected either a finding, or a detector with a subject or a competition"
            )
        return self

    def fits(self, finding: Finding, competition: str | None) -> bool:
        """Say whether a finding about something of this competition is meant."""
        if self.finding:
            return self.finding == finding.id
        return (
            self.detector == finding.detector
            and self.subject in {None, finding.subject}
            and self.competition in {None, competition}
        )


class _Suppressions(_Record):
    suppressions: tuple[Struck, ...]


class Said(_Record):
    """One record of a file of appeals."""

    finding: Words
    text: Words
    author: Words
    date: Day


class _Appeals(_Record):
    appeals: tuple[Said, ...]


_Model = TypeVar("_Model", bound=BaseModel)


def _read(path: Path, model: type[_Model], what: str) -> _Model:
    try:
        return model.model_validate(read_yaml(path))
    except OSError as error:
        raise UsageError(f"{path}: no {what} can be read here ({error.strerror}).") from error
    except ValidationError as error:
        raise InvalidDefinitionError(path, problems_of(error, model)) from error


def load_suppressions(path: Path) -> tuple[Struck, ...]:
    """Read a YAML file ``suppressions: [{finding, reason, author, expires}, …]``.

    Raises
    ------
    InvalidDefinitionError
        When a record has no reason, author or expiry, or does not say what it is about; every
        problem is told.
    UsageError
        When there is no such file.
    """
    return _read(path, _Suppressions, "suppressions").suppressions


def load_appeals(path: Path) -> tuple[Said, ...]:
    """Read a YAML file ``appeals: [{finding, text, author, date}, …]``.

    Raises
    ------
    InvalidDefinitionError
        When a record lacks one of the four.
    UsageError
        When there is no such file.
    """
    return _read(path, _Appeals, "appeals").appeals


def again(suppressions: Iterable[Suppression]) -> tuple[Struck, ...]:
    """Take the suppressions of a document for records of a file, to put them on findings anew."""
    fields = (*_PARTS, "reason", "author", "expires")
    return tuple(Struck(**{name: getattr(s, name) for name in fields}) for s in suppressions)


def suppressed(
    records: Iterable[Struck],
    findings: Sequence[Finding],
    subjects: Iterable[Subject],
    today: date,
) -> tuple[Suppression, ...]:
    """Say of each record whether it acts today, and on which findings.

    A record whose last day is over acts no more, whatever it fits; one that fits nothing is unused.
    """
    of_subject = {s.id: s.competition for s in subjects}
    made = []
    for record in records:
        fitting = (f.id for f in findings if record.fits(f, of_subject.get(f.subject)))
        ids = tuple(dict.fromkeys(fitting))
        is_over = today > record.expires
        state = "expired" if is_over else "acts" if ids else "unused"
        made.append(
            Suppression.model_validate({**record.model_dump(), "state": state, "findings": ids})
        )
    return tuple(made)


def struck_out(suppressions: Iterable[Suppression]) -> frozenset[str]:
    """Return the ids of the findings that count in no verdict."""
    return frozenset(name for s in suppressions if s.state == "acts" for name in s.findings)


def appealed(records: Iterable[Said], findings: Iterable[Finding]) -> tuple[Appeal, ...]:
    """Put appeals into a document's words, and say which are to findings that it does not have."""
    known = {f.id for f in findings}
    return tuple(
        Appeal(**record.model_dump(), is_known=record.finding in known) for record in records
    )
