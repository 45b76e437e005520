"""Notebooks whose cells shall be put in order: AI4Code."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from competitions.errors import RawDataError
from competitions.hooks import Hooks
from competitions.outputs import write_table
from competitions.splits import Parts
from competitions.work import raw_table

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

    from competitions.outputs import Trees
    from competitions.spec import Competition
    from competitions.work import Work

_ORDERS = "train_orders.csv"
_NOTEBOOKS = 70  # of a miniature


def split(spec: Competition, work: Work) -> Parts:
    """Fill the test part with whole families of notebooks until it has exactly ``test_size``.

    Notes
    -----
    The table is shuffled (``pandas.DataFrame.sample(frac=1, random_state=seed)``), families come in
    the order of their first rows, and each that still fits goes to the test part.

    Raises
    ------
    RawDataError
        When no families add up to the test part's size.
    """
    frame = raw_table(spec, work, spec.split.on)
    frame = frame.sample(frac=1, random_state=spec.split.seed).reset_index(drop=True)
    room, chosen = int(spec.split.test_size or 0), set[str]()
    for ancestor, rows in frame.groupby("ancestor_id", sort=False):
        if len(rows) <= room:
            chosen.add(str(ancestor))
            room -= len(rows)
    if room:
        raise RawDataError(
            f"{spec.split.on}: expected families that make up {spec.split.test_size} notebooks, "
            f"found none for the last {room}."
        )
    in_test = frame["ancestor_id"].isin(chosen)
    return Parts(frame[~in_test], frame[in_test])


def finish(spec: Competition, work: Work, parts: Parts, trees: Trees) -> None:
    """Write the sample submission: the cells of each test notebook in the order of its file."""
    orders = raw_table(spec, work, _ORDERS)
    test: pd.DataFrame = orders.loc[orders["id"].isin(set(parts.test["id"])), ["id"]]
    given = [_cells(trees.public / "test" / f"{name}.json") for name in test["id"]]
    sample = test.assign(cell_order=given)
    write_table(sample, trees.public / spec.sample_submission.path)


def _cells(path: Path) -> str:
    try:
        return " ".join(json.loads(path.read_text(encoding="utf-8"))["cell_type"])
    except (ValueError, KeyError) as error:
        raise RawDataError(
            f"{path.name}: expected a notebook with cell_type, found none."
        ) from error


def miniature(spec: Competition, folder: Path, seed: int) -> None:
    """Write notebooks of families of one to four, each with code in order and notes at the end."""
    import numpy as np

    del spec
    rng = np.random.default_rng(seed)
    (folder / "train").mkdir()
    families = rng.choice(_NOTEBOOKS // 2, _NOTEBOOKS)
    names = [f"{int(rng.integers(16**8)):08x}{n:06x}" for n in range(_NOTEBOOKS)]
    ancestors, orders = ["id,ancestor_id,parent_id"], ["id,cell_order"]
    for number in rng.permutation(_NOTEBOOKS):
        name, family = names[number], int(families[number])
        parent = names[list(families).index(family)]
        ancestors.append(f"{name},{family:08x},{'' if parent == name else parent}")
        cells = [f"{int(rng.integers(16**6)):06x}{n:02x}" for n in range(int(rng.integers(2, 9)))]
        is_code = rng.random(len(cells)) < 0.6  # noqa: PLR2004
        code = [c for c, is_ in zip(cells, is_code, strict=True) if is_]
        notes = [str(c) for c in rng.permutation([c for c in cells if c not in code])]
        kinds = dict.fromkeys(code, "code") | dict.fromkeys(notes, "markdown")
        book = {"cell_type": kinds, "source": {c: f"cell {c} – text" for c in kinds}}
        (folder / "train" / f"{name}.json").write_text(json.dumps(book), encoding="utf-8")
        orders.append(f"{name},{' '.join(cells)}")
    (folder / "train_ancestors.csv").write_text("\n".join(ancestors) + "\n")
    (folder / _ORDERS).write_text("\n".join([orders[0], *sorted(orders[1:])]) + "\n")


HOOKS = Hooks(split=split, finish=finish, miniature=miniature)
