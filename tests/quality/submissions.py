"""Score `copied-submission` on submissions of small models, honest ones and copies of them.

Worlds are made when they are scored. In each, authors train models of one task: other features,
rows, settings and seeds each, one in ten with the library's defaults. Sixteen hand in public files;
the others are audited one at a time, as they are, or after they copied. Copies hand in the code of
an honest attempt, so that their file alone speaks against them; one kind of equal file comes with
code that trains nothing. The halves have other families of models and other data. The sealed half
was scored once, when thresholds were settled on the open one.

``python -m tests.quality.submissions --write`` scores the whole set and writes the published table;
tests score a part of it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import warnings
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from audit.check import check
from detectors.plagiarism.copied_submission import CopiedSubmission
from reports.schema import Outcome
from tests.detectors.plagiarism.worlds import MIXES, TRAINS, attempt_of, corpus_of, everyone
from tests.quality.models import model_of
from tests.quality.score import GOLDEN, Score, first_contacts, quality_csv

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

DETECTOR = "copied-submission"
N_PUBLIC = 16
N_HONEST = 12
Half = Literal["open", "sealed"]
HALVES: tuple[Half, ...] = get_args(Half)
Targets = tuple["NDArray[np.float64]", ...]


@dataclass(frozen=True)
class Size:
    """How much of a half is scored: first tables, draws of each, honest attempts of each."""

    n_tables: int = 6
    n_seeds: int = 3
    n_honest: int = N_HONEST


WHOLE = Size()
PART = Size(n_tables=2, n_seeds=1, n_honest=6)


@dataclass(frozen=True)
class Table:
    """A task's data.

    Parameters
    ----------
    competition : str
        Task of the catalog whose rules of a submission are taken; the data are others.
    targets : tuple of ndarray of shape (n_rows,)
        One for each predicted column.
    is_probability : bool
        Whether the probability of a class is predicted, else a number.
    """

    competition: str
    key: str
    columns: tuple[str, ...]
    features: NDArray[np.float64]
    targets: Targets
    is_probability: bool


def tables(half: Half) -> Iterator[Table]:
    """Yield the data of a half: tables that ship with libraries, and drawn ones."""
    from sklearn import datasets
    from statsmodels.datasets import fair, modechoice

    def bundled(frame: Any, target: str, *without: str) -> tuple[Any, Any]:
        return frame.drop(columns=[target, *without]).to_numpy(float), frame[target].to_numpy()

    def drawn(name: str, seed: int, **more: object) -> tuple[Any, Any]:
        found: tuple[Any, Any] = getattr(datasets, f"make_{name}")(random_state=seed, **more)
        return found

    unscaled = {"return_X_y": True, "scaled": False}
    if half == "open":
        cancer = datasets.load_breast_cancer(return_X_y=True)
        diabetes = datasets.load_diabetes(**unscaled)
        modes = bundled(modechoice.load_pandas().data, "choice", "individual")
        hard = drawn("classification", 2, n_samples=3000, n_informative=8, flip_y=0.1)
        friedman = drawn("friedman1", 1, n_samples=3000, noise=2.0)
        twin = drawn("classification", 3, n_samples=1500, n_informative=6, class_sep=0.7)
    else:
        cancer = drawn("hastie_10_2", 4, n_samples=1200)
        diabetes = drawn("friedman3", 5, n_samples=900, noise=0.3)
        wine, kind = datasets.load_wine(return_X_y=True)
        modes = (wine, kind == 1)
        affairs = fair.load_pandas().data
        hard = bundled(affairs.assign(any=affairs["affairs"] > 0)[:4000], "any", "affairs")
        friedman = drawn("friedman2", 6, n_samples=3000, noise=120.0)
        twin = drawn("gaussian_quantiles", 7, n_samples=1500, n_features=6, n_classes=2)
    second = (twin[0][:, 0] + twin[0][:, 1] > np.median(twin[0][:, 2])).astype(float)
    flipped = np.random.default_rng(9).random(len(second)) < 0.2
    yield _table("breast-cancer", "id", "malignant", cancer, is_probability=True)
    yield _table("diabetes-progression", "id", "progression", diabetes)
    yield _table("modechoice", "id", "choice", modes, is_probability=True)
    yield _table("tabular-playground-series-may-2022", "id", "target", hard, is_probability=True)
    yield _table("new-york-city-taxi-fare-prediction", "key", "fare_amount", friedman)
    two = (twin[0], twin[1], np.where(flipped, 1 - second, second))
    yield _table("playground-series-s3e18", "id", "EC1 EC2", two, is_probability=True)


def _table(
    competition: str,
    key: str,
    columns: str,
    data: Sequence[NDArray[np.float64]],
    *,
    is_probability: bool = False,
) -> Table:
    features, *targets = data
    numbers = tuple((t > 0).astype(int) if is_probability else t for t in targets)
    named = tuple(columns.split())
    return Table(competition, key, named, np.asarray(features, float), numbers, is_probability)


@dataclass(frozen=True)
class World:
    """One task with its authors' predictions.

    Parameters
    ----------
    predictions : ndarray of shape (n_authors, n_rows, n_columns)
    """

    table: Table
    predictions: NDArray[np.float64]

    def csv(self, values: NDArray[np.float64]) -> str:
        """Write predictions as a submission."""
        head = ",".join((self.table.key, *self.table.columns))
        rows = (",".join((str(n), *(f"{v:.6f}" for v in row))) for n, row in enumerate(values))
        return "\n".join((head, *rows)) + "\n"


def world_of(table: Table, half: Half, n_authors: int, seed: int) -> World:
    """Train each author's model on three fifths of the rows and predict the others."""
    order = np.random.default_rng(seed).permutation(len(table.features))
    cut = 3 * len(order) // 5
    found = [
        _predicted(table, half, order[:cut], order[cut:], np.random.default_rng((seed, author)))
        for author in range(n_authors)
    ]
    return World(table, np.stack(found))


def _predicted(
    table: Table,
    half: Half,
    train: NDArray[np.int64],
    test: NDArray[np.int64],
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Let one author choose features, rows and model, and finish the predictions."""
    n = table.features.shape[1]
    is_default = rng.random() < 0.1
    some = not is_default and rng.random() < 0.5
    kept = np.sort(rng.permutation(n)[: max(2, int(n * rng.uniform(0.6, 0.95)))])
    features = table.features[:, kept if some else np.arange(n)]
    if not is_default and rng.random() < 0.5:
        train = rng.permutation(train)[: int(0.9 * len(train))]
    model = model_of(half, rng, is_probability=table.is_probability, is_default=is_default)
    columns = []
    for target in table.targets:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of models that stop early: authors ignore them, too
            model.fit(features[train], target[train])
        found = (
            model.predict_proba(features[test])[:, 1]
            if table.is_probability
            else np.ravel(model.predict(features[test]))
        )
        columns.append(found)
    return _finished(np.column_stack(columns), rng)


def _finished(values: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Finish predictions as some authors do: cut off the ends, or round."""
    how = rng.random()
    if how < 0.1:
        return np.clip(values, *np.quantile(values, (0.02, 0.98)))
    return values.round(3) if how < 0.2 else values


def copies(world: World, rng: np.random.Generator) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """Yield copies of public files by kind; what is their own is the last author's."""
    public, own = world.predictions[:N_PUBLIC], world.predictions[-1]
    one = public[int(rng.integers(N_PUBLIC))]
    noise = 0.02 * one.std(axis=0) * rng.standard_normal(one.shape)
    rows = rng.random(len(one)) < 0.05
    low, width = one.min(axis=0), np.ptp(one, axis=0)

    def blend(n: int) -> NDArray[np.float64]:
        weights = rng.dirichlet(np.full(n, 3.0))
        return np.tensordot(weights, public[rng.permutation(N_PUBLIC)[:n]], 1)

    yield "equal, nothing trained", one
    yield "affine", 0.9 * one + 0.05 * width
    yield "monotone", ((one - low) / width) ** 1.5
    for n in (2, 3, 4):
        yield f"blend of {n}", blend(n)
    yield "noise 1e-2", one + noise
    yield "blend of 3, noise 1e-2", blend(3) + noise
    yield "0.7 public + 0.3 own", 0.7 * one + 0.3 * own
    yield "5 % of rows overridden", np.where(rows[:, None], own, one)
    yield "equal, code trains", one


def score_half(half: Half, folder: Path, size: Size = WHOLE) -> list[Score]:
    """Score a half: all copies but the last kind together, then each kind, by the honest ones."""
    told: dict[str, list[bool]] = {"honest": []}
    for table in islice(tables(half), size.n_tables):
        for seed in range(size.n_seeds):
            world = world_of(table, half, N_PUBLIC + size.n_honest + 1, seed)
            place = folder / f"{half}-{table.competition}-{seed}"
            files = {f"{n}.csv": world.csv(v) for n, v in enumerate(world.predictions[:N_PUBLIC])}
            corpus = corpus_of(place, files, table.competition)
            rng = np.random.default_rng((seed, 1))
            honest = [("honest", values) for values in world.predictions[N_PUBLIC:-1]]
            for number, (kind, values) in enumerate((*honest, *copies(world, rng))):
                code = MIXES if kind == "equal, nothing trained" else TRAINS
                name = f"{table.competition}_{number}"
                attempt = attempt_of(place, name, world.csv(values), code=code)
                answer = check(CopiedSubmission(corpus=corpus), everyone(attempt))
                assert answer.outcome in {Outcome.CLEAN, Outcome.FLAGGED}, answer.reason
                told.setdefault(kind, []).append(answer.outcome is Outcome.FLAGGED)
    accused, n_honest = sum(told["honest"]), len(told.pop("honest"))
    guilty = {k: v for k, v in told.items() if k != "equal, code trains"}
    every = [one for found in guilty.values() for one in found]
    return [
        Score(name, "now", len(found), sum(found), n_honest, accused)
        for name, found in ((half, every), *((f"{half}: {k}", v) for k, v in told.items()))
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table of one half or both, or write that of all."""
    parser = argparse.ArgumentParser(prog="python -m tests.quality.submissions")
    parser.add_argument("halves", nargs="*", default=HALVES)
    parser.add_argument("--write", action="store_true", help="write the published table")
    given = parser.parse_args(arguments)
    scores = first_contacts(DETECTOR)
    with tempfile.TemporaryDirectory() as folder:
        for half in HALVES if given.write else given.halves:
            scores += score_half(half, Path(folder))
    if given.write:
        (GOLDEN / f"{DETECTOR}.csv").write_text(quality_csv(scores), encoding="utf-8")
    sys.stdout.write(quality_csv(scores))


if __name__ == "__main__":
    main()
