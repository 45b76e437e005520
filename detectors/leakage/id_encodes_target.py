"""Ask whether the id of a row tells its answer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from detectors.base import About, register
from detectors.leakage.association import association
from detectors.leakage.hidden_answers import MIN_ROWS, alone, as_texts, parts_of
from detectors.leakage.split import is_data, split_of
from reports.schema import Confidence, Quantity, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from detectors.base import Subject
    from detectors.leakage.association import Column
    from reports.schema import Finding

MARGIN = 0.05  # beyond the largest effect of 999 shuffles: many targets are asked about
NUMBER = "the number in the id"
MAX_LEVELS = 50  # of a view; one with more names rows and does not sort them
_KNOWN = 0.9  # how much a public column may tell of a view: then the view is nothing new


@register
@dataclass(frozen=True)
class IdEncodesTarget:
    """Ids allotted in the order of the answers, even for one class and odd for the other.

    Looked at are the number in an id, whether it is even, the remainder by ten, its first and last
    signs, what stands before and behind its first separator, and its length; each against the
    answers, by a permutation test. What a public column says as well is no leak of the id.

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
            "Only the test part's ids are looked at, in the named views. A hash of the answer, or "
            "an id that has to be joined with another table, is not seen."
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
            When the answers are not here, or are neither numbers nor classes.
        """
        answers = split_of(subject).hidden()
        rows = alone(answers.ids)
        views = views_of([answers.ids[n] for n in rows])
        public = answers.public.iloc[rows]
        number = views.get(NUMBER)
        if len(rows) < MIN_ROWS or (number is not None and _is_public(number, public)):
            return
        for target_name, targets in answers.targets.items():
            target = targets[rows]
            for view_name, view in views.items():
                rng = np.random.default_rng(self.seed)
                quick = association(view, target, rng, 0)
                if quick.effect < self.min_effect or _is_public(view, public):
                    continue
                found = association(view, target, rng)
                margin = found.effect - found.largest_by_chance
                if found.p * min(len(views), 9) <= self.max_p and margin >= MARGIN:
                    yield self.about.finding(
                        subject,
                        f"{view_name} tells the {target_name} of a row.",
                        Quantity(
                            name=f"effect of {view_name} on {target_name}, 1 where it tells all",
                            value=round(found.effect, 4),
                            compared_with="the largest among 999 shuffles",
                            reference=round(found.largest_by_chance, 4),
                        ),
                        severity=(
                            Severity.HIGH if found.effect >= self.high_effect else Severity.MEDIUM
                        ),
                        confidence=Confidence.HIGH,
                    )


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


def _is_public(view: Column, public: pd.DataFrame) -> bool:
    """Say whether a public column says what the view says."""
    import pandas as pd

    rng = np.random.default_rng(0)
    for name in public.columns:
        values = public[name]
        if pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values):
            column: Column = values.astype(float).fillna(values.astype(float).median()).to_numpy()
        else:
            column, levels = pd.factorize(as_texts(values), sort=True)
            if len(levels) > MAX_LEVELS:  # a date as text, say: its place among the others
                column = column.astype(float)
        if association(view, column, rng, 0).effect >= _KNOWN:
            return True
    return False
