"""Purchases of customers in the last days: H&M."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.chunks import chunked
from competitions.errors import RawDataError
from competitions.hooks import Hooks
from competitions.io import said_by
from competitions.outputs import write_outputs, write_pieces
from competitions.splits import Parts
from competitions.work import raw_table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pandas as pd

    from competitions.outputs import Trees
    from competitions.spec import Competition
    from competitions.work import Work

_DAYS = 7  # before the last day; both ends count, so that the window has eight
_KEY = "customer_id"


def build(spec: Competition, work: Work, trees: Trees) -> None:
    """Take the purchases of the last days for the test part, one row per customer.

    Notes
    -----
    The train part is the other purchases as they are, chunk by chunk; article numbers lose their
    leading zero, as published. The test part holds for each customer of the window, sorted, what
    was bought: article numbers in the order of the file, repeats kept.
    """
    import pandas as pd

    name = spec.split.on
    table = chunked(spec, work, name)
    whole = [raw_table(spec, work, name)] if table is None else []

    def pieces() -> Iterator[pd.DataFrame]:
        return iter(whole) if table is None else table.chunks()

    newest = pd.Series([_days(piece, name).max() for piece in pieces()])
    first = newest.max() - pd.Timedelta(days=_DAYS)
    last: list[pd.DataFrame] = []

    def earlier() -> Iterator[pd.DataFrame]:
        for piece in pieces():
            in_test = _days(piece, name) >= first
            last.append(piece[in_test])
            yield piece[~in_test]

    write_pieces(earlier(), trees.public / name)
    bought = pd.concat(last).groupby(_KEY)["article_id"]
    lists = bought.apply(lambda articles: " ".join(map(str, articles)))
    test = lists.rename("prediction").reset_index()
    write_outputs(spec, work, Parts(test[:0], test), trees)


def _days(purchases: pd.DataFrame, name: str) -> pd.Series:
    import pandas as pd

    try:
        return pd.to_datetime(purchases["t_dat"], format="%Y-%m-%d")
    except ValueError as error:
        raise RawDataError(f"{name}: t_dat holds no dates: {said_by(error)}.") from error


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


HOOKS = Hooks(build=build, miniature=miniature)
