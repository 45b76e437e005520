"""One short story, told in the form of each format: invented, with the field names of the tools."""

from __future__ import annotations

import io
import json
import pickle
import struct
import zipfile
import zlib
from typing import TYPE_CHECKING, Any, NamedTuple

from backports.zstd import compress

from detectors.text_file import open_log
from detectors.trajectories.events import EventKind as K

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from detectors.text_file import TextFile

TASK = "Predict who survives."
LOOK = "First look at what there is."
LS, LISTED = "ls -la /home/data", "train.csv\ntest.csv"
PAGE, DESCRIBED = "/home/data/description.md", "Passengers of a ship."
SCRIPT = "/home/code/train.py"
WRITTEN = "import pandas as pd\nprint('written')"
CODE, PRINTED = "model.fit(x, y)\nprint('fold', 0.81)", "fold 0.81"
ADDRESS, GONE = "https://example.org/more", "404"
SCORE = 0.7931
ENOUGH = "That is good enough."
END = "The submission is written."
STORY: list[tuple[K, Any]] = [
    (K.MESSAGE, TASK),
    (K.THOUGHT, LOOK),
    (K.COMMAND, LS),
    (K.OUTPUT, LISTED),
    (K.READ, PAGE),
    (K.OUTPUT, DESCRIBED),
    (K.WRITE, (SCRIPT, WRITTEN)),
    (K.CODE, CODE),
    (K.OUTPUT, PRINTED),
    (K.NETWORK, ADDRESS),
    (K.OUTPUT, GONE),
    (K.SCORE, SCORE),
    (K.THOUGHT, ENOUGH),
    (K.MESSAGE, END),
]
REPORT = {"competition_id": "titanic", "score": SCORE, "any_medal": True, "above_median": True,
          "gold_threshold": 0.9, "submission_path": "submission.csv"}  # fmt: skip


class Told(NamedTuple):
    """How one format tells the story.

    Parameters
    ----------
    told : set
        Which lines of the story it has a place for.
    is_shown : bool
        The score is shown to the agent.
    """

    format: str
    name: str
    content: bytes
    told: frozenset[Any]
    is_shown: bool = False

    def log(self, folder: Path, content: bytes | None = None) -> TextFile:
        path = folder / self.name
        path.write_bytes(self.content if content is None else content)
        return open_log(path, f"logs/{self.name}")


ALL = frozenset(what for _, what in STORY)


def _json(value: Any, *, indent: int | None = 1) -> bytes:
    return json.dumps(value, indent=indent).encode()


def _node(**more: Any) -> dict[str, Any]:
    return {"code": CODE, "plan": LOOK, "step": 1, "id": "ab12", "ctime": 1_700_000_000.5,
            "parent": None, "_term_out": [PRINTED], "exec_time": 2.0, "exc_type": None,
            "analysis": ENOUGH, "metric": {"value": 0.81, "maximize": True}, "is_buggy": False,
            **more}  # fmt: skip


_OF_NODE = frozenset({LOOK, CODE, PRINTED, ENOUGH})


def plain() -> bytes:
    return "\n".join(
        [TASK, LOOK, f"$ {LS}", LISTED, "```python", CODE, "```", PRINTED,
         *json.dumps(REPORT, indent=4).split("\n"), ENOUGH, END]
    ).encode()  # fmt: skip


def aide() -> bytes:
    return _json({"nodes": [_node()], "node2parent": {}, "__version": "2"})


def mlevolve() -> bytes:
    node = _node(prompt_input=TASK, visits=3, total_reward=1.5, branch_id=1, stage="draft")
    return _json({"nodes": [node], "node2parent": {}, "__version": "2"})


def aira_dojo() -> bytes:
    node = _node(operators_used=["draft"], metric_maximize=True, current_best_node=1)
    node.pop("_term_out")
    node |= {"term_out": PRINTED, "metric": 0.81, "metric_info/score": SCORE}
    return _json(node, indent=None) + b"\n"


def mle_dojo() -> bytes:
    return _json({
        "competition": "titanic",
        "actions": [{
            "step": 1, "action": "execute_code", "timestamp": "2025-05-01T10:00:00",
            "kwargs": {"code": CODE},
            "result": {"status": "SUCCESS", "data": {"output": PRINTED, "position_score": SCORE}},
            "feedback": {"base": {"feedback_status": "SUCCESS", "feedback": ENOUGH}},
        }],
        "total_reward": 0.4, "step_count": 1,
    })  # fmt: skip


def mle_dojo_chat() -> bytes:
    return _json([
        {"role": "user", "content": TASK},
        {"role": "assistant", "content": f"{LOOK}\n```python\n{CODE}\n```"},
        {"role": "user", "content": f"Current position score: {SCORE}"},
        {"role": "assistant", "content": END},
    ])  # fmt: skip


def swe_agent() -> bytes:
    def step(thought: str, action: str, observation: str) -> dict[str, Any]:
        return {"thought": thought, "action": action, "observation": observation, "state": "{}",
                "response": f"{thought}\n{action}", "execution_time": 0.1}  # fmt: skip

    return _json({
        "environment": "titanic",
        "trajectory": [
            step(LOOK, LS, LISTED),
            step("", f"open {PAGE}", DESCRIBED),
            step("", "validate", f"Evaluation score: {{'accuracy': {SCORE}}}"),
        ],
        "history": [{"role": "user", "content": TASK}, {"role": "assistant", "content": LOOK}],
        "info": {"exit_status": "submitted", "model_stats": {"instance_cost": 0.01}},
    })  # fmt: skip


def mini_swe_agent() -> bytes:
    return _json({
        "info": {"exit_status": "Submitted", "submission": "", "mini_version": "2.0"},
        "messages": [
            {"role": "user", "content": TASK},
            {"role": "assistant", "content": LOOK,
             "extra": {"actions": [{"command": LS}], "timestamp": 1_700_000_000.0}},
            {"role": "user", "content": LISTED, "extra": {"returncode": 0}},
            {"role": "assistant", "content": END},
        ],
        "trajectory_format": "mini-swe-agent-1.1",
    })  # fmt: skip


def ml_agent_bench() -> bytes:
    def step(name: str, args: dict[str, str], observation: str) -> dict[str, Any]:
        return {"action": {"name": name, "args": args}, "observation": observation, "timestamp": 1}

    return _json({
        "task_description": TASK,
        "steps": [
            step("Reflection", {"thought": LOOK}, ""),
            step("Understand File", {"file_name": PAGE}, DESCRIBED),
            step("Write File", {"file_name": SCRIPT, "content": WRITTEN}, ""),
            step("Python REPL", {"command": CODE}, PRINTED),
            step("Final Answer", {"final_answer": END}, ""),
        ],
        "low_level_steps": [step("Understand File", {"file_name": PAGE}, DESCRIBED)],
        "action_infos": {},
    })  # fmt: skip


def ml_agent_bench_log() -> bytes:
    def step(n: int, name: str, args: str, observation: str, thought: str = "Go on.") -> str:
        entries = f"Thought: {thought}\nAction: {name}\nAction Input: {args}\nObservation:\n"
        return f"Step {n}:\n\n\nAssistant:\n{entries}\n```\n{observation}\n```\n\n"

    write = f'{{\n"file_name": "{SCRIPT}",\n"content": "{WRITTEN}"\n}}'
    return "".join([
        "You can use these tools:\n- List Files:\n    lists\n\nResearch Problem: ", TASK,
        "\n\nAlways answer so:\nAction: a tool\nObservation:\n```\nwhat came\n```\n\n",
        step(0, "Understand File", json.dumps({"file_name": PAGE}), DESCRIBED, LOOK),
        step(1, "Write File", write, "Done."),
        step(2, "Python REPL", json.dumps({"command": CODE}, indent=4), PRINTED),
        step(3, "Final Answer", json.dumps({"final_answer": END}), ""),
    ]).encode()  # fmt: skip


def ml_agent_bench_call() -> bytes:
    line = "=" * 19
    return (
        f"\n{line}prompt{line}\n\n\nHuman: {TASK}\n\nAssistant:\n{line}some-model response (99)"
        f"{line}\n```python\n{CODE}\n```\n{line}tokens{line}\nNumber of prompt tokens: 9\n\n\n"
    ).encode()


def _openhands_events() -> list[dict[str, Any]]:
    def act(action: str, **args: str) -> dict[str, Any]:
        return {"source": "agent", "action": action, "args": args, "message": ""}

    def seen(what: str, content: str) -> dict[str, Any]:
        return {"source": "agent", "observation": what, "content": content, "extras": {}}

    events = [
        {"source": "user", "action": "message", "args": {"content": TASK}},
        act("run", command=LS, thought=LOOK), seen("run", LISTED),
        act("read", path=PAGE), seen("read", DESCRIBED),
        act("write", path=SCRIPT, content=WRITTEN), seen("write", ""),
        act("run_ipython", code=CODE), seen("run_ipython", PRINTED),
        act("browse", url=ADDRESS), seen("browse", GONE),
        act("think", thought=ENOUGH),
        act("finish", final_thought=END),
    ]  # fmt: skip
    return [{"id": i, "timestamp": "2025-05-01T10:00:00", **e} for i, e in enumerate(events)]


def openhands() -> bytes:
    return _json(_openhands_events())


def openhands_output() -> bytes:
    return _json(
        {"instance_id": "titanic", "instruction": TASK, "history": _openhands_events()[1:],
         "metadata": {}, "metrics": {}, "error": None, "test_result": {"score": SCORE}},
        indent=None,
    )  # fmt: skip


def ai_scientist() -> bytes:
    node = _node(is_seed_node=False, plot_code="", vlm_feedback_summary="")
    return _json({"nodes": [node], "node2parent": {}, "__version": "2"})


def ai_scientist_asked() -> bytes:
    asked = {"system_message": "", "prompt": TASK, "response": END, "timestamp": "2025-05-01"}
    return _json({"gpt": [asked]})


def ai_scientist_figures() -> bytes:
    return _json({"toy": {"means": {"acc_mean": 0.7}, "stderrs": {}, "final_info_dict": {}}})


def _call(name: str, **arguments: str) -> dict[str, Any]:
    return {"id": name, "function": name, "arguments": arguments}


def inspect_sample(attached: Callable[[str], str]) -> dict[str, Any]:
    def asks(*calls: dict[str, Any], content: str = "") -> dict[str, Any]:
        return {"role": "assistant", "content": content, "tool_calls": list(calls)}

    def tool(content: str) -> dict[str, Any]:
        return {"role": "tool", "content": content, "tool_call_id": "x"}

    return {
        "id": "titanic", "epoch": 1, "input": TASK, "target": "",
        "messages": [
            {"role": "user", "content": TASK},
            asks(_call("bash", cmd=LS), content=LOOK), tool(LISTED),
            asks(_call("text_editor", command="view", path=PAGE)), tool(DESCRIBED),
            asks(_call("text_editor", command="create", path=SCRIPT, file_text=WRITTEN)), tool(""),
            asks(_call("python", code=attached(CODE))), tool(PRINTED),
            asks(_call("web_browser_go", url=ADDRESS)), tool(GONE),
            {"role": "assistant", "content": [{"type": "text", "text": END}]},
        ],
        "events": [
            {"event": "tool", "function": "bash", "arguments": {"cmd": LS}, "result": LISTED},
            {"event": "sandbox", "action": "exec", "cmd": f"bash --login -c '{LS}'", "output": ""},
        ],
        "scores": {"scorer": {"value": {"any_medal": True}, "explanation": json.dumps(REPORT)}},
    }  # fmt: skip


def inspect_eval(method: int = zipfile.ZIP_DEFLATED) -> bytes:
    texts = {"c0de": CODE}
    sample = inspect_sample(lambda _text: "attachment://c0de") | {"attachments": texts}
    files = {"_journal/start.json": {"version": 2}, "samples/titanic_epoch_1.json": sample}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, value in files.items():
            archive.writestr(name, json.dumps(value))
    return stream.getvalue()


def inspect_eval_zstd() -> bytes:
    """Write the zip by hand: Python's own writes no zstd before 3.14."""
    sample = inspect_sample(lambda _text: "attachment://c0de") | {"attachments": {"c0de": CODE}}
    name, whole = b"samples/titanic_epoch_1.json", json.dumps(sample).encode()
    packed, crc = compress(whole), zlib.crc32(whole)
    sizes = (crc, len(packed), len(whole), len(name), 0)
    local = struct.pack("<4s5H3I2H", b"PK\x03\x04", 63, 0, 93, 0, 0, *sizes) + name
    entry = struct.pack(
        "<4s6H3I5H2I", b"PK\x01\x02", 63, 63, 0, 93, 0, 0, *sizes, 0, 0, 0, 0, 0
    ) + name  # fmt: skip
    end = struct.pack(
        "<4s4H2IH", b"PK\x05\x06", 0, 0, 1, 1, len(entry), len(local) + len(packed), 0
    )  # fmt: skip
    return local + packed + entry + end


def inspect_json() -> bytes:
    return _json({"version": 2, "status": "success", "eval": {"task": "mle_bench"}, "plan": {},
                  "samples": [inspect_sample(lambda text: text)]})  # fmt: skip


class _Exploding:
    def __reduce__(self) -> Any:
        return (exec, ("raise SystemExit('a pickle was loaded')",))


def rd_agent() -> bytes:
    value = {"file_dict": {"main.py": CODE}, "stdout": PRINTED, "x": _Exploding()}
    return pickle.dumps(value)


def chat() -> bytes:
    return _json([
        {"role": "user", "content": TASK},
        {"role": "assistant", "content": LOOK, "tool_calls": [
            {"function": {"name": "bash", "arguments": json.dumps({"command": LS})}}]},
        {"role": "tool", "content": LISTED},
        {"role": "assistant", "content": [
            {"type": "tool_use", "name": "python",
                                             "input": {"code": CODE}}]},
        {"role": "user", "content": [{"type": "tool_result", "content": PRINTED}]},
        {"role": "assistant", "content": END},
    ])  # fmt: skip


def document() -> bytes:
    return _json({"steps": [{"command": LS}, {"code": CODE}]})


_FILES: list[tuple[str, str, bytes, set[Any] | frozenset[Any], bool]] = [
    ("plain-text", "run.log", plain(), {LS, CODE, SCORE}, True),
    ("aide", "journal.json", aide(), _OF_NODE, False),
    ("mlevolve", "journal.json", mlevolve(), _OF_NODE | {TASK}, False),
    ("aira-dojo", "JOURNAL.jsonl", aira_dojo(), _OF_NODE | {SCORE}, False),
    ("mle-dojo", "history.json", mle_dojo(), {CODE, PRINTED, SCORE}, True),
    ("mle-dojo", "agent_trajectory.json", mle_dojo_chat(), {TASK, CODE, SCORE, END}, True),
    ("swe-agent", "t.traj", swe_agent(), {LOOK, LS, LISTED, PAGE, DESCRIBED, SCORE}, True),
    ("mini-swe-agent", "t.traj.json", mini_swe_agent(), {TASK, LOOK, LS, LISTED, END}, False),
    ("ml-agent-bench", "trace.json", ml_agent_bench(),
     {TASK, LOOK, PAGE, DESCRIBED, (SCRIPT, WRITTEN), CODE, PRINTED, END}, False),
    ("ml-agent-bench-log", "main_log", ml_agent_bench_log(),
     {LOOK, PAGE, DESCRIBED, (SCRIPT, WRITTEN), CODE, PRINTED, END}, False),
    ("ml-agent-bench-log", "step_0_tool_log.log", ml_agent_bench_call(), {TASK, CODE}, False),
    ("openhands", "trajectory.json", openhands(), ALL - {SCORE}, False),
    ("openhands", "output.jsonl", openhands_output(), ALL, False),
    ("ai-scientist", "journal.json", ai_scientist(), _OF_NODE, False),
    ("ai-scientist", "token_tracker_interactions.json", ai_scientist_asked(), {TASK, END}, False),
    ("ai-scientist", "final_info.json", ai_scientist_figures(), set(), False),
    ("inspect-eval", "a.eval", inspect_eval(), ALL - {ENOUGH}, False),
    ("inspect-eval", "zstd.eval", inspect_eval_zstd(), ALL - {ENOUGH}, False),
    ("inspect-eval", "a.json", inspect_json(), ALL - {ENOUGH}, False),
    ("rd-agent", "1.pkl", rd_agent(), {CODE, PRINTED}, False),
    ("grading-report", "mle_score.txt", str(REPORT).encode(), {SCORE}, False),
    ("grading-report", "grading_report.json", _json(REPORT), {SCORE}, False),
    ("chat-messages", "chat.json", chat(),
     {TASK, LOOK, LS, LISTED, CODE, PRINTED, END}, False),
    ("json-document", "x.json", document(), {LS, CODE}, False),
]  # fmt: skip
TOLD = [Told(a, b, c, frozenset(d), e) for a, b, c, d, e in _FILES]


class Long(NamedTuple):
    """A log of any size in one format: a beginning, a record again and again, an end."""

    format: str
    name: str
    first: bytes
    record: bytes
    last: bytes = b""
    between: bytes = b",\n"

    def of_size(self, size: int) -> bytes:
        n = max(1, size // (len(self.record) + len(self.between)))
        return self.first + self.between.join([self.record] * n) + self.last


def _long(format_: str, whole: bytes, record: Any, name: str) -> Long:
    """Repeat one element of the list in which it stands within a file."""
    content = json.dumps(json.loads(whole)).encode()
    one = json.dumps(record).encode()
    first, found, last = content.partition(one)
    if not found:
        raise ValueError(f"{name} does not hold the record")
    return Long(format_, name, first, one, last)


def _of(name: str) -> bytes:
    return next(content for _, n, content, *_ in _FILES if n == name)


def _first(name: str, key: str) -> Any:
    value = json.loads(_of(name))
    return (value[key] if key else value)[0]


LONG = [
    Long("plain-text", "run.log", b"", plain(), between=b"\n"),
    Long("aira-dojo", "JOURNAL.jsonl", b"", aira_dojo().strip(), between=b"\n"),
    _long("aide", aide(), _node(), "aide.json"),
    _long("mle-dojo", mle_dojo(), _first("history.json", "actions"), "history.json"),
    _long("swe-agent", swe_agent(), _first("t.traj", "trajectory"), "t.traj"),
    _long(
        "mini-swe-agent", mini_swe_agent(), json.loads(mini_swe_agent())["messages"][1], "m.json"
    ),
    _long("ml-agent-bench", ml_agent_bench(), json.loads(ml_agent_bench())["steps"][3], "t.json"),
    _long("openhands", openhands(), _first("trajectory.json", ""), "trajectory.json"),
    _long("chat-messages", chat(), json.loads(chat())[1], "chat.json"),
]
