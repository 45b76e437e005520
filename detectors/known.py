"""What was measured of one text by one model, beside its controls."""

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
class Known:
    """A text's familiarity, and what else has to be told for it to mean something.

    Parameters
    ----------
    text_sha256 : str
        Of the text that was scored.
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
        Every metric by id.
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
