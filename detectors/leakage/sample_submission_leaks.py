"""Ask whether the sample submission tells the answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from competitions.errors import EvidenceUnavailableError, NotApplicableError
from competitions.submission import key_index
from detectors.base import About, register
from detectors.leakage.association import association
from detectors.leakage.hidden_answers import as_texts, coded, is_told, pair_answers, parts_of
from detectors.leakage.split import is_data, split_of
from reports.schema import Confidence, Quantity, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd
    from numpy.typing import NDArray

    from detectors.base import Subject
    from detectors.leakage.split import Split
    from detectors.leakage.tables import Table
    from reports.schema import Finding

MARGIN = 0.05  # beyond the largest effect of the shuffles
MAX_TARGETS = 200  # a column for each of thousands of classes: the first ones
N_SHUFFLES = 999
_SAME_ORDER = 0.9  # rank correlation of places
_MOST_COUNTED = 5  # of targets, for Bonferroni: shares of one whole go together


class _Row(NamedTuple):
    """What a finding is made of."""

    said: str
    name: str
    effect: float
    by_chance: float


@register
@dataclass(frozen=True)
class SampleSubmissionLeaks:
    """Sample submissions whose values or order follow the hidden answers.

    The values of each predicted column are held against the answers under the ids: how many are
    equal, and how much they tell of one another, both against shuffled rows, so that a constant or
    the shares of the classes tell nothing. A column that a public column of the test rows gives is
    no leak. Where the sample lists its rows in an order that no public table has, the place of a
    row is held against its answer too.

    Parameters
    ----------
    min_effect : float in [0, 1], default=0.3
        Effect from which the sample is a finding; 1 where it tells all.
    high_effect : float in [0, 1], default=0.8
        Effect from which the finding is of high severity.
    max_p : float in (0, 1), default=0.01
        Share of shuffles that may have as large an effect, after Bonferroni over the targets.
    seed : int >= 0, default=0
        Of the shuffles.
    """

    about: ClassVar[About] = About(
        id="sample-submission-leaks",
        subject=SubjectKind.TASK,
        asks="Do the values or the order of the sample submission tell the answers?",
        blind_spots=(
            "Predictions of a model that were published as the sample tell as much as that model "
            "knows, and are told as if they were answers. Of texts only equality is asked. Of more "
            "than 200 predicted columns the first ones are looked at."
        ),
        reference="https://doi.org/10.1145/2382577.2382579 (Kaufman et al. 2012)",
    )
    min_effect: float = 0.3
    high_effect: float = 0.8
    max_p: float = 0.01
    seed: int = 0

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        return None if is_data(subject) else "it looks at tasks and data only"

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            When there is no sample submission, or the answers are not here.
        """
        split = split_of(subject)
        sample = split.sample
        if sample is None:
            raise NotApplicableError("the data hold no sample submission", "Name it with --sample")
        given, answers = _paired(split, sample)
        found = [
            row
            for target in answers.columns[:MAX_TARGETS]
            if target in given.columns
            for row in self._of_target(split, given, answers, target)
        ]
        found += self._of_order(split, sample)
        for row in sorted(found, key=lambda r: -r.effect)[:MAX_TARGETS]:
            yield self._finding(subject, row)

    def _of_target(
        self, split: Split, given: pd.DataFrame, answers: pd.DataFrame, target: str
    ) -> Iterator[_Row]:
        """Hold a predicted column of the sample against its answers: equality, then all else."""
        left, right = as_texts(given[target]), as_texts(answers[target])
        view, wanted = coded(given[target]), coded(answers[target])
        if left.nunique() < 2:  # noqa: PLR2004 - a constant tells nothing
            return
        n_targets = min(answers.shape[1], _MOST_COUNTED)
        share, by_chance, most = _equal(left, right, np.random.default_rng(self.seed))
        beyond = (share - by_chance) / max(1e-9, 1 - by_chance)
        is_equal = beyond >= self.min_effect and share - most >= MARGIN
        if is_equal and not _is_borrowed(split, given, left, view):
            said = (
                f"{share:.0%} of the values of {target} in the sample submission are the answers "
                f"of their rows; {by_chance:.0%} would be by chance."
            )
            yield _Row(said, f"share of rows with the answer as {target}", share, by_chance)
        elif view is not None and wanted is not None:
            found = association(view, wanted, np.random.default_rng(self.seed), 0)
            if found.effect < self.min_effect or _is_borrowed(split, given, left, view):
                return
            found = association(view, wanted, np.random.default_rng(self.seed))
            margin = found.effect - found.largest_by_chance
            if found.p * n_targets <= self.max_p and margin >= MARGIN:
                said = f"The values of {target} in the sample submission follow the answers."
                name = f"effect of the sample's {target} on the answer, 1 where it tells all"
                yield _Row(said, name, found.effect, found.largest_by_chance)

    def _of_order(self, split: Split, sample: Table) -> Iterator[_Row]:
        """Hold the place of a row in the sample against its answer, where that order is its own."""
        if _is_listed_so(split, sample):
            return
        try:
            answers = pair_answers(split.answered(), sample.frame, split.key, split.targets)
        except EvidenceUnavailableError:  # texts have no order
            return
        places = np.arange(float(len(answers.ids)))
        if is_told(places, _orders(answers.ids)):
            return
        n_targets = min(len(answers.targets), _MOST_COUNTED)
        for target, values in list(answers.targets.items())[:MAX_TARGETS]:
            if association(places, values, np.random.default_rng(0), 0).effect < self.min_effect:
                continue
            found = association(places, values, np.random.default_rng(self.seed))
            margin = found.effect - found.largest_by_chance
            if found.p * n_targets <= self.max_p and margin >= MARGIN:
                said = f"The place of a row in the sample submission tells its {target}."
                name = f"effect of the place on {target}, 1 where it tells all"
                yield _Row(said, name, found.effect, found.largest_by_chance)

    def _finding(self, subject: Subject, row: _Row) -> Finding:
        return self.about.finding(
            subject,
            row.said,
            Quantity(
                name=row.name,
                value=round(row.effect, 4),
                compared_with=f"{N_SHUFFLES} shuffles",
                reference=round(row.by_chance, 4),
            ),
            severity=Severity.HIGH if row.effect >= self.high_effect else Severity.MEDIUM,
            confidence=Confidence.HIGH,
        )


def _paired(split: Split, sample: Table) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the sample's rows and the targets of the same rows.

    Raises
    ------
    EvidenceUnavailableError
        When the answers are not here, or no row of the sample is among them.
    """
    perfect = split.answered()
    key = list(split.key)
    if not key or any(k not in perfect.columns or k not in sample.frame.columns for k in key):
        raise EvidenceUnavailableError("data", "sample and answers have no ids to pair rows by")
    names = key_index(perfect, key)
    if not names.is_unique:
        raise EvidenceUnavailableError("data", "an id names several of its answers")
    order = names.get_indexer(key_index(sample.frame, key))
    rows = np.flatnonzero(order >= 0)
    if len(rows) == 0:
        raise EvidenceUnavailableError("data", "no row of the sample submission has an answer here")
    targets = [t for t in split.targets if t in perfect.columns]
    answers = perfect.iloc[order[rows]][targets].reset_index(drop=True)
    return sample.frame.iloc[rows].reset_index(drop=True), answers


def _equal(
    left: pd.Series, right: pd.Series, rng: np.random.Generator
) -> tuple[float, float, float]:
    """Return the share of equal cells, and the mean and the largest one among shuffles."""
    import pandas as pd

    codes, _ = pd.factorize(pd.concat([_plain(left), _plain(right)], ignore_index=True))
    mine, other = codes[: len(left)], codes[len(left) :]
    share = float((mine == other).mean())
    chance: NDArray[Any] = np.array(
        [(rng.permutation(mine) == other).mean() for _ in range(N_SHUFFLES)] if share else [0.0]
    )
    return share, float(chance.mean()), float(chance.max())


def _plain(cells: pd.Series) -> pd.Series:
    """Write numbers alike: 1 and 1.0 are one answer."""
    return cells.str.removesuffix(".0")


def _is_borrowed(
    split: Split, given: pd.DataFrame, texts: pd.Series, view: NDArray[Any] | None
) -> bool:
    """Say whether a public column of the test rows gives the sample's values."""
    listed = split.test.frame if split.test is not None else None
    if listed is None:
        return False
    if set(split.key) <= set(listed.columns):
        names = key_index(listed, split.key)
        if not names.is_unique:
            return False
        order = names.get_indexer(key_index(given, split.key))
    elif len(listed) == len(given):  # ids that are made of several columns: by place
        order = np.arange(len(given))
    else:
        return False
    if (order < 0).any():
        return False
    public = listed.iloc[order].drop(columns=[*split.key, *split.targets], errors="ignore")
    public = public.reset_index(drop=True)
    if any(bool((as_texts(public[c]) == texts).all()) for c in public.columns):
        return True
    return view is not None and is_told(view, public)


def _orders(ids: list[str]) -> pd.DataFrame:
    """Return the orders that ids have of themselves: by their letters, number and parts."""
    import pandas as pd

    names = pd.Series(ids)
    found = {"letters": names.rank(method="first")}
    number = pd.to_numeric(names.str.extract(r"(\d{1,15})\D*$")[0], errors="coerce")
    if number.notna().all():
        found["number"] = number
    for n, part in enumerate(parts_of(ids) or ()):
        found[f"part {n}"] = pd.Series(part).rank(method="average")
    return pd.DataFrame(found)


def _is_listed_so(split: Split, sample: Table) -> bool:
    """Say whether the sample lists its rows about as the public table of test rows does."""
    if split.listed is None or not set(split.key) <= set(split.listed.frame.columns):
        return False
    names = key_index(split.listed.frame, split.key)
    if not names.is_unique:
        return True  # rows of one name: nothing can be said
    order = names.get_indexer(key_index(sample.frame, split.key)).astype(float)
    places = np.arange(float(len(order)))
    return association(order, places, np.random.default_rng(0), 0).effect >= _SAME_ORDER
