"""What counts as a copy of public code, what does not, and when nobody could look."""

from __future__ import annotations

import json
import random

import pytest

from audit.check import check
from detectors.attempt import Attempt
from detectors.plagiarism.copied_notebook import CopiedNotebook
from detectors.plagiarism.corpus.build import add, build
from detectors.plagiarism.loose_code import LooseCode
from reports.schema import Confidence, CopiedPassages, Finding, Outcome, Severity
from tests.conftest import write_attempt
from tests.detectors.plagiarism import lookalikes
from tests.detectors.plagiarism.test_corpus import folder_of, script

BOILERPLATE = """import os
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
from sklearn.model_selection import train_test_split
from sklearn.ensemble import RandomForestClassifier

train = pd.read_csv("../input/train.csv")
test = pd.read_csv("../input/test.csv")
print(train.shape, test.shape)
train.head()
X_train, X_valid, y_train, y_valid = train_test_split(X, y, test_size=0.2, random_state=42)
model = RandomForestClassifier(n_estimators=100, random_state=42)
model.fit(X_train, y_train)
submission = pd.DataFrame({"id": test["id"], "target": model.predict(test)})
submission.to_csv("submission.csv", index=False)
"""
COMPETITION = "spaceship-titanic"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Thirty solutions that all begin alike, of other authors each."""
    place = tmp_path_factory.mktemp("corpus")
    texts = {f"k{i}": BOILERPLATE + script(i) for i in range(30)}
    build([folder_of(place / "s", **texts)], place / "c", competition=COMPETITION)
    return place / "c"


def attempt(tmp_path, **files):
    code = {f"{name}.py": text for name, text in files.items()}
    return write_attempt(tmp_path / f"{COMPETITION}_1", code=code)


def renamed(text):
    for i in range(9):
        text = text.replace(f"v{i}", f"column_{i * 7}")
    return text.replace("x =", "result =").replace("f(", "transform(")


def proof(finding: Finding) -> CopiedPassages:
    shown = finding.evidence[0]
    assert isinstance(shown, CopiedPassages)
    return shown


def sources(result):
    return [proof(f).source for f in result.findings]


PART = "\n".join(script(4).splitlines()[10:40])


@pytest.mark.parametrize(
    ("files", "source", "least"),
    [
        pytest.param({"main": BOILERPLATE + script(3)}, "k3.py", 0.95, id="whole"),
        pytest.param({"main": renamed(script(3))}, "k3.py", 0.9, id="renamed"),
        pytest.param({"main": f"{script(90)}{PART}\n{script(91)}"}, "k4.py", 0.4, id="half-of-it"),
        pytest.param(
            {
                "a": "\n".join(script(5).splitlines()[:30]),
                "b": "\n".join(script(5).splitlines()[30:]),
            },
            "k5.py",
            0.4,
            id="over-two-files",
        ),
        pytest.param(
            {"main": "\n\n# why\n".join(script(6).splitlines())}, "k6.py", 0.9, id="with-comments"
        ),
    ],
)
def test_a_copy_is_told_with_its_source_and_the_lines_of_both(
    corpus, tmp_path, files, source, least
):
    result = check(CopiedNotebook(corpus=str(corpus)), attempt(tmp_path, **files))
    finding = result.findings[0]
    shown = proof(finding)

    assert result.outcome is Outcome.FLAGGED
    assert sources(result) == [source]
    assert shown.share_of_source >= least
    assert shown.p is not None
    assert shown.p < 0.01
    assert shown.n_null >= 20
    assert shown.passages
    for passage in shown.passages:
        left = shown.left_text.splitlines()[passage.left_first - 1 : passage.left_last]
        right = shown.right_text.splitlines()[passage.right_first - 1 : passage.right_last]
        assert left
        assert right


def test_a_whole_copy_is_graver_than_a_part(corpus, tmp_path):
    whole = check(CopiedNotebook(corpus=str(corpus)), attempt(tmp_path / "a", main=script(3)))
    part = check(
        CopiedNotebook(corpus=str(corpus)), attempt(tmp_path / "b", main=f"{script(90)}{PART}")
    )

    assert (whole.findings[0].severity, whole.findings[0].confidence) == (
        Severity.HIGH,
        Confidence.HIGH,
    )
    assert part.findings[0].confidence is Confidence.MEDIUM


def test_pieces_of_three_sources_are_three_findings(corpus, tmp_path):
    halves = ["\n".join(script(i).splitlines()[:30]) for i in (7, 8, 9)]
    result = check(CopiedNotebook(corpus=str(corpus)), attempt(tmp_path, main="\n".join(halves)))

    assert sorted(sources(result)) == ["k7.py", "k8.py", "k9.py"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(BOILERPLATE + script(95), id="the-same-beginning"),
        pytest.param(BOILERPLATE, id="boilerplate-alone"),
        pytest.param(script(96) * 30, id="repetitive"),
        pytest.param("x = 1\n" * 5000, id="one-line-again-and-again"),
    ],
)
def test_what_everybody_writes_is_no_copy(corpus, tmp_path, text):
    result = check(CopiedNotebook(corpus=str(corpus)), attempt(tmp_path, main=text))

    assert result.outcome is Outcome.CLEAN


@pytest.mark.parametrize("form", [pytest.param(f, id=f.__name__) for f in lookalikes.ALL])
@pytest.mark.parametrize("n_others", [1, 6])
def test_code_of_a_handful_of_forms_is_nobodys(tmp_path, form, n_others):
    texts = {f"k{i}": form(random.Random(i)) for i in range(n_others)}  # noqa: S311
    build([folder_of(tmp_path / "s", **texts)], tmp_path / "c", competition=COMPETITION)
    mine = attempt(tmp_path, main=form(random.Random(99)))  # noqa: S311 - no secret
    result = check(CopiedNotebook(corpus=str(tmp_path / "c")), mine)

    assert result.outcome is Outcome.CLEAN


def test_a_copy_is_told_however_much_else_there_is(corpus, tmp_path):
    much = "".join(script(i, 400) for i in range(200, 220))
    made = attempt(tmp_path, main=much + script(14))
    result = check(CopiedNotebook(corpus=str(corpus)), made)

    assert sources(result) == ["k14.py"]


def test_a_part_of_a_solution_is_no_sure_copy_where_nobody_knows_what_honest_ones_share(tmp_path):
    build([folder_of(tmp_path / "s", k=script(4))], tmp_path / "c", competition=COMPETITION)
    part = "\n".join(PART.splitlines()[:18])
    made = attempt(tmp_path, main=f"{script(90)}{part}")
    result = check(CopiedNotebook(corpus=str(tmp_path / "c")), made)

    assert [f.confidence for f in result.findings] == [Confidence.LOW]


def test_a_copy_that_only_the_logs_show_is_told_as_such(corpus, tmp_path):
    node = {"code": script(12), "plan": "try it", "step": 0, "id": "a", "_term_out": ["0.8"]}
    made = attempt(tmp_path, main=script(97))
    (made.path / "logs" / "journal.json").write_text(json.dumps({"nodes": [node]}))
    result = check(CopiedNotebook(corpus=str(corpus)), Attempt(made.path))

    assert sources(result) == ["k12.py"]
    assert proof(result.findings[0]).only_in_trajectory
    assert "logs" in result.findings[0].message
    assert result.findings[0].severity < Severity.HIGH


def test_forks_of_one_solution_are_one_finding(tmp_path):
    texts = {f"fork{i}": script(1) + f"\nprint({i}, a{i}[{i}])" for i in range(4)}
    others = {f"k{i}": script(i) for i in range(2, 10)}
    source = folder_of(tmp_path / "s", **texts, **others)
    build([source], tmp_path / "c", competition=COMPETITION)
    result = check(CopiedNotebook(corpus=str(tmp_path / "c")), attempt(tmp_path, main=script(1)))

    assert len(result.findings) == 1
    assert "3 other documents" in result.findings[0].message


def test_a_corpus_of_one_gives_a_finding_without_a_p(tmp_path):
    build([folder_of(tmp_path / "s", k=script(1))], tmp_path / "c", competition=COMPETITION)
    result = check(CopiedNotebook(corpus=str(tmp_path / "c")), attempt(tmp_path, main=script(1)))

    assert result.outcome is Outcome.FLAGGED
    assert proof(result.findings[0]).p is None
    assert result.findings[0].confidence < Confidence.HIGH


@pytest.mark.parametrize("folder", ["", "elsewhere"])
def test_without_a_corpus_it_cannot_look(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = check(CopiedNotebook(corpus=folder), attempt(tmp_path, main=script(1)))

    assert result.outcome is Outcome.NOT_AVAILABLE
    assert result.missing == "corpus"


def test_a_corpus_without_the_competition_is_told(tmp_path):
    build([folder_of(tmp_path / "s", k=script(1))], tmp_path / "c", competition="dog-breed")
    looking = CopiedNotebook(corpus=str(tmp_path / "c"), competition=COMPETITION)
    result = check(looking, attempt(tmp_path, main=script(1)))

    assert result.outcome is Outcome.NOT_AVAILABLE
    assert COMPETITION in str(result.reason)
    assert "dog-breed" in str(result.reason)


def test_documents_of_no_known_competition_are_compared_with_too(corpus, tmp_path):
    build([folder_of(tmp_path / "s", stray=script(60))], tmp_path / "c")
    add(tmp_path / "c", [folder_of(tmp_path / "t", k=script(61))], competition=COMPETITION)
    result = check(CopiedNotebook(corpus=str(tmp_path / "c")), attempt(tmp_path, main=script(60)))

    assert sources(result) == ["stray.py"]


def test_an_attempt_with_logs_and_no_code_is_not_clean(corpus, tmp_path):
    result = check(CopiedNotebook(corpus=str(corpus)), attempt(tmp_path))

    assert result.outcome is Outcome.NOT_AVAILABLE
    assert result.missing == "code"


def test_candidates_may_come_from_windows(corpus, tmp_path):
    made = attempt(tmp_path, main=f"{script(90)}{PART}\n{script(91)}")
    ours = check(CopiedNotebook(corpus=str(corpus)), made)
    theirs = check(CopiedNotebook(corpus=str(corpus), engine="lsh"), made)

    assert theirs.findings == ours.findings
    assert sources(theirs) == ["k4.py"]


def test_loose_code_may_be_its_authors_own_and_is_never_sure(corpus, tmp_path):
    whole = {"main": BOILERPLATE + script(3)}
    loose = LooseCode(folder_of(tmp_path / "loose", **whole) / "main.py", competition=COMPETITION)
    ours = check(CopiedNotebook(corpus=str(corpus)), loose).findings[0]
    handed_in = check(CopiedNotebook(corpus=str(corpus)), attempt(tmp_path / "a", **whole))

    assert (ours.severity, ours.confidence) == (Severity.HIGH, Confidence.MEDIUM)
    assert handed_in.findings[0].confidence is Confidence.HIGH


@pytest.mark.parametrize("code", ["x=1", "import os\nprint(os.sep)\n", "# only words\n"])
def test_code_too_short_to_be_compared_is_never_clean(code, corpus, tmp_path):
    answer = check(CopiedNotebook(corpus=str(corpus)), attempt(tmp_path, a=code, b="y\n"))

    assert (answer.outcome, answer.missing) == (Outcome.NOT_AVAILABLE, "code")
    assert "16 tokens" in (answer.reason or "")


def test_a_small_corpus_tells_how_few_comparisons_it_has(tmp_path):
    texts = {f"k{i}": script(i) for i in range(5)}
    build([folder_of(tmp_path / "s", **texts)], tmp_path / "c", competition=COMPETITION)
    answer = check(CopiedNotebook(corpus=str(tmp_path / "c")), attempt(tmp_path, a=script(3)))
    shown = proof(answer.findings[0])

    assert (shown.p, shown.n_null) == (None, 5)


@pytest.mark.parametrize("name", ["a.qmd", "a.rmd", "a.irnb"])
def test_documents_woven_of_words_and_code_are_read_as_code(name, corpus, tmp_path):
    chunk = f"```{{python}}\n{script(3)}```\n"
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": script(3)}]
    body = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4})
    path = tmp_path / f"{COMPETITION}_1"
    write_attempt(path, code={name: body if name.endswith("nb") else chunk})

    assert check(CopiedNotebook(corpus=str(corpus)), Attempt(path)).outcome is Outcome.FLAGGED
