"""Grading reports that logs show: scores on hidden answers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from detectors.trajectories.events import Event, EventKind

if TYPE_CHECKING:
    from collections.abc import Iterator

MARKS = frozenset(  # keys that only a grading report has
    {"any_medal", "gold_medal", "above_median", "gold_threshold", "median_threshold"}
)
SCORES = ("score", "any_medal", "gold_medal", "silver_medal", "bronze_medal", "above_median")
_PRINTED = frozenset({EventKind.TEXT, EventKind.OUTPUT})
NEAR = 40  # lines of one report
_KEY = re.compile(
    r"""["'](?P<name>score|any_medal|gold_medal|above_median|gold_threshold|median_threshold)["']
    \s*:\s*(?P<value>-?\d[\d.]*(?:[eE][+-]?\d+)?|true|True|false|False|null|None)?""",
    re.VERBOSE,
)


def is_report(value: Any) -> bool:  # noqa: ANN401 - any JSON value
    """Say whether a JSON object is a grading report of MLE-bench, or of a tool that uses it."""
    return isinstance(value, dict) and "score" in value and not MARKS.isdisjoint(value)


class ReportLines:
    """Finds the scores of grading reports among lines of text."""

    def __init__(self) -> None:
        self.score: tuple[str, int] | None = None
        self.mark = -NEAR

    def scores(self, event: Event, *, is_shown: bool) -> Iterator[Event]:
        """Yield the score of a report that this line completes.

        Parameters
        ----------
        is_shown : bool
            It stands in what a command printed.
        """
        if ("'" not in event.text and '"' not in event.text) or event.kind not in _PRINTED:
            return
        for found in _KEY.finditer(event.text):
            if found["name"] != "score":
                self.mark = event.first_line
            elif found["value"] and found["value"][0] not in "nNtTfF":
                self.score = found["value"], event.first_line
        if self.score and abs(self.mark - self.score[1]) < NEAR:
            value, line = self.score
            self.score = None
            yield Event(
                EventKind.SCORE,
                f"score: {value}",
                event.path,
                line,
                line,
                by="harness",
                target="score",
                value=_number(value),
                is_shown=is_shown,
            )


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
