"""Measure the agent `baseline` on every embedded task: its score, and how sure that is.

``python -m tests.quality.baseline`` prepares the tasks, runs the agent with several seeds, grades,
and writes ``docs/quality/baseline.csv``; it takes some minutes. Two intervals are given, because
seeds alone understate how much a score could differ: one over seeds, for the same test part, and
one over draws of the test part, where what belongs together (a person, a place, a year of a series)
is drawn together.
"""

from __future__ import annotations

import argparse
import csv
import io
import re
import statistics
import sys
import tempfile
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from audit.collect import attempts_below
from audit.runner.agent import load_agent
from audit.runner.group import RunOptions, run_group
from audit.runner.limits import Limits
from audit.runner.tasks import load_tasks
from competitions.io import write_text
from competitions.metrics import Context, metric_named
from competitions.prepare import load_prepared, prepare
from competitions.spec import catalog_ids, load
from competitions.submission import align, read_submission, read_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import pandas as pd

    from competitions.prepared import Prepared

TABLE = Path(__file__).parents[2] / "docs" / "quality" / "baseline.csv"
AGENT = "baseline"
SEEDS = 5
DRAWS = 1000
LIMITS = Limits(wall_clock_s=300, memory_bytes=2 << 30)
WEEKS = 52  # rows of a series that are drawn together
_VALIDATION = re.compile(r"^Validation score: (.+?) (-?[\d.]+) of .*\((.+?)[,;)]", re.MULTILINE)


class Interval(NamedTuple):
    """A 95 % interval."""

    low: float
    high: float


class Claim(NamedTuple):
    """What an attempt said about itself: a figure, of what, and how it was validated."""

    measure: str
    value: float
    scheme: str


@dataclass(frozen=True)
class Row:
    """The baseline on one task.

    Parameters
    ----------
    score : float
        Mean over seeds.
    seeds_low, seeds_high : float
        95 % interval of that mean by Student's t over seeds.
    rows_low, rows_high : float
        2.5th and 97.5th percentile of that mean over draws of the test part with replacement.
    n_units, unit : int, str
        How many of what were drawn.
    validated, measure, scheme : float, str, str
        Mean of what the attempts logged as their validation score, and how it was made.
    source_sha256 : str
        Of the data it was measured on, as the task pins it.
    """

    competition: str
    n_seeds: int
    score: float
    seeds_low: float
    seeds_high: float
    rows_low: float
    rows_high: float
    n_units: int
    unit: str
    validated: float
    measure: str
    scheme: str
    source_sha256: str


def embedded_tasks() -> list[str]:
    """List the tasks of the catalog whose data ship with a library."""
    return [name for name in catalog_ids() if load(name).source.kind == "embedded"]


def over_seeds(scores: Sequence[float]) -> Interval:
    """Return the 95 % interval of a mean by Student's t."""
    from scipy.stats import t

    mean, error = statistics.mean(scores), statistics.stdev(scores) / len(scores) ** 0.5
    half = float(t.ppf(0.975, len(scores) - 1)) * error
    return Interval(mean - half, mean + half)


def units_of(prepared: Prepared, answers: pd.DataFrame) -> tuple[str, np.ndarray]:
    """Name what is drawn together, and number it for every row of the answers."""
    import numpy as np

    spec = prepared.spec
    if spec.modality == "time-series":
        return f"{WEEKS} rows in a row", np.arange(len(answers)) // WEEKS
    file = spec.file_of("test")
    test = read_table(prepared.public / file) if file else answers
    key = list(spec.submission.key)
    for entity in spec.entities:
        if entity.column in test.columns:
            together = answers[key].merge(test[[*key, entity.column]], on=key, how="left")
            return entity.name, together[entity.column].factorize(use_na_sentinel=False)[0]
    return "row", np.arange(len(answers))


class Paired(NamedTuple):
    """Answers and one submission, row by row."""

    answers: pd.DataFrame
    submission: pd.DataFrame

    def drawn(self, rows: np.ndarray) -> Paired:
        """Take these rows, numbered anew: a key may occur twice, and metrics go row by row."""
        answers, submission = (half.iloc[rows].reset_index(drop=True) for half in self)
        return Paired(answers, submission)


def mean_score(prepared: Prepared, pairs: Sequence[Paired]) -> float:
    """Score submissions of one task without rounding, and average."""
    spec = prepared.spec
    metric = metric_named(spec.metric.name)
    context = Context(spec.targets, spec.metric.arguments, spec.variant)
    return statistics.mean(metric.score(*pair, context) for pair in pairs)


def over_draws(prepared: Prepared, pairs: Sequence[Paired]) -> tuple[Interval, str, int]:
    """Return the interval of the mean score over draws of the test part, and what is drawn.

    Every draw is the same for all submissions, so that draws differ by their rows alone.
    """
    import numpy as np

    unit, units = units_of(prepared, pairs[0].answers)
    members = [np.flatnonzero(units == number) for number in range(units.max() + 1)]
    random = np.random.default_rng(0)
    means = []
    for _ in range(DRAWS):
        drawn = random.integers(len(members), size=len(members))
        rows = np.concatenate([members[number] for number in drawn])
        means.append(mean_score(prepared, [pair.drawn(rows) for pair in pairs]))
    low, high = np.percentile(means, (2.5, 97.5))
    return Interval(float(low), float(high)), unit, len(members)


def claim_of(log: str) -> Claim:
    """Read what an attempt of the baseline logged as its validation score."""
    found = _VALIDATION.search(log)
    if found is None:
        raise ValueError(f"expected a line `Validation score: …`, found: {log[-300:]}")
    return Claim(found[1], float(found[2]), found[3])


def attempts_on(task: str, folder: Path, seeds: Sequence[int], cache: Path | None) -> list[Path]:
    """Prepare a task below `folder`, run the agent on it, and return the attempts' folders."""
    prepare(load(task), folder / "data")
    options = RunOptions(LIMITS, lambda: datetime.now(UTC), cache=cache)  # noqa: TID251 - an edge
    tasks = load_tasks([task], "v1", folder / "data")
    group = run_group(load_agent(AGENT), tasks, seeds, folder / "runs", options)
    return [attempt.path for attempt in attempts_below(group)]


def measure(task: str, folder: Path, n_seeds: int = SEEDS, cache: Path | None = None) -> Row:
    """Run the baseline on one task with several seeds and say what it scores."""
    attempts = attempts_on(task, folder, range(n_seeds), cache)
    prepared = load_prepared(load(task), folder / "data")
    answers = read_table(prepared.answers)
    files = [path / "submission" / "submission.csv" for path in attempts]
    pairs = [Paired(*align(prepared.schema, read_submission(f), answers)) for f in files]
    claims = [claim_of((path / "logs" / "agent.log").read_text("utf-8")) for path in attempts]
    scores = [mean_score(prepared, [pair]) for pair in pairs]
    by_seeds = over_seeds(scores)
    by_rows, unit, n_units = over_draws(prepared, pairs)
    return Row(
        competition=task,
        n_seeds=n_seeds,
        score=statistics.mean(scores),
        seeds_low=by_seeds.low,
        seeds_high=by_seeds.high,
        rows_low=by_rows.low,
        rows_high=by_rows.high,
        n_units=n_units,
        unit=unit,
        validated=statistics.mean(claim.value for claim in claims),
        measure=claims[0].measure,
        scheme=claims[0].scheme,
        source_sha256=prepared.spec.source.sha256 or "",
    )


def as_csv(rows: Sequence[Row]) -> str:
    """Write rows, figures with 5 decimals."""
    names = [field.name for field in fields(Row)]
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(names)
    for row in rows:
        values = [getattr(row, name) for name in names]
        writer.writerow([f"{v:.5f}" if isinstance(v, float) else v for v in values])
    return stream.getvalue()


def stored_rows() -> list[dict[str, str]]:
    """Read the stored table."""
    with TABLE.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure every embedded task and write the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.quality.baseline", description=__doc__)
    parser.add_argument("--seeds", type=int, default=SEEDS, help="at least 3")
    given = parser.parse_args(arguments)
    if given.seeds < 3:
        parser.error("an interval over seeds needs 3 of them at least")
    rows = []
    for task in embedded_tasks():
        with tempfile.TemporaryDirectory() as folder:
            rows.append(measure(task, Path(folder), given.seeds))
        sys.stdout.write(f"{task}: {rows[-1].score:.5f}\n")
    write_text(TABLE, as_csv(rows))
    sys.stdout.write(f"Written: {TABLE}\nNow: make docs\n")


if __name__ == "__main__":
    main()
