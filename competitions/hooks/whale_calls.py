"""Clips of an underwater microphone, whose file name holds time, number and label."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.errors import RawDataError
from competitions.hooks import Hooks
from competitions.splits import Parts
from competitions.work import raw_table

if TYPE_CHECKING:
    import pandas as pd

    from competitions.spec import Competition
    from competitions.work import Work

_DAYS = 4


def split(spec: Competition, work: Work) -> Parts:
    """Train on the first two of four days of recording, test on the last two, each in time order.

    Returns
    -------
    Parts
        With ``clip``, the new name: clips are numbered anew from 0 in each part, and a test clip's
        name no longer holds its label. The test part has it as ``probability``.

    Raises
    ------
    RawDataError
        When the clips are of more or fewer days.
    """
    clips = raw_table(spec, work, spec.split.on)
    day = clips["name"].str.split("_", n=1).str[0]
    days = sorted(set(day))
    if len(days) != _DAYS:
        raise RawDataError(
            f"{spec.split.on}: expected clips of {_DAYS} days, found {len(days)}: "
            f"{', '.join(days[:6])}."
        )
    in_test = day.isin(days[_DAYS // 2 :])
    train, test = (part.reset_index(drop=True) for part in (clips[~in_test], clips[in_test]))
    return Parts(
        train.assign(clip=_renamed(train["name"])),
        test.assign(
            clip=_anonymous(test["name"]),
            probability=test["name"].str.endswith("_1.aif").astype(int),
        ),
    )


def _renamed(names: pd.Series) -> list[str]:
    import re

    return [re.sub(r"TRAIN\d+", f"TRAIN{n}", name) for n, name in enumerate(names)]


def _anonymous(names: pd.Series) -> list[str]:
    return [f"{name.split('TRAIN')[0]}Test{n}.aif" for n, name in enumerate(names)]


HOOKS = Hooks(split=split)
