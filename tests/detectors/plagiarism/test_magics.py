"""What IPython adds goes, what it runs stays, and lines keep their numbers."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from detectors.plagiarism.magics import python_of_cell, python_of_script


@pytest.mark.parametrize(
    "line",
    [
        "%matplotlib inline",
        "% matplotlib inline",
        "    %matplotlib inline",
        "!pip install lightgbm",
        "files = !ls ../input",
        "x = %sql select 1",
        "?pd.read_csv",
        "pd.read_csv?",
        "pd.read_csv??",
        "!pip install a \\\n  b \\\n  c",
        "get_ipython().run_line_magic('matplotlib', 'inline')",
        "get_ipython().magic(u'matplotlib inline')",
        "get_ipython().system('ls')",
        "files = get_ipython().getoutput('ls')",
    ],
)
def test_a_magic_goes_and_its_lines_stay_empty(line):
    blank = "\n" * line.count("\n")

    assert python_of_cell(f"a = 1\n{line}\nb = 2").code == f"a = 1\n{blank}\nb = 2"


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        pytest.param("%time fit(x)", "fit(x)", id="time"),
        pytest.param("%timeit -n 10 -r3 fit(x)", "fit(x)", id="timeit-options"),
        pytest.param("took = %timeit -o fit(x)", "took = fit(x)", id="assigned"),
        pytest.param("    %time fit(x)", "    fit(x)", id="indented"),
        pytest.param("get_ipython().run_line_magic('time', 'fit(x)')", "fit(x)", id="exported"),
    ],
)
def test_code_behind_a_magic_stays(line, kept):
    assert python_of_cell(f"a = 1\n{line}\n").code == f"a = 1\n{kept}\n"


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("x = ('%s'\n     % name)", id="modulo-begins-a-line"),
        pytest.param("x = (a\n     % b)", id="modulo-of-names"),
        pytest.param("if a != b:\n    pass", id="unequal"),
        pytest.param("x = '''\n%time x '''\ny = 1", id="end-of-a-text"),
        pytest.param("# why?\nx = 1", id="question-in-a-comment"),
        pytest.param("print('ok?')", id="question-in-a-text"),
        pytest.param("print(f'{x:%}')", id="percent-format"),
        pytest.param("a %= 2", id="modulo-assignment"),
        pytest.param("x = y %z", id="modulo-without-space"),
    ],
)
def test_what_only_looks_like_a_magic_stays(code):
    assert python_of_cell(code).code == code
    assert python_of_script(code).code == code


@pytest.mark.parametrize(
    ("source", "code"),
    [
        pytest.param("%%time\nx = 1", "\nx = 1", id="time"),
        pytest.param("%% time\nx = 1", "\nx = 1", id="with-a-space"),
        pytest.param("\n%%time\nx = 1", "\n\nx = 1", id="after-an-empty-line"),
        pytest.param("%%capture\n%%time\nx = 1", "\n\nx = 1", id="two"),
        pytest.param("%%time\n!ls\nx = 1", "\n\nx = 1", id="with-a-shell-line"),
        pytest.param("%%writefile train.py\nx = 1", "\nx = 1", id="code-to-a-file"),
        pytest.param("%%writefile a.yaml\nx: 1", "\n", id="settings-to-a-file"),
        pytest.param("%%bash\nls\necho a", "\n\n", id="shell"),
        pytest.param("%%HTML\n<b>a</b>", "\n", id="page"),
    ],
)
def test_a_cell_magic_goes_and_its_body_stays_where_it_is_code(source, code):
    assert python_of_cell(source).code == code


def test_a_cell_of_markdown_is_prose():
    assert python_of_cell("%%markdown\n# Title\ntext") == ("\n\n", "# Title\ntext")


@pytest.mark.parametrize("prefix", ["", "u"])
def test_a_cell_that_an_exporter_hid_is_unfolded(prefix):
    body = "x = \"it's\"\nprint('a\\n', x)"
    call = f"get_ipython().run_cell_magic('time', '', {prefix}{body!r})"
    script = python_of_script(f"a = 1\n{call}\nb = 2\n")

    assert script.code == f"a = 1\n\n{body}\nb = 2\n"
    assert script.is_longer


def test_a_hidden_shell_cell_hides_nothing_that_is_python():
    call = "get_ipython().run_cell_magic('bash', '', 'rm x\\nls')"

    assert python_of_script(f"a = 1\n{call}\nb = 2").code.split() == ["a", "=", "1", "b", "=", "2"]


@given(st.text().filter(lambda t: not set(t) & set("%!?\r") and "get_ipython" not in t))
@example("print('a\\\\n')\n\n")
def test_unfolding_gives_back_what_was_folded(body):
    call = f"get_ipython().run_cell_magic('time', '', {body!r})"

    assert python_of_cell(call).code == f"\n{body}"


@given(st.lists(st.sampled_from(["%time f(x)", "!ls \\", "x = 1", "", "'''", "a?", "? ", "%%a"])))
def test_lines_keep_their_numbers(lines):
    source = "\n".join(lines)

    assert python_of_script(source).code.count("\n") == source.count("\n")
    assert python_of_cell(source).code.count("\n") == source.count("\n")


@given(st.text(alphabet="%!?'\"()[]{}\\ \n=abu_,.get_ipython().run_cell_magic"))
@example("get_ipython().run_cell_magic('a', 'b', '" * 40)
def test_no_text_is_too_odd(text):
    python_of_cell(text)
    python_of_script(text)


def test_marks_of_an_export_go_and_say_where_cells_begin():
    text = "#!/usr/bin/env python\n# coding: utf-8\n\n# In[1]:\n\nx = 1\n\n# In[ ]:\ny = 2\n"
    script = python_of_script(text)

    assert "In[" not in script.code
    assert script.cell_starts == (4, 8)
    assert script.code.split("\n")[8] == "y = 2"
    assert not script.is_longer
