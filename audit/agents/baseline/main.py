"""Learn a table with scikit-learn and hand in predictions.

1. Read train, test and sample submission; the target is what the sample has beyond the keys.
2. Find groups: a column, or the front of an id, whose values repeat and never cross from train to
   test. Where there are some, validation keeps them whole as the real split does.
3. Compare two models and their average by cross-validation, keep the best.
4. Fit it on five subsamples of the training rows drawn with the seed, average, and hand in.
"""

import csv
import os
import shutil
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, log_loss, mean_squared_error, roc_auc_score
from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

FOLDS = 5
BAGS = 5
SUBSAMPLE = 0.8
MANY = 40  # a text column with more values than this is no category


def say(text):
    print(text)
    with (LOGS / "agent.log").open("a", encoding="utf-8") as log:
        log.write(f"{text}\n")


# ---------------------------------------------------------------- reading


def find_tables(data):
    """Return train, test and sample as frames; ids keep their spelling."""
    tables = sorted(p for p in data.rglob("*.csv"))
    sample_path = next(p for p in tables if "sample" in p.name.lower())
    train_path = next(p for p in tables if p.stem.lower() == "train")
    test_path = next(p for p in tables if p.stem.lower() == "test")
    with sample_path.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.reader(stream))
    sample = pd.DataFrame(rows[1:], columns=rows[0], dtype=str)
    test_columns = pd.read_csv(test_path, nrows=0).columns
    as_text = {column: str for column in sample.columns if column in test_columns}  # 0013 stays
    train, test = (pd.read_csv(path, dtype=as_text) for path in (train_path, test_path))
    return train, test, sample


def find_target(train, test, sample):
    """The target is in the sample and in train, and not in test."""
    targets = [c for c in sample.columns if c in train.columns and c not in test.columns]
    if len(targets) != 1:
        raise SystemExit(f"Expected one target column, found {targets}.")
    return targets[0], [c for c in sample.columns if c in test.columns]


def find_kind(train, sample, target):
    """Say what the sample's values ask for: labels, a probability, or a number."""
    truth = train[target]
    if set(sample[target].str.lower()) <= {"true", "false"}:
        return "bool"
    two_valued = truth.nunique() == 2 and set(truth.unique()) <= {0, 1}  # True is 1
    whole = sample[target].str.fullmatch(r"[+-]?\d+").all()
    if two_valued:
        # A constant of 0 or 1 says nothing about which of the two is wanted; labels are both.
        return "label" if whole else "probability"
    if truth.dtype.kind in "OUSb" or str(truth.dtype) in {"str", "string", "category"}:
        return "label"
    return "label" if whole and truth.nunique() <= 20 else "number"


# ---------------------------------------------------------------- groups


def group_candidates(frame):
    """Yield columns, and the front parts of ids such as 0013_01, that could name a group."""
    for column in frame.columns:
        values = frame[column]
        if values.dtype.kind == "f":
            continue
        text = values.astype("string")
        yield column, text
        front = text.str.extract(r"^(.+)[_-][^_-]+$")[0]
        if front.notna().all():
            yield f"front of {column}", front


def find_groups(train, test, target):
    """Find the coarsest grouping that the real split keeps whole, or None.

    Its values repeat within train and within test, and none is on both sides.
    """
    best = None
    columns = [c for c in train.columns if c != target and c in test.columns]
    on_test = dict(group_candidates(test[columns]))
    for name, of_train in group_candidates(train[columns]):
        of_test = on_test.get(name)
        if of_test is None or of_train.isna().any() or of_test.isna().any():
            continue
        n_train, n_test = of_train.nunique(), of_test.nunique()
        repeats = n_train < len(of_train) and n_test < len(of_test)
        enough = n_train >= 2 * FOLDS and n_test >= 2
        apart = not set(of_train) & set(of_test)
        coarser = best is None or n_train < best[1].nunique()
        if repeats and enough and apart and coarser:
            best = (name, of_train)
    return best


# ---------------------------------------------------------------- models


def split_columns(train, test, drop):
    numbers, categories = [], []
    for column in train.columns:
        if column in drop or column not in test.columns:
            continue
        if train[column].dtype.kind in "iufb" and train[column].dtype != object:
            numbers.append(column)
        elif 1 < train[column].nunique() <= MANY:
            categories.append(column)
    return numbers, categories


def boosting(numbers, categories, classify, seed):
    columns = make_column_transformer(
        ("passthrough", numbers),
        (
            OrdinalEncoder(
                handle_unknown="use_encoded_value", unknown_value=-1, encoded_missing_value=-1
            ),
            categories,
        ),
    )
    cls = HistGradientBoostingClassifier if classify else HistGradientBoostingRegressor
    model = cls(max_iter=120, learning_rate=0.06, max_leaf_nodes=15, random_state=seed)
    return make_pipeline(columns, model)


def linear(numbers, categories, classify, seed):
    columns = make_column_transformer(
        (
            make_pipeline(SimpleImputer(strategy="median", add_indicator=True), StandardScaler()),
            numbers,
        ),
        (OneHotEncoder(handle_unknown="ignore", min_frequency=5), categories),
    )
    model = LogisticRegression(max_iter=2000, C=0.5, random_state=seed) if classify else Ridge()
    return make_pipeline(columns, model)


MODELS = {"boosting": boosting, "linear": linear}
BLENDS = {"boosting": ["boosting"], "linear": ["linear"], "average": ["boosting", "linear"]}


def predict(model, features, classify):
    return model.predict_proba(features) if classify else model.predict(features)


def split_codes(train, test):
    """Split columns of composed codes such as F/909/S into their parts, in place."""
    for column in [c for c in train.columns if c in test.columns]:
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


def prepared(frame, categories):
    """Give categories one type, missing ones included."""
    frame = frame.copy()
    for column in categories:
        frame[column] = frame[column].astype("string").fillna("missing").astype(object)
    for column in frame.columns:
        if frame[column].dtype.kind == "b":
            frame[column] = frame[column].astype(int)
    return frame


# ---------------------------------------------------------------- validation


def make_folds(truth, groups, classify, seed):
    rarest = truth.value_counts().min() if classify else 0
    if groups is not None:
        if classify and rarest >= FOLDS:
            folds = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=seed)
        else:
            folds = GroupKFold(FOLDS, shuffle=True, random_state=seed)
    elif classify and rarest >= FOLDS:
        folds = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    else:
        folds = KFold(FOLDS, shuffle=True, random_state=seed)
    return folds, list(folds.split(np.zeros(len(truth)), truth, groups))


def task_metric():
    """Return the metric line of the instructions, in lower case; empty when there is none."""
    path = Path(os.environ.get("INSTRUCTIONS", "/nonexistent"))
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    lines = (line.strip().lower() for line in text.splitlines())
    return next((line for line in lines if line.startswith("metric:")), "")


def score(kind, truth, predictions, classes):
    """Return name, value, and the value as higher-is-better; the task's metric where we know it."""
    if kind == "number":
        value = mean_squared_error(truth, predictions) ** 0.5
        return "root mean squared error", value, -value
    if kind == "probability" and "auc" in task_metric() and len(classes) == 2:
        value = roc_auc_score(truth == classes[1], predictions[:, 1])
        return "ROC AUC", value, value
    if kind == "probability":
        value = log_loss(truth, predictions, labels=classes)
        return "log loss", value, -value
    value = accuracy_score(truth, classes[predictions.argmax(axis=1)])
    return "accuracy", value, value


def validate(features, truth, folds, build, classify):
    """Predict every training row by models that have not seen it (nor its group)."""
    out = {}
    for name in MODELS:
        rows = []
        for train_rows, test_rows in folds:
            model = build(name).fit(features.iloc[train_rows], truth.iloc[train_rows])
            rows.append((test_rows, predict(model, features.iloc[test_rows], classify)))
        width = rows[0][1].shape[1:]
        out[name] = np.zeros((len(truth), *width))
        for test_rows, predicted in rows:
            out[name][test_rows] = predicted
    return out


def choose(kind, truth, held_out, classes):
    table = {}
    for blend, members in BLENDS.items():
        mixed = np.mean([held_out[m] for m in members], axis=0)
        table[blend] = score(kind, truth, mixed, classes)
    best = max(table, key=lambda blend: table[blend][2])
    return best, table


# ---------------------------------------------------------------- the submission


def bagged(features, truth, test_features, groups, members, build, classify, seed):
    """Average models of `BAGS` subsamples; whole groups are drawn where there are groups."""
    random = np.random.default_rng(seed)
    units = groups.to_numpy() if groups is not None else np.arange(len(truth))
    names = np.unique(units)
    total, count = 0, 0
    for _ in range(BAGS):
        drawn = random.choice(names, max(1, int(SUBSAMPLE * len(names))), replace=False)
        rows = np.isin(units, drawn)
        if classify and truth[rows].nunique() < truth.nunique():
            rows[:] = True
        for name in members:
            model = build(name).fit(features[rows], truth[rows])
            total = total + predict(model, test_features, classify)
            count += 1
    return total / count


def as_answers(kind, predictions, classes):
    if kind == "number":
        return predictions
    if kind == "probability":
        return np.round(predictions[:, list(classes).index(max(classes))], 6)
    labels = classes[predictions.argmax(axis=1)]
    return [str(bool(v)) for v in labels] if kind == "bool" else labels


def main():
    shutil.copy(__file__, CODE / "main.py")
    seed = int(os.environ["SEED"])
    train, test, sample = find_tables(DATA)
    target, keys = find_target(train, test, sample)
    kind = find_kind(train, sample, target)
    classify = kind != "number"
    train = train[train[target].notna()].reset_index(drop=True)
    say(f"Competition {os.environ['COMPETITION_ID']}, seed {seed}.")
    say(f"Train {train.shape}, test {test.shape}; target {target} ({kind}), key {keys}.")

    found = find_groups(train, test, target)
    groups = None if found is None else found[1].loc[train.index]
    drop = {target, *keys} | ({found[0]} if found else set())
    split_codes(train, test)
    numbers, categories = split_columns(train, test, drop)
    say(f"{len(numbers)} numeric and {len(categories)} categorical columns.")
    features, test_features = prepared(train, categories), prepared(test, categories)
    truth = train[target]
    classes = np.unique(truth) if classify else None

    def build(name):
        return MODELS[name](numbers, categories, classify, seed)

    folds, parts = make_folds(truth, groups, classify, seed)
    if found:
        say(f"Groups: {found[0]}, {groups.nunique()} in train, none of them in test.")
    else:
        say("No groups: nothing repeats within both parts and stays on one side.")
    held_out = validate(features, truth, parts, build, classify)
    best, table = choose(kind, truth, held_out, classes)
    how = f"{type(folds).__name__}, {FOLDS} folds, shuffled with seed {seed}"
    for blend, (metric, value, _) in table.items():
        say(f"  {blend}: {metric} {value:.5f}")
    say(f"Validation score: {table[best][0]} {table[best][1]:.5f} of {best} ({how}).")

    predictions = bagged(
        features, truth, test_features, groups, BLENDS[best], build, classify, seed
    )
    answer = test[keys].copy()
    answer[target] = as_answers(kind, predictions, classes)
    order = sample[keys].merge(answer, on=keys, how="left")
    order[list(sample.columns)].to_csv(SUBMISSION / "submission.csv", index=False)
    say(f"Handed in {len(order)} rows: {BAGS} subsamples of {SUBSAMPLE:.0%}, model {best}.")


if __name__ == "__main__":
    DATA, SUBMISSION, CODE, LOGS = (
        Path(os.environ[name]) for name in ("DATA_DIR", "SUBMISSION_DIR", "CODE_DIR", "LOGS_DIR")
    )
    warnings.simplefilter("ignore")
    main()
