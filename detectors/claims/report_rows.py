"""What a row of a grading report has to say, given its score and thresholds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from reports.schema import FileDigest, Quantity

if TYPE_CHECKING:
    from reports.grading import CompetitionReport
    from reports.report_files import ReportFile

FLAGS = ("gold_medal", "silver_medal", "bronze_medal", "any_medal", "above_median")
DECIMALS = 5  # graders round to these before they compare


class Limits(NamedTuple):
    """Where medals start and where the middle of a board is; None where it awards none."""

    gold: float | None
    silver: float | None
    bronze: float | None
    median: float | None
    is_lower_better: bool


def limits_of(row: CompetitionReport) -> Limits:
    """Return the limits that a row itself names."""
    return Limits(
        row.gold_threshold,
        row.silver_threshold,
        row.bronze_threshold,
        row.median_threshold,
        row.is_lower_better,
    )


def flags_of(score: float | None, limits: Limits) -> dict[str, bool]:
    """Compute the flags of a score: medals inclusive and exclusive of one another, median strict.

    Examples
    --------
    >>> found = flags_of(0.9, Limits(0.95, 0.9, 0.8, 0.7, False))
    >>> [name for name, is_set in found.items() if is_set]
    ['silver_medal', 'any_medal', 'above_median']
    """
    none = dict.fromkeys(FLAGS, False)
    if score is None:
        return none
    sign = -1 if limits.is_lower_better else 1
    medals = (("gold_medal", limits.gold), ("silver_medal", limits.silver))
    for name, limit in (*medals, ("bronze_medal", limits.bronze)):
        if limit is not None and sign * score >= sign * limit:
            none |= {name: True, "any_medal": True}
            break
    middle = limits.median
    none["above_median"] = middle is not None and sign * score > sign * middle
    return none


def wrong_flags(row: CompetitionReport, limits: Limits) -> tuple[str, ...]:
    """Name the flags of a row that neither its score nor that score rounded gives."""
    exact = flags_of(row.score, limits)
    rounded = flags_of(None if row.score is None else round(row.score, DECIMALS), limits)
    found = {name: bool(getattr(row, name)) for name in FLAGS}
    return tuple(n for n in FLAGS if found[n] not in {exact[n], rounded[n]})


def limit_of(flag: str, row: CompetitionReport, limits: Limits) -> Quantity:
    """Show a row's score beside the limit that a flag asks about."""
    medal = next((m for m in ("gold", "silver", "bronze") if getattr(row, f"{m}_medal")), "bronze")
    name = "median" if flag == "above_median" else flag.removesuffix("_medal")
    name = medal if name == "any" else name
    score = math.nan if row.score is None else row.score
    limit = getattr(limits, name)
    better = "lower" if limits.is_lower_better else "higher"
    if math.isnan(score):
        return Quantity(name=f"{row.competition_id}, {flag} without a score", value=1.0)
    return Quantity(
        name=f"{row.competition_id}, score, {flag} is {str(getattr(row, flag)).lower()}",
        value=score,
        compared_with=f"{name} threshold, {better} is better",
        reference=limit,
    )


def file_evidence(file: ReportFile) -> FileDigest:
    """Name a grading report by its digest."""
    return FileDigest(path=file.name, sha256=file.sha256, shows="grading report")


NO_REPORTS = "it has no grading report: give one with --reports"
NO_CLAIMS = "it has no published row: give one with --claim"
NO_ROWS = "it has no graded rows: give a grading report with --reports"
