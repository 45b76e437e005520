"""What people add to an audit: suppressions, appeals, and that it was judged anew.

None of them changes what was seen. A suppression strikes findings out of verdicts and stays visible
with its reason; an appeal is printed beside its finding and changes nothing.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, StringConstraints


def _readable(text: str) -> str:
    """Refuse a text of which nothing can be seen, such as one of zero-width spaces."""
    if not any(c.isprintable() and not c.isspace() for c in text):
        raise ValueError("expected some text, found nothing that can be seen")
    return text


Words = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1), AfterValidator(_readable)
]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Suppression(_Record):
    """Findings that somebody struck out of the verdicts, and what became of that here.

    Parameters
    ----------
    finding : str or None
        The id of a finding; else a detector with a subject, a competition or both.
    expires : date
        The last day (UTC) on which it acts.
    state : str
        `acts`; `expired` acts no more; `unused` fits no finding of this audit.
    findings : tuple of str
        Ids of the findings that it fits; it strikes them out only while it acts.
    """

    finding: str | None = None
    detector: str | None = None
    subject: str | None = None
    competition: str | None = None
    reason: str
    author: str
    expires: date
    state: Literal["acts", "expired", "unused"]
    findings: tuple[str, ...] = ()

    @property
    def scope(self) -> str:
        """What it is about, in words."""
        if self.finding:
            return f"finding {self.finding}"
        named = (("subject", self.subject), ("competition", self.competition))
        return ", ".join([f"{self.detector}", *(f"{what} {name}" for what, name in named if name)])


class Appeal(_Record):
    """What somebody says to a finding; it changes no verdict.

    Parameters
    ----------
    is_known : bool
        Whether this audit has the finding.
    """

    finding: str
    text: str
    author: str
    date: date
    is_known: bool = True


class Rejudged(_Record):
    """That the verdicts are not those of the audit itself, and how they came about.

    Parameters
    ----------
    at : datetime
        When it was judged anew; the document's `created_at` stays the time of looking.
    from_sha256 : str or None
        Of the document's file that was judged anew; None where names were taken out, since a digest
        would let one try names until it fits.
    from_policy : str
        The policy of that document.
    """

    at: AwareDatetime
    tool_version: str
    from_policy: str
    from_sha256: str | None
