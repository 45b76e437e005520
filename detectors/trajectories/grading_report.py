"""A grading report of MLE-bench among the logs: of RD-Agent, KAPSO, aira-dojo and others."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from detectors.trajectories.heads import up_to
from detectors.trajectories.plain_text import read as read_text
from detectors.trajectories.readers import Reader
from detectors.trajectories.records import At, read_parts
from detectors.trajectories.reports import MARKS, SCORES, is_report
from detectors.trajectories.source import pieces

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.text_file import TextFile
    from detectors.trajectories.events import Event
    from detectors.trajectories.heads import Head
    from detectors.trajectories.json_stream import Part

_LIST = "competition_reports[]."
MAX_LITERAL = 1 << 16  # characters of a report that is printed as Python


def fit(head: Head) -> int:
    """Recognise a report, or a list of them, by keys that nothing else has."""
    keys = {key.removeprefix(_LIST) for key in head.keys}
    marks = len(MARKS & keys)
    if "score" in keys and marks:
        return 1 + marks
    return len(MARKS) if _literal(head.text) else 0


def _literal(text: str) -> dict[str, Any] | None:
    """Return a report that is printed as Python's dictionary, else None."""
    if not text.lstrip().startswith("{'") or len(text) >= MAX_LITERAL:
        return None
    try:
        value = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None
    return value if is_report(value) else None


def read(log: TextFile) -> Iterator[Event]:
    """Read the scores of reports; everything else as unknown JSON, or as plain text."""
    literal = _literal("".join(up_to(pieces(log), MAX_LITERAL)))
    if literal is not None:
        return iter(_scores(literal, At(log.name)))

    def of_part(part: Part) -> list[Event]:
        at = At(log.name)
        scores = [event for report in _reports(part.value) for event in _scores(report, at)]
        return [*scores, *at.rest({part.key: part.value}, ())]

    return read_parts(log, of_part) if _is_json(log) else read_text(log)


def _reports(value: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - any JSON value
    """Return a report, or those of a list that is one's part."""
    if not isinstance(value, dict):
        return []
    inner = value.get("competition_reports")
    return [one for one in [value, *(inner if isinstance(inner, list) else ())] if is_report(one)]


def _is_json(log: TextFile) -> bool:
    return "".join(up_to(pieces(log), 1)).lstrip()[:1] in {"{", "["}


def _scores(report: dict[str, Any], at: At) -> list[Event]:
    return [
        e for name in SCORES if name in report for e in at.score(name, report[name], is_shown=False)
    ]


READER = Reader(
    "grading-report", "a grading report: grading_report.json, mle_score.txt", fit=fit, read=read
)
