"""What lies beside an attempt's code and logs that a scaffold keeps for its agents."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from competitions import spec as specs
from detectors.rules.answer_names import RESULT
from detectors.rules.given import KNOWLEDGE
from detectors.rules.hints import Hint, Kind, hints
from detectors.rules.shown import cut
from reports.schema import CodeLines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.attempt import Attempt
    from detectors.text_file import TextFile
    from reports.schema import LogLines

MAX_GIVEN = 200_000  # characters of a file that a scaffold keeps for its agents
MAX_ENTRY = 3_000  # and of what code keeps of one task
MAX_ABOUT = 20_000  # and of what a file of them tells of one task
MAX_KEYS = 200  # settings, and names of tasks, of one file
MIN_TIP = 20  # characters of the shortest
_SETTINGS = re.compile(r"(?:^|/)config[\w.-]*\.(?:ya?ml|toml|json)$|\.(?:jsonl|md)$", re.IGNORECASE)
_KEPT = (  # what a scaffold calls that which it keeps for its agents
    r"(?:prompts?|knowledge|kb|hints?|tips|tricks|playbooks?|memor(?:y|ies)|skills?|lessons|priors?|"
    r"winners?|wiki|cheat_?sheets?|advice|insights?|guidelines?|style|style_?guide|experience|"
    r"case_?(?:bank|base)|few_?shots?|instructions?|context|briefing|write_?ups?|discussions?|medals?|"
    r"solutions|solution_?(?:db|bank|base))"
)
_PROMPTS = re.compile(
    rf"(?:^|/)(?:\w{{1,30}}[_-])?{_KEPT}(?:/[\w./-]+|[\w-]*)\.(?:md|txt|jinja2?|j2|tmpl|tpl|prompt|rst|"
    r"ya?ml|jsonl?|csv|tsv)$|(?:^|/)(?:AGENTS?|CLAUDE|GEMINI|SKILL)\.md$",
    re.IGNORECASE,
)
_READ_OUT = re.compile(  # a file's own word that agents are shown it
    r"\b(?:read|pasted|put|added|appended|prepended|injected|loaded|included|inserted|shown|"
    r"given|sent)"
    r"\b[^.\n]{0,20}\b(?:in ?to|to|in|before|with)\b[^.\n]{0,20}\b(?:prompts?|agents?|context|"
    r"model)\b|\b(?:for|to) (?:the |our |all )?agents?\b",
    re.IGNORECASE,
)
_SET_TEXT = re.compile(  # a setting whose value is put before the agent
    r"(?:^|[\s{,;])[\"']?\w{0,40}(?:prompt|context|instruction|hint|tips|trick|knowledge|guidance|"
    r"addendum|preamble|advice|briefing|notes|system|suffix|prefix|background)\w{0,40}[\"']?"
    r"[ \t]*[:=]",
    re.IGNORECASE | re.MULTILINE,
)
_SETS_UP = re.compile(
    r"\.env|(?:^|/)[^/]*(?:conf|setting|agent|scaffold|prompt|run|param|hydra|experiment|launch|"
    r"default)[^/]*$",
    re.IGNORECASE,
)
_BUILDS = re.compile(  # code that makes prompts, by its name
    r"(?:^|/)[\w-]*(?:prompt|scaffold|context|hints?|tips|knowledge|memory|retriev|system|harness|ctx)"
    r"[\w-]*\.(?:py|sh|js|ts)$",
    re.IGNORECASE,
)
_TRAINS = re.compile(r"\.fit\(|\.backward\(|\.train\(|read_csv\(")
_TABLE_OF_TIPS = re.compile(
    r"^[ \t]*(?:const |let |var )?\w*(?:TRICKS?|TIPS?|HINTS?|KNOWLEDGE|WINN\w*|SECRETS?|PLAYBOOKS?|"
    r"RECIPES?|INSIGHTS?|LESSONS?|PRIORS?|ADVICE)\w*\s*(?::[^=\n]*)?=\s*(?:\w+\()?\{",
    re.IGNORECASE | re.MULTILINE,
)
_TELLS_MODEL = re.compile(r"prompt|instruction|message|system|context", re.IGNORECASE)
_HEADED = re.compile(r"\.(?:csv|tsv)$", re.IGNORECASE)
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
_ENTRY = re.compile(r"[\"'](?P<name>[\w .-]{1,80})[\"']\s{0,9}:\s{0,9}(?=[rfb]?[\"'\[({])")
_OF_ANY_TASK = re.compile(
    rf"{_KEPT}|\b(?:role|content|text|title|value|body|name|system|user|all|default|general|any)\b|"
    r"messages?|_",
    re.IGNORECASE,
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


def in_files(subject: Attempt) -> Iterator[Told]:
    """Read settings and files of knowledge, beside code or logs, about this very task."""
    name = task_named(subject)
    kept = [f for f in subject.logs if not f.is_large and _is_of_scaffold(f.name)]
    kept += [f for f in subject.tables if f not in subject.settings and _is_kept(f, name)]
    yield from _in_given_files(subject, name, {f.name for f in kept})
    yield from _in_code(subject, name)
    yield from _in_texts_of_settings(subject)
    for file in subject.code:
        if _BUILDS.search(file.name) and not _TRAINS.search(file.text):
            yield from (
                _told_by_code(file, file.text, 0, hint)
                for hint in hints(file.text)
                if not _is_under_another(file.text, hint.start, name)
            )
    for file in (*subject.settings, *kept):
        about, at = _of_task(file, name, is_whole=_is_kept(file, name))
        if not about:
            continue
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
        tips = list(_TABLE_OF_TIPS.finditer(file.text, 0, at.start()))
        if tips and "}" not in file.text[tips[-1].end() : at.start()] and len(about) > MIN_TIP:
            if _TELLS_MODEL.search(file.name + file.text):
                yield _told_by_code(
                    file, about, at.end(), Hint(Kind.WINNERS, 0, min(len(about), 200))
                )
            continue
        for hint in hints(about):
            yield _told_by_code(file, about, at.end(), hint)


def _is_under_another(text: str, at: int, task: str) -> bool:
    """Say whether a table of code holds a place under a key that is no name of this task."""
    keys = list(_ENTRY.finditer(text, 0, at))
    if not keys or "}" in text[keys[-1].end() : at]:
        return False
    name = keys[-1]["name"]
    return not _OF_ANY_TASK.search(name) and name.lower() != task.lower()


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


def _in_texts_of_settings(subject: Attempt) -> Iterator[Told]:
    """Read the values of settings and variables that are called prompts, contexts or hints."""
    scripts = (f for f in subject.code if f.name.endswith((".sh", ".bash", "Makefile")))
    settings = (f for f in subject.settings if _SETS_UP.search(f.name))
    for file in (*settings, *scripts):
        for key in islice(_SET_TEXT.finditer(file.text), MAX_KEYS):
            about = file.text[key.end() : key.end() + MAX_ENTRY]
            for hint in hints(about):
                yield _told_by_code(file, about, key.end(), hint)


def _is_kept(file: TextFile, task: str) -> bool:
    """Say whether a file is of prompts or knowledge: by its place, its name, or its own word."""
    name = file.name.rpartition("/")[2]
    is_of_task = bool(task) and task in name and not RESULT.search(name)
    return bool(_PROMPTS.search(file.name)) or is_of_task or bool(_READ_OUT.search(file.text[:300]))


def _of_task(file: TextFile, task: str, *, is_whole: bool) -> tuple[str, int]:
    """Return what a file says of a task, and where that begins; nothing where it is of others.

    Parameters
    ----------
    is_whole : bool
        The file tells of the task also where it does not name it.
    """
    text = file.text[:MAX_GIVEN]
    named = list(_tasks().finditer(text))
    at = next((m for m in named if m[0] == task), None)
    if at is None:
        first = 0 if is_whole and not (named and task) else text.find(task) if task else -1
        return ("", 0) if first < 0 else (_ANSWER.split(text[first : first + MAX_ABOUT])[0], first)
    if not is_whole:
        return _ANSWER.split(text[at.start() : at.start() + MAX_ABOUT])[0], at.start()
    start = 0 if named[0] is at else text.rfind("\n", 0, at.start()) + 1
    other = next((m.start() for m in named if m.start() > at.start() and m[0] != task), None)
    end = None if other is None else max(at.end(), text.rfind("\n", 0, other))
    about = _ANSWER.split(text[start:end])[0][:MAX_ABOUT]
    head = f"{text.partition(chr(10))[0]}\n" if start and _HEADED.search(file.name) else ""
    return head + about, max(0, start - len(head))


@cache
def _tasks() -> re.Pattern[str]:
    ids = sorted(specs.catalog_ids(), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, ids)))


def task_named(subject: Attempt) -> str:
    """Return the task's id: of the record or the folder, else the one that logs and code name."""
    record = subject.readable_record
    name = record.competition_id if record else subject.id.rpartition("_")[0]
    if name:
        return name
    texts = (f.text[:MAX_GIVEN] for f in (*subject.logs, *subject.code) if not f.is_large)
    found = Counter(m[0] for text in texts for m in islice(_tasks().finditer(text), MAX_KEYS))
    return found.most_common(1)[0][0] if found else ""
