"""Grade the copies of submissions that were made while attempts ran."""

from __future__ import annotations

from collections import defaultdict
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final, NamedTuple

from audit.collect import agent_of, spec_of
from audit.runner.snapshots import FOLDER
from audit.sensitivity import SEED, beats
from competitions.errors import MleAuditError
from competitions.grade import grade
from reports.grading import report_of
from reports.scaling import Reached, Scaling, Trajectory, by_limit, over_time
from reports.sensitivity.estimates import run_of
from reports.sensitivity.models import Omitted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime
    from pathlib import Path

    import numpy as np

    from detectors.attempt import Attempt
    from detectors.record import AttemptRecord, Snapshot
    from reports.grading import CompetitionReport
    from reports.sensitivity.estimates import Run

MAX_GRADED: Final = 48  # different copies of one attempt, spread evenly over its time
_NAMED: Final = 3  # faults told


class _Watched(NamedTuple):
    """An attempt whose submission was copied while it ran."""

    attempt: Attempt
    record: AttemptRecord
    row: CompetitionReport  # of its submission


def scalings(
    attempts: Iterable[Attempt],
    rows: Iterable[CompetitionReport],
    data_dir: Path,
    now: datetime,
    progress: Callable[[str], None] | None = None,
    *,
    seed: int = SEED,
) -> tuple[Scaling, ...]:
    """Say of each agent how its figures grow with time, agents in alphabetical order.

    Parameters
    ----------
    rows : iterable of CompetitionReport
        The attempts as they were graded; one that is not here has not ended.
    progress : callable or None
        Called with a few words after each graded copy.
    seed : int
        Of the resamples; each agent's are drawn for itself.
    """
    import numpy as np

    graded = {r.mle_audit.attempt: r for r in rows if r.mle_audit}
    by_agent: dict[str, list[Attempt]] = defaultdict(list)
    for attempt in attempts:
        if attempt.id in graded:
            by_agent[agent_of(attempt)].append(attempt)
    return tuple(
        _Scaled(data_dir, now, progress, np.random.default_rng([seed, *agent.encode()])).of(
            agent, by_agent[agent], graded
        )
        for agent in sorted(by_agent)
    )


class _Scaled:
    """One agent's curves while they are made."""

    def __init__(
        self,
        data_dir: Path,
        now: datetime,
        progress: Callable[[str], None] | None,
        rng: np.random.Generator,
    ) -> None:
        self.data_dir, self.now, self.rng = data_dir, now, rng
        self.tell = progress or (lambda _words: None)
        self.faults: list[str] = []

    def of(
        self,
        agent: str,
        attempts: Sequence[Attempt],
        graded: dict[str | None, CompetitionReport],
    ) -> Scaling:
        """Make both curves, or say why there is none."""
        watched = watched_of(attempts, graded)
        made = [self.trajectory(one) for one in watched]
        omitted = [Omitted(name="copies that were not graded", why=why) for why in self._told()]
        if not watched:
            omitted.insert(0, Omitted(name="curve over time", why=_NO_COPIES))
        elif rest := len(attempts) - len(watched):
            why = f"{rest} of {len(attempts)} attempts ran without copies and are not in it"
            omitted.insert(0, Omitted(name="part of the curve over time", why=why))
        limits = by_limit(_limited(attempts, graded), self.rng)
        if isinstance(limits, str):
            omitted.append(Omitted(name="figures by limit of time", why=limits))
        return Scaling(
            agent=agent,
            trajectories=tuple(made),
            over_time=over_time(made, self.rng) if made else (),
            by_limit=() if isinstance(limits, str) else limits,
            omitted=tuple(omitted),
        )

    def _told(self) -> list[str]:
        rest = len(self.faults) - _NAMED
        return [*self.faults[:_NAMED], *([f"and {rest} more"] if rest > 0 else [])]

    def trajectory(self, one: _Watched) -> Trajectory:
        """Grade an attempt's copies; one that cannot be graded is named and left out."""
        copies = different(one.record.snapshots)
        chosen = spread(copies, MAX_GRADED)
        found = [r for copy in chosen if (r := self.reached(one.attempt, copy))]
        last = run_of(one.row, "", beats(one.row))
        return Trajectory(
            attempt=one.attempt.id,
            task=one.row.competition_id,
            seed=str(one.record.seed),
            reached=(*found, _reached(one.row, max(_lasted(one.record), *_ends(found), 0.0))),
            is_on_baselines=last.is_on_baselines,
            comparable=last.comparable,
            variant=last.variant,
            n_graded=len(found),
            n_copies=len(copies),
        )

    def reached(self, attempt: Attempt, copy: Snapshot) -> Reached | None:
        """Grade one copy, if it is the file that the record names."""
        path = place_of(attempt, copy)
        if path is None:
            self.faults.append(f"{attempt.id}: {copy.path[:80]} is not there, or is no copy")
            return None
        try:
            result = grade(spec_of(attempt, self.data_dir), path, self.data_dir)
        except MleAuditError as error:
            self.faults.append(f"{attempt.id}: {error}")
            return None
        self.tell(f"{attempt.id} after {copy.after_s:.0f} s")
        if result.submission_sha256 != copy.sha256:
            self.faults.append(f"{attempt.id}: {copy.path} was changed after it was made")
            return None
        return _reached(report_of(result, self.now), copy.after_s)


_NO_COPIES: Final = (
    "no copy of a submission was made while an attempt ran; "
    "mle-audit run makes them with --snapshot-every 1h"
)


def watched_of(
    attempts: Iterable[Attempt], graded: dict[str | None, CompetitionReport]
) -> list[_Watched]:
    """Choose the attempts whose submission was watched: those of groups where any has copies.

    An attempt there that has none had handed in nothing when a copy was due, which counts.
    """
    found = [(a, r) for a in attempts if (r := a.readable_record)]
    groups = {a.path.parent for a, record in found if record.snapshots}
    return [_Watched(a, r, graded[a.id]) for a, r in found if a.path.parent in groups]


def different(copies: Iterable[Snapshot]) -> list[Snapshot]:
    """Keep the first of copies in a row that are the same file, in the order of time."""
    kept: list[Snapshot] = []
    for copy in sorted(copies, key=lambda c: c.after_s):
        if not kept or kept[-1].sha256 != copy.sha256:
            kept.append(copy)
    return kept


def spread(copies: Sequence[Snapshot], most: int) -> list[Snapshot]:
    """Choose at most so many copies, evenly, the first and the last among them."""
    if len(copies) <= most:
        return list(copies)
    return [copies[round(i * (len(copies) - 1) / (most - 1))] for i in range(most)]


def place_of(attempt: Attempt, copy: Snapshot) -> Path | None:
    """Return where a copy lies; None where the record leads elsewhere, or to no file.

    A record may come from anybody: nothing outside of the attempt's own folder is read.
    """
    named = PurePosixPath(copy.path)
    folder = attempt.path / FOLDER
    if named != PurePosixPath(FOLDER) / named.name or folder.is_symlink():
        return None
    path = folder / named.name
    return path if path.is_file() and not path.is_symlink() else None


def _reached(row: CompetitionReport, after_s: float) -> Reached:
    run = run_of(row, "", beats(row))
    return Reached(
        after_s=after_s,
        score=row.score,
        any_medal=run.any_medal,
        valid_submission=run.valid_submission,
        above_median=run.above_median,
        percentile=run.percentile,
        normalised=run.normalised,
    )


def _lasted(record: AttemptRecord) -> float:
    end = record.ended_at or record.started_at
    return max((end - record.started_at).total_seconds(), 0.0)


def _ends(found: Sequence[Reached]) -> list[float]:
    return [r.after_s for r in found]


def _limited(
    attempts: Iterable[Attempt], graded: dict[str | None, CompetitionReport]
) -> list[tuple[float, Run]]:
    """Pair each attempt that has a record with its limit of time."""
    found = []
    for attempt in attempts:
        record, row = attempt.readable_record, graded[attempt.id]
        if record is not None and record.budget.wall_clock_s > 0:
            run = run_of(row, str(record.seed), beats(row))
            found.append((record.budget.wall_clock_s, run))
    return found
