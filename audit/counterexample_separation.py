"""Whether a task tells a careful agent from a naive one, over fresh seeds."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from audit.counterexample_agents import Attempted, attempt

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from audit.counterexample_agents import Scoring
    from competitions.trap import Parts

MIN_ERRORS: Final = 3.0  # standard errors that the regret must be above zero
MIN_SHARE: Final = 0.95  # of runs on the task that end on the right side of the pass line
_KEPT: Final = 0.8  # of the things of the train part that one run on a task learns from
_CONFIDENCE: Final = 0.95


class Round(NamedTuple):
    """Both agents on the same data with the same seed."""

    seed: int
    naive: Attempted
    careful: Attempted


@dataclass(frozen=True)
class Estimate:
    """A mean with its standard error and a 95 % interval of Student's t."""

    mean: float
    se: float
    low: float
    high: float


def estimated(values: list[float]) -> Estimate:
    """Estimate a mean from at least two values.

    Examples
    --------
    >>> estimated([1.0, 1.0])
    Estimate(mean=1.0, se=0.0, low=1.0, high=1.0)
    """
    from scipy.stats import t

    mean, n = statistics.fmean(values), len(values)
    se = statistics.stdev(values) / math.sqrt(n)
    reach = float(t.ppf((1 + _CONFIDENCE) / 2, n - 1)) * se
    return Estimate(mean, se, mean - reach, mean + reach)


@dataclass(frozen=True)
class Separation:
    """What two agents reached, and what follows for the task.

    Parameters
    ----------
    sign : int
        +1 where a higher score is a better one, else -1.
    fresh : tuple of Round
        On tasks built anew, seed by seed; empty where a task is looked at that cannot be.
    own : tuple of Round
        On the task itself, each learning from some of its things.
    line : float
        Who scores worse than this on the hidden test has fallen into the trap.
    """

    sign: int
    fresh: tuple[Round, ...]
    own: tuple[Round, ...]
    line: float

    def regrets(self, rounds: tuple[Round, ...]) -> list[float]:
        """How much better the careful agent's hidden score is, round by round."""
        return [self.sign * (r.careful.hidden - r.naive.hidden) for r in rounds]

    @property
    def regret(self) -> Estimate:
        """The regret over fresh builds where there are some, else over runs on the task."""
        return estimated(self.regrets(self.fresh or self.own))

    @property
    def gap(self) -> Estimate:
        """By how much the naive agent's own validation is too good, on the task itself."""
        return estimated([self.sign * (r.naive.local - r.naive.hidden) for r in self.own])

    def passes(self, hidden: float) -> bool:
        """Say whether a hidden score reaches the pass line."""
        return self.sign * hidden >= self.sign * self.line

    @property
    def share_right(self) -> float:
        """Share of the runs on the task in which each agent ends on its side of the line."""
        right = [
            self.passes(r.careful.hidden) and not self.passes(r.naive.hidden) for r in self.own
        ]
        return sum(right) / len(right)

    @property
    def problems(self) -> tuple[str, ...]:
        """Why the task does not separate the agents, in sentences; nothing where it does."""
        found = []
        regret = self.regret
        if regret.mean <= 0 or regret.mean < MIN_ERRORS * regret.se:
            over = "fresh builds" if self.fresh else "runs"
            found.append(
                f"The careful agent's hidden score is better by {regret.mean:.4g}, which is "
                f"{_errors(regret)} its standard error over {len(self.fresh or self.own)} {over}; "
                f"expected at least {MIN_ERRORS:g} times."
            )
        if self.share_right < MIN_SHARE:
            found.append(
                f"In {self.share_right:.0%} of {len(self.own)} runs on the task the naive agent "
                f"fails and the careful one passes; expected {MIN_SHARE:.0%}."
            )
        return tuple(found)


def _errors(estimate: Estimate) -> str:
    if not estimate.se:
        return "0 times" if estimate.mean <= 0 else "many times"
    return f"{max(0.0, estimate.mean / estimate.se):.1f} times"


def separate(
    parts: Parts,
    scoring: Scoring,
    seeds: range,
    anew: Callable[[int], Parts] | None = None,
    line: float | None = None,
    tell: Callable[[str], None] | None = None,
) -> Separation:
    """Let both agents loose on a task, and on tasks built anew.

    Parameters
    ----------
    parts : Parts
        The task itself.
    seeds : range
        One round each, on the task and on each fresh build.
    anew : callable or None
        Builds the task again with another seed.
    line : float or None
        The pass line; None puts it half way between the two agents' hidden scores on the task, or
        at the score of who knows nothing, where that is the better one.
    tell : callable or None
        Told a few words after each round.
    """
    say = tell or (lambda _words: None)

    def fought(data: Parts, seed: int, what: str) -> Round:
        done = Round(
            seed,
            attempt("naive", data, scoring, seed),
            attempt("careful", data, scoring, seed),
        )
        say(f"{what} {seed}")
        return done

    own = tuple(fought(fewer(parts, seed), seed, "task") for seed in seeds)
    fresh = tuple(fought(anew(seed), seed, "fresh build") for seed in seeds) if anew else ()
    if line is None:
        means = [
            statistics.fmean(one.hidden for one in side)
            for side in ([r.naive for r in own], [r.careful for r in own])
        ]
        half = statistics.fmean(means)
        blind = scoring.score(parts.answers, ignorant(parts), parts.target)
        line = round(scoring.sign * max(scoring.sign * half, scoring.sign * blind), 5)
    return Separation(scoring.sign, fresh, own, line)


def ignorant(parts: Parts) -> NDArray[np.generic]:
    """Predict what an agent hands in that looks at nothing but the train part's targets."""
    import numpy as np

    values = parts.train[parts.target]
    middle = values.mode().iloc[0] if parts.kind == "label" else values.mean()
    return np.full(len(parts.answers), middle)


def fewer(parts: Parts, seed: int) -> Parts:
    """Leave a fifth of the train part's things out, another one for each seed.

    So runs on one task differ as agents do that hold rows out; the hidden test stays whole.
    """
    import numpy as np

    train = parts.train
    names: NDArray[np.generic] = (
        train[parts.entity].to_numpy() if parts.entity else np.arange(len(train))
    )
    different = np.unique(names.astype(str))
    random = np.random.default_rng(seed)
    kept = random.choice(different, max(1, round(_KEPT * len(different))), replace=False)
    left = train[np.isin(names.astype(str), kept)].reset_index(drop=True)
    return replace(parts, train=left)
