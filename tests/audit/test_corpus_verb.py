"""The verbs of `corpus`: what they print, and that no number of workers changes a byte."""

from __future__ import annotations

import json
from importlib.util import find_spec

import pytest
from typer.testing import CliRunner

from audit.cli import app
from audit.corpora import workers
from competitions.errors import UsageError
from detectors.plagiarism.corpus.build import build
from tests.competitions import test_sources_kaggle_kernels as kernels
from tests.detectors.plagiarism.test_corpus import folder_of, script


@pytest.fixture
def notebooks(tmp_path):
    return folder_of(tmp_path / "notebooks", **{f"k{i}": script(i) for i in range(6)})


@pytest.fixture
def corpus(tmp_path, notebooks):
    done = run("build", notebooks, "--competition", "titanic", "-o", tmp_path / "corpus")
    assert done.exit_code == 0, done.output
    return tmp_path / "corpus"


server = kernels.server  # the fixture


def run(*words):
    return CliRunner().invoke(app, ["corpus", *map(str, words)])


def told(*words):
    done = run(*words, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def content(folder):
    return {
        p.relative_to(folder): p.read_bytes()
        for p in sorted(folder.rglob("*"))
        if p.is_file() and p.name != ".lock"
    }


def test_a_corpus_is_built_added_to_and_taken_from(corpus, tmp_path):
    assert told("stats", corpus)["competitions"] == {"titanic": 6}
    more = folder_of(tmp_path / "more", k9=script(9))

    assert told("add", corpus, more, "-c", "titanic")["n_documents"] == 7
    assert told("remove", corpus, "k9.py")["n_documents"] == 6
    assert "k9.py" not in run("stats", corpus, "--documents").output


def test_a_change_tells_how_much_it_changed(corpus, tmp_path):
    more = folder_of(tmp_path / "more", k9=script(9))

    assert "7, 1 more than before" in run("add", corpus, more).output
    assert "7, as before" in run("add", corpus, more).output
    assert "6, 1 fewer than before" in run("remove", corpus, "k9.py").output
    assert "before" not in run("stats", corpus).output


def test_corpora_are_merged(corpus, tmp_path):
    other = folder_of(tmp_path / "other", k9=script(9))
    run("build", other, "-c", "wine", "-o", tmp_path / "two")

    merged = told("merge", corpus, tmp_path / "two", "-o", tmp_path / "both")
    assert merged["competitions"] == {"titanic": 6, "wine": 1}


def test_documents_are_listed_with_whose_they_are(corpus):
    rows = json.loads(run("stats", corpus, "--documents", "--json").stdout)

    assert {row["document"] for row in rows} == {f"k{i}.py" for i in range(6)}
    assert {row["competition"] for row in rows} == {"titanic"}


@pytest.mark.parametrize(
    ("words", "code"),
    [
        pytest.param(["build"], 2, id="nothing-to-read"),
        pytest.param(["build", "nowhere"], 2, id="no-such-source"),
        pytest.param(["build", "--kaggle-top", "5"], 2, id="notebooks-of-no-competition"),
        pytest.param(["build", ".", "--engine", "carrier-pigeon"], 2, id="no-such-engine"),
        pytest.param(
            ["build", ".", "--engine-address", "tcp://h:1"], 2, id="address-of-no-cluster"
        ),
        pytest.param(["stats", "nowhere"], 3, id="no-corpus"),
        pytest.param(["add", "nowhere"], 2, id="nothing-to-add"),
    ],
)
def test_what_cannot_be_meant_is_told(words, code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Exception, match=r"(?i)expected") as error:
        CliRunner().invoke(app, ["corpus", *words], catch_exceptions=False)
    assert getattr(error.value, "exit_code", None) == code
    assert not (tmp_path / "corpus").exists()


@pytest.mark.parametrize("engine", ["threading", pytest.param("loky", marks=pytest.mark.slow)])
def test_many_workers_make_the_bytes_that_one_makes(notebooks, tmp_path, engine, monkeypatch):
    monkeypatch.setattr("detectors.plagiarism.corpus.build._FILES_AT_ONCE", 2)
    build([notebooks], tmp_path / "one", competition="titanic")
    build([notebooks], tmp_path / "two", competition="titanic", run=workers(2, engine))

    assert content(tmp_path / "one") == content(tmp_path / "two")


@pytest.mark.slow
@pytest.mark.parametrize(
    "engine",
    [
        "dask",
        pytest.param(
            "ray",
            marks=pytest.mark.skipif(find_spec("ray") is None, reason="ray is not installed"),
        ),
    ],
)
def test_a_cluster_makes_the_bytes_that_one_process_makes(notebooks, tmp_path, engine, monkeypatch):
    monkeypatch.setattr("detectors.plagiarism.corpus.build._FILES_AT_ONCE", 2)
    build([notebooks], tmp_path / "one", competition="titanic")
    build([notebooks], tmp_path / "two", competition="titanic", run=workers(2, engine))

    assert content(tmp_path / "one") == content(tmp_path / "two")


def test_the_most_voted_notebooks_come_from_kaggle_and_stay_beside_the_corpus(server, tmp_path):
    server.kernels += [
        kernels.kernel(f"n{i}", votes=i, source=notebook(script(i))) for i in range(4)
    ]
    done = run("build", "--kaggle-top", 2, "-c", "spaceship-titanic", "-o", tmp_path / "corpus")

    assert done.exit_code == 0, done.output
    assert "Downloaded: 2 notebooks" in done.stderr
    rows = json.loads(run("stats", tmp_path / "corpus", "--documents", "--json").stdout)
    assert {(row["author"], row["competition"]) for row in rows} == {("Jane", "spaceship-titanic")}
    assert len(list((tmp_path / "corpus-kernels").rglob("*.ipynb"))) == 2


def notebook(code):
    return json.dumps({"cells": [{"cell_type": "code", "source": code}], "nbformat": 4})


def test_units_are_counted(notebooks, tmp_path):
    seen = []
    run_ = workers(show=lambda done, total, _last: seen.append((done, total)))
    build([notebooks], tmp_path / "c", run=run_)

    assert seen == [(1, 1)]


def test_workers_of_no_engine_are_refused_before_anything_is_read():
    with pytest.raises(UsageError):
        workers(0)
