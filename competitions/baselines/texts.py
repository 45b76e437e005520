"""Baselines for one column of short texts: which letters and words go with which class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from competitions.baselines.problem import SEED, Problem
from competitions.baselines.tables import constant, fitted
from competitions.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def _counted(model: Any, **counting: Any) -> Any:  # noqa: ANN401 - scikit-learn has no types
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.pipeline import make_pipeline

    return make_pipeline(CountVectorizer(**counting), model)


def _weighted(model: Any, **counting: Any) -> Any:  # noqa: ANN401
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import make_pipeline

    return make_pipeline(TfidfVectorizer(sublinear_tf=True, **counting), model)


def _models() -> dict[str, Callable[[], Any]]:
    """Name the models; `char_wb` are letters within words, their ends marked."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import ComplementNB, MultinomialNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.svm import LinearSVC
    from sklearn.tree import DecisionTreeClassifier

    letters = {"analyzer": "char_wb", "lowercase": False}
    return {
        "one-letter-tree-depth-4": lambda: _counted(
            DecisionTreeClassifier(max_depth=4, random_state=SEED), analyzer="char"
        ),
        "letters-naive-bayes": lambda: _counted(MultinomialNB(), analyzer="char"),
        "words-naive-bayes": lambda: _counted(MultinomialNB()),
        "letter-pairs-naive-bayes": lambda: _counted(
            MultinomialNB(alpha=0.1), ngram_range=(1, 2), **letters
        ),
        "letter-triples-naive-bayes": lambda: _counted(
            MultinomialNB(alpha=0.1), ngram_range=(1, 3), **letters
        ),
        "letters-1-to-5-complement-naive-bayes": lambda: _weighted(
            ComplementNB(alpha=0.1), ngram_range=(1, 5), **letters
        ),
        "letters-1-to-3-nearest-neighbours-5": lambda: _weighted(
            KNeighborsClassifier(5, metric="cosine"), ngram_range=(1, 3), **letters
        ),
        "letters-1-to-3-logistic-regression": lambda: _weighted(
            LogisticRegression(C=10, max_iter=2000), ngram_range=(1, 3), **letters
        ),
        "letters-1-to-5-linear-svm": lambda: _weighted(
            LinearSVC(random_state=SEED), ngram_range=(1, 5), **letters
        ),
    }


def predictions(problem: Problem) -> Iterator[tuple[str, Any]]:
    """Yield ten baselines by name, each with its predictions in the test table's order.

    Raises
    ------
    UsageError
        When the task asks for no class or has not one complete column of text.
    """
    columns = problem.features()
    texts = [c for c in columns if problem.train[c].dtype.kind not in "biuf"]
    gaps = [c for c in texts if problem.train[c].isna().any() or problem.test[c].isna().any()]
    if problem.kind != "label" or len(texts) != 1 or gaps:
        raise UsageError(
            f"{problem.spec.id}: baselines of texts predict a class from one complete column of "
            f"text; found {', '.join(columns) or 'none'}, empty cells in "
            f"{', '.join(gaps) or 'none'}."
        )
    yield constant(problem)
    yield from fitted(problem, _models(), problem.train[texts[0]], problem.test[texts[0]])
