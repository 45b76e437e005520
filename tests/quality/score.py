"""Score a detector over its labelled set: recall, false accusations, and how sure both are.

``python -m tests.quality.score`` prints the table. A half is scored when it is open, or when its
first contact was recorded in ``docs/quality/first-contact.csv``: a sealed half is looked at once,
by whoever writes that line, and never by accident.
"""

from __future__ import annotations

import csv
import io
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast, get_args

from audit.check import check
from audit.collect import attempts_below
from audit.console import table
from detectors.attempt import Attempt
from detectors.base import all_detectors, detector
from detectors.group import Group
from reports.schema import Outcome, SubjectKind
from tests.quality.corpus import CASES, Half, load_cases

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from detectors.base import Detector
    from tests.quality.corpus import LabelledCase

GOLDEN = Path(__file__).parents[2] / "docs" / "quality"
FIRST_CONTACT = GOLDEN / "first-contact.csv"
PREVALENCE = 0.05


class Interval(NamedTuple):
    """A share with its 95 % Wilson interval."""

    share: float
    low: float
    high: float


@dataclass(frozen=True)
class Score:
    """A detector on one half of its labelled set.

    Parameters
    ----------
    measured : str
        ``now``, or the commit at which a sealed half was met for the first time.
    found, accused : int
        Positive and negative cases that were flagged (a finding above `note`).
    missed_kinds, accused_kinds : tuple of str
        What the errors were, sorted.
    n_failed : int
        Cases the detector crashed on; there must be none.
    """

    half: str
    measured: str
    n_positive: int
    found: int
    n_negative: int
    accused: int
    missed_kinds: tuple[str, ...] = ()
    accused_kinds: tuple[str, ...] = ()
    n_failed: int = 0

    @property
    def recall(self) -> Interval:
        """Share of positive cases that were flagged."""
        return wilson(self.found, self.n_positive)

    @property
    def false_positives(self) -> Interval:
        """Share of honest attempts that were flagged."""
        return wilson(self.accused, self.n_negative)


def wilson(count: int, n: int) -> Interval:
    """Return a share with its Wilson interval at 95 %.

    References
    ----------
    Wilson (1927), https://doi.org/10.1080/01621459.1927.10502953
    """
    from scipy.stats import binomtest

    limits = binomtest(count, n).proportion_ci(confidence_level=0.95, method="wilson")
    return Interval(count / n, float(limits.low), float(limits.high))


def precision(recall: float, false_positives: float, prevalence: float = PREVALENCE) -> float:
    """Return the share of flagged attempts that are guilty, where `prevalence` of all are.

    Examples
    --------
    >>> round(precision(1.0, 0.05), 3)
    0.513
    """
    hits, slips = prevalence * recall, (1 - prevalence) * false_positives
    return hits / (hits + slips) if hits + slips else 0.0


def score(detector_id: str, half: Half) -> Score:
    """Run a detector with its default parameters over one half."""
    one = detector(detector_id)()
    answers = [(c, check(one, subject_of(one, c))) for c in load_cases(detector_id, half)]
    positive = [(c, a.outcome is Outcome.FLAGGED) for c, a in answers if c.label == "positive"]
    negative = [(c, a.outcome is Outcome.FLAGGED) for c, a in answers if c.label == "negative"]
    return Score(
        half=half,
        measured="now",
        n_positive=len(positive),
        found=sum(flagged for _, flagged in positive),
        n_negative=len(negative),
        accused=sum(flagged for _, flagged in negative),
        missed_kinds=_kinds(case for case, flagged in positive if not flagged),
        accused_kinds=_kinds(case for case, flagged in negative if flagged),
        n_failed=sum(answer.outcome is Outcome.FAILED for _, answer in answers),
    )


def subject_of(one: Detector, case: LabelledCase) -> Attempt | Group:
    """Return a case as what the detector looks at: an attempt, or a folder of one agent's."""
    if one.about.subject is SubjectKind.GROUP:
        return Group(case.path.name, tuple(attempts_below(case.path)))
    return Attempt(case.path)


def _kinds(cases: Iterable[LabelledCase]) -> tuple[str, ...]:
    return tuple(sorted(case.kind for case in cases))


def first_contacts(detector_id: str) -> list[Score]:
    """Read what each sealed half scored when the detector met it for the first time."""
    with FIRST_CONTACT.open(encoding="utf-8", newline="") as stream:
        return [
            Score(
                half=row["half"],
                measured=f"first contact, {row['commit']}",
                n_positive=int(row["n_positive"]),
                found=int(row["found"]),
                n_negative=int(row["n_negative"]),
                accused=int(row["accused"]),
            )
            for row in csv.DictReader(stream)
            if row["detector"] == detector_id
        ]


def scored_halves(detector_id: str) -> list[Half]:
    """List the halves that may be scored: the open one, and those that were met already."""
    met = {contact.half for contact in first_contacts(detector_id)}
    return [cast("Half", half) for half in get_args(Half) if half == "open" or half in met]


def all_scores(detector_id: str) -> list[Score]:
    """Score every half that may be scored, and add what the first contacts said."""
    return [
        *first_contacts(detector_id),
        *(score(detector_id, half) for half in scored_halves(detector_id)),
    ]


def labelled_detectors() -> list[str]:
    """List the detectors that have a labelled set."""
    return [name for name in all_detectors() if (CASES / name / "labels.csv").is_file()]


def quality_csv(scores: Sequence[Score]) -> str:
    """Write scores as the stored table: counts, shares, limits, and the kinds of error."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(
        (
            *("half", "measured", "n_positive", "found", "recall", "recall_low", "recall_high"),
            *("n_negative", "accused", "false_positives", "fp_low", "fp_high"),
            *("precision_at_5_percent", "precision_at_limits", "n_failed"),
            *("missed_kinds", "accused_kinds"),
        )
    )
    for one in scores:
        recall, slips = one.recall, one.false_positives
        shares = [f"{value:.4f}" for value in (*recall, *slips)]
        at_best = precision(recall.share, slips.share)
        at_limits = precision(recall.low, slips.high)
        writer.writerow(
            (
                *(one.half, one.measured, one.n_positive, one.found, *shares[:3]),
                *(one.n_negative, one.accused, *shares[3:]),
                *(f"{at_best:.4f}", f"{at_limits:.4f}", one.n_failed),
                *(" ".join(one.missed_kinds), " ".join(one.accused_kinds)),
            )
        )
    return stream.getvalue()


def main() -> None:
    """Print the table of every detector that has a labelled set."""
    for name in labelled_detectors():
        head, *rows = csv.reader(io.StringIO(quality_csv(all_scores(name))))
        sys.stdout.write(f"{name}\n{table(head, rows)}\n\n")


if __name__ == "__main__":
    main()
