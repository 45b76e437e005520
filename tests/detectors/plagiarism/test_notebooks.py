"""Notebooks of every format, and of none."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detectors.plagiarism.notebooks import TEMPLATE_MARKS, read_notebook

GUID = "2ce6717d-713d-42c1-964f-d759faf3a051"
UUID = "9aa22e0e6746a6975293d5babde337b645042080"


def code(source, **more):
    return {"cell_type": "code", "source": source, "metadata": {}} | more


def markdown(source, **more):
    return {"cell_type": "markdown", "source": source, "metadata": {}} | more


def read(*cells, **more):
    notebook = read_notebook(json.dumps({"cells": cells, "nbformat": 4, "metadata": {}} | more))
    assert notebook is not None
    return notebook


FORMATS = {
    "v4": {"nbformat": 4, "cells": [markdown(["# Title\n", "text"]), code(["x = 1\n", "y = 2"])]},
    "v4-text": {"nbformat": 4, "cells": [markdown("# Title\ntext"), code("x = 1\ny = 2")]},
    "v3": {
        "nbformat": 3,
        "worksheets": [
            {
                "cells": [
                    {"cell_type": "heading", "level": 1, "source": ["Title\ntext"]},
                    {"cell_type": "code", "input": ["x = 1\n", "y = 2"], "language": "python"},
                ]
            }
        ],
    },
    "v2": {
        "nbformat": 2,
        "worksheets": [
            {
                "cells": [
                    {"cell_type": "markdown", "source": "# Title\ntext"},
                    {"cell_type": "code", "input": "x = 1\ny = 2"},
                ]
            }
        ],
    },
    "v1": {
        "nbformat": 1,
        "cells": [
            {"cell_type": "text", "text": "# Title\ntext"},
            {"cell_type": "code", "code": "x = 1\ny = 2"},
        ],
    },
}


@pytest.mark.parametrize("content", [pytest.param(c, id=name) for name, c in FORMATS.items()])
def test_every_format_gives_the_same_code_and_prose(content):
    notebook = read_notebook(json.dumps(content))

    assert notebook is not None
    assert (notebook.code, notebook.prose) == ("x = 1\ny = 2", "# Title\ntext")


def test_cells_are_joined_by_an_empty_line_and_their_first_lines_are_known():
    notebook = read(code("a = 1\nb = 2\n"), markdown("text"), code(""), code("c = 3"))
    lines = notebook.code.split("\n")

    assert notebook.cell_starts == (1, 4, 6)
    assert (lines[0], lines[5]) == ("a = 1", "c = 3")
    assert lines[2] == ""


def test_outputs_and_attachments_are_no_code():
    outputs = [{"output_type": "stream", "text": ["SECRET = 1"]}]
    notebook = read(code("x = 1", outputs=outputs), markdown("a", attachments={"x": "SECRET"}))

    assert "SECRET" not in notebook.code + notebook.prose


@pytest.mark.parametrize(
    ("metadata", "language"),
    [
        pytest.param({"kernelspec": {"name": "ir", "language": "R"}}, "r", id="r"),
        pytest.param({"kernelspec": {"name": "ir"}}, "r", id="r-by-name"),
        pytest.param({"language_info": {"name": "julia"}}, "julia", id="julia"),
        pytest.param({"kernelspec": {"name": "julia-1.6"}}, "julia", id="julia-by-name"),
        pytest.param({"kernelspec": {"name": "python3"}}, "python", id="python"),
        pytest.param({"kernelspec": {"name": "rapids"}}, "python", id="own-kernel"),
        pytest.param({"kernelspec": "ir"}, "python", id="no-mapping"),
        pytest.param({}, "python", id="nothing"),
    ],
)
def test_the_kernel_says_the_language(metadata, language):
    assert read(code("x"), metadata=metadata).language == language


def test_pipes_of_r_are_no_magics():
    source = "df <- d\n%>% filter(a > 1)"

    assert read(code(source), metadata={"kernelspec": {"name": "ir"}}).code == source


def test_a_kernel_cannot_hide_that_the_code_is_python():
    python = "import os\nfrom sys import path\n%time f(path)\nfor x in path:\n    print(x)\n"
    notebook = read(code(python), metadata={"kernelspec": {"name": "ir", "language": "R"}})

    assert notebook.language == "python"
    assert "%time" not in notebook.code


def test_ids_of_cells_are_marks_with_the_line_of_their_cell():
    first = code("a\nb", metadata={"_cell_guid": GUID, "_uuid": UUID})
    second = markdown("x", metadata={"_uuid": UUID[::-1]})
    marks = read(code("z"), first, second).marks

    assert [(m.what, m.value, m.first_line) for m in marks] == [
        ("cell guid", GUID, 3),
        ("cell guid", UUID, 3),
        ("cell guid", UUID[::-1], None),
    ]


@pytest.mark.parametrize(
    "value",
    [
        *sorted(TEMPLATE_MARKS),
        pytest.param(next(iter(sorted(TEMPLATE_MARKS))).upper(), id="template-in-capitals"),
        pytest.param("a1b2c3d4", id="jupyters-short-id"),
        pytest.param("0" * 40, id="zeros"),
        pytest.param(["x"], id="no-text"),
        pytest.param("cell-1", id="counted"),
        pytest.param(7, id="number"),
    ],
)
def test_what_is_not_drawn_once_in_the_world_is_no_mark(value):
    assert read(code("x", id=value, metadata={"_cell_guid": value, "_uuid": value})).marks == ()


@pytest.mark.parametrize(
    ("metadata", "what", "value"),
    [
        ({"outputId": GUID}, "cell guid", GUID),
        ({"nbpresent": {"id": GUID}}, "cell guid", GUID),
        ({"application/vnd.databricks.v1+cell": {"nuid": GUID}}, "cell guid", GUID),
        ({"colab_type": "code", "id": "4PWUL84bPPLH"}, "cell guid", "colab 4PWUL84bPPLH"),
        (
            {"execution": {"iopub.execute_input": "2022-08-01T12:34:56.789012Z"}},
            "kernel metadata",
            "run at 2022-08-01T12:34:56.789012Z",
        ),
        (
            {"papermill": {"start_time": "2022-08-01T12:34:56.789012+00:00"}},
            "kernel metadata",
            "run at 2022-08-01T12:34:56.789012+00:00",
        ),
        ({"executionInfo": {"user": {"displayName": "Jane Doe"}}}, "author", "Jane Doe"),
    ],
)
def test_other_makers_of_notebooks_leave_marks_in_cells_too(metadata, what, value):
    (mark,) = read(code("x", metadata=metadata)).marks

    assert (mark.what, mark.value, mark.first_line) == (what, value, 1)


@pytest.mark.parametrize(
    "metadata",
    [
        {"id": "4PWUL84bPPLH"},
        {"ExecuteTime": {"start_time": "2022-08-01T12:34:56Z"}},
        {"execution": "2022-08-01T12:34:56.789012Z"},
        {"executionInfo": {"user": {"displayName": " "}}},
    ],
)
def test_a_time_or_word_that_many_may_share_is_no_mark(metadata):
    assert read(code("x", metadata=metadata)).marks == ()


def test_the_marks_of_a_notebook_are_bounded():
    cells = [code("x", metadata={"_uuid": f"{i:08x}" * 5}) for i in range(5, 6000)]

    assert len(read(*cells).marks) <= 5000


@pytest.mark.parametrize(
    ("metadata", "value"),
    [
        ({"colab": {"authorship_tag": "ABX9TyN"}}, "colab tag ABX9TyN"),
        ({"colab": {"provenance": [{"file_id": "1aBc"}, 3]}}, "colab file 1aBc"),
        ({"kernelspec": {"name": "janes-env"}}, "kernel janes-env"),
        (
            {"application/vnd.databricks.v1+notebook": {"notebookOrigID": 123}},
            "databricks notebook 123",
        ),
    ],
)
def test_a_notebooks_own_metadata_are_marks(metadata, value):
    (mark,) = read(code("x"), metadata=metadata).marks

    assert (mark.what, mark.value) == ("kernel metadata", value)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("import os", id="a-script"),
        pytest.param("[1, 2]", id="a-list"),
        pytest.param('{"a": 1}', id="other-json"),
        pytest.param('{"cells": 3}', id="no-cells"),
        pytest.param('{"cells": [', id="cut"),
        pytest.param("[" * 100_000, id="deep-lists"),
        pytest.param('{"cells":' * 50_000, id="deep-mappings"),
    ],
)
def test_what_is_no_notebook_is_none(text):
    assert read_notebook(text) is None


def test_an_absurd_number_does_not_hide_the_cells():
    text = '{"nbformat": ' + "9" * 10_000 + ', "cells": [{"cell_type": "code", "source": "x"}]}'
    notebook = read_notebook(text)

    assert notebook is not None
    assert notebook.code == "x"


def test_half_a_surrogate_pair_can_be_written_again():
    read(code("x = '\ud83d'")).code.encode("utf-8")


KEYS = (
    *("cells", "worksheets", "cell_type", "source", "input", "metadata", "level", "id", "_uuid"),
    *("kernelspec", "name", "colab", "provenance", "language"),
)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(KEYS),
            inner | st.sampled_from(["code", "heading", "python", "r"]),
            max_size=5,
        )
    ),
    max_leaves=30,
)


@settings(max_examples=200)
@given(_JSON, _JSON, _JSON)
def test_no_json_is_too_odd(cells, metadata, cell):
    for content in (
        {"cells": [cells, cell], "metadata": metadata},
        {"worksheets": [{"cells": [cell]}, cells]},
        cells,
    ):
        notebook = read_notebook(json.dumps(content))
        if notebook is not None:
            lines = notebook.code.count("\n") + 1
            assert all(1 <= start <= lines for start in notebook.cell_starts)
            assert list(notebook.cell_starts) == sorted(set(notebook.cell_starts))
