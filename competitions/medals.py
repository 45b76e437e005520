"""Boards and medals: Kaggle's rule, as MLE-bench applies it."""

from __future__ import annotations

import csv
import io
import statistics
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from competitions.errors import DigestMismatchError, UnreadableFileError
from competitions.grade import DECIMALS, Thresholds
from competitions.io import sha256_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from competitions.grade import Medal
    from competitions.spec import Competition

BOARDS = Path(__file__).parent / "boards"

_SMALL, _MIDDLE, _LARGE = 100, 250, 1000


@dataclass(frozen=True)
class BoardScores:
    """A board's scores, best first, as its file holds them.

    Parameters
    ----------
    names : tuple of str
        Of the baselines; empty for a Kaggle board, whose teams are not named.
    """

    kind: Literal["kaggle", "baselines"]
    sha256: str
    scores: tuple[float, ...]
    names: tuple[str, ...] = ()


class Positions(NamedTuple):
    """Places, from 1, of the last gold, silver and bronze medal."""

    gold: int
    silver: int
    bronze: int


def positions(n_teams: int) -> Positions:
    """Return the last place of each medal on a board of `n_teams`.

    References
    ----------
    https://www.kaggle.com/progression and Chan et al. (2024), https://arxiv.org/abs/2410.07095

    Examples
    --------
    >>> positions(2288)
    Positions(gold=14, silver=114, bronze=228)
    """
    if n_teams < 1:
        raise ValueError(f"a board needs a team, found {n_teams}")
    # int(share * n) and not n // 10: floating point decides as it does in the published results.
    if n_teams < _SMALL:
        placed = (int(n_teams * 0.1), int(n_teams * 0.2), int(n_teams * 0.4))
    elif n_teams < _MIDDLE:
        placed = (10, int(n_teams * 0.2), int(n_teams * 0.4))
    elif n_teams < _LARGE:
        placed = (10 + int(n_teams * 0.002), 50, 100)
    else:
        placed = (10 + int(n_teams * 0.002), int(n_teams * 0.05), int(n_teams * 0.1))
    return Positions(*(max(1, place) for place in placed))


def read_board(path: Path, kind: Literal["kaggle", "baselines"]) -> BoardScores:
    """Read a board file: columns `rank,score` of a Kaggle board, `name,score` of baselines.

    Raises
    ------
    UnreadableFileError
        When it is missing, has no `score` column or a score that is no number.
    """
    try:
        board = _parsed(path.read_bytes(), kind)
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise UnreadableFileError(f"{path} is no board: {error}") from error
    if not board.scores:
        raise UnreadableFileError(f"{path} is no board: it holds no score.")
    return board


@lru_cache(maxsize=16)  # each attempt at a task is placed on the same one
def _parsed(content: bytes, kind: Literal["kaggle", "baselines"]) -> BoardScores:
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8"), newline="")))
    scores = tuple(float(row["score"]) for row in rows)
    names = tuple(row["name"] for row in rows) if kind == "baselines" else ()
    return BoardScores(kind, sha256_bytes(content), scores, names)


def load_board(spec: Competition, folder: Path = BOARDS) -> BoardScores:
    """Read a task's board and compare it with the pin in the task's definition.

    That of a task outside the catalog is ``board.csv`` beside its definition.

    Raises
    ------
    DigestMismatchError
        When the file is another one.
    """
    own = spec.origin.parent / "board.csv" if spec.origin is not None else None
    if own is not None and own.is_file():
        remedy = f"Write the found digest into {spec.origin}, if the board was changed on purpose."
        return verified_board(own, spec.board.kind, spec.board.sha256, remedy)
    return verified_board(folder / f"{spec.id}.csv", spec.board.kind, spec.board.sha256)


def verified_board(
    path: Path,
    kind: Literal["kaggle", "baselines"],
    sha256: str,
    remedy: str = "Install mle-audit anew; its board has changed.",
) -> BoardScores:
    """Read a board file and compare it with its pin.

    Raises
    ------
    DigestMismatchError
        When the file is another one.
    UnreadableFileError
        When it is no board.
    """
    board = read_board(path, kind)
    if board.sha256 != sha256:
        raise DigestMismatchError(path, sha256, board.sha256, remedy)
    return board


def thresholds(board: BoardScores) -> Thresholds:
    """Return the scores that medals start at, and the median; baselines award no medals.

    Notes
    -----
    The direction is not needed: a board stands best first.
    """
    gold = silver = bronze = None
    if board.kind == "kaggle":
        gold, silver, bronze = (board.scores[p - 1] for p in positions(len(board.scores)))
    common = most_common(board.scores)
    return Thresholds(
        kind=board.kind,
        sha256=board.sha256,
        n_teams=len(board.scores),
        gold=gold,
        silver=silver,
        bronze=bronze,
        median=statistics.median(board.scores),
        most_common=common.score if common else None,
        share_most_common=common.n_teams / len(board.scores) if common else 0.0,
    )


class MostCommon(NamedTuple):
    """The score that most teams of a board have, and how many have it."""

    score: float
    n_teams: int


def most_common(scores: Sequence[float]) -> MostCommon | None:
    """Return a board's most common score, the better one of several; None when none occurs twice.

    Examples
    --------
    >>> most_common([0.9, 0.8, 0.8, 0.7, 0.7])
    MostCommon(score=0.8, n_teams=2)
    """
    # Of equal counts the one met first is returned, and a board stands best first.
    score, count = Counter(scores).most_common(1)[0]
    return MostCommon(score, count) if count > 1 else None


def is_most_common(score: float, board: Thresholds) -> bool:
    """Say whether a score is the board's most common one, at the five decimals of a grade."""
    return board.most_common is not None and round(board.most_common, DECIMALS) == score


def is_at_least(score: float, threshold: float, *, is_lower_better: bool) -> bool:
    """Say whether a score is as good as a threshold or better."""
    return score <= threshold if is_lower_better else score >= threshold


def medal_of(score: float, board: Thresholds, *, is_lower_better: bool) -> Medal | None:
    """Return the best medal a score reaches, thresholds included; None without one."""
    medals: tuple[tuple[Medal, float | None], ...] = (
        ("gold", board.gold),
        ("silver", board.silver),
        ("bronze", board.bronze),
    )
    for medal, limit in medals:
        if limit is not None and is_at_least(score, limit, is_lower_better=is_lower_better):
            return medal
    return None


def percentile(score: float, scores: Sequence[float], *, is_lower_better: bool) -> float:
    """Return the share of scores that are strictly worse, in per cent.

    Examples
    --------
    >>> percentile(0.8, [0.9, 0.8, 0.7, 0.6], is_lower_better=False)
    50.0
    """
    worse = sum(not is_at_least(s, score, is_lower_better=is_lower_better) for s in scores)
    return 100.0 * worse / len(scores)
