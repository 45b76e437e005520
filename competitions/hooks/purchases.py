"""Purchases of customers in the last days: H&M."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.errors import RawDataError
from competitions.hooks import Hooks
from competitions.outputs import write_table
from competitions.splits import Parts
from competitions.work import raw_table

if TYPE_CHECKING:
    from pathlib import Path

    from competitions.outputs import Trees
    from competitions.spec import Competition
    from competitions.work import Work

_DAYS = 7  # before the last day; both ends count, so that the window has eight
_KEY = "customer_id"


def split(spec: Competition, work: Work) -> Parts:
    """Take the purchases of the last days for the test part, one row per customer.

    Returns
    -------
    Parts
        Train purchases as they are, and for each customer of the window, sorted, what was bought:
        article numbers in the order of the file, repeats kept.
    """
    import pandas as pd

    frame = raw_table(spec, work, spec.split.on)
    try:
        days = pd.to_datetime(frame["t_dat"], format="%Y-%m-%d")
    except ValueError as error:
        raise RawDataError(f"{spec.split.on}: t_dat holds no dates: {error}.") from error
    in_test = days >= days.max() - pd.Timedelta(days=_DAYS)
    bought = frame[in_test].groupby(_KEY)["article_id"]
    lists = bought.apply(lambda articles: " ".join(map(str, articles)))
    return Parts(frame[~in_test], lists.rename("prediction").reset_index())


def finish(spec: Competition, work: Work, parts: Parts, trees: Trees) -> None:
    """Write the train purchases; article numbers lose their leading zero, as published."""
    del work
    write_table(parts.train, trees.public / spec.split.on)


def miniature(spec: Competition, folder: Path, seed: int) -> None:
    """Write a folder of pictures, and Kaggle's sample submission: every customer, one list."""
    import numpy as np
    import pandas as pd

    from competitions.miniature_files import make_file
    from competitions.shapes import EachFile

    del spec
    each = EachFile(of="articles.csv", kind="jpg", size=(8, 8, 3))
    articles = pd.read_csv(folder / "articles.csv", dtype=str)
    for article in articles["article_id"]:
        target = folder / "images" / str(article)[:3] / f"{article}.jpg"
        make_file(target, each, np.random.default_rng((seed, int(article))))
    customers = pd.read_csv(folder / "customers.csv", dtype=str)
    constant = " ".join(articles["article_id"].head(12))
    sample = customers[[_KEY]].assign(prediction=constant)
    sample.to_csv(folder / "sample_submission.csv", index=False, lineterminator="\n")


HOOKS = Hooks(split=split, finish=finish, miniature=miniature)
