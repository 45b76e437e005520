"""Scanned pages whose pixels are the rows of submissions: dirty documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.errors import RawDataError
from competitions.hooks import Hooks
from competitions.outputs import with_fill, write_table

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

    from competitions.outputs import Trees
    from competitions.spec import Competition
    from competitions.splits import Parts
    from competitions.work import Work


def pixels(path: Path) -> pd.DataFrame:
    """List the grey values of a picture.

    Returns
    -------
    DataFrame
        ``id``, ``<file stem>_<row>_<column>`` counted from 1, along each row first; ``value`` from
        0, black, to 1, white, in steps of 1/255.

    Raises
    ------
    RawDataError
        When it is no picture.
    """
    import numpy as np
    import pandas as pd
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(path) as picture:
            grey = np.asarray(picture.convert("L")) / 255.0
    except (UnidentifiedImageError, OSError) as error:
        raise RawDataError(f"{path}: expected a picture, found none.") from error
    height, width = grey.shape
    names = [f"{path.stem}_{r}_{c}" for r in range(1, height + 1) for c in range(1, width + 1)]
    return pd.DataFrame({"id": names, "value": grey.ravel()})


def finish(spec: Competition, work: Work, parts: Parts, trees: Trees) -> None:
    """Write the pixels of the clean test pages, page after page by name, and a sample of them."""
    import pandas as pd

    names = sorted(parts.test["name"])
    answers = pd.concat([pixels(work.path(f"train_cleaned/{name}")) for name in names])
    write_table(answers, trees.private / spec.answers)
    write_table(with_fill(answers, spec, parts), trees.public / spec.sample_submission.path)


HOOKS = Hooks(finish=finish)
