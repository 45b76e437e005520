"""What a column's name says of what it holds: a thing, an occasion, an amount."""

from __future__ import annotations

import re


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_THINGS = _set(
    """
    subject patient person people participant respondent respond user customer client member account
    household family individual donor owner player athlete employee worker driver rider child kid
    student pupil teacher tutor mother mom father twin speaker author writer artist reader reviewer
    rater judge physician doctor nurse school class classroom college university district community
    comm village town city county state province country nation firm company bank shop store
    merchant seller vendor hotel restaurant brand team club sector animal cow mare pig rat mouse dog
    cat horse sheep goat bird fish herd litter brood nest tree plant seed plot farm field site
    station well batch lot wafer lesion slide specimen hospital clinic ward center centre device
    sensor machine unit engine vehicle car ship plane aircraft storm quake scene video session song
    track album movie film book article document page thread sentence question item product cluster
    group panel case name nr id uid uuid guid idnum pid sid
    """
)
_IS_ID = _set("id uid uuid guid nr no num number code key idnum pid sid")
_WHOLE = _set(  # more often a part or a kind of something than a thing that rows are about
    "cluster group class sector item question page region panel district name"
)
_NO_THINGS = _set(
    """
    year yr time date day month week hour minute quarter wave visit period occasion age grade rank
    score count size price amount level dose weight height length width target label outcome
    response status sex gender race treatment trt index fold
    """
)
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def named_like_a_thing(name: str) -> float:
    """Say how much a column's name speaks of things, from -1 (of occasions or amounts) to 1.

    Examples
    --------
    >>> named_like_a_thing("patient_id"), named_like_a_thing("schoolNR"), named_like_a_thing("year")
    (1.0, 1.0, -1.0)
    """
    words = [w.lower() for w in _WORDS.findall(str(name))]
    words = [part for w in words for part in _parted(w)]
    if not words:
        return 0.0
    if words[-1] in _NO_THINGS:
        return -1.0
    is_thing = [w in _THINGS for w in words]
    if words[-1] in _IS_ID:
        return 1.0 if len(words) == 1 or any(is_thing[:-1]) else 0.8
    if is_thing[-1]:
        alone = 0.8 if len(words) == 1 else 0.4
        return 0.5 if words[-1] in _WHOLE else alone
    return 0.1 if any(is_thing) else 0.0


def _parted(word: str) -> tuple[str, ...]:
    """Take ``schoolid`` apart, and the plural off ``states``."""
    for end in ("id", "nr", "no", "code"):
        if word.endswith(end) and word[: -len(end)] in _THINGS:
            return word[: -len(end)], end
    return (word.removesuffix("s"),) if word.removesuffix("s") in _THINGS else (word,)
