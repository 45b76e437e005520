"""The positive control: models that have seen texts a known number of times, scored like any other.

Three twins go on from one base model that has read a background. The contaminated one reads member
texts once, four and sixteen times among further texts; the clean one reads the further texts only,
and is the reference; so does the placebo, in another order. What tells "members" from held-out
texts by the placebo is no familiarity. A reference of the same descent is the best match there is:
the figures say that the machinery works, not what an unlike reference would reach. (One that reads
as much as the contaminated twin, other texts as often, is no better: 0 on average on unseen texts,
and as far off on single ones.)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from detectors.familiarity.backend import Plan
from detectors.familiarity.conformal import auc, conformal_p
from detectors.familiarity.metrics import METRICS, Scored
from detectors.familiarity.scoring import score_texts
from detectors.familiarity.texts import Text
from detectors.familiarity.twin_texts import TwinTexts, twin_texts
from detectors.familiarity.twin_training import (
    TwinShape,
    fresh_twin,
    one_thread,
    shuffled,
    train_tokenizer,
    train_twin,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from detectors.familiarity.local_model import LocalModel
    from detectors.familiarity.tokens import TokenScores

HEADLINE, WITHOUT_REFERENCE = "reference-t", "min-k-plus-plus"
DOCUMENTS = (1, 6)  # a task
_LEVEL = 0.05
_N_CONTROLS = 60
_N_DRAWS = 20
_N_TASKS = 2000  # drawn per group, for tasks of several documents: fewer move an AUC by .02


@dataclass(frozen=True)
class SelftestPlan:
    """How large the positive control is; the defaults are what its targets are stated for.

    Parameters
    ----------
    n_characters : int
        Of each text.
    members : dict of int to int
        Number of texts by exposure.
    n_base, n_background : int
        Texts that the base reads, and with those that both twins read after it.
    """

    n_characters: int = 2400
    members: dict[int, int] = field(default_factory=lambda: {1: 100, 4: 30, 16: 8})
    n_held_out: int = 100
    n_base: int = 220
    n_background: int = 300
    shape: TwinShape = field(default_factory=TwinShape)
    stride: int = 96


@dataclass(frozen=True)
class SelftestRow:
    """How well one metric tells seen from unseen texts.

    Parameters
    ----------
    metric : str
        Id of a metric.
    exposures, documents : int
        How often each text was seen, and texts per task.
    auc, placebo : float in [0, 1]
        By the contaminated twin; by one that has seen none of the texts (expected: .5): there
        all members are one group, as eight texts alone are off by .1 by chance.
    power : float in [0, 1]
        Share of seen texts, or tasks, with p <= .05 beside the unseen ones.
    """

    metric: str
    exposures: int
    documents: int
    auc: float
    placebo: float
    power: float


@dataclass(frozen=True)
class SelftestTable:
    """What the positive control showed.

    Parameters
    ----------
    rows : tuple of SelftestRow
        Metric × exposures × documents a task.
    null_rate : dict of str to float
        By metric, the share of unseen texts with p <= .05 against 60 controls, over 20 draws.
    false_discoveries : dict of str to float
        By metric, the share of unseen texts among those with q <= .1, over the same draws: the
        texts seen four and more times and 40 unseen ones asked together.
    correlation : float
        Of target's and reference's mean log-probability on held-out texts: how well matched.
    texts_sha256 : str
        Of all texts: another version of a library gives other texts, and slightly other figures.
    """

    rows: tuple[SelftestRow, ...]
    null_rate: dict[str, float]
    false_discoveries: dict[str, float]
    correlation: float
    n_parameters: int
    seed: int
    texts_sha256: str

    def row(self, metric: str, exposures: int, documents: int = 1) -> SelftestRow:
        """Return one row."""
        wanted = (metric, exposures, documents)
        return next(r for r in self.rows if (r.metric, r.exposures, r.documents) == wanted)

    @property
    def misses(self) -> tuple[str, ...]:
        """Sentences for each target that was missed; empty means the detector works here."""
        return tuple(_misses(self))

    @property
    def passed(self) -> bool:
        """Whether every target was met; otherwise no verdict of the family is to be trusted."""
        return not self.misses


TARGETS = (  # metric, exposures, documents a task, AUC at least
    (HEADLINE, 1, 1, 0.70),
    (HEADLINE, 4, 1, 0.95),
    (HEADLINE, 16, 1, 0.99),
    (HEADLINE, 1, 6, 0.95),
    (WITHOUT_REFERENCE, 16, 1, 0.97),
)
PLACEBO = 0.12  # either side of .5
NULL_RATE = 0.08
FALSE_DISCOVERIES = 0.1  # q, and so the share at most


def selftest(
    seed: int = 0,
    progress: Callable[[str, int, int], None] | None = None,
    plan: SelftestPlan | None = None,
) -> SelftestTable:
    """Train the twins on this machine, score them and return what could be told apart.

    One core; the same table for the same seed, libraries and kind of processor.

    Parameters
    ----------
    progress : callable or None
        Told what is done (``contaminated twin``, ...), steps done and steps in all.

    Raises
    ------
    MissingLibraryError
        When the extra ``familiarity`` is not installed.
    """
    from detectors.familiarity.model_files import require_libraries

    require_libraries("torch", "transformers")
    plan = plan or SelftestPlan()
    tell = progress or (lambda *_: None)
    texts = twin_texts(seed, plan.n_characters, plan.members, plan.n_held_out, plan.n_background)
    with one_thread():
        models = _twins(texts, plan, seed, tell)
        return _table(texts, models, plan, seed, tell)


def _twins(
    texts: TwinTexts, plan: SelftestPlan, seed: int, tell: Callable[[str, int, int], None]
) -> tuple[LocalModel, LocalModel, LocalModel]:
    """Train the contaminated twin, the clean one and the placebo, all from one base."""
    first, rest = texts.background[: plan.n_base], texts.background[plan.n_base :]
    tokenizer = train_tokenizer(texts.background, plan.shape)
    start = fresh_twin(plan.shape, seed)
    base = train_twin("base", first, tokenizer, plan.shape, start, tell).model
    seen = [t for times, part in texts.members.items() for t in part for _ in range(times)]
    parts = {
        "contaminated twin": shuffled([*rest, *seen], seed),
        "clean twin": shuffled(rest, seed),
        "placebo": shuffled(rest, seed + 1),
    }
    twins = [train_twin(n, t, tokenizer, plan.shape, base, tell) for n, t in parts.items()]
    return twins[0], twins[1], twins[2]


_Scores = dict[str, "NDArray[np.float64]"]


def _table(
    texts: TwinTexts,
    models: tuple[LocalModel, LocalModel, LocalModel],
    plan: SelftestPlan,
    seed: int,
    tell: Callable[[str, int, int], None],
) -> SelftestTable:
    groups = {**texts.members, 0: texts.held_out}
    asked = [t for part in groups.values() for t in part]
    target, reference, unaware = (_scored(m, asked, plan, tell) for m in models)
    lower = [Text(t.name, t.content.lower()) for t in asked]
    low_target, low_unaware = (_scored(models[i], lower, plan, tell) for i in (0, 2))
    real = _by_group(groups, target, reference, low_target)
    sham = _by_group(groups, unaware, reference, low_unaware)
    rng = np.random.default_rng(seed)
    rows = tuple(_rows(real, _placebo(sham, list(texts.members), rng), rng))
    n_held_out = len(texts.held_out)
    return SelftestTable(
        rows=rows,
        null_rate={n: _null_rate(real[0][n], rng) for n in (HEADLINE, WITHOUT_REFERENCE)},
        false_discoveries={
            n: _false_discoveries(_often_seen(real, n), real[0][n], rng)
            for n in (HEADLINE, WITHOUT_REFERENCE)
        },
        correlation=_correlation(target[-n_held_out:], reference[-n_held_out:]),
        n_parameters=models[0].model.num_parameters(),
        seed=seed,
        texts_sha256=texts.sha256,
    )


def _rows(
    real: dict[int, _Scores], placebo: dict[tuple[str, int], float], rng: np.random.Generator
) -> Iterator[SelftestRow]:
    for name in METRICS:
        for documents in DOCUMENTS:
            unseen = _tasks(real[0][name], documents, rng)
            for times in (t for t in real if t):
                seen = _tasks(real[times][name], documents, rng)
                power = float(np.mean(conformal_p(seen, unseen) <= _LEVEL))
                found = auc(seen, unseen)
                yield SelftestRow(name, times, documents, found, placebo[name, documents], power)


def _placebo(
    sham: dict[int, _Scores], exposures: Sequence[int], rng: np.random.Generator
) -> dict[tuple[str, int], float]:
    """Compare the texts of all exposures with held-out ones, by metric and documents a task."""
    return {
        (name, documents): auc(
            _tasks(np.concatenate([sham[times][name] for times in exposures]), documents, rng),
            _tasks(sham[0][name], documents, rng),
        )
        for name in METRICS
        for documents in DOCUMENTS
    }


def _correlation(target: Sequence[TokenScores], reference: Sequence[TokenScores]) -> float:
    """Correlate both models' mean log-probabilities over texts."""
    means = [[float(s.log_probability.mean()) for s in scores] for scores in (target, reference)]
    return float(np.asarray(np.corrcoef(means))[0, 1])


def _scored(
    model: LocalModel,
    texts: Sequence[Text],
    plan: SelftestPlan,
    tell: Callable[[str, int, int], None],
) -> list[TokenScores]:
    label = f"scores of the {model.identity.name}"
    return score_texts(
        model,
        texts,
        Plan(window=plan.shape.context, stride=plan.stride),
        progress=lambda p: tell(label, p.tokens_done, p.n_tokens),
    )


def _by_group(
    groups: dict[int, tuple[Text, ...]],
    target: list[TokenScores],
    reference: list[TokenScores],
    lower: list[TokenScores],
) -> dict[int, _Scores]:
    """Return familiarity by exposure (0: held out) and metric, one number a text."""
    scored = iter([Scored(*three) for three in zip(target, reference, lower, strict=True)])
    found: dict[int, _Scores] = {}
    for times, part in groups.items():
        mine = [next(scored) for _ in part]
        found[times] = {
            name: np.array([metric.familiarity(s) for s in mine])
            for name, metric in METRICS.items()
        }
    return found


def _tasks(
    scores: NDArray[np.float64], documents: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Return single texts, or averages over tasks of several texts drawn from them."""
    if documents == 1:
        return scores
    order = rng.random((_N_TASKS, len(scores))).argpartition(documents - 1, axis=1)
    return np.asarray(scores[order[:, :documents]].mean(axis=1))


def _null_rate(unseen: NDArray[np.float64], rng: np.random.Generator) -> float:
    """Share of unseen texts that look familiar at .05 beside controls drawn from the same."""
    rates = []
    n_controls = min(_N_CONTROLS, len(unseen) // 2)
    for _ in range(_N_DRAWS):
        drawn = rng.permutation(unseen)
        p = conformal_p(drawn[n_controls:], drawn[:n_controls])
        rates.append(float(np.mean(p <= _LEVEL)))
    return float(np.mean(rates))


def _often_seen(real: dict[int, _Scores], metric: str) -> NDArray[np.float64]:
    """Return scores of the texts seen more than once."""
    return np.concatenate([scores[metric] for times, scores in real.items() if times > 1])


def _false_discoveries(
    seen: NDArray[np.float64], unseen: NDArray[np.float64], rng: np.random.Generator
) -> float:
    """Share of unseen texts among all that are found, 0 where none is, over draws of controls."""
    from scipy.stats import false_discovery_control

    shares = []
    n_controls = min(_N_CONTROLS, len(unseen) // 2)
    for _ in range(_N_DRAWS):
        drawn = rng.permutation(unseen)
        p = conformal_p(np.concatenate([seen, drawn[n_controls:]]), drawn[:n_controls])
        found = false_discovery_control(p) <= FALSE_DISCOVERIES
        shares.append(float(found[len(seen) :].sum() / max(1, found.sum())))
    return float(np.mean(shares))


def _misses(table: SelftestTable) -> Iterator[str]:
    for metric, times, documents, least in TARGETS:
        found = table.row(metric, times, documents).auc
        if not found >= least:
            yield (
                f"{METRICS[metric].label} at {times} exposures and {documents} documents a task: "
                f"AUC {found:.3f}, at least {least:.2f} expected"
            )
    for row in table.rows:
        decides = row.metric in (HEADLINE, WITHOUT_REFERENCE) and row.documents == 1
        if decides and not abs(row.placebo - 0.5) <= PLACEBO:
            yield (
                f"{METRICS[row.metric].label} tells texts apart that its model has never seen: "
                f"AUC {row.placebo:.3f}, .38 to .62 expected"
            )
    for metric, rate in table.null_rate.items():
        if not rate <= NULL_RATE:
            yield (
                f"{METRICS[metric].label} calls {rate:.1%} of unseen texts familiar at .05, at "
                f"most {NULL_RATE:.0%} expected"
            )
    for metric, share in table.false_discoveries.items():
        if not share <= FALSE_DISCOVERIES:
            yield (
                f"{METRICS[metric].label}: {share:.1%} of what it finds in a mixture "
                f"is unseen, at most {FALSE_DISCOVERIES:.0%} expected"
            )
