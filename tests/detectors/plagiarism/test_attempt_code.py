"""What an attempt handed in, and what only its logs show."""

from __future__ import annotations

import base64
import gzip
import json
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detectors.attempt import Attempt
from detectors.plagiarism.documents import documents_of
from detectors.plagiarism.trajectory_code import SMALL, code_in
from detectors.text_file import TextFile
from tests.conftest import write_attempt

HANDED_IN = "import os\nprint(os.getcwd())\n"
SECRET = "import pandas as pd\n" + "".join(
    f"column_{i} = pd.read_csv('table_{i}.csv')['value_{i}']\n" for i in range(SMALL)
)


def documents(tmp_path, logs=None, code=None):
    return documents_of(
        write_attempt(tmp_path / "titanic_1", code=code or {"main.py": HANDED_IN}, logs=logs or {})
    )


def heredoc(text, mark="EOF"):
    return f"cat > solve.py <<'{mark}'\n{text}{mark}"


LOGS = {
    "prompt": "\n".join(f">>> {line}" for line in SECRET.splitlines()),
    "fence": f"I will write:\n```python\n{SECRET}```\nDone.",
    "tag": f"<execute_ipython>\n{SECRET}</execute_ipython>",
    "here-document": f"$ ls\n$ {heredoc(SECRET)}\n$ python solve.py\n0.7",
    "here-document-in-a-fence": f"```bash\n{heredoc(SECRET)}\npython solve.py\n```",
    "standard-input": f"$ python - <<EOF\n{SECRET}EOF\n",
    "json-line": json.dumps({"step": 1, "code": SECRET}) + "\n",
    "json-command": json.dumps({"cmd": heredoc(SECRET)}) + "\n",
    "json-one-liner": json.dumps({"command": f'python -c "{SECRET}"'}) + "\n",
    "aide-journal": json.dumps({"nodes": [{"code": SECRET, "plan": "p"}], "n": 1}, indent=1),
    "best-code": json.dumps({"competition": "x", "best_code": SECRET}, indent=1),
    "editor": json.dumps({"arguments": json.dumps({"path": "/a.py", "file_text": SECRET})}),
    "answer": json.dumps([{"role": "assistant", "content": f"So:\n```python\n{SECRET}```"}]),
    "answer-cut": json.dumps([{"role": "assistant", "content": f"So:\n```python\n{SECRET}"}]),
    "answer-of-code-alone": json.dumps({"completion": SECRET, "usage": 3}),
}


@pytest.mark.parametrize("log", [pytest.param(text, id=name) for name, text in LOGS.items()])
def test_code_that_only_a_log_shows_is_found_whole(tmp_path, log):
    handed_in, only_in_logs = documents(tmp_path, {"agent.log": log})

    assert [d.name for d in handed_in] == ["code/main.py"]
    (document,) = only_in_logs
    assert document.code.strip() == SECRET.strip()
    assert document.language == "python"


@pytest.mark.parametrize("log", [pytest.param(text, id=name) for name, text in LOGS.items()])
def test_code_that_was_handed_in_as_well_is_left_out(tmp_path, log):
    handed_in, only_in_logs = documents(tmp_path, {"agent.log": log}, {"a/b.py": SECRET})

    assert (len(handed_in), only_in_logs) == (1, ())


@pytest.mark.parametrize(
    "log",
    [
        pytest.param(f"$ cat other.py\n{SECRET}", id="printed"),
        pytest.param(json.dumps({"cmd": "cat a.py", "output": SECRET}) + "\n", id="json-output"),
        pytest.param(json.dumps([{"role": "user", "content": SECRET}]), id="asked"),
        pytest.param(json.dumps([{"role": "tool", "content": SECRET}]), id="a-tools-answer"),
        pytest.param(json.dumps({"task_desc": f"```python\n{SECRET}```"}), id="the-task"),
        pytest.param(json.dumps({"source": "agent"}) + "\n", id="a-word-under-a-codes-key"),
        pytest.param("Accuracy: 0.9\nNothing to see.\n", id="prose"),
        pytest.param(json.dumps({"text": "line one\nline two\nline three"}), id="json-prose"),
    ],
)
def test_what_was_printed_asked_or_said_is_no_code_of_the_attempt(tmp_path, log):
    assert documents(tmp_path, {"agent.log": log})[1] == ()


def test_a_document_from_a_log_is_named_after_its_line(tmp_path):
    log = f"one\ntwo\n```python\n{SECRET}```\n"

    assert documents(tmp_path, {"agent.log": log})[1][0].name == "logs/agent.log:4"


def test_the_nodes_of_a_journal_are_found_at_their_lines(tmp_path):
    nodes = [{"code": SECRET}, {"code": SECRET.replace("column", "other")}]
    log = json.dumps({"nodes": nodes}, indent=1)
    names = [d.name for d in documents(tmp_path, {"journal.json": log})[1]]

    lines = [n for n, line in enumerate(log.split("\n"), start=1) if '"code"' in line]
    assert names == [f"logs/journal.json:{n}" for n in lines]


def test_small_pieces_of_a_log_are_one_document_that_says_where_each_begins(tmp_path):
    log = "".join(
        f"```python\nvalue_{i} = function_{i}(x)\ny_{i} = 2\n```\ntext\n" for i in range(4)
    )
    (document,) = documents(tmp_path, {"agent.log": log})[1]

    assert document.name == "logs/agent.log:2"
    assert document.cell_starts == (1, 4, 7, 10)
    assert document.code.split("\n")[3] == "value_1 = function_1(x)"


def test_the_same_piece_comes_once_for_all_logs(tmp_path):
    logs = {"a.log": LOGS["fence"], "b.jsonl": LOGS["json-line"], "solution.py": SECRET}

    assert len(documents(tmp_path, logs)[1]) == 1


def test_a_source_among_the_logs_is_a_document(tmp_path):
    (document,) = documents(tmp_path, {"best/solution.py": SECRET})[1]

    assert document.name == "logs/best/solution.py"


def hidden(form):
    packed = gzip.compress(SECRET.encode(), mtime=0) if "gzip" in form else SECRET.encode()
    packed = zlib.compress(packed) if "zlib" in form else packed
    text = base64.b64encode(packed).decode() if "64" in form else SECRET
    lines = [repr(line + "\n") for line in SECRET.splitlines()]
    notebook = {"nbformat": 4, "cells": [{"cell_type": "code", "source": SECRET}]}
    return {
        "lines-beside-one-another": "exec(" + "\n  ".join(lines) + ")\n",
        "lines-of-a-list": "exec(''.join([" + ",\n  ".join(lines) + "]))\n",
        "lines-added-up": "".join(f"a += {line}\n" for line in lines) + "exec(a)\n",
        "hex": f"exec(bytes.fromhex('{SECRET.encode().hex()}'))\n",
        "85": f"exec(b85decode({base64.b85encode(SECRET.encode()).decode()!r}))\n",
        "a-notebook": f"x = {json.dumps(notebook)!r}\n",
        "one-line": f"exec({text!r})\n",
        "commented": "#" + text.replace("\n", "\n#"),
    }.get(form, f'open(\'s.py\', \'w\').write("""\n{text}""")\n')


@pytest.mark.parametrize(
    "form",
    [
        "to-a-file",
        "one-line",
        "64",
        "64-gzip",
        "64-zlib",
        "lines-beside-one-another",
        "lines-of-a-list",
        "lines-added-up",
        "hex",
        "85",
        "a-notebook",
    ],
)
def test_a_program_within_a_text_is_handed_in_and_left_out_of_the_logs(tmp_path, form):
    code = {"main.py": f"import os\n{hidden(form)}"}
    handed_in, only_in_logs = documents(tmp_path, {"agent.log": LOGS["fence"]}, code)

    assert [d.name for d in handed_in] == ["code/main.py", "code/main.py:2"]
    assert handed_in[1].code.strip() == SECRET.strip()
    assert only_in_logs == ()


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Words about the data.\n" * 20, id="words"),
        pytest.param("select a from b\n" * 20, id="a-query"),
        pytest.param("age", id="a-word"),
        pytest.param("{" * 5000, id="brackets"),
        pytest.param("A" * 5000, id="letters"),
        pytest.param("x = 1\ny = f(x)\n", id="an-example"),
        pytest.param(base64.b64encode(bytes(range(256)) * 9).decode(), id="encoded-bytes"),
        pytest.param(base64.b64encode(zlib.compress(bytes(9 << 20))).decode(), id="a-bomb"),
    ],
)
def test_a_text_that_is_no_program_is_none(tmp_path, text):
    code = {"main.py": f'x = """{text}"""\n'}

    assert [d.name for d in documents(tmp_path, {}, code)[0]] == ["code/main.py"]


@pytest.mark.parametrize(
    "unit",
    [
        pytest.param("'a\\", id="escaped-quotes"),
        pytest.param('"""a\\', id="triple-quotes-that-do-not-end"),
        pytest.param("f'", id="prefixes"),
        pytest.param("# don't\n", id="apostrophes-in-comments"),
    ],
)
def test_texts_that_do_not_end_are_read_once(tmp_path, unit):
    """Read anew from each quote, these would take hours."""
    code = {"main.py": "import os\n" + unit * 300_000}

    assert [d.name for d in documents(tmp_path, {}, code)[0]] == ["code/main.py"]


def test_code_in_comments_does_not_hide_that_it_ran(tmp_path):
    code = {"main.py": hidden("commented")}

    assert len(documents(tmp_path, {"agent.log": LOGS["fence"]}, code)[1]) == 1


def test_programs_within_shell_scripts_are_handed_in(tmp_path):
    script = f"#!/bin/bash\nset -e\npython - <<EOF\n{SECRET}EOF\necho done\n"
    handed_in, only_in_logs = documents(tmp_path, {"a.log": LOGS["fence"]}, {"run.sh": script})

    assert [d.name for d in handed_in] == ["code/run.sh:4"]
    assert handed_in[0].code.strip() == SECRET.strip()
    assert only_in_logs == ()


def test_notebooks_and_other_languages_are_handed_in(tmp_path):
    notebook = json.dumps({"cells": [{"cell_type": "code", "source": "%time x = 1"}]})
    code = {"a.ipynb": notebook, "b.R": "x <- 1", "c.jl": "x = 1", "d.sql": "select 1"}
    handed_in, _ = documents(tmp_path, {}, code)

    assert [d.language for d in handed_in] == ["python", "r", "julia", "sql"]
    assert handed_in[0].code == "x = 1"


def test_settings_are_no_code_and_binaries_no_text(tmp_path):
    attempt = write_attempt(tmp_path / "titanic_1", code={"a.yaml": "x: 1", "b.json": "{}"})
    (attempt.path / "code/program").write_bytes(bytes(range(128, 256)) * 20)

    assert documents_of(attempt) == ((), ())


def test_an_attempt_without_anything_has_no_documents(tmp_path):
    assert documents_of(Attempt(tmp_path)) == ((), ())


@given(st.text(alphabet="`~<>EOF\"{}[]:\\\n $import os=codeprn-('", max_size=200))
def test_no_log_is_too_odd(text):
    for piece in code_in(TextFile("logs/a.log", text)):
        assert 1 <= piece.first_line <= text.count("\n") + 1


@settings(max_examples=40)
@given(st.recursive(st.text() | st.none(), lambda v: st.lists(v) | st.dictionaries(st.text(), v)))
def test_no_json_log_is_too_odd(value):
    for text in (json.dumps(value), json.dumps(value, indent=1), json.dumps({"a": value}) * 2):
        list(code_in(TextFile("logs/a.json", text)))
