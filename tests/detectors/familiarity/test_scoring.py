"""Any backend through the cache: nothing twice, progress, and on after an interruption."""

from __future__ import annotations

import numpy as np
import pytest

from competitions.errors import UsageError
from detectors.familiarity.backend import Identity, Plan, Progress
from detectors.familiarity.cache import ScoreCache
from detectors.familiarity.scoring import score_texts
from detectors.familiarity.texts import Text
from detectors.familiarity.tokens import TokenScores

TEXTS = [Text(n, n * 5) for n in ("a", "bb", "ccc")]
PLAN = Plan(window=8, stride=4, statistics=False)


class Letters:
    """A backend whose tokens are characters; it may break off at a text."""

    identity = Identity("letters", "0" * 64, "1" * 64, "float32", None)
    context = 8

    def __init__(self, breaks_at=None):
        self.breaks_at, self.seen = breaks_at, []

    def count(self, text):
        return len(text.content)

    def score(self, texts, plan, done):  # noqa: ARG002
        for index, text in reversed(list(enumerate(texts))):
            if text.name == self.breaks_at:
                raise KeyboardInterrupt
            self.seen.append(text.name)
            places = np.arange(len(text.content))
            done(len(places))
            column = -np.array([float(ord(c)) for c in text.content])
            yield index, TokenScores.of(text, np.stack([places, places + 1], axis=1), column)


def test_scores_come_in_the_order_of_the_texts_and_equal_texts_once():
    backend = Letters()

    found = score_texts(backend, [*TEXTS, Text("again", "aaaaa")], PLAN)

    assert [s.text_sha256 for s in found[:3]] == [t.sha256 for t in TEXTS]
    assert found[3] is found[0]
    assert len(backend.seen) == 3


def test_an_interrupted_call_goes_on_where_it_was(tmp_path):
    cache = ScoreCache(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        score_texts(Letters(breaks_at="a"), TEXTS, PLAN, cache=cache)
    again, whole = Letters(), Letters()

    found = score_texts(again, TEXTS, PLAN, cache=cache)

    assert again.seen == ["a"]
    expected = score_texts(whole, TEXTS, PLAN)
    for one, other in zip(found, expected, strict=True):
        assert np.array_equal(one.log_probability, other.log_probability)
    third = Letters()
    score_texts(third, TEXTS, PLAN, cache=cache)
    assert third.seen == []


def test_progress_tells_speed_and_time_left_of_what_is_computed(tmp_path):
    cache = ScoreCache(tmp_path)
    score_texts(Letters(), TEXTS[:1], PLAN, cache=cache)
    ticks = iter(range(100))
    told: list[Progress] = []

    score_texts(
        Letters(), TEXTS, PLAN, cache=cache, progress=told.append, clock=lambda: next(ticks)
    )

    assert told[0][:4] == (3, 1, 25, 0)
    assert told[-1][:4] == (3, 3, 25, 25)
    assert told[-1].seconds_left == 0
    middle = told[2]
    assert middle.tokens_per_s == pytest.approx(15 / 3)
    assert middle.seconds_left == pytest.approx(10 / 5)


def test_a_window_longer_than_the_context_is_refused_before_anything_runs():
    with pytest.raises(UsageError, match="at most 8 tokens"):
        score_texts(Letters(), TEXTS, Plan(window=9, stride=4))
