"""The frame that the probes of a grader share: ask, weigh what was taken, show the scores."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from competitions.errors import EvidenceUnavailableError
from detectors.grading.answers import answers_of
from detectors.task import Task
from reports.schema import Confidence, Quantity, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from detectors.base import About, Subject
    from detectors.grading.answers import Answer, Answers
    from reports.schema import Finding

REFERENCE = "https://github.com/openai/mle-bench#known-issues"
MOST_SHOWN = 8  # submissions shown with one finding
_NO_NUMBER = -1.0  # stands for a score that is no number, which JSON cannot hold


class Seen(NamedTuple):
    """What a probe saw.

    Parameters
    ----------
    message : str
        One sentence.
    answers : mapping of str to Answer
        The submissions that show it, by what they are.
    is_harmful : bool
        Whether it earns something: the full score, a better one, or a valid score that is none.
    """

    message: str
    answers: Mapping[str, Answer]
    is_harmful: bool


@dataclass(frozen=True)
class Probe:
    """One question asked of a task's grader, by handing submissions in.

    What earns something is of medium severity and sure; what is merely taken and costs its whole
    price is of low severity, and so is what the task's definition has on record: it is told with
    every use of the task and asks for nobody's eyes again.
    """

    about: ClassVar[About]
    asked: ClassVar[tuple[str, ...]] = ()  # the submissions without whose answer nothing is known
    limit_s: float = 120.0

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        return None if isinstance(subject, Task) else "it looks at tasks only"

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            When the task's data is not here, its grader crashes on right answers, or asking took
            too long.
        """
        if not isinstance(subject, Task):
            raise TypeError(subject)
        answers = answers_of(subject, self.limit_s)
        known = subject.on_record("grader", "labels")
        record = f" On record: {', '.join(known)}." if known else ""
        for seen in self.seen(answers):
            is_grave = seen.is_harmful and not known
            yield self.about.finding(
                subject,
                f"{seen.message}{record}",
                *_evidence(answers, seen.answers),
                severity=Severity.MEDIUM if is_grave else Severity.LOW,
                confidence=Confidence.HIGH if is_grave else Confidence.MEDIUM,
            )
        self._require(subject, answers)

    def seen(self, answers: Answers) -> Iterator[Seen]:
        """Yield what the answers show."""
        raise NotImplementedError

    def _require(self, task: Task, answers: Answers) -> None:
        """Refuse to call a grader clean that was not asked, or that knows no right answer."""
        if answers.unasked and not set(self.asked) <= set(answers.by_question):
            raise EvidenceUnavailableError("data", f"asking {task.spec.id}: {answers.unasked}")
        perfect = answers.by_question["perfect"]
        if perfect.outcome != "scored":
            raise EvidenceUnavailableError(
                "data", f"the grader of {task.spec.id} {perfect.outcome} the right answers"
            )


def told(names: Mapping[str, Answer]) -> str:
    """Write the names of submissions for a message."""
    kinds = dict.fromkeys(name.split(": ")[0].replace("-", " ") for name in names)
    return ", ".join(kinds)


def _evidence(answers: Answers, shown: Mapping[str, Answer]) -> Iterator[Quantity]:
    """Show each score beside that of the right answers."""
    perfect = answers.by_question["perfect"].score
    finite = perfect is not None and math.isfinite(perfect)
    for name, answer in list(shown.items())[:MOST_SHOWN]:
        score = answer.score
        is_number = score is not None and math.isfinite(score)
        what = f"score of: {name.replace('-', ' ')}"
        if answer.forbidden:
            what = f"{what} ({answer.forbidden[:200]})"
        yield Quantity(
            name=what if is_number else f"{what}: {score}, which counts as valid",
            value=round(score, 5) if is_number and score is not None else _NO_NUMBER,
            compared_with="the right answers" if finite else None,
            reference=round(perfect, 5) if finite and perfect is not None else None,
        )
