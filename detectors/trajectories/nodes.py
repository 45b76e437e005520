"""Nodes of a search tree over solutions, as AIDE keeps them and many tools after it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from detectors.trajectories.events import MAX_OUTPUT, Event, EventKind
from detectors.trajectories.json_stream import Part, Text
from detectors.trajectories.records import At, line_of, read_parts, step_of, texts_of, time_of
from detectors.trajectories.reports import is_report

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.text_file import TextFile

NODE = frozenset({"nodes[].code", "nodes[].plan"})
_PRINTED = ("_term_out", "term_out")
_THOUGHT = frozenset({"analysis", "vlm_feedback_summary", "plot_plan"})
_SCORES = "metric_info"
_HIDDEN = re.compile(
    r"^(?:private|hidden_test|official|leaderboard|lb|kaggle|mle_?bench|grader)_(?:\w+_)?"
    r"(?:score|metric|value|auc|accuracy|rmse|loss|rank|percentile|grade)$"
)
_OF_TEST = re.compile(r"^test_(?:score|metric|value)$")
_AWARDED = re.compile(r"(?:^|_)(?:medal|any_medal|leaderboard_rank|percentile)$")
_KNOWN = _THOUGHT | {
    *("code", "plan", "plot_code", "prompt_input", "metric", "step", "ctime", "timestamp"),
    *(*_PRINTED, "plot_term_out", "_plot_term_out", "exc_type", "exc_info", "exc_stack"),
}


def node_events(node: Any, path: str) -> list[Event]:  # noqa: ANN401 - any JSON value
    """Read one node: what was asked, the plan, its code and what that printed, scores, thoughts.

    Parameters
    ----------
    path : str
        The log.
    """
    if not isinstance(node, dict):
        return []
    time = time_of(node.get("ctime", node.get("timestamp")))
    at = At(path, line_of(node), step=step_of(node.get("step")), time=time)
    printed = [text for key in _PRINTED for text in texts_of(node.get(key))]
    return [
        *at.said(EventKind.MESSAGE, node.get("prompt_input"), by="user"),
        *at.said(EventKind.THOUGHT, node.get("plan"), by="agent"),
        *_ran(node.get("code"), printed, at),
        *_ran(node.get("plot_code"), texts_of(node.get("plot_term_out")), at),
        *_metric(node.get("metric"), at),
        *_scores(node, at),
        *(
            e
            for key in sorted(_THOUGHT)
            for e in at.said(EventKind.THOUGHT, node.get(key), by="agent")
        ),
        *at.rest({k: v for k, v in node.items() if not k.startswith(_SCORES)}, _KNOWN),
    ]


def _ran(code: Any, printed: list[str], at: At) -> list[Event]:  # noqa: ANN401
    if not isinstance(code, str) or not code.strip():
        return []
    line = next((text.line for text in printed if isinstance(text, Text)), at.line)
    whole = "".join(printed)
    ran = at.event(EventKind.CODE, code, by="agent")._replace(output=whole[:MAX_OUTPUT])
    return [ran, *at.said(EventKind.OUTPUT, Text(whole, line), by="tool")]


def _metric(metric: Any, at: At) -> list[Event]:  # noqa: ANN401
    """Read what the agent took for its validation score."""
    value = metric.get("value") if isinstance(metric, dict) else metric
    if isinstance(value, bool) or not isinstance(value, int | float):
        return []
    text = f"metric: {value}"
    return [at.event(EventKind.OUTPUT, text, by="agent", target="metric", value=float(value))]


def _scores(node: dict[str, Any], at: At) -> list[Event]:
    """Read the report on hidden answers that a harness keeps with a node."""
    found: list[Event] = []
    is_awarded = any(_AWARDED.search(key) for key in node)  # a test part of its own wins no medal
    for key, value in node.items():
        if _HIDDEN.match(key) or (is_awarded and _OF_TEST.match(key)):
            found += at.score(key, value, is_shown=False)
        if key.startswith(_SCORES):
            named = value if isinstance(value, dict) else {key.partition("/")[2] or key: value}
            for name, number in named.items():
                if is_report(number):
                    found += at.score("score", number["score"], is_shown=False)
                elif isinstance(number, int | float):
                    found += at.score(str(name), number, is_shown=False)
    return found


def read_journal(log: TextFile) -> Iterator[Event]:
    """Read a document whose ``nodes`` are nodes."""

    def of_part(part: Part) -> list[Event]:
        if part.key == "nodes" and part.is_element:
            return node_events(part.value, log.name)
        return At(log.name).rest({part.key: part.value}, ())

    return read_parts(log, of_part, {"nodes"}, apart=True)
