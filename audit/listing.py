"""What there is to choose from: tasks, detectors, agents, and the findings of a document."""

from __future__ import annotations

from dataclasses import asdict
from datetime import date
from typing import TYPE_CHECKING

from competitions.errors import (
    InvalidDefinitionError,
    MleAuditError,
    UnknownNameError,
    UsageError,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from audit.console import Cell, Told
    from competitions.board_facts import BoardFacts
    from competitions.medals import BoardScores
    from competitions.spec import Competition, Variant

    Table = tuple[tuple[str, ...], list[tuple[Cell, ...]]]


# What stands in the first line of a competition's entry; the rest is wrapped below it.
LEAD = ("id", "split", "source", "prepared")


def listing(
    what: str, document: Path, name: str | None = None, data_dir: Path | None = None
) -> Table:
    """Return head and rows of one list.

    Parameters
    ----------
    what : {"competitions", "boards", "detectors", "agents", "policies", "findings"}
    document : Path
        The audit document, for findings.
    name : str or None
        For findings: only the one with this id, or those about the attempt or task with this id;
        a unique beginning is enough.
    data_dir : Path or None
        For competitions: where prepared data are looked for; None is the default directory.

    Raises
    ------
    UsageError
        When a name is given for another list, or begins several ids.
    UnknownNameError
        When there is no such list, finding or subject.
    DocumentError
        When findings are asked of a document that cannot be read.
    """
    if what == "findings":
        return _findings(document, name)
    lists: dict[str, Callable[[], Table]] = {
        "competitions": lambda: _competitions(data_dir),
        "boards": _boards,
        "detectors": _detectors,
        "agents": _agents,
        "policies": _policies,
    }
    if what not in lists:
        raise UnknownNameError("list", what, [*lists, "findings"], "See: mle-audit list --help")
    if name is not None:
        raise UsageError(f"Only findings can be chosen by a name; found {name!r} after {what}.")
    return lists[what]()


def _competitions(data_dir: Path | None) -> Table:
    from competitions.data import default_data_dir
    from competitions.spec import catalog_ids

    head = (
        *LEAD,
        *("modality", "metric", "direction", "board", "board size", "data", "dates"),
        *("variants", "known issues", "needs", "board health", "note"),
    )
    root = data_dir or default_data_dir()
    return head, [_competition(name, root) for name in catalog_ids()]


def _competition(name: str, data_dir: Path) -> tuple[Cell, ...]:
    """Describe one task; a broken definition or board is told in its row and stops no other."""
    from competitions.medals import load_board
    from competitions.spec import load

    try:
        spec = load(name)
    except (MleAuditError, OSError) as error:
        return (name, *[None] * 14, _broken(error))
    size, health, note = None, None, None
    try:
        board = load_board(spec)
        size, health = len(board.scores), _health(board)
    except (MleAuditError, OSError) as error:
        note = _broken(error)
    return (
        name,
        spec.complexity,
        spec.source.kind,
        _prepared(spec, data_dir),
        spec.modality,
        spec.metric.name,
        f"{spec.metric.direction} is better",
        spec.board.kind,
        size,
        *_published(name),
        ("v1", "fixed") if spec.has_fixed else ("v1",),
        len(spec.known_issues),
        _needs(spec),
        health,
        note,
    )


def _prepared(spec: Competition, data_dir: Path) -> Told:
    """Say which variants are prepared; nothing in them is read."""
    from audit.console import Told
    from competitions.data import Layout

    variants: tuple[Variant, ...] = ("v1", "fixed") if spec.has_fixed else ("v1",)
    there = [v for v in variants if Layout(data_dir, spec.id, v).prepared.is_dir()]
    return Told(", ".join(there) or "no", {v: v in there for v in variants})


def _published(name: str) -> tuple[Told | None, Told | None]:
    """Say how large Kaggle's data are and when the competition was held, where it is published."""
    from audit.console import Told
    from competitions.board_facts import all_facts

    facts = all_facts().get(name)
    if facts is None:
        return None, None
    size, held = None, None
    if facts.dataset_gb is not None:
        size = Told(f"{facts.dataset_gb:.3g} GB", {"gb": facts.dataset_gb})
    if facts.enabled is not None and facts.deadline is not None:
        days = {"enabled": str(facts.enabled), "deadline": str(facts.deadline)}
        held = Told(" to ".join(days.values()), days)
    return size, held


def _needs(spec: Competition) -> Told:
    from audit.console import Told
    from competitions.needs import needs_of

    needs = needs_of(spec)
    return Told(needs.words, needs.figures)


def _health(board: BoardScores) -> Told:
    from audit.console import Told
    from competitions.board_health import board_health

    health = board_health(board)
    return Told(health.words, asdict(health))


def _boards() -> Table:
    from competitions.board_facts import all_facts
    from competitions.spec import catalog_ids

    head = ("id", "complexity", "category", "board", "is task here", "board health", "note")
    here = set(catalog_ids())
    return head, [_board(facts, is_here=name in here) for name, facts in all_facts().items()]


def _board(facts: BoardFacts, *, is_here: bool) -> tuple[Cell, ...]:
    """Describe one Kaggle board; a broken one is told in its row and stops no other."""
    from audit.console import Told
    from competitions.board_facts import load_kaggle_board

    health, note = None, None
    try:
        health = _health(load_kaggle_board(facts.id))
    except (MleAuditError, OSError) as error:
        note = _broken(error)
    known = {n: v for n, v in asdict(facts).items() if n not in {"id", "complexity", "category"}}
    figures = {n: str(v) if isinstance(v, date) else v for n, v in known.items()}
    words = f"{facts.n_teams} teams, {facts.direction} is better"
    return (facts.id, facts.complexity, facts.category, Told(words, figures), is_here, health, note)


def _broken(error: Exception) -> str:
    if isinstance(error, InvalidDefinitionError) and error.problems:
        return f"broken: {error.problems[0]}"
    return f"broken: {str(error).splitlines()[0]}"


def _detectors() -> Table:
    from detectors.base import all_detectors, family_of

    rows: list[tuple[Cell, ...]] = [
        (name, family_of(cls), cls.about.subject.value, cls.about.asks)
        for name, cls in all_detectors().items()
    ]
    return ("id", "family", "looks at", "asks"), rows


def _agents() -> Table:
    from audit.runner.agent import agent_ids, load_agent

    agents = [load_agent(name).definition for name in agent_ids()]
    rows: list[tuple[Cell, ...]] = [
        (a.id, a.honest, a.offences, a.undetected, a.summary) for a in agents
    ]
    return ("id", "honest", "offences", "not detected yet", "summary"), rows


def _policies() -> Table:
    from audit.verdict import load_policy, policy_names

    rows: list[tuple[Cell, ...]] = [
        (p.name, p.why, p.decisive) for p in map(load_policy, policy_names())
    ]
    return ("name", "why", "decisive"), rows


def _findings(document: Path, name: str | None) -> Table:
    from reports.explain import findings_named
    from reports.schema import read_audit

    report = read_audit(document)
    found = report.findings if name is None else findings_named(report, name, document)
    rows: list[tuple[Cell, ...]] = [
        (f.id, f.severity.value, f.confidence.value, f.subject, f.message) for f in found
    ]
    return ("id", "severity", "confidence", "about", "saw"), rows
