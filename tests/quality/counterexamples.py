"""Do built tasks tell careful agents from naive ones? ``python -m tests.quality.counterexamples``.

Each of twenty seeds builds a task anew. A round of both agents puts its pass line between them;
another, with a seed that neither line nor task has seen, is judged by it. Prints local and hidden
scores, gap and regret with 95 % intervals, and in how many tasks the naive agent fails and the
careful one passes. The last rows are tables that have to be refused.
"""

from __future__ import annotations

import argparse
import sys
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd  # noqa: TID253

from audit.console import table
from audit.counterexample import recipe_for
from audit.counterexample_agents import Scoring, attempt
from audit.counterexample_separation import estimated, separate
from competitions.metrics import metric_named
from competitions.trap import Table, build
from competitions.trap_tables import EMBEDDED, USUAL, Origin

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from audit.counterexample_separation import Estimate, Round
    from competitions.trap_record import TrapKind

SEEDS = 20
HEAD = ("table", "trap", "naive", "careful", "gap", "regret", "separated", "cpu s")


class Measured(NamedTuple):
    """What twenty built tasks came to."""

    rounds: tuple[Round, ...]
    regret: Estimate
    gap: Estimate
    separated: int

    @property
    def is_refused(self) -> bool:
        """Whether `counterexample build` would not take such a table."""
        return self.regret.mean <= 0 or self.regret.mean < 3 * self.regret.se


def measure(origin: Origin, trap: TrapKind, seeds: int = SEEDS) -> Measured:
    """Build a table's task with each seed, and let both agents loose on it with a fresh one."""
    from audit.counterexample_separation import Round

    metric = USUAL[origin.table.kind]
    lower = metric_named(metric).direction == "lower"
    scoring, recipe = Scoring(metric, {}, is_lower_better=lower), recipe_for(origin, trap)
    rounds, separated = [], 0
    for seed in range(seeds):
        parts = build(origin.table, recipe, np.random.default_rng(seed))
        found = separate(parts, scoring, range(1000 + seed, 1001 + seed))
        fresh = 9000 + seed
        judged = Round(
            fresh,
            attempt("naive", parts, scoring, fresh),
            attempt("careful", parts, scoring, fresh),
        )
        rounds.append(judged)
        separated += found.passes(judged.careful.hidden) > found.passes(judged.naive.hidden)
    sign = scoring.sign
    return Measured(
        tuple(rounds),
        estimated([sign * (r.careful.hidden - r.naive.hidden) for r in rounds]),
        estimated([sign * (r.naive.local - r.naive.hidden) for r in rounds]),
        separated,
    )


def noise() -> Origin:
    """Return a table whose columns say nothing about its target."""
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.normal(size=(400, 8)), columns=[f"x{n}" for n in range(8)])
    frame["person"] = np.arange(400) // 4
    frame["y"] = random.normal(size=400)
    return Origin(Table(frame, "y", "number", group="person"), "noise", "none", plants=False)


def trips() -> Origin:
    """Return travellers with four rows each, whose income their trips hardly tell."""
    from statsmodels.datasets import modechoice

    frame = modechoice.load_pandas().data.astype(int).astype({"hinc": float})
    trip = Table(frame, "hinc", "number", group="individual")
    return Origin(trip, "trips", "statsmodels", plants=False)


REFUSED: dict[str, Callable[[], Origin]] = {"noise": noise, "trips": trips}


def _row(origin: Origin, trap: TrapKind, seeds: int) -> tuple[str, ...]:
    import time

    began = time.process_time()
    found = measure(origin, trap, seeds)
    spent = (time.process_time() - began) / seeds

    def shown(one: Estimate) -> str:
        return f"{one.mean:.3f} [{one.low:.3f}, {one.high:.3f}]"

    means = [
        f"{fmean(a.local for a in side):.3f} → {fmean(a.hidden for a in side):.3f}"
        for side in ([r.naive for r in found.rounds], [r.careful for r in found.rounds])
    ]
    end = "refused" if found.is_refused else f"{found.separated} of {seeds}"
    return (origin.name, trap, *means, shown(found.gap), shown(found.regret), end, f"{spent:.1f}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table, or part of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.quality.counterexamples")
    parser.add_argument("--table", action="append", help="one of the tables; default: all")
    parser.add_argument("--trap", action="append", help="default: duplicated")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    given = parser.parse_args(arguments)
    known = {**EMBEDDED, **REFUSED}
    rows = [
        _row(known[name](), trap, given.seeds)
        for name in given.table or known
        for trap in given.trap or ["duplicated"]
    ]
    sys.stdout.write(table(HEAD, rows) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
