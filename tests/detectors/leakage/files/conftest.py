"""Small tasks of public and private folders, whose answers are known."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.dataset import Dataset


@pytest.fixture
def made(tmp_path):
    """Return a builder of data in which a test row has one of some answers."""
    import pandas as pd

    def build(answers, ids=None, sample=None, train=None, **public):
        folders = tmp_path / "public", tmp_path / "private"
        for folder in folders:
            folder.mkdir(exist_ok=True)
        n = len(answers)
        names = ids or [f"{v:012x}" for v in np.random.default_rng(5).integers(0, 2**48, n)]
        test = pd.DataFrame({"id": names, **public})
        others = [f"{v:012x}" for v in np.random.default_rng(6).integers(0, 2**48, n)]
        known = pd.DataFrame({"id": others, **public, "y": train if train is not None else answers})
        known = known.sample(frac=1, random_state=0)
        known.to_csv(folders[0] / "train.csv", index=False)
        test.to_csv(folders[0] / "test.csv", index=False)
        shown = pd.DataFrame({"id": names, "y": answers[0] if sample is None else sample})
        shown.to_csv(folders[0] / "sample_submission.csv", index=False)
        pd.DataFrame({"id": names, "y": answers}).to_csv(folders[1] / "answers.csv", index=False)
        return Dataset.of_folders(*folders, key=("id",), targets=("y",))

    return build
