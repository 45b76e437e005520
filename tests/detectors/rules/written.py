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
