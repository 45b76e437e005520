"""AIDE's ``journal.json``, and ``filtered_journal.json`` of the fork that MLE-bench uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from detectors.trajectories.nodes import NODE, read_journal
from detectors.trajectories.readers import Reader

if TYPE_CHECKING:
    from detectors.trajectories.heads import Head


def fit(head: Head) -> int:
    """Recognise a tree of nodes with plans and code."""
    return head.marks(NODE, {"node2parent", "nodes[]._term_out", "nodes[].analysis"})


READER = Reader("aide", "AIDE: journal.json, filtered_journal.json", fit=fit, read=read_journal)
