"""What the builder's agents make of a table's columns: one matrix of numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from competitions.trap_tables import LARGEST

if TYPE_CHECKING:
    from collections.abc import Collection

    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from competitions.trap import Parts

CODES: Final = " with codes"
MANY: Final = 40  # different values from which on words are codes, no categories
_MOSTLY: Final = 0.5  # of the words have figures: then they are codes, and no text
_TERMS: Final = 150  # of a column of text
_TEXT_WEIGHT: Final = 0.4  # of a term beside a number, once both are scaled
_PRIOR: Final = 1.0  # rows that a code's mean is drawn to the mean of all by


@dataclass(frozen=True)
class Roles:
    """What the columns are: numbers, categories, codes of many values, texts, times."""

    numbers: tuple[str, ...]
    categories: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    times: tuple[str, ...] = ()

    def without(self, columns: Collection[str]) -> Roles:
        """Leave columns out."""
        kept = {
            name: tuple(c for c in found if c not in columns) for name, found in vars(self).items()
        }
        return replace(self, **kept)


def roles_of(parts: Parts) -> Roles:
    """Tell from the train part what each column is; columns of one value are left out."""
    found: dict[str, list[str]] = {
        name: [] for name in ("numbers", "categories", "codes", "texts", "times")
    }
    for column in parts.features:
        values = parts.train[column].dropna()
        different = values.nunique()
        if column == parts.time:
            found["times"].append(column)
        elif different < 2:  # noqa: PLR2004 - says nothing
            continue
        elif values.dtype.kind in "iufb":
            found["numbers"].append(column)
        elif different <= MANY:
            found["categories"].append(column)
        else:
            has_figures = values.astype(str).str.contains(r"^\S*\d\S*$").mean() > _MOSTLY
            found["codes" if has_figures else "texts"].append(column)
    return Roles(**{name: tuple(columns) for name, columns in found.items()})


def when(values: pd.Series) -> NDArray[np.float64]:
    """Return times as numbers: days where they are dates, else as they are.

    Raises
    ------
    ValueError
        When they are neither.
    """
    import numpy as np
    import pandas as pd

    if values.dtype.kind in "iuf":
        return values.to_numpy(float)
    moments = pd.to_datetime(values, format="mixed")
    days = (moments - pd.Timestamp("1970-01-01")) / pd.Timedelta(days=1)
    return np.asarray(days, dtype=np.float64)


def prepared(
    frame: pd.DataFrame,
    truth: NDArray[np.generic],
    roles: Roles,
    kind: str,
    learnt_on: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Make a matrix of numbers, scaled by the rows that it may learn from.

    Parameters
    ----------
    truth : ndarray
        Targets of the first rows of `frame`.
    learnt_on : ndarray of int
        Rows from which means, words and the codes' targets are taken.
    """
    import numpy as np
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    blocks: list[NDArray[np.float64]] = [when(frame[c])[:, None] for c in roles.times]
    if roles.numbers:
        numbers = frame[list(roles.numbers)].astype(float)
        numbers = numbers.where(numbers.abs() < LARGEST)  # an infinity is as good as nothing
        middle = numbers.iloc[learnt_on].median()
        blocks.append(numbers.fillna(middle).fillna(0.0).to_numpy())
    if roles.categories:
        words = frame[list(roles.categories)].astype(str)
        one_hot = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
        blocks.append(one_hot.fit(words.iloc[learnt_on]).transform(words))
    blocks += [_code_block(frame[c], truth, kind, learnt_on) for c in roles.codes]
    table = np.hstack(blocks) if blocks else np.zeros((len(frame), 1))
    scaled = StandardScaler().fit(table[learnt_on]).transform(table)
    return np.hstack([scaled, *(_text_block(frame[c].astype(str), learnt_on) for c in roles.texts)])


def _text_block(texts: pd.Series, learnt_on: NDArray[np.int64]) -> NDArray[np.float64]:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.preprocessing import StandardScaler

    terms: Any = TfidfVectorizer(
        analyzer="char_wb", ngram_range=(1, 3), max_features=_TERMS, min_df=2, sublinear_tf=True
    )
    table = terms.fit(texts.iloc[learnt_on]).transform(texts).toarray()
    scaled = StandardScaler().fit(table[learnt_on]).transform(table)
    return _TEXT_WEIGHT * scaled  # type: ignore[no-any-return]


def _code_block(
    codes: pd.Series, truth: NDArray[np.generic], kind: str, learnt_on: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Replace each code by the mean target of its rows, one column per class."""
    import numpy as np
    import pandas as pd

    seen = truth[learnt_on]
    classes = np.unique(seen)[1:] if kind != "number" else None
    columns = (
        [seen.astype(float)] if classes is None else [(seen == c).astype(float) for c in classes]
    )
    blocks = []
    for values in columns:
        rows = pd.Series(values).groupby(codes.iloc[learnt_on].to_numpy())
        middle = values.mean()
        means = (rows.sum() + _PRIOR * middle) / (rows.count() + _PRIOR)
        blocks.append(codes.map(means).fillna(middle).to_numpy(float))
    return np.column_stack(blocks)
