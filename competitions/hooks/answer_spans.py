"""Questions about articles, answered by spans of their words: TensorFlow 2.0 QA."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from competitions.errors import RawDataError
from competitions.hooks import Hooks
from competitions.io import said_by
from competitions.outputs import write_table
from competitions.splits import drawn

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

    from competitions.outputs import Trees
    from competitions.spec import Competition
    from competitions.work import Work

_RAW, _TEST = "simplified-nq-train.jsonl", "simplified-nq-test.jsonl"
_PUBLIC = ["example_id", "question_text", "document_text", "long_answer_candidates"]
_CHUNK = 1000  # lines that are split at a time
_ROWS_OF_MINIATURE = 1013


def build(spec: Competition, work: Work, trees: Trees) -> None:
    """Split each thousand lines by themselves, always with the same seed; the last may be fewer.

    Raises
    ------
    RawDataError
        When the file is missing, no JSON lines, or lacks a field.
    """
    import pandas as pd

    path = work.path(_RAW)
    if not path.is_file():
        raise RawDataError(f"Expected {_RAW} in {work.raw}, found none.")
    gold: list[pd.DataFrame] = []
    try:
        with pd.read_json(path, orient="records", lines=True, chunksize=_CHUNK) as chunks:
            for chunk in chunks:
                records = chunk.assign(example_id=chunk["example_id"].astype(str))
                train, test = drawn(records, spec.split)
                _append(train, trees.public / _RAW)
                _append(test[_PUBLIC], trees.public / _TEST)
                _append(test, trees.private / spec.answers)
                gold.append(perfect(test))
    except (ValueError, KeyError) as error:
        raise RawDataError(f"{path} cannot be read: {said_by(error)}.") from error
    if not gold:
        raise RawDataError(f"{path}: expected a question per line, found an empty file.")
    answers = pd.concat(gold)
    write_table(answers, trees.private / "gold_submission.csv")
    sample = answers.assign(PredictionString="")
    write_table(sample, trees.public / spec.sample_submission.path)


def _append(frame: pd.DataFrame, target: Path) -> None:
    text = frame.to_json(orient="records", lines=True)
    with target.open("a", encoding="utf-8") as stream:
        stream.write(text if text.endswith("\n") else text + "\n")


def perfect(answers: pd.DataFrame) -> pd.DataFrame:
    """Give each question its short and its long answer, by the first annotation."""
    import pandas as pd

    rows = []
    for name, notes in zip(answers["example_id"], answers["annotations"], strict=True):
        first = notes[0]
        rows += [(f"{name}_short", _short(first)), (f"{name}_long", _span(first["long_answer"]))]
    return pd.DataFrame(rows, columns=["example_id", "PredictionString"])


def _short(annotation: dict[str, Any]) -> str:
    if annotation["yes_no_answer"] != "NONE":
        return str(annotation["yes_no_answer"])
    return next((_span(span) for span in annotation["short_answers"]), "")


def _span(span: dict[str, Any]) -> str:
    is_there = span["start_token"] != -1
    return f"{span['start_token']}:{span['end_token']}" if is_there else ""


def miniature(spec: Competition, folder: Path, seed: int) -> None:
    """Write short articles with every kind of answer, a little more than one chunk of them."""
    import numpy as np

    del spec
    rng = np.random.default_rng(seed)
    lines = []
    for number in range(_ROWS_OF_MINIATURE):
        words = [f"<P> wört{n}/{number}" for n in range(4)]
        start = int(rng.integers(0, 3))
        kind = ["none", "long", "short", "two", "YES", "NO"][int(rng.integers(6))]
        spans = [{"start_token": start + n, "end_token": start + n + 1} for n in (1, 2)]
        long = {"start_token": start, "end_token": start + 3, "candidate_index": 0}
        none = {"start_token": -1, "end_token": -1, "candidate_index": -1}
        annotation = {
            "yes_no_answer": kind if kind.isupper() else "NONE",
            "long_answer": none if kind == "none" else long,
            "short_answers": spans[: {"short": 1, "two": 2}.get(kind, 0)],
            "annotation_id": int(rng.integers(2**62)),
        }
        record = {
            "document_text": " ".join(words),
            "long_answer_candidates": [long | {"top_level": True}],
            "question_text": f"which wört is it {number}",
            "annotations": [annotation],
            "document_url": f"https://en.wikipedia.org/w/index.php?title={number % 300}",
            "example_id": int(rng.integers(2**62)) - 2**61,
        }
        lines.append(json.dumps(record) + "\n")
    (folder / _RAW).write_text("".join(lines), encoding="utf-8")


HOOKS = Hooks(build=build, perfect=perfect, miniature=miniature)
