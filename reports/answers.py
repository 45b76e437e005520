"""The first sentence of an audit: what is in question, and of whom."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from reports.schema import Conclusion
from reports.words import clip, counted, listed

if TYPE_CHECKING:
    from reports.overview import Audited, Overview

NAME = 60  # characters of a name inside a sentence
AGENTS_NAMED = 4


def answer(over: Overview) -> str:
    """Say which attempts are in question; of tasks or models, where these alone were audited."""
    if over.alone:
        return _of_alone(over)
    total = len(over.attempts)
    if not total:
        return f"No attempt was audited{_instead(over)}."
    if total == 1:
        return f"{_only(over)} {_fate(over)}."
    if len(over.unjudged) == total:
        return f"None of the {counted(total, over.noun)} could be judged."
    return f"{_doubted(over)}."


def _doubted(over: Overview) -> str:
    """Say how many of several attempts are in question and of whom, and how many are not judged."""
    total = len(over.attempts)
    silent = f", {len(over.unjudged):,} could not be judged" if over.unjudged else ""
    if not over.in_question:
        return f"None of the {counted(total, over.noun)} is in question{silent}"
    doubted = _in_question(len(over.in_question), total, over.noun)
    whom = "" if over.is_loose else _of_whom(over)
    if silent:
        return f"{doubted}{f' ({whom})' if whom else ''}{silent}"
    return f"{doubted}{f': {whom}' if whom else ''}"


def _in_question(n: int, total: int, noun: str, none: str = "none") -> str:
    verb = "are" if n > 1 else "is"
    return f"{f'{n:,}' if n else none} of {counted(total, noun)} {verb} in question"


def _of_alone(over: Overview) -> str:
    """Say how the tasks or models stand that alone were audited."""
    total, n = len(over.alone), sum(a.is_in_question for a in over.alone)
    silent = sum(a.conclusion in {None, Conclusion.UNDETERMINED} for a in over.alone)
    if total == 1:
        fate = "could not be judged" if silent else f"is {'' if n else 'not '}in question"
        return f"The {over.noun} {clip(over.alone[0].subject.title, NAME)} {fate}."
    unjudged = f", {silent:,} could not be judged" if silent else ""
    return f"{_in_question(n, total, over.noun, 'None')}{unjudged}."


def _instead(over: Overview) -> str:
    """Say what became of tasks, models and groups where no attempt was audited."""
    if not over.others:
        return ""
    kinds = {a.subject.kind.value for a in over.others}
    noun = kinds.pop() if len(kinds) == 1 else "subject"
    n = sum(a.is_in_question for a in over.others)
    if len(over.others) == 1:
        return f"; the only {noun} is {'' if n else 'not '}in question"
    return f"; {_in_question(n, len(over.others), noun)}"


def _only(over: Overview) -> str:
    """Name a single attempt or file."""
    only = over.attempts[0]
    if over.is_loose:
        return f"The only file, {clip(only.subject.title, NAME)},"
    return f"The only attempt, of agent {clip(only.agent, NAME)},"


def _fate(over: Overview) -> str:
    """Say what became of a single attempt."""
    if over.unjudged:
        return "could not be judged"
    return "is in question" if over.in_question else "is not in question"


def _of_whom(over: Overview) -> str:
    """Name the agents whose attempts are in question, with how many of theirs."""

    def count(audited: tuple[Audited, ...]) -> Counter[str]:
        return Counter(a.agent for a in audited)

    theirs, doubted = count(over.attempts), count(over.in_question)
    parts = [
        f"all {n:,} of agent {clip(agent, NAME)}" if n == theirs[agent] and n > 1
        else f"{n:,} of {theirs[agent]:,} of agent {clip(agent, NAME)}"
        for agent, n in doubted.most_common(AGENTS_NAMED)
    ]  # fmt: skip
    if len(doubted) > AGENTS_NAMED:
        parts.append(counted(len(doubted) - AGENTS_NAMED, "more agent"))
    return listed(parts)
