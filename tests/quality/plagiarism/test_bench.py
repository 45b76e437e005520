"""The whole run, over a folder that carries no labels."""

from __future__ import annotations

import argparse
import re

import pytest

from tests.quality.plagiarism.bench import report
from tests.quality.plagiarism.disguises import KINDS, rng_of
from tests.quality.plagiarism.labels import hashed
from tests.quality.plagiarism.order import dead_code
from tests.quality.plagiarism.placing import tasks

SEED = 4


@pytest.fixture
def folder(tmp_path):
    """Eight files of one task of the open half, each of other statements."""
    words = "frame['SibSp'].sum()\nframe['Parch'].max()\n"
    assert hashed(SEED, "sealed", "titanic") >= 0.5
    assert "titanic" in {name for name, _ in tasks()}
    target = tmp_path / "notebooks"
    target.mkdir()
    for n in range(8):
        text = dead_code(words, rng_of(n), share=0.97)
        (target / f"kernel{n}.py").write_text(text, encoding="utf-8")
    return target


@pytest.mark.slow
def test_a_report_tells_the_set_the_figures_and_what_was_left_out(folder, tmp_path):
    options = argparse.Namespace(
        notebooks=folder, sealed=False, peers=None, per_kind=2, seed=SEED, speed=0, worst=2
    )
    text = report(options, tmp_path / "work")

    assert text.startswith(f"The open half, seed {SEED}: 1 tasks, 5 references, 3 honest files")
    assert re.search(r"\| mle-audit \| score \| [01]\.\d{4} \|", text)
    assert "| identical | 2 | 1.00 |" in text
    assert all(kind.name in text for kind in KINDS)
    assert "Wilson 95 %" in text
    assert text.count("False pair: ") == 2
