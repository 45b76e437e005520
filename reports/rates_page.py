"""What the HTML templates ask for about how far figures hold: plots, tables, what is not there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from reports import curve_plots, rate_plots
from reports.curve_plots import Field, Level, Point, Series
from reports.rate_plots import Line
from reports.sensitivity.words import MEASURES, main_measure, not_shown
from reports.words import clip, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reports.scaling import Scaling, Trajectory
    from reports.schema import AuditReport
    from reports.sensitivity.models import Estimate, Measure, Sensitivity

MAX_AGENTS: Final = 12  # told in full
MAX_OPEN: Final = 3  # agents whose tables are unfolded
MAX_CURVES: Final = 24  # tasks whose scores are drawn over time
_NAME: Final = 60
_KINDS: Final = {
    "variation": "Counted otherwise",
    "split": "By split of MLE-bench",
    "category": "By category of task",
}
# The figures people ask for first stand first; the others are folded.
_OVER_TIME: Final[tuple[Measure, ...]] = (
    *("any_medal", "percentile", "above_median"),
    *("normalised", "valid_submission"),
)
_FRAMES: Final = (rate_plots.LARGE, rate_plots.SMALL)


@dataclass(frozen=True)
class AgentRates:
    """One agent's table and its plot."""

    told: Sensitivity
    measure: str
    svg: str
    not_shown: list[str]


@dataclass(frozen=True)
class Curve:
    """A field of curves with a title, and how many curves had no room."""

    title: str
    svg: str
    n_more: int = 0


class RatesPage:
    """What the page says of how far figures hold; built once for one page."""

    def __init__(self, report: AuditReport) -> None:
        self.report = report

    @cached_property
    def agents(self) -> list[AgentRates]:
        """The first agents of the document."""
        return [self._agent(i, one) for i, one in enumerate(self.report.sensitivity[:MAX_AGENTS])]

    @property
    def n_more(self) -> int:
        """Agents that are only counted."""
        return len(self.report.sensitivity) - len(self.agents)

    @property
    def unfold(self) -> bool:
        """Whether tables are unfolded from the start."""
        return len(self.agents) <= MAX_OPEN

    @property
    def n_resamples(self) -> int:
        """How often tasks and attempts were drawn."""
        return next((s.n_resamples for s in self.report.sensitivity), 0)

    def _agent(self, i: int, one: Sensitivity) -> AgentRates:
        measure = main_measure(one.rows[0].figures)
        lines: list[Line] = []
        for kind, heading in _KINDS.items():
            found = [
                Line(f"{clip(row.name, _NAME)} ({estimate.n_tasks})", estimate, not row.changes)
                for row in one.rows
                if row.kind == kind and (estimate := getattr(row.figures, measure))
            ]
            if found:
                lines += [*([Line(heading)] if lines else []), *found]
        title = f"{MEASURES[measure].capitalize()} of {clip(one.agent, _NAME)}, in per cent"
        svg = _both(
            lambda frame: rate_plots.intervals(
                lines, name=f"held_{i}_{frame.css}", title=title, frame=frame
            )
        )
        return AgentRates(one, MEASURES[measure], svg, not_shown(one.omitted))

    @cached_property
    def at_k(self) -> list[Curve]:
        """Plots of what the best of k attempts reaches, an agent a curve."""
        made = []
        for flag, title in (
            ("any_medal", "pass@k: a medal in the best of k attempts"),
            ("above_median", "Above the median in the best of k attempts"),
            ("percentile", "Share of the board that the best of k attempts beats"),
        ):
            series = [
                Series(s.agent, [_point(p.k, p.estimate) for p in s.at_k if p.flag == flag])
                for s in self.report.sensitivity
            ]
            field = Field("attempts k", x_from=1, only_whole=True)
            if any(len(s.points) > 1 for s in series):
                made.append(_curve(series, field, f"at_k_{flag}", title))
        return made

    @cached_property
    def over_time(self) -> list[Curve]:
        """Plots of figures against elapsed time, an agent a curve."""
        watched = [s for s in self.report.scaling if s.over_time]
        if not watched:
            return []
        unit, seconds = curve_plots.unit_of(max(s.over_time[-1].after_s for s in watched))
        made = []
        for measure in _OVER_TIME:
            series = [Series(s.agent, _timed(s, measure, seconds)) for s in watched]
            if any(s.points for s in series):
                field = Field(f"{unit} since the start", is_step=True)
                title = f"{MEASURES[measure].capitalize()} over time"
                made.append(_curve(series, field, f"time_{measure}", title))
        return made

    @cached_property
    def by_limit(self) -> list[Curve]:
        """Plots of figures against the limit of time, where groups differ."""
        limited = [s for s in self.report.scaling if s.by_limit]
        if not limited:
            return []
        unit, seconds = curve_plots.unit_of(max(s.by_limit[-1].limit_s for s in limited))
        made = []
        for measure in ("any_medal", "above_median", "percentile"):
            series = [
                Series(
                    s.agent,
                    [
                        _point(b.limit_s / seconds, estimate)
                        for b in s.by_limit
                        if (estimate := getattr(b.figures, measure))
                    ],
                )
                for s in limited
            ]
            if any(s.points for s in series):
                title = f"{MEASURES[measure].capitalize()} by limit of time"
                made.append(_curve(series, Field(f"limit in {unit}"), f"limit_{measure}", title))
        return made

    @property
    def score_curves(self) -> list[Curve]:
        """The scores of single attempts over time, a task a plot, up to a cap."""
        return self._score_curves[:MAX_CURVES]

    @property
    def n_more_tasks(self) -> int:
        """Tasks whose scores over time are not drawn."""
        return len(self._score_curves) - len(self.score_curves)

    @cached_property
    def _score_curves(self) -> list[Curve]:
        found: dict[tuple[str, str], list[tuple[str, Trajectory]]] = {}
        for scaled in self.report.scaling:
            for path in scaled.trajectories:
                found.setdefault((path.task, path.variant), []).append((scaled.agent, path))
        return [
            curve
            for i, ((task, variant), paths) in enumerate(sorted(found.items()))
            if (curve := self._scores(f"scores_{i}", task, variant, paths))
        ]

    def _scores(
        self, name: str, task: str, variant: str, paths: Sequence[tuple[str, Trajectory]]
    ) -> Curve | None:
        unit, seconds = curve_plots.unit_of(max(p.reached[-1].after_s for _, p in paths))
        series = [
            Series(
                f"{clip(agent, _NAME)}, seed {path.seed}",
                [Point(r.after_s / seconds, r.score) for r in path.reached if r.score is not None],
            )
            for agent, path in paths
        ]
        if not any(s.points for s in series):
            return None
        named = f"{clip(task, _NAME)}{'' if variant == 'v1' else f' ({variant})'}"
        field = Field(f"{unit} since the start", is_share=False, is_step=True)
        return _curve(series, field, name, f"Score on {named}", self._levels(task, variant))

    def _levels(self, task: str, variant: str) -> list[Level]:
        rows = self.report.grading.competition_reports if self.report.grading else ()
        row = next(
            (
                r
                for r in rows
                if r.competition_id == task and r.mle_audit and r.mle_audit.variant == variant
            ),
            None,
        )
        found = [
            (name, getattr(row, f"{name}_threshold", None)) for name in ("gold", "bronze", "median")
        ]
        return [Level(name, value) for name, value in found if value is not None]

    @cached_property
    def no_curves(self) -> list[str]:
        """Say why figures over time are not there, or not of all attempts."""
        alike: dict[str, list[str]] = {}
        for scaled in self.report.scaling:
            for sentence in not_shown(scaled.omitted):
                alike.setdefault(sentence, []).append(clip(scaled.agent, _NAME))
        everybody = len(self.report.scaling)
        return [
            sentence if len(whose) == everybody else f"{sentence} ({listed(whose[:MAX_AGENTS])})"
            for sentence, whose in alike.items()
        ]


def _timed(scaled: Scaling, measure: Measure, seconds: float) -> list[Point]:
    return [
        _point(p.after_s / seconds, estimate)
        for p in scaled.over_time
        if (estimate := getattr(p.figures, measure))
    ]


def _point(x: float, one: Estimate) -> Point:
    return Point(x, one.mean, one.low, one.high)


def _curve(
    series: Sequence[Series], field: Field, name: str, title: str, levels: Sequence[Level] = ()
) -> Curve:
    drawn = [s for s in series if s.points]
    return Curve(
        title,
        _both(
            lambda frame: curve_plots.curves(
                drawn, field, name=f"{name}_{frame.css}", title=title, levels=levels, frame=frame
            )
        ),
        max(len(drawn) - curve_plots.MAX_SERIES, 0),
    )


def _both(draw: Callable[[rate_plots.Frame], str]) -> str:
    """Draw a plot twice; the width of the screen chooses one."""
    return "".join(map(draw, _FRAMES))
