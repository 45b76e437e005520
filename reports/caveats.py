"""What a reader must know before taking an audit's figures for what they look like."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

from reports.words import clip, counted, listed, medal_tasks, not_graded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reports.overview import Audited, Overview

_NAMED: Final = 4  # agents or protections in a sentence
_NAME: Final = 60  # characters of one of them


def warnings(over: Overview) -> list[str]:
    """Say what a reader must know of how the attempts were made."""
    return [*protection(over), *made_again(over)]


def protection(over: Overview) -> list[str]:
    """Say which attempts ran without a sandbox, or with one that lacked protections."""
    bare = [a for a in over.attempts if _unprotected(a)]
    thin = [a for a in over.attempts if not _unprotected(a) and _lacking(a)]
    total = counted(len(over.attempts), "attempt")
    told = []
    if bare:
        told.append(
            f"{len(bare):,} of {total} ran without a sandbox ({_of_whom(bare)}): the answers, the "
            "graders and the network may have been in their reach."
        )
    if thin:
        lacking = Counter(p for a in thin for p in _lacking(a))
        named = _few([what for what, _ in lacking.most_common()], "more")
        told.append(
            f"{len(thin):,} of {total} ran with protections missing ({_of_whom(thin)}): {named}."
        )
    return told


def made_again(over: Overview) -> list[str]:
    """Say which attempts were made again although they had ended: somebody chose among results."""
    chosen = [a for a in over.attempts if _ended_before(a)]
    if not chosen:
        return []
    before = Counter(status for a in chosen for status in _ended_before(a))
    how = listed([status for status, _ in before.most_common()])
    return [
        f"{len(chosen):,} of {counted(len(over.attempts), 'attempt')} had ended before and were "
        f"made again ({_of_whom(chosen)}; earlier tries: {how}). Their figures are those of the "
        "last try."
    ]


def _ended_before(audited: Audited) -> list[str]:
    """List how earlier tries ended, those left out that were merely interrupted."""
    tries = audited.subject.facts.get("earlier tries", "none").split(", ")
    return [status.replace("_", " ") for status in tries if status not in {"none", "interrupted"}]


def _unprotected(audited: Audited) -> bool:
    return audited.subject.facts.get("sandbox", "").startswith("none")


def _lacking(audited: Audited) -> list[str]:
    return [p for p in audited.subject.facts.get("missing protections", "").split("; ") if p]


def _of_whom(attempts: Iterable[Audited]) -> str:
    """Name the agents of some attempts."""
    return _few(list(dict.fromkeys(a.agent for a in attempts)), "more agent", "of agent ")


def _few(names: list[str], more: str, what: str = "") -> str:
    rest = len(names) - _NAMED
    named = [clip(name, _NAME) for name in names[:_NAMED]]
    if rest > 0:
        named.append(counted(rest, more, "more" if more == "more" else None))
    return f"{what}{listed(named)}"


def headline_notes(over: Overview) -> list[str]:
    """Say what the headline's figures are over: medals, ungraded and unjudged attempts."""
    notes = [medal_tasks(p.everything for p in over.headlines if p.everything)]
    if missing := ungraded(over):
        notes.append(not_graded(sum(len(attempts) for _, attempts in missing)))
    if over.has_without and over.unjudged:
        verb = "counts" if len(over.unjudged) == 1 else "count"
        notes.append(
            f"{counted(len(over.unjudged), 'attempt')} that could not be judged still {verb} in "
            "the figures without attempts in question."
        )
    return [n for n in notes if n]


def ungraded(over: Overview) -> list[tuple[str, list[str]]]:
    """Give the attempts that have no grade, those with one reason together."""
    details = over.report.grading.mle_audit if over.report.grading else None
    alike: dict[str, list[str]] = defaultdict(list)
    for one in details.not_graded if details else ():
        alike[one.why].append(one.attempt)
    return list(alike.items())
