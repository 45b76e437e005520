"""Where public documents come from, and what marks them: words of an audit that readers need, too.

Plain classes, which the audit document validates as it does its own: whoever reads some hundred
files waits no longer for its models than for the files.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import date  # noqa: TC003 - pydantic looks for it here
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

if TYPE_CHECKING:
    from pydantic import ConfigDict, GetCoreSchemaHandler, TypeAdapter
    from pydantic_core import CoreSchema


@dataclass(frozen=True)
class _AtLeast:
    """`pydantic.Field(ge=…)`, which is looked for when a document is validated."""

    least: int

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        from pydantic import Field

        return handler.generate_schema(Annotated[source, Field(ge=self.least)])


@dataclass(frozen=True)
class Provenance:
    """Where a public document comes from, as far as its source tells."""

    __pydantic_config__: ClassVar[ConfigDict] = {"extra": "forbid"}

    author: str | None = None
    title: str | None = None
    url: str | None = None
    created: date | None = None
    votes: Annotated[int | None, _AtLeast(0)] = None
    licence: str | None = None

    @property
    def known(self) -> dict[str, Any]:
        """What is known, by name.

        Examples
        --------
        >>> Provenance(author="Jane", votes=3).known
        {'author': 'Jane', 'votes': 3}
        """
        return {name: value for name, value in asdict(self).items() if value is not None}


@dataclass(frozen=True)
class Mark:
    """A string that is written once in the world, such as a cell's guid."""

    __pydantic_config__: ClassVar[ConfigDict] = {"extra": "forbid"}

    what: str  # cell guid, kernel metadata, author, address
    value: str
    first_line: Annotated[int | None, _AtLeast(1)] = None  # where it stands under audit


def provenance_of(told: dict[str, Any]) -> Provenance:
    """Read what a file says of where a document comes from.

    Raises
    ------
    pydantic.ValidationError
        When it is something else.
    """
    return _adapter().validate_python(told)


@cache
def _adapter() -> TypeAdapter[Provenance]:
    from pydantic import TypeAdapter

    return TypeAdapter(Provenance)
