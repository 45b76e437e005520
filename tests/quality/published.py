"""Score the detectors of published figures over rows and reports made for it, each with its truth.

Rows: medals are drawn per task and seed with chances that differ from task to task; the honest ones
are printed with the standard error as MLE-bench does, rounded or cut off, with two decimals or
fewer, with all splits or one, with and without the number of seeds. Reports: scores are drawn close
to the thresholds of the pinned boards, a tenth of the runs invalid or missing.
"""

from __future__ import annotations

import math
import random
import statistics
from collections import Counter
from typing import TYPE_CHECKING, Any

from audit.check import check
from detectors.base import detector
from detectors.claims.counts import Spread, spread_of, totals
from detectors.group import Group
from reports.claims import parse_claim, split_tasks
from reports.grading import CompetitionReport, GradingReport
from reports.report_files import ReportFile
from reports.schema import Outcome
from tests.detectors.claims.twins import report, row
from tests.quality.score import Score

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from reports.claims import Claim, Printed

ROW_DETECTORS = ("impossible-arithmetic", "spread-is-not-sem")
REPORT_DETECTORS = ("header-rows-mismatch", "board-mismatch")
N_ROWS = 50  # of each kind
N_REPORTS, N_HONEST_REPORTS = 8, 100
SIZES = {"low": 22, "medium": 38, "high": 15, "all": 75}
Case = tuple[str, bool, Group]  # its kind, whether it is to be found, what is looked at


def drawn(rng: random.Random, k: int) -> dict[str, list[int]]:
    """Draw the medals of each split per seed; a quarter of the tasks are as good as decided."""
    found: dict[str, list[int]] = {}
    for split in ("low", "medium", "high"):
        skill = rng.random()
        chances = [rng.choice((0.02, 0.98, skill, rng.random())) for _ in range(SIZES[split])]
        found[split] = [sum(rng.random() < p for p in chances) for _ in range(k)]
    return {**found, "all": [sum(c) for c in zip(*found.values(), strict=True)]}


def shown(value: float, decimals: int, *, is_cut: bool) -> str:
    """Print a number, rounded or cut off."""
    if not is_cut:
        return f"{value:.{decimals}f}"
    return f"{math.floor(value * 10**decimals + 1e-9) / 10**decimals:.{decimals}f}"


def text_of(
    medals: dict[str, list[int]],
    kind: Spread = Spread.SEM,
    decimals: int = 2,
    *,
    is_cut: bool = False,
    seeds: bool = True,
) -> str:
    """Print a row."""
    pieces = []
    for split, c in medals.items():
        mean = shown(100 * statistics.fmean(c) / SIZES[split], decimals, is_cut=is_cut)
        spread = shown(spread_of(c, SIZES[split], kind) or 0.0, decimals, is_cut=is_cut)
        pieces.append(f"{split} {mean} ± {spread}")
    k = len(next(iter(medals.values())))
    return ", ".join(pieces) + (f", seeds {k}" if seeds else "")


def honest_rows(rng: random.Random) -> Iterator[tuple[str, str]]:
    """Yield kinds and texts of honest rows."""
    for _ in range(N_ROWS):
        k = rng.choice((2, 3, 3, 3, 4, 5, 5, 8, 10))
        medals = drawn(rng, k)
        yield "rounded", text_of(medals)
        yield "cut-off", text_of(medals, is_cut=True)
        yield "one-decimal", text_of(medals, decimals=1)
        yield "no-decimals", text_of(medals, decimals=0)
        yield "seeds-not-told", text_of(medals, seeds=False)
        yield "all-alone", text_of({"all": medals["all"]})
        yield "low-alone", text_of({"low": medals["low"]})
        yield "equal-seeds", text_of({s: [c[0]] * k for s, c in medals.items()})


def other_spreads(rng: random.Random) -> Iterator[tuple[str, str]]:
    """Yield kinds and texts of rows whose ± is no standard error and that do not say so."""
    for _ in range(N_ROWS):
        for kind in (Spread.SD, Spread.SD_POPULATION, Spread.POOLED, Spread.INTERVAL):
            medals = drawn(rng, rng.choice((3, 3, 3, 5)))
            while len(set(medals["all"])) == 1:
                medals = drawn(rng, 3)
            yield f"{kind.name.lower()}", text_of(medals, kind)
            yield f"{kind.name.lower()}-of-all-alone", text_of({"all": medals["all"]}, kind)
            yield f"{kind.name.lower()}-one-decimal", text_of(medals, kind, 1)


def impossible_rows(rng: random.Random) -> Iterator[tuple[str, str]]:
    """Yield kinds and texts of rows of which a number was made up."""
    for _ in range(N_ROWS):
        medals = drawn(rng, 3)
        split = rng.choice(list(SIZES))
        yield "mean-made-up", _changed(medals, split, lambda: rng.uniform(5, 95), "mean")
        yield "spread-made-up", _changed(medals, split, lambda: rng.uniform(0.3, 6), "spread")
        off = {**medals, "all": [c + 1 for c in medals["all"]]}
        yield "all-is-not-the-sum", text_of(off)
        made_up = ", ".join(
            f"{s} {rng.uniform(5, 95):.2f} ± {rng.uniform(0.3, 6):.2f}" for s in SIZES
        )
        yield "all-made-up", f"{made_up}, seeds 3"


def _changed(medals: dict[str, list[int]], split: str, draw: Callable[[], float], what: str) -> str:
    """Print a row with a number that by chance is none of the possible ones."""
    pieces = text_of(medals).split(", ")
    at = list(SIZES).index(split)
    name, mean, sign, spread = pieces[at].split(" ")
    while True:
        number = f"{draw():.2f}"
        if what == "spread" or not totals(_printed(number), SIZES[split], 3):
            break
    changed = (name, number, sign, spread) if what == "mean" else (name, mean, sign, number)
    return ", ".join([*pieces[:at], " ".join(changed), *pieces[at + 1 :]])


def _printed(text: str) -> Printed:
    return parse_claim(f"low {text}").figures[0].mean


def row_cases(detector_id: str) -> Iterator[Case]:
    """Yield the labelled rows of a detector."""
    rng = random.Random(20261130)  # noqa: S311 - draws cases, keeps no secret
    honest, others = list(honest_rows(rng)), list(other_spreads(rng))
    wrong = list(impossible_rows(rng)) if detector_id == ROW_DETECTORS[0] else others
    # To arithmetic, another kind of spread is an honest row: it can be.
    right = honest + (others if detector_id == ROW_DETECTORS[0] else [])
    for is_wrong, rows in ((True, wrong), (False, right)):
        for kind, text in rows:
            yield kind, is_wrong, _group(parse_claim(text))


def _group(claim: Claim) -> Group:
    return Group(claim.label, claims=(claim,))


def honest_report(rng: random.Random) -> list[dict[str, Any]]:
    """Draw the rows of a report: scores close to the thresholds, some exactly at them."""
    rows = []
    for task in sorted(split_tasks("all")):
        empty = row(task, "missing")
        limits = [v for n, v in empty.items() if n.endswith("_threshold")]
        near = rng.choice(limits)
        score = rng.choice(
            (
                near,
                near + rng.gauss(0, abs(near) * 1e-4 + 1e-6),
                rng.uniform(min(limits), max(limits)),
            )
        )
        decimals = rng.choice((5, 5, 5, 12))
        cell = rng.choice(("missing", "invalid")) if rng.random() < 0.1 else f"{score:.{decimals}f}"
        rows.append(row(task, cell))
    return rows


def report_cases(detector_id: str) -> Iterator[Case]:
    """Yield the labelled reports of a detector."""
    rng = random.Random(20261130)  # noqa: S311 - draws cases, keeps no secret
    for _ in range(N_HONEST_REPORTS):
        yield "drawn", False, _reported(report(honest_report(rng)))
    for _ in range(N_REPORTS):
        rows = honest_report(rng)
        whole = report(rows)
        if detector_id == "header-rows-mismatch":
            for name in (n for n in whole if n.startswith("total_")):
                changed = {**whole, name: whole[name] + rng.choice((-1, 1))}
                yield name.replace("_", "-"), True, _reported(changed)
            for flag in ("gold_medal", "any_medal", "above_median"):
                yield f"{flag}-turned".replace("_", "-"), True, _turned(rng, rows, flag)
            continue
        for name in ("gold_threshold", "bronze_threshold", "median_threshold", "is_lower_better"):
            yield name.replace("_", "-"), True, _other_board(rng, rows, name)


def _reported(content: dict[str, Any]) -> Group:
    read = tuple(CompetitionReport.model_validate(r) for r in content["competition_reports"])
    whole = GradingReport.model_validate({**content, "competition_reports": read})
    return Group("agent", reports=(ReportFile("drawn.json", "0" * 64, whole),))


def _turned(rng: random.Random, rows: list[dict[str, Any]], flag: str) -> Group:
    at = rng.randrange(len(rows))
    return _reported(report([*rows[:at], {**rows[at], flag: not rows[at][flag]}, *rows[at + 1 :]]))


def _other_board(rng: random.Random, rows: list[dict[str, Any]], name: str) -> Group:
    at = rng.randrange(len(rows))
    old = rows[at][name]
    new = (
        (not old) if isinstance(old, bool) else old + rng.choice((-1, 1)) * max(0.01, abs(old) / 50)
    )
    changed = {**rows[at], name: new}
    return _reported(report([*rows[:at], changed, *rows[at + 1 :]]))


def score_published(detector_id: str) -> Score:
    """Score one detector over its rows or reports."""
    cases = (row_cases if detector_id in ROW_DETECTORS else report_cases)(detector_id)
    one = detector(detector_id)()
    tally: Counter[tuple[bool, bool]] = Counter()
    missed: Counter[str] = Counter()
    accused: Counter[str] = Counter()
    n_failed = 0
    for kind, is_wrong, group in cases:
        outcome = check(one, group).outcome
        flagged = outcome is Outcome.FLAGGED
        n_failed += outcome is Outcome.FAILED
        tally[is_wrong, flagged] += 1
        missed[kind] += is_wrong and not flagged
        accused[kind] += flagged and not is_wrong
    return Score(
        half="drawn rows" if detector_id in ROW_DETECTORS else "drawn reports",
        measured="now",
        n_positive=tally[True, True] + tally[True, False],
        found=tally[True, True],
        n_negative=tally[False, True] + tally[False, False],
        accused=tally[False, True],
        missed_kinds=_told(missed),
        accused_kinds=_told(accused),
        n_failed=n_failed,
    )


def _told(found: Counter[str]) -> tuple[str, ...]:
    return tuple(f"{kind}:{n}" for kind, n in sorted(found.items()) if n)
