"""AI-Scientist v1's ``final_info.json``, and v2's stages and records of what models were asked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from detectors.trajectories.events import Event, EventKind
from detectors.trajectories.nodes import NODE, node_events
from detectors.trajectories.readers import Reader
from detectors.trajectories.records import At, numbers_in, read_parts, time_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.text_file import TextFile
    from detectors.trajectories.heads import Head
    from detectors.trajectories.json_stream import Part

_STAGE = frozenset({"is_seed_node", "plot_code", "vlm_feedback_summary", "plot_analyses"})
_INFO = frozenset({"means", "stderrs", "final_info_dict"})
_ASKED = frozenset({"prompt", "response", "timestamp"})
_HIDDEN = re.compile(r"^(?:(?:official|private|leaderboard)_(?:test_)?|hidden_test_)[a-z]\w*$")
_SPENT = frozenset({"tokens", "prompt", "cached"})


def fit(head: Head) -> int:
    """Recognise a run's figures, a stage's journal, or a token tracker by their own keys."""
    stage = len({f"nodes[].{key}" for key in _STAGE} & head.keys)
    if stage:
        return head.marks(NODE) + 2 * stage
    last = {key.rpartition(".")[2] for key in head.keys if key.count(".") == 1}
    if last >= _INFO:
        return len(_INFO)
    asked = {key.partition("[].")[2] for key in head.keys if key.count(".") == 1}
    return len(_ASKED) if asked >= _ASKED and not any(k.startswith("[]") for k in head.keys) else 0


def read(log: TextFile) -> Iterator[Event]:
    """Read a stage's nodes, the figures of a run, or what models were asked and answered."""

    def of_part(part: Part) -> list[Event]:
        if part.key == "nodes" and part.is_element:
            return node_events(part.value, log.name)
        at = At(log.name)
        if isinstance(part.value, dict) and "means" in part.value:
            return _figures(part.value["means"], at)
        asked = part.value if isinstance(part.value, list) else ()
        said = [event for one in asked for event in _interaction(one, log.name)]
        return said or at.rest({part.key: part.value}, ())

    return read_parts(log, of_part, {"nodes"}, apart=True)


def _figures(means: Any, at: At) -> list[Event]:  # noqa: ANN401 - any JSON value
    """Read what a run found by its own evaluation, and what was graded on hidden answers."""
    found = []
    for name, value in numbers_in(means, ""):
        if _HIDDEN.search(name):
            found += at.score(name, value, is_shown=False)
            continue
        text = f"{name}: {value}"
        event = at.event(EventKind.OUTPUT, text, by="tool", target="metric", value=float(value))
        found.append(event)
    return found


def _interaction(record: Any, path: str) -> list[Event]:  # noqa: ANN401
    """Read one question to a model with its answer."""
    if not isinstance(record, dict) or "prompt" not in record:
        return []
    at = At(path, time=time_of(record.get("timestamp")))
    return [
        *at.said(EventKind.MESSAGE, record.get("system_message"), by="system"),
        *at.said(EventKind.MESSAGE, record.get("prompt"), by="user"),
        *at.said(EventKind.MESSAGE, record.get("response"), by="agent"),
    ]


READER = Reader(
    "ai-scientist",
    "AI-Scientist: final_info.json of v1; journal.json and token_tracker_interactions.json of v2",
    fit=fit,
    read=read,
)
