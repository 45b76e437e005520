"""A language model asked about one task."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reports.schema import SubjectKind

if TYPE_CHECKING:
    from competitions.spec import Competition


@dataclass(frozen=True)
class Model:
    """A model by name, path or endpoint, and the task it may know."""

    name: str
    location: str  # folder, file, or URL of an endpoint
    spec: Competition
    kind = SubjectKind.MODEL

    @property
    def id(self) -> str:
        """``model:<name>:<competition>``."""
        return f"model:{self.name}:{self.spec.id}"
