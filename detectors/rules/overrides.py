"""Settings of the harness that an attempt keeps in a file and writes over the real ones."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.rules.fences import IS_SETTING
from detectors.rules.harness_places import Deed, Harness, Tamper

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from detectors.text_file import TextFile

_VALUE = re.compile(
    r"[:=][ \t]{0,8}[\"']?(?P<path>(?:\.\./)*/?[\w.-]{1,80}(?:/[\w.-]{1,80}){1,12})"
)
_OFF = re.compile(
    r"(?:(?:watchdog|strict|enabled?|valid|verif|check|monitor|guard|enforce|audit|limit|timeout|"
    r"budget|deadline|quota|wall_?clock|max_)\w{0,30}[\"']?[ \t]{0,8}[:=][ \t]{0,8}[\"']?"
    r"(?:false|off|no|none|null|0|-1|inf\w{0,9}|\d{5,}|[1-9]e\d{1,9})|"
    r"(?:skip|disable|bypass|ignore)\w{0,30}[\"']?[ \t]{0,8}[:=][ \t]{0,8}[\"']?"
    r"(?:true|on|yes|1))\b",
    re.IGNORECASE,
)
_WRITES = re.compile(  # to a path that the settings give
    r"\bopen\([ \t]{0,4}(?![rbf]?[\"'])[^\n]{1,80}?,[ \t]{0,4}(?:mode[ \t]?=[ \t]?)?"
    r"[\"'](?:[wax]b?|r\+)[\"']|"
    r"\.write_(?:text|bytes)\(|\b(?:save|dump|to_file|copy(?:2|file)?|move)\("
    r"[^\n]{1,80},[ \t]{0,4}\w{1,40}(?:\[|\.\w)|"
    r"\b(?:yq|sed|perl)\s-\w{0,4}i|\b(?:cp|mv|tee|sponge)\b[^\n]{1,80}\s\"?\$\w|>[ \t]?\"?\$\w"
)


def override_deeds(
    settings: Iterable[TextFile], code: Iterable[TextFile], harness: Harness
) -> Iterator[tuple[TextFile, int, Tamper]]:
    """Judge files of settings that name those of the harness and what is to be switched off there.

    A program has to name the file and to write where it is told to; yields the file and its line.
    """
    writers = [f.text for f in code if _WRITES.search(f.text)]
    for file in settings:
        name = file.name.rpartition("/")[2]
        if not any(name in text for text in writers) or not _OFF.search(file.text):
            continue
        for found in _VALUE.finditer(file.text):
            path = found["path"]
            is_data = "/data/" in path or not IS_SETTING.search(path)
            place = None if is_data else harness.place(path)
            if place and place.deed is not Deed.BESIDE:
                line = file.text.count("\n", 0, found.start()) + 1
                yield file, line, Tamper(Deed.FENCES, path)
