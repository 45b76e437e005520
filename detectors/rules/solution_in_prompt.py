"""Was the agent told how its task is solved? Prompts, knowledge files, memory of earlier runs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from competitions import spec as specs
from competitions.data import layout_of
from competitions.errors import MleAuditError
from detectors.attempt import Attempt
from detectors.base import About, register
from detectors.rules.given import KERNELS, KNOWLEDGE, given_in
from detectors.rules.hints import Hint, Kind, hints
from detectors.rules.shown import cut
from detectors.text_file import read_text_file
from reports.schema import CodeLines, Confidence, LogLines, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.base import Subject
    from detectors.text_file import TextFile
    from detectors.trajectories.events import Event
    from reports.schema import Finding

MAX_SHOWN = 400  # characters of a file that is shown
MAX_GIVEN = 200_000  # characters of a file that a scaffold keeps for its agents
MAX_ENTRY = 3_000  # and of what code keeps of one task
MAX_DESCRIPTION = 4 << 20  # bytes
MAX_HEAD = 2_000  # characters of a file in which it says that others wrote it
_SUPPLIED = re.compile(
    r"\b(?:supplied|provided|shipped|pre-?installed)\b[^\n]{0,40}"
    r"\b(?:do not|don't|never|must not be) (?:chang|edit|modif|touch|alter)|"
    r"\b(?:note|nb|hints?|message|remarks?) (?:for|to) the (?:agent|model|assistant)\b",
    re.IGNORECASE,
)
_SETTINGS = re.compile(r"(?:^|/)config[\w.-]*\.(?:ya?ml|toml|json)$|\.(?:jsonl|md)$", re.IGNORECASE)
_NOTHING_DECLARED = frozenset({"", "none", "no", "n/a", "nothing", "none declared", "unknown"})
_PROMPTS = re.compile(
    r"(?:^|/)(?:(?:system_?|user_?|task_?|agent_?)?prompts?|knowledge|hints?|tips|playbooks?|"
    r"memory|skills?|"
    r"lessons|priors?)(?:/[\w./-]+|[\w-]*)\.(?:md|txt|jinja2?|j2|ya?ml|jsonl?)$|"
    r"(?:^|/)(?:AGENTS|CLAUDE|GEMINI|SKILL)\.md$", re.IGNORECASE,
)  # fmt: skip
_GIVEN_FILES = re.compile(  # what a scaffold keeps for its agents, of all tasks or of one
    r"(?:^|[/_-])(?:kg|knowledge\w*|(?:full_|task_|agent_)?(?:instructions?|context|"
    r"brief(?:ing)?|appendix)|"
    r"few_?shots?|retriev\w*|cases?|case_?(?:bank|base)|rag|wiki|experience\w*|insights?|memories|"
    r"winners?|(?:past|prior|top|winning|public)_\w+|write-?ups?|discussions?|forum)"
    r"[\w-]*\.(?:jsonl?|md|txt|ya?ml|html|csv|ipynb)$",
    re.IGNORECASE,
)
_ANSWER = re.compile(r"[\"']?role[\"']?\s*:\s*[\"']?(?:assistant|agent|model)\b")
_PROMPT_TEXT = re.compile(  # a prompt that code of a scaffold holds
    r"^[ \t]*\w*(?:PROMPT|INSTRUCTIONS|SYSTEM_MESSAGE|TIPS|HINTS|KNOWLEDGE|_prompt|_hints|_tips)"
    r"\w*\s*(?::[^=\n]*)?=\s*\(?\s*[rfb]{0,2}(?P<quote>\"\"\"|'''|\"|')"
    r"(?P<text>[\s\S]{20,8000}?)(?P=quote)",
    re.MULTILINE,
)
_ITS_TASK = re.compile(
    r"[\"'](?:competition|task|task_id|challenge|problem)(?:_id|"
    r"_name)?[\"']\s*:\s*[\"']([\w -]+)[\"']"
)
_KEY = re.compile(
    r"[\"']?\b(?:\w*tips|\w*tricks|winning_\w+|top_solutions?|expected_private_score|"
    r"private_(?:score|lb)|prior_knowledge|insights|lessons(?:_learned)?|kernel_\w+)\b[\"']?\s*:",
    re.IGNORECASE,
)


class Told(NamedTuple):
    """A place where the agent's surroundings tell a solution."""

    shows: str
    evidence: LogLines | CodeLines
    is_given: bool  # the agent was shown it, and it does not only lie among the files


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
        told += _in_settings(subject)
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


def _in_settings(subject: Attempt) -> Iterator[Told]:
    """Read settings and files of knowledge, beside code or logs, about this very task."""
    name = subject.id.rpartition("_")[0] or subject.id
    record = subject.readable_record
    name = record.competition_id if record else name
    kept = [f for f in subject.logs if not f.is_large and _is_of_scaffold(f.name)]
    kept += [f for f in subject.tables if _PROMPTS.search(f.name)]
    yield from _in_given_files(subject, name, {f.name for f in kept})
    yield from _in_code(subject, name)
    for file in (*subject.settings, *kept):
        is_prompt = _PROMPTS.search(file.name)
        at = file.text.find(name) if name else -1
        if at < 0 and not is_prompt:
            continue
        at = 0 if is_prompt else at
        about = _ANSWER.split(file.text[at : at + 20_000])[0]
        found = next((h for h in hints(about) if not _of_another(about[: h.end], name)), None)
        key = None if _of_another(about[:MAX_ENTRY], name) else _KEY.search(about)
        if found is None and key is None:
            continue
        start, end = (found.start, found.end) if found else key.span() if key else (0, 0)
        line = file.text.count("\n", 0, at + start) + 1
        shows = found.kind.value if found else Kind.WINNERS.value
        yield Told(
            shows,
            CodeLines(
                path=file.name,
                first_line=line,
                last_line=line + about.count("\n", start, end),
                excerpt=cut(about[start : end + 200]),
                shows=f"holds {shows}, under the task's id",
            ),
            is_given=False,
        )


def _in_code(subject: Attempt, task: str) -> Iterator[Told]:
    """Read what code of a scaffold keeps under the task's id, as a key of a table of texts."""
    for file in subject.code:
        for found in _PROMPT_TEXT.finditer(file.text) if file.name.endswith(".py") else ():
            for hint in hints(found["text"]):
                yield _told_by_code(file, found["text"], found.start("text"), hint)
    key = re.compile(rf"[\"']{re.escape(task)}[\"']\s*:")
    for file in subject.code if task else ():
        at = key.search(file.text) if file.name.endswith((".py", ".json", ".js", ".ts")) else None
        if at is None:
            continue
        about = re.split(r"\n\s*[\"'][\w-]+[\"']\s*:", file.text[at.end() : at.end() + MAX_ENTRY])[
            0
        ]
        for hint in hints(about):
            yield _told_by_code(file, about, at.end(), hint)


def _told_by_code(file: TextFile, text: str, start: int, hint: Hint) -> Told:
    """Show where code of a scaffold holds what a hint says; `text` begins at `start` there."""
    line = file.text.count("\n", 0, start + hint.start) + 1
    evidence = CodeLines(
        path=file.name,
        first_line=line,
        last_line=line,
        excerpt=cut(text[hint.start : hint.end + 200]),
        shows=f"keeps {hint.kind.value} for a prompt",
    )
    return Told(hint.kind.value, evidence, is_given=False)


def _in_given_files(subject: Attempt, task: str, read: set[str]) -> Iterator[Told]:
    """Read what a scaffold keeps for its agents beside the logs; of other tasks it says nothing."""
    for file in subject.logs:
        if file.is_large or file.name in read or not _GIVEN_FILES.search(file.name):
            continue
        text = file.text[:MAX_GIVEN]
        for hint in hints(text):
            if _of_another(text[: hint.end + 400], task):
                continue
            line = file.text.count("\n", 0, hint.start) + 1
            excerpt = cut(text[max(0, hint.start - 40) : hint.end + 200])
            evidence = CodeLines(
                path=file.name, first_line=line, last_line=line, excerpt=excerpt,
                shows=f"holds {hint.kind.value}",
            )  # fmt: skip
            yield Told(hint.kind.value, evidence, is_given=False)


def _of_another(text: str, task: str) -> bool:
    """Say whether entries of a file are named after tasks, and none after this one."""
    named = _ITS_TASK.findall(text)
    return bool(named and task) and task not in named


def _is_of_scaffold(name: str) -> bool:
    """Say whether a file among the logs is what a scaffold was set up with, and no record."""
    is_named = _SETTINGS.search(name)
    is_set = re.search(r"\.(?:ya?ml|toml)$", name, re.IGNORECASE)
    is_known = "config" in name.lower() or KNOWLEDGE.search(name)
    is_told = is_set or _PROMPTS.search(name)
    return bool(is_told) or (bool(is_named) and bool(is_known))


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
