import random
import string

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.check import check
from detectors.dataset import Dataset
from detectors.leakage.duplicate_text import DuplicateText
from detectors.leakage.text_pairs import compare_texts, likeness
from detectors.leakage.text_shingles import SHINGLE, WINDOW, Index, normalised, prints_of
from reports.schema import Outcome, Quantity, Severity, TextPair


def seeded(number):
    return random.Random(number)  # noqa: S311 - texts for tests


WORDS = ["".join(seeded(i).choices(string.ascii_lowercase, k=2 + i % 8)) for i in range(1500)]


def passage(seed, n_words=30):
    words = seeded(seed).choices(WORDS, k=n_words)
    return " ".join(w + (". " if i % 9 == 8 else "") for i, w in enumerate(words)).capitalize()


def typos(text, seed):
    place = seeded(seed)
    return "".join(c if place.random() > 0.03 else place.choice("xyz") for c in text)


def swapped(text, seed):
    words = text.split()
    for i in range(seed % 3, len(words) - 1, 8):
        words[i], words[i + 1] = words[i + 1], words[i]
    return " ".join(words)


EDITS = {
    "none": lambda t, _: t,
    "case": lambda t, _: t.upper(),
    "punctuation": lambda t, _: t.replace(".", "").replace(" ", "  ") + "!!",
    "cut": lambda t, _: t[: len(t) * 6 // 10],
    "begun later": lambda t, _: t[len(t) * 4 // 10 :],
    "prefix": lambda t, _: "Somebody else once said what follows here: " + t,
    "suffix": lambda t, _: t + " Greetings to everybody who has read this until the end.",
    "typos": typos,
    "word swaps": swapped,
    "sentence order": lambda t, _: ". ".join(reversed(t.split(". "))),
}
TRAIN = [passage(i) for i in range(300)]


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_nine_of_ten_texts_are_known_again_after_each_edit(edit):
    found = compare_texts(TRAIN, [edit(t, i) for i, t in enumerate(TRAIN[:40])], 10_000)

    assert sum(m.train == row for row, m in found.matches.items()) >= 36


def test_honest_texts_are_no_copies():
    assert compare_texts(TRAIN, [passage(i) for i in range(1000, 1300)], 10_000).matches == {}


def test_sentences_that_follow_a_pattern_are_no_copies():
    def filled(seed):
        size, colour, owner = seeded(seed).choices(WORDS, k=3)
        return f"The {size} house with a {colour} roof was sold by its owner {owner} last year."

    found = compare_texts(
        [filled(i) for i in range(300)], [filled(i) for i in range(500, 560)], 999
    )

    assert found.matches == {}


def tables(folder, train, test, column="text"):
    for name, texts in (("train", train), ("test", test)):
        quoted = [t.replace('"', "") for t in texts]
        rows = "\n".join(f'{name}{i},"{t}"' for i, t in enumerate(quoted))
        (folder / f"{name}.csv").write_text(f"id,{column}\n{rows}\n")
    return Dataset.of_tables(folder / "train.csv", folder / "test.csv", key=("id",), targets=())


def test_both_texts_are_shown_with_their_rows(tmp_path):
    test = [*[passage(i) for i in range(700, 720)], typos(TRAIN[7], 1)]
    answer = check(DuplicateText(), tables(tmp_path, TRAIN[:50], test))

    [finding] = answer.findings
    [evidence] = finding.evidence
    assert isinstance(evidence, TextPair)
    assert answer.outcome is Outcome.FLAGGED
    assert (evidence.left_row, evidence.right_row, evidence.column) == (8, 21, "text")
    assert evidence.left_text == TRAIN[7]
    assert evidence.right_text == test[-1]


def test_honest_tables_are_clean(tmp_path):
    answer = check(DuplicateText(), tables(tmp_path, TRAIN, [passage(i) for i in range(900, 950)]))

    assert (answer.outcome, answer.findings) == (Outcome.CLEAN, ())


@pytest.mark.parametrize(
    ("more_train", "more_test"),
    [
        pytest.param(["Yes, I do so."], ["yes i do so"], id="very-short"),
        pytest.param([passage(5000)] * 5, [passage(5000)], id="boilerplate"),
    ],
)
def test_natural_duplicates_are_a_note(tmp_path, more_train, more_test):
    honest = [passage(i) for i in range(900, 910)]
    answer = check(DuplicateText(), tables(tmp_path, TRAIN[:50] + more_train, honest + more_test))

    assert answer.outcome is Outcome.CLEAN
    assert "to be expected" in answer.findings[0].message
    assert {f.severity for f in answer.findings} == {Severity.NOTE}


def test_where_most_train_texts_recur_nothing_is_a_copy(tmp_path):
    answer = check(DuplicateText(), tables(tmp_path, TRAIN[:40] * 3, TRAIN[:10]))

    assert answer.outcome is Outcome.CLEAN
    assert len(answer.findings) == 2


def test_a_row_is_copied_when_all_its_texts_are(tmp_path):
    for name, seed in (("train", 0), ("test", 3000)):
        rows = "\n".join(f"{i},{TRAIN[i]},{passage(seed + i)}" for i in range(60))
        (tmp_path / f"{name}.csv").write_text(f"id,context,question\n{rows}\n")
    answer = check(
        DuplicateText(),
        Dataset.of_tables(tmp_path / "train.csv", tmp_path / "test.csv", key=("id",), targets=()),
    )

    [finding] = answer.findings
    assert finding.severity is Severity.LOW
    assert finding.message.endswith("Other texts of these rows differ.")


@pytest.mark.parametrize(
    "cells",
    [
        pytest.param([f"{i:032x}" for i in range(60)], id="ids"),
        pytest.param(["a class of things with a long name"] * 60, id="classes"),
        pytest.param(["ACGT" * 20 + str(i) for i in range(60)], id="sequences"),
        pytest.param([str(i / 7) for i in range(60)], id="numbers"),
        pytest.param([""] * 60, id="nothing"),
        pytest.param([f"https://x.org/a-page/of-user/{i}" for i in range(60)], id="addresses"),
    ],
)
def test_columns_without_passages_are_not_asked(tmp_path, cells):
    answer = check(DuplicateText(), tables(tmp_path, cells, cells[:10]))

    assert answer.outcome is Outcome.NOT_APPLICABLE


def test_text_files_are_compared_too(tmp_path):
    for i in range(30):
        part = tmp_path / ("train" if i < 25 else "test")
        part.mkdir(exist_ok=True)
        (part / f"{i}.txt").write_text(TRAIN[i])
    (tmp_path / "test/x.txt").write_text(TRAIN[3].lower())
    (tmp_path / "test/y.txt").write_bytes(bytes(range(256)) * 4)
    [finding] = check(DuplicateText(), Dataset.of_folders(tmp_path)).findings

    assert [e.right for e in finding.evidence if isinstance(e, TextPair)] == ["public/test/x.txt"]


def test_of_many_texts_an_even_sample_is_compared_and_said(tmp_path):
    data = tables(tmp_path, TRAIN, [passage(i) for i in range(900, 910)])
    [finding] = check(DuplicateText(max_texts=100), data).findings

    [counted] = finding.evidence
    assert isinstance(counted, Quantity)
    assert (finding.severity, counted.value) == (Severity.NOTE, 100)


@given(st.text(max_size=60), st.text(max_size=60))
@settings(deadline=None, max_examples=50)
def test_likeness_is_a_share_and_has_no_sides(one, other):
    one, other = normalised(one), normalised(other)
    value = likeness(one, other)

    assert 0 <= value <= 1
    assert value == likeness(other, one)
    assert likeness(one, one) == 1


@given(st.text("ab cdé", min_size=SHINGLE + WINDOW, max_size=40), st.text(max_size=20))
@settings(deadline=None, max_examples=50)
def test_a_long_shared_stretch_leaves_a_shared_print(stretch, rest):
    one, other = prints_of([stretch]), prints_of([rest, rest + stretch])

    assert set(one.hashes.tolist()) <= set(other.hashes[other.texts == 1].tolist())


def test_what_stands_at_the_head_of_all_texts_makes_none_alike():
    same = prints_of([normalised("the same opening words in each of them " + t) for t in TRAIN])
    pairs = Index(same).nearest(same, 3, np.arange(len(TRAIN)))

    assert pairs.shared.max() < 0.1


@pytest.mark.parametrize("block", [1, 7, 100, 10**6])
def test_pairs_are_the_same_however_many_are_held_at_once(monkeypatch, block):
    prints = prints_of([normalised(t) for t in TRAIN[:20] + TRAIN[:5]])
    itself = np.arange(25)
    whole = Index(prints).nearest(prints, 3, itself)
    monkeypatch.setattr("detectors.leakage.text_shingles.BLOCK", block)
    pieces = Index(prints).nearest(prints, 3, itself)

    assert len(whole.left) >= 10
    assert all(np.array_equal(a, b) for a, b in zip(whole, pieces, strict=True))
