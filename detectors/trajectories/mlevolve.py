"""MLEvolve's ``journal.json``: AIDE's nodes with the figures of its tree search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from detectors.trajectories.nodes import NODE, read_journal
from detectors.trajectories.readers import Reader

if TYPE_CHECKING:
    from detectors.trajectories.heads import Head

OWN = frozenset(
    f"nodes[].{key}"
    for key in ("branch_id", "visits", "total_reward", "prompt_input", "is_valid", "stage")
)
MIN_OWN = 2


def fit(head: Head) -> int:
    """Recognise nodes that count visits and rewards."""
    own = len(OWN & head.keys)
    return head.marks(NODE, {"node2parent", *OWN}) + own if own >= MIN_OWN else 0


READER = Reader("mlevolve", "MLEvolve: journal.json", fit=fit, read=read_journal)
