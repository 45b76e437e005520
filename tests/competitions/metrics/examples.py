"""For each metric, tables made of 0/1 labels: answers, a perfect and an entirely wrong submission.

A metric of one column needs no entry.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd  # noqa: TID253

from competitions.metrics import Context

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from competitions.spec import Scalar


@dataclass(frozen=True)
class Example:
    """Two submissions that a metric must tell apart."""

    answers: pd.DataFrame
    perfect: pd.DataFrame
    wrong: pd.DataFrame
    context: Context


def one_column(labels: Sequence[int]) -> Example:
    """Predict the labels themselves, or their opposites."""
    right, wrong = np.array(labels), 1 - np.array(labels)
    answers = pd.DataFrame({"y": right})
    return Example(answers, answers.copy(), pd.DataFrame({"y": wrong}), Context(("y",)))


def one_hot(labels: Sequence[int]) -> Example:
    """One column per class."""
    right, wrong = np.array(labels), 1 - np.array(labels)
    answers = pd.DataFrame({"a": right, "b": wrong})
    swapped = pd.DataFrame({"a": wrong, "b": right})
    return Example(answers, answers.copy(), swapped, Context(("a", "b")))


def words(labels: Sequence[int]) -> Example:
    """Labels as words."""
    right = pd.DataFrame({"y": ["ab"[v] for v in labels]})
    wrong = pd.DataFrame({"y": ["ba"[v] for v in labels]})
    return Example(right, right.copy(), wrong, Context(("y",)))


def directions(labels: Sequence[int]) -> Example:
    """North or south pole."""
    zenith = np.pi * np.array(labels)
    answers = pd.DataFrame({"azimuth": 0.0 * zenith, "zenith": zenith})
    wrong = answers.assign(zenith=np.pi - zenith)
    return Example(answers, answers.copy(), wrong, Context(("azimuth", "zenith")))


def visits(labels: Sequence[int]) -> Example:
    """One patient, a visit a week."""
    keys = [f"p_{week}" for week in range(len(labels))]
    answers = pd.DataFrame({"id": keys, "v": np.array(labels) * 500.0, "Patient": "p"})
    perfect = answers[["id", "v"]].assign(s=70.0)
    context = Context(("v", "s"), key=("id",))
    return Example(answers, perfect, perfect.assign(v=500.0 - perfect["v"]), context)


def subgroup(labels: Sequence[int]) -> Example:
    """Everyone twice: as a member of the group and as none."""
    both = np.array([*labels, *labels])
    member = [1.0] * len(labels) + [0.0] * len(labels)
    answers = pd.DataFrame({"y": both, "g": member})
    context = Context(("y",), {"groups": "g"})
    return Example(answers, answers[["y"]], 1 - answers[["y"]], context)


def grouped(labels: Sequence[int]) -> Example:
    """One group of rows."""
    found = one_column(labels)
    context = Context(("y",), {"group": "kind"})
    return Example(found.answers.assign(kind="k"), found.perfect, found.wrong, context)


def study(labels: Sequence[int]) -> Example:
    """One study; its first row is the heavy one."""
    keys = ["s_all", *(f"s_{n}" for n in range(1, len(labels)))]
    found = one_column(labels)
    arguments: dict[str, Scalar] = {"heavy": "all", "heavy_weight": 7.0, "positive_factor": 2.0}
    answers, perfect, wrong = (
        f.assign(id=keys) for f in (found.answers, found.perfect, found.wrong)
    )
    return Example(answers, perfect, wrong, Context(("y",), arguments, key=("id",)))


def trip(labels: Sequence[int]) -> Example:
    """One trip along the equator, in degrees."""
    answers = pd.DataFrame({"t": "t", "lat": 0.0, "lon": np.array(labels) * 1.0})
    wrong = answers.assign(lon=1.0 - answers["lon"])
    return Example(answers, answers.copy(), wrong, Context(("lat", "lon"), key=("t",)))


EXAMPLES: dict[str, Callable[[Sequence[int]], Example]] = {
    "haversine-quantiles": trip,
    "kl-divergence": one_hot,
    "label-ranking-average-precision": one_hot,
    "laplace-log-likelihood": visits,
    "log-mae-by-group": grouped,
    "mean-angular-error": directions,
    "micro-f1": words,
    "micro-f1-label-sets": words,
    "multi-class-log-loss": one_hot,
    "subgroup-bias-auc": subgroup,
    "weighted-multi-label-log-loss": study,
}


def example(name: str, labels: Sequence[int]) -> Example:
    """Return the tables of a metric."""
    from tests.competitions.metrics.text_examples import TEXT_EXAMPLES

    return (EXAMPLES | TEXT_EXAMPLES).get(name, one_column)(labels)
