"""What a person sees of attempts that are made, or that would be made."""

from __future__ import annotations

import json as jsons
import sys
from typing import TYPE_CHECKING

from audit import console, outcomes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from audit.runner.forecast import Forecast
    from audit.runner.group import Done, Unit

    Progress = Callable[[int, int, Done], None]


def show_work(what: str, work: Callable[[Progress], Path], *, as_json: bool) -> None:
    """Make attempts with a bar on stderr, then print what became of them.

    Parameters
    ----------
    work : callable
        Makes them, tells the progress it is given, and returns the group's folder.
    """
    finished: list[Done] = []
    with console.progress_bar(what) as show:

        def progress(done: int, total: int, last: Done) -> None:
            finished.append(last)
            show(done, total, last.unit.attempt_id)

        group = work(progress)
    if as_json:
        _print(jsons.dumps(outcomes.document(group, finished), indent=2))
        return
    if finished:
        _print(console.table(outcomes.HEAD, outcomes.rows(finished)) + "\n")
    else:
        _print("Nothing is left to do.\n")
    _print(f"Group: {group}")


def show_forecast(told: Forecast, units: Sequence[Unit], *, as_json: bool) -> None:
    """Print what attempts would take at most, and which they are."""
    if as_json:
        _print(jsons.dumps(outcomes.forecast_document(told, units), indent=2))
        return
    seeds: dict[str, list[str]] = {}
    for unit in units:
        seeds.setdefault(unit.task.spec.id, []).append(str(unit.seed))
    if seeds:
        rows = [(name, ", ".join(of_task)) for name, of_task in seeds.items()]
        _print(console.table(("competition", "seeds"), rows) + "\n")
    _print(console.table(("a dry run", "nothing was started"), outcomes.forecast_rows(told)))


def _print(text: str) -> None:
    sys.stdout.write(text + "\n")
