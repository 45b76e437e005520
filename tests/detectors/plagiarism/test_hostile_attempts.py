"""Attempts that try to break whoever reads them, held against a corpus."""

from __future__ import annotations

import pytest

from audit.check import check
from detectors.attempt import Attempt
from detectors.plagiarism.copied_notebook import CopiedNotebook
from detectors.plagiarism.copied_prose import CopiedProse
from detectors.plagiarism.corpus.build import build
from detectors.plagiarism.shared_provenance import SharedProvenance
from reports.schema import Outcome
from tests.contract.hostile import ATTEMPTS, MARK
from tests.detectors.plagiarism.prose_texts import WRITE_UP
from tests.detectors.plagiarism.texts import SOLUTION

DETECTORS = [CopiedNotebook, CopiedProse, SharedProvenance]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("given") / "public"
    folder.mkdir()
    (folder / "a.md").write_text(WRITE_UP)
    (folder / "b.py").write_text(f"# Author: Jane Doe\n{SOLUTION}")
    build([folder], folder.parent / "corpus", competition="breast-cancer")
    return str(folder.parent / "corpus")


@pytest.mark.parametrize("hostile", ATTEMPTS)
def test_a_hostile_attempt_gives_an_outcome(hostile, corpus, tmp_path, monkeypatch):
    (tmp_path / "attempts").mkdir()
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "attempts" / f"breast-cancer_{hostile}"
    ATTEMPTS[hostile](path)
    attempt = Attempt(path)
    for cls in DETECTORS:
        result = check(cls(corpus=corpus), attempt)

        assert result.outcome is not Outcome.FAILED, result.reason
        assert result.model_dump_json().encode()
        assert result.findings == ()
    assert not list(tmp_path.rglob(MARK))


@pytest.mark.parametrize("hostile", ["empty", "no-code", "empty-files", "linked-folders"])
@pytest.mark.parametrize("cls", DETECTORS)
def test_an_attempt_without_code_is_not_clean(cls, hostile, corpus, tmp_path):
    path = tmp_path / "breast-cancer_1"
    ATTEMPTS[hostile](path)

    assert check(cls(corpus=corpus), Attempt(path)).outcome is Outcome.NOT_AVAILABLE
