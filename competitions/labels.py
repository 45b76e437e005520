"""What may stand for a class label in a column that pandas has read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

MIN_WORDS_TAKEN_AS_LABELS = 3  # scikit-learn 1.5-1.7 refuses two kinds of words and compares three

LARGEST_WHOLE_FLOAT = 2.0**63  # beyond it a float is no 64-bit integer


def is_text(values: pd.Series) -> bool:
    """Say whether every value that is not missing is text, and there is one.

    Whole numbers of more than 64 bits are text, too: pandas cannot hold them as numbers.
    """
    import pandas as pd

    if pd.api.types.is_bool_dtype(values) or pd.api.types.is_numeric_dtype(values):
        return False
    words = values.dropna().unique()
    return len(words) > 0 and not any(isinstance(v, bool) for v in words)


def is_integral(values: pd.Series) -> pd.Series:
    """Mark the values of a numeric column that are whole numbers; huge floats are none."""
    import pandas as pd

    if not pd.api.types.is_float_dtype(values):
        return values.notna()
    return (values == values.round()) & (values.abs() < LARGEST_WHOLE_FLOAT)


def label_problem(
    values: pd.Series, *, words_count_as_wrong: bool, is_binary: bool = True
) -> str | None:
    """Say why a column cannot be compared with boolean or integer labels, or None.

    Parameters
    ----------
    values : Series
        A submitted column as pandas reads it.
    words_count_as_wrong : bool
        Take a column of words as labels that are all wrong, as the published scores do; False
        refuses every word.
    is_binary : bool
        Whether the answers have at most two classes: then one or two different words are refused
        all the same.
    """
    import pandas as pd

    if values.isna().any():
        return f"empty cells ({int(values.isna().sum())})"
    if pd.api.types.is_numeric_dtype(values):  # bool is numeric to pandas
        n_odd = int((~is_integral(values)).sum())
        return f"{n_odd} values are no whole number; probabilities are no labels" if n_odd else None
    words = values.unique()
    if all(isinstance(v, bool) for v in words):
        return None
    enough = len(words) >= MIN_WORDS_TAKEN_AS_LABELS or not is_binary
    if words_count_as_wrong and is_text(values) and enough:
        return None
    shown = ", ".join(repr(str(w)[:40]) for w in words[:5])
    return f"expected True/False or whole numbers, found text: {shown}"
