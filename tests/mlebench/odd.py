"""Odd submissions, some of which a grader takes and others it refuses, for any task."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd  # noqa: TID253

if TYPE_CHECKING:
    from collections.abc import Iterator

    from competitions.spec import Competition

# What stands in every row of the first predicted column.
CELLS: dict[str, Any] = {
    "seven": 7,
    "one": 1,
    "fraction": 7.5,
    "half": 0.5,
    "negative": -0.5,
    "minus-three": -3,
    "a-thousand": 1000,
    "infinite": np.inf,
    "true": True,
    "a-word": "abc",
    "word-for-missing": "NA",
    "a-blank": " ",
    "two-blanks-between": "a  b",
    "three-numbers": "1 1 3",
    "a-run": "1 9",
    "runs-that-overlap": "5 20 10 3",
    "runs-that-descend": "50 2 10 3",
    "a-run-from-beyond": "20000000 5",
    "a-point-nowhere": "U+306F nan inf",
    "a-point-of-words": "U+306F 1 x",
}


def odd_submissions(perfect: pd.DataFrame, spec: Competition) -> dict[str, pd.DataFrame]:
    """Change a perfect submission in many ways, one each.

    Returns
    -------
    dict of str to DataFrame
        By what is odd about it. Keys, columns, the cells of the first predicted column and, with
        several predicted columns, sums of rows.
    """
    target = next(n for n in perfect.columns if n in spec.targets)
    found = dict(_rows_and_columns(perfect, spec.submission.key[0], target))
    found |= {f"all-{name}": perfect.assign(**{target: cell}) for name, cell in CELLS.items()}
    found |= dict(_cells(perfect, target))
    found |= dict(_random(perfect, target))
    if len(spec.targets) > 1:
        found |= dict(_sums(perfect, [n for n in perfect.columns if n in spec.targets]))
    return found


def _rows_and_columns(
    perfect: pd.DataFrame, key: str, target: str
) -> Iterator[tuple[str, pd.DataFrame]]:
    loose = perfect.astype({key: object})
    yield "a-row-twice", pd.concat([perfect, perfect.tail(1)])
    yield "a-row-in-place-of-another", pd.concat([perfect.iloc[:-1], perfect.iloc[[0]]])
    yield "no-row", perfect.iloc[:0]
    yield "a-further-column", perfect.assign(further=1)
    yield "columns-reversed", perfect[perfect.columns[::-1]]
    yield "no-key", perfect.drop(columns=key)
    yield "no-target", perfect.drop(columns=target)
    yield "other-keys", perfect.assign(**{key: perfect[key].astype(str) + "x"})
    yield "keys-in-capitals", perfect.assign(**{key: perfect[key].astype(str).str.upper()})
    yield "an-empty-key", loose.assign(**{key: [None, *loose[key].iloc[1:]]})
    if pd.api.types.is_integer_dtype(perfect[key]):
        yield "keys-as-floats", perfect.assign(**{key: perfect[key].astype(float)})


def _cells(perfect: pd.DataFrame, target: str) -> Iterator[tuple[str, pd.DataFrame]]:
    cells, n = perfect[target].astype(object), len(perfect)
    text = perfect[target].astype(str)
    columns: dict[str, Any] = {
        "all-empty": [None] * n,
        "half-empty": [None] * (n // 2) + list(cells.iloc[n // 2 :]),
        "sevens-and-an-empty-cell": [None] + [7] * (n - 1),
        "one-word": ["abc", *cells.iloc[1:]],
        "one-infinite": [np.inf] + [0.5] * (n - 1),
        "true-and-false": [i % 2 == 0 for i in range(n)],
        "four-words": [f"w{i % 4}" for i in range(n)],
        "a-blank-at-the-end": text + " ",
        "capitals": text.str.upper(),
        "more-and-twice": text + " zzz zzz " + text,
    }
    for name, column in columns.items():
        yield name, perfect.astype({target: object}).assign(**{target: column})


def _random(perfect: pd.DataFrame, target: str) -> Iterator[tuple[str, pd.DataFrame]]:
    for seed in range(2):
        rng = np.random.default_rng(seed)
        drawn = {
            "answers": rng.choice(perfect[target].to_numpy(), len(perfect)),
            "shares": rng.random(len(perfect)),
            "shares-with-ties": rng.random(len(perfect)).round(1),
            "whole-numbers": rng.integers(0, 5, len(perfect)),
        }
        for name, column in drawn.items():
            yield f"random-{name}-{seed}", perfect.assign(**{target: column})


def _sums(perfect: pd.DataFrame, targets: list[str]) -> Iterator[tuple[str, pd.DataFrame]]:
    if not all(pd.api.types.is_numeric_dtype(perfect[name]) for name in targets):
        return
    values = perfect[targets].astype(float)
    for name, factor in (("near-one", 1.000005), ("far-from-one", 0.99998), ("nothing", 0.0)):
        yield f"sums-{name}", perfect.drop(columns=targets).join(values * factor)
