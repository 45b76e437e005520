"""Whether a model tells published passages from paraphrases more often than those of controls.

Each passage is shown among its paraphrases in every order (`recognition.choose_verbatim`). A model
may choose the published one for another reason than that it has read it: it reads better. So the
same is asked of control texts that no model has read, with paraphrases made the same way, and a
task is held against them. The unit is the text: orders of one passage, and passages of one text,
are no independent draws.

References
----------
Golchin & Surdeanu, Data Contamination Quiz, 2023 (arXiv:2311.06233).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from detectors.familiarity.calibration import MIN_CONTROLS, RATE, controls_needed
from detectors.familiarity.conformal import conformal_p
from detectors.familiarity.recognition import choose_verbatim
from detectors.known import Decision

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from detectors.familiarity.recognition import Quiz

BY_PLACE = 0.95  # of answers that name one place: the model does not look at what stands there
UNCLEAR = 0.5
_TIE = 1e-9
_SEEN = 0.05  # of a length: smaller differences are seen by no reader


class Passage(NamedTuple):
    """What was published, and paraphrases of it."""

    published: str
    paraphrases: tuple[str, ...]


@dataclass(frozen=True)
class Chosen:
    """What a model chose among the passages of one text.

    Parameters
    ----------
    quizzes : tuple of Quiz
        One per passage.
    blind : tuple of tuple of bool
        Per passage, which readers without a model find it: see `blind_hits`.
    """

    name: str
    quizzes: tuple[Quiz, ...]
    blind: tuple[tuple[bool, ...], ...]

    @property
    def right(self) -> float:
        """Share of answers that name the published passage, over all orders."""
        return sum(q.n_right for q in self.quizzes) / sum(q.n_asked for q in self.quizzes)

    @property
    def n_chosen(self) -> int:
        """Passages that were named in more than half of the orders; by chance 1 in n options."""
        return sum(2 * q.n_right > q.n_asked for q in self.quizzes)

    @property
    def chance(self) -> float:
        """Share of right answers of a model that looks at places alone."""
        return 1 / self.quizzes[0].n_options

    @property
    def interval(self) -> tuple[float, float]:
        """Exact binomial 95 % interval of the share of passages that are chosen."""
        from scipy.stats import binomtest

        found = binomtest(self.n_chosen, len(self.quizzes)).proportion_ci(0.95, method="exact")
        return float(found.low), float(found.high)

    def first(self, count: int) -> Chosen:
        """Return what was chosen among the first passages alone."""
        return replace(self, quizzes=self.quizzes[:count], blind=self.blind[:count])


def choose(name: str, title: str, asked: Sequence[Passage], ask: Callable[[str], str]) -> Chosen:
    """Ask about each passage of a text.

    Raises
    ------
    UsageError
        When the paraphrases of a passage are none, too many, or not different.
    """
    quizzes = tuple(choose_verbatim(title, p.published, p.paraphrases, ask) for p in asked)
    return Chosen(name, quizzes, tuple(map(blind_hits, asked)))


def blind_hits(passage: Passage) -> tuple[bool, ...]:
    """Say whether the published passage is the longest, the shortest, or the middle of all.

    Examples
    --------
    >>> blind_hits(Passage("one two three four", ("one two", "one")))
    (True, False, False)
    """
    from rapidfuzz import fuzz

    options = [passage.published, *passage.paraphrases]
    lengths = np.array([len(o) for o in options], dtype=np.float64)
    near = np.array([sum(fuzz.ratio(a, b) for b in options) for a in options])
    return (
        bool(lengths[0] > (1 + _SEEN) * lengths[1:].max()),
        bool(lengths[0] < (1 - _SEEN) * lengths[1:].min()),
        bool(near[0] > near[1:].max() + _TIE),
    )


class Held(NamedTuple):
    """A text beside controls that were asked about as many passages.

    Parameters
    ----------
    right : float
        Mean share of right answers of the controls; None where there are none.
    p : float
        Conformal; 1 where there are too few controls.
    reach : float
        The p that a text would have whose every answer is right.
    confounded : bool
        Whether a reader without a model finds the text's passages more often than controls'.
    """

    n_controls: int
    right: float | None
    p: float
    reach: float
    confounded: bool


def hold(text: Chosen, controls: Sequence[Chosen]) -> Held:
    """Hold a text against controls; those with fewer passages do not count."""
    n = len(text.quizzes)
    beside = [c.first(n) for c in controls if len(c.quizzes) >= n]
    shares = [c.right for c in beside]
    mean = float(np.mean(shares)) if shares else None
    if len(beside) < MIN_CONTROLS:
        return Held(len(beside), mean, 1.0, 1.0, confounded=False)
    p, reach = conformal_p([text.right - _TIE, 1 - _TIE], shares)
    found = [
        float(conformal_p([a - _TIE], b)[0]) for a, b in zip(*_blind(text, beside), strict=True)
    ]
    return Held(len(beside), mean, float(p), float(reach), confounded=min(found) <= RATE)


def comparable(text: Chosen, controls: Sequence[Chosen], n_tasks: int) -> Chosen:
    """Leave out passages of a text that too few controls have as many of, whatever was chosen."""
    most = sorted((len(c.quizzes) for c in controls), reverse=True)
    if len(most) < MIN_CONTROLS:
        return text
    return text.first(most[min(len(most), controls_needed(n_tasks)) - 1])


def _blind(text: Chosen, controls: Sequence[Chosen]) -> tuple[np.ndarray, np.ndarray]:
    """Return shares found by each reader: of the text, and of the controls."""
    own = np.mean(text.blind, axis=0)
    return own, np.array([np.mean(c.blind, axis=0) for c in controls]).T


def decide(text: Chosen, held: Held, q: float) -> tuple[Decision, str]:
    """Say what may be said of a text whose p became `q`, and why that is all."""
    if held.n_controls < MIN_CONTROLS:
        return Decision.NO_DECISION, (
            f"{held.n_controls} controls with such paraphrases and as many passages, at least "
            f"{MIN_CONTROLS} are needed"
        )
    if held.confounded:
        return Decision.CONFOUNDED, "length or likeness alone tells its passages from paraphrases"
    if q <= RATE and text.right > text.chance:
        return Decision.FAMILIAR, "found among its paraphrases more often than controls"
    if held.reach > RATE:
        return Decision.NO_DECISION, (
            "of controls, too, all are found, as there are few passages or they read better"
        )
    if held.p <= held.reach + _TIE:
        return Decision.NO_DECISION, "above all controls, and these are too few for so many tasks"
    return Decision.NOTHING_SEEN, "found no more often than controls"


def looks_at_places(text: Chosen) -> str:
    """Say why a model's answers are no choice of passages; nothing where they are one."""
    n_asked = sum(q.n_asked for q in text.quizzes)
    if sum(q.n_unclear for q in text.quizzes) > UNCLEAR * n_asked:
        return "most answers name none of the passages"
    places = np.sum([q.by_place for q in text.quizzes], axis=0)
    if places.max() >= BY_PLACE * n_asked:
        return "the model names the same place whatever stands there"
    return ""
