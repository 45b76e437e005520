"""Models of numbers and categories."""

from functools import partial

import pandas as pd
from data import is_words
from sklearn.compose import make_column_transformer
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.svm import SVC, SVR

MANY = 40  # a column of words with more values than this is no category
SMALL = 3000  # rows; kernels cost too much beyond


def split_codes(train, test):
    """Split columns of composed codes such as F/909/S into their parts, in place."""
    for column in [c for c in train.columns if c in test.columns and is_words(train[c])]:
        text = train[column].dropna().astype(str)
        parts = text.str.count("/")
        if text.empty or parts.min() < 1 or parts.min() != parts.max():
            continue
        for frame in (train, test):
            pieces = frame[column].astype("string").str.split("/", expand=True)
            for number in range(parts.max() + 1):
                frame[f"{column}_{number}"] = pieces.get(number)
        for number in range(parts.max() + 1):
            name = f"{column}_{number}"
            if train[name].dropna().str.fullmatch(r"\d+").all():
                for frame in (train, test):
                    frame[name] = pd.to_numeric(frame[name], errors="coerce").astype(float)


def compare_within_groups(task, groups, taken):
    """Add how a row's numbers differ from its group's mean, where all groups have one size.

    Such groups are sets to choose from: what counts is the difference to the other choices.
    """
    if groups is None or groups[0] not in task.test or len(set(groups[1].value_counts())) > 1:
        return
    numbers, _ = split_columns(task.train, task.test, taken)
    for frame in (task.train, task.test):
        means = frame.groupby(groups[0])[numbers].transform("mean")
        for column in numbers:
            frame[f"{column} within {groups[0]}"] = frame[column] - means[column]


def split_columns(train, test, taken):
    """Return the columns of numbers and of categories; constant ones and `taken` are left out."""
    numbers, categories = [], []
    for column in train.columns:
        if column in taken or column not in test.columns:
            continue
        values = train[column].nunique()
        if not is_words(train[column]):
            numbers += [column] if values > 1 else []
        elif 1 < values <= MANY:
            categories.append(column)
    return numbers, categories


def clean(task, categories, texts):
    """Give categories and texts one type, missing ones included; truth values become numbers."""
    for frame in (task.train, task.test):
        for column in [*categories, *texts]:
            empty = "missing" if column in categories else ""
            frame[column] = frame[column].astype("string").fillna(empty).astype(object)
        for column in frame.columns:
            if frame[column].dtype.kind == "b" and column != task.target:
                frame[column] = frame[column].astype(int)


def scaled(numbers, categories, *more):
    """Scale numbers, fill their holes, and turn categories into columns of 0 and 1."""
    fill = make_pipeline(SimpleImputer(strategy="median", add_indicator=True), StandardScaler())
    one_hot = OneHotEncoder(handle_unknown="ignore", min_frequency=5)
    return make_column_transformer((fill, numbers), (one_hot, categories), *more)


def boosting(numbers, categories, classify, seed, leaves):
    codes = OrdinalEncoder(
        handle_unknown="use_encoded_value", unknown_value=-1, encoded_missing_value=-1
    )
    columns = make_column_transformer(("passthrough", numbers), (codes, categories))
    cls = HistGradientBoostingClassifier if classify else HistGradientBoostingRegressor
    model = cls(max_iter=120, learning_rate=0.06, max_leaf_nodes=leaves, random_state=seed)
    return make_pipeline(columns, model)


def forest(numbers, categories, classify, seed):
    cls = ExtraTreesClassifier if classify else ExtraTreesRegressor
    model = cls(150, min_samples_leaf=3, random_state=seed)
    return make_pipeline(scaled(numbers, categories), model)


def linear(numbers, categories, classify, seed):
    strong = LogisticRegression(max_iter=2000, C=0.5, random_state=seed)
    return make_pipeline(scaled(numbers, categories), strong if classify else Ridge(10))


def kernel(numbers, categories, classify, spread):
    """Support vectors with a radial kernel; for numbers the loss is in units of their spread."""
    width = 0.2 / max(1, len(numbers) + len(categories))
    model = SVC(C=5, gamma=width) if classify else SVR(C=0.7 * spread, gamma=width)
    return make_pipeline(scaled(numbers, categories), model)


def models(task, numbers, categories, seed):
    """Return builders of models by name."""
    columns = (numbers, categories, task.classify)
    found = {
        "boosting": partial(boosting, *columns, seed, 15),
        "shallow boosting": partial(boosting, *columns, seed, 4),
        "forest": partial(forest, *columns, seed),
        "linear": partial(linear, *columns, seed),
    }
    if len(task.train) <= SMALL:
        spread = 1 if task.classify else task.train[task.target].std()
        found["kernel"] = partial(kernel, *columns, spread)
    return found
