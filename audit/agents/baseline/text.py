"""A model of short texts by their characters."""

from functools import partial

from data import as_dates, is_words
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from tables import MANY, scaled

MOSTLY = 0.5  # of the values differ, or the column is no text
SPELLED = 0.8  # of the values hold a letter


def find_texts(train, test, taken):
    """Return the columns of words: many values, mostly different, with letters and no dates."""
    found = []
    for column in train.columns:
        if column in taken or column not in test.columns or not is_words(train[column]):
            continue
        values = train[column].dropna()
        many = values.nunique() > max(MANY, MOSTLY * len(values))
        spelled = values.str.contains(r"[^\W\d_]{2}").mean() >= SPELLED
        if many and spelled and not values.str.fullmatch(r"\S*\d\S*").mean() > MOSTLY:
            found += [column] if as_dates(train[column]) is None else []
    return found


def of_text(texts, numbers, categories, model):
    """Count pieces of words of 1 to 5 characters, next to the other columns."""
    pieces = [
        (
            TfidfVectorizer(
                analyzer="char_wb",
                ngram_range=(1, 5),
                lowercase=False,  # where capitals stand tells languages apart
                sublinear_tf=True,
                max_features=200_000,
            ),
            column,
        )
        for column in texts
    ]
    return make_pipeline(scaled(numbers, categories, *pieces), model())


def models(task, texts, numbers, categories, seed):
    """Return the builder of a linear model over pieces of words, by name."""
    if not task.classify:
        model = partial(Ridge, 1.0)
    elif task.kind == "probability":
        model = partial(LogisticRegression, C=10, max_iter=1000, random_state=seed)
    else:
        model = partial(LinearSVC, C=1.0, random_state=seed)
    return {"text": partial(of_text, texts, numbers, categories, model)}
