"""What a person sees of attempts that are made, or that would be made."""

from __future__ import annotations

import contextlib
import json as jsons
import shlex
import sys
from typing import TYPE_CHECKING

from audit import console, outcomes
from competitions.errors import RunError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from audit.runner.forecast import Forecast
    from audit.runner.group import Done, Unit

    Progress = Callable[[int, int, Done], None]


def show_work(
    what: str, work: Callable[[Progress, Callable[[Path], None]], Path], *, as_json: bool
) -> None:
    """Make attempts with a bar on stderr, then print what became of them.

    Parameters
    ----------
    work : callable
        Makes them, tells the progress it is given and the folder of the group once it is known,
        and returns that folder.
    """
    finished: list[Done] = []
    known: list[Path] = []

    def begun(group: Path) -> None:
        known.append(group)
        _tell(f"Group: {group}\n")

    try:
        with console.progress_bar(what) as show:

            def progress(done: int, total: int, last: Done) -> None:
                finished.append(last)
                show(done, total, last.unit.attempt_id)

            group = work(progress, begun)
    except (KeyboardInterrupt, RunError):
        if finished and not as_json:
            _print(console.table(outcomes.HEAD, outcomes.rows(finished)))
        if known:
            _tell(f"Go on with: mle-audit run --resume {shlex.quote(str(known[0]))}\n")
        raise
    if as_json:
        _print(jsons.dumps(outcomes.document(group, finished), indent=2))
        return
    _print(console.table(outcomes.HEAD, outcomes.rows(finished)) + f"\n\nGroup: {group}")


def show_nothing_left(group: Path, ended: Mapping[str, int], *, as_json: bool) -> None:
    """Say that there is nothing to do, and what became of the group's attempts."""
    if as_json:
        _print(jsons.dumps(outcomes.document(group, []), indent=2))
        return
    told = ", ".join(f"{n} {status.replace('_', ' ')}" for status, n in sorted(ended.items()))
    _print(f"Nothing is left to do; the attempts are: {told}.\n\nGroup: {group}")


def warn_unprotected() -> None:
    """Say on stderr what an attempt without a sandbox is not kept from."""
    from audit.runner.sandbox import MISSING

    listed = "".join(f"  - {what}\n" for what in MISSING["none"])
    _tell(f"Without a sandbox, as every record and report will say:\n{listed}")


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


def _tell(text: str) -> None:
    """Tell something by the way; days of work do not end because nobody reads it."""
    with contextlib.suppress(OSError):
        sys.stderr.write(text)
        sys.stderr.flush()


def _print(text: str) -> None:
    sys.stdout.write(text + "\n")
