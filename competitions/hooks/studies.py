"""X-ray studies with several images: one table of answers for both, as strings of boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.hooks import Hooks
from competitions.outputs import write_table
from competitions.splits import Parts
from competitions.work import raw_table

if TYPE_CHECKING:
    import pandas as pd

    from competitions.outputs import Trees
    from competitions.spec import Competition
    from competitions.work import Work

STUDY, ANSWER = "StudyInstanceUID", "PredictionString"
APPEARANCES = {
    "Negative for Pneumonia": "negative",
    "Typical Appearance": "typical",
    "Indeterminate Appearance": "indeterminate",
    "Atypical Appearance": "atypical",
}
WHOLE = "1 0 0 1 1"  # confidence and box of a label that has no place
NO_BOX = f"none {WHOLE}"
IMAGES = "train_image_level.csv"


def add_study(_: Competition, parts: Parts) -> Parts:
    """Give each study the name that its images and its folder have."""
    train, test = (part.assign(**{STUDY: part["id"].str.removesuffix("_study")}) for part in parts)
    return Parts(train, test)


def appearance(studies: pd.DataFrame) -> list[str]:
    """Return the label of each study: the first of its greatest marks.

    Examples
    --------
    >>> import pandas as pd
    >>> appearance(pd.DataFrame([[0, 1, 0, 1]], columns=list(APPEARANCES)))
    ['typical']
    """
    marks = studies[list(APPEARANCES)].to_numpy()
    names = list(APPEARANCES.values())
    return [names[place] for place in marks.argmax(axis=1)]


def answers(studies: pd.DataFrame, images: pd.DataFrame) -> pd.DataFrame:
    """Return the right strings: all studies by their id, then all images by theirs."""
    import pandas as pd

    studies, images = studies.sort_values("id"), images.sort_values("id")
    strings = [f"{label} {WHOLE}" for label in appearance(studies)] + list(images["label"])
    return pd.DataFrame({"id": [*studies["id"], *images["id"]], ANSWER: strings})


def write_answers(spec: Competition, work: Work, parts: Parts, trees: Trees) -> None:
    """Write the answers and the example, in which no study and no image shows anything."""
    images = raw_table(spec, work, IMAGES)
    right = answers(parts.test, images[images[STUDY].isin(set(parts.test[STUDY]))])
    example = str(spec.sample_submission.fill[ANSWER])
    is_study = right["id"].isin(set(parts.test["id"]))
    write_table(right, trees.private / spec.answers)
    write_table(
        right.assign(**{ANSWER: [example if s else NO_BOX for s in is_study]}),
        trees.public / spec.sample_submission.path,
    )


HOOKS = Hooks(rows=add_study, finish=write_answers)
