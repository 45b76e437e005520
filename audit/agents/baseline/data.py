"""Read the data folder, and find out how its test part was split off."""

import csv
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

LEAST_GROUPS = 10  # fewer cannot be folded


@dataclass
class Task:
    """What is to be learned; `kind` is bool, label, probability or number."""

    train: pd.DataFrame
    test: pd.DataFrame
    sample: pd.DataFrame
    target: str
    keys: list
    kind: str

    @property
    def classify(self):
        return self.kind != "number"

    @property
    def classes(self):
        return np.unique(self.train[self.target]) if self.classify else None


def read(folder):
    """Read train, test and sample; rows without a target are left out of train."""
    train, test, sample = find_tables(folder)
    target, keys = find_target(train, test, sample)
    train = train[train[target].notna()].reset_index(drop=True)
    return Task(train, test, sample, target, keys, find_kind(train, sample, target))


def find_tables(folder):
    """Return train, test and sample as frames; ids keep their spelling.

    Where the test part is no table (a folder of images), its rows are the sample's keys.
    """
    tables = sorted(folder.rglob("*.csv"))
    sample_path = next(p for p in tables if "sample" in p.name.lower())
    train_path = next(p for p in tables if p.stem.lower() == "train")
    test_path = next((p for p in tables if p.stem.lower() == "test"), None)
    with sample_path.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.reader(stream))
    sample = pd.DataFrame(rows[1:], columns=rows[0], dtype=str)
    if test_path is None:
        keys = sample.columns[:1]
        return read_csv(train_path, keys), sample[keys].copy(), sample
    in_test = pd.read_csv(test_path, nrows=0).columns
    keys = [column for column in sample.columns if column in in_test]
    return read_csv(train_path, keys), read_csv(test_path, keys), sample


def read_csv(path, keys):
    """Read a table; keys stay as spelled, and NA is a word where the column holds words."""
    frame = pd.read_csv(path, dtype=dict.fromkeys(keys, str), low_memory=False)
    words = [c for c in frame.columns if is_words(frame[c])]
    if words:
        spelled = pd.read_csv(path, usecols=words, dtype=str, keep_default_na=False, na_values=[""])
        frame[words] = spelled[words]
    return frame


def is_words(values):
    return values.dtype.kind not in "iufbM"


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
    if is_words(truth):
        return "label"
    return "label" if whole and truth.nunique() <= 20 else "number"


def task_metric():
    """Return the metric line of the instructions, in lower case; empty when there is none."""
    path = Path(os.environ.get("INSTRUCTIONS", "/nonexistent"))
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    lines = (line.strip().lower() for line in text.splitlines())
    return next((line for line in lines if line.startswith("metric:")), "")


# ---------------------------------------------------------------- how it was split


def as_dates(values):
    """Return a text column as dates, or None when it holds something else."""
    if not is_words(values) or not values.str.match(r"\d{4}-\d\d?").all():
        return None
    dates = pd.to_datetime(values, errors="coerce", format="mixed")
    return dates if dates.notna().all() else None


def find_time(train, test):
    """Find a column of dates whose test values all lie after all of train, or None."""
    for column in [c for c in train.columns if c in test.columns]:
        before, after = as_dates(train[column]), as_dates(test[column])
        if before is not None and after is not None and after.min() > before.max():
            return column
    return None


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
        enough = n_train >= LEAST_GROUPS and n_test >= 2
        apart = not set(of_train) & set(of_test)
        coarser = best is None or n_train < best[1].nunique()
        if repeats and enough and apart and coarser:
            best = (name, of_train)
    return best
