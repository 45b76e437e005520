"""Source files become units of one language each, with the places a reader can look up."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detectors.text_file import TextFile
from detectors.units import code_units, notebook_cells, notebook_outputs, python_of_cell


def notebook(*cells: object, **rest) -> str:
    return json.dumps({"nbformat": 4, "cells": list(cells)} | rest)


def cell(source: str | list[str], **rest) -> object:
    return {"cell_type": "code", "source": source, "outputs": []} | rest


def units_of(name: str, text: str) -> list[tuple[str, int, str, str]]:
    units = code_units([TextFile(name, text)])
    return [(u.path, u.first_line, u.language, u.text) for u in units]


@pytest.mark.parametrize(
    ("name", "language"),
    [
        pytest.param("code/a.py", "python", id="python"),
        pytest.param("code/a.sh", "shell", id="shell"),
        pytest.param("code/a.R", "other", id="r"),
        pytest.param("code/a.sql", "other", id="sql"),
        pytest.param("code/a.b/c", "other", id="no-suffix"),
    ],
)
def test_a_file_is_one_unit_of_the_language_of_its_suffix(name, language):
    assert units_of(name, "x\n") == [(name, 1, language, "x\n")]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(notebook(cell("x = 1\ny = 2")), id="version-4"),
        pytest.param(notebook(cell(["x = 1\n", "y = 2"])), id="list-of-lines"),
        pytest.param(
            json.dumps(
                {
                    "nbformat": 3,
                    "worksheets": [{"cells": [{"cell_type": "code", "input": "x = 1\ny = 2"}]}],
                }
            ),
            id="version-3",
        ),
        pytest.param(
            notebook(cell("x = 1\ny = 2")).replace('"nbformat": 4', '"n": ' + "9" * 5000),
            id="absurd-number-elsewhere",
        ),
    ],
)
def test_every_notebook_format_gives_its_code_cells(text):
    assert units_of("code/a.ipynb", text) == [("code/a.ipynb#cell-1", 1, "python", "x = 1\ny = 2")]


def test_cells_are_numbered_as_a_reader_counts_them_text_cells_too():
    text = notebook({"cell_type": "markdown", "source": "# head"}, cell("x = 1"))

    assert [path for path, *_ in units_of("n.ipynb", text)] == ["n.ipynb#cell-2"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("x = open('a')\n", id="a-script"),
        pytest.param('{"cells": [', id="cut-json"),
        pytest.param("[" * 100_000, id="deep-json"),
    ],
)
def test_text_that_is_no_notebook_is_read_as_one_script(text):
    assert list(notebook_cells(text)) == [(1, text)]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[]", id="list"),
        pytest.param("3", id="number"),
        pytest.param('{"cells": 3}', id="cells-no-list"),
        pytest.param('{"cells": [3, null, {"cell_type": "code"}]}', id="cells-no-cells"),
        pytest.param('{"worksheets": [3, {"cells": {}}]}', id="worksheets-no-sheets"),
        pytest.param('{"cells": [{"cell_type": "code", "source": {"a": 1}}]}', id="source-no-text"),
        pytest.param(
            '{"cells": [{"cell_type": "code", "source": [true, null]}]}', id="lines-no-text"
        ),
    ],
)
def test_json_of_another_shape_holds_no_code_and_is_no_error(text):
    assert "".join(source for _, source in notebook_cells(text)) == ""
    assert list(notebook_outputs(text)) == []


def test_magics_are_blanked_and_shell_lines_become_units_of_their_own():
    source = "%matplotlib inline\nx = 1\n!cat /etc/hosts\nfiles = !ls\n%cat a.csv\n"

    assert units_of("n.ipynb", notebook(cell(source))) == [
        ("n.ipynb#cell-1", 1, "python", "\nx = 1\n\n\n"),
        ("n.ipynb#cell-1", 3, "shell", "cat /etc/hosts"),
        ("n.ipynb#cell-1", 4, "shell", "ls"),
        ("n.ipynb#cell-1", 5, "shell", "cat a.csv"),
    ]


@pytest.mark.parametrize("head", ["%%bash", "%%sh", "%%script bash"])
def test_a_shell_cell_is_shell_from_its_second_line(head):
    found = units_of("n.ipynb", notebook(cell(f"{head}\ncd /\nls")))

    assert found == [("n.ipynb#cell-1", 2, "shell", "cd /\nls")]


def test_an_indented_shell_line_leaves_a_statement_that_parses():
    assert python_of_cell("for a in b:\n    !ls {a}\n") == "for a in b:\n    pass"


def test_a_form_feed_moves_no_line_number():
    found = units_of("n.ipynb", notebook(cell("a = 'x\x0cy\u2028z'\n!ls")))

    assert found[1][1:] == (2, "shell", "ls")


@pytest.mark.parametrize(
    ("output", "text"),
    [
        pytest.param({"text": ["a\n", "b"]}, "a\nb", id="printed"),
        pytest.param({"data": {"text/plain": "3"}}, "3", id="returned"),
        pytest.param({"data": {"image/png": "x"}}, "", id="picture"),
        pytest.param({"data": 3}, "", id="no-data"),
    ],
)
def test_outputs_are_what_cells_printed_or_returned_as_text(output, text):
    assert list(notebook_outputs(notebook(cell("x", outputs=[output])))) == [(1, text)]


@pytest.mark.parametrize("line", [" " * 100_000, "a " * 100_000, "a=" * 100_000, "\t, " * 50_000])
def test_a_long_line_takes_no_longer_than_its_length_asks(line):
    assert units_of("n.ipynb", notebook(cell(f"{line}\n!ls")))[-1][2:] == ("shell", "ls")


@given(st.text(), st.sampled_from(["py", "sh", "ipynb", "R"]))
def test_any_text_gives_units_and_no_error(text, suffix):
    for unit in code_units([TextFile(f"code/a.{suffix}", text)]):
        assert unit.first_line >= 1


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda v: (
            st.lists(v)
            | st.dictionaries(
                st.sampled_from(
                    ["cells", "cell_type", "source", "input", "outputs", "worksheets", "text"]
                ),
                v,
            )
        ),
        max_leaves=20,
    )
)
def test_any_json_gives_units_and_no_error(value):
    text = json.dumps(value)

    assert all(u.path.startswith("a.ipynb") for u in code_units([TextFile("a.ipynb", text)]))
    assert all(isinstance(t, str) for _, t in notebook_outputs(text))


def test_a_notebook_that_was_cut_while_it_was_saved_gives_its_whole_cells():
    text = notebook(
        cell(["x = 1\n", "y = {'cell_type': 'markdown'}"]),
        {"cell_type": "markdown", "metadata": {}, "source": "# head"},
        cell('z = """{"source": ["a"]}"""'),
        cell("w = 2"),
    )
    cut = text[: text.index("w = 2") + 3]

    assert list(notebook_cells(cut)) == [
        (1, "x = 1\ny = {'cell_type': 'markdown'}"),
        (3, 'z = """{"source": ["a"]}"""'),
    ]
