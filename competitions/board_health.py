"""How well a board tells attempts apart: ties, crowding, and medals that start at one score."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from competitions.medals import most_common, thresholds

if TYPE_CHECKING:
    from competitions.medals import BoardScores

# From here on a tie or a crowd is told in words; the figures are always in the JSON.
TIED_TEAMS = 10  # as many as win gold on a board of 100
CROWDED_SHARE = 0.1  # of the board at one score
CROWDED_TEAMS = 3  # on a small board two equal scores are no crowd
_ONE_PER_CENT = 0.01


@dataclass(frozen=True)
class BoardHealth:
    """What a board's scores look like.

    Parameters
    ----------
    gold, silver, bronze : float or None
        Where the medals start. All that is about medals is None for a board of baselines.
    n_distinct : int
        How many different scores there are.
    tied_at_best, tied_at_gold, tied_at_silver, tied_at_bronze, tied_at_median : int or None
        How many teams have exactly the best score, the medal's threshold, the median.
    gold_is_silver, silver_is_bronze, bronze_is_median : bool or None
        Whether two of these start at the same score.
    share_with_gold, share_with_medal : float or None
        Shares in [0, 1] of teams at or above gold, and at or above bronze.
    most_common : float or None
        The score that most teams have, the better one of several; None when none occurs twice.
    n_most_common : int
        How many teams have it; 0 when there is none.
    """

    kind: Literal["kaggle", "baselines"]
    n_teams: int
    n_distinct: int
    best: float
    worst: float
    median: float
    gold: float | None
    silver: float | None
    bronze: float | None
    tied_at_best: int
    tied_at_gold: int | None
    tied_at_silver: int | None
    tied_at_bronze: int | None
    tied_at_median: int
    gold_is_silver: bool | None
    silver_is_bronze: bool | None
    bronze_is_median: bool | None
    share_with_gold: float | None
    share_with_medal: float | None
    most_common: float | None
    n_most_common: int
    share_most_common: float

    @property
    def who(self) -> str:
        """Whose scores they are: ``teams`` or ``baselines``."""
        return "teams" if self.kind == "kaggle" else "baselines"

    @property
    def words(self) -> str:
        """What is worth knowing of it, for a person.

        Told are several teams at the best score, thresholds that are one score, at least 10 teams
        tied at a medal's threshold, and a tenth of the board or more, but no pair, at one score.
        """
        alike = _alike(self)
        told = [_at_one_score(self, names, score) for score, names in alike.items()]
        if self.tied_at_best > 1 and self.best not in alike:
            told.append(f"{self.tied_at_best} {self.who} tied at the best score")
        for name, score in _medals(self).items():
            tied = getattr(self, f"tied_at_{name}")
            if tied >= TIED_TEAMS and score not in alike:
                told.append(f"{tied} teams tied at {name}")
        if _is_crowded(self) and self.most_common not in alike:
            share = _per_cent(self.share_most_common)
            told.append(f"{share} of {self.who} at {self.most_common:g}")
        return "; ".join(told) or "well spread"


def board_health(board: BoardScores) -> BoardHealth:
    """Measure a board.

    Notes
    -----
    The direction is not needed: a board stands best first.

    Examples
    --------
    >>> from competitions.medals import BoardScores
    >>> board_health(BoardScores("kaggle", "", (1.0, 1.0, 0.9, 0.8, 0.8))).words
    'best = gold = silver = bronze at 1, 40% of teams there'
    """
    scores, limits = board.scores, thresholds(board)
    common = most_common(scores)
    gold, silver, bronze = limits.gold, limits.silver, limits.bronze

    def tied(limit: float | None) -> int | None:
        return None if limit is None else scores.count(limit)

    def reached(limit: float | None) -> float | None:
        # The last team with this score closes the medal: ties at a threshold all have it.
        return None if limit is None else (scores.index(limit) + scores.count(limit)) / len(scores)

    return BoardHealth(
        kind=board.kind,
        n_teams=len(scores),
        n_distinct=len(set(scores)),
        best=scores[0],
        worst=scores[-1],
        median=limits.median,
        gold=gold,
        silver=silver,
        bronze=bronze,
        tied_at_best=scores.count(scores[0]),
        tied_at_gold=tied(gold),
        tied_at_silver=tied(silver),
        tied_at_bronze=tied(bronze),
        tied_at_median=scores.count(limits.median),
        gold_is_silver=None if gold is None else gold == silver,
        silver_is_bronze=None if silver is None else silver == bronze,
        bronze_is_median=None if bronze is None else bronze == limits.median,
        share_with_gold=reached(gold),
        share_with_medal=reached(bronze),
        most_common=common.score if common else None,
        n_most_common=common.n_teams if common else 0,
        share_most_common=common.n_teams / len(scores) if common else 0.0,
    )


def means_little(health: BoardHealth, min_share: float = 0.5) -> bool:
    """Say whether all medals of a board start at one score, or many of its teams have one."""
    one_score = bool(health.gold_is_silver and health.silver_is_bronze)
    return one_score or (health.share_with_medal or 0.0) >= min_share


def _is_crowded(health: BoardHealth) -> bool:
    enough = health.n_most_common >= CROWDED_TEAMS
    return enough and health.share_most_common >= CROWDED_SHARE


def _medals(health: BoardHealth) -> dict[str, float]:
    named = {"gold": health.gold, "silver": health.silver, "bronze": health.bronze}
    return {name: score for name, score in named.items() if score is not None}


def _alike(health: BoardHealth) -> dict[float, list[str]]:
    """Name the thresholds that are one score; best counts only where several teams have it."""
    medals = _medals(health)
    named = {"best": health.best} if health.tied_at_best > 1 else {}
    named |= medals | ({"median": health.median} if medals else {})
    found: dict[float, list[str]] = defaultdict(list)
    for name, score in named.items():
        found[score].append(name)
    return {score: names for score, names in found.items() if len(names) > 1}


def _at_one_score(health: BoardHealth, names: list[str], score: float) -> str:
    tied = getattr(health, f"tied_at_{names[-1]}")
    return f"{' = '.join(names)} at {score:g}, {_per_cent(tied / health.n_teams)} of teams there"


def _per_cent(share: float) -> str:
    """Write a share without decimals, below one per cent with one."""
    return f"{100 * share:.{0 if share >= _ONE_PER_CENT else 1}f}%"
