"""What there is to choose from: tasks, detectors, agents, and the findings of a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Table = tuple[tuple[str, ...], list[tuple[str, ...]]]


def listing(what: str, document: Path) -> Table:
    """Return head and rows of one list.

    Parameters
    ----------
    what : {"competitions", "detectors", "agents", "findings"}
    document : Path
        The audit document, for findings.

    Raises
    ------
    UnknownNameError
        When there is no such list.
    DocumentError
        When findings are asked of a document that cannot be read.
    """
    if what == "findings":
        return _findings(document)
    lists: dict[str, Callable[[], Table]] = {
        "competitions": _competitions,
        "detectors": _detectors,
        "agents": _agents,
    }
    if what not in lists:
        raise UnknownNameError("list", what, [*lists, "findings"], "See: mle-audit list --help")
    return lists[what]()


def _competitions() -> Table:
    from competitions.medals import load_board
    from competitions.spec import catalog_ids, load

    rows: list[tuple[str, ...]] = []
    for name in catalog_ids():
        spec = load(name)
        arrow = "lower is better" if spec.metric.is_lower_better else "higher is better"
        board = f"{len(load_board(spec).scores)} {spec.board.kind}"
        variants = "v1, fixed" if spec.has_fixed else "v1"
        issues = str(len(spec.known_issues))
        rows.append((name, spec.modality, spec.metric.name, arrow, board, variants, issues))
    return ("id", "modality", "metric", "direction", "board", "variants", "known issues"), rows


def _detectors() -> Table:
    from detectors.base import all_detectors, family_of

    rows: list[tuple[str, ...]] = [
        (name, family_of(cls), cls.about.subject.value, cls.about.asks)
        for name, cls in all_detectors().items()
    ]
    return ("id", "family", "looks at", "asks"), rows


def _agents() -> Table:
    from audit.runner.agent import agent_ids, load_agent

    agents = [load_agent(name).definition for name in agent_ids()]
    rows: list[tuple[str, ...]] = [
        (a.id, "honest" if a.honest else f"commits {', '.join(a.offences)}", a.summary)
        for a in agents
    ]
    return ("id", "honest", "summary"), rows


def _findings(document: Path) -> Table:
    from reports.schema import read_audit

    rows: list[tuple[str, ...]] = [
        (f.id, f.severity.value, f.confidence.value, f.subject, f.message)
        for f in read_audit(document).findings
    ]
    return ("id", "severity", "confidence", "about", "saw"), rows
