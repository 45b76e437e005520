"""A corpus on disk: what it answers, and that nothing loses or breaks it."""

from __future__ import annotations

import json
import math
import random
import resource
import shutil
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from competitions.errors import CorpusError, RefusedError, UsageError
from detectors.plagiarism.corpus import build as building
from detectors.plagiarism.corpus import generation, postings
from detectors.plagiarism.corpus.build import add, build, merge, remove, stats
from detectors.plagiarism.corpus.index import PRIOR, Corpus
from detectors.plagiarism.corpus.layout import CARD
from detectors.plagiarism.corpus.less import less_base
from detectors.plagiarism.corpus.postings import Postings, Run, write_postings
from detectors.plagiarism.fingerprints import fingerprint

OPERATORS = ("+", "-", "*", "/", "%", "@", "&", "|", "<", ">", "==", "**", "//", ".")


def script(seed: int, n_lines: int = 60) -> str:
    """Write code whose shape is drawn: two of different seeds share next to nothing."""
    draw = random.Random(seed)  # noqa: S311 - no secret
    lines = []
    for _ in range(n_lines):
        terms = [f"v{draw.randrange(9)}" for _ in range(draw.randrange(2, 7))]
        text = terms[0]
        for term in terms[1:]:
            text = draw.choice([f"({text})", f"f({text}, {term})", f"[{text}]", text])
            text += f" {draw.choice(OPERATORS)} {term}"
        lines.append(draw.choice(["x = {}", "if {}: y()", "for z in {}: w", "{}"]).format(text))
    return "\n".join(lines) + "\n"


def folder_of(place, **texts):
    place.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (place / f"{name}.py").write_text(text)
    return place


def files_of(corpus):
    """Read every file of a corpus' generation."""
    card = json.loads((corpus / CARD).read_text())
    place = corpus / card["generation"]
    return {p.name: p.read_bytes() for p in sorted(place.iterdir())} | {"card": card["generation"]}


@pytest.fixture
def many(tmp_path):
    return folder_of(tmp_path / "many", **{f"k{i}": script(i) for i in range(25)})


def names(corpus, text, competition=None, most=3):
    found = corpus.candidates(fingerprint(text), competition, most)
    return [corpus.entry(c.document).name for c in found]


def test_a_copy_finds_its_source_first(many, tmp_path):
    build([many], tmp_path / "c", competition="x")
    corpus = Corpus.open(tmp_path / "c")
    copied = script(7).replace("v1", "frame").replace("x =", "result =")
    best = corpus.candidates(fingerprint(f"import os\n{copied}"))[0]

    assert corpus.entry(best.document).name == "k7.py"
    assert best.share_of_source == pytest.approx(1)
    assert best.share_of_file > 0.95
    assert corpus.document(best.document).code == script(7)


def test_a_fifth_of_a_source_inside_other_code_is_its_best_match(many, tmp_path):
    build([many], tmp_path / "c", competition="x")
    part = "\n".join(script(11).splitlines()[20:32])
    best = Corpus.open(tmp_path / "c").candidates(fingerprint(script(99) + part + script(98)))

    assert Corpus.open(tmp_path / "c").entry(best[0].document).name == "k11.py"
    assert 0.1 < best[0].share_of_source < 0.3
    assert best[0].score > 5 * best[1].score


def test_a_corpus_of_one_document_finds_it(tmp_path):
    build([folder_of(tmp_path / "s", only=script(1))], tmp_path / "c")
    best = Corpus.open(tmp_path / "c").candidates(fingerprint(script(1)))[0]

    assert best.share_of_source == pytest.approx(1)
    assert best.share_of_file == pytest.approx(1)


def test_only_the_competition_that_is_asked_for_is_compared(tmp_path):
    build([folder_of(tmp_path / "a", one=script(1))], tmp_path / "c", competition="a")
    add(tmp_path / "c", [folder_of(tmp_path / "b", two=script(1))], competition="b")
    corpus = Corpus.open(tmp_path / "c")

    assert names(corpus, script(1), "a") == ["one.py"]
    assert names(corpus, script(1), "b") == ["two.py"]
    assert sorted(names(corpus, script(1))) == ["one.py", "two.py"]
    assert names(corpus, script(1), "elsewhere") == []


def test_the_same_text_of_one_competition_is_kept_once(tmp_path):
    source = folder_of(tmp_path / "s", b=script(1), a=script(1), c=script(2))
    told = build([source], tmp_path / "c", competition="x")

    assert told.n_documents == 2
    assert names(Corpus.open(tmp_path / "c"), script(1))[0] == "a.py"


def test_base_code_counts_for_nothing(tmp_path):
    kit, own = script(50), script(51)
    source = folder_of(tmp_path / "s", one=kit + own, two=kit + script(52))
    base = folder_of(tmp_path / "kit", starter=kit)
    build([source], tmp_path / "c", base=[base])
    corpus = Corpus.open(tmp_path / "c")
    honest = corpus.candidates(fingerprint(kit + script(53)))
    copy = corpus.candidates(fingerprint(kit + own))

    assert all(c.score < 0.1 for c in honest)
    assert copy[0].share_of_source > 0.9
    assert all(c.score < 0.1 for c in copy[1:])


def notebook(*guids: str) -> str:
    cells = [
        {"cell_type": "code", "metadata": {"_cell_guid": g}, "source": script(60), "outputs": []}
        for g in guids
    ]
    return json.dumps({"nbformat": 4, "nbformat_minor": 2, "metadata": {}, "cells": cells})


STARTER, OWN = "11111111-2222-4333-8444-555555555555", "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee"


@pytest.mark.parametrize("when", ["built", "added", "asked", "merged"])
def test_marks_of_base_code_are_nobodys(tmp_path, when):
    for place, guids in (("s", (STARTER, OWN)), ("kit", (STARTER,))):
        (tmp_path / place).mkdir()
        (tmp_path / place / "n.ipynb").write_text(notebook(*guids))
    kit = [tmp_path / "kit"]
    build([tmp_path / "s"], tmp_path / "c", base=kit if when in {"built", "merged"} else [])
    if when == "added":
        add(tmp_path / "c", [], base=kit)
    target = tmp_path / ("both" if when == "merged" else "c")
    if when == "merged":
        merge([tmp_path / "c"], target)
    with less_base(target, kit if when == "asked" else []) as folder:
        corpus = Corpus.open(folder)

        assert corpus.marks(OWN) == (0,)
        assert corpus.marks(STARTER) == ()


BINARY = st.lists(st.sets(st.integers(0, 12), max_size=8), min_size=1, max_size=8)


@settings(max_examples=60, deadline=None)
@given(documents=BINARY, cut=st.integers(0, 8), query=st.sets(st.integers(0, 14)))
def test_postings_answer_what_a_plain_search_does(tmp_path_factory, documents, cut, query):
    """Bounds of two competitions are set at `cut`; hashes are spread over all bits."""
    place = tmp_path_factory.mktemp("p")
    spread = {v: (v * 0x9E3779B97F4A7C15 + 1) % 2**64 for v in range(15)}
    cut = min(cut, len(documents))
    bounds = np.array([0, cut, len(documents)])
    pairs = sorted((spread[v], d) for d, values in enumerate(documents) for v in values)
    hashes = np.array([h for h, _ in pairs], np.uint64)
    owners = np.array([d for _, d in pairs], np.uint32)
    same = np.arange(len(documents), dtype=np.uint32)
    half = len(pairs) // 2
    runs = [
        Run(hashes[:half], None, owners[:half], same),
        Run(hashes[half:], None, owners[half:], same),
    ]
    write_postings(place, "code", runs, bounds, np.empty(0, np.uint64))
    wanted = np.array(sorted(spread[v] for v in query), np.uint64)
    hits = Postings.open(place, "code").hits(wanted, 0, len(documents))
    found = {(int(wanted[w]), int(d)) for d, w in zip(hits.documents, hits.wanted, strict=True)}

    assert found == {(h, d) for h, d in pairs if h in set(wanted.tolist())}
    masses = np.fromfile(place / "code.masses", np.float32)
    for d, values in enumerate(documents):
        members = range(cut) if d < cut else range(cut, len(documents))
        held = Counter(v for m in members for v in documents[m])
        expected = sum(math.log((len(members) + 1) / held[v]) ** 3 for v in values)
        assert masses[d] == pytest.approx(expected, rel=1e-5)


def test_a_score_is_the_weighted_share_of_the_source_less_what_chance_would_share(many, tmp_path):
    build([many], tmp_path / "c", competition="x")
    corpus = Corpus.open(tmp_path / "c")
    query = script(3) + "\n".join(script(4).splitlines()[:30])
    hashes = {f"k{i}.py": set(fingerprint(script(i)).kept.tolist()) for i in range(25)}
    asked = set(fingerprint(query).kept.tolist())
    held = Counter(h for of_one in hashes.values() for h in of_one)
    for found in corpus.candidates(fingerprint(query), most=25):
        source = hashes[corpus.entry(found.document).name]
        weight = {h: math.log(26 / held[h]) ** 3 for h in source}
        mass, shared = sum(weight.values()), sum(weight[h] for h in source & asked)

        assert found.n_shared == len(source & asked)
        assert found.share_of_source == pytest.approx(shared / mass, rel=1e-4)
        expected = shared / (mass + PRIOR * mass / len(source))
        assert found.score == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("budget", [60, 200, 1000])
def test_hashes_that_many_hold_count_though_their_lists_are_not_read(tmp_path, monkeypatch, budget):
    kit = script(50)
    texts = {f"k{i}": kit + script(i, 20) for i in range(12)}
    build([folder_of(tmp_path / "a", **texts)], tmp_path / "c", competition="a")
    more = {f"l{i}": script(i, 20) + kit for i in range(6, 18)}
    add(tmp_path / "c", [folder_of(tmp_path / "b", **more)], competition="b")
    corpus = Corpus.open(tmp_path / "c")
    asked = fingerprint(kit + script(7, 20) + script(99))
    whole = {c.document: c for c in corpus.candidates(asked, most=30)}
    rare = corpus.rarity_of(asked.hashes, "a")
    monkeypatch.setattr(postings, "BUDGET", budget)
    found = corpus.candidates(asked, most=30)

    assert found[0].document == max(whole.values(), key=lambda c: c.score).document
    assert corpus.rarity_of(asked.hashes, "a").tolist() == rare.tolist()
    for candidate in found:
        assert candidate == pytest.approx(whole[candidate.document])


def test_how_the_work_is_cut_does_not_change_a_byte(many, tmp_path, monkeypatch):
    build([many], tmp_path / "one", competition="x")
    monkeypatch.setattr(building, "_FILES_AT_ONCE", 4)
    build([many], tmp_path / "two", competition="x", run=lambda f, items: map(f, items[::-1]))

    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")


def test_adding_gives_what_building_at_once_gives(tmp_path):
    first = folder_of(tmp_path / "a", **{f"k{i}": script(i) for i in range(10)})
    second = folder_of(tmp_path / "b", **{f"k{i}": script(i) for i in range(8, 20)})
    build([first, second], tmp_path / "one", competition="x")
    build([first], tmp_path / "two", competition="x")
    add(tmp_path / "two", [second], competition="x")

    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")


def test_merging_gives_what_building_at_once_gives(tmp_path):
    first = folder_of(tmp_path / "a", **{f"k{i}": script(i) for i in range(10)})
    second = folder_of(tmp_path / "b", **{f"k{i}": script(i) for i in range(8, 20)})
    build([first, second], tmp_path / "one", competition="x")
    for name, source in (("a", first), ("b", second)):
        build([source], tmp_path / f"c{name}", competition="x")
    merge([tmp_path / "cb", tmp_path / "ca"], tmp_path / "two")

    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")


def test_removing_gives_what_building_without_gives(many, tmp_path):
    build([many], tmp_path / "one", competition="x")
    digest = Corpus.open(tmp_path / "one").entry(0)
    remove(tmp_path / "one", ["k3.py", digest.digest[:10]])
    (many / "k3.py").unlink()
    (many / digest.name).unlink(missing_ok=True)
    build([many], tmp_path / "two", competition="x")

    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")


def test_removing_what_is_not_there_changes_nothing(many, tmp_path):
    build([many], tmp_path / "c")
    before = files_of(tmp_path / "c")

    with pytest.raises(UsageError, match=r"no document or submission called nobody\.py"):
        remove(tmp_path / "c", ["k1.py", "nobody.py"])
    assert files_of(tmp_path / "c") == before


@pytest.mark.parametrize("step", ["assemble", "write_null", "write_json"])
def test_a_change_that_breaks_off_leaves_the_corpus_as_it_was(many, tmp_path, monkeypatch, step):
    build([many], tmp_path / "c", competition="x")
    before = files_of(tmp_path / "c")
    more = folder_of(tmp_path / "more", new=script(77))

    def broken(*_args):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(building, step, broken)
        with pytest.raises(KeyboardInterrupt):
            add(tmp_path / "c", [more], competition="x")
    assert files_of(tmp_path / "c") == before
    assert names(Corpus.open(tmp_path / "c"), script(3))[0] == "k3.py"

    add(tmp_path / "c", [more], competition="x")
    left = {p.name for p in (tmp_path / "c").iterdir()}
    assert names(Corpus.open(tmp_path / "c"), script(77))[0] == "new.py"
    assert len([n for n in left if n.startswith((".new-", "generation-"))]) == 1


def test_an_opened_corpus_goes_on_while_another_is_written(many, tmp_path):
    build([many], tmp_path / "c", competition="x")
    corpus = Corpus.open(tmp_path / "c")
    names(corpus, script(1))
    add(tmp_path / "c", [folder_of(tmp_path / "more", new=script(77))], competition="x")

    assert names(corpus, script(3))[0] == "k3.py"
    assert names(Corpus.open(tmp_path / "c"), script(77))[0] == "new.py"


def test_a_corpus_is_not_built_over_another(many, tmp_path):
    build([many], tmp_path / "c")

    with pytest.raises(RefusedError, match="corpus add"):
        build([many], tmp_path / "c")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        pytest.param(lambda c: c.update(format=99), "expected format 1, found 99", id="format"),
        pytest.param(lambda c: c["scheme"].update(run=8), "hashed by another scheme", id="scheme"),
        pytest.param(lambda c: c.update(generation="no"), "is not there", id="generation"),
        pytest.param(lambda c: c.update(generation="../x"), "is not there", id="outside"),
        pytest.param(lambda c: c.pop("competitions"), "broken", id="field"),
    ],
)
def test_a_corpus_of_another_version_is_told(many, tmp_path, change, told):
    build([many], tmp_path / "c")
    card = json.loads((tmp_path / "c" / CARD).read_text())
    change(card)
    (tmp_path / "c" / CARD).write_text(json.dumps(card))

    with pytest.raises(CorpusError, match=told):
        Corpus.open(tmp_path / "c")


@pytest.mark.parametrize("content", ["", "{", "[]", "[" * 100_000])
def test_a_broken_card_is_told(tmp_path, content):
    (tmp_path / CARD).write_text(content)

    with pytest.raises(CorpusError, match="corpus build"):
        Corpus.open(tmp_path)


def test_a_folder_without_a_corpus_is_told(tmp_path):
    with pytest.raises(CorpusError, match=r"found no corpus\.json"):
        Corpus.open(tmp_path)


def test_sources_without_a_solution_are_told_and_leave_nothing(tmp_path):
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "picture.png").write_bytes(b"\x89PNG")

    with pytest.raises(UsageError, match="No solution could be read"):
        build([tmp_path / "s"], tmp_path / "c")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["s"]


def test_stats_tell_what_is_there(many, tmp_path):
    folder_of(many).joinpath("notes.md").write_text("We stack five models on out-of-fold rows.")
    submission = tmp_path / "public.csv"
    submission.write_text("id,y\n1,0.5\n")
    told = build([many], tmp_path / "c", competition="x", submissions=[submission])

    assert told == stats(tmp_path / "c")
    assert told.competitions == {"x": 26}
    assert told.languages == {"markdown": 1, "python": 25}
    assert told.n_submissions == 1
    (kept_file,) = Corpus.open(tmp_path / "c").submissions("x")
    assert kept_file.path.read_text() == submission.read_text()
    assert kept_file.name == "public.csv"


def test_a_corpus_may_be_moved(many, tmp_path):
    build([many], tmp_path / "c")
    shutil.move(tmp_path / "c", tmp_path / "d")

    assert names(Corpus.open(tmp_path / "d"), script(5))[0] == "k5.py"


@contextmanager
def few_open_files(most):
    """Let this process open no more files than so many beyond those that are open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    here = max(int(path.name) for path in Path("/proc/self/fd").iterdir())
    resource.setrlimit(resource.RLIMIT_NOFILE, (here + most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_sources_may_be_more_than_files_that_may_be_open(tmp_path, monkeypatch):
    texts = {f"k{i}": script(i, 20) for i in range(90)}
    sources = sorted(folder_of(tmp_path / "s", **texts).iterdir())
    build([tmp_path / "s"], tmp_path / "whole", competition="x")
    monkeypatch.setattr(generation, "_PARTS_AT_ONCE", 8)
    with few_open_files(120):
        build(sources, tmp_path / "c", competition="x")

    assert files_of(tmp_path / "c") == files_of(tmp_path / "whole")
    assert sorted(p.name for p in (tmp_path / "c").iterdir()) == sorted(
        p.name for p in (tmp_path / "whole").iterdir()
    )
