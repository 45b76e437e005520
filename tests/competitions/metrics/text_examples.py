"""Tables made of 0/1 labels for metrics of texts, orders, masks and boxes; see `examples`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd  # noqa: TID253

from competitions.metrics import METRICS, Context
from competitions.spec import variant_named
from tests.competitions.metrics.examples import Example

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from competitions.spec import Scalar, Variant


def cells(
    zero: str,
    one: str,
    arguments: Mapping[str, Scalar] | None = None,
    variant: Variant = "v1",
    truth: tuple[str, str] | None = None,
) -> Callable[[Sequence[int]], Example]:
    """Build tables of one column of text, `zero` and `one` for the labels.

    Parameters
    ----------
    truth : tuple of two str or None
        How the answers write the two, where it is not how a submission does.
    """

    def build(labels: Sequence[int]) -> Example:
        answers = pd.DataFrame({"y": [(truth or (zero, one))[v] for v in labels]})
        perfect = pd.DataFrame({"y": [(zero, one)[v] for v in labels]})
        wrong = pd.DataFrame({"y": [(one, zero)[v] for v in labels]})
        return Example(answers, perfect, wrong, Context(("y",), arguments or {}, variant))

    return build


def slices(labels: Sequence[int]) -> Example:
    """One series, each slice with one of two pixels."""
    keys = {"id": [f"s_slice_{n:03d}" for n in range(len(labels))], "class": "c"}
    answers = pd.DataFrame({**keys, "y": [("1 1", "2 1")[v] for v in labels]})
    wrong = answers.assign(y=[("2 1", "1 1")[v] for v in labels])
    context = Context(("y",), {"height": 2, "width": 1}, key=("id", "class"))
    return Example(answers, answers.copy(), wrong, context)


def images(labels: Sequence[int]) -> Example:
    """One box per image, to the left or to the right."""
    left = [20 * v for v in labels]
    image = [f"i{n}" for n in range(len(labels))]
    answers = pd.DataFrame({"id": image, "class_id": 3, "x_min": left, "y_min": 0, "y_max": 10})
    answers["x_max"] = answers["x_min"] + 10
    perfect = pd.DataFrame({"id": image, "y": [f"3 0.5 {x} 0 {x + 10} 10" for x in left]})
    wrong = perfect.assign(y=[f"3 0.5 {20 - x} 0 {30 - x} 10" for x in left])
    return Example(answers, perfect, wrong, Context(("y",), {"iou": 0.4}, "fixed", ("id",)))


def questions(labels: Sequence[int]) -> Example:
    """Questions with a yes or a no for a short answer and without a long one."""
    none = {"long_answer": {"start_token": -1, "end_token": -1}, "short_answers": []}
    notes = [[{**none, "yes_no_answer": ("NO", "YES")[v]}] for v in labels]
    names = [f"q{n}" for n in range(len(labels))]
    answers = pd.DataFrame({"id": names, "annotations": notes})
    said = [text for v in labels for text in ("", ("NO", "YES")[v])]
    perfect = pd.DataFrame({"id": [f"{n}_{k}" for n in names for k in ("long", "short")]})
    perfect["y"] = said
    wrong = perfect.assign(y=[{"YES": "NO", "NO": "YES", "": ""}[text] for text in said])
    return Example(answers, perfect, wrong, Context(("y",), key=("id",)))


_MASK: dict[str, Scalar] = {"height": 1, "width": 2}

TEXT_EXAMPLES: dict[str, Callable[[Sequence[int]], Example]] = {
    "answer-spans-f1": questions,
    "boxes-3d-map": cells("1 0 0 0 1 1 1 0 car", "1 9 0 0 1 1 1 0 car"),
    "boxes-coco-map": images,
    "boxes-pooled-map": cells("a 1 0 0 1 1", "b 1 0 0 1 1"),
    "dice": cells("1 1", "2 1", _MASK),
    "dice-hausdorff": slices,
    "kendall-tau": cells("a b", "b a"),
    "levenshtein": cells("cat", "dog"),
    "map-at-k": cells("w_1", "w_2", {"k": 5}),
    "mask-fbeta": cells("1 1", "2 1", _MASK | {"beta": 0.5}),
    "mask-precision": cells("1 1", "2 1", _MASK),
    "points-f1": cells("a 2 2", "a 7 7", truth=("a 1 1 2 2", "a 6 6 2 2")),
    "sequence-error-rate": cells("3 4", "5 6"),
    "word-jaccard": cells("a good day", "no"),
}


def score(
    name: str,
    truth: Sequence[object],
    predicted: Sequence[object],
    variant: str = "v1",
    **arguments: Any,
) -> float:
    """Score one column against another; rows are called k0, k1 and so on."""
    keys = [f"k{n}" for n in range(len(truth))]
    answers = pd.DataFrame({"id": keys, "y": list(truth)})
    submission = pd.DataFrame({"id": keys, "y": list(predicted)})
    context = Context(("y",), arguments, variant_named(variant), ("id",))
    return METRICS[name].score(answers, submission, context)
