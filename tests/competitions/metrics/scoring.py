"""Score tables that are written as dicts, in one line."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd  # noqa: TID253
from hypothesis import settings

from competitions.metrics import METRICS, Context

few = settings(max_examples=20, deadline=None)  # scikit-learn takes milliseconds a call
Table = Mapping[str, object] | pd.DataFrame


def score(
    name: str, answers: Table, submission: Table, targets=None, *, key=(), variant="v1", **arguments
) -> float:
    """Score `submission`; its columns but the key are the targets, unless said otherwise."""
    truth, guess = pd.DataFrame(answers), pd.DataFrame(submission)
    names = tuple(targets or (c for c in guess.columns if c not in key))
    return METRICS[name].score(truth, guess, Context(names, arguments, variant, tuple(key)))
