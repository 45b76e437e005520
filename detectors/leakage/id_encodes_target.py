"""Ask whether the id of a row tells its answer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from competitions.errors import EvidenceUnavailableError
from detectors.base import About, register
from detectors.leakage.association import association
from detectors.leakage.hidden_answers import (
    MIN_ROWS,
    alone,
    is_told,
    pair_answers,
    parts_of,
)
from detectors.leakage.split import is_data, split_of
from reports.schema import Confidence, Quantity, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from detectors.base import Subject
    from detectors.leakage.association import Association, Column
    from detectors.leakage.hidden_answers import Answers
    from detectors.leakage.split import Split
    from reports.schema import Finding

MARGIN = 0.05  # beyond the largest effect of 999 shuffles: many targets are asked about
NUMBER = "the number in the id"
MAX_LEVELS = 50  # of a view; one with more names rows and does not sort them
MOST_TOGETHER = 0.5  # of test ids whose numbers lie among those of train ids


@register
@dataclass(frozen=True)
class IdEncodesTarget:
    """Ids allotted in the order of the answers, even for one class and odd for the other.

    Looked at are the number in an id, whether it is even, the remainder by ten, its first and last
    signs, what stands before and behind its first separator, and its length; each against the
    answers, by a permutation test. What a public column says as well is no leak of the id. Where
    the hidden answers are not here, the train part's own ids and answers are looked at instead, if
    both parts' ids were allotted together.

    Parameters
    ----------
    min_effect : float in [0, 1], default=0.4
        Effect from which an id is a finding; 1 where it tells all.
    high_effect : float in [0, 1], default=0.8
        Effect from which the finding is of high severity.
    max_p : float in (0, 1), default=0.01
        Share of shuffles that may have as large an effect, after Bonferroni over the views.
    seed : int >= 0, default=0
        Of the shuffles.
    """

    about: ClassVar[About] = About(
        id="id-encodes-target",
        subject=SubjectKind.TASK,
        asks="Does the id of a row tell its answer?",
        blind_spots=(
            "Only the test part's ids are looked at, or the train part's where no answers are "
            "here, in the named views. A hash of the answer, or an id that has to be joined with "
            "another table, is not seen."
        ),
        reference="https://doi.org/10.1145/2382577.2382579 (Kaufman et al. 2012, Leakage in data "
        "mining)",
    )
    min_effect: float = 0.4
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
            When there are no answers to either part's ids, or they are neither numbers nor classes.
        """
        split = split_of(subject)
        try:
            seen = _Seen(split.hidden(), "of a row", Confidence.HIGH, is_one_allotment=True)
        except EvidenceUnavailableError as error:
            if (of_train := _of_train(split, error.problem)) is None:
                raise
            seen = of_train
        rows = alone(seen.answers.ids)
        views = views_of([seen.answers.ids[n] for n in rows])
        public = seen.answers.public.iloc[rows]
        number = views.get(NUMBER)
        if len(rows) < MIN_ROWS or (number is not None and is_told(number, public)):
            return
        for target_name, targets in seen.answers.targets.items():
            if not seen.is_one_allotment and self._is_told(number, targets[rows]):
                continue  # the file's order, of which every view of its numbers tells as well
            telling = self._telling(views, targets[rows], public)
            if telling:
                yield self._finding(subject, target_name, telling, seen)

    def _telling(
        self, views: Mapping[str, Column], target: Column, public: pd.DataFrame
    ) -> list[tuple[str, Association]]:
        """Return the views that tell a target, the one that tells most first."""
        telling = []
        for name, view in views.items():
            rng = np.random.default_rng(self.seed)
            quick = association(view, target, rng, 0)
            if quick.effect < self.min_effect or is_told(view, public):
                continue
            found = association(view, target, rng)
            margin = found.effect - found.largest_by_chance
            if found.p * min(len(views), 9) <= self.max_p and margin >= MARGIN:
                telling.append((name, found))
        return sorted(telling, key=lambda told: -told[1].effect)

    def _is_told(self, view: Column | None, target: Column) -> bool:
        if view is None:
            return False
        effect = association(view, target, np.random.default_rng(self.seed), 0).effect
        return effect >= self.min_effect

    def _finding(
        self,
        subject: Subject,
        target: str,
        telling: Sequence[tuple[str, Association]],
        seen: _Seen,
    ) -> Finding:
        """Tell of all views of the id that tell one target: they are one leak."""
        (strongest, found), *others = telling
        names = " and ".join(name for name, _ in others)
        also = f", and so {'do' if others[1:] else 'does'} {names}" if others else ""
        return self.about.finding(
            subject,
            f"{strongest} tells the {target} {seen.where}{also}.",
            *(
                Quantity(
                    name=f"effect of {name} on {target}, 1 where it tells all",
                    value=round(one.effect, 4),
                    compared_with="the largest among 999 shuffles",
                    reference=round(one.largest_by_chance, 4),
                )
                for name, one in telling
            ),
            severity=Severity.HIGH if found.effect >= self.high_effect else Severity.MEDIUM,
            confidence=seen.confidence,
        )


class _Seen(NamedTuple):
    """Rows whose answers are known: of the test part, or else of the train part."""

    answers: Answers
    where: str
    confidence: Confidence
    is_one_allotment: bool  # whether numbers in their ids can say something of test rows


def _of_train(split: Split, why: str) -> _Seen | None:
    """Return the train part's ids and targets; None where there are none.

    Train rows that are numbered by themselves may stand in any order: their numbers say something
    of test rows only where both parts were numbered together.
    """
    if split.train is None or split.listed is None or not split.key:
        return None
    train, listed = split.train.frame, split.listed.frame
    try:
        known = pair_answers(train, train, split.key, split.train_targets)
    except EvidenceUnavailableError:
        return None
    ids = list(listed[split.key[0]].astype(str)) if split.key[0] in listed.columns else []
    where = f"of a row of the train part ({why.rstrip('.')})"
    return _Seen(known, where, Confidence.MEDIUM, _are_numbered_together(known.ids, ids))


def _are_numbered_together(train: Sequence[str], test: Sequence[str]) -> bool:
    """Say whether most numbers of test ids lie among those of train ids.

    Examples
    --------
    >>> _are_numbered_together(["a1", "a9"], ["a4", "a5"])
    True
    >>> _are_numbered_together(["a1", "a9"], ["a10", "a11"])
    False
    """
    numbers = [
        np.array([float(m[-1][-15:]) for i in ids if (m := re.findall(r"\d+", i))])
        for ids in (train, test)
    ]
    if any(len(found) == 0 for found in numbers):
        return False
    low, high = numbers[0].min(), numbers[0].max()
    return bool(((numbers[1] >= low) & (numbers[1] <= high)).mean() >= MOST_TOGETHER)


def views_of(ids: Sequence[str]) -> dict[str, Column]:
    """Return what can be read off ids; constants and views that name single rows are left out.

    Examples
    --------
    >>> sorted(views_of(["a1", "b2", "a3", "b4"]))
    ['the first sign of the id', 'the number in the id', 'whether the id is even']
    """
    found: dict[str, Column] = {}
    if (parts := parts_of(ids)) is not None:  # the last part is which row of somebody's it is
        ids = parts[0]
    digits = [re.findall(r"\d+", one) for one in ids]
    if all(digits):
        numbers = np.array([float(one[-1][-15:]) for one in digits])
        if len(np.unique(numbers)) > 1:
            found[NUMBER] = numbers
        found |= _classes(
            {
                "whether the id is even": [str(n % 2) for n in numbers],
                "the last digit of the id": [str(n % 10) for n in numbers],
            }
        )
    cut = [re.split(r"[^A-Za-z0-9]", one, maxsplit=1) for one in ids]
    return found | _classes(
        {
            "the first sign of the id": [one[:1] for one in ids],
            "the last sign of the id": [one[-1:] for one in ids],
            "what the id begins with": [one[0] for one in cut],
            "what the id ends with": [one[-1] for one in cut],
            "the length of the id": [str(len(one)) for one in ids],
        }
    )


def _classes(views: dict[str, list[str]]) -> dict[str, NDArray[np.intp]]:
    """Return each view as numbered levels; equal views are kept once."""
    found: dict[str, NDArray[np.intp]] = {}
    for name, levels in views.items():
        known, codes = np.unique(levels, return_inverse=True)
        is_told = 1 < len(known) <= min(MAX_LEVELS, len(levels) // 2)
        if is_told and not any(np.array_equal(codes, other) for other in found.values()):
            found[name] = codes
    return found
