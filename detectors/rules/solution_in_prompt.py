"""Was the agent told how its task is solved? Prompts, knowledge files, memory of earlier runs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from competitions import spec as specs
from competitions.data import layout_of
from competitions.errors import MleAuditError
from detectors.attempt import Attempt
from detectors.base import About, register
from detectors.rules.given import KERNELS, given_in
from detectors.rules.given_files import Told, in_files
from detectors.rules.hints import Hint, Kind, hints
from detectors.rules.shown import cut
from detectors.text_file import read_text_file
from reports.schema import Confidence, LogLines, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.base import Subject
    from detectors.trajectories.events import Event
    from reports.schema import Finding

MAX_SHOWN = 400  # characters of a file that is shown
MAX_DESCRIPTION = 4 << 20  # bytes
MAX_HEAD = 2_000  # characters of a file in which it says that others wrote it
_SUPPLIED = re.compile(
    r"\b(?:supplied|provided|shipped|pre-?installed)\b[^\n]{0,40}"
    r"\b(?:do not|don't|never|must not be) (?:chang|edit|modif|touch|alter)|"
    r"\b(?:note|nb|hints?|message|remarks?) (?:for|to) the (?:agent|model|assistant)\b",
    re.IGNORECASE,
)
_NOTHING_DECLARED = frozenset({"", "none", "no", "n/a", "nothing", "none declared", "unknown"})


@register
@dataclass(frozen=True)
class SolutionInPrompt:
    """What a scaffold told its agent of the task's solution.

    Read are prompts, what stands in a log before the agent's first step, what files, tools and
    folders of public kernels gave when they were asked, in plain words or encoded, and settings,
    files and texts of prompts beside code or logs. What counts are medal thresholds and ranks with
    their scores, what highly placed solutions did, public kernels, methods with the board scores
    that they reached, and files that are handed over with these. The task's description, general
    advice, prizes, what is forbidden, what the agent wrote or recalls by itself, what its programs
    print, and memory of its own run are none of these. Prior knowledge that the record declares
    makes it a note.

    Parameters
    ----------
    max_evidence : int >= 1, default=8
        Places shown with a finding.
    data : str, default=""
        Data directory; what stands in the task's description there counts for nothing.
    """

    about: ClassVar[About] = About(
        id="solution-in-prompt",
        subject=SubjectKind.ATTEMPT,
        asks="Was the agent told thresholds, winners' methods or public kernels of its task?",
        blind_spots=(
            "Prompts that no log keeps are not seen, nor is what a model was trained on, advice "
            "that names neither places nor scores, or a solution that is told without saying so. "
            "Solutions that the agent fetched by itself are the network's question. Of a "
            "scaffold's own code nothing but settings, files of prompts, and texts that are named "
            "after prompts or after the task is read."
        ),
        reference="https://arxiv.org/abs/2410.07095 (MLE-bench, contamination and plagiarism)",
        needs=frozenset({"code", "logs"}),
    )
    max_evidence: int = 8
    data: str = ""

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        return None if isinstance(subject, Attempt) else "it looks at attempts only"

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`."""
        if not isinstance(subject, Attempt):
            raise TypeError(subject)
        described = _described(subject, self.data)
        told = list(_in_logs(subject, described))
        told += in_files(subject)
        if not told:
            return
        given = [one for one in told if one.is_given]
        declared = _declared(subject)
        how = "The agent was told" if given else "Files beside the code hold"
        kinds = list(dict.fromkeys(one.shows for one in given or told))
        as_said = f"; the record declares prior knowledge: {cut(declared)}" if declared else ""
        yield self.about.finding(
            subject,
            f"{how} {' and '.join(kinds[:2])} ({len(told)} places{as_said}).",
            *(
                one.evidence
                for one in [*given, *(t for t in told if not t.is_given)][: self.max_evidence]
            ),
            severity=Severity.NOTE if declared else Severity.MEDIUM,
            confidence=Confidence.HIGH if given else Confidence.MEDIUM,
        )


def _declared(subject: Attempt) -> str:
    """Return the prior knowledge that the record declares; empty where it declares none."""
    record = subject.readable_record
    text = (record.agent.prior_knowledge or "") if record else ""
    return "" if text.strip().lower().rstrip(".") in _NOTHING_DECLARED else text


def _in_logs(subject: Attempt, described: str) -> Iterator[Told]:
    """Read what the agent was told, each text once however often a log repeats it."""
    seen: set[str] = set()
    written = (f for f in subject.code if not _SUPPLIED.search(f.text[:MAX_HEAD]))
    names = (f.name.rpartition("/")[2] for f in written)
    own = frozenset(n for n in names if n.endswith((".py", ".ipynb", ".R", ".jl", ".sh")))
    for event, text in (pair for log in subject.logs for pair in given_in(log, own)):
        if not text or text in seen:
            continue
        seen.add(text)
        for hint in hints(text):
            words = _plain(text[hint.start : hint.end])
            if words not in described and words not in seen:
                seen.add(words)
                yield Told(hint.kind.value, _log_lines(event, text, hint), is_given=True)
        if text is event.output and KERNELS.search(event.target or event.text[:2000]):
            whole = Hint(Kind.KERNEL, 0, min(len(text), MAX_SHOWN))
            yield Told(Kind.KERNEL.value, _log_lines(event, text, whole), is_given=True)


def _log_lines(event: Event, text: str, hint: Hint) -> LogLines:
    """Show the words; lines are counted where the text stands on lines of its own."""
    start = max(text.rfind("\n", 0, hint.start) + 1, hint.start - 120)
    is_prompt = text is event.text
    below = text.count("\n", 0, hint.start)
    on_lines = is_prompt and event.last_line > event.first_line
    line = event.first_line + (below if on_lines else 0)
    return LogLines(
        path=event.where,
        first_line=line,
        last_line=line,
        excerpt=cut(text[start : hint.end + 120] if is_prompt else event.text),
        shows=f"tells {hint.kind.value}",
        output=None if is_prompt else cut(text[start : hint.end + 120]),
    )


def _described(subject: Attempt, data: str) -> str:
    """Return the words of the task's description, as far as it is here."""
    record = subject.readable_record
    name = record.competition_id if record else subject.id.rpartition("_")[0]
    if not data or not name:
        return ""
    try:
        path = layout_of(specs.load(name), Path(data)).public / "description.md"
    except MleAuditError:
        path = Path(data) / name / "prepared" / "public" / "description.md"
    if not path.is_file() or path.is_symlink():
        return ""
    return _plain(read_text_file(path, path.name, MAX_DESCRIPTION).text)


def _plain(text: str) -> str:
    return " ".join(text.lower().split())
