"""What an answer is worth: opinions whose quotes are there, and why others are discarded."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from competitions.errors import EvidenceUnavailableError
from competitions.io import printable
from detectors.opinions.excerpt import OWN_CODE
from detectors.opinions.prompts import BROKEN, CANNOT_TELL, NOT_BROKEN
from detectors.opinions.questions import FROM_PROMPT
from reports.schema import CodeLines, Confidence, Finding, LogLines, Severity
from reports.words import clip

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from detectors.opinions.excerpt import Piece
    from detectors.opinions.prompts import Question

ID = "model-opinion"
MIN_QUOTE = 8  # characters without spaces; less is found anywhere
MAX_QUOTES = 8
_MAX_WHY = 200
_MAX_ANSWER = 100_000  # characters
_FENCE = re.compile(r"```(?:json)?\s*\n(.*?)\n\s*```", re.DOTALL)


class _Said(BaseModel):
    model_config = ConfigDict(frozen=True)

    rule: str
    opinion: Literal["broken", "not_broken", "cannot_tell"]
    why: str = ""
    quotes: tuple[str, ...] = ()


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True)

    opinions: tuple[_Said, ...]


class Quote(NamedTuple):
    """A quote that is there, and where."""

    text: str
    piece: Piece

    @property
    def first_line(self) -> int:
        """The line at which it begins, counted as the piece counts."""
        before = self.piece.text[: self.piece.text.find(self.text)].count("\n")
        return self.piece.first_line + before * self.piece.is_lined

    @property
    def last_line(self) -> int:
        """The line at which it ends."""
        return self.first_line + self.text.count("\n") * self.piece.is_lined


class Opinion(NamedTuple):
    """What a model thinks of one rule, with quotes that are there."""

    rule: str
    says: str
    why: str
    quotes: tuple[Quote, ...]


class Discarded(NamedTuple):
    """An opinion that does not count."""

    rule: str
    why: str


class Weighed(NamedTuple):
    """Opinions that count, and others."""

    opinions: tuple[Opinion, ...]
    discarded: tuple[Discarded, ...]


def weigh(answer: str, question: Question) -> Weighed:
    """Read an answer and keep what its quotes carry.

    Parameters
    ----------
    answer : str
        What the model wrote: JSON, perhaps in a fenced block or with words around it.

    Raises
    ------
    EvidenceUnavailableError
        When it holds no JSON of the form that was asked for.
    """
    said: dict[str, list[_Said]] = defaultdict(list)
    discarded: list[Discarded] = []
    for one in _read(answer).opinions:
        if one.rule in question.topic.rules:
            said[one.rule].append(one)
        else:
            discarded.append(Discarded("another rule", "it was not asked about"))
    opinions = []
    for rule in question.topic.rules:
        kept = _of_rule(rule, said[rule], question.pieces)
        if isinstance(kept, Opinion):
            opinions.append(kept)
        else:
            discarded.append(Discarded(rule, kept))
    return Weighed(tuple(opinions), tuple(discarded))


def _read(answer: str) -> _Answer:
    for text in _candidates(answer[:_MAX_ANSWER]):
        try:
            return _Answer.model_validate(json.loads(text))
        except (ValidationError, ValueError, RecursionError):
            continue
    raise EvidenceUnavailableError("opinion", "the answer is no JSON of the form asked for")


def _candidates(answer: str) -> Iterator[str]:
    """Yield what may be the object: all, fenced blocks, from the first to the last brace."""
    _, _, answer = answer.rpartition("</think>")  # models that think write that first
    yield answer
    yield from (match[1] for match in _FENCE.finditer(answer))
    first, last = answer.find("{"), answer.rfind("}")
    if 0 <= first < last:
        yield answer[first : last + 1]


def _of_rule(rule: str, said: list[_Said], pieces: tuple[Piece, ...]) -> Opinion | str:
    """Return the opinion on a rule, or why there is none that counts."""
    if not said:
        return "no opinion was given"
    if len({one.opinion for one in said}) > 1:
        return "the answer contradicts itself"
    opinion = said[0].opinion
    if opinion == CANNOT_TELL:
        return Opinion(rule, CANNOT_TELL, "", ())
    quotes = [text for one in said for text in one.quotes if text.strip()]
    found = [_found(text, pieces) for text in quotes[:MAX_QUOTES]]
    places = tuple(one for one in found if one is not None)
    if len(places) < len(found):
        return "a quote is not in what was shown"
    if places and not any(q.piece.was_done or rule in FROM_PROMPT for q in places):
        return "only talk is quoted, and nothing that was done"
    is_bare = opinion == BROKEN and not places
    why = clip(printable(said[0].why), _MAX_WHY)
    return "nothing is quoted" if is_bare else Opinion(rule, opinion, why, places)


def _found(text: str, pieces: tuple[Piece, ...]) -> Quote | None:
    """Find a quote verbatim; what was done is looked through before talk."""
    text = text.strip("\r\n")
    if len(re.sub(r"\s", "", text)) < MIN_QUOTE:
        whole = (p for p in pieces if p.text.strip() == text.strip())
        return next((Quote(p.text, p) for p in whole), None)
    for piece in sorted(pieces, key=lambda p: not p.was_done):
        if text in piece.text:
            return Quote(text, piece)
    return None


def findings_of(
    subject: str, opinions: Iterable[Opinion], flagged: Mapping[str, tuple[str, ...]], model: str
) -> Iterator[Finding]:
    """Set opinions beside what detectors found: as support, as doubt, or alone.

    Each is a note of low confidence, whatever it says: no shipped policy concludes more from it,
    and it takes nothing from a detector's finding.

    Parameters
    ----------
    flagged : mapping of str to tuple of str
        Ids of the findings above a note, by the detector whose id the rule has.
    model : str
        Who was asked.
    """
    for one in opinions:
        seen = ", ".join(flagged.get(one.rule, ()))
        says = _words(one, seen, printable(model))
        if says and one.quotes:
            yield Finding.seen(
                ID,
                subject,
                says,
                *(_evidence(q, one) for q in one.quotes),
                severity=Severity.NOTE,
                confidence=Confidence.LOW,
            )


def doubts_without_quote(
    opinions: Iterable[Opinion], flagged: Mapping[str, tuple[str, ...]]
) -> Iterator[Discarded]:
    """Say which doubts count for nothing because they quote nothing."""
    for one in opinions:
        if one.says == NOT_BROKEN and flagged.get(one.rule) and not one.quotes:
            yield Discarded(one.rule, "it is doubted and nothing is quoted")


def _words(one: Opinion, seen: str, model: str) -> str:
    """Word an opinion; empty where it says no more than that nothing was seen."""
    if one.says == BROKEN and seen:
        return f"An opinion: {model} takes the rule of {one.rule} for broken, too (see {seen})."
    if one.says == BROKEN:
        return (
            f"An opinion, which proves nothing: {model} takes the rule of {one.rule} for broken; "
            f"the detector of that name does not say so."
        )
    if one.says == NOT_BROKEN and seen:
        return (
            f"An opinion, which clears nothing: {model} does not take the rule of {one.rule} for "
            f"broken, unlike {seen}."
        )
    return ""


def _evidence(quote: Quote, one: Opinion) -> LogLines | CodeLines:
    piece, why = quote.piece, f": {one.why}" if one.why else ""
    place: dict[str, Any] = {
        "path": piece.path,
        "first_line": quote.first_line,
        "last_line": quote.last_line,
        "shows": f"quoted for the opinion that {one.rule} is {one.says.replace('_', ' ')}{why}",
    }
    if piece.kind == OWN_CODE:
        return CodeLines(excerpt=quote.text, **place)
    if piece.came_back:  # it may be hidden answers, so it stands where they are blanked
        return LogLines(excerpt="what came back:", output=quote.text, **place)
    return LogLines(excerpt=quote.text, **place)
