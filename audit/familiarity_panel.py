"""The documents of every task beside their controls: one measure a task, all counted together."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from audit.false_discoveries import adjusted
from detectors.familiarity.blind import blind, table_share
from detectors.familiarity.calibration import (
    MIN_CORRELATION,
    calibrate,
    correlation,
    decide,
    least_controls,
    require_controls,
)
from detectors.familiarity.documents import Kind, controls_for
from detectors.familiarity.metrics import (
    METRICS,
    MIN_TOKENS,
    Measured,
    Scored,
    measure,
    measure_documents,
)
from detectors.familiarity.task_measure import Group, TaskMeasure, measure_task
from detectors.known import Known, KnownDocument

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from audit.familiarity_texts import Asked
    from detectors.familiarity.blind import Blind
    from detectors.familiarity.documents import Document
    from detectors.familiarity.tokens import TokenScores
    from detectors.known import Calibrated

_REFERENCE = "reference-mean"  # how hard the reference finds a text: a covariate, no metric
_SHORT = f"fewer than {MIN_TOKENS} tokens"
_UNCONTROLLED = "no controls of its kind"
_APART = "told from the controls without a model"
BESIDE = "shown beside"


class Panel(NamedTuple):
    """Token scores of every text by its digest, and the controls among them.

    Parameters
    ----------
    source : str
        What the controls are called.
    same_tokenizer : bool
        Whether both models cut texts alike.
    """

    ours: Mapping[str, TokenScores]
    theirs: Mapping[str, TokenScores]
    controls: Sequence[Document]
    source: str
    seed: int = 0
    same_tokenizer: bool = False


class _Shelf(NamedTuple):
    """Controls of one kind that have a score, and how documents of that kind look beside them."""

    documents: Sequence[Document]
    apart: Blind
    places: Mapping[str, int]  # of documents in `apart`, by digest


class _Figures(NamedTuple):
    """What is measured of every text once the deciding metric is chosen."""

    metric: str
    matched: float | None
    measured: Mapping[str, Measured]

    def score(self, one: Document) -> float:
        metric = METRICS[self.metric]
        return metric.sign * self.measured[one.text.sha256].values[self.metric]

    def covariates(self, one: Document) -> list[float]:
        found = [math.log(len(one.text.content)), table_share(one.text)]
        if self.metric == "reference-t":
            found.append(self.measured[one.text.sha256].values[_REFERENCE])
        return found

    def usable(self, one: Document) -> bool:
        measured = self.measured[one.text.sha256]
        return not measured.too_short and math.isfinite(self.score(one))


def known_of(asked: Sequence[Asked], panel: Panel) -> list[Known | str]:
    """Return what is known of each task or text, or why nothing is.

    Raises
    ------
    UsageError
        When no kind that is asked about has controls enough.
    """
    documents = [d for one in asked for d in one.documents]
    figures = _figures([*documents, *panel.controls], panel)
    shelves = _shelves(documents, panel.controls, figures)
    rows = [_rows(one, shelves, figures) for one in asked]
    found = [
        _measure_of(one, of_one, (shelves, figures), panel.seed)
        for one, of_one in zip(asked, rows, strict=True)
    ]
    counted = [m for m in found if m is not None]
    qs = iter(adjusted([m.calibrated.p for m in counted]))
    return [
        _gap_of(one, of_one)
        if measure is None
        else _known(measure, of_one, (shelves, figures, panel), next(qs), len(counted))
        for one, of_one, measure in zip(asked, rows, found, strict=True)
    ]


def _figures(documents: Sequence[Document], panel: Panel) -> _Figures:
    measured: dict[str, Measured] = {}
    for one in documents:
        key = one.text.sha256
        theirs = panel.theirs.get(key)
        found = measure(panel.ours[key], theirs, same_tokenizer=panel.same_tokenizer)
        if theirs is not None:
            found.values[_REFERENCE] = METRICS["mean-log-probability"].value(Scored(theirs))
        measured[key] = found
    matched = _matched(panel.controls, measured) if panel.theirs else None
    return _Figures(_headline(panel.controls, measured, matched), matched, measured)


def _matched(controls: Sequence[Document], measured: Mapping[str, Measured]) -> float:
    """Correlate model and reference on prose and on programs; return the lower figure.

    Both together would correlate for being two kinds.
    """
    found = []
    for is_code in (False, True):
        values = [
            measured[c.text.sha256].values for c in controls if (c.kind is Kind.CODE) == is_code
        ]
        if values:
            ours = [v["mean-log-probability"] for v in values]
            found.append(correlation(ours, [v[_REFERENCE] for v in values]))
    return min(found, default=math.nan)


def _headline(
    controls: Sequence[Document], measured: Mapping[str, Measured], matched: float | None
) -> str:
    """Choose the metric that decides; a reference that does not match is switched off."""
    if matched is not None and matched >= MIN_CORRELATION:
        return "reference-t"
    values = [measured[c.text.sha256].values["min-k-plus-plus"] for c in controls]
    return "min-k-plus-plus" if all(map(math.isfinite, values)) else "min-k"


def _shelves(
    documents: Sequence[Document], controls: Sequence[Document], figures: _Figures
) -> dict[Kind, _Shelf]:
    """Put controls beside the documents of each kind; kinds with too few are left out."""
    shelves: dict[Kind, _Shelf] = {}
    most: list[Document] = []
    n_covariates = len(figures.covariates(documents[0]))
    for kind in dict.fromkeys(d.kind for d in documents if d.kind is not Kind.OBFUSCATED):
        usable = [c for c in controls_for(kind, controls) if figures.usable(c)]
        most = max(most, usable, key=len)
        own = {d.text.sha256: d for d in documents if d.kind is kind and not _short(d, figures)}
        if len(usable) < least_controls(n_covariates) or not own:
            continue
        apart = blind([d.text for d in own.values()], [c.text for c in usable])
        shelves[kind] = _Shelf(usable, apart, {key: i for i, key in enumerate(own)})
    if not shelves and not all(_short(d, figures) for d in documents):
        scores = np.array([figures.score(c) for c in most])
        require_controls(len(most), [0.0] * (1 + n_covariates), scores, [])
    return shelves


def _short(one: Document, figures: _Figures) -> bool:
    return figures.measured[one.text.sha256].too_short


def _rows(one: Asked, shelves: Mapping[Kind, _Shelf], figures: _Figures) -> list[KnownDocument]:
    """Say of each document whether it counts, and what it differs from its controls."""
    return [_row(d, shelves, figures) for d in one.documents]


def _row(one: Document, shelves: Mapping[Kind, _Shelf], figures: _Figures) -> KnownDocument:
    beside = one.kind is Kind.OBFUSCATED
    shelf = shelves.get(Kind.DESCRIPTION if beside else one.kind)
    left_out = BESIDE if beside else ""
    excess = math.nan
    if _short(one, figures):
        left_out = left_out or _SHORT
    elif shelf is None:
        left_out = left_out or _UNCONTROLLED
    else:
        excess = _alone(one, shelf, figures).excess
        if not beside and shelf.apart.separated[shelf.places[one.text.sha256]]:
            left_out = _APART
    return KnownDocument(
        name=one.text.name,
        kind=one.kind.value,
        sha256=one.text.sha256,
        url=one.url,
        n_tokens=figures.measured[one.text.sha256].n_tokens,
        excess=excess,
        left_out=left_out,
    )


def _alone(one: Document, shelf: _Shelf, figures: _Figures) -> Calibrated:
    return calibrate(
        figures.score(one),
        figures.covariates(one),
        [figures.score(c) for c in shelf.documents],
        [figures.covariates(c) for c in shelf.documents],
    )


def _measure_of(
    one: Asked,
    rows: Sequence[KnownDocument],
    beside: tuple[Mapping[Kind, _Shelf], _Figures],
    seed: int,
) -> TaskMeasure | None:
    """Measure a task by the documents that count; by those told apart where none does."""
    shelves, figures = beside
    counting = _counting(rows)
    chosen = [d for d, row in zip(one.documents, rows, strict=True) if row in counting]
    if not chosen:
        return None
    if len(chosen) == 1:
        alone = _alone(chosen[0], shelves[chosen[0].kind], figures)
        return TaskMeasure(alone, (math.nan, math.nan), {chosen[0].kind: (alone.excess,)})
    kinds = list(dict.fromkeys(d.kind for d in chosen))
    return measure_task(
        {
            kind: _group([d for d in chosen if d.kind is kind], shelves[kind], figures)
            for kind in kinds
        },
        seed,
    )


def _counting(rows: Sequence[KnownDocument]) -> list[KnownDocument]:
    return [r for r in rows if not r.left_out] or [r for r in rows if r.left_out == _APART]


def _group(documents: Sequence[Document], shelf: _Shelf, figures: _Figures) -> Group:
    return Group(
        [figures.score(d) for d in documents],
        [figures.covariates(d) for d in documents],
        [figures.score(c) for c in shelf.documents],
        [figures.covariates(c) for c in shelf.documents],
    )


def _known(
    found: TaskMeasure,
    rows: Sequence[KnownDocument],
    beside: tuple[Mapping[Kind, _Shelf], _Figures, Panel],
    q: float,
    n_texts: int,
) -> Known:
    shelves, figures, panel = beside
    counting = _counting(rows)
    used = [shelves[kind] for kind in dict.fromkeys(Kind(r.kind) for r in counting)]
    aparts = [s.apart for s in used]
    measured = [figures.measured[r.sha256] for r in counting]
    return Known(
        text_sha256=counting[0].sha256,
        n_tokens=sum(r.n_tokens for r in counting),
        metric=figures.metric,
        calibrated=found.calibrated,
        q=q,
        decision=decide(found.calibrated, q, confounded=bool(counting[0].left_out)),
        n_texts=n_texts,
        n_controls=sum(len(s.documents) for s in used),
        controls=panel.source,
        correlation=figures.matched,
        length_auc=_farthest([a.length_auc for a in aparts]),
        register_auc=_farthest([a.register_auc for a in aparts]),
        odd=min(_odd(counting, shelves)),
        values=measure_documents(measured),
        documents=tuple(rows),
        interval=found.interval,
    )


def _odd(rows: Sequence[KnownDocument], shelves: Mapping[Kind, _Shelf]) -> Iterator[float]:
    for row in rows:
        shelf = shelves[Kind(row.kind)]
        yield shelf.apart.odd[shelf.places[row.sha256]]


def _farthest(values: Sequence[float]) -> float:
    """Return the AUC that is farthest from chance, NaN where there is none."""
    known = [v for v in values if not math.isnan(v)]
    return max(known, key=lambda v: abs(v - 0.5)) if known else math.nan


def _gap_of(one: Asked, rows: Sequence[KnownDocument]) -> str:
    """Say why a task or text has no verdict: what is not here, and what is wrong with the rest."""
    short = [r for r in rows if r.left_out == _SHORT]
    said = [*one.gaps]
    said += [
        f"{r.name} has {r.n_tokens} tokens, at least {MIN_TOKENS} are needed for a verdict."
        for r in short[:1]
    ]
    said += [
        f"{r.name} has no controls of its kind ({r.kind})."
        for r in rows
        if r.left_out == _UNCONTROLLED
    ][:1]
    return " ".join(said) or f"There is no text of {one.name}."
