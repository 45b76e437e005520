"""Ask whether a column, or a pair of columns, gives the target away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from competitions.errors import EvidenceUnavailableError
from detectors.base import About, register
from detectors.leakage.column_scan import LOG10_P, N_SHUFFLES
from detectors.leakage.proxy_scan import MAX_LISTED, scan
from detectors.leakage.proxy_worth import worths
from detectors.leakage.split import is_data, split_of
from reports.schema import Confidence, Quantity, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.base import Subject
    from detectors.leakage.column_scan import Leak
    from detectors.leakage.proxy_scan import Scanned
    from detectors.leakage.proxy_worth import Worth
    from detectors.leakage.split import Split
    from reports.schema import Finding

MAX_TARGETS = 10


@register
@dataclass(frozen=True)
class TargetProxy:
    """Columns of both tables that tell the target of a row better than any honest one could.

    Each column is read in many ways: its values, whether it is empty, its decimals, last digits
    and remainders, what texts begin and end with, their parts, capitals and phrases, clock times,
    how often a value occurs over train and test, single values among others. Each view is held
    against the target within the train table, out of fold and by rows without exception; pairs
    are tried as sums, differences, products, ratios and joint levels. Of columns with many levels
    it is asked whether rows with the same values of both, or the same fine number, have the same
    target where rows with nearly the same have not: then they name a thing whose answer is known.
    Means of the target over groups to which a row itself belongs are told by deviations that
    cancel. What counts as remarkable depends on the view: values may be strong and honest, their
    form may not.

    Parameters
    ----------
    high_reach : float in [0, 1], default=0.9
        Reach from which a leak is of high severity; 1 where it decides every row.
    medium_reach : float in [0, 1], default=0.1
        Reach from which it is of medium severity, below that of low.
    seed : int >= 0, default=0
        Of the rows that are drawn, the folds and the shuffles.
    """

    about: ClassVar[About] = About(
        id="target-proxy",
        subject=SubjectKind.TASK,
        asks="Does a column, or a pair of columns, give the target away?",
        blind_spots=(
            "A strong feature is taken for honest unless it decides nearly every row, and a rare "
            "subset unless it has fifty rows and one in a hundred. What takes three columns, a "
            "hash or another file is not seen, nor a mean of the target without the row itself. Of "
            "targets that are texts nothing is asked; of many, the first ten are, and the first "
            "4,000 columns."
        ),
        reference="https://doi.org/10.1145/2382577.2382579 (Kaufman et al. 2012, Leakage in data "
        "mining)",
    )
    high_reach: float = 0.9
    medium_reach: float = 0.1
    seed: int = 0

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        return None if is_data(subject) else "it looks at tasks and data only"

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            When the tables are not here, they share no column beside the key, or the train table
            has no target that is numbers or classes.
        """
        split = split_of(subject)
        train, test = split.both()
        columns = _looked_at(split)
        if not columns:
            raise EvidenceUnavailableError("data", "its tables share no column beside the key")
        looked = False
        for target in split.train_targets[:MAX_TARGETS]:
            found = scan(train.frame, test.frame, columns, target, self.seed)
            looked |= found is not None
            if found is not None:
                yield from self._findings(subject, split, found)
        if not looked:
            none = "its train table has no target of numbers or classes in fifty rows or more"
            raise EvidenceUnavailableError("data", split.too_little or none)

    def _findings(self, subject: Subject, split: Split, found: Scanned) -> Iterator[Finding]:
        train, _test = split.both()
        table = train.frame.iloc[found.rows]
        leaks = found.leaks[:MAX_LISTED]
        if not leaks:
            return
        told = worths(table, found.columns, found.target, leaks, self.seed)
        n_rows = len(train.frame)
        note = f" {len(found.rows)} of {n_rows} rows were looked at."
        note = note if len(found.rows) < n_rows else ""
        more = len(found.leaks) - len(leaks)
        for leak, worth in zip(leaks, told, strict=True):
            last = (
                f" {more} more such columns are not listed." if more and leak is leaks[-1] else ""
            )
            yield self.about.finding(
                subject,
                f"In {train.name}: {leak.message}{_said(worth)}{note}{last}",
                *_evidence(leak, worth),
                severity=self._severity(leak, split),
                confidence=Confidence.HIGH if leak.reach >= self.high_reach else Confidence.MEDIUM,
            )

    def _severity(self, leak: Leak, split: Split) -> Severity:
        if split.on_record("leak", shown_by=(self.about.id,)) or leak.reach < self.medium_reach:
            return Severity.LOW
        return Severity.HIGH if leak.reach >= self.high_reach else Severity.MEDIUM


def _looked_at(split: Split) -> tuple[str, ...]:
    """Return the columns of both tables that are no key, target, entity or name of a file."""
    left_out = {*(e.column for e in split.entities if e.prefix_before is None), *split.media}
    return tuple(c for c in split.features if c not in left_out and c not in split.train_targets)


def _said(worth: Worth | None) -> str:
    if worth is None:
        return ""
    return (
        f" A small model reaches {worth.with_it:.3f} with it and {worth.without:.3f} without "
        f"({worth.measure})."
    )


def _evidence(leak: Leak, worth: Worth | None) -> Iterator[Quantity]:
    """Yield the rule's score, what chance reaches, and what the leak is worth."""
    yield Quantity(
        name=f"{leak.measure} of {' and '.join(leak.columns)}",
        value=round(leak.value, 4),
        compared_with="from where it is remarkable, or the share of all rows",
        reference=round(leak.bar, 4),
    )
    if leak.by_chance is not None:
        yield Quantity(
            name=leak.measure,
            value=round(leak.value, 4),
            compared_with=f"the most extreme by chance in {N_SHUFFLES} shuffles",
            reference=round(leak.by_chance, 4),
        )
    if leak.log10_p is not None:
        yield Quantity(
            name="decimal logarithm of the probability of so few exceptions by chance",
            value=round(leak.log10_p, 1),
            compared_with="what one test among all that were made may have, before Bonferroni",
            reference=LOG10_P,
        )
    if leak.alone is not None:
        yield Quantity(
            name=leak.measure,
            value=round(leak.value, 4),
            compared_with="the better of the two columns alone",
            reference=round(leak.alone, 4),
        )
    if worth is not None:
        yield Quantity(
            name=f"{worth.measure} of a small model with the leak",
            value=round(worth.with_it, 4),
            compared_with="the same model without it",
            reference=round(worth.without, 4),
        )
