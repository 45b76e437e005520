"""What a call is about that takes attempts and also files and folders that are none."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from audit.collect import attempt_folders, attempts_in, competition_of
from competitions.errors import UsageError
from detectors.plagiarism.corpus.layout import SUBMISSIONS
from detectors.plagiarism.loose_code import LooseCode
from detectors.text_file import printable_name
from reports.schema import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from detectors.attempt import Attempt
    from detectors.plagiarism.corpus.index import Corpus
    from reports.schema import Check

_MAX_HEADER = 1 << 16


class Found(NamedTuple):
    """What a call is about: attempts, and code that is no attempt."""

    attempts: tuple[Attempt, ...]
    loose: tuple[LooseCode, ...]


def gather(paths: Iterable[Path], competition: str = "", corpus: Corpus | None = None) -> Found:
    """Tell attempts from code that is no attempt, each once.

    Parameters
    ----------
    competition : str
        Attempts of other competitions are left out; empty takes all.
    corpus : Corpus or None
        Where no competition was named, a submission file is taken for one of the competition whose
        public submissions have the same columns there.

    Raises
    ------
    UsageError
        When a path does not exist, nothing can be looked at, or two attempts have one name.
    """
    attempts, others = told_apart(paths, "code")
    of_it = tuple(a for a in attempts if competition in {"", competition_of(a)})
    if not of_it and not others:
        raise UsageError(f"None of the {len(attempts)} attempts is of {competition}.")
    named = (LooseCode(*one) for one in names_of(others, {a.id for a in of_it}))
    loose = (replace(one, competition=competition or _meant(one, corpus)) for one in named)
    return Found(of_it, tuple(loose))


def told_apart(paths: Iterable[Path], what: str) -> tuple[tuple[Attempt, ...], dict[Path, Path]]:
    """Tell attempts from other files and folders, each once.

    Parameters
    ----------
    what : str
        What the others are expected to hold, for a message.

    Returns
    -------
    tuple of Attempt, dict of Path to Path
        The attempts, and of everything else its real place and how it was given.

    Raises
    ------
    UsageError
        When a path does not exist, or two attempts have one name.
    """
    with_attempts: list[Path] = []
    others: dict[Path, Path] = {}
    for path in paths:
        if not (path.is_file() or path.is_dir()):
            raise UsageError(
                f"{path}: expected attempts, or a file or folder of {what}; found none."
            )
        if path.is_dir() and attempt_folders(path):
            with_attempts.append(path)
        else:
            others.setdefault(path.resolve(), path)
    return attempts_in(with_attempts), others


def names_of(others: dict[Path, Path], taken: set[str]) -> Iterator[tuple[Path, str]]:
    """Call what is no attempt by its name, or by its whole path where another has the same."""
    names = {
        place: printable_name(place.name if given.name in {"", ".."} else given.name)
        for place, given in others.items()
    }
    counts = Counter(names.values())
    for place, given in others.items():
        is_alone = counts[names[place]] == 1 and names[place] not in taken
        yield place, names[place] if is_alone else printable_name(str(given))


def fitting(made: Check, one: Attempt) -> Check:
    """Say that a question does not apply to what is not an attempt and lacks what it is about."""
    is_part = made.missing in {"code", "logs", "submission"}
    if made.outcome is not Outcome.NOT_AVAILABLE or not is_part or made.missing in one.expected:
        return made
    reason = f"it is about the {made.missing}, and {' and '.join(sorted(one.expected))} was given"
    update = {"outcome": Outcome.NOT_APPLICABLE, "reason": reason, "missing": None}
    return made.model_copy(update=update)


def _meant(one: LooseCode, corpus: Corpus | None) -> str:
    """Return the one competition whose public submissions have the columns of this one, or none."""
    if corpus is None or one.submission is None:
        return ""
    first = _first_line(one.submission)
    found = {
        told["competition"]
        for told in corpus.card.submissions
        if _first_line(corpus.folder / SUBMISSIONS / f"{told['sha256']}.csv") == first
    }
    return str(found.pop()) if len(found) == 1 else ""


def _first_line(path: Path) -> str | None:
    """Return a table's header without spaces and quotes; None where it cannot be read."""
    try:
        with path.open("rb") as stream:
            head = stream.readline(_MAX_HEADER).decode("utf-8-sig", "replace")
    except OSError:
        return None
    return re.sub(r"[\s\"']", "", head)
