"""What a reader must know before taking an audit's figures for what they look like."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

from reports.words import clip, counted, listed, medal_tasks, not_graded

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from reports.grading import GradingReport
    from reports.overview import Audited, Overview

_NAMED: Final = 4  # agents or protections in a sentence
_NAME: Final = 60  # characters of one of them
_DIGITS: Final = 10  # a document may say anything


def warnings(over: Overview) -> list[str]:
    """Say what a reader must know of how the attempts were made, and of what counts no more."""
    return [
        *unfinished(over.report.grading),
        *protection(over),
        *made_again(over),
        *suppressed(over),
    ]


def suppressed(over: Overview) -> list[str]:
    """Say how many findings people struck out of the verdicts, and how many suppressions ended."""
    marks = over.report.suppressions
    struck = {i for s in marks if s.state == "acts" for i in s.findings}
    ended = sum(s.state == "expired" for s in marks)
    verb = "counts" if len(struck) == 1 else "count"
    told = [f"{counted(len(struck), 'finding')} {verb} in no verdict: suppressed by people."]
    over_now = [f"{counted(ended, 'suppression')} ended and act{'s' * (ended == 1)} no more."]
    return [*(told if struck else []), *(over_now if ended else [])]


def resuming(grading: GradingReport | None) -> list[str]:
    """List the commands that make what is missing from the figures, for a few groups."""
    details = grading.mle_audit if grading else None
    groups = dict.fromkeys(n.group for n in details.not_graded if n.group) if details else {}
    return [f"mle-audit run --resume {group}" for group in list(groups)[:_NAMED]]


def unfinished(grading: GradingReport | None) -> list[str]:
    """Say which planned attempts are missing from the figures."""
    details = grading.mle_audit if grading else None
    if grading is None or details is None:
        return []
    left = [n for n in details.not_graded if n.state not in {"ended", "unknown"}]
    told = [
        f"{n.attempt} cannot be read, so nobody can say which attempts of it are not made."
        for n in details.not_graded
        if n.state == "unknown"
    ]
    if not left:
        return told
    others = sum(n.state == "ended" for n in details.not_graded)
    total = len(grading.competition_reports) + others + len(left)
    states = Counter(n.state.replace("_", " ") for n in left)
    how = listed([f"{n:,} {state}" for state, n in states.most_common()])
    whom = _few(list(dict.fromkeys(n.agent or "unknown" for n in left)), "more agent", "of agent ")
    seeds = [str(s) for s in sorted({n.seed for n in left if n.seed is not None})]
    named = _few(seeds, "more", "seed " if len(seeds) == 1 else "seeds ")
    verb = "is" if len(seeds) == 1 else "are"
    lacking = f" {named[:1].upper()}{named[1:]} {verb} incomplete." if seeds else ""
    counts = "It counts" if len(left) == 1 else "They count"
    return [
        f"{len(left):,} of {counted(total, 'planned attempt')} {'is' if len(left) == 1 else 'are'} "
        f"not made or not ended ({whom}: {how}). {counts} in no figure.{lacking}",
        *told,
    ]


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
    tries = [
        (a.agent, a.subject.facts.get("earlier tries", "none").split(", ")) for a in over.attempts
    ]
    return retried(tries)


def retried(tries: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
    """Say the same of attempts that are given as agent and how the earlier tries ended."""
    chosen = [(agent, before) for agent, ends in tries if (before := ended_before(ends))]
    if not chosen:
        return []
    how = Counter(status for _, before in chosen for status in before)
    whom = _few(list(dict.fromkeys(agent for agent, _ in chosen)), "more agent", "of agent ")
    verb, whose = ("was", "Its") if len(chosen) == 1 else ("were", "Their")
    return [
        f"{len(chosen):,} of {counted(len(tries), 'attempt')} had ended before and {verb} made "
        f"again ({whom}; earlier tries: {listed([status for status, _ in how.most_common()])}). "
        f"{whose} figures are those of the last try."
    ]


def ended_before(tries: Iterable[str]) -> list[str]:
    """List how earlier tries ended, those left out that were merely interrupted."""
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
    notes += _incomplete(over)
    details = over.report.grading.mle_audit if over.report.grading else None
    if missing := sum(n.state == "ended" for n in details.not_graded) if details else 0:
        notes.append(not_graded(missing))
    if over.has_without and over.unjudged:
        verb = "counts" if len(over.unjudged) == 1 else "count"
        notes.append(
            f"{counted(len(over.unjudged), 'attempt')} that could not be judged still {verb} in "
            "the figures without attempts in question."
        )
    return [n for n in notes if n]


def _incomplete(over: Overview) -> list[str]:
    """Say of which published reports some seeds lack rows, so that no figure counts them."""
    told = []
    for group in over.others:
        whole, _, total = group.subject.facts.get("complete seeds", "").partition(" of ")
        if whole != total and total.isdecimal() and len(total) < _DIGITS:
            told.append(
                f"Of {counted(int(total), 'published seed')} of {clip(group.agent, _NAME)} "
                f"{clip(whole, _DIGITS)} {'has' if whole == '1' else 'have'} a row for every task; "
                "figures are over complete seeds alone."
            )
    return told[:_NAMED]


def ungraded(over: Overview) -> list[tuple[str, list[str]]]:
    """Give the attempts that have no grade, those with one reason together."""
    details = over.report.grading.mle_audit if over.report.grading else None
    alike: dict[str, list[str]] = defaultdict(list)
    for one in details.not_graded if details else ():
        alike[one.why].append(one.attempt)
    return list(alike.items())
