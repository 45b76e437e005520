"""Marks of origin that an attempt shares with public notebooks, and those that prove nothing."""

from __future__ import annotations

import json
import random
import uuid

import pytest

from audit.check import check
from detectors.attempt import Attempt
from detectors.plagiarism.corpus.build import add, build
from detectors.plagiarism.shared_provenance import SharedProvenance
from reports.schema import Confidence, Outcome, Severity
from tests.conftest import write_attempt
from tests.detectors.plagiarism.texts import OTHER, SOLUTION

TASK = "spaceship-titanic"
TEMPLATE = ("b1076dfc-b9ad-4769-8c92-a6c4dae69d19", "8f2839f25d086af736a60e9eeb907d3b93b6e0e5")
URL = "https://www.kaggle.com/janedoe/cabins-first"


def guids(seed: int, n: int) -> list[str]:
    draw = random.Random(seed)  # noqa: S311 - no secret
    return [str(uuid.UUID(int=draw.getrandbits(128))) for _ in range(n)]


def notebook(text: str, ids: list[str], **metadata: object) -> str:
    parts = text.split("\n\n")
    cells = [
        {
            "cell_type": "code",
            "metadata": {"_cell_guid": ids[i]} if i < len(ids) else {},
            "outputs": [],
            "source": part,
        }
        for i, part in enumerate(parts)
    ]
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 2})


def kernel(folder, name, text, author, created="2022-03-01", votes=5):
    """Write a kernel as Kaggle's client downloads it."""
    place = folder / name
    place.mkdir(parents=True)
    (place / f"{name}.ipynb").write_text(text)
    metadata = {
        "id": f"{author}/{name}", "title": name, "code_file": f"{name}.ipynb",
        "language": "python", "kernel_type": "notebook", "competition_sources": [TASK],
    }  # fmt: skip
    (place / "kernel-metadata.json").write_text(json.dumps(metadata))


HERS, HIS, COLAB = guids(1, 4), guids(2, 4), "ABX9TyNqk3JvYw0f8w1Yt2b1"
SCATTERED = "# Author: Jane Doe\n# See github.com/dmlc/xgboost and kaggle.com/johnroe/plots\n"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("given") / "public"
    folder.mkdir()
    kernel(folder, "cabins-first", notebook(SCATTERED + SOLUTION, HERS), "janedoe")
    kernel(folder, "plots", notebook(OTHER, [*HIS, *TEMPLATE]), "johnroe")
    tagged = notebook("# Created by Gael the Author\nx = 1", [], colab={"authorship_tag": COLAB})
    kernel(folder, "in-colab", tagged, "thirdone")
    build([folder], folder.parent / "corpus", competition=TASK)
    return str(folder.parent / "corpus")


def asked(path, corpus, **settings):
    return check(SharedProvenance(corpus=corpus, **settings), Attempt(path))


def attempt(tmp_path, code, logs="fitted\n"):
    write_attempt(tmp_path / f"{TASK}_1", code=code, logs=logs)
    return tmp_path / f"{TASK}_1"


FORKS = [
    pytest.param(notebook(SOLUTION, HERS), 4, Confidence.HIGH, id="all-cells"),
    pytest.param(notebook(OTHER[::-1], HERS), 4, Confidence.HIGH, id="every-word-rewritten"),
    pytest.param(notebook(OTHER, [*guids(3, 2), HERS[2]]), 1, Confidence.MEDIUM, id="one-cell"),
    pytest.param(
        notebook(OTHER, [h.upper() for h in HERS[:3]]), 3, Confidence.HIGH, id="in-capitals"
    ),
]


@pytest.mark.parametrize(("text", "n", "confidence"), FORKS)
def test_ids_of_cells_prove_a_fork(text, n, confidence, corpus, tmp_path):
    answer = asked(attempt(tmp_path, {"a.ipynb": text}), corpus)

    assert answer.outcome is Outcome.FLAGGED
    finding = answer.findings[0]
    (evidence,) = finding.evidence
    assert (finding.severity, finding.confidence) == (Severity.HIGH, confidence)
    assert (evidence.n_shared, evidence.provenance.author) == (n, "janedoe")
    assert {m.value for m in evidence.marks} <= set(HERS)


def test_a_notebook_pieced_together_names_each_of_its_sources(corpus, tmp_path):
    text = notebook(OTHER, [HERS[0], HIS[0], HIS[1]])
    findings = asked(attempt(tmp_path, {"a.ipynb": text}), corpus).findings

    assert [(e.provenance.author, e.n_shared) for f in findings for e in f.evidence] == [
        ("johnroe", 2),
        ("janedoe", 1),
    ]


def test_the_tag_of_colab_proves_a_copy(corpus, tmp_path):
    text = notebook(OTHER, [], colab={"authorship_tag": COLAB})
    (finding,) = asked(attempt(tmp_path, {"a.ipynb": text}), corpus).findings

    assert (finding.severity, finding.evidence[0].provenance.author) == (Severity.HIGH, "thirdone")


def test_the_name_of_the_sources_own_author_is_told(corpus, tmp_path):
    (finding,) = asked(attempt(tmp_path, f"# Author: Jane Doe\n{OTHER}"), corpus).findings

    assert (finding.severity, finding.confidence) == (Severity.MEDIUM, Confidence.MEDIUM)
    assert finding.evidence[0].marks[0].first_line == 1


def test_the_address_of_a_public_solution_is_a_mild_sign(corpus, tmp_path):
    (finding,) = asked(attempt(tmp_path, f"# as in {URL}\n{OTHER}"), corpus).findings

    assert (finding.severity, finding.confidence) == (Severity.LOW, Confidence.LOW)


HONEST = [
    pytest.param({"a.ipynb": notebook(SOLUTION, guids(9, 4))}, id="ids-of-its-own"),
    pytest.param({"a.ipynb": notebook(SOLUTION, list(TEMPLATE))}, id="kaggles-template"),
    pytest.param({"a.ipynb": notebook(SOLUTION, ["0" * 32, "a1b2c3d4"])}, id="ids-nobody-drew"),
    pytest.param({"a.py": SOLUTION}, id="the-same-code-without-any-mark"),
    pytest.param({"a.py": f"# https://github.com/dmlc/xgboost\n{OTHER}"}, id="a-library"),
    pytest.param(
        {"a.py": f"# https://scikit-learn.org/stable/modules/tree.html\n{OTHER}"}, id="its-guide"
    ),
    pytest.param(
        {"a.py": f"# https://www.kaggle.com/c/{TASK}/data\n# kaggle.com/datasets/x/y\n{OTHER}"},
        id="the-data",
    ),
    pytest.param({"a.py": f"# Author: an AI agent\n{OTHER}"}, id="its-own-name"),
    pytest.param({"a.py": f"# Created by Gael the Author\n{OTHER}"}, id="the-author-of-a-library"),
    pytest.param({"a.py": f"# Data set author: Jane Doe\n{OTHER}"}, id="the-author-of-the-data"),
    pytest.param({"a.py": f"# Table created by Jane Doe\n{OTHER}"}, id="the-author-of-a-table"),
    pytest.param({"a.py": f"# kaggle.com/somebody/else\n{OTHER}"}, id="a-page-nobody-collected"),
    pytest.param(
        {"a.ipynb": notebook(SOLUTION, [], kernelspec={"name": "my-kernel"})}, id="a-kernels-name"
    ),
]


@pytest.mark.parametrize("code", HONEST)
def test_what_is_nobodys_accuses_nobody(code, corpus, tmp_path):
    answer = asked(attempt(tmp_path, code), corpus)

    assert answer.outcome is Outcome.CLEAN
    assert answer.findings == ()


def test_ids_of_a_starter_kit_are_a_note(tmp_path):
    starter = guids(5, 3)
    for i in range(8):
        kernel(tmp_path / "public", f"k{i}", notebook(f"x = {i}\n\ny\n\nz", starter), f"author{i}")
    build([tmp_path / "public"], tmp_path / "corpus", competition=TASK)
    path = attempt(tmp_path, {"a.ipynb": notebook(SOLUTION, starter)})
    (finding,) = asked(path, str(tmp_path / "corpus")).findings

    assert finding.severity is Severity.NOTE
    assert asked(path, str(tmp_path / "corpus"), max_carriers=20).outcome is Outcome.FLAGGED


def test_the_same_author_in_many_notebooks_makes_no_template(tmp_path):
    for i in range(8):
        text = notebook(f"x = {i}\n\ny\n\nz", HERS)
        kernel(tmp_path / "public", f"version{i}", text, "janedoe")
    build([tmp_path / "public"], tmp_path / "corpus", competition=TASK)
    path = attempt(tmp_path, {"a.ipynb": notebook(SOLUTION, HERS)})
    (finding,) = asked(path, str(tmp_path / "corpus")).findings

    assert finding.severity is Severity.HIGH
    assert "7 other documents" in finding.message


def test_a_fork_of_a_notebook_of_another_task_is_found(tmp_path):
    kernel(tmp_path / "public", "elsewhere", notebook(OTHER, HIS), "johnroe")
    kernel(tmp_path / "more", "here", notebook(OTHER, guids(8, 3)), "somebody")
    build([tmp_path / "more"], tmp_path / "corpus", competition=TASK)
    add(tmp_path / "corpus", [tmp_path / "public"], competition="another-task")
    path = attempt(tmp_path, {"a.ipynb": notebook(SOLUTION, HIS)})

    assert asked(path, str(tmp_path / "corpus")).outcome is Outcome.FLAGGED


@pytest.mark.parametrize("folder", ["", "/nowhere/corpus"])
def test_without_a_corpus_nothing_is_clean(folder, tmp_path):
    answer = asked(attempt(tmp_path, SOLUTION), folder)

    assert (answer.outcome, answer.missing) == (Outcome.NOT_AVAILABLE, "corpus")


def test_logs_without_code_are_not_clean(corpus, tmp_path):
    assert asked(attempt(tmp_path, {}), corpus).outcome is Outcome.NOT_AVAILABLE
