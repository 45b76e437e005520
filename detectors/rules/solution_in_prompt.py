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
from detectors.rules.hints import Hint, Kind, hints
from detectors.rules.prompts import is_done, said
from detectors.rules.shown import cut
from detectors.text_file import read_text_file
from detectors.trajectories.events import EventKind, events
from reports.schema import CodeLines, Confidence, LogLines, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.base import Subject
    from detectors.rules.prompts import Said
    from detectors.text_file import TextFile
    from detectors.trajectories.events import Event
    from reports.schema import Finding

MAX_SHOWN = 400  # characters of a file that is shown
MAX_GIVEN = 200_000  # characters of a file that a scaffold keeps for its agents
MAX_DESCRIPTION = 4 << 20  # bytes
_READ = frozenset({EventKind.COMMAND, EventKind.CODE, EventKind.READ})
_KNOWLEDGE = re.compile(
    r"knowledge|\btips?\b|_tips|tips_|memor(?:y|ies)\b|\bprior|playbook|lessons|insights?\b|"
    r"\bwiki\b|(?:top|winning|past|public)[_-]?solutions?|\bkg[_-]|few[_-]?shot|\bkernels?/|"
    r"\bdiscussions?\b|write-?ups?|\bhints?\b|case[_ -]?(?:bank|base|library)|cheat-?sheet|"
    r"\bkb\b|\bkb_|knowledge_?base|\brag\b|retriev\w*|experience|past_runs|archive|wiki_search|"
    r"search_(?:kaggle|solutions?|discussions?|docs|memory|knowledge)|\brecall\w*|"
    r"vector_?(?:store|db)|"
    r"\b(?:AGENTS?|CLAUDE|GEMINI|SKILL|INSTRUCTIONS?)\.(?:md|txt)\b|\.cursorrules|"
    r"copilot-instructions",
    re.IGNORECASE,
)
_KERNELS = re.compile(  # what others published of the task, in folders of their own
    r"^(?![\s\S]*\bmkdir\b)[\s\S]*?(?:^|[\s/'\"])(?:(?:top|public|best|kaggle|"
    r"community)[_-]?kernels?|"
    r"kernels?|(?:top|public|kaggle|winning|community)[_-](?:notebooks?|solutions?|code)|"
    r"winning_solutions?|discussions?|write-?ups?)"
    r"/[\w .()@+-]+(?:/[\w .()@+-]+)*\.(?:ipynb|py|r|R|Rmd|md|txt|html)\b",
)
_TOOL = re.compile(
    r"^(?=\w{3,60} \{)\w*(?:insight|memor|knowledge|hint|tips|retriev|recall|lookup|"
    r"look_up|kb_|solution|kaggle|expert|advis|wiki|skill|experience|playbook|lesson|case)\w*",
    re.IGNORECASE,
)  # fmt: skip
_STARTS = re.compile(
    r"\b(?:run_agent|start_agent|launch_agent|main_agent|agent|run_task|aide)\S*\.(?:py|sh)\b|"
    r"^\s*(?:python -m )?(?:aide|mle-?agent|openhands|mini)\b", re.IGNORECASE,
)  # fmt: skip
_LOADED = re.compile(
    r"\b(?:loaded|retrieved|injected|recalled)\b[^\n]{0,30}\b(?:prior knowledge|tips?|knowledge|"
    r"memor(?:y|ies)|solutions|insights)\b|\bskill (?:file )?(?:loaded|retrieved|injected)\b|"
    r"\s--(?:hints?|tips|knowledge|prior[_-]knowledge)[ =]",
    re.IGNORECASE,
)
_READS = re.compile(  # commands that show what a file, a variable or a table holds
    r"(?:^|[;&|(]\s*)(?:sudo )?(?:cat|bat|head|tail|less|more|sed -n|awk|jq|yq|grep|rg|strings|"
    r"zcat|gunzip -c|"
    r"base64|xxd|openssl|unzip -p|tar -xO\w*|pdftotext|pandoc|sqlite3|echo [\"']?\$|printenv|env|"
    r"tr|nl|fold|cut|"
    r"xclip|html2text|lynx -dump|w3m -dump|gpg|rev|git (?:-C \S+ )?(?:show|log|notes))\b|"
    r"\bopen\(|read_text\(|\bb64decode\(|codecs\.decode|fromhex|os\.environ|getenv|json\.load|"
    r"yaml\.\w*load|"
    r"Document\(|PdfReader\(|pickle\.load|\bnbformat\b|readLines\(|read_csv\("
)
_NOT_GIVEN = re.compile(  # from elsewhere, of the task's own data, or of what was trained
    r"\b(?:curl|wget|https?://|kaggle (?:kernels|competitions|datasets|c)\b|git clone|requests\.|"
    r"urlopen)|"
    r"\b(?:description|overview|sample_submission|train|test|labels|submission)\w*\.(?:md|txt|"
    r"csv|json|html)\b|"
    r"(?:^|[\s/'\"])(?:data|inputs?|datasets?)/[\w./-]+\.(?:csv|tsv|jsonl?|parquet|txt)\b|"
    r"(?:site|dist)-packages|/usr/(?:lib|share)|conda/|\bpip3? |"
    r"\.(?:log|out|err)\b|(?:^|[;&|]\s*)(?:python3?|Rscript|bash|sh) (?!-)\S+\.\w+",
    re.IGNORECASE,
)
_IN_CONTEXT = re.compile(  # of what was put before the agent
    r"\b(?:context|knowledge|retriev\w*|inject\w*|memor(?:y|ies)|tips?|insights?|priors?|hints?|"
    r"kg|rag|"
    r"recalled|prompt|few-?shot|playbook|lessons?)\b", re.IGNORECASE,
)  # fmt: skip
_WRITTEN = re.compile(
    r"(?:>|\btee(?: -a)?|\bto_csv\()\s*[\"']?([\w./~-]+\.\w{1,6})\b|"
    r"\bopen\(\s*[\"']([\w./~-]+)[\"']\s*,\s*[\"'][wax]"
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

    Read are prompts, what stands in a log before the agent's first step, what knowledge files,
    memories, tools that know the task and folders of public kernels gave when they were asked, and
    settings and files of prompts beside code or logs. What counts are medal thresholds and ranks
    with their scores, what highly placed solutions did, public kernels, and methods with the board
    scores that they reached. The task's description, general advice, prizes, what is forbidden,
    what the agent recalls by itself, and memory of its own run are none of these. Prior knowledge
    that the record declares makes it a note.

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
            "scaffold's own code nothing but settings and files of prompts is read."
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
    own = frozenset(f.name.rpartition("/")[2] for f in subject.code)
    for event, text in (pair for log in subject.logs for pair in _told_in(log, own)):
        if not text or text in seen:
            continue
        seen.add(text)
        for hint in hints(text):
            words = _plain(text[hint.start : hint.end])
            if words not in described and words not in seen:
                seen.add(words)
                yield Told(hint.kind.value, _log_lines(event, text, hint), is_given=True)
        if text is event.output and _KERNELS.search(event.target or event.text[:2000]):
            whole = Hint(Kind.KERNEL, 0, min(len(text), MAX_SHOWN))
            yield Told(Kind.KERNEL.value, _log_lines(event, text, whole), is_given=True)


def _told_in(log: TextFile, own: frozenset[str]) -> Iterator[tuple[Event, str]]:
    """Yield what a log shows that the agent was told; what stands before all it did is, too.

    Parameters
    ----------
    own : frozenset of str
        Names of the attempt's own files, which tell nothing that it did not know.
    """
    head: list[Event] = []
    written = set(own)
    is_head = True
    called: re.Match[str] | None = None  # a tool of the scaffold that knows something
    for one in said(events([log])):
        if is_head and (one.own or is_done(one.event)):
            is_head = False
            if head:
                whole = "\n".join(event.text for event in head)
                yield head[0]._replace(text=whole, last_line=head[-1].last_line), whole
        if is_head and one.event.kind is EventKind.TEXT and not one.told:
            head.append(one.event)
        is_answer = one.event.kind is EventKind.OUTPUT and one.event.by == "tool"
        if is_answer and called is not None:
            yield one.event, one.event.text
        asks = one.event.kind is EventKind.TEXT and _TOOL.match(one.event.text)
        called = asks or (called if is_answer else None)
        written |= _writes(one.event)
        yield one.event, _given(one, written)


def _writes(event: Event) -> set[str]:
    """Name the files that an event writes."""
    if event.kind is EventKind.WRITE:
        return {event.target.rpartition("/")[2]}
    if event.kind not in _READ:
        return set()
    found = _WRITTEN.finditer(event.text[:20_000])
    return {(m[1] or m[2]).rpartition("/")[2] for m in found}


def _given(one: Said, written: set[str]) -> str:
    """Return what an event told the agent: a prompt, or what a file that is not its own gave.

    Parameters
    ----------
    written : set of str
        Names of files that the agent wrote before, or writes here.
    """
    event = one.event
    starts = event.kind is EventKind.COMMAND and _STARTS.search(event.text[:200])
    if one.told or starts or _LOADED.search(event.text[:200]):
        return event.text
    asked = event.target or event.text[:2000]
    if event.kind is EventKind.NETWORK and _TOOL.match(f"{event.text.partition(' ')[0]} {{"):
        return event.output
    is_read = event.kind in _READ and bool(event.output.strip())
    if is_read and (_KNOWLEDGE.search(asked) or _KERNELS.search(asked)):
        return event.output
    shows = event.kind is EventKind.READ or _READS.search(asked)
    if is_read and shows and not _NOT_GIVEN.search(asked) and not any(w in asked for w in written):
        return event.output
    is_line = event.kind is EventKind.TEXT and not one.own
    return event.text if is_line and _IN_CONTEXT.search(event.text[:300]) else ""


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
    for file in (*subject.settings, *kept):
        is_prompt = _PROMPTS.search(file.name)
        at = file.text.find(name) if name else -1
        if at < 0 and not is_prompt:
            continue
        at = 0 if is_prompt else at
        about = file.text[at : at + 20_000]
        found = next(hints(about), None)
        key = _KEY.search(about)
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


def _in_given_files(subject: Attempt, task: str, read: set[str]) -> Iterator[Told]:
    """Read what a scaffold keeps for its agents beside the logs; of other tasks it says nothing."""
    for file in subject.logs:
        if file.is_large or file.name in read or not _GIVEN_FILES.search(file.name):
            continue
        text = file.text[:MAX_GIVEN]
        for hint in hints(text):
            before = _ITS_TASK.findall(text[: hint.end + 400])
            if before and task and task not in before:
                continue
            line = file.text.count("\n", 0, hint.start) + 1
            excerpt = cut(text[max(0, hint.start - 40) : hint.end + 200])
            evidence = CodeLines(
                path=file.name, first_line=line, last_line=line, excerpt=excerpt,
                shows=f"holds {hint.kind.value}",
            )  # fmt: skip
            yield Told(hint.kind.value, evidence, is_given=False)


def _is_of_scaffold(name: str) -> bool:
    """Say whether a file among the logs is what a scaffold was set up with, and no record."""
    is_named = _SETTINGS.search(name)
    is_set = re.search(r"\.(?:ya?ml|toml)$", name, re.IGNORECASE)
    is_known = "config" in name.lower() or _KNOWLEDGE.search(name)
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
