"""Control texts: what a model cannot have read, in the register of what is asked about.

The best are descriptions of competitions that began after the model's cutoff, or were never
published: a folder that the user names. Where there is none, `generated_controls` writes fresh
ones from the definitions of the catalog, in the sections of a Kaggle page, with other names,
columns and numbers, and parts of several tasks in each. They are drier than what people write,
and `blind.py` says so wherever it shows.
"""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

from competitions.errors import UsageError
from detectors.familiarity.documents import (
    CODE_SUFFIXES,
    PROSE_SUFFIXES,
    Document,
    Kind,
    documents_below,
    kind_of,
    read_document,
)
from detectors.familiarity.texts import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from competitions.spec import Competition

_WORD_ROOM = 120  # characters that a text may be longer than asked
_NAME = re.compile(r"`[^`\n]+`")
_NUMBER = re.compile(r"\d+")
_PROPER = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,}(?: [A-Z][a-z]+)*")
_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_ONSETS = ("b", "br", "c", "d", "dr", "f", "g", "gl", "h", "k", "l", "m", "n", "p", "r", "s", "st")
_VOWELS = ("a", "e", "i", "o", "u", "ai", "ea", "io")
_CODAS = ("", "", "l", "n", "r", "s", "nd", "rt", "x")
_MONTHS = ("January", "March", "April", "June", "July", "September", "October", "November")


def read_controls(folder: Path) -> list[Document]:
    """Read every text and program below a folder, in the order of paths; equal ones count once.

    Those in a folder named ``description``, ``post`` or ``code`` are controls of that kind alone.

    Raises
    ------
    UsageError
        When it is no folder, or holds no text.
    TextError
        When a file with the ending of a text is none.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder}: expected a folder of control texts, found none.")
    found: dict[str, Document] = {}
    for path in documents_below(folder):
        inside = path.relative_to(folder)
        text = read_document(path, str(inside))
        filed = not {Kind.DESCRIPTION, Kind.POST, Kind.CODE}.isdisjoint(inside.parts[:-1])
        found[text.sha256] = Document(text, kind_of(inside), filed=filed)
    if not found:
        endings = ", ".join(sorted(PROSE_SUFFIXES | CODE_SUFFIXES))
        raise UsageError(f"{folder}: expected control texts ({endings}), found none.")
    return list(found.values())


def without(controls: Sequence[Document], targets: Sequence[Document]) -> list[Document]:
    """Leave out controls that are a target: a text is no control of itself."""
    asked = {t.text.sha256 for t in targets}
    return [c for c in controls if c.text.sha256 not in asked]


def generated_controls(
    specs: Sequence[Competition], lengths: Sequence[int], seed: int = 0, first: int = 0
) -> list[Text]:
    """Write one fresh competition page for each length.

    Parameters
    ----------
    specs : sequence of Competition
        Whose words are mixed; at least three.
    lengths : sequence of int
        Characters that each is to have, roughly: it ends with the sentence that reaches them.
    seed : int, default=0
        The same gives the same texts.
    first : int, default=0
        How many were written before: the others are those that one call would have written.

    Raises
    ------
    UsageError
        When there are too few definitions.
    """
    if len(specs) < 3:  # noqa: PLR2004 - one tells the story, one the metric, one the columns
        raise UsageError(f"Expected at least 3 definitions to write from, found {len(specs)}.")
    texts = []
    for number, length in enumerate(lengths, start=first):
        rng = Random(f"{seed} {number}")  # noqa: S311 - a draw, no secret
        texts.append(Text(f"generated {number + 1}", _page(specs, length, rng)))
    return texts


def _page(specs: Sequence[Competition], length: int, rng: Random) -> str:
    """Put a page together, its middle as long as the length leaves."""
    chosen = rng.sample(list(specs), len(specs))
    rename = _Renamer(rng)
    ends = [*_evaluation(chosen[1], rename, rng), *_dates(rng)]
    if length < 2 * len("\n".join(ends)):
        ends = ends[: max(1, len(ends) // 3)]
    room = length - len("\n".join(ends))
    story, table = [f"# {rename.title()}", "", "## Description", ""], ["", "## Dataset", ""]
    for spec in chosen:
        parts = ((story, _paragraph(spec, rename, rng)), (table, _columns(spec, rename)))
        for place, part in parts:
            if len("\n".join([*story, *table])) < room:
                place.extend(part)
    text = "\n".join([*story, *ends, *table]).rstrip()
    if len(text) > length + _WORD_ROOM:
        text = text[: text.rfind(" ", 0, length)]
    return text + "\n"


def _paragraph(spec: Competition, rename: _Renamer, rng: Random) -> list[str]:
    openings = (
        f"{rename.word().title()} and its partners need your help.",
        f"In this competition, hosted by {rename.word().title()}, you work on {rename.kind(spec)}.",
        f"Every year since {rng.randint(1950, 2010)}, more of these have been recorded.",
        "Can you do better than what is used today?",
    )
    return [f"{rng.choice(openings)} {rename(' '.join(spec.summary.split()))}", ""]


def _columns(spec: Competition, rename: _Renamer) -> list[str]:
    lines = [f"- `{name}` - {meaning}" for name, meaning in spec.columns.items()]
    files = [f"- `{file.lies_at}` - {file.part or 'further'} data" for file in spec.public]
    return [*(rename(line) for line in [*files, *lines]), ""]


def _evaluation(spec: Competition, rename: _Renamer, rng: Random) -> list[str]:
    key = rename.identifier(spec.submission.key[0])
    targets = [rename.identifier(t) for t in spec.targets[:4]]
    rows = [
        ",".join([f"{rng.randrange(10**6)}", *[f"{rng.random():.2f}" for _ in targets]])
        for _ in range(3)
    ]
    return [
        "## Evaluation",
        "",
        rename(" ".join(spec.metric.definition.split())),
        "",
        "### Submission File",
        "",
        f"For each `{key}` in the test set, predict {', '.join(f'`{t}`' for t in targets)}. The "
        "file should contain a header and have the following format:",
        "",
        "```",
        ",".join([key, *targets]),
        *rows,
        "```",
        "",
    ]


def _dates(rng: Random) -> list[str]:
    month, day, prize = rng.choice(_MONTHS), rng.randint(1, 28), rng.randint(2, 50) * 1000
    return [
        "## Timeline",
        "",
        f"- **{month} {day}** - final submission deadline, at {rng.randint(1, 11)}:59 PM UTC.",
        "",
        "## Prizes",
        "",
        f"- First place: ${prize:,}",
        f"- Second place: ${prize // 2:,}",
        "",
    ]


class _Renamer:
    """Gives one text other names, columns and numbers: equal ones stay equal."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._names: dict[str, str] = {}

    def __call__(self, text: str) -> str:
        text = _NAME.sub(lambda m: f"`{self._marked(m[0][1:-1])}`", text)
        text = _PROPER.sub(lambda m: self._other(m[0], str.title), text)
        return _NUMBER.sub(lambda m: self._number(m[0]), text)

    def word(self) -> str:
        rng = self._rng
        return "".join(
            rng.choice(_ONSETS) + rng.choice(_VOWELS) + rng.choice(_CODAS)
            for _ in range(rng.choice((2, 2, 3)))
        )

    def title(self) -> str:
        return f"{self.word().title()} {self._rng.choice(('Challenge', 'Prediction', 'Detection'))}"

    def kind(self, spec: Competition) -> str:
        return "text" if spec.modality == "text" else f"{spec.modality} data"

    def identifier(self, name: str) -> str:
        """Rename each part of an identifier, its capitals and joints kept."""
        return _IDENTIFIER.sub(lambda m: self._other(m[0], _cased(m[0])), name)

    def _marked(self, name: str) -> str:
        stem, dot, suffix = name.rpartition(".")
        if dot and suffix.isalpha():
            return self.identifier(stem) + dot + suffix
        return self.identifier(name)

    def _other(self, old: str, how: Callable[[str], str]) -> str:
        if old.lower() not in self._names:
            self._names[old.lower()] = self.word()
        new = self._names[old.lower()]
        return how(new)

    def _number(self, old: str) -> str:
        digits = (self._rng.randrange(10) for _ in old[1:])
        return str(self._rng.randint(1, 9)) + "".join(map(str, digits))


def _cased(old: str) -> Callable[[str], str]:
    if old.isupper():
        return str.upper
    return str.title if old[:1].isupper() else str.lower


def matched_lengths(targets: Sequence[Text], count: int) -> Iterator[int]:
    """Yield lengths that go evenly through those of the targets, a fifth shorter and longer."""
    ordered = sorted(len(t.content) for t in targets)
    for number in range(count):
        near = ordered[number * len(ordered) // count]
        yield max(200, round(near * (0.8 + 0.4 * ((number * 0.618034) % 1))))
