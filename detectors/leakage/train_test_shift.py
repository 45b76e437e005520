"""Tell how test rows differ from train rows: information for whoever validates, no accusation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from competitions.errors import EvidenceUnavailableError
from detectors.base import About, register
from detectors.leakage.column_scores import binned, folds_of, levels_of, score
from detectors.leakage.entity_overlap import DECLARED, names_of
from detectors.leakage.proxy_scan import numbers_of
from detectors.leakage.small_model import reached
from detectors.leakage.split import is_data, split_of
from reports.schema import Confidence, Quantity, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd
    from numpy.typing import NDArray

    from detectors.base import Subject
    from detectors.leakage.split import Split
    from reports.schema import Finding

    Cells = NDArray[np.float64]

MAX_ROWS = 2_000  # of each part
MIN_ROWS = 50
MAX_COLUMNS = 200
N_PERMUTED = 9
N_NAMED = 5
MOST_DIFFERENT = 0.9  # share of different values from which texts and whole numbers are ids
_PARTS = ("train", "test")


class Shift(NamedTuple):
    """How well the part of a row is told.

    Parameters
    ----------
    area : float
        Under the curve, out of fold, of a model of all columns.
    by_chance : float
        The largest among permuted parts.
    columns : tuple of (str, float)
        Those that tell it best alone, each with its own area.
    left_out : tuple of str
        Ids, entities and times, which differ between parts by their nature.
    """

    area: float
    by_chance: float
    columns: tuple[tuple[str, float], ...]
    left_out: tuple[str, ...]


@register
@dataclass(frozen=True)
class TrainTestShift:
    """Test rows that can be told from train rows by their columns, which is noted.

    A small model learns which part a row is of, on as many rows of either, and is asked out of
    fold. Where it does better than on permuted parts, rows of the two differ: random folds of the
    train part then say little of the test part. That may be as the task means it to be. Ids, times
    and what rows are about differ by nature; they are left out and named. Of a thing
    that the task or the call names, one row is looked at.

    Parameters
    ----------
    min_area : float in [0.5, 1], default=0.55
        Area under the curve from which a difference is worth telling.
    margin : float in [0, 0.5], default=0.02
        How far beyond the largest of nine permuted parts it has to be.
    seed : int >= 0, default=0
        Of the rows, the folds, the permutations and the model.
    """

    about: ClassVar[About] = About(
        id="train-test-shift",
        subject=SubjectKind.TASK,
        asks="Can test rows be told from train rows?",
        blind_spots=(
            "Texts are looked at by their length, pictures and sounds not at all. That the parts "
            "cannot be told apart does not say that their targets are alike."
        ),
        reference="https://doi.org/10.1145/1273496.1273518 (Bickel et al. 2007, Discriminative "
        "learning for differing training and test distributions)",
    )
    min_area: float = 0.55
    margin: float = 0.02
    seed: int = 0

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        return None if is_data(subject) else "it looks at tasks and data only"

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            When the tables are not here, have fewer than fifty rows, or share no column beside ids
            and times.
        """
        split = split_of(subject)
        found = shift(split, self.seed)
        bar = max(self.min_area, found.by_chance + self.margin)
        if found.area < bar:
            return
        told = ", ".join(f"{name} ({area:.2f} alone)" for name, area in found.columns)
        without = f" Left out: {', '.join(found.left_out)}." if found.left_out else ""
        yield self.about.finding(
            subject,
            f"Test rows can be told from train rows with an area under the curve of "
            f"{found.area:.2f}, most by {told or 'several columns together'}.{without}",
            Quantity(
                name="out-of-fold area under the curve of the part of a row",
                value=round(found.area, 4),
                compared_with=f"the largest among {N_PERMUTED} permutations of the parts",
                reference=round(found.by_chance, 4),
            ),
            *(
                Quantity(name=f"the same by {name} alone", value=round(area, 4))
                for name, area in found.columns
            ),
            severity=Severity.NOTE,
            confidence=Confidence.HIGH,
        )


def shift(split: Split, seed: int) -> Shift:
    """Measure how well the part of a row is told.

    Raises
    ------
    EvidenceUnavailableError
        See `TrainTestShift.detect`.
    """
    rng = np.random.default_rng(seed)
    sides = [_one_each(table.frame, split, rng) for table in split.both()]
    n_rows = min(*map(len, sides), MAX_ROWS)
    if n_rows < MIN_ROWS:
        raise EvidenceUnavailableError(
            "data", f"expected at least {MIN_ROWS} rows in either part, found {n_rows}"
        )
    drawn = [s.iloc[np.sort(rng.choice(len(s), n_rows, replace=False))] for s in sides]
    left_out, cells = [], {}
    by_nature = {*split.times, *(e.column for e in split.entities)}
    for name in split.features[:MAX_COLUMNS]:
        if name in by_nature or any(_are_ids(part[name]) for part in drawn):
            left_out.append(name)
        else:
            cells[name] = _cells(drawn[0][name], drawn[1][name])
    if not cells:
        raise EvidenceUnavailableError("data", "both tables share ids and times only")
    parts = levels_of("part", np.repeat([0, 1], n_rows), _PARTS)
    folds = folds_of(2 * n_rows, seed)
    table = np.column_stack(list(cells.values()))
    chance = max(reached(table, parts.shuffled(rng), seed) or 0.5 for _ in range(N_PERMUTED))
    alone = {name: score(binned(column), parts, folds).strength for name, column in cells.items()}
    best = sorted(alone, key=lambda name: -alone[name])[:N_NAMED]
    told = tuple((name, alone[name]) for name in best if alone[name] >= chance)
    return Shift(reached(table, parts, seed) or 0.5, chance, told, tuple(left_out))


def _one_each(side: pd.DataFrame, split: Split, rng: np.random.Generator) -> pd.DataFrame:
    """Draw one row of each thing that somebody names, lest folds know it again by other rows.

    Where too few things are left to learn from, all rows stay.
    """
    if split.how.get("entities") not in DECLARED:
        return side
    for entity in split.entities:
        if entity.column in side:
            mixed = side.iloc[rng.permutation(len(side))]
            names = names_of(entity, mixed)
            one_each = mixed[(names == "") | ~names.duplicated()]
            side = one_each if len(one_each) >= MIN_ROWS else side
    return side


def _are_ids(values: pd.Series) -> bool:
    """Say whether nearly every cell has a name of its own; texts with blanks are texts."""
    from pandas.api.types import is_float_dtype, is_numeric_dtype

    if is_float_dtype(values):
        return False
    texts = values.astype(str)
    if not is_numeric_dtype(values) and texts.str.contains(" ", regex=False).mean() > 0.5:  # noqa: PLR2004
        return False
    return bool(texts.nunique() >= MOST_DIFFERENT * len(texts))


def _cells(left: pd.Series, right: pd.Series) -> Cells:
    """Return a column of both parts as numbers: texts of few values as levels, others by length."""
    import pandas as pd

    both = pd.concat([left, right], ignore_index=True)
    if (numbers := numbers_of(both)) is not None:
        return numbers
    texts = both.astype(object).where(both.notna(), "").map(str)
    codes, levels = pd.factorize(texts, sort=True)
    if len(levels) > MAX_ROWS // 20:
        return np.asarray(texts.str.len(), dtype=float)
    return np.asarray(codes, dtype=float)
