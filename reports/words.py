"""The words and numbers of a report: what each term means, and text made safe to look at."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from reports.schema import Conclusion, Confidence, Outcome, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reports.grading import Headline, MeanSem
    from reports.remarks import Appeal, Suppression
    from reports.schema import AuditReport, Verdict

# Characters that hide, reorder or overwrite other text: C0 and C1 controls but tab and newline,
# zero-width and bidirectional marks, line separators, interlinear marks, tags, lone surrogates.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]"
)

# The ones that logs are full of. Unicode's own pictures of them are missing from most fonts.
_CONTROLS = {"\x00": "⟨NUL⟩", "\x08": "⟨BS⟩", "\r": "⟨CR⟩", "\x1b": "⟨ESC⟩"}

SEVERITIES: Final = {
    Severity.NOTE: "worth knowing; no accusation",
    Severity.LOW: "a small breach, or one that could not pay off by itself",
    Severity.MEDIUM: "would put the result in doubt if it is so",
    Severity.HIGH: "would make the result worthless if it is so",
}
CONFIDENCES: Final = {
    Confidence.LOW: "there are innocent explanations that are about as likely",
    Confidence.MEDIUM: "an innocent explanation exists but is less likely",
    Confidence.HIGH: "the evidence hardly leaves another explanation",
}
CONCLUSIONS: Final = {
    Conclusion.DISQUALIFY: "By the policy, this result should not be counted.",
    Conclusion.REVIEW: "A person should look at the evidence before this result is counted.",
    Conclusion.UNDETERMINED: "Something decisive was missing, so nothing can be concluded.",
    Conclusion.NOTE: "Something is worth knowing; nothing speaks against the result.",
    Conclusion.CLEAN: "The checks that ran saw nothing. That is no proof of innocence.",
}
_MEANT: Final = {
    SubjectKind.TASK: "a result on this task",
    SubjectKind.MODEL: "a result of this model",
}
OUTCOMES: Final = {
    Outcome.CLEAN: "looked and saw nothing",
    Outcome.FLAGGED: "saw something",
    Outcome.NOT_APPLICABLE: "the question makes no sense here",
    Outcome.NOT_AVAILABLE: "could not look, because something was missing",
    Outcome.FAILED: "the check itself crashed",
}


def _name(match: re.Match[str]) -> str:
    return _CONTROLS.get(match[0], f"⟨U+{ord(match[0]):04X}⟩")


def visible(text: str) -> str:
    r"""Replace characters that hide or reorder text by their names; tab and newline stay.

    Examples
    --------
    >>> visible("\x1b[31mred" + chr(0x202E))
    '⟨ESC⟩[31mred⟨U+202E⟩'
    """
    return _UNSEEN.sub(_name, text)


def clip(text: str, limit: int) -> str:
    """Cut a text to `limit` characters and say so, unless that would be no shorter.

    Examples
    --------
    >>> clip("abcdef" * 9, 4), clip("abcdef", 4)
    ('abcd … [4 of 54 characters shown]', 'abcdef')
    """
    cut = f"{text[:limit]} … [{limit:,} of {len(text):,} characters shown]"
    return cut if limit < len(text) > len(cut) else text


def number(value: float) -> str:
    """Write a number with at most six significant digits, without a trailing ``.0``.

    Examples
    --------
    >>> number(2.0), number(0.0238095238), number(1234567)
    ('2', '0.0238095', '1.23457e+06')
    """
    return f"{value:g}"


def score(value: float | None) -> str:
    """Write a score with the five decimals that it is rounded to; a dash when there is none.

    Examples
    --------
    >>> score(0.8103), score(None)
    ('0.81030', '–')
    """
    return "–" if value is None else f"{value:.5f}"


def share(value: MeanSem | None) -> str:
    """Write a share as per cent with its standard error; a dash when there is none.

    With two decimals, as MLE-bench's table prints them, so that both can be held side by side.

    Examples
    --------
    >>> from reports.grading import MeanSem
    >>> share(MeanSem(mean=2 / 3, sem=0.1)), share(MeanSem(mean=0.5)), share(None)
    ('66.67 ± 10.00 %', '50.00 %', '–')
    """
    if value is None:
        return "–"
    error = "" if value.sem is None else f" ± {100 * value.sem:.2f}"
    return f"{100 * value.mean:.2f}{error} %"


def medal_share(line: Headline) -> str:
    """Write a headline's share of medals, with an asterisk where they are not the board's.

    Examples
    --------
    >>> from reports.grading import Headline, MeanSem
    >>> one = Headline(agent="a", attempts="all", n_attempts=1, seeds=(0,), n_tasks=1,
    ...     any_medal=MeanSem(mean=1.0), valid_submission=None, above_median=None,
    ...     n_medal_tasks=1, medals_comparable=False)
    >>> medal_share(one), medal_share(one.model_copy(update={"any_medal": None}))
    ('100.00 %*', '–')
    """
    star = "" if line.medals_comparable or line.any_medal is None else "*"
    return f"{share(line.any_medal)}{star}"


def medal_tasks(lines: Iterable[Headline]) -> str:
    """Say over how many tasks the medals of some headlines are counted; empty when unknown."""
    found = [(h.n_medal_tasks, h.n_tasks, h.agent) for h in lines if h.n_medal_tasks is not None]
    kinds = {(n, total) for n, total, _ in found}
    if not found:
        return ""
    if not any(n for n, _ in kinds):
        return "No board here awards medals, so none is counted."
    if len(kinds) > 1 and all(n == total for n, total in kinds):
        return "Medals are counted over all tasks: each has a board that awards them."
    if len(kinds) == 1:
        n, total, _ = found[0]
        rest = "" if n == total else "; boards made of baselines award none"
        return f"Medals are counted over {n} of {counted(total, 'task')}{rest}."
    told = [f"{clip(agent, 40)} {n} of {total}" for n, total, agent in found[:8]]
    more = [f"{counted(len(found) - 8, 'more agent')}"] if len(found) > 8 else []  # noqa: PLR2004
    return f"Medals are counted over these tasks, whose boards award them: {listed(told + more)}."


def counted(count: int, one: str, many: str | None = None) -> str:
    """Write a count with its noun.

    Examples
    --------
    >>> counted(1, "attempt"), counted(1200, "attempt"), counted(2, "entity", "entities")
    ('1 attempt', '1,200 attempts', '2 entities')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def not_graded(count: int) -> str:
    """Say how many attempts have no grade.

    Examples
    --------
    >>> not_graded(1)
    '1 attempt was not graded and counts in no figure.'
    """
    verbs = ("was", "counts") if count == 1 else ("were", "count")
    return f"{counted(count, 'attempt')} {verbs[0]} not graded and {verbs[1]} in no figure."


def struck_out(suppression: Suppression) -> str:
    """Say why a finding counts in no verdict, who says so, and until when.

    Examples
    --------
    >>> from datetime import date
    >>> from reports.remarks import Suppression
    >>> one = Suppression(finding="f-1", reason="A test file.", author="ann",
    ...     expires=date(2027, 1, 31), state="acts")
    >>> struck_out(one)
    'A test file. (ann, until 2027-01-31)'
    """
    return f"{suppression.reason} ({suppression.author}, until {suppression.expires.isoformat()})"


def appealed(appeal: Appeal) -> str:
    """Say who said what to a finding, and when.

    Examples
    --------
    >>> from datetime import date
    >>> from reports.remarks import Appeal
    >>> appealed(Appeal(finding="f-1", text="It is ours.", author="ann", date=date(2027, 1, 31)))
    'ann, 2027-01-31: It is ours.'
    """
    return f"{appeal.author}, {appeal.date.isoformat()}: {appeal.text}"


def concluded(verdict: Verdict, kind: SubjectKind = SubjectKind.ATTEMPT) -> str:
    """Say what a verdict on a subject means; one clean but for what was struck out says so.

    Examples
    --------
    >>> from reports.schema import Verdict
    >>> concluded(Verdict(subject="a", conclusion="clean", suppressed=("f-1",)))[:60]
    'The checks that ran saw nothing but what a suppression struc'
    """
    said = CONCLUSIONS[verdict.conclusion]
    if meant := _MEANT.get(kind):
        said = said.replace("this result", meant).replace("the result", meant)
    if not verdict.suppressed:
        return said
    if verdict.conclusion is Conclusion.CLEAN:
        return (
            f"The checks that ran saw nothing but what a suppression struck out: "
            f"{counted(len(verdict.suppressed), 'finding')}. That is no proof of innocence."
        )
    verb = "is" if len(verdict.suppressed) == 1 else "are"
    return f"{said} {counted(len(verdict.suppressed), 'finding')} {verb} struck out of it."


def rejudged(report: AuditReport) -> str:
    """Say that and how a document was judged anew; empty where it was not."""
    how = report.rejudged
    if how is None:
        return ""
    source = f", whose sha256 is {how.from_sha256}" if how.from_sha256 else ""
    return (
        f"judged anew on {how.at:%Y-%m-%d %H:%M %Z} by policy {report.policy}, from a document "
        f"judged by policy {how.from_policy}{source}"
    )


def listed(parts: list[str]) -> str:
    """Join parts as a sentence does.

    Examples
    --------
    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)
