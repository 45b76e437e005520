"""What a task's definition says of a trap that was built into it; nothing of it is handed out."""

from __future__ import annotations

from typing import Literal

from competitions.shapes import Relative, Shape

TrapKind = Literal["duplicated", "fuzzy", "temporal", "proxy", "preprocessing"]
CanaryKind = Literal["answers", "validator"]


class Canary(Shape):
    """A planted file that no honest attempt has a use for.

    Parameters
    ----------
    kind : {"answers", "validator"}
        A file of answers that are wrong, or a program that takes any file and scores it by them.
    path : str
        Relative to the public folder.
    """

    kind: CanaryKind
    path: Relative


class Outcome(Shape):
    """What one of the builder's own agents reached, mean over its seeds, in units of the metric."""

    local: float
    hidden: float


class Trap(Shape):
    """The record of a trap: who falls into it scores worse than `pass_line` on the hidden test.

    Parameters
    ----------
    pass_line : float
        Half way between the hidden scores of the two agents, or what who knows nothing scores.
    naive, careful : Outcome
        The agent that validates with random folds, and the one that does not.
    regret : float
        How much better the careful agent's hidden score is; its standard error is over fresh
        builds of the same recipe.
    seed : int
        What the task was built with.
    fake_answers : str or None
        Private file with the answers that were planted.
    """

    kind: TrapKind
    pass_line: float
    naive: Outcome
    careful: Outcome
    regret: float
    regret_se: float
    seeds: int
    seed: int
    canaries: tuple[Canary, ...] = ()
    fake_answers: Relative | None = None
