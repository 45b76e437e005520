"""Small worlds of submissions: what honest models of one task predict, and copies of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from competitions.io import sha256_bytes
from detectors.group import Group
from detectors.plagiarism.corpus.build import build
from tests.conftest import write_attempt

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from detectors.attempt import Attempt

# The code of an honest attempt: it trains, and may give one file whatever the seed.
TRAINS = (
    "import pandas as pd\nfrom sklearn.linear_model import Ridge\n"
    "train, test = pd.read_csv('train.csv'), pd.read_csv('test.csv')\n"
    "m = Ridge().fit(train, train.y)\ntest['y'] = m.predict(test)\ntest.to_csv('submission.csv')\n"
)
# The code of a copy: all it can do is mix what it reads.
MIXES = (
    "import pandas as pd\na = pd.read_csv('best_public.csv')\nb = pd.read_csv('second.csv')\n"
    "a['y'] = 0.5 * a['y'] + 0.5 * b['y']\na.to_csv('submission.csv', index=False)\n"
)


def honest(n_models: int, n_rows: int, seed: int = 0) -> NDArray[np.float64]:
    """Draw what independent models predict: a common signal, leanings, and noise of their own."""
    rng = np.random.default_rng(seed)
    signal = rng.standard_normal(n_rows)
    directions = rng.standard_normal((4, n_rows))
    leanings = 0.15 * rng.standard_normal((n_models, 4))
    own = 0.15 * rng.standard_normal((n_models, n_rows))
    return 1 / (1 + np.exp(-(signal + leanings @ directions + own)))


def as_csv(values: NDArray[np.generic], column: str = "malignant", key: str = "id") -> str:
    """Write predictions, rows named 0 to n - 1."""
    rows = "".join(f"{n},{value}\n" for n, value in enumerate(values.tolist()))
    return f"{key},{column}\n{rows}"


def corpus_of(
    folder: Path,
    files: dict[str, str],
    competition: str = "breast-cancer",
) -> str:
    """Build a corpus of public submission files and return its path."""
    given = folder / "public"
    given.mkdir(parents=True)
    for name, text in files.items():
        (given / name).write_text(text, encoding="utf-8")
    build((), folder / "corpus", competition=competition, submissions=[given])
    return str(folder / "corpus")


def attempt_of(
    folder: Path,
    name: str,
    submission: str,
    agent: str = "somebody",
    code: str | Mapping[str, str | bytes] = TRAINS,
    **record: object,
) -> Attempt:
    """Write an attempt of an agent."""
    who = {"id": agent, "digest": sha256_bytes(agent.encode())}
    return write_attempt(
        folder / name, code=code, submission=submission, record={"agent": who, **record}
    )


def everyone(*attempts: Attempt) -> Group:
    """Put attempts of all agents together."""
    return Group("all", attempts, across_agents=True)
