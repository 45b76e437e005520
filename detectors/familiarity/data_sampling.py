"""Rows that a model writes when it is shown the rows before: for chat endpoints.

The null shuffles which row was asked for: a model that writes rows which merely look right hits
them as often. Nothing of the test needs the model's numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from competitions.errors import TextError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from detectors.familiarity.data_tables import Lines

N_PLACES = 12  # rows that are asked for
N_BEFORE = 10  # rows that are shown before each
N_SHUFFLES = 9_999
ANSWER_TOKENS = 96
_PROMPT = (
    "The following are lines of the file {name}, as it was published. Write the line that comes "
    "next in the file, and nothing else.\n\n{lines}"
)


@dataclass(frozen=True)
class Written:
    """How often what a model wrote is the row that comes next, against shuffled rows.

    Parameters
    ----------
    name : str
        ``row``, ``first cell`` or ``feature``.
    hits : int
    n : int
        Rows that were asked for.
    by_chance : float
        Hits of the mean shuffle.
    p : float
        Share of shuffles, the true order among them, with as many.
    """

    name: str
    hits: int
    n: int
    by_chance: float
    p: float


def write_rows(
    lines: Lines, column: int, ask: Callable[[str], str], seed: int = 0
) -> list[Written]:
    """Ask for rows spread over a table, and hold whole rows, first cells and one column's cells.

    Raises
    ------
    TextError
        When the table is too short.
    """
    n_rows = len(lines.rows)
    if n_rows < N_BEFORE + N_PLACES:
        expected = f"expected {N_BEFORE + N_PLACES} rows, found {n_rows}"
        raise TextError(lines.name, expected)
    places = np.unique(np.linspace(N_BEFORE, n_rows - 1, N_PLACES).astype(int))
    answers = [_cells(ask(_prompt(lines, place)), lines) for place in places]
    truth = [lines.rows[place] for place in places]
    rng = np.random.default_rng(seed)
    return [_held(name, hits, rng) for name, hits in _views(answers, truth, column)]


def _prompt(lines: Lines, place: int) -> str:
    shown = map(lines.line, lines.rows[place - N_BEFORE : place])
    return _PROMPT.format(name=lines.name, lines="\n".join([lines.line(lines.header), *shown]))


def _cells(answer: str, lines: Lines) -> tuple[str, ...]:
    """Return the cells of the first line of an answer that has as many as the table."""
    for line in answer.splitlines():
        cells = tuple(c.strip() for c in line.strip().strip("`").split(lines.separator))
        if len(cells) == len(lines.header):
            return cells
    return ()


def _views(
    answers: list[tuple[str, ...]], truth: list[tuple[str, ...]], column: int
) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Yield per question which answer fits which row."""
    yield "row", np.array([[a == t for t in truth] for a in answers])
    for name, place in (("first cell", 0), ("feature", column)):
        fits = [[bool(a) and a[place] == t[place] for t in truth] for a in answers]
        yield name, np.array(fits)


def _held(name: str, fits: NDArray[np.bool_], rng: np.random.Generator) -> Written:
    n = len(fits)
    hits = int(np.trace(fits))
    rows = np.arange(n)
    shuffled = np.array([fits[rows, rng.permutation(n)].sum() for _ in range(N_SHUFFLES)])
    p = (1 + int((shuffled >= hits).sum())) / (N_SHUFFLES + 1)
    return Written(name, hits, n, float(shuffled.mean()), p)
