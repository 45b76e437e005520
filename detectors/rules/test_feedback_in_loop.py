"""Did a score on hidden answers come back while the agent still worked? Logs and code."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from detectors.attempt import Attempt
from detectors.base import About, register
from detectors.rules.grading_calls import answered_in_code, grading_in_code
from detectors.rules.hidden_oracles import hidden_oracles, written_in_logs
from detectors.rules.hidden_scores import How, hidden_scores
from detectors.rules.own_scoring import own_scoring
from detectors.rules.probes import ports_of
from detectors.rules.scoring_servers import is_own
from detectors.rules.shown import code_lines, log_lines
from detectors.trajectories.excerpts import Excerpts
from reports.schema import Confidence, Quantity, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.base import Subject
    from detectors.rules.grading_calls import GradingCall
    from detectors.rules.hidden_scores import Seen
    from reports.schema import Evidence, Finding


@register
@dataclass(frozen=True)
class FeedbackInLoop:
    """A score on the hidden answers that came back before the work was done.

    Scores count that a log's format keeps for hidden answers (aira-dojo's ``metric_info``,
    MLE-Dojo's position scores, what MLGym's ``validate`` prints), grading reports in prompts and
    after commands, what a user or a tool that takes submissions says of them, what graders write
    into files, and what harnesses print of grading each candidate; graders whose outcome a command
    keeps or decides by; settings that choose by the hidden test; in code, calls of the benchmark's
    grader, or of a metric that is given the hidden answers or a copy of them, whose score is
    compared or that a loop, a search or a callback repeats, and models that are stopped by them.
    An agent's own validation score is none of these, whatever it is called, nor is one report
    after the end.

    Parameters
    ----------
    min_shown : int >= 2, default=2
        Showings from which on it is grave and sure; fewer are a finding where the agent went on
        working, else a note.
    min_logged : int >= 2, default=2
        Steps with a hidden score from which on it is told; one is the report after the end.
    max_evidence : int >= 1, default=8
        Places shown with a finding.
    """

    about: ClassVar[About] = About(
        id="test-feedback-in-loop",
        subject=SubjectKind.ATTEMPT,
        asks="Did a score on the hidden answers come back while the agent still worked?",
        blind_spots=(
            "A harness that grades and chooses without logging it is not seen, nor is a grader "
            "that the attempt brought along or that another process called. Where a log only "
            "keeps the scores with each step, nobody can tell whether they were used. A score "
            "that the attempt's own program prints under a name from its code counts as its own."
        ),
        reference="https://arxiv.org/abs/1502.04585 (The Ladder: climbing a board by its "
        "feedback); issues 124 and 138 of https://github.com/openai/mle-bench",
        needs=frozenset({"code", "logs"}),
    )
    min_shown: int = 2
    min_logged: int = 2
    max_evidence: int = 8

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        return None if isinstance(subject, Attempt) else "it looks at attempts only"

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`."""
        if not isinstance(subject, Attempt):
            raise TypeError(subject)
        by_how: dict[How, list[Seen]] = defaultdict(list)
        own_words = "\n".join(f.text[:1_000_000] for f in subject.code).lower()
        own_words += written_in_logs(subject)
        ports = ports_of(subject)
        graded = (call for call in grading_in_code(subject) if not is_own(call.excerpt, ports))
        calls = [*graded, *own_scoring(subject), *hidden_oracles(subject)]
        for seen in hidden_scores(subject, own_words, calls):
            by_how[seen.how].append(seen)
        if shown := by_how[How.SHOWN]:
            yield self._of_shown(subject, shown)
        if chosen := by_how[How.CHOSEN]:
            together = [*chosen, *by_how[How.LOGGED]]
            yield self._of_logged(subject, How.CHOSEN, together, Confidence.HIGH)
        elif not shown and len(by_how[How.LOGGED]) >= self.min_logged:
            yield self._of_logged(subject, How.LOGGED, by_how[How.LOGGED], Confidence.MEDIUM)
        yield from self._of_code(subject, [*calls, *answered_in_code(subject)])

    def _of_shown(self, subject: Attempt, shown: list[Seen]) -> Finding:
        many, went_on = len(shown) >= self.min_shown, any(s.went_on for s in shown)
        grave = Severity.HIGH if many else Severity.MEDIUM if went_on else Severity.NOTE
        after = "" if many else ", and it worked on" if went_on else ", after its last step"
        return self.about.finding(
            subject,
            f"The log shows that {How.SHOWN} ({len(shown)} times{after}).",
            *self._lines(subject, shown),
            Quantity(name="scores shown", value=len(shown)),
            severity=grave,
            confidence=Confidence.HIGH,
        )

    def _of_logged(
        self, subject: Attempt, how: How, seen: list[Seen], confidence: Confidence
    ) -> Finding:
        tail = "" if how is How.CHOSEN else "; whether anything hung on it is not told"
        return self.about.finding(
            subject,
            f"The log shows that {how.value} ({len(seen)} places{tail}).",
            *self._lines(subject, seen),
            Quantity(name="places with a hidden score", value=len(seen)),
            severity=Severity.MEDIUM,
            confidence=confidence,
        )

    def _of_code(self, subject: Attempt, calls: list[GradingCall]) -> Iterator[Finding]:
        found = [call for call in calls if call.again]
        if found:
            yield self.about.finding(
                subject,
                "The code is written to grade on hidden answers again and again, or to choose by "
                f"the score ({len(found)} places); the logs do not tell whether it ran.",
                *(code_lines(call, call.shows) for call in found[: self.max_evidence]),
                severity=Severity.HIGH,
                confidence=Confidence.MEDIUM,
            )

    def _lines(self, subject: Attempt, seen: list[Seen]) -> Iterator[Evidence]:
        excerpts = Excerpts(subject.logs)
        for one in seen[: self.max_evidence]:
            yield log_lines(one.event, one.shows, excerpts)
