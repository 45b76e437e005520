"""Say whether an attempt used more than it was allowed, by its record or by its prompt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from competitions.disk import size_text
from detectors.attempt import Attempt
from detectors.base import About, register
from detectors.model_calls import model_calls, summed
from detectors.rules.clocks import shown_after, worked
from detectors.rules.durations import steps_over
from detectors.rules.resources_seen import memory_in
from detectors.rules.shown import log_lines
from detectors.rules.spending import cost_of, tokens_of
from detectors.rules.told_limits import limits_told
from detectors.rules.usage import (
    Used,
    durations_of,
    is_made_longer,
    seconds_between,
    span_of,
    spread_of,
)
from reports.schema import Confidence, Quantity, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.base import Subject
    from detectors.record import AttemptRecord
    from reports.schema import Evidence, Finding

_IN_PROMPT = "that the attempt was told"


class _Over(NamedTuple):
    """One limit and what was used."""

    what: str
    used: float
    limit: float
    unit: str
    where: str
    seen: Used | None = None
    by: str = "on record"


@register
@dataclass(frozen=True)
class BudgetExceeded:
    """More time, memory, tokens or money than the record, or else the prompt, allows.

    Limits are those of the record; where they allow less, those that a prompt, a scaffold's
    settings, or a file of limits that the agent reads tells, deadlines among them. Time and memory
    are those that the runner recorded; of each log, the time between its first and last stamp
    counts too, which needs no time zone, and times and memory that tools such as `time` or the
    scaffold measured, or that the attempt's code asks of its own process. What commands print of
    their time counts where no end is on record. Tokens and money are what the scaffold's own
    account in the logs tells (`instance_cost`, `tokens_sent`, usage of nodes and calls, total cost
    so far). Estimates, times of single nodes, and sums of money or tokens that the attempt's
    program prints are none.

    Parameters
    ----------
    grace_s : float >= 0, default=60.0
        Seconds beyond the limit that a runner takes to end an attempt.
    grace_share : float >= 0, default=0.02
        The same as a share of the limit; the larger of both counts. Also of memory and tokens.
    killed_share : float >= 0, default=0.1
        Share of the memory limit beyond it that a watchdog may see before it ends an attempt.
    """

    about: ClassVar[About] = About(
        id="budget-exceeded",
        subject=SubjectKind.ATTEMPT,
        asks="Did the attempt use more time, memory, tokens or money than record or prompt allow?",
        blind_spots=(
            "What nobody recorded or logged is not seen: money, and tokens of a model that was not "
            "asked through the runner, are the scaffold's own account, by the names of its files "
            "and in the words of its lines. Logs without times tell no time. A limit that is "
            "nowhere told cannot be exceeded. Where an attempt was made anew, logs of both tries "
            "may be one, so that their times are compared only where a log tells that the clock "
            "was set anew when the time was over. What several processes hold is added up only "
            "where each was started with arguments of its own."
        ),
        reference="https://arxiv.org/abs/2410.07095 (MLE-bench, section 3: runs of 24 hours)",
        needs=frozenset({"logs"}),
    )
    grace_s: float = 60.0
    grace_share: float = 0.02
    killed_share: float = 0.1

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        if not isinstance(subject, Attempt):
            return "it looks at attempts only"
        if subject.readable_record or not limits_told(subject).is_empty:
            return None
        return "the attempt has no record that can be read, and its prompt tells of no limit"

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`."""
        if not isinstance(subject, Attempt):
            raise TypeError(subject)
        record = subject.readable_record
        found = [*self._recorded(record), *self._logged(subject, record)] if record else []
        for over in (*found, *self._by_prompt(subject, record, {one.unit for one in found})):
            yield self._finding(subject, over)
        if record is None:
            return
        if "finished" in record.earlier_tries:
            yield self.about.finding(
                subject,
                "The attempt was made anew though an earlier try had finished.",
                Quantity(name="earlier tries", value=len(record.earlier_tries)),
                severity=Severity.LOW,
                confidence=Confidence.HIGH,
            )

    def _recorded(self, record: AttemptRecord) -> Iterator[_Over]:
        budget = record.budget
        spent = seconds_between(record.started_at, record.ended_at)
        if spent > budget.wall_clock_s + self._grace(budget.wall_clock_s):
            yield _Over("wall clock", spent, budget.wall_clock_s, "s", "the record")
        peak, limit = record.peak_memory_bytes, budget.memory_bytes
        share = self.killed_share if record.exit_status == "memory_limit" else self.grace_share
        if peak and limit and peak > limit * (1 + share):
            yield _Over("peak memory", peak, limit, "bytes", "the record")

    def _logged(self, subject: Attempt, record: AttemptRecord) -> Iterator[_Over]:
        budget = record.budget
        is_anew = record.resumed or bool(record.earlier_tries)
        if not is_anew or any(map(is_made_longer, subject.logs)):
            yield from self._timed(subject, record)
        if budget.memory_bytes is not None:
            held = _held(subject)
            most = budget.memory_bytes * (1 + self.killed_share)
            if held and held.value > most and not _peak_told(record):
                yield _Over(
                    "held memory", held.value, budget.memory_bytes, "bytes", "the log", held
                )
        if budget.cost_usd is not None:
            cost = cost_of(subject.logs, _code(subject))
            if cost and cost.value > budget.cost_usd * (1 + self.grace_share):
                yield _Over("cost", cost.value, budget.cost_usd, "USD", "the log", cost)
        if budget.tokens is not None:
            most = budget.tokens * (1 + self.grace_share)
            counted = _counted_tokens(subject, record)
            used = tokens_of(subject.logs, _code(subject)) if counted <= most else None
            if counted > most:
                where = "the runner's account of what the model answered"
                yield _Over("tokens", counted, budget.tokens, "tokens", where)
            elif used and used.value > most:
                yield _Over("tokens", used.value, budget.tokens, "tokens", "the log", used)

    def _timed(self, subject: Attempt, record: AttemptRecord) -> Iterator[_Over]:
        """Tell of the longest time between stamps, else of the longest that was measured."""
        limit = record.budget.wall_clock_s
        most = limit + self._grace(limit)
        times = record.started_at, record.ended_at
        logs = subject.logs
        spans = [s for log in logs for s in [span_of(log, *times)] if s]
        if record.resumed or record.earlier_tries:
            spans += [s for log in logs if is_made_longer(log) for s in [spread_of(log)] if s]
        shown = shown_after(subject, record.started_at)
        span = max(spans, key=_value, default=None)
        if shown and shown.value > most and not (span and span.value > most):
            what = "time from the start to what a command shows"
            yield _Over(what, shown.value, limit, "s", "the log", shown)
            return
        if span and span.value > most:
            yield _Over(
                "time between a log's first and last line", span.value, limit, "s", "the log", span
            )
            return
        printed = [] if record.ended_at else [worked(subject)]
        found = [one for one in (durations_of(subject.logs), *printed) if one]
        told = max(found, key=_value, default=None)
        if told and told.value > most:
            yield _Over("measured time", told.value, limit, "s", "the log", told)

    def _by_prompt(
        self, subject: Attempt, record: AttemptRecord | None, told: set[str]
    ) -> Iterator[_Over]:
        """Hold against what the prompt allows, where the record allows more or tells nothing.

        Parameters
        ----------
        told : set of str
            Units in which more than the record allows was found.
        """
        limits, budget = limits_told(subject), record.budget if record else None
        wall = limits.wall_clock_s
        if wall and "s" not in told and not (budget and budget.wall_clock_s < wall):
            yield from self._wall_by_prompt(subject, record, wall)
        yield from self._steps(subject, limits.step_s)
        for what, unit, limit, of_record in (
            ("held memory", "bytes", limits.memory_bytes, budget and budget.memory_bytes),
            ("tokens", "tokens", limits.tokens, budget and budget.tokens),
            ("cost", "USD", limits.cost_usd, budget and budget.cost_usd),
        ):
            used = _account(subject, unit) if limit and of_record is None else None
            if used and limit and used.value > limit * (1 + self.killed_share):
                yield _Over(what, used.value, limit, unit, "the log", used, _IN_PROMPT)

    def _wall_by_prompt(
        self, subject: Attempt, record: AttemptRecord | None, wall: float
    ) -> Iterator[_Over]:
        most = wall + self._grace(wall)
        spent = seconds_between(record.started_at, record.ended_at) if record else 0.0
        if spent > most:
            yield _Over("wall clock", spent, wall, "s", "the record", None, _IN_PROMPT)
            return
        found = [durations_of(subject.logs)]
        if not (record and (record.resumed or record.earlier_tries)):
            found += [spread_of(log) for log in subject.logs]
            found += [shown_after(subject, record.started_at)] if record else []
        # What commands print tells less than a runner's clock.
        found += [] if record and record.ended_at else [worked(subject)]
        used = max((one for one in found if one), key=_value, default=None)
        if used and used.value > most:
            yield _Over("time", used.value, wall, "s", "the log", used, _IN_PROMPT)

    def _steps(self, subject: Attempt, limit_s: float | None) -> Iterator[_Over]:
        """Tell of the step that took longest beyond what one may take."""
        found = [
            (used, limit)
            for log in subject.logs
            for used, limit in steps_over(log, limit_s)
            if used.value > limit + self._grace(limit)
        ]
        if found:
            used, limit = max(found, key=lambda one: one[0].value - one[1])
            yield _Over("time of a step", used.value, limit, "s", "the log", used, "of a step")

    def _grace(self, limit_s: float) -> float:
        return max(self.grace_s, self.grace_share * limit_s)

    def _finding(self, subject: Attempt, over: _Over) -> Finding:
        evidence: list[Evidence] = [
            Quantity(
                name=over.what,
                value=over.used,
                unit=over.unit,
                compared_with=f"the limit {over.by}",
                reference=over.limit,
            )
        ]
        if over.seen:
            evidence.append(log_lines(over.seen.event, f"tells the {over.what}"))
        return self.about.finding(
            subject,
            f"{over.what[0].upper()}{over.what[1:]}: {_said(over.used, over.unit)} by "
            f"{over.where}, and the limit {'' if over.by == 'on record' else f'{over.by} '}is "
            f"{_said(over.limit, over.unit)}.",
            *evidence,
            severity=Severity.MEDIUM,
            confidence=Confidence.HIGH if over.seen is None else Confidence.MEDIUM,
        )


def _value(used: Used) -> float:
    return used.value


def _account(subject: Attempt, unit: str) -> Used | None:
    """Return what logs tell was used, in a unit."""
    if unit == "bytes":
        return _held(subject)
    used = tokens_of if unit == "tokens" else cost_of
    return used(subject.logs, _code(subject))


def _code(subject: Attempt) -> str:
    return "\n".join(one.text for one in subject.code)


def _held(subject: Attempt) -> Used | None:
    """Return the most memory of which a log tells that a process held it."""
    found = (Used(float(one.value), one.event) for one in memory_in(subject))
    return max(found, key=_value, default=None)


def _peak_told(record: AttemptRecord) -> bool:
    """Say whether the runner's own peak is above the limit already."""
    peak, limit = record.peak_memory_bytes, record.budget.memory_bytes
    return bool(peak and limit and peak > limit)


def _counted_tokens(subject: Attempt, record: AttemptRecord) -> float:
    """Return the tokens of the model calls that the runner saw; 0 where it saw none."""
    use = record.model_use or summed(model_calls(subject.path))
    return (use.tokens_in or 0) + (use.tokens_out or 0)


def _said(value: float, unit: str) -> str:
    if unit == "bytes":
        return size_text(int(value))
    return f"{value:,.0f} {unit}" if unit != "USD" else f"{value:,.2f} USD"
