"""Which calls of R, Julia, JavaScript and the like ask the network: read line by line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.rules.hosts import Contact, addresses, contacts_at

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_LINE = 4096
_OTHER_CALL = re.compile(
    r"\b((?:\w+(?:::|\.))?(?:download(?:[._]file)?|read[._]\w+|fread|GET|POST|get|post|fetch|curl\w*|"
    r"url|request|urlopen|load_dataset|git_clone|source))\s{0,3}\("
)
_SET_ADDRESS = re.compile(
    r"^\s*(?:(?:const|let|var|local|my|\w+::\w+)\s+)?[$]?(?P<name>[A-Za-z_][\w.]*)\s*(?:<-|=|:=)\s*"
    r"[\"'](?P<address>(?:https?|ftp)://[^\s\"']{3,2000})[\"']"
)


def other_contacts(text: str, competition: str) -> Iterator[tuple[int, Contact]]:
    """Read R, Julia and the like line by line: calls that fetch from an address in them."""
    known: dict[str, str] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if line.lstrip().startswith(("#", "--", "//", "*")):
            continue
        given = _SET_ADDRESS.match(line[:MAX_LINE])
        call = _OTHER_CALL.search(line[:MAX_LINE])
        if call:
            words = re.findall(r"[A-Za-z_][\w.]*", line[call.end() : MAX_LINE])
            found = addresses(line[:MAX_LINE]) or [known[w] for w in words if w in known]
            for address in found:
                yield from ((number, one) for one in contacts_at(call[1], address, competition))
        elif given:
            known[given["name"]] = given["address"]
