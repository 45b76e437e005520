"""Validate models as the real split asks, choose among them and their averages, and predict."""

from itertools import combinations

import numpy as np
from data import task_metric
from scipy.special import expit, softmax
from sklearn.metrics import (
    accuracy_score,
    f1_score,
    log_loss,
    mean_absolute_error,
    mean_squared_error,
    roc_auc_score,
)
from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold

FOLDS = 5
BAGS = 5
SUBSAMPLE = 0.8


def predict(model, features, classify):
    """Return numbers, or one column of shares per class."""
    if not classify:
        return model.predict(features)
    if hasattr(model, "predict_proba"):
        return model.predict_proba(features)
    distance = model.decision_function(features)
    if distance.ndim == 1:
        share = expit(2 * distance)
        return np.column_stack([1 - share, share])
    return softmax(2 * distance, axis=1)


# ---------------------------------------------------------------- validation


def folds_of_rows(truth, groups, classify, seed):
    """Return the scheme in words and the folds; whole groups where there are groups."""
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
    scheme = f"{type(folds).__name__}, {FOLDS} folds, shuffled with seed {seed}"
    return scheme, list(folds.split(np.zeros(len(truth)), truth, groups))


def folds_in_time(n_train, n_test):
    """Return the scheme in words and folds that learn from the past and predict what follows.

    Each fold predicts as many rows as the real test part has, or a third of train if that is less.
    The rows are in the order of time.
    """
    ahead = max(1, min(n_test, n_train // 3))
    starts = np.linspace(n_train // 2, n_train - ahead, FOLDS).astype(int)
    parts = [(np.arange(start), np.arange(start, start + ahead)) for start in np.unique(starts)]
    return f"split by time, {len(parts)} folds, each {ahead} rows ahead of its past", parts


def validate(task, models, truth, parts):
    """Predict rows by models that have not seen them, nor their group, nor their future.

    Returns one dict of predictions by model per fold, and the truth of the same rows.
    """
    held_out = []
    for seen, unseen in parts:
        features, asked = task.train.iloc[seen], task.train.iloc[unseen]
        fitted = {name: build().fit(features, truth.iloc[seen]) for name, build in models.items()}
        held_out.append({n: predict(m, asked, task.classify) for n, m in fitted.items()})
    return held_out, [truth.to_numpy()[unseen] for _, unseen in parts]


def score(task, truth, predictions):
    """Return name, value, and the value as higher-is-better; the task's metric where we know it."""
    metric = task_metric()
    if task.kind == "number":
        if "mae" in metric or "mean absolute error" in metric:
            value = mean_absolute_error(truth, predictions)
            return "mean absolute error", value, -value
        value = mean_squared_error(truth, predictions) ** 0.5
        return "root mean squared error", value, -value
    classes = task.classes
    if task.kind == "probability" and "auc" in metric and len(classes) == 2:
        value = roc_auc_score(truth == classes[1], predictions[:, 1])
        return "ROC AUC", value, value
    if task.kind == "probability":
        value = log_loss(truth, predictions, labels=classes)
        return "log loss", value, -value
    labels = classes[predictions.argmax(axis=1)]
    if "macro" in metric and "f1" in metric:
        value = f1_score(truth, labels, average="macro")
        return "macro F1", value, value
    value = accuracy_score(truth, labels)
    return "accuracy", value, value


def choose(task, known, held_out):
    """Compare every model and every average of some; return the chosen one's name and a table.

    Of those that are not worse than the best one by more than one standard error of the difference
    over the folds, the average of the most models is chosen: the order within the noise says
    nothing, and an average is the safer bet. The table gives metric and mean over folds by name,
    best first.
    """
    names, table, values = list(held_out[0]), {}, {}
    for size in range(1, len(names) + 1):
        for members in combinations(names, size):
            rows = [
                score(task, truth, np.mean([fold[m] for m in members], axis=0))
                for truth, fold in zip(known, held_out, strict=True)
            ]
            blend = " + ".join(members)
            table[blend] = rows[0][0], np.mean([value for _, value, _ in rows])
            values[blend] = np.array([value for _, _, value in rows])
    order = sorted(table, key=lambda blend: -values[blend].mean())
    chosen = best = order[0]
    for blend in order[1:]:
        behind = values[best] - values[blend]
        error = behind.std(ddof=1) / len(behind) ** 0.5 if len(behind) > 1 else 0
        if behind.mean() <= error and blend.count(" + ") > chosen.count(" + "):
            chosen = blend
    return chosen, {blend: table[blend] for blend in order}


# ---------------------------------------------------------------- the submission


def bagged(task, truth, groups, builds, seed):
    """Average models of `BAGS` subsamples; whole groups are drawn where there are groups."""
    random = np.random.default_rng(seed)
    units = groups.to_numpy() if groups is not None else np.arange(len(truth))
    names = np.unique(units)
    total, count = 0, 0
    for _ in range(BAGS):
        drawn = random.choice(names, max(1, int(SUBSAMPLE * len(names))), replace=False)
        rows = np.isin(units, drawn)
        if task.classify and truth[rows].nunique() < truth.nunique():
            rows[:] = True
        for build in builds:
            model = build().fit(task.train[rows], truth[rows])
            total = total + predict(model, task.test, task.classify)
            count += 1
    return total / count


def as_answers(task, predictions):
    """Turn averaged predictions into what the sample's form asks for."""
    if task.kind == "number":
        return predictions
    classes = task.classes
    if task.kind == "probability":
        return np.round(predictions[:, list(classes).index(max(classes))], 6)
    labels = classes[predictions.argmax(axis=1)]
    if task.kind == "bool":
        return [str(str(label).lower() in {"true", "1", "1.0"}) for label in labels]
    return labels
