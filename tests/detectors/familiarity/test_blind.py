"""Blind baselines: they see how texts look, and nothing where there is nothing to see."""

from __future__ import annotations

import numpy as np
import pytest

from competitions.errors import UsageError
from competitions.spec import load
from detectors.familiarity.blind import blind, features, table_share
from detectors.familiarity.controls import (
    generated_controls,
    matched_lengths,
    read_controls,
    without,
)
from detectors.familiarity.documents import Document, Kind
from detectors.familiarity.texts import Text

SPECS = [load(n) for n in ("spaceship-titanic", "modechoice", "leaf-classification", "AI4Code")]


@pytest.fixture(scope="module")
def pages():
    return generated_controls(SPECS, [900] * 120, seed=1)


def test_texts_of_one_kind_are_not_told_apart(pages):
    found = [blind(pages[i : i + 20], pages[60:]) for i in (0, 10, 20, 30, 40)]

    assert np.mean([f.register_auc for f in found]) == pytest.approx(0.5, abs=0.12)
    assert sum(f.separated[0] for f in found) <= 1


def test_tables_among_prose_are_told_apart(pages):
    tables = [Text(str(i), f"{i},2,3,4,5\n" * 80) for i in range(20)]

    found = blind(tables, pages)

    assert found.register_auc > 0.99
    assert all(found.separated)


def test_longer_texts_are_told_apart(pages):
    longer = generated_controls(SPECS, [1500] * 20, seed=2)

    found = blind(longer, pages)

    assert found.length_auc > 0.99
    assert all(found.separated)


def test_a_single_odd_text_is_told_by_its_distance(pages):
    odd = blind([Text("odd", "7;8;9\n" * 150)], pages)
    plain = blind(pages[:1], pages[1:])

    assert odd.separated == (True,)
    assert np.isnan(odd.register_auc)
    assert plain.odd[0] > 0.05


@pytest.mark.parametrize(
    ("content", "share"),
    [
        pytest.param("No table, just prose, with two commas.\n", 0.0, id="prose"),
        pytest.param("a,b,c,d\n1,2,3,4\n", 1.0, id="csv"),
        pytest.param("| a | b |\n|---|---|\n", 1.0, id="markdown"),
    ],
)
def test_table_share(content, share):
    assert table_share(Text("t", content)) == pytest.approx(share)


def test_written_controls_are_the_same_for_a_seed_and_have_the_length_asked_for(pages):
    assert [t.sha256 for t in pages] == [
        t.sha256 for t in generated_controls(SPECS, [900] * 120, seed=1)
    ]
    assert len({t.sha256 for t in pages}) == 120
    assert all(600 <= len(t.content) <= 1050 for t in pages)


def test_written_controls_keep_no_column_of_the_tasks(pages):
    columns = {c for spec in SPECS for c in spec.columns if len(c) > 8}

    assert not [c for c in columns for t in pages if c in t.content]


def test_lengths_go_through_those_of_the_targets():
    lengths = list(matched_lengths([Text("a", "x" * 1000), Text("b", "x" * 5000)], 40))

    assert min(lengths) >= 800
    assert max(lengths) <= 6000
    assert sum(n < 1300 for n in lengths) == 20


def test_a_target_is_no_control_of_itself(pages):
    documents = [Document(page, Kind.POST) for page in pages]

    assert len(without(documents, documents[:3])) == 117


def test_a_folder_of_controls_is_read_once_each(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.md").write_text("One text.")
    (tmp_path / "sub" / "b.txt").write_text("Another text.")
    (tmp_path / "c.md").write_text("One text.")
    (tmp_path / "d.png").write_bytes(b"\0")

    assert sorted(d.text.content for d in read_controls(tmp_path)) == ["Another text.", "One text."]


@pytest.mark.parametrize("name", ["", "nowhere"])
def test_a_folder_without_controls_is_told(name, tmp_path):
    with pytest.raises(UsageError, match="control texts"):
        read_controls(tmp_path / name)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("word " * 60_000, id="one-line"),
        pytest.param("a" + "\n" * 200_000 + "b", id="empty-lines"),
        pytest.param("x, " * 60_000, id="commas"),
        pytest.param("| " * 60_000, id="bars"),
    ],
)
def test_a_look_at_a_long_text_comes_to_an_end(content):
    assert len(features(Text("long", content))) == 13
