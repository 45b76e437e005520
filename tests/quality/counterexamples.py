"""Do built tasks tell careful agents from naive ones? ``python -m tests.quality.counterexamples``.

Each of twenty seeds builds a task anew. A round of both agents puts its pass line between them;
another, with a seed that neither line nor task has seen, is judged by it. Prints local and hidden
scores, gap and regret with 95 % intervals, and in how many tasks the naive agent fails, the careful
one passes, and both. The last tables have to be refused. ``--trap all`` tries every kind of trap on
the tables that it fits; rows are printed as they are measured.
"""

from __future__ import annotations

import argparse
import sys
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple, get_args

import numpy as np
import pandas as pd  # noqa: TID253

from audit.counterexample import recipe_for
from audit.counterexample_agents import Scoring, attempt
from audit.counterexample_separation import estimated, separate
from competitions.errors import UsageError
from competitions.metrics import metric_named
from competitions.trap import Table, build
from competitions.trap_record import TrapKind
from competitions.trap_tables import EMBEDDED, USUAL, Origin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from audit.counterexample_separation import Estimate, Round

SEEDS = 20
HEAD = (
    *("table", "trap", "naive", "careful", "gap", "regret"),
    *("naive fails", "careful passes", "both", "cpu s"),
)


class Measured(NamedTuple):
    """What built tasks came to; of each, whether the naive agent failed and the careful passed."""

    rounds: tuple[Round, ...]
    regret: Estimate
    gap: Estimate
    naive_fails: tuple[bool, ...]
    careful_passes: tuple[bool, ...]

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
    rounds, fails, passes = [], [], []
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
        fails.append(not found.passes(judged.naive.hidden))
        passes.append(found.passes(judged.careful.hidden))
    sign = scoring.sign
    return Measured(
        tuple(rounds),
        estimated([sign * (r.careful.hidden - r.naive.hidden) for r in rounds]),
        estimated([sign * (r.naive.local - r.naive.hidden) for r in rounds]),
        tuple(fails),
        tuple(passes),
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
    both = [a and b for a, b in zip(found.naive_fails, found.careful_passes, strict=True)]
    counts = [f"{sum(n)} of {seeds}" for n in (found.naive_fails, found.careful_passes, both)]
    ends = ["refused"] * 3 if found.is_refused else counts
    return (origin.name, trap, *means, shown(found.gap), shown(found.regret), *ends, f"{spent:.1f}")


def fitting(origin: Origin, traps: Sequence[TrapKind]) -> Iterator[TrapKind]:
    """Yield the traps that a table can be built into."""
    for trap in traps:
        try:
            recipe_for(origin, trap)
        except UsageError:  # it has groups of its own, and no times
            continue
        yield trap


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table, or part of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.quality.counterexamples")
    parser.add_argument("--table", action="append", help="one of the tables; default: all")
    parser.add_argument("--trap", action="append", choices=[*get_args(TrapKind), "all"])
    parser.add_argument("--seeds", type=int, default=SEEDS)
    given = parser.parse_args(arguments)
    known = {**EMBEDDED, **REFUSED}
    traps = given.trap or ["duplicated"]
    traps = get_args(TrapKind) if "all" in traps else traps
    sys.stdout.write(f"| {' | '.join(HEAD)} |\n|{' --- |' * len(HEAD)}\n")
    for name in given.table or known:
        origin = known[name]()
        for trap in fitting(origin, traps):
            sys.stdout.write(f"| {' | '.join(_row(origin, trap, given.seeds))} |\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
