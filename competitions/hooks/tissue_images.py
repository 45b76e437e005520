"""Very large images of kidney tissue, with a table of their sizes: HuBMAP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.errors import RawDataError
from competitions.hooks import Hooks
from competitions.outputs import require_columns, write_table
from competitions.work import raw_table

if TYPE_CHECKING:
    import pandas as pd

    from competitions.outputs import Trees
    from competitions.spec import Competition
    from competitions.splits import Parts
    from competitions.work import Work

_FACTS = "HuBMAP-20-dataset_information.csv"


def finish(spec: Competition, work: Work, parts: Parts, trees: Trees) -> None:
    """Write what is known of the images of both parts, and the answers with the images' sizes.

    Raises
    ------
    RawDataError
        When the size of a test image is not known.
    """
    facts = raw_table(spec, work, _FACTS)
    require_columns(facts, ["image_file", "width_pixels", "height_pixels"], _FACTS)
    names = facts["image_file"].str.replace(".tiff", "", regex=False)
    known = set(parts.train["id"]) | set(parts.test["id"])
    write_table(facts[names.isin(known)], trees.public / _FACTS)
    sizes = facts[["width_pixels", "height_pixels"]].assign(id=names)
    answers = parts.test.merge(sizes, on="id")
    if len(answers) != len(parts.test):
        raise RawDataError(
            f"{_FACTS}: expected one row for each of {len(parts.test)} test images, "
            f"found {len(answers)}."
        )
    write_table(answers, trees.private / spec.answers)


def perfect(answers: pd.DataFrame) -> pd.DataFrame:
    """Submit the true masks."""
    return answers[["id"]].assign(predicted=answers["encoding"])


HOOKS = Hooks(finish=finish, perfect=perfect)
