"""Words and pairs of words in a column of free text that only rows of one kind of target have."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from detectors.leakage.column_scores import rules_of

if TYPE_CHECKING:
    import pandas as pd
    from scipy.sparse import csc_matrix

    from detectors.leakage.column_scores import Rule, Target

MAX_ROWS = 4_000  # texts looked at; of more an even sample
MAX_SIGNS = 2_000  # of a text, from its front
MAX_PHRASES = 20_000
_WORD = r"(?u)\b\w+\b"
N_TRIED = 30  # phrases that are tried for rows without exception
ALONE = 0.4  # how remarkable the best other phrase may be, of the best one: else words tell much


class Phrase(NamedTuple):
    """A phrase that picks out rows of one kind.

    Parameters
    ----------
    text : str
    rule : Rule
        Level 1: rows with it, level 0: rows without.
    n_phrases : int
        Phrases that were looked at.
    n_texts : int
    """

    text: str
    rule: Rule
    n_phrases: int
    n_texts: int


def telling_phrase(texts: pd.Series, target: Target, fewest_share: float) -> Phrase | None:
    """Return the phrase whose rows, or all other rows, are nearly all of one kind.

    It has to stand out: where texts honestly tell of a target, many words do by degrees, and the
    last of them without exception. Words are compared in small letters; pairs of them are phrases.

    Parameters
    ----------
    texts : Series of str, shape (n_rows,)
    target : Target
        Of the same rows.
    fewest_share : float
        Share of the texts that a phrase has to stand in.
    """
    if len(texts) > MAX_ROWS:
        rows = np.linspace(0, len(texts) - 1, MAX_ROWS).astype(int)
        texts, target = texts.iloc[rows], target.of(rows)
    fewest = max(30, int(fewest_share * len(texts)))
    counted = _counted(texts, fewest)
    if counted is None:
        return None
    has, names = counted
    weight = _weights(has, target)
    best = np.argsort(-weight)[:N_TRIED]
    for n in best:
        flags = np.asarray(has[:, [n]].toarray().ravel(), dtype=np.intp)
        rules = sorted(rules_of(flags, target, fewest), key=lambda r: r.log10_p)
        if rules and _stands_out(has, flags, target, rules[0]):
            like = [names[k] for k in best if weight[k] >= 0.99 * weight[n]]  # parts of one phrase
            return Phrase(max(like, key=len), rules[0], len(names), len(texts))
    return None


def _counted(texts: pd.Series, fewest: int) -> tuple[csc_matrix, list[str]] | None:
    """Return which texts have which phrase; None where no phrase is common enough."""
    from sklearn.feature_extraction.text import CountVectorizer

    counter = CountVectorizer(
        binary=True,
        ngram_range=(1, 2),
        min_df=fewest,
        max_features=MAX_PHRASES,
        token_pattern=_WORD,
        dtype=np.int32,
    )
    try:
        has = counter.fit_transform(texts.str[:MAX_SIGNS])
    except ValueError:  # it says so where nothing is left
        return None
    return has.tocsc(), list(counter.get_feature_names_out())


def _weights(has: csc_matrix, target: Target) -> np.ndarray:
    """Return how much each phrase tells: the greatest chi-square of a class, or of the ranks."""
    n = len(target.ranks)
    kinds = (
        np.eye(len(target.classes))[target.cells]
        if target.is_classes
        else (target.ranks[:, None] > np.array([[0.25, 0.5, 0.75]])).astype(float)
    )
    base = kinds.mean(0)
    kinds = kinds[:, (base > 0) & (base < 1)]
    base = base[(base > 0) & (base < 1)]
    size = np.asarray(has.sum(0)).ravel().astype(float)
    seen = np.asarray(has.T @ kinds)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = size[:, None] * base * (1 - base) * (1 - size[:, None] / n)
        weight = (seen - size[:, None] * base) ** 2 / spread
    return np.asarray(np.nan_to_num(weight, posinf=0.0).max(1, initial=0.0))


def _stands_out(has: csc_matrix, flags: np.ndarray, target: Target, rule: Rule) -> bool:
    """Say whether no other phrase tells nearly as much in the rows that the rule leaves open."""
    rest = np.flatnonzero(flags != rule.level)
    if len(rest) < len(flags) // 50:
        return True
    left = has[rest]
    is_left = np.asarray(left.sum(0)).ravel() > 0
    weight = _weights(left[:, is_left], target.of(rest))
    mine = -rule.log10_p * np.log(10) * 2  # on the scale of chi-square
    return bool(weight.max(initial=0.0) <= ALONE * mine)
