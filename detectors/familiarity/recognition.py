"""What a model says of a task when it is asked: names, completions and choices.

Nothing but sampled answers is needed, so that chat endpoints can be asked, too. Each part has a
null of its own: another task's name, completion without the source, and all orders of the options.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from competitions.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Ask = Callable[[str], str]

LETTERS = "ABCDEFGH"
_WORD = re.compile(r"[a-z0-9]+")
_CHOICE = re.compile(r"(?<![A-Za-z])([A-H])(?![A-Za-z'])")
_HALF_WORDS = 24  # that a completion is compared with, at least
_NAME = (
    "The following describes a machine-learning competition, its names taken out.\n\n{text}\n\n"
    "Which competition on Kaggle is it? Answer with its name alone."
)
_GUIDED = (
    "The following is the beginning of the description of the Kaggle competition {title}. Continue "
    "it exactly as it was published.\n\n{first}"
)
_UNGUIDED = "Continue the following text.\n\n{first}"
_QUIZ = (
    "One of the following passages is exactly as it was published in the description of the Kaggle "
    "competition {title}; the others are paraphrases.\n\n{options}\n\nAnswer with one letter."
)


def words_of(text: str) -> list[str]:
    """Return the words and numbers of a text in lower case."""
    return _WORD.findall(text.lower())


def names_it(answer: str, titles: Sequence[str]) -> bool:
    """Say whether one of the names stands in an answer, whatever its case and punctuation.

    Examples
    --------
    >>> names_it("It's the *Spaceship-Titanic* one.", ["Spaceship Titanic"])
    True
    >>> names_it("Titanic", ["Spaceship Titanic"])
    False
    """
    said = f" {' '.join(words_of(answer))} "
    return any(f" {' '.join(words_of(title))} " in said for title in titles if words_of(title))


@dataclass(frozen=True)
class Named:
    """Whether tasks are named from their obfuscated description.

    Parameters
    ----------
    named : tuple of bool
        By task.
    by_chance : float
        Share of answers that name another of the tasks: what a model names that always says the
        same famous ones.
    """

    tasks: tuple[str, ...]
    named: tuple[bool, ...]
    by_chance: float

    @property
    def share(self) -> float:
        """Of tasks that are named."""
        return float(np.mean(self.named))


def name_competitions(tasks: Sequence[tuple[str, Sequence[str], str]], ask: Ask) -> Named:
    """Ask for the name of each task.

    Parameters
    ----------
    tasks : sequence of (id, titles, obfuscated description)
        The description must hold none of the titles.

    Raises
    ------
    UsageError
        When there is no task, or a description names its task.
    """
    if not tasks:
        raise UsageError("Expected tasks to be named, found none.")
    for task, titles, text in tasks:
        if names_it(text, titles):
            raise UsageError(f"{task}: expected a description without its name, found it there.")
    answers = [ask(_NAME.format(text=text)) for _, _, text in tasks]
    named = tuple(names_it(a, titles) for a, (_, titles, _) in zip(answers, tasks, strict=True))
    others = [
        names_it(answer, titles)
        for place, answer in enumerate(answers)
        for other, (_, titles, _) in enumerate(tasks)
        if other != place
    ]
    return Named(tuple(t for t, _, _ in tasks), named, float(np.mean(others)) if others else 0.0)


def overlap(completion: str, published: str) -> float:
    """Return the longest common subsequence of words, as a share of the published ones (ROUGE-L).

    References
    ----------
    Lin, ROUGE: A Package for Automatic Evaluation of Summaries, 2004.

    Examples
    --------
    >>> overlap("the cat sat", "the black cat sat")
    0.75
    """
    from rapidfuzz.distance import LCSseq

    there = words_of(published)
    return LCSseq.similarity(words_of(completion), there) / len(there) if there else 0.0


@dataclass(frozen=True)
class Guided:
    """How much closer a completion is when the model is told where the text is from.

    Parameters
    ----------
    guided, unguided : float in [0, 1]
        Overlap of the completion with what was published.
    """

    guided: float
    unguided: float

    @property
    def gain(self) -> float:
        """What naming the source adds; nothing, where the text is not known by its name."""
        return self.guided - self.unguided


def complete_guided(title: str, text: str, ask: Ask) -> Guided:
    """Have the second half of a text written, with and without its source.

    Raises
    ------
    UsageError
        When the text is too short to be halved.

    References
    ----------
    Golchin & Surdeanu, Time Travel in LLMs, 2023 (arXiv:2308.08493).
    """
    if len(words_of(text)) < 2 * _HALF_WORDS:
        raise UsageError(f"{title}: expected at least {2 * _HALF_WORDS} words to complete.")
    middle = text.rfind(" ", 0, len(text) // 2 + 1)
    first, second = text[:middle], text[middle:]
    found = [
        overlap(ask(prompt.format(title=title, first=first)).removeprefix(first), second)
        for prompt in (_GUIDED, _UNGUIDED)
    ]
    return Guided(found[0], found[1])


@dataclass(frozen=True)
class Quiz:
    """How often the published passage was chosen among paraphrases.

    Parameters
    ----------
    n_asked, n_right : int
        The published passage stood in each place equally often: a model that looks at places alone
        is right exactly once in `n_options`.
    by_place : tuple of int
        How often each place was chosen: what a preference for places looks like.
    n_unclear : int
        Answers that name no place; they count as wrong.
    """

    n_options: int
    n_asked: int
    n_right: int
    by_place: tuple[int, ...]
    n_unclear: int

    @property
    def above_chance(self) -> float:
        """Share of right answers less what places alone give."""
        return self.n_right / self.n_asked - 1 / self.n_options


def choose_verbatim(title: str, published: str, paraphrases: Sequence[str], ask: Ask) -> Quiz:
    """Let a passage be told from its paraphrases, in every rotation of the options.

    Raises
    ------
    UsageError
        When there are no paraphrases, too many, or one equals the passage.

    References
    ----------
    Golchin & Surdeanu, Data Contamination Quiz, 2023 (arXiv:2311.06233).
    """
    options = [published, *paraphrases]
    n = len(options)
    if not paraphrases or n > len(LETTERS) or len(set(options)) != n:
        raise UsageError(
            f"{title}: expected 1 to {len(LETTERS) - 1} different paraphrases of it, found "
            f"{len(paraphrases)}."
        )
    chosen = []
    for turn in range(n):
        shown = [options[(place - turn) % n] for place in range(n)]
        listed = "\n\n".join(f"{LETTERS[i]}) {text}" for i, text in enumerate(shown))
        chosen.append(_place(ask(_QUIZ.format(title=title, options=listed)), n))
    return Quiz(
        n_options=n,
        n_asked=n,
        n_right=sum(place == turn for turn, place in enumerate(chosen)),
        by_place=tuple(sum(c == place for c in chosen) for place in range(n)),
        n_unclear=sum(c is None for c in chosen),
    )


def _place(answer: str, n_options: int) -> int | None:
    """Read a letter; an answer with several different ones is unclear."""
    found = {LETTERS.index(m) for m in _CHOICE.findall(answer)}
    if len(found) != 1:
        return None
    (place,) = found
    return place if place < n_options else None
