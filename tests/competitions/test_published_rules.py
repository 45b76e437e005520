"""Beyond the seven standard submissions: what each published grader scores and what it refuses.

A task's line names the changes to a random submission that still get a score, as MLE-bench's own
grader answered when it was asked; every other change is invalid.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pandas as pd  # noqa: TID253
import pytest

from competitions import spec
from competitions.grade import grade
from competitions.prepare import prepare
from competitions.prepared import load_prepared
from competitions.standard import standard_submissions

if TYPE_CHECKING:
    from collections.abc import Callable

    from competitions.spec import Competition

    Change = Callable[[pd.DataFrame, Competition], pd.DataFrame]

SCORED = {"graded", "nan", "infinite"}


def cell(value: object, row: int = 1) -> Change:
    """Put a value into a cell of the first predicted column."""

    def change(frame: pd.DataFrame, task: Competition) -> pd.DataFrame:
        values = frame[task.targets[0]].tolist()
        values[row] = value
        return frame.assign(**{task.targets[0]: pd.Series(values, dtype=object)})

    return change


def column(*values: object) -> Change:
    """Fill the first predicted column with values, again and again."""

    def change(frame: pd.DataFrame, task: Competition) -> pd.DataFrame:
        repeated = [values[i % len(values)] for i in range(len(frame))]
        return frame.assign(**{task.targets[0]: pd.Series(repeated, dtype=object)})

    return change


def key(value: Callable[[pd.Series], object]) -> Change:
    """Give the second row another key."""

    def change(frame: pd.DataFrame, task: Competition) -> pd.DataFrame:
        (name,) = task.submission.key
        keys = frame[name].tolist()
        keys[1] = value(frame[name])
        return frame.assign(**{name: keys})

    return change


CHANGES: dict[str, Change] = {
    "more-columns": lambda f, _: f.assign(more=1),
    "key-last": lambda f, t: f[[*t.targets, *t.submission.key]],
    "targets-reversed": lambda f, t: f[[*t.submission.key, *t.targets[::-1]]],
    "rows-reversed": lambda f, _: f.iloc[::-1],
    "no-key": lambda f, t: f.drop(columns=list(t.submission.key)),
    "no-target": lambda f, t: f.drop(columns=t.targets[0]),
    "foreign-key": key(lambda keys: keys.max() + 9 if keys.dtype.kind == "i" else "no-such-key"),
    "repeated-key": key(lambda keys: keys[0]),
    "rows-twice": lambda f, _: pd.concat([f, f]),
    "no-rows": lambda f, _: f[:0],
    "word": cell("oops"),
    "words": column("w0", "w1", "w2", "w3"),
    "flags": column(True, False),
    "infinite": cell(math.inf),
    "minus-half": cell(-0.5),
    "minus-three": cell(-3),
    "seven-and-a-half": cell(7.5),
    "empty-column": column(None),
    "constant": column(1),
}

SCORED_CHANGES: dict[str, str] = {
    "chaii-hindi-and-tamil-question-answering": (
        "more-columns key-last targets-reversed rows-reversed word words infinite minus-half "
        "minus-three seven-and-a-half empty-column"
    ),
    "champs-scalar-coupling": (
        "more-columns key-last targets-reversed rows-reversed rows-twice flags minus-half "
        "minus-three seven-and-a-half constant"
    ),
    "detecting-insults-in-social-commentary": (
        "more-columns key-last targets-reversed rows-reversed flags constant"
    ),
    "facebook-recruiting-iii-keyword-extraction": (
        "more-columns key-last targets-reversed rows-reversed word words infinite minus-half "
        "minus-three seven-and-a-half empty-column"
    ),
    "google-quest-challenge": (
        "key-last targets-reversed rows-reversed foreign-key repeated-key word words flags "
        "infinite minus-half minus-three seven-and-a-half empty-column constant"
    ),
    "jigsaw-toxic-comment-classification-challenge": (
        "key-last targets-reversed rows-reversed repeated-key flags minus-half minus-three "
        "seven-and-a-half constant"
    ),
    "jigsaw-unintended-bias-in-toxicity-classification": (
        "more-columns key-last targets-reversed rows-reversed flags infinite minus-half "
        "minus-three seven-and-a-half empty-column constant"
    ),
    "learning-agency-lab-automated-essay-scoring-2": (
        "more-columns key-last targets-reversed rows-reversed flags minus-three constant"
    ),
    "lmsys-chatbot-arena": "more-columns key-last targets-reversed rows-reversed",
    "movie-review-sentiment-analysis-kernels-only": (
        "more-columns key-last targets-reversed rows-reversed word words flags minus-three constant"
    ),
    "new-york-city-taxi-fare-prediction": (
        "more-columns key-last targets-reversed rows-reversed foreign-key repeated-key flags "
        "minus-half minus-three seven-and-a-half constant"
    ),
    "nomad2018-predict-transparent-conductors": (
        "more-columns key-last targets-reversed rows-reversed no-key foreign-key repeated-key "
        "flags seven-and-a-half constant"
    ),
    "playground-series-s3e18": (
        "more-columns key-last targets-reversed rows-reversed flags minus-half minus-three "
        "seven-and-a-half constant"
    ),
    "spooky-author-identification": "targets-reversed rows-reversed",
    "tabular-playground-series-dec-2021": (
        "more-columns key-last targets-reversed rows-reversed word words flags minus-three constant"
    ),
    "tabular-playground-series-may-2022": (
        "more-columns key-last targets-reversed rows-reversed flags constant"
    ),
    "tweet-sentiment-extraction": (
        "more-columns key-last targets-reversed rows-reversed word words flags infinite "
        "minus-half minus-three seven-and-a-half empty-column constant"
    ),
    "us-patent-phrase-to-phrase-matching": (
        "more-columns key-last targets-reversed rows-reversed flags infinite minus-half "
        "minus-three seven-and-a-half empty-column constant"
    ),
    "ventilator-pressure-prediction": (
        "more-columns key-last targets-reversed rows-reversed word flags infinite minus-half "
        "minus-three seven-and-a-half constant"
    ),
}


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory):
    return tmp_path_factory.mktemp("published")


@pytest.mark.slow
@pytest.mark.parametrize("competition_id", sorted(SCORED_CHANGES))
def test_exactly_what_the_published_grader_scores_is_scored(data_dir, tmp_path, competition_id):
    task = spec.load(competition_id)
    prepare(task, data_dir, "miniature")
    random = standard_submissions(load_prepared(task, data_dir))["random"].reset_index(drop=True)
    scored = []
    for name, change in CHANGES.items():
        path = tmp_path / f"{name}.csv"
        change(random, task).to_csv(path, index=False)
        found = grade(task, path, data_dir)

        assert found.outcome in {*SCORED, "invalid"}, (name, found.error)
        if found.outcome in SCORED:
            scored.append(name)

    assert scored == SCORED_CHANGES[competition_id].split()
