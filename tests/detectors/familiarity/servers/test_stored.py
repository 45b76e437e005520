"""Scores in files: read back to the last digit; what breaks the format is told."""

from __future__ import annotations

import json

import numpy as np
import pytest

from competitions.errors import ModelFilesError, ScoringError
from detectors.familiarity.backend import Identity, Plan
from detectors.familiarity.scoring import score_texts
from detectors.familiarity.servers.opening import fitted, open_model
from detectors.familiarity.servers.stored import FORMAT, read_logprobs, write_logprobs
from detectors.familiarity.texts import Text
from detectors.familiarity.tokens import TokenScores

TEXTS = [Text("one", "Größe 世界"), Text("two", "two 🎉")]
PLAN = Plan(window=64, stride=48)


def identity(name="lab"):
    return Identity(name, "0" * 64, "1" * 64, "bfloat16", 5)


def scores(text, seed=0, *, full=True):
    rng = np.random.default_rng(seed)
    n = len(text.content)
    columns = {"mean": -rng.random(n), "deviation": rng.random(n), "rank": np.arange(1.0, n + 1)}
    places = np.arange(n)
    offsets = np.stack([places, places + 1], axis=1) if full else np.full((n, 2), -1)
    return TokenScores.of(text, offsets, -rng.random(n) * 9, **(columns if full else {}))


def line(**changes):
    whole = {
        "format": FORMAT,
        "text_sha256": TEXTS[0].sha256,
        "n_characters": 8,
        "model": {"name": "lab", "model": "m", "tokenizer": "t"},
        "window": 64,
        "stride": 48,
        "tokens": {"log_probability": [None, -1, -2.5]},
    }
    return {**whole, **changes}


def written(path, *lines):
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    return path


@pytest.mark.parametrize("full", [True, False], ids=["all columns", "log-probabilities only"])
def test_what_is_written_is_read_back_to_the_last_digit(full, tmp_path):
    path = tmp_path / "s.jsonl"
    given = [scores(text, seed, full=full) for seed, text in enumerate(TEXTS)]
    write_logprobs(path, [(identity(), PLAN, given)])

    model = open_model(f"logprobs:{path}", cache=tmp_path, announce=print)
    found = score_texts(model, TEXTS, fitted(Plan(), model))

    assert model.identity == identity()
    assert fitted(Plan(), model).window == 64
    for one, other in zip(given, found, strict=True):
        for name in ("log_probability", "mean", "deviation", "rank", "start", "end"):
            assert np.array_equal(getattr(one, name), getattr(other, name), equal_nan=True)
        assert one.text_sha256 == other.text_sha256
        assert one.zlib_bytes == other.zlib_bytes


def test_a_first_token_without_number_is_read_back(tmp_path):
    path = tmp_path / "s.jsonl"
    values = np.array([np.nan, *[-1.0] * 7])
    given = TokenScores.of(TEXTS[0], np.full((8, 2), -1), values, mean=values, deviation=-values)
    write_logprobs(path, [(identity(), PLAN, [given])])

    (found,) = score_texts(read_logprobs(path), TEXTS[:1], PLAN)

    assert np.array_equal(found.mean, values, equal_nan=True)
    assert np.isnan(found.rank).all()


def test_a_file_of_two_models_gives_the_one_that_is_named(tmp_path):
    path = tmp_path / "s.jsonl"
    write_logprobs(
        path,
        [(identity(name), PLAN, [scores(TEXTS[0], seed)]) for seed, name in enumerate("ab")],
    )

    assert read_logprobs(path, "b").identity.name == "b"
    with pytest.raises(ModelFilesError, match=r"one model, found a, b\.\n.*#NAME"):
        read_logprobs(path)
    with pytest.raises(ModelFilesError, match="expected scores by c, found a, b"):
        read_logprobs(path, "c")


def test_a_text_that_the_file_does_not_have_is_named(tmp_path):
    path = written(tmp_path / "s.jsonl", line())

    with pytest.raises(ScoringError, match=rf"none of 1: two \({TEXTS[1].sha256[:12]}\)"):
        score_texts(read_logprobs(path), TEXTS, PLAN)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        pytest.param({"n_characters": 9}, "expected 8 characters of one, found 9", id="length"),
        pytest.param(
            {"tokens": {"log_probability": [None, -1], "start": [0, 2], "end": [2, 9]}},
            "lie outside",
            id="offsets",
        ),
    ],
)
def test_what_does_not_fit_the_text_is_told(changes, words, tmp_path):
    path = written(tmp_path / "s.jsonl", line(**changes))

    with pytest.raises(ScoringError, match=words):
        score_texts(read_logprobs(path), TEXTS[:1], PLAN)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        pytest.param([], "by one model, found none", id="empty"),
        pytest.param([[]], "line 1: .*found at the line", id="no object"),
        pytest.param([line(format="logprobs/2")], "line 1: .*at format", id="format"),
        pytest.param([line(), line(window=1)], "line 2: .*at window", id="window"),
        pytest.param([line(text_sha256="ab")], "at text_sha256", id="digest"),
        pytest.param([line(more=1)], "at more", id="unknown field"),
        pytest.param([line(stride=64)], "a stride below the window 64", id="stride"),
        pytest.param([line(tokens={"log_probability": []})], "log_probability", id="no token"),
        pytest.param(
            [line(tokens={"log_probability": [-9999.0]})], "log_probability.0", id="-9999"
        ),
        pytest.param([line(tokens={"log_probability": [0.5]})], "log_probability.0", id="positive"),
        pytest.param([line(tokens={"log_probability": [float("nan")]})], "log_prob", id="nan"),
        pytest.param([line(tokens={"log_probability": ["-1"]})], "log_probability.0", id="word"),
        pytest.param(
            [line(tokens={"log_probability": [-1, None]})], "every token but the first", id="null"
        ),
        pytest.param(
            [line(tokens={"log_probability": [-1], "rank": [1, 2]})],
            "expected 1 numbers in rank, found 2",
            id="columns",
        ),
        pytest.param(
            [line(tokens={"log_probability": [-1], "start": [0]})], "both start and end", id="start"
        ),
        pytest.param(
            [line(), line(text_sha256="0" * 64, window=65)], "one model and window", id="windows"
        ),
        pytest.param([line(), line(n_characters=9)], "two that differ", id="twice"),
    ],
)
def test_what_breaks_the_format_is_told_with_its_place(lines, words, tmp_path):
    path = written(tmp_path / "s.jsonl", *lines)

    with pytest.raises(ModelFilesError, match=words):
        read_logprobs(path)


def test_a_file_that_is_not_there_or_no_text_is_told(tmp_path):
    with pytest.raises(ModelFilesError, match="no such file"):
        open_model(f"logprobs:{tmp_path}/none.jsonl", cache=tmp_path, announce=print)
    (tmp_path / "b.jsonl").write_bytes(b"\xff\xfe\n")
    with pytest.raises(ModelFilesError, match="no UTF-8"):
        read_logprobs(tmp_path / "b.jsonl")


def test_the_same_line_twice_is_one(tmp_path):
    assert read_logprobs(written(tmp_path / "s.jsonl", line(), line())).count(TEXTS[0]) == 3
