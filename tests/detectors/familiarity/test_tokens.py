"""Token scores, the cache they are kept in, and the texts they are of."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.errors import TextError, UnreadableFileError, UsageError
from detectors.familiarity.backend import Identity, Plan
from detectors.familiarity.cache import ScoreCache, default_cache
from detectors.familiarity.texts import MAX_CHARACTERS, Text, read_text
from detectors.familiarity.tokens import TokenScores, load_scores, save_scores

IDENTITY = Identity("m", "a" * 64, "b" * 64, "float32", 0)
PLAN = Plan(window=16, stride=8)
TEXT = Text("t", "Größe 世界")


def scores_of(text=TEXT, statistics=True):
    n = len(text.content)
    column = np.linspace(-3, -1, n)
    offsets = np.stack([np.arange(n), np.arange(n) + 1], axis=1)
    more = {"mean": column, "deviation": -column, "rank": -column} if statistics else {}
    return TokenScores.of(text, offsets, column, **more)


def test_scores_come_back_from_a_file_as_they_were(tmp_path):
    scores = scores_of()

    save_scores(tmp_path / "s.npz", scores, {"k": 1})
    found, key = load_scores(tmp_path / "s.npz")

    assert key == {"k": 1}
    for name, value in dataclasses.asdict(scores).items():
        assert np.array_equal(getattr(found, name), value), name
    assert not found.log_probability.flags.writeable
    assert [p.name for p in tmp_path.iterdir()] == ["s.npz"]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"PK\x03\x04 cut off", id="cut"),
        pytest.param(b"\x93NUMPY", id="another-kind"),
    ],
)
def test_a_broken_file_is_told_and_costs_only_a_new_score(content, tmp_path):
    cache = ScoreCache(tmp_path)
    path = cache.path(TEXT, IDENTITY, PLAN)
    path.parent.mkdir(parents=True)
    path.write_bytes(content)

    with pytest.raises(UnreadableFileError, match="expected token scores of format 1"):
        load_scores(path)
    assert cache.load(TEXT, IDENTITY, PLAN) is None
    cache.store(TEXT, IDENTITY, PLAN, scores_of())
    assert cache.load(TEXT, IDENTITY, PLAN) is not None


def test_what_a_backend_cannot_give_is_nan_and_arrays_have_one_length():
    scores = scores_of(statistics=False)

    assert np.isnan(scores.mean).all()
    assert not scores.has_statistics
    assert scores_of().has_statistics
    with pytest.raises(ValueError, match="arrays of shapes"):
        TokenScores.of(TEXT, np.zeros((2, 2), dtype=int), np.zeros(3))


@pytest.mark.parametrize(
    ("identity", "plan"),
    [
        pytest.param({"model": "c" * 64}, {}, id="other-weights"),
        pytest.param({"tokenizer": "c" * 64}, {}, id="other-tokenizer"),
        pytest.param({"dtype": "bfloat16"}, {}, id="other-type"),
        pytest.param({"bos": None}, {}, id="no-bos"),
        pytest.param({}, {"window": 32}, id="other-window"),
        pytest.param({}, {"stride": 4}, id="other-stride"),
    ],
)
def test_a_score_is_only_found_under_what_it_depends_on(identity, plan, tmp_path):
    cache = ScoreCache(tmp_path)
    cache.store(TEXT, IDENTITY, PLAN, scores_of())
    other = dataclasses.replace(IDENTITY, **identity), dataclasses.replace(PLAN, **plan)

    assert cache.load(TEXT, *other) is None
    assert cache.load(Text("t", TEXT.content + " "), IDENTITY, PLAN) is None


def test_names_of_texts_and_models_and_the_batch_size_change_no_key(tmp_path):
    cache = ScoreCache(tmp_path)
    cache.store(TEXT, IDENTITY, PLAN, scores_of())

    renamed = dataclasses.replace(IDENTITY, name="n")
    assert cache.load(Text("u", TEXT.content), renamed, dataclasses.replace(PLAN, batch_tokens=1))


def test_scores_without_statistics_do_only_where_none_are_asked(tmp_path):
    cache = ScoreCache(tmp_path)
    cache.store(TEXT, IDENTITY, PLAN, scores_of(statistics=False))

    assert cache.load(TEXT, IDENTITY, PLAN) is None
    assert cache.load(TEXT, IDENTITY, dataclasses.replace(PLAN, statistics=False))


def test_the_cache_lies_where_the_variable_says(monkeypatch, tmp_path):
    monkeypatch.setenv("MLE_AUDIT_CACHE", str(tmp_path))

    assert default_cache() == tmp_path / "familiarity"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param("", "nothing but space", id="empty"),
        pytest.param(" \n\t", "nothing but space", id="blank"),
        pytest.param("a\0b", "binary", id="nul"),
        pytest.param("".join(map(chr, range(1, 32))) * 9 + "abc", "binary", id="control"),
        pytest.param("a" * (MAX_CHARACTERS + 1), "at most 2,000,000 characters", id="long"),
    ],
)
def test_what_is_no_text_is_refused_by_name(content, said):
    with pytest.raises(TextError, match=said) as caught:
        Text("case", content)
    assert str(caught.value).startswith("case: ")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"\xff\xfe\x00", "no UTF-8 text", id="not-utf-8"),
        pytest.param(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "no UTF-8 text", id="picture"),
        pytest.param(b"a" * (4 * MAX_CHARACTERS + 1), "bytes", id="ten-megabytes"),
        pytest.param(None, "no such file", id="missing"),
    ],
)
def test_a_file_that_is_no_text_is_refused(content, said, tmp_path):
    path = tmp_path / "f.txt"
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(TextError, match=said):
        read_text(path)


def test_mixed_scripts_are_a_text_and_a_byte_order_mark_is_dropped(tmp_path):
    (tmp_path / "f").write_bytes("\ufeffGröße 世界 مرحبا 🎉\n".encode())

    assert read_text(tmp_path / "f").content == "Größe 世界 مرحبا 🎉\n"


@given(st.text(min_size=1).filter(lambda t: t.strip() and "\0" not in t and t.isprintable()))
def test_equal_texts_have_equal_digests(content):
    assert Text("a", content).sha256 == Text("b", content).sha256


@pytest.mark.parametrize(("window", "stride"), [(1, 1), (8, 8), (8, 0), (8, -1)])
def test_a_plan_that_would_skip_or_repeat_tokens_is_refused(window, stride):
    with pytest.raises(UsageError, match="stride from 1 to window - 1"):
        Plan(window=window, stride=stride)
