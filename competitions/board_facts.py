"""The Kaggle boards that ship, and what is known of each: one row of ``boards/index.csv``.

Boards of tasks that are not in the catalog yet are here too. A board is compared with the digest in
its row before anything is read from it.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Literal, TypeVar

from competitions.errors import UnknownNameError, UnreadableFileError
from competitions.medals import BOARDS, verified_board

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from competitions.medals import BoardScores

INDEX = "index.csv"

Word = TypeVar("Word", bound=str)


@dataclass(frozen=True)
class BoardFacts:
    """What is published about one Kaggle board.

    Parameters
    ----------
    id : str
        The task's id; the board's file is ``boards/<id>.csv``.
    complexity : {"low", "medium", "high", "dev"}
        MLE-bench's split by complexity; ``dev`` is outside of its 75 tasks.
    split75 : bool
        Whether MLE-bench's 75 tasks hold it.
    dataset_gb : float or None
        Size of Kaggle's data in gigabytes; None where it is not published.
    enabled, deadline : date or None
        When the competition began and ended; None where it is not published.
    last_submission : date
        Of the newest score on the board.
    gold, silver, bronze, median : float
        The published thresholds; `competitions.medals.thresholds` computes them from the board.
    official_sha256 : str
        Git-LFS object id of MLE-bench's own file, for provenance.
    sha256 : str
        The pin of the file that ships.
    """

    id: str
    complexity: Literal["low", "medium", "high", "dev"]
    split75: bool
    category: str
    dataset_gb: float | None
    enabled: date | None
    deadline: date | None
    last_submission: date
    direction: Literal["higher", "lower"]
    n_teams: int
    gold: float
    silver: float
    bronze: float
    median: float
    official_sha256: str
    sha256: str


@cache
def all_facts(folder: Path = BOARDS) -> Mapping[str, BoardFacts]:
    """Read the facts of every Kaggle board, by id, in the order of the file.

    Raises
    ------
    UnreadableFileError
        When the index is missing or a row of it cannot be read.
    """
    path = folder / INDEX
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            return {row["id"]: _facts(row) for row in csv.DictReader(stream)}
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise UnreadableFileError(
            f"{path} is no index of boards: {error}", "Install mle-audit anew."
        ) from error


def facts_of(competition_id: str, folder: Path = BOARDS) -> BoardFacts:
    """Return what is known of one board.

    Raises
    ------
    UnknownNameError
        When no Kaggle board has this id.
    """
    known = all_facts(folder)
    if competition_id not in known:
        raise UnknownNameError(
            "Kaggle board", competition_id, known, "List them with: mle-audit list boards"
        )
    return known[competition_id]


def load_kaggle_board(competition_id: str, folder: Path = BOARDS) -> BoardScores:
    """Read one Kaggle board, also of a task that the catalog has not, and verify its digest.

    Raises
    ------
    UnknownNameError
        When no Kaggle board has this id.
    DigestMismatchError
        When the file is not the pinned one.
    UnreadableFileError
        When it is no board.
    """
    facts = facts_of(competition_id, folder)
    return verified_board(folder / f"{competition_id}.csv", "kaggle", facts.sha256)


def _facts(row: dict[str, str]) -> BoardFacts:
    return BoardFacts(
        id=row["id"],
        complexity=_one_of(row["complexity"], "low", "medium", "high", "dev"),
        split75=_one_of(row["split75"], "true", "false") == "true",
        category=row["category"],
        dataset_gb=float(row["dataset_gb"]) if row["dataset_gb"] else None,
        enabled=date.fromisoformat(row["enabled"]) if row["enabled"] else None,
        deadline=date.fromisoformat(row["deadline"]) if row["deadline"] else None,
        last_submission=date.fromisoformat(row["last_submission"]),
        direction=_one_of(row["direction"], "higher", "lower"),
        n_teams=int(row["n_teams"]),
        gold=float(row["gold"]),
        silver=float(row["silver"]),
        bronze=float(row["bronze"]),
        median=float(row["median"]),
        official_sha256=row["official_sha256"],
        sha256=row["sha256"],
    )


def _one_of(text: str, *words: Word) -> Word:
    for word in words:
        if word == text:
            return word
    raise ValueError(f"expected {', '.join(words)}; found {text!r}")
