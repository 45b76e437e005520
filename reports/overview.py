"""An audit document put in the order in which people ask: what is in question, why, what is not.

Every renderer starts from here; nothing in this module knows HTML, Markdown or a terminal.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from reports import answers
from reports.grading import is_comparable
from reports.schema import Conclusion, Outcome, Subject, SubjectKind
from reports.words import clip, counted, listed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reports.grading import CompetitionReport, Headline
    from reports.schema import (
        AuditReport,
        Check,
        DetectorNote,
        Finding,
        Verdict,
    )
    from reports.sensitivity.models import Medal

ALL = "all"  # the value of `Headline.attempts` that leaves nothing out
IN_QUESTION = frozenset({Conclusion.REVIEW, Conclusion.DISQUALIFY})
# How pressing a conclusion is; `undetermined` is no accusation, but no acquittal either.
_URGENCY = (
    Conclusion.DISQUALIFY,
    Conclusion.REVIEW,
    Conclusion.UNDETERMINED,
    Conclusion.NOTE,
    Conclusion.CLEAN,
)


@dataclass(frozen=True)
class Audited:
    """One subject with everything that the document says of it."""

    subject: Subject
    verdict: Verdict | None
    checks: tuple[Check, ...]
    grade: CompetitionReport | None
    shared: tuple[Finding, ...] = ()  # about a group, and this attempt's verdict rests on them

    @property
    def conclusion(self) -> Conclusion | None:
        """What the policy says, or None when it was not judged."""
        return self.verdict.conclusion if self.verdict else None

    @property
    def is_in_question(self) -> bool:
        """Whether the policy asks for a review or says not to count it."""
        return self.conclusion in IN_QUESTION

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Findings, the ones the verdict rests on first, then by severity and confidence."""
        decisive = set(self.verdict.because if self.verdict else ())
        found = {f.id: f for f in (*(f for c in self.checks for f in c.findings), *self.shared)}
        return tuple(
            sorted(
                found.values(),
                key=lambda f: (f.id not in decisive, -f.severity.rank, -f.confidence.rank),
            )
        )

    @property
    def agent(self) -> str:
        """The agent's name, also when the document gives none."""
        return self.subject.agent or "unnamed"

    @property
    def task(self) -> tuple[str, str]:
        """Competition and variant."""
        return self.subject.competition or "unknown task", self.subject.variant or "v1"

    @property
    def urgency(self) -> tuple[int, int]:
        """Sort key: the most pressing first."""
        place = _URGENCY.index(self.conclusion) if self.conclusion else len(_URGENCY)
        worst = max((f.severity.rank for f in self.findings), default=-1)
        return place, -worst


@dataclass(frozen=True)
class HeadlinePair:
    """One agent's figures over all attempts, and without those in question (None: none left)."""

    agent: str
    everything: Headline | None
    without: Headline | None

    @property
    def differs(self) -> bool:
        """Whether anything but the label changes when attempts in question are left out."""
        if self.everything is None or self.without is None:
            return True
        return self.everything.model_copy(update={"attempts": ""}) != self.without.model_copy(
            update={"attempts": ""}
        )


@dataclass(frozen=True)
class Overview:
    """A whole document in the order of a reader's questions."""

    report: AuditReport

    @cached_property
    def audited(self) -> tuple[Audited, ...]:
        """Every subject, in the document's order, and after them what only checks name."""
        verdicts = {v.subject: v for v in self.report.verdicts}
        checks: dict[str, list[Check]] = defaultdict(list)
        for check in self.report.checks:
            checks[check.subject].append(check)
        rows = self.report.grading.competition_reports if self.report.grading else ()
        grades = {r.mle_audit.attempt: r for r in rows if r.mle_audit}
        shared: dict[str, list[Finding]] = defaultdict(list)
        for finding in self.report.findings:
            for attempt in finding.attempts:
                if attempt in verdicts and finding.id in verdicts[attempt].because:
                    shared[attempt].append(finding)
        return tuple(
            Audited(
                s, verdicts.get(s.id), tuple(checks[s.id]), grades.get(s.id), tuple(shared[s.id])
            )
            for s in (*self.report.subjects, *self._undescribed())
        )

    def _undescribed(self) -> list[Subject]:
        """Make up subjects that checks or verdicts speak of and the document does not describe."""
        known = {s.id for s in self.report.subjects}
        kinds = {c.subject: self.detectors.get(c.detector) for c in self.report.checks}
        named = dict.fromkeys([*kinds, *(v.subject for v in self.report.verdicts)])
        return [
            Subject(
                id=name,
                kind=note.subject if (note := kinds.get(name)) else SubjectKind.GROUP,
                title=name,
            )
            for name in named
            if name not in known
        ]

    @cached_property
    def attempts(self) -> tuple[Audited, ...]:
        """The attempts, in the document's order."""
        return tuple(a for a in self.audited if a.subject.kind is SubjectKind.ATTEMPT)

    @cached_property
    def is_loose(self) -> bool:
        """Whether all that was audited is files that no agent is known to have made."""
        return bool(self.attempts) and all(a.subject.agent is None for a in self.attempts)

    @property
    def noun(self) -> str:
        """What an audited thing is called."""
        kinds = {a.subject.kind.value for a in self.alone}
        if kinds:
            return kinds.pop() if len(kinds) == 1 else "subject"
        return "file" if self.is_loose else "attempt"

    @cached_property
    def others(self) -> tuple[Audited, ...]:
        """Tasks, models and groups, the most pressing first."""
        rest = (a for a in self.audited if a.subject.kind is not SubjectKind.ATTEMPT)
        return tuple(sorted(rest, key=lambda a: a.urgency))

    @cached_property
    def published(self) -> tuple[Audited, ...]:
        """Groups, where nothing but what was published of them was audited."""
        found = tuple(a for a in self.others if a.subject.kind is SubjectKind.GROUP)
        return () if self.attempts else found

    @cached_property
    def alone(self) -> tuple[Audited, ...]:
        """Tasks or models, where nothing but these was audited."""
        kinds = {a.subject.kind for a in self.audited}
        is_alone = kinds and kinds <= {SubjectKind.TASK, SubjectKind.MODEL}
        return () if not is_alone or self.report.grading else self.others

    @cached_property
    def in_question(self) -> tuple[Audited, ...]:
        """Attempts in question, the most pressing first."""
        return tuple(sorted((a for a in self.attempts if a.is_in_question), key=_order))

    @cached_property
    def not_in_question(self) -> tuple[Audited, ...]:
        """The other attempts, those that could not be judged first."""
        return tuple(sorted((a for a in self.attempts if not a.is_in_question), key=_order))

    @cached_property
    def detectors(self) -> dict[str, DetectorNote]:
        """What each detector says of itself, by id."""
        return {d.id: d for d in self.report.detectors}

    @cached_property
    def unanswered(self) -> tuple[Check, ...]:
        """Checks that gave no answer, crashes first."""
        order = (Outcome.FAILED, Outcome.NOT_AVAILABLE, Outcome.NOT_APPLICABLE)
        return tuple(c for o in order for c in self.report.checks if c.outcome is o)

    @cached_property
    def n_ungraded(self) -> int:
        """Graded rows that belong to no attempt of this audit."""
        rows = self.report.grading.competition_reports if self.report.grading else ()
        known = {a.subject.id for a in self.attempts}
        return sum(not r.mle_audit or r.mle_audit.attempt not in known for r in rows)

    @cached_property
    def incomparable(self) -> list[str]:
        """Tasks whose medals do not mean what they mean on the board, with the reason."""
        found: dict[str, str] = {}
        for a in self.attempts:
            details = a.grade.mle_audit if a.grade else None
            if details and details.board_kind != "baselines" and not details.comparable_with_board:
                found[a.task[0]] = (
                    "its split was repaired, so scores are not those of the board's teams"
                    if details.variant == "fixed"
                    else "its data are not the competition's own (a miniature), so a medal "
                    "or a place means nothing"
                )
        return [f"{task}: {why}" for task, why in found.items()]

    @cached_property
    def headlines(self) -> tuple[HeadlinePair, ...]:
        """Figures per agent, in the order of the document; of reports, a split after all."""
        graded = self.report.grading.mle_audit if self.report.grading else None
        found = self.report.headlines or (graded.headlines if graded else ())
        everything = {h.agent: h for h in found if h.attempts == ALL}
        without = {h.agent: h for h in found if h.attempts != ALL}
        return tuple(
            HeadlinePair(agent, everything.get(agent), without.get(agent))
            for agent in dict.fromkeys(h.agent for h in found)
        )

    @cached_property
    def has_without(self) -> bool:
        """Whether the document also gives the figures without the attempts in question."""
        return any(h.attempts != ALL for h in self.report.headlines) or bool(
            self.report.headlines and self.in_question
        )

    def counts(self, audited: Iterable[Audited]) -> list[tuple[Conclusion, int]]:
        """Count conclusions, the most pressing first; those that do not occur are left out."""
        found = Counter(a.conclusion for a in audited)
        return [(c, found[c]) for c in _URGENCY if found[c]]

    @cached_property
    def answer(self) -> str:
        """Which attempts, or else tasks or models, are in question, in one sentence."""
        return answers.answer(self)

    @cached_property
    def unjudged(self) -> tuple[Audited, ...]:
        """Attempts on which the policy can conclude nothing."""
        silent = {None, Conclusion.UNDETERMINED}
        return tuple(a for a in self.attempts if a.conclusion in silent)

    @cached_property
    def gap(self) -> str:
        """How much was not answered, in one sentence; empty when everything was."""
        silent = sum(c.outcome is not Outcome.NOT_APPLICABLE for c in self.unanswered)
        parts = []
        if self.unjudged:
            parts.append(f"{counted(len(self.unjudged), self.noun)} could not be judged")
        if silent:
            parts.append(f"{counted(silent, 'check')} gave no answer")
        if self.report.not_checked:
            kinds = counted(len(self.report.not_checked), "thing")
            parts.append(f"{kinds} {'was' if kinds[:2] == '1 ' else 'were'} not looked at")
        text = listed(parts)
        return f"{text[:1].upper()}{text[1:]}." if text else ""

    @cached_property
    def effect(self) -> str:
        """How the figures change without the attempts in question; empty when none is."""
        if not self.in_question or not self.headlines:
            return ""
        gone = [p.agent for p in self.headlines if p.everything and not p.without]
        moved = [p for p in self.headlines if p.everything and p.without and p.differs]
        parts = []
        if gone:
            parts.append(f"no attempt of {listed(_few(gone))} is left")
        if moved:
            parts.append(f"the figures of {listed(_few([p.agent for p in moved]))} change")
        if len(gone) + len(moved) < len(self.headlines):
            rest = "the figures of the other agents" if parts else "all figures"
            parts.append(f"{rest} stay as they are")
        return f"Without them, {listed(parts)}."

    @cached_property
    def exit(self) -> str:
        """What a gate on this audit does at the default threshold."""
        if self.worst is None:
            return "nothing was judged, so a gate ends with exit code 3"
        if any(a.is_in_question for a in self.audited):
            return "a gate at review, the default, ends with exit code 1"
        if any(a.conclusion is Conclusion.UNDETERMINED for a in self.audited):
            return "something decisive was missing, so a gate ends with exit code 3"
        return "a gate at review, the default, ends with exit code 0"

    @cached_property
    def worst(self) -> Conclusion | None:
        """The most pressing conclusion on any subject, or None when nothing was judged."""
        found = {a.conclusion for a in self.audited}
        return next((c for c in _URGENCY if c in found), None)


def _order(audited: Audited) -> tuple[tuple[int, int], tuple[str, str], str, int]:
    """Sort key of attempts: how pressing, then task, agent and seed."""
    return audited.urgency, audited.task, audited.agent, audited.subject.seed or 0


def _few(names: list[str]) -> list[str]:
    """Name a few and count the rest."""
    rest = len(names) - answers.AGENTS_NAMED
    named = [clip(name, answers.NAME) for name in names[: answers.AGENTS_NAMED]]
    return [*named, counted(rest, "more agent")] if rest > 0 else named


def silence(check: Check) -> str:
    """Say why a check gave no answer; empty where it does not.

    The subject's own id is left out, so that a hundred attempts without code have one reason.
    """
    own = rf"(?<![\w-]){re.escape(check.subject)}(?![\w-])"
    return re.sub(own, "it", check.reason or "")


def medal(grade: CompetitionReport) -> Medal | None:
    """Name the medal of a graded attempt."""
    names: tuple[Medal, ...] = ("gold", "silver", "bronze")
    for name in names:
        if getattr(grade, f"{name}_medal"):
            return name
    return None


def standing(grade: CompetitionReport | None) -> str:
    """Say in a few words what became of a submission: its medal, its place, or why no score."""
    if grade is None:
        return "not graded"
    outcome = grade.mle_audit.outcome if grade.mle_audit else None
    if grade.score is None:
        if outcome:
            return {"missing": "no submission", "grader_error": "grader crashed"}.get(
                outcome, outcome
            )
        return "invalid" if grade.submission_exists else "no submission"
    won = medal(grade)
    star = "" if is_comparable(grade) else "*"
    return f"{won} medal{star}" if won else "above median" if grade.above_median else ""
