"""A language model asked about one task or text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reports.schema import SubjectKind

if TYPE_CHECKING:
    from competitions.spec import Competition
    from detectors.known import Known
    from detectors.known_data import KnownData


@dataclass(frozen=True)
class Model:
    """A model by name, path or endpoint, and the task or text it may know.

    Parameters
    ----------
    location : str
        Folder, file, or URL of an endpoint.
    spec : Competition or None
        The task; None where the question is about a text alone.
    text : str
        Name of the text.
    known : Known or None
        What was measured of the text; None where there was nothing to measure.
    gap : str
        Why nothing was, or which texts were left out beside those that were.
    table : KnownData or None
        What was measured of a data table, where that was asked for.
    table_gap : str
        Why nothing was.
    """

    name: str
    location: str
    spec: Competition | None = None
    text: str = ""
    known: Known | None = None
    gap: str = ""
    table: KnownData | None = None
    table_gap: str = ""
    kind = SubjectKind.MODEL

    @property
    def id(self) -> str:
        """``model:<name>:<competition or text>``."""
        return f"model:{self.name}:{self.spec.id if self.spec else self.text}"
