"""Passages of a text, and paraphrases of each: as people wrote them, or made here by rule.

A paraphrase by rule puts other words for some: every place where words can be exchanged is drawn
anew in each paraphrase, the published word among what is drawn. So the published passage is no
nearer to the others than they are to one another, and cannot be told by that. It can still be the
one that reads best; controls, whose paraphrases are made by the same rule, show how often.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

MIN_WORDS, MAX_WORDS = 25, 110  # of a passage
MIN_CHANGED = 3  # words in which two options differ at least
_TRIES = 40
_POOL = 5  # times as many are made as are wanted, to choose by length from
_LIKE, _SAME = 70.0, 97.0  # of 100: a paraphrase shares words with its passage, a copy nearly all
_LENGTHS = 1.5  # that a paraphrase is longer or shorter at most
_NO_PROSE = re.compile(r"^\s*(?:#|[-*+|>`]|\d+[.)]|!\[|</?\w)|\|.*\||\$\$", re.MULTILINE)
_EVERYWHERE = re.compile(r"11:59 PM|reserves? the right|cite this", re.IGNORECASE)
_ARTICLE = re.compile(r"\b([Aa])n?(?= (\w))")
_VOWELS = frozenset("aeiouAEIOU")
# Words that stand for one another in descriptions of tasks, in one form each.
_EXCHANGED = """
many numerous|several various|large big sizeable|important significant crucial vital
often frequently regularly|usually normally typically generally|each every|must should
however nevertheless|therefore thus hence|also additionally|currently presently|only solely
predict forecast estimate|predicting forecasting estimating|prediction forecast
predictions forecasts estimates|competition contest challenge|competitions contests challenges
participants competitors contestants|goal aim objective|task job assignment|tasks jobs assignments
dataset collection|datasets collections|images pictures photos|image picture photo
contains holds includes|contain hold include|provided supplied given|provide supply offer
provides supplies offers|format layout|evaluated judged assessed|help assist aid|helps assists aids
build create develop construct|building creating developing constructing
improve enhance|improving enhancing|problem issue difficulty|problems issues difficulties
quickly rapidly swiftly|identify recognize detect|identifying recognizing detecting
find discover locate|finding discovering locating|show display present|shows displays presents
methods techniques approaches|method technique approach|accurate precise exact
accurately precisely exactly|people persons individuals|company firm business
companies firms businesses|begin start|allow permit enable|allows permits enables
allowing permitting enabling|need require|needs requires|needed required
described outlined explained|correct right|simple easy plain|difficult hard tough
amount quantity|additional further extra|example instance|likely probable|possible feasible
main chief principal|entire whole complete|obtained gained acquired|collected gathered assembled
selected chosen picked|different distinct|similar comparable|new novel fresh|common widespread
researchers scientists investigators|ability capacity capability|effect impact influence
effects impacts influences|within inside|unique distinctive|represents denotes|represent denote
determine establish ascertain|understand grasp comprehend|understanding grasping comprehending
challenging demanding taxing|real actual|columns fields|column field|records entries|record entry
information details facts|customers clients buyers|customer client buyer|products goods items
asked requested invited|asking requesting inviting|submissions entries|use employ apply
used employed applied|using employing applying|uses employs applies|among amongst
consists comprises|crucially importantly|automatically mechanically|try attempt seek
trying attempting seeking|choose select pick|make produce generate|makes produces generates
making producing generating|made produced generated|get obtain receive|gets obtains receives
know learn|known recognized|say state declare|says states declares|take require
although though|until till|about concerning regarding
across throughout|during throughout|reduce lower lessen|reducing lowering lessening
modern recent contemporary|traditional conventional
efficient effective|efficiently effectively|leading foremost|current present|past previous
world globe|area region zone|areas regions zones|kind type sort|kinds types sorts
"""


def _groups() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for group in _EXCHANGED.replace("\n", "|").strip("|").split("|"):
        words = tuple(group.split())
        for word in words:
            found.setdefault(word, words)
    return found


_GROUPS = _groups()
_WORD = re.compile(
    rf"(?<![\w`/.@\[(-])(?:{'|'.join(_GROUPS)})(?![\w`/@-]|\.\w|\]\()", re.IGNORECASE
)


def passages(text: str) -> list[str]:
    """Return the paragraphs of prose of a text that are long enough to be told from another.

    Headings, lists, tables and what is set as code are none; nor is what has fewer than 25 words,
    or stands in the descriptions of many tasks alike. A long paragraph is cut after a sentence.
    """
    return list(dict.fromkeys(filter(None, map(_passage, paragraphs(text)))))


def paragraphs(text: str) -> Iterator[str]:
    """Yield what stands between empty lines, outside fences, each in one line."""
    outside = "".join(text.split("```")[::2])
    for block in re.split(r"\n\s*\n", outside):
        if block.strip() and not _NO_PROSE.search(block):
            yield " ".join(block.split())


def _passage(paragraph: str) -> str:
    """Cut a paragraph to whole sentences of a passage's length; nothing where it is too short."""
    if _EVERYWHERE.search(paragraph):
        return ""
    kept: list[str] = []
    for sentence in re.split(r"(?<=[.!?]) +", paragraph):
        if kept and len(" ".join([*kept, sentence]).split()) > MAX_WORDS:
            break
        kept.append(sentence)
    words = " ".join(kept).split()
    return " ".join(words[:MAX_WORDS]) if len(words) >= MIN_WORDS else ""


def by_rule(passage: str, count: int, rng: Random) -> list[str]:
    """Return so many paraphrases with other words in some places; none where so many cannot be.

    Of more that are made, those nearest in length are taken: length does not tell the passage.

    Examples
    --------
    >>> from random import Random
    >>> text = "The goal of this contest is to build new methods that help many people."
    >>> made = by_rule(text, 3, Random(0))
    >>> len({text, *made})
    4
    """
    made: list[str] = []
    for _ in range(_TRIES):
        other = _article(_WORD.sub(lambda m: _drawn(m[0], rng), passage))
        if all(_differ(other, one) >= MIN_CHANGED for one in (passage, *made)):
            made.append(other)
        if len(made) >= _POOL * count:
            break
    made.sort(key=lambda one: abs(len(one) - len(passage)))
    return made[:count] if len(made) >= count else []


def _drawn(word: str, rng: Random) -> str:
    new = rng.choice(_GROUPS[word.lower()])
    if word.isupper():
        return new.upper()
    return new.capitalize() if word[0].isupper() else new


def _article(text: str) -> str:
    """Write `a` or `an` as the first letter of the next word asks, except where sound differs."""
    return _ARTICLE.sub(
        lambda m: m[0] if m[2] in "uUhHoO" else m[1] + ("n" if m[2] in _VOWELS else ""), text
    )


def _differ(first: str, second: str) -> int:
    """Count the places where two texts of as many words differ."""
    return sum(a != b for a, b in zip(first.split(), second.split(), strict=False))


def closest(passage: str, texts: Sequence[str]) -> list[str]:
    """Return of each text the paragraph that says what a passage says; of some there is none.

    What shares too few words, or nearly all, is no paraphrase of it; nor is what is much longer.
    """
    from rapidfuzz import fuzz, process

    found = []
    for text in texts:
        near = [p for p in paragraphs(text) if _comparable(passage, p)]
        best = process.extractOne(passage, near, scorer=fuzz.token_set_ratio, score_cutoff=_LIKE)
        if best is not None and fuzz.ratio(passage, best[0]) < _SAME:
            found.append(best[0])
    return list(dict.fromkeys(found))


def _comparable(passage: str, other: str) -> bool:
    return 1 / _LENGTHS <= len(other) / len(passage) <= _LENGTHS
