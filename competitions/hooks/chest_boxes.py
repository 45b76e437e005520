"""Boxes that radiologists drew in chest X-rays, reduced to one per kind: VinBigData."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.hooks import Hooks
from competitions.outputs import write_table
from competitions.splits import Parts, drawn
from competitions.work import raw_table

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

    from competitions.outputs import Trees
    from competitions.spec import Competition
    from competitions.work import Work

_IMAGE, _CLASS, _GUESS = "image_id", "class_id", "PredictionString"
_BOX = ["x_min", "y_min", "x_max", "y_max"]
_NOTHING = 14  # the class of a picture without a finding
_MINIATURE = 60  # pictures


def _drawn(frame: pd.DataFrame, spec: Competition) -> list[str]:
    """Draw the test pictures from their order of first appearance; in the drawn order."""
    images = frame[_IMAGE].astype(object).unique()
    return list(drawn(images, spec.split)[1])


def split(spec: Competition, work: Work) -> Parts:
    """Draw whole pictures; both parts keep raw order."""
    frame = raw_table(spec, work, spec.split.on)
    in_test = frame[_IMAGE].isin(set(_drawn(frame, spec)))
    return Parts(frame[~in_test], frame[in_test])


def agreed(boxes: pd.DataFrame) -> pd.DataFrame:
    """Keep of each picture and kind the first box, as if the radiologists had agreed on it.

    Returns
    -------
    DataFrame
        Sorted by picture and kind; without a finding the box is (0, 0, 1, 1).
    """
    first = boxes.groupby([_IMAGE, _CLASS]).first().reset_index()
    for name in _BOX:
        first[name] = first[name].fillna(0)
    first.loc[first[_CLASS] == _NOTHING, ["x_max", "y_max"]] = 1.0
    return first


def perfect(answers: pd.DataFrame) -> pd.DataFrame:
    """Submit the true boxes, each with full confidence."""
    boxes = zip(answers[_CLASS], *(answers[name] for name in _BOX), strict=True)
    texts = [f"{kind} 1.0 {a} {b} {c} {d}" for kind, a, b, c, d in boxes]
    joined = answers[[_IMAGE]].assign(PredictionString=texts).groupby(_IMAGE)[_GUESS]
    return joined.agg(" ".join).reset_index()


def finish(spec: Competition, work: Work, parts: Parts, trees: Trees) -> None:
    """Write the answers, the same as a submission, and the sample in the drawn order."""
    import pandas as pd

    answers = agreed(parts.test)
    write_table(answers, trees.private / spec.answers)
    write_table(perfect(answers), trees.private / "gold_submission.csv")
    images = _drawn(raw_table(spec, work, spec.split.on), spec)
    fill = spec.sample_submission.fill[_GUESS]
    sample = pd.DataFrame({_IMAGE: images, _GUESS: str(fill)})
    write_table(sample, trees.public / spec.sample_submission.path)


def miniature(spec: Competition, folder: Path, seed: int) -> None:
    """Write pictures that three radiologists looked at; most have nothing to find."""
    import numpy as np

    from competitions.miniature_files import make_file
    from competitions.shapes import EachFile

    rng = np.random.default_rng(seed)
    each = EachFile(of="", kind="dcm", size=(8, 8))
    rows = []
    for number in range(_MINIATURE):
        image = f"{int(rng.integers(16**8)):08x}{number:04x}"
        make_file(folder / "train" / f"{image}.dicom", each, rng)
        if rng.random() < 0.4:  # noqa: PLR2004
            rows += [f"{image},No finding,14,R{n},,,," for n in (8, 9, 10)]
            continue
        for doctor in (8, 9, 10):
            for kind in rng.choice(4, int(rng.integers(1, 4))):
                x, y, width, height = (int(v) for v in rng.integers(5, 400, 4))
                rows.append(
                    f"{image},Kind {kind},{kind},R{doctor},{x}.0,{y}.0,{x + width}.0,{y + height}.0"
                )
    order = rng.permutation(len(rows))
    header = f"{_IMAGE},class_name,{_CLASS},rad_id,{','.join(_BOX)}"
    table = "\n".join([header, *(rows[i] for i in order)]) + "\n"
    (folder / spec.split.on).write_text(table)


HOOKS = Hooks(split=split, finish=finish, perfect=perfect, miniature=miniature)
