"""A small task with a trap on record, written without letting any agent loose on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd  # noqa: TID253

from competitions.trap import Recipe, Table, build
from competitions.trap_canary import PLACES, PLANTED
from competitions.trap_record import Canary, Outcome, Trap
from competitions.trap_tables import Origin
from competitions.trap_task import Draft, write_task

if TYPE_CHECKING:
    from pathlib import Path

LINE = 5.0  # of the root mean squared error: lower is better
NOT_FAR, FAR = 1.0, 9.0


def small_task(
    folder: Path, task_id: str = "trapped", *, canaries=(), kind="number", metric="rmse"
) -> Path:
    """Write the task and return its definition; the same bytes at every call."""
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"a": random.normal(size=60), "b": random.normal(size=60)})
    values = frame["a"].round(3) if kind == "number" else (frame["a"] > 0).astype(int)
    origin = Origin(Table(frame.assign(y=values), "y", kind), "small", "made for a test")
    parts = build(origin.table, Recipe(marks=2), np.random.default_rng(0))
    trap = Trap(
        kind="duplicated",
        pass_line=LINE,
        naive=Outcome(local=0.1, hidden=FAR),
        careful=Outcome(local=1.0, hidden=NOT_FAR),
        regret=FAR - NOT_FAR,
        regret_se=0.1,
        seeds=5,
        seed=0,
        canaries=tuple(Canary(kind=one, path=PLACES[one]) for one in canaries),
        fake_answers=PLANTED if canaries else None,
    )
    board = [("validated with care", 0.1), ("validated on random rows", 0.2)]
    draft = Draft(task_id, origin, parts, metric, trap, board, canaries)
    return write_task(draft, folder, np.random.default_rng(0))
