"""A summary in Markdown for a terminal or a pull request: short, and the answer first."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from reports import caveats, overview, places, words
from reports.copies import Copies, shared
from reports.copy_words import LEGEND, percent, probability
from reports.grading import NOT_COMPARABLE
from reports.schema import Severity
from reports.sensitivity import words as rates

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from reports.overview import Audited, HeadlinePair, Overview
    from reports.schema import AuditReport, Check, Outcome

MAX_COMMENT: Final = 65_536  # characters that GitHub takes in a comment of a pull request
MAX_TEXT: Final = 160  # characters of any one text
MAX_FINDING: Final = 400  # of what was seen of a task, model or group
MAX_WARNING: Final = 600  # of a sentence of ours, with a few names in it
MAX_ROWS: Final = 20  # attempts in question that are named; the rest are counted
MAX_NAME: Final = 60  # characters of a copy's or source's name in a table
MAX_TASKS: Final = 4  # named in the legend of a table
MAX_LISTED: Final = 8  # agents, gaps and other lists
MAX_HELD: Final = 4  # agents whose figures are told under other counts
_RULE: Final = 3  # columns of the line under a table's head
# Everything in the middle of a line that Markdown, or HTML inside it, takes for mark-up.
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~&$])")
_WWW = re.compile(r"(?i)(?<![^\W_])(www)\.")  # code hosts make a link of what begins so


def plain(text: str, most: int = MAX_TEXT) -> str:
    r"""Make a text one line that Markdown shows as it is, whatever it holds.

    Parameters
    ----------
    most : int
        Characters after which it is cut.

    Examples
    --------
    >>> print(plain("a | b\n<b> https://x.y @all"))
    a \| b \<b\> https:\//x.y ＠all
    """
    line = " ".join(words.visible(words.clip(text, most)).split())
    escaped = _MARKUP.sub(r"\\\1", line)
    # No address becomes a link. No backslash keeps a code host from ringing people up, so `@` is
    # written by its wide twin.
    return _WWW.sub(r"\1\.", escaped.replace("://", r":\//")).replace("@", "＠")


def code(text: str, most: int = MAX_TEXT) -> str:
    """Show a text as code in one line; no run of backticks in it can end the code.

    Parameters
    ----------
    most : int
        Characters after which it is cut.

    Examples
    --------
    >>> code("run.log:3"), code("a`b|c")
    ('`run.log:3`', '`aˋb¦c`')
    """
    line = " ".join(words.visible(words.clip(text, most)).split())
    # A look-alike is used for the two characters that end code or a table's cell.
    return f"`{line.replace('`', 'ˋ').replace('|', '¦') or ' '}`"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], right: int = 99) -> list[str]:
    """Lay out a table whose columns line up in a terminal too; from `right` on, to the right."""
    cells = [list(head), *map(list, rows)]
    # A column of one letter would get a rule without a dash, which is no table at all.
    widths = [max(_RULE, *(len(row[i]) for row in cells)) for i in range(len(head))]

    def line(row: Sequence[str]) -> str:
        padded = (
            c.rjust(w) if i >= right else c.ljust(w)
            for i, (c, w) in enumerate(zip(row, widths, strict=True))
        )
        return f"| {' | '.join(padded)} |"

    rule = [("-" * (w - 1) + ":") if i >= right else "-" * w for i, w in enumerate(widths)]
    return [line(cells[0]), f"| {' | '.join(rule)} |", *map(line, cells[1:])]


def _more(count: int, what: str) -> list[str]:
    """Say how many were left out, when any were."""
    return ["", f"… and {words.counted(count, what)}, in the audit document."] if count > 0 else []


def _of_attempts(over: Overview) -> list[str]:
    """Write what attempts came to; nothing where tasks or models alone were audited."""
    if over.alone:
        return []
    head = [] if over.is_loose else ["", "### Headline", "", *_headline(over), *_held(over)]
    return [*head, "", f"### {over.noun.capitalize()}s in question", "", *_in_question(over)]


def _headline(over: Overview) -> list[str]:
    if not over.headlines:
        return [
            "No grades are in this document, so there is no headline.",
            *map(plain, caveats.headline_notes(over)),
        ]

    def rows(pair: HeadlinePair) -> list[list[str]]:
        parts = [("all attempts", pair.everything)]
        if over.has_without:
            parts.append(("without those in question", pair.without))
        return [
            [plain(pair.agent), what, str(h.n_attempts), plain(words.medal_share(h)),
             words.share(h.valid_submission), words.share(h.above_median)]
            if h else [plain(pair.agent), what, "0", "–", "–", "–"]
            for what, h in parts
        ]  # fmt: skip

    head = ("agent", "counted", "attempts", "any medal", "valid", "above median")
    shown = over.headlines[:MAX_LISTED]
    return [
        *_table(head, (row for pair in shown for row in rows(pair)), right=2),
        *_more(len(over.headlines) - len(shown), "more agent"),
        *_incomparable(over),
        "",
        "Mean over seeds ± standard error (ddof 1) of the share of an agent's attempts.",
        *map(plain, caveats.headline_notes(over)),
    ]


def _held(over: Overview) -> list[str]:
    """Tell the figures under other counts, as far as anything changes."""
    told = over.report.sensitivity[:MAX_HELD]
    if not told:
        return []
    rows = (
        [
            plain(one.agent, MAX_NAME),
            plain(f"split {row.name}" if row.kind == "split" else row.name),
            str(row.figures.n_tasks),
            plain(rates.figure(row.figures.any_medal, starred=not row.figures.comparable)),
            rates.interval(row.figures.any_medal),
            rates.figure(row.figures.above_median),
            rates.interval(row.figures.above_median),
        ]
        for one in told
        for row in rates.told_rows(one)
    )
    head = ("agent", "counted", "tasks", "any medal", "95 %", "above median", "95 %")
    return [
        "",
        "### How far the headline holds",
        "",
        *_table(head, rows, right=2),
        *_more(len(over.report.sensitivity) - MAX_HELD, "more agent"),
        "",
        "95 %: bootstrap interval over tasks and attempts. Rows that change nothing are left out.",
        *(f"- {plain(line)}" for line in rates.beside(over.report)[:MAX_LISTED]),
    ]


def _incomparable(over: Overview) -> list[str]:
    """Say where a medal or a place does not mean what it means on the board."""
    told = [plain(sentence) for sentence in over.incomparable[:MAX_TASKS]]
    if rest := len(over.incomparable) - len(told):
        told.append(words.counted(rest, "more task"))
    return ["", f"\\* {NOT_COMPARABLE}: {'; '.join(told)}."] if told else []


def _reason(a: Audited) -> str:
    """Say why an attempt is in question: its gravest finding, or the policy's sentence."""
    if a.findings:
        first = a.findings[0]
        more = f" (+{len(a.findings) - 1} more)" if len(a.findings) > 1 else ""
        return f"{first.severity.value}: {plain(first.message)}{more}"
    return plain("; ".join(a.verdict.because if a.verdict else ())) or "no reason is given"


def _proof(a: Audited) -> str:
    """Say where the proof of an attempt's gravest finding lies: a file where there is one."""
    folder = a.subject.path or a.subject.id
    if not a.findings:
        return folder
    first = a.findings[0].evidence[0]
    place = places.own_place(a, a.findings[0])
    return f"{folder}{'/' if hasattr(first, 'path') else ' '}{place}"


def _in_question(over: Overview) -> list[str]:
    if not over.in_question:
        return [f"No {over.noun} is in question."]
    shown = over.in_question[:MAX_ROWS]
    rows = (
        [
            a.conclusion.value if a.conclusion else "not judged",
            plain(a.subject.title),
            _reason(a),
            code(_proof(a)),
        ]
        for a in shown
    )  # fmt: skip
    return [
        *_table(("verdict", over.noun, "what was seen", "where the proof is"), rows),
        *_more(len(over.in_question) - len(shown), f"more {over.noun}"),
    ]


def _copies(over: Overview) -> list[str]:
    """Name the strongest pairs of a copy and a source."""
    pairs = Copies(over).pairs
    if not pairs:
        return []
    rows = (
        [
            plain(p.copy.label, MAX_NAME),
            plain(p.source.label, MAX_NAME),
            shared(p),
            "–" if p.share is None else percent(p.share),
            f"{p.strongest.longest_run:,}" if p.strongest else "–",
            probability(p.p),
            probability(p.q),
            p.findings[0].severity.value,
        ]
        for p in pairs[:MAX_LISTED]
    )
    head = ("copy", "source", "shared", "copied", "longest run", "p", "q", "severity")
    return [
        "",
        "### Copies and their sources",
        "",
        *_table(head, rows, right=3),
        *_more(len(pairs) - MAX_LISTED, "weaker pair"),
        "",
        *LEGEND,
    ]


def _gaps(over: Overview) -> list[str]:
    alike: dict[tuple[Outcome, str], list[Check]] = defaultdict(list)
    for c in over.unanswered:
        alike[c.outcome, overview.silence(c) or "no reason was given"].append(c)
    lines = [
        f"- {_detectors(checks)} {outcome.value.replace('_', ' ')} for "
        f"{words.counted(len({c.subject for c in checks}), 'subject')}: {plain(reason)}"
        for (outcome, reason), checks in alike.items()
    ]
    lines += [
        f"- {words.counted(len(attempts), 'attempt')} not graded: {plain(why, MAX_WARNING)}"
        for why, attempts in caveats.ungraded(over)
    ]
    unseen: dict[str, list[str]] = defaultdict(list)
    for n in over.report.not_checked:
        unseen[n.why].append(n.what)
    lines += [_unseen(why, what) for why, what in unseen.items()]
    answered = "Every check gave an answer." if over.report.checks else "No check was made."
    shown = lines[:MAX_LISTED] or [answered]
    return [*shown, *_more(len(lines) - MAX_LISTED, "more gap")]


def _detectors(checks: Iterable[Check]) -> str:
    """Name the detectors of some checks."""
    names = list(dict.fromkeys(c.detector for c in checks))
    rest = len(names) - MAX_TASKS
    more = [words.counted(rest, "more detector")] if rest > 0 else []
    return words.listed([*map(code, names[:MAX_TASKS]), *more])


def _unseen(why: str, what: list[str]) -> str:
    """Name what was not looked at for one reason: one thing in full, several by their names."""
    reason = plain(why).rstrip(".")
    if len(what) == 1:
        return f"- {plain(what[0])} ({reason})"
    names = [plain(w.partition(":")[0]) for w in what[:MAX_LISTED]]
    if rest := len(what) - len(names):
        names.append(words.counted(rest, "more thing"))
    return f"- {words.listed(names)} ({reason})"


def _others(over: Overview) -> list[str]:
    """Tell of tasks, models and groups that are not clean."""
    told = [a for a in over.others if a.findings or a.is_in_question]
    lines = [line for a in told[:MAX_LISTED] for line in _other(a)]
    if not lines:
        return []
    return [
        "",
        "### Tasks, models and groups",
        "",
        *lines,
        *_more(len(told) - MAX_LISTED, "more subject"),
    ]


def _other(a: Audited) -> list[str]:
    """Tell of one of them: every finding above a note, for there is no table that has the rest."""
    head = (
        f"- {a.subject.kind.value} {plain(a.subject.title)}, "
        f"{a.conclusion.value if a.conclusion else 'not judged'}:"
    )
    grave = [f for f in a.findings if f.severity > Severity.NOTE]
    shown = grave[:MAX_LISTED] or a.findings[:1]
    rest = len(a.findings) - len(shown)
    said = [f"{f.severity.value}: {plain(f.message, MAX_FINDING)}" for f in shown]
    if not said:
        return [f"{head} {_reason(a)}"]
    if len(said) == 1:
        return [f"{head} {said[0]}{f' (+{rest} more)' if rest else ''}"]
    kind = "milder finding" if len(shown) == len(grave) else "more finding"
    left = [f"  - {words.counted(rest, kind)}"] if rest else []
    return [head, *(f"  - {line}" for line in said), *left]


def _remarks(over: Overview) -> list[str]:
    """List every suppression with who answers for it, and every appeal with its finding."""
    report = over.report
    messages = {f.id: f"{f.severity.value}: {f.message}" for f in report.findings}
    lines = ["", "### Suppressed", ""] if report.suppressions else []
    for s in report.suppressions:
        state = {"acts": "counts in no verdict", "expired": "expired, acts no more"}.get(s.state)
        named = "".join(f"; {plain(messages[i])}" for i in s.findings[:MAX_LISTED] if i in messages)
        rest = len(s.findings) - MAX_LISTED
        more = f" and {words.counted(rest, 'more finding')}" if rest > 0 else ""
        lines.append(
            f"- {code(s.scope)}, {state or 'unused: no finding fits'}: "
            f"{plain(words.struck_out(s), MAX_WARNING)}{named}{more}"
        )
    lines += ["", "### Appeals", "", "They change no verdict.", ""] if report.appeals else []
    for a in report.appeals:
        about = plain(messages.get(a.finding, "this audit has no such finding"))
        lines.append(f"- {code(a.finding)} ({about}): {plain(words.appealed(a), MAX_WARNING)}")
    return lines


def fitting(lines: Sequence[str], most: int = MAX_COMMENT) -> str:
    """Join lines into a text of at most `most` characters; where some do not fit, say how many.

    Parameters
    ----------
    lines : sequence of str
        The two last ones, who made it and what it does not prove, always stay.

    Examples
    --------
    >>> print(fitting([*"abcd" * 40, "limits", "made by"], 110), end="")
    a
    b
    … and 158 more lines did not fit into 110 characters; they are in the audit document.
    limits
    made by
    """
    if sum(len(line) + 1 for line in lines) <= most:
        return "\n".join(lines) + "\n"
    body, end = lines[:-2], lines[-2:]
    told = (
        "… and {:,} more lines did not fit into "
        f"{most:,} characters; they are in the audit document."
    )
    left = most - sum(len(line) + 1 for line in (*end, told, f"{len(body):,}"))
    kept: list[str] = []
    for line in body:
        left -= len(line) + 1
        if left < 0:
            break
        kept.append(line)
    return "\n".join([*kept, told.format(len(body) - len(kept)), *end]) + "\n"


def render_markdown(report: AuditReport) -> str:
    """Render an audit's summary as Markdown: about a screen, whatever the size of the audit.

    Parameters
    ----------
    report : AuditReport
        The document; nothing else is read.

    Returns
    -------
    str
        Markdown that ends with a newline. Text from attempts is escaped and cut.
    """
    over = overview.Overview(report)
    told = f"; {words.rejudged(report)}" if report.rejudged else ""
    judged = over.counts(over.alone or over.attempts)
    counts = ", ".join(f"{n:,} {c.value}" for c, n in judged) or "none"
    lines = [
        f"## {plain(over.answer)}",
        "",
        f"Verdicts on {over.noun}s: {counts}. {plain(over.exit).capitalize()}.",
        *([f"{plain(over.effect)}"] if over.effect else []),
        *(plain(sentence, MAX_WARNING) for sentence in caveats.warnings(over)),
        *(
            f"To go on: {code(command, MAX_WARNING)}"
            for command in caveats.resuming(report.grading)
        ),
        *_of_attempts(over),
        *_others(over),
        *_copies(over),
        *_remarks(over),
        "",
        "### Not checked",
        "",
        *_gaps(over),
        "",
        "Clean means that these checks saw nothing, not that nothing was there.",
        f"mle-audit {plain(report.tool_version)}, policy {plain(report.policy)}, "
        f"{report.created_at:%Y-%m-%d %H:%M %Z}{plain(told, MAX_WARNING)}.",
    ]
    return fitting(lines)
