"""What the numbers of a table's tokens say of its header, rows, first tokens and one feature.

Pure functions of stored scores; each is a mean log-probability, so that higher is more familiar.

References
----------
Bordt et al., Elephants Never Forget: Memorization and Learning of Tabular Data in Large Language
Models, 2024 (arXiv:2404.06209): header, row, feature and first-token completion.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from detectors.familiarity.data_tables import Lines
    from detectors.familiarity.tokens import TokenScores

N_SHOWN = 3  # rows that show what rows are like; they are not counted
Span = tuple[int, int]


def row_spans(lines: Lines, n_rows: int) -> list[Span]:
    """Return where the first rows stand in `Lines.text`, their line ends included."""
    place = len(lines.name) + 1 + len(lines.line(lines.header)) + 1
    spans = []
    for row in lines.rows[:n_rows]:
        end = place + len(lines.line(row)) + 1
        spans.append((place, end))
        place = end
    return spans


def header_span(lines: Lines) -> Span:
    """Return where the header stands in `Lines.text`."""
    start = len(lines.name) + 1
    return start, start + len(lines.line(lines.header)) + 1


def cell_spans(lines: Lines, n_rows: int, column: int) -> list[Span]:
    """Return where a column's cells stand, the separators before them left out."""
    spans = []
    for (start, _end), row in zip(row_spans(lines, n_rows), lines.rows, strict=False):
        before = len(lines.line(row[:column])) + 1 if column else 0
        spans.append((start + before, start + before + len(lines.line([row[column]]))))
    return spans


def per_character(scores: TokenScores, spans: Sequence[Span]) -> float:
    """Return the log-probability per character of the tokens that begin in the spans; nats."""
    inside = np.zeros(scores.n_tokens, dtype=bool)
    for start, end in spans:
        inside |= (scores.start >= start) & (scores.start < end)
    numbers = scores.log_probability[inside]
    known = np.isfinite(numbers)
    n_characters = sum(end - start for start, end in spans)
    return float(numbers[known].sum() / n_characters) if known.any() else float("nan")


def first_tokens(scores: TokenScores, spans: Sequence[Span]) -> float:
    """Return the mean log-probability of the first token of each span; nats."""
    found: list[float] = []
    for start, end in spans:
        own = np.flatnonzero((scores.start >= start) & (scores.start < end))
        if len(own) and np.isfinite(scores.log_probability[own[0]]):
            found.append(float(scores.log_probability[own[0]]))
    return float(np.mean(found)) if found else float("nan")


def telling_column(lines: Lines) -> int:
    """Return the column with the most different cells that does not merely count."""
    columns = list(zip(*lines.rows, strict=True))

    def worth(column: int) -> tuple[bool, int, int]:
        cells = columns[column]
        counts = all(c.isdecimal() for c in cells) and len({*cells}) == len(cells)
        return (not counts, len({*cells}), sum(map(len, cells)))

    return max(range(len(columns)), key=worth)


def measures(lines: Lines, scores: TokenScores, n_rows: int, column: int) -> dict[str, float]:
    """Return rows, first tokens and the feature of one column; the first rows are not counted."""
    rows = row_spans(lines, n_rows)[N_SHOWN:]
    cells = cell_spans(lines, n_rows, column)[N_SHOWN:]
    return {
        "row": per_character(scores, rows),
        "first token": first_tokens(scores, rows),
        "feature": per_character(scores, cells),
    }


def as_array(values: Sequence[float]) -> NDArray[np.float64]:
    """Return finite values."""
    numbers = np.asarray(values, dtype=np.float64)
    return numbers[np.isfinite(numbers)]
