"""Opinions of a model beside the checks of an audit: asked, paid for within a limit, weighed."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from audit.judge.answers import Kept
from audit.judge.endpoint import MAX_OUT, Unanswered
from competitions.errors import EvidenceUnavailableError
from competitions.io import printable
from detectors.opinions.excerpt import pieces_of
from detectors.opinions.prompts import Question, schema_of
from detectors.opinions.questions import TOPICS
from detectors.opinions.weighing import ID, doubts_without_quote, findings_of, weigh
from reports.schema import Check, DetectorNote, Outcome, Severity, SubjectKind
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from audit.judge.answers import Answers
    from audit.judge.endpoint import Answered
    from detectors.attempt import Attempt
    from detectors.opinions.weighing import Discarded, Opinion, Weighed
    from reports.schema import Finding

MAX_TOKENS = 200_000  # of one call, where nobody says otherwise
FAMILY = "opinion"  # none of the families: no rule of a policy about one of them fits an opinion
_FAILURES = 3  # in a row, after which nobody is asked any more
_MEGA = 1_000_000
_LOOKED = frozenset({Outcome.CLEAN, Outcome.FLAGGED})
NOTE = DetectorNote(
    id=ID,
    family=FAMILY,
    subject=SubjectKind.ATTEMPT,
    asks="What does a language model make of excerpts of code and logs?",
    blind_spots=(
        "It is an opinion: it may be wrong, and another model or the same one tomorrow may say "
        "something else. It saw excerpts, chosen by words that can be flooded, and not what "
        "commands printed unless --reveal-private was given. A log can try to talk it round; "
        "therefore it clears nobody and by itself accuses nobody."
    ),
    reference="https://arxiv.org/abs/2306.05685 (judging with language models: agreement, biases)",
)


class Asks(Protocol):
    """Whoever can be asked: an endpoint, or a record of what one said."""

    @property
    def model(self) -> str:
        """Its name."""

    @property
    def host(self) -> str:
        """Where it is."""

    def ask(
        self, messages: list[dict[str, str]], schema: Mapping[str, Any]
    ) -> Answered | Unanswered:
        """Answer, or say why not."""


class Asked(NamedTuple):
    """One attempt: what detectors said of it, and what a model may be asked about it."""

    subject: str
    checks: tuple[Check, ...]
    questions: tuple[Question, ...]


class Cost(NamedTuple):
    """What asking would take; tokens are estimated, and rather too many."""

    n_questions: int
    n_kept: int
    tokens_in: int
    tokens_out: int

    def told(self, endpoint: Asks, price: float | None, max_tokens: int) -> str:
        """Say it in a line.

        Parameters
        ----------
        price : float or None
            US dollars for a million tokens in.
        """
        known = "its price is not known (--judge-price)"
        if price is not None:
            known = f"about ${self.tokens_in * price / _MEGA:.2f} for the tokens in"
        return (
            f"{endpoint.model} at {endpoint.host}: {counted(self.n_questions, 'question')}, "
            f"{self.n_kept} answered before; about {self.tokens_in:,} tokens in, at most "
            f"{self.tokens_out:,} out, {known}; it ends at {max_tokens:,} tokens"
        )


def questions_about(
    attempt: Attempt, checks: Sequence[Check], *, with_outputs: bool = False
) -> tuple[Question, ...]:
    """Make the questions about an attempt: of each topic, those rules that detectors looked at.

    None, where no detector could look: an opinion would stand there alone.

    Parameters
    ----------
    with_outputs : bool
        Show the model what commands printed, which may be hidden answers.
    """
    looked = {c.detector for c in checks if c.outcome in _LOOKED or c.findings}
    topics = [t._replace(rules={n: s for n, s in t.rules.items() if n in looked}) for t in TOPICS]
    topics = [topic for topic in topics if topic.rules]
    if not topics:
        return ()
    found = [f for c in checks for f in c.findings]
    pieces = pieces_of(attempt, topics, found, with_outputs=with_outputs)
    competition = _competition(attempt)
    return tuple(
        Question(attempt.id, topic, competition, pieces[topic.name])
        for topic in topics
        if pieces[topic.name]
    )


def _competition(attempt: Attempt) -> str:
    record = attempt.readable_record
    return record.competition_id if record else attempt.path.name.rpartition("_")[0]


@dataclass
class Judge:
    """Asks one model, within a limit of tokens.

    Parameters
    ----------
    answers : Answers
        Where answers are kept and looked up.
    seed : str
        Makes the delimiters of prompts; keep it from whoever writes logs.
    agree : callable
        Told what it will take before the first question; where it returns False, nobody is asked.
    max_tokens : int
        Of questions and answers together; what would go beyond it is not asked.
    price : float or None
        US dollars for a million tokens in.
    """

    endpoint: Asks
    answers: Answers
    seed: str
    agree: Callable[[str], bool] = lambda _words: True
    max_tokens: int = MAX_TOKENS
    price: float | None = None
    spent: int = field(default=0, init=False)
    _failures: int = field(default=0, init=False)
    _stopped: str = field(default="", init=False)

    @property
    def name(self) -> str:
        """The model as a document tells it: of a file, as local servers call theirs, its name."""
        model = printable(self.endpoint.model)
        return PurePath(model).name if model.startswith(("/", "~", ".")) else model

    def checks(
        self, asked: Sequence[Asked], progress: Callable[[int, int, str], None] | None = None
    ) -> list[Check]:
        """Ask about every attempt; each gets one check, whatever happens.

        A check with a question that was not answered, or an opinion that was discarded, is
        `not_available` and says why; what else was found stands.
        """
        cost = self.cost(question for one in asked for question in one.questions)
        if cost.n_questions > cost.n_kept and not self.agree(
            cost.told(self.endpoint, self.price, self.max_tokens)
        ):
            self._stopped = "asking was declined"
        made = []
        for number, one in enumerate(asked, 1):
            made.append(self._check(one))
            if progress is not None:
                progress(number, len(asked), one.subject)
        return made

    def cost(self, questions: Iterable[Question]) -> Cost:
        """Say what asking would take; what was answered before is free."""
        n = kept = tokens = 0
        for question in questions:
            n += 1
            if self.answers.get(question, self.endpoint.model) is not None:
                kept += 1
            else:
                tokens += question.tokens
        return Cost(n, kept, tokens, (n - kept) * MAX_OUT)

    def _check(self, one: Asked) -> Check:
        opinions: list[Opinion] = []
        problems: list[str] = []
        discarded: list[Discarded] = []
        used: dict[str, int] = defaultdict(int)
        for question in one.questions:
            weighed = self.weighed(question, used)
            if isinstance(weighed, Unanswered):
                problems.append(f"{question.topic.name}: {weighed.why}")
                continue
            opinions += weighed.opinions
            discarded += weighed.discarded
        flagged = _flagged(one.checks)
        problems += _grouped([*discarded, *doubts_without_quote(opinions, flagged)])
        if not one.questions:
            problems = ["no detector could look, and an opinion alone stands for nothing"]
        found = tuple(findings_of(one.subject, opinions, flagged, self.name))
        return Check(
            detector=ID,
            subject=one.subject,
            outcome=Outcome.NOT_AVAILABLE if problems else Outcome.CLEAN,
            findings=_once(found),
            reason="; ".join(problems) or None,
            missing="opinion" if problems else None,
            parameters={"model": self.name, **used},
        )

    def weighed(self, question: Question, used: dict[str, int]) -> Weighed | Unanswered:
        """Answer one question: what of the model's opinion counts, or why there is none.

        Parameters
        ----------
        used : dict of str to int
            Counts questions and tokens; names that are not there are 0.
        """
        answer = self._answer(question, used)
        if isinstance(answer, Unanswered):
            return answer
        try:
            return weigh(answer.text, question)
        except EvidenceUnavailableError as error:  # an old answer that this version cannot read
            return Unanswered(error.problem)

    def _answer(self, question: Question, used: dict[str, int]) -> Kept | Unanswered:
        """Look an answer up, or ask; what cannot be read as an answer is none and is not kept."""
        used["questions"] += 1
        kept = self.answers.get(question, self.endpoint.model)
        if kept is not None:
            used["answered_before"] += 1
            return kept
        if not self._stopped and self.spent + question.tokens + MAX_OUT > self.max_tokens:
            return Unanswered(f"the limit of {self.max_tokens:,} tokens was reached")
        if self._stopped:
            return Unanswered(self._stopped)
        answer = self._ask(question, used)
        if isinstance(answer, Unanswered):
            self._failures += 1
            if answer.is_hopeless:
                self._stopped = answer.why
            elif self._failures >= _FAILURES:
                self._stopped = f"{_FAILURES} questions in a row failed, the last one: {answer.why}"
            return answer
        self._failures = 0
        with contextlib.suppress(OSError):  # no room for it: it is paid for again, and that is all
            self.answers.keep(question, answer)
        return answer

    def _ask(self, question: Question, used: dict[str, int]) -> Kept | Unanswered:
        got = self.endpoint.ask(question.messages(self.seed), schema_of(question.topic))
        if isinstance(got, Unanswered):
            self.spent += question.tokens  # some endpoints count what they did not answer
            return got
        tokens_in = question.tokens if got.tokens_in is None else got.tokens_in
        tokens_out = MAX_OUT if got.tokens_out is None else got.tokens_out
        self.spent += tokens_in + tokens_out
        used["tokens_in"] += tokens_in
        used["tokens_out"] += tokens_out
        try:
            weigh(got.text, question)
        except EvidenceUnavailableError as error:
            return Unanswered(error.problem)
        return Kept(
            model=self.endpoint.model,
            prompt_sha256=question.digest,
            text=got.text,
            tokens_in=got.tokens_in,
            tokens_out=got.tokens_out,
        )


def _flagged(checks: Iterable[Check]) -> dict[str, tuple[str, ...]]:
    """Return the ids of findings above a note, by detector."""
    return {
        c.detector: found
        for c in checks
        if (found := tuple(f.id for f in c.findings if f.severity > Severity.NOTE))
    }


def _once(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple({f.id: f for f in findings}.values())


def _grouped(discarded: Iterable[Discarded]) -> Iterator[str]:
    """Say once for each reason which opinions were discarded."""
    rules: dict[str, list[str]] = defaultdict(list)
    for one in discarded:
        rules[one.why].append(one.rule)
    for why, named in rules.items():
        yield f"opinion on {', '.join(dict.fromkeys(named))} discarded: {why}"
