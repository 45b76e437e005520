"""Logs and notebooks in which agents do things, as their scaffolds write them."""

from __future__ import annotations

import json


def notebook(*cells):
    """Return a notebook's files, one code cell after the other."""
    code = [{"cell_type": "code", "source": cell, "outputs": []} for cell in cells]
    return {"main.ipynb": json.dumps({"cells": code, "nbformat": 4, "metadata": {}})}


def called(tool, arguments, output="ok"):
    """Return a chat in which the agent calls one tool."""
    function = {"name": tool, "arguments": json.dumps(arguments)}
    call = {"id": "c0", "type": "function", "function": function}
    return {
        "chat.json": json.dumps([
            {"role": "user", "content": "Solve the task."},
            {"role": "assistant", "content": "next", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c0", "content": output},
        ])
    }  # fmt: skip


def shell(command, output="ok"):
    """Return a chat in which the agent runs one command."""
    return called("bash", {"command": command}, output)


def node(code, output="ok"):
    """Return AIDE's journal of one node."""
    fields = {
        "code": code,
        "plan": "p",
        "step": 0,
        "id": "a",
        "_term_out": [output],
        "analysis": "",
        "metric": {"value": 0.5, "maximize": True},
        "is_buggy": False,
        "exec_time": 1.0,
        "exc_type": None,
        "exc_info": None,
        "exc_stack": None,
        "children": [],
        "ctime": 1.0,
    }
    return {"journal.json": json.dumps({"nodes": [fields], "node2parent": {}, "__version": "2"})}


def turns(*said):
    """Return a chat of several turns: what the agent says, its command, what comes back."""
    told: list[object] = [{"role": "user", "content": "Solve the task."}]
    for number, (text, command, output) in enumerate(said):
        function = {"name": "bash", "arguments": json.dumps({"command": command})}
        call = {"id": f"c{number}", "type": "function", "function": function}
        told.append({"role": "assistant", "content": text, "tool_calls": [call]})
        told.append({"role": "tool", "tool_call_id": f"c{number}", "content": output})
    return {"chat.json": json.dumps(told)}


def talk(*steps, prompt="Solve the task."):
    """Return a chat in which the agent runs commands, each alone or with what it printed."""
    messages: list[object] = [{"role": "user", "content": prompt}]
    for number, step in enumerate(steps):
        command, output = step if isinstance(step, tuple) else (step, "ok")
        messages += _called(f"c{number}", "bash", {"command": command}, output)
    return {"chat.json": json.dumps(messages)}


def edited(path, old, new, prompt="Solve the task.", first=()):
    """Return a chat in which the agent runs commands and then edits a file by a tool."""
    told = json.loads(talk(*first, prompt=prompt)["chat.json"])
    given = {"command": "str_replace", "path": path, "old_str": old, "new_str": new}
    return {"chat.json": json.dumps([*told, *_called("e", "str_replace_editor", given, "ok")])}


def _called(number, tool, arguments, output):
    function = {"name": tool, "arguments": json.dumps(arguments)}
    call = {"id": number, "type": "function", "function": function}
    return [
        {"role": "assistant", "content": "next", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": number, "content": output},
    ]


def plain(*steps, head=""):
    """Return a log as an entry point writes it; a step is what was thought, run and seen."""
    said = [f"[2026-03-01T10:00:05] agent: {t}\n$ {c}\n{o}\n" for t, c, o in steps]
    return {"agent.log": head + "".join(said)}


def react(*steps):
    """Return a ReAct log; a step is what was thought, run and seen."""
    form = "Thought: {}\nAction: bash\nAction Input: {}\nObservation: {}\n\n"
    return {"agent.log": "".join(form.format(*step) for step in steps)}


def chat(*steps, user="Solve the task."):
    """Return OpenHands' events; a step is what was run and seen."""
    told = {"source": "user", "message": user, "action": "message", "args": {"content": user}}
    events = [{"id": 0, "timestamp": "2026-03-01T10:00:00", **told}]
    for number, (command, output) in enumerate(steps):
        ran = {"source": "agent", "action": "run", "args": {"command": command, "thought": ""}}
        seen = {"source": "agent", "cause": 1, "observation": "run", "content": output}
        events += [{"id": 2 * number + 1, "message": "m", **ran}, {"id": 2 * number + 2, **seen}]
    return {"trajectory.json": json.dumps(events)}


def swe(*steps, system=""):
    """Return SWE-agent's trajectory; a step is what was run and seen."""
    fields = {"response": "r", "thought": "t", "state": "{}", "execution_time": 1.0}
    done = [{"action": f"{c}\n", "observation": o, **fields} for c, o in steps]
    info = {"exit_status": "submitted", "submission": "", "model_stats": {"api_calls": 3}}
    history = [{"role": "system", "content": system}]
    content = {"environment": "m", "trajectory": done, "history": history, "info": info}
    return {"x.traj": json.dumps(content)}
