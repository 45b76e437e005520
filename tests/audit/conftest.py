"""A prepared task and a run group made by hand: one honest attempt, one that peeked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from competitions.prepare import prepare
from competitions.spec import load
from tests.conftest import write_attempt

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TASK = "breast-cancer"
HONEST, PEEKING = f"{TASK}_honest", f"{TASK}_peeking"
TRAIN = "import pandas as pd\ntrain = pd.read_csv('/home/data/train.csv')\n"
PEEK = "import pandas as pd\nanswers = pd.read_csv('/private/data/answers.csv')\n"
PEEK_LOG = "$ cat /private/data/answers.csv\nid,malignant\n1,0\n2,1\n"


@pytest.fixture(scope="session")
def data_dir(tmp_path_factory) -> Path:
    """Prepared data of the embedded task, made once; only to be read."""
    folder: Path = tmp_path_factory.mktemp("data")
    prepare(load(TASK), folder)
    return folder


@pytest.fixture(scope="session")
def submissions(data_dir) -> dict[str, str]:
    """The text of a submission that is no better than chance, and of a perfect one."""
    prepared = data_dir / TASK / "prepared"
    answers = (prepared / "private" / "test.csv").read_text()
    head, *rows = (prepared / "public" / "sample_submission.csv").read_text().split()
    guesses = (f"{row.split(',')[0]},{n * 37 % 100 / 100}" for n, row in enumerate(rows))
    return {
        "guessed": "\n".join([head, *guesses]) + "\n",
        "sample": "\n".join([head, *rows]) + "\n",
        "perfect": answers,
        "broken": "id,malignant\n1,2\n",
    }


@pytest.fixture
def make_group(tmp_path, submissions) -> Callable[[], Path]:
    """Write ``runs/<group>`` with the honest and the peeking attempt."""

    def make(name: str = "g") -> Path:
        group: Path = tmp_path / "runs" / name
        write_attempt(
            group / HONEST, code=TRAIN, logs="fitted\n", submission=submissions["guessed"],
            record={"agent": {"id": "honest", "digest": "0" * 64}},
        )  # fmt: skip
        write_attempt(
            group / PEEKING, code=PEEK, logs=PEEK_LOG, submission=submissions["perfect"],
            record={"agent": {"id": "peeking", "digest": "0" * 64}},
        )  # fmt: skip
        return group

    return make


@pytest.fixture
def group(make_group) -> Path:
    folder: Path = make_group()
    return folder
