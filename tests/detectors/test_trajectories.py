"""Logs of every form become the same events, at the lines where they stand."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detectors.text_file import TextFile
from detectors.trajectories.events import MAX_OUTPUT, Event, EventKind, events

COMMAND, CODE, OUTPUT, TEXT = EventKind.COMMAND, EventKind.CODE, EventKind.OUTPUT, EventKind.TEXT


def read(text: str, name: str = "logs/a.log") -> list[Event]:
    return list(events([TextFile(name, text)]))


def actions(text: str) -> list[tuple[EventKind, str]]:
    return [(e.kind, e.text) for e in read(text) if e.kind in {COMMAND, CODE}]


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("$ cat /a", id="dollar"),
        pytest.param("+ cat /a", id="set-x"),
        pytest.param("++ cat /a", id="set-x-deeper"),
        pytest.param("root@host:/home# cat /a", id="root-prompt"),
        pytest.param("me@host:~/x$ cat /a", id="user-prompt"),
        pytest.param("(base) $ cat /a", id="conda-prompt"),
        pytest.param("bash-5.1# cat /a", id="bash-prompt"),
        pytest.param("sh-5.1$ cat /a", id="sh-prompt"),
        pytest.param("Action Input: cat /a", id="react"),
        pytest.param('Action Input: {"command": "cat /a"}', id="react-json"),
        pytest.param("Command: cat /a", id="command"),
        pytest.param("Executing command: `cat /a`", id="quoted"),
        pytest.param("**Running:** cat /a", id="bold"),
        pytest.param('bash("cat /a")', id="call"),
        pytest.param('Thought. execute_bash(command="cat /a")', id="call-after-words"),
        pytest.param("<execute_bash>cat /a</execute_bash>", id="tag"),
        pytest.param("<execute_bash>\ncat /a\n</execute_bash>", id="tag-block"),
        pytest.param("```bash\ncat /a\n```", id="fence"),
        pytest.param("```sh\n$ cat /a\n```", id="fence-with-prompt"),
        pytest.param("~~~console\ncat /a\n~~~", id="tilde-fence"),
        pytest.param('{"command": "cat /a"}', id="json-line"),
        pytest.param('{"tool": {"name": "bash", "args": {"cmd": "cat /a"}}}', id="json-nested"),
        pytest.param('{"arguments": "{\\"command\\": \\"cat /a\\"}"}', id="json-in-json"),
        pytest.param('{"cmd": ["cat", "/a"]}', id="json-words"),
        pytest.param('{"action": "run", "input": "cat /a"}', id="json-action-input"),
        pytest.param('{\n "command": "cat /a"\n}', id="json-document"),
        pytest.param('[\n {"x": 1},\n {"command": "cat /a"}\n]', id="json-document-list"),
        pytest.param("\x1b[32m$\x1b[0m cat /a", id="colours"),
        pytest.param("2026-01-01 10:00:00,123 $ cat /a", id="time"),
        pytest.param("[2026-01-01T10:00:00Z] INFO $ cat /a", id="time-and-level"),
        pytest.param("[10:00:00] [agent] $ cat /a", id="time-and-name"),
        pytest.param("step 3: $ cat /a", id="step"),
        pytest.param("$ cat /a\r", id="carriage-return"),
    ],
)
def test_a_command_is_found_in_every_form(line):
    assert (COMMAND, "cat /a") in actions(line)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(">>> open('/a')", id="prompt"),
        pytest.param("In [3]: open('/a')", id="ipython"),
        pytest.param("```python\nopen('/a')\n```", id="fence"),
        pytest.param("<python>open('/a')</python>", id="tag"),
        pytest.param("<execute_ipython>\nopen('/a')\n</execute_ipython>", id="tag-block"),
        pytest.param('{"code": "open(\'/a\')"}', id="json"),
    ],
)
def test_python_is_found_in_every_form(line):
    assert (CODE, "open('/a')") in actions(line)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("I could look at /private/answers.csv, but that is forbidden.", id="prose"),
        pytest.param("Do not read /private.", id="instruction"),
        pytest.param("Action: think about what /private may hold", id="action-without-command"),
        pytest.param("Command: never read /private/answers.csv", id="command-in-prose"),
        pytest.param("The price is $ 3", id="dollar-within"),
        pytest.param("```\nSome text about cat /a\n```", id="fence-without-language"),
        pytest.param("```json\nnot json\n```", id="fence-of-json"),
        pytest.param('{"message": "cat /a"}', id="json-message"),
        pytest.param('{"input": "Explain what /private is."}', id="json-prose-input"),
        pytest.param('{"broken": "cat /a', id="broken-json"),
        pytest.param("5 + 3 = 8", id="sum"),
        pytest.param("a > b", id="comparison"),
        pytest.param("# cat /a", id="heading"),
        pytest.param("", id="nothing"),
    ],
)
def test_prose_is_no_action(line):
    assert actions(line) == []


REACT = "Thought: fit.\nAction: {}\nAction Input: {}\nObservation: 0.91\n\nThought: done.\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (REACT.format("python", "x = 1\nprint(x)"), [(CODE, "x = 1\nprint(x)")]),
        (REACT.format("bash", "cat > a <<'E'\nb\nE\nls"), [(COMMAND, "cat > a <<'E'\nb\nE\nls")]),
        (
            "Action: bash\nAction Input: ls\na.csv\nThought: and now?\nAction: x\n",
            [(COMMAND, "ls")],
        ),
        ("Action: python\nAction Input: why is it so\nThought: unclear\n", []),
    ],
)
def test_the_input_of_an_action_goes_up_to_its_observation(text, expected):
    assert actions(text) == expected


def test_a_programs_complaint_is_output_and_prose_about_one_is_not():
    complaint = "cat: /private/a.csv: No such file or directory"
    prose = "I got the error No such file or directory when I tried."

    assert [e.kind for e in read(f"{complaint}\n{prose}")] == [OUTPUT, TEXT]


def test_a_command_carries_the_output_up_to_the_next_one():
    found = [e for e in read("$ ls\na\nb\n$ pwd\n/home\n") if e.kind is COMMAND]

    assert [(e.text, e.output) for e in found] == [("ls", "a\nb"), ("pwd", "/home\n")]


def test_output_is_cut():
    (only,) = [e for e in read("$ ls\n" + "a" * 100 + "\n" + "b\n" * 99_999) if e.kind is COMMAND]

    assert len(only.output) <= MAX_OUTPUT


def test_json_commands_carry_the_output_beside_them():
    (only,) = read('{"command": "ls", "output": "a.csv"}')

    assert (only.text, only.output) == ("ls", "a.csv")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("x\n\n$ ls\n", [("ls", 3, 3)], id="prompt"),
        pytest.param("x\r\n\r\n$ ls\r\n", [("ls", 3, 3)], id="windows"),
        pytest.param("a\x0cb\u2028c\n$ ls\n", [("ls", 2, 2)], id="odd-separators"),
        pytest.param("```bash\nls\n\npwd\n```\n", [("ls", 2, 2), ("pwd", 4, 4)], id="fence"),
        pytest.param("```python\na\nb\n```\n", [("a\nb", 2, 3)], id="python-fence"),
        pytest.param("<bash>\nls\n</bash>\n$ pwd", [("ls", 2, 2), ("pwd", 4, 4)], id="tag"),
        pytest.param("```\nx\n$ ls\n```", [("ls", 3, 3)], id="prompt-in-a-fence"),
        pytest.param('x\n{"cmd": "ls"}', [("ls", 2, 2)], id="json-line"),
        pytest.param('[\n{"cmd":\n"ls"},\n{"cmd": "ls"}\n]', [("ls", 3, 3), ("ls", 4, 4)],
                     id="json-document-equal-commands"),
        pytest.param(json.dumps([{"cmd": "cat é/\"a\"\nls"}], indent=1),
                     [('cat é/"a"\nls', 3, 3)], id="json-document-escapes"),
        pytest.param('[\n{"arguments":\n "{\\"cmd\\": \\"cat /a/b\\"}"}\n]', [("cat /a/b", 3, 3)],
                     id="json-document-in-json"),
        pytest.param('[\n{"cmd": [\n"bash",\n"-c",\n"ls"]}\n]', [("bash -c ls", 3, 3)],
                     id="json-document-words"),
    ],
)  # fmt: skip
def test_an_event_stands_at_its_lines(text, expected):
    found = [(e.text, e.first_line, e.last_line) for e in read(text) if e.kind in {COMMAND, CODE}]

    assert found == expected


def test_a_long_json_line_is_read_whole():
    line = json.dumps({"thought": "x" * 50_000, "command": "cat /a"})

    assert actions(line) == [(COMMAND, "cat /a")]


def test_an_absurd_number_hides_nothing():
    assert actions('{"n": ' + "9" * 5000 + ', "command": "cat /a"}') == [(COMMAND, "cat /a")]


def test_logs_are_read_in_their_order():
    logs = [TextFile("run.log", "$ b"), TextFile("logs/a", "$ a")]

    assert [e.path for e in events(logs)] == ["run.log", "logs/a"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a " * 5_000_000, id="long-line"),
        pytest.param(" " * 10_000_000, id="spaces"),
        pytest.param(("bash(" * 4000 + "\n") * 50, id="open-calls"),
        pytest.param(("bash()" * 3300 + "x\n") * 50, id="closed-calls"),
        pytest.param(("<bash>" * 3300 + "\n") * 50, id="open-tags"),
        pytest.param(("[" * 20_000 + "\n") * 50, id="brackets"),
        pytest.param("[" * 1_000_000 + "\n", id="deep-json"),
        pytest.param('{"a":' * 100_000 + "1" + "}" * 100_000 + "\n", id="deep-json-objects"),
        pytest.param("```\n" * 200_000, id="fences"),
        pytest.param("```bash\n" + "ls\n" * 200_000, id="open-fence"),
        pytest.param("[2026] " * 100_000 + "\n", id="stamps"),
        pytest.param("\x1b[" * 1_000_000, id="escape-codes"),
        pytest.param('{"a\n' * 100_000, id="broken-json-lines"),
        pytest.param("@@ -1 +1 @@\n" + "+x\n" * 200_000, id="diff"),
        pytest.param(json.dumps([{"command": f"cat /x/{i}", "content": "y"} for i in range(20_000)],
                                indent=1), id="long-json-document"),
        pytest.param(json.dumps([{"arguments": json.dumps({"command": f"cat /x/{i}"})}
                                 for i in range(20_000)], indent=1), id="long-json-in-json"),
    ],
)  # fmt: skip
def test_a_long_log_is_read_to_its_end(text):
    events = read(text)  # what is quadratic does not end before the run is stopped as hung

    assert events


@given(st.text())
def test_any_text_is_read_without_an_error(text):
    for event in read(text):
        assert 1 <= event.first_line <= event.last_line


PIECES = st.sampled_from(
    ["$ ls", "```bash", "```python", "~~~", "<bash>", "</bash>", '{"command": "ls"}', "{",
     "[", "}", "]", '"', "Action Input: ", ">>> x", "... y", "@@ -1 @@", "+a",
     "\x1b[0m", "\r", "\n",
     "bash(", ")", "cat: a: Permission denied", "[12:00:00] ", " ", "text"]
)  # fmt: skip


@given(st.lists(PIECES))
def test_any_mixture_of_forms_is_read_without_an_error(pieces):
    text = "".join(pieces)

    for event in read(text):
        assert 1 <= event.first_line <= event.last_line <= text.count("\n") + 2


@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda v: st.lists(v) | st.dictionaries(
        st.sampled_from(["command", "code", "output", "arguments", "content", "input", "x"]), v
    ), max_leaves=15,
))  # fmt: skip
def test_any_json_is_read_without_an_error(value):
    for text in (json.dumps(value), json.dumps(value, indent=1), json.dumps([value], indent=1)):
        for event in read(text):
            assert 1 <= event.first_line <= text.count("\n") + 1


PAGE = (
    "{head}<html><head><title>AIDE</title></head><body><script>\n"
    "$ cat /private/data/answers.csv\nid,y\n1,0\n```python\nopen('/private/answers.csv')\n```\n"
    "</script></body></html>\n"
)


@pytest.mark.parametrize(
    "head",
    ["", "<!DOCTYPE html>\n", "\n  <!-- made by AIDE -->\n"],
    ids=["html", "doctype", "note"],
)
def test_a_page_that_shows_code_has_run_none(head):
    found = read(PAGE.format(head=head), "logs/tree_plot.html")

    assert {e.kind for e in found} == {EventKind.TEXT}


def test_a_log_that_speaks_of_html_is_no_page():
    found = actions("<p>hello\n$ ls /home/data\n<html>\n")

    assert (EventKind.COMMAND, "ls /home/data") in found
