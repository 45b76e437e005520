"""Tasks whose test part must hold two values of a rare label, for rank correlations need two."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.errors import RawDataError
from competitions.hooks import Hooks
from competitions.outputs import require_columns
from competitions.splits import Parts, group_names

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from competitions.spec import Competition

RARE = "question_type_spelling"  # nearly always 0


def with_two_values(spec: Competition, parts: Parts) -> Parts:
    """Let the test part's first row change places with a train row, if its rare label is constant.

    The train row is the first whose label is not 0. Where the split keeps groups whole, the two
    rows' groups change places.

    Raises
    ------
    RawDataError
        When there is no such row, or another predicted column has one value only in the test part.
    """
    train, test = parts
    require_columns(test, spec.targets, spec.split.on)
    if test[RARE].nunique() == 1:  # noqa: PD101 - empty cells do not count
        other = (train[RARE] != 0).to_numpy().nonzero()[0]
        if not len(other):
            raise RawDataError(
                f"{spec.split.on}: expected a row whose {RARE} is not 0, found none."
            )
        train, test = _exchanged(spec, train, int(other[0]), test)
    flat = [name for name in spec.targets if test[name].nunique() < 2]  # noqa: PLR2004
    if flat:
        raise RawDataError(
            f"{spec.split.on}: expected two values or more in every predicted column of the test "
            f"part, found one in {', '.join(flat)}."
        )
    return Parts(train, test)


def _exchanged(
    spec: Competition, train: pd.DataFrame, place: int, test: pd.DataFrame
) -> tuple[pd.DataFrame, pd.DataFrame]:
    import pandas as pd

    chosen, first = _with_its_group(spec, train, place), _with_its_group(spec, test, 0)
    before = train[:place][~chosen[:place]]
    after = train[place:][~chosen[place:]]
    return pd.concat([before, test[first], after]), pd.concat([train[chosen], test[~first]])


def _with_its_group(spec: Competition, frame: pd.DataFrame, place: int) -> NDArray[np.bool_]:
    """Mark a row, and where the split has groups all rows of its group."""
    import numpy as np

    mark: NDArray[np.bool_] = np.arange(len(frame)) == place
    if spec.split.group is not None:
        names = group_names(frame, spec.split.group)
        mark = (names == names.iloc[place]).to_numpy()
    return mark


HOOKS = Hooks(rows=with_two_values)
