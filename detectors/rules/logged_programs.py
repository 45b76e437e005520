"""Which code of an attempt runs together: that of its folder, and what its logs show."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.training.label_parts import may_teach
from detectors.units import CodeUnit, code_units

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from detectors.attempt import Attempt
    from detectors.training.written_rows import Step

MAX_JOINED = 60  # pieces of a log's code that may be one session
_IMPORTS = re.compile(r"^[ \t]*(?:from|import) (\w+)", re.MULTILINE)
_FITS = re.compile(
    r"\b(?:\w*fit\w*|train\w*|backward|minimize|learn_\w+|solve|lstsq|pinv|concat\w*|vstack|"
    r"to_\w+|dump|save\w*|write\w*|copy\w*|move|rename|symlink)\s*\("
)


def programs_of(subject: Attempt, logged: Sequence[Step]) -> Iterator[tuple[list[CodeUnit], bool]]:
    """Yield code that runs together: that of ``code/``, each piece of a log, and all of a log."""
    own = list(code_units(subject.code))
    modules = {u.module: u for u in own if u.language == "python"}
    if own:
        yield own, False
    pieces: dict[str, list[CodeUnit]] = {}
    for step in logged:
        event = step.event
        unit = CodeUnit(event.where, event.first_line, "python", step.code, "log")
        pieces.setdefault(event.path, []).append(unit)
        if _FITS.search(step.code):
            named = (modules[name] for name in _IMPORTS.findall(step.code) if name in modules)
            yield [*named, unit], True
    for units in pieces.values():
        if 1 < len(units) <= MAX_JOINED and any(map(may_teach, (u.text for u in units))):
            yield units, True
