"""What a log shows that an agent was given: prompts, files of knowledge, tools that know things.

What it wrote itself, what its own programs print, and the task's data are not given.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.rules.prompts import is_done, said
from detectors.rules.told_json import told_in_json
from detectors.trajectories.events import Event, EventKind, events

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.rules.prompts import Said
    from detectors.text_file import TextFile

_READ = frozenset({EventKind.COMMAND, EventKind.CODE, EventKind.READ})
KNOWLEDGE = re.compile(
    r"knowledge|\btips?\b|_tips|tips_|memor(?:y|ies)\b|\bprior|playbook|lessons|insights?\b|"
    r"\bwiki\b|(?:top|winning|past|public)[_-]?solutions?|\bkg[_-]|few[_-]?shot|\bkernels?/|"
    r"\bdiscussions?\b|write-?ups?|\bhints?\b|case[_ -]?(?:bank|base|library)|cheat-?sheet|"
    r"\bkb\b|\bkb_|knowledge_?base|\brag\b|retriev\w*|experience|past_runs|archive|wiki_search|"
    r"(?:search|query|ask|look_?up)_(?:kaggle|solutions?|discussions?|docs|memory|knowledge|kb|wiki|"
    r"notes|cases)|\brecall\w*|"
    r"vector_?(?:store|db)|"
    r"\b(?:AGENTS?|CLAUDE|GEMINI|SKILL|INSTRUCTIONS?)\.(?:md|txt)\b|\.cursorrules|"
    r"copilot-instructions",
    re.IGNORECASE,
)
KERNELS = re.compile(  # what others published of the task, in folders of their own
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
_ANY_TOOL = re.compile(  # but those that run or write what the agent has written
    r"^(?!\w*(?:python|bash|shell|exec|run|terminal|jupyter|notebook|code|edit|write|create|"
    r"replace|"
    r"submit|train|eval|valid|grade|score|test|predict|fit|search_web|web|browse|fetch|download))"
    r"\w{3,60} \{", re.IGNORECASE,
)  # fmt: skip
_ACTION = re.compile(r"^\s*Action: *(?P<name>\w{2,60})\s*$", re.IGNORECASE)
_STARTS = re.compile(
    r"\b(?:run_agent|start_agent|launch_agent|main_agent|agent|run_task|aide)\S*\.(?:py|sh)\b|"
    r"^\s*(?:python -m )?(?:aide|mle-?agent|openhands|mini)\b", re.IGNORECASE,
)  # fmt: skip
_TELLS_BY = re.compile(r"\b[A-Z_]*(?:PROMPT|HINTS?|INSTRUCTIONS|TIPS|KNOWLEDGE)[A-Z_]*=[\"']")
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
_NOT_GIVEN = re.compile(  # from elsewhere, of the task's own data, of a library, or of a log
    r"https?://(?!localhost|127\.|0\.0\.0\.0|[\w-]+(?::\d+)?/)|"
    r"\b(?:curl|wget)\b[^\n]*?\s[\w-]+\.(?:com|org|net|io|ai|de|dev|co)\b|"
    r"\bkaggle (?:kernels|competitions|datasets|c)\b|\bgit (?!-C)|\b(?:pip3?|conda|apt(?:-get)?) |"
    r"\b(?:sample_submission|train|test|labels|submission)\w*\.(?:csv|json)\b|"
    r"(?:^|[\s/'\"])(?:data|inputs?|datasets?)/(?!\S*(?i:note|readme|hint|tip|"
    r"info))[\w./-]+\.(?:csv|tsv|jsonl|parquet|txt)\b|"
    r"(?:site|dist)-packages|/usr/(?:lib|share)|conda/|\bpip3? |\bman \w|--help\b|"
    r"\.(?:log|out|err)\b",
    re.IGNORECASE,
)
_DESCRIBES = re.compile(
    r"\b(?:task_?)?(?:description|overview)\w*\.(?:md|txt|html)\b", re.IGNORECASE
)
_COMMENT = re.compile(r"<!--([\s\S]{0,4000}?)-->")
_INLINE = re.compile(r"\bpython[\d.]* (?:-[uBO] )*-(?:c\b|\s|$)")  # a program in the command
_COMPUTES = re.compile(r"\b(?:pd|np|pl|plt|df|train|test|model|sklearn|torch|lgb|xgb)\b")
_PASSED_ON = re.compile(  # words that a scaffold puts into a turn of the agent
    r"\s*(?:an? |the )?(?:reminder|message|notes?|hints?|feedback|tips?|advice|update|remarks?|"
    r"word|context|info\w*|news|announcement)\b[^:\n]{0,40}?\b(?:from|by) (?!my|me\b)[^:\n]{1,40}:|"
    r"\s*(?:FYI|by the way)\b|"
    r"\s*[\[<(*]{0,2}"
    r"(?:user|human|harness|runner|scaffold|supervisor|mentor|operator|orchestrator|controller|"
    r"system|reviewer|evaluator|coach|manager|organi[sz]ers?|advisors?|experts?|agent|"
    r"memory|knowledge|retriev\w*|context|former participants|(?:previous|earlier|prior|last)"
    r"[ _](?:run|attempt|session|agent)s?|hints?|tips?|reminder|leader-?board)\b[^:\n]{0,60}:|"
    r"\s*(?:you (?:are|have|need|should|could)|your (?:score|last|submission|model))\b",
    re.IGNORECASE,
)
_RUNS = re.compile(  # what its own programs print is its own
    r"(?:^|[;&|(]\s*|\b(?:nohup|time|timeout \S+|nice) )(?:\w+=\S+ )*"
    r"(?:(?:\S*/)?(?:python[\d.]*|Rscript|bash|sh|julia|perl|node|torchrun|accelerate launch|"
    r"papermill|"
    r"jupyter|ipython) (?:-[uOB]+ )*(?!-)\S+|\./\S+|make\b)",
)
_TRAINS = re.compile(r"\.fit\(|\.train\(|cross_val|\.predict\(|optimizer|\.backward\(")
OWN_WORDS = re.compile(  # plain logs have the agent's next words within what came back
    r"^(?:\[[^\]\n]*\]\s*)?(?:thought|action|agent|assistant|ai|plan|reflection)\b[^:\n]{0,20}:",
    re.IGNORECASE | re.MULTILINE,
)
_SUPPLIED = re.compile(
    r"\b(?:use|uses|provided|supplied|given|there (?:is|are)|start(?:er)? (?:from|with|code)|see|"
    r"read|"
    r"look (?:at|into)|bas(?:e|ed) (?:up)?on|build on|extend|take|adapt|contains|holds|nutze|"
    r"siehe)\b"
    r"[^.\n]{0,60}?(?P<name>[\w-]+\.(?:py|ipynb|R|jl|sh))\b",
    re.IGNORECASE,
)
_IN_CONTEXT = re.compile(  # of what was put before the agent
    r"\b(?:context|knowledge|retriev\w*|inject\w*|memor(?:y|ies)|tips?|insights?|priors?|hints?|"
    r"kg|rag|"
    r"recalled|prompt\w*|few-?shot|playbook|lessons?|instructions?)\b|"
    r"/v1/(?:messages|chat|responses|completions)|\b(?:user|system|messages|"
    r"content)[\"']?\s*[=:]\s*[\[\"']",
    re.IGNORECASE,
)
_IS_JSON = re.compile(r"\s*[\[{]\s*[\[{\"]")  # of which only what was told is read
_DEMONSTRATES = re.compile(  # a turn that is put into the mouth of the agent
    r"^\s*[(\[<]\s*(?:a )?(?:demonstration|demo|(?:worked )?example|few-?shot|"
    r"(?:sample|reference) (?:answer|solution|turn|run))\b",
    re.IGNORECASE,
)
_WRITTEN = re.compile(
    r"(?:>|\btee(?: -a)?|\bto_csv\()\s*[\"']?([\w./~-]+\.\w{1,6})\b|"
    r"\bopen\(\s*[\"']([\w./~-]+)[\"']\s*,\s*[\"'][wax]"
)


def given_in(log: TextFile, own: frozenset[str]) -> Iterator[tuple[Event, str]]:
    """Yield what a log shows that the agent was told; what stands before all it did is, too.

    Parameters
    ----------
    own : frozenset of str
        Names of the attempt's own files, which tell nothing that it did not know.
    """
    if log.name.endswith((".json", ".jsonl", ".ndjson")) and not log.is_large:
        for text in told_in_json(log.text):
            yield Event(EventKind.MESSAGE, text, log.name, 1, 1, by="user"), text
    head = _head(log)
    if head:
        whole = "\n".join(event.text for event in head)
        yield head[0]._replace(text=whole, last_line=head[-1].last_line), whole
    yield from _in_turns(log, own)


def _head(log: TextFile) -> list[Event]:
    """Return the lines that stand before the agent says or does anything."""
    head: list[Event] = []
    for one in said(events([log])):
        if one.own or is_done(one.event):
            return head
        if one.event.kind is EventKind.TEXT and not one.told and not _IS_JSON.match(one.event.text):
            head.append(one.event)
    return []


def _in_turns(log: TextFile, own: frozenset[str]) -> Iterator[tuple[Event, str]]:
    """Yield what each event told, and what tools of the scaffold answered that know something."""
    written = set(own)
    asked = called = False  # such a tool, in a plain log and in another
    begun = False
    for one in said(events([log])):
        event = one.event
        is_answer = event.kind is EventKind.OUTPUT and event.by == "tool"
        if (is_answer and called) or (asked and event.kind is EventKind.TEXT and not one.own):
            yield event, event.text
        called = _asks(event) or (called and is_answer)
        if one.own and (action := _ACTION.match(event.text)):
            asked = bool(_ANY_TOOL.match(f"{action['name']} {{"))
        written |= _writes(event)
        if one.told:
            written -= {m["name"] for m in _SUPPLIED.finditer(event.text[:20_000])}
        begun = begun or is_done(event)
        is_shown = one.own and not begun and _DEMONSTRATES.match(event.text)
        yield event, event.text if is_shown else _given(one, written)


def _asks(event: Event) -> bool:
    """Say whether an event is the call of a tool that neither runs nor writes what was written."""
    is_call = event.kind is EventKind.TEXT
    return is_call and bool(_TOOL.match(event.text) or _ANY_TOOL.match(event.text))


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
    starts = event.kind is EventKind.COMMAND and (
        _STARTS.search(event.text[:200]) or _TELLS_BY.search(event.text[:4_000])
    )
    is_said = one.own and event.kind in {EventKind.THOUGHT, EventKind.MESSAGE}
    passed_on = is_said and _PASSED_ON.match(event.text)
    if one.told or starts or passed_on or _LOADED.search(event.text[:200]):
        return event.text
    asked = event.target or event.text[:2000]
    if event.kind is EventKind.NETWORK and _TOOL.match(f"{event.text.partition(' ')[0]} {{"):
        return event.output
    is_read = event.kind in _READ and bool(event.output.strip())
    if is_read and (KNOWLEDGE.search(asked) or KERNELS.search(asked)):
        return event.output
    if is_read and _DESCRIBES.search(asked):  # what the task says is no hint, but what it hides
        return "\n".join(_COMMENT.findall(event.output))
    if is_read and _is_shown(event, asked) and not any(w in asked for w in written):
        return OWN_WORDS.split(event.output)[0]
    is_line = event.kind is EventKind.TEXT and not one.own and not _IS_JSON.match(event.text)
    return event.text if is_line and _IN_CONTEXT.search(event.text[:300]) else ""


def _is_shown(event: Event, asked: str) -> bool:
    """Say whether what came back is neither its program's, nor the data, nor from elsewhere."""
    if event.kind is EventKind.READ:
        return not _NOT_GIVEN.search(asked)
    is_program = event.kind is EventKind.CODE or (_INLINE.search(asked) and _COMPUTES.search(asked))
    if is_program and (not _READS.search(asked) or _TRAINS.search(asked)):
        return False
    return not (_NOT_GIVEN.search(asked) or _RUNS.search(asked) or _TRAINS.search(asked))
