"""aira-dojo's ``JOURNAL.jsonl``: one node a line, with the report on the test set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from detectors.trajectories.nodes import node_events
from detectors.trajectories.readers import Reader
from detectors.trajectories.records import read_parts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.text_file import TextFile
    from detectors.trajectories.events import Event
    from detectors.trajectories.heads import Head

OWN = frozenset({"operators_used", "operators_metrics", "metric_maximize", "current_best_node"})


def fit(head: Head) -> int:
    """Recognise nodes with operators, or with a report under ``metric_info``."""
    keys = {key.partition("/")[0].partition(".")[0] for key in head.keys}
    own = len(OWN & keys) + ("metric_info" in keys)
    return head.marks({"code", "plan"}) + own if own else 0


def read(log: TextFile) -> Iterator[Event]:
    """Read node by node."""
    return read_parts(log, lambda part: node_events(part.value, log.name))


READER = Reader("aira-dojo", "aira-dojo: JOURNAL.jsonl", fit=fit, read=read)
