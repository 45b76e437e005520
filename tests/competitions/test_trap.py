"""Transforms that plant a trap: what they share between the parts, and what they must not."""

from __future__ import annotations

import numpy as np
import pandas as pd  # noqa: TID253
import pytest

from competitions.trap import CODE, KEY, PERSON, PROXIES, THING, WHEN, Recipe, Table, build
from competitions.trap_names import disguised, persons

PLANTED = ("duplicated", "fuzzy", "temporal", "proxy", "preprocessing")


def table(kind="number", n=80, **roles):
    random = np.random.default_rng(1)
    frame = pd.DataFrame({"a": random.normal(size=n), "b": random.normal(size=n) * 1000})
    values = {
        "number": frame["a"] * 3 + random.normal(size=n),
        "probability": (frame["a"] > 0).astype(int),
        "label": pd.Series(np.where(frame["a"] > 0, "yes", "no")),
    }
    return Table(frame.assign(y=values[kind]), "y", kind, **roles)


def made(trap, kind="number", seed=0, **changed):
    return build(table(kind), Recipe(trap=trap, **changed), np.random.default_rng(seed))


@pytest.mark.parametrize("trap", PLANTED)
@pytest.mark.parametrize("kind", ["number", "probability", "label"])
def test_every_row_has_one_key_and_the_test_part_has_no_target(trap, kind):
    parts = made(trap, kind)
    keys = [*parts.train[KEY], *parts.test[KEY]]

    assert sorted(keys) == list(range(1, len(keys) + 1))
    assert list(parts.train.columns.drop("y")) == list(parts.test.columns)
    assert list(parts.answers[KEY]) == list(parts.test[KEY])
    assert len(parts.things) == len(parts.test)
    assert parts.train.notna().all(axis=None)


@pytest.mark.parametrize("trap", PLANTED)
def test_a_seed_gives_the_same_tables_and_another_one_others(trap):
    first, again, other = made(trap), made(trap), made(trap, seed=1)

    pd.testing.assert_frame_equal(first.train, again.train)
    pd.testing.assert_frame_equal(first.answers, again.answers)
    assert not first.train.equals(other.train)


def test_no_thing_of_the_test_part_is_in_train_and_all_its_rows_have_one_target():
    parts = made("duplicated", copies=(3, 5))
    sizes = parts.train.groupby(THING).size()

    assert not set(parts.train[THING]) & set(parts.test[THING])
    assert sizes.between(3, 5).all()
    assert not parts.train.groupby(THING)["y"].std().any()


def test_the_key_tells_nothing_of_the_target_or_the_thing():
    parts = made("duplicated", "probability")
    gap = abs(
        parts.train.loc[parts.train["y"] == 1, KEY].mean()
        - parts.train.loc[parts.train["y"] == 0, KEY].mean()
    )

    assert gap < 0.2 * len(parts.train)


@pytest.mark.parametrize("noise", [0.0, 1.0])
def test_noise_is_the_share_of_things_whose_class_is_another(noise):
    parts = made("duplicated", "probability", noise=noise, jitter=0.0)
    agrees = ((parts.train["a"] > 0).astype(int) == parts.train["y"]).mean()

    assert agrees == 1 - noise


def test_one_person_is_written_in_many_ways():
    parts = made("fuzzy")

    assert parts.entity == PERSON
    assert parts.train[PERSON].nunique() > 0.8 * len(parts.train)


def test_a_person_is_never_written_as_another_is():
    random = np.random.default_rng(0)
    who = np.repeat(np.arange(60), 5)
    written = pd.Series([name for name, _, _ in disguised(persons(60, random), who, random)])

    assert not pd.Series(who).groupby(written).std().fillna(0).any()


def test_the_test_part_is_later_than_all_of_the_train_part():
    parts = made("temporal")

    assert parts.train[WHEN].max() < parts.test[WHEN].min()


def test_times_of_the_tables_own_are_taken_as_they_are():
    own = table(time="a")
    parts = build(own, Recipe(trap="temporal", plant=False), np.random.default_rng(0))

    assert parts.train["a"].max() <= parts.test["a"].min()
    assert len(parts.train) + len(parts.test) == len(own.frame)


def test_groups_of_the_tables_own_are_taken_as_they_are_and_stay_whole():
    frame = table().frame.assign(ward=np.arange(80) // 4)
    own = Table(frame, "y", "number", group="ward")
    parts = build(own, Recipe(plant=False), np.random.default_rng(0))

    assert parts.entity == "ward"
    assert not set(parts.train["ward"]) & set(parts.test["ward"])
    assert sorted([*parts.train["y"], *parts.answers["y"]]) == sorted(frame["y"])


def test_a_proxy_follows_the_target_in_train_alone():
    parts = made("proxy", "probability")
    hidden = parts.test.assign(y=parts.answers["y"])
    for name in PROXIES:
        assert abs(parts.train[name].corr(parts.train["y"])) > 0.95
        assert abs(hidden[name].corr(hidden["y"])) < 0.6


def test_codes_are_shared_by_rows_of_both_parts():
    parts = made("preprocessing")

    assert parts.train[CODE].nunique() < len(parts.train)
    assert set(parts.train[CODE]) & set(parts.test[CODE])
