"""What was measured of the documents of one task, or one text, by one model."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Decision(StrEnum):
    """What is said of one text."""

    FAMILIAR = "familiar"
    NOTHING_SEEN = "nothing seen"
    NO_DECISION = "no decision"
    CONFOUNDED = "confounded"


@dataclass(frozen=True)
class Calibrated:
    """A score beside controls.

    Parameters
    ----------
    score, expected : float
        Familiarity of the text (higher is more familiar), and that of an unseen text of its
        length, tables and difficulty.
    spread : float
        Standard deviation of what controls differ from their own expectation.
    p : float
        Conformal, one-sided; at least `floor`.
    floor : float
        Smallest p that so many controls can give.
    upper : float
        Excess over an unseen text that cannot be excluded at 95 %, in units of the score.
    visible : float
        Excess that would have been above 95 % of controls with a probability of .8.
    """

    score: float
    expected: float
    spread: float
    p: float
    floor: float
    upper: float
    visible: float

    @property
    def excess(self) -> float:
        """What the score is above its expectation, in standard deviations of controls."""
        return (self.score - self.expected) / self.spread if self.spread else math.nan


@dataclass(frozen=True)
class KnownDocument:
    """One document of a task beside its controls.

    Parameters
    ----------
    kind : str
        ``description``, ``post``, ``code`` ...; each is held against controls of its kind.
    url : str
        Where it stood, if that is known.
    excess : float
        Over the controls' expectation, in their standard deviations; NaN where there is none.
    left_out : str
        Why it is no part of the task's measure; empty where it is.
    """

    name: str
    kind: str
    sha256: str
    url: str
    n_tokens: int
    excess: float
    left_out: str = ""


@dataclass(frozen=True)
class Known:
    """The familiarity of a task's documents or one text, and what has to be told beside it.

    Parameters
    ----------
    text_sha256 : str
        Of the first text that counts.
    metric : str
        Id of the one that decides.
    calibrated : Calibrated
        Its value beside the controls.
    q : float
        p when all texts of the call are counted.
    n_texts, n_controls : int
        Texts of the call, and controls that had a score.
    controls : str
        Where the controls come from, in a few words.
    correlation : float or None
        Of target and reference on controls; None without a reference.
    length_auc, register_auc, odd : float
        What can be told apart without a model: see `blind.Blind`.
    values : mapping of str to float
        Every metric by id, averaged over the documents that count.
    documents : tuple of KnownDocument
        All of the task, those left out too; of a single text that one.
    interval : tuple of float
        95 % bootstrap of the excess over documents; NaN where there are fewer than three.
    """

    text_sha256: str
    n_tokens: int
    metric: str
    calibrated: Calibrated
    q: float
    decision: Decision
    n_texts: int
    n_controls: int
    controls: str
    correlation: float | None
    length_auc: float
    register_auc: float
    odd: float
    values: Mapping[str, float]
    documents: tuple[KnownDocument, ...] = ()
    interval: tuple[float, float] = (math.nan, math.nan)

    @property
    def counting(self) -> tuple[KnownDocument, ...]:
        """The documents that the measure is of."""
        return tuple(d for d in self.documents if not d.left_out)
