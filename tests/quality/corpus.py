"""Reads the labelled sets below ``cases/``; nothing in them is ever executed."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast, get_args

Half = Literal[
    "open", "sealed", "sealed-2", "sealed-3", "sealed2", "sealed3",
    "field", "field-sealed", "variants", "variants-sealed", "variants-new",
    "wide", "wide-sealed",
]  # fmt: skip
Label = Literal["positive", "negative"]

CASES = Path(__file__).parent / "cases"


@dataclass(frozen=True)
class LabelledCase:
    """One case of a labelled set.

    Parameters
    ----------
    path : Path
        Folder of the case, for an attempt's detector an attempt's folder.
    half : str
        Which half it belongs to, one of `Half`; `sealed-3` (of `answers-read`) is one that no rule
        has seen, `sealed2` and `sealed3` are the second and the third sealed half of eight other
        rules, `field` and `field-sealed` halves of one draw, by lot; `variants` and
        `variants-sealed` are other attempts of the same kinds, `variants-new` of further kinds;
        `wide` and `wide-sealed` are two of the four attempts of each of other kinds, by lot.
    label : {'positive', 'negative'}
        What a careful human reviewer would say.
    kind : str
        The disguise, or the kind of innocent look-alike.
    why : str
        The reviewer's reason.
    """

    path: Path
    half: Half
    label: Label
    kind: str
    why: str


def _case(root: Path, row: dict[str, str]) -> LabelledCase:
    half, label = row["half"], row["label"]
    if half not in get_args(Half) or label not in get_args(Label):
        raise ValueError(f"{root}/labels.csv: {row['case']} has half {half!r} and label {label!r}.")
    return LabelledCase(
        root / half / row["case"], cast("Half", half), cast("Label", label), row["kind"], row["why"]
    )


def load_cases(detector: str, half: Half) -> tuple[LabelledCase, ...]:
    """Read one half of a detector's labelled set, in the order of its labels.

    Raises
    ------
    ValueError
        When a label is unknown, or labels and folders do not match one to one.
    """
    root = CASES / detector
    with (root / "labels.csv").open(encoding="utf-8", newline="") as stream:
        cases = [_case(root, row) for row in csv.DictReader(stream) if row["half"] == half]
    labelled = sorted(case.path.name for case in cases)
    present = sorted(path.name for path in (root / half).iterdir() if path.is_dir())
    if labelled != present:
        differ = sorted(set(labelled) ^ set(present)) or "a case is labelled twice"
        raise ValueError(f"{root}: labels.csv and the folder {half}/ do not match: {differ}.")
    return tuple(cases)
