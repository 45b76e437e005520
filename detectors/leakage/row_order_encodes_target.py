"""Ask whether the place of a row in the test file tells its answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from detectors.base import About, register
from detectors.leakage.association import association, largest_effect, neighbours, ranks
from detectors.leakage.hidden_answers import MIN_ROWS, as_texts, parts_of
from detectors.leakage.split import is_data, split_of
from reports.schema import Confidence, Quantity, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from detectors.base import Subject
    from detectors.leakage.association import Column
    from detectors.leakage.hidden_answers import Answers
    from detectors.leakage.split import Split
    from reports.schema import Finding

_IN_ORDER = 0.9  # rank correlation with the rows' places from which a column orders the file
_TOGETHER = 0.3  # how alike neighbours are from which a column keeps rows together
_LEVELS = 0.9  # share of different values up to which a column can keep rows together


@register
@dataclass(frozen=True)
class RowOrderEncodesTarget:
    """Test files that are sorted by the answer, or list equal answers side by side.

    The place of a row is held against its answer in two ways: how much the place tells of it, and
    how alike neighbouring rows are; both against shuffled rows. Where a public column orders the
    file, such as a time, the order tells nothing that is not public; where one keeps rows together,
    such as a patient, the first row of each group is looked at.

    Parameters
    ----------
    min_effect : float in [0, 1], default=0.3
        Effect from which order is a finding; 1 is a file sorted by the answer.
    high_effect : float in [0, 1], default=0.8
        Effect from which the finding is of high severity.
    max_p : float in (0, 1), default=0.01
        Share of shuffled orders that may have as large an effect, after Bonferroni over the
        targets and the two ways.
    seed : int >= 0, default=0
        Of the shuffles.
    """

    about: ClassVar[About] = About(
        id="row-order-encodes-target",
        subject=SubjectKind.TASK,
        asks="Does the place of a row in the test file tell its answer?",
        blind_spots=(
            "A period that neither sorts rows nor keeps equal answers together is not seen, as "
            "where every third row is positive. Of answers that are texts nothing is asked."
        ),
        reference="https://www.kaggle.com/docs/competitions (leakage); "
        "https://doi.org/10.1145/2382577.2382579 (Kaufman et al. 2012)",
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
            When the answers are not here, or are neither numbers nor classes.
        """
        split = split_of(subject)
        answers = split.hidden()
        is_sorted, groups = _explained(answers)
        if is_sorted:
            return
        for name, target in answers.targets.items():
            if groups is None:
                yield from self._by_place(subject, split, answers, name, target)
                yield from self._by_neighbours(subject, split, answers, name, target)
            elif (first := np.unique(groups, return_index=True)[1]).size >= MIN_ROWS:
                yield from self._by_place(subject, split, answers, name, target[np.sort(first)])

    def _by_place(
        self, subject: Subject, split: Split, answers: Answers, name: str, target: Column
    ) -> Iterator[Finding]:
        places = np.arange(float(len(target)))
        found = association(places, target, np.random.default_rng(self.seed))
        if found.effect >= self.min_effect and self._is_beyond_chance(found.p, answers):
            said = f"the place of a row in {split.listed_in} tells its {name}"
            most = largest_effect(places, target)  # a rare class sorted to the end tells little
            yield self._finding(
                subject, split, said, min(1.0, found.effect / most), found.largest_by_chance / most
            )

    def _by_neighbours(
        self, subject: Subject, split: Split, answers: Answers, name: str, target: Column
    ) -> Iterator[Finding]:
        rng = np.random.default_rng(self.seed)
        observed = neighbours(target)
        if observed < self.min_effect:
            return
        chance = np.array([neighbours(rng.permutation(target)) for _ in range(999)])
        p = (int((chance >= observed).sum()) + 1) / 1000
        if self._is_beyond_chance(p, answers):
            said = f"neighbouring rows of {split.listed_in} have like {name}"
            yield self._finding(subject, split, said, observed, float(chance.max()))

    def _is_beyond_chance(self, p: float, answers: Answers) -> bool:
        return p * 2 * min(len(answers.targets), 4) <= self.max_p

    def _finding(
        self, subject: Subject, split: Split, said: str, effect: float, by_chance: float
    ) -> Finding:
        return self.about.finding(
            subject,
            f"In {split.name} {said}, and no public column does.",
            Quantity(
                name="effect of the order, 1 where it tells all",
                value=round(effect, 4),
                compared_with="the largest among 999 shuffled orders",
                reference=round(by_chance, 4),
            ),
            severity=Severity.HIGH if effect >= self.high_effect else Severity.MEDIUM,
            confidence=Confidence.HIGH,
        )


def _explained(answers: Answers) -> tuple[bool, NDArray[np.intp] | None]:
    """Say whether a public column orders the rows, and which groups one keeps together, if any."""
    import pandas as pd

    columns = {name: as_texts(answers.public[name]) for name in answers.public.columns}
    for n, part in enumerate(parts_of(answers.ids) or ()):
        columns[f"part {n} of the id"] = pd.Series(part)
    places = ranks(np.arange(float(len(answers.ids))))
    is_sorted, groups = False, None
    for values in columns.values():
        number = pd.to_numeric(values, errors="coerce")
        is_number = number.notna().mean() > _IN_ORDER
        in_order = number if is_number else values.rank(method="average")
        own = ranks(in_order.fillna(in_order.median()).to_numpy(dtype=float))
        scale = float(np.sqrt((own**2).sum() * (places**2).sum())) or 1.0
        is_sorted |= abs(float(own @ places)) / scale >= _IN_ORDER
        codes, levels = pd.factorize(values)
        if 1 < len(levels) <= _LEVELS * len(values) and neighbours(codes) >= _TOGETHER:
            groups = codes
    return is_sorted, groups
