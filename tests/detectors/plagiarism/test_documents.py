"""Files of every language and encoding as documents, and what cannot be read."""

from __future__ import annotations

import codecs
import io
import json
import os
import zipfile

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from competitions.errors import UnreadableFileError
from detectors.plagiarism.code_marks import code_marks
from detectors.plagiarism.documents import Document, Unread, document_from, read_documents
from reports.schema import Provenance

NOTEBOOK = json.dumps({"cells": [{"cell_type": "code", "source": "x = 1"}], "nbformat": 4})
PYTHON = "import os\nfor x in os.listdir():\n    print(x)\n"


def read(source, **options):
    found = list(read_documents(source, **options))
    documents = {d.name: d for d in found if isinstance(d, Document)}
    unread = {u.name: u.why for u in found if isinstance(u, Unread)}
    return documents, unread


def write(root, **files):
    for name, content in files.items():
        path = root / name.replace("__", "/").replace("_DOT_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def zipped(*members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("name", "language", "code", "prose"),
    [
        pytest.param("a.py", "python", "x", "", id="python"),
        pytest.param("a.r", "r", "x", "", id="r"),
        pytest.param("a.R", "r", "x", "", id="R"),
        pytest.param("a.jl", "julia", "x", "", id="julia"),
        pytest.param("a.sql", "sql", "x", "", id="sql"),
        pytest.param("a.md", "markdown", "", "x", id="markdown"),
        pytest.param("a.txt", "text", "", "x", id="text"),
    ],
)
def test_a_name_says_the_language_and_the_channel(name, language, code, prose):
    document = document_from(name, b"x")

    assert (document.language, document.code, document.prose) == (language, code, prose)


def test_a_program_that_is_called_a_text_is_code_and_words_with_an_example_are_not():
    program = document_from("solution.py.txt", PYTHON.encode())
    words = document_from("notes.txt", ("These are words.\n" * 40 + PYTHON).encode())

    assert (program.language, program.prose) == ("python", "")
    assert program.notes == ("python under another name",)
    assert (words.language, words.code) == ("text", "")


def test_r_markdown_is_parted_and_both_channels_keep_its_lines():
    text = "# Title\n\n```{r setup}\nx <- 1\n```\nSome text.\n\n```\nnot run\n```\n"
    document = document_from("a.Rmd", text.encode())

    assert document.language == "r"
    assert document.code.split() == ["x", "<-", "1"]
    assert document.code.split("\n")[3] == "x <- 1"
    assert document.prose.split("\n")[5] == "Some text."
    assert "x <- 1" not in document.prose


@pytest.mark.parametrize(
    ("content", "language"),
    [
        pytest.param(PYTHON, "python", id="python"),
        pytest.param("library(dplyr)\nx <- 1\ny <- 2\n", "r", id="r"),
        pytest.param("Dear all,\nthis is a letter.\n", "text", id="a-letter"),
        pytest.param("id,target\n1,0\n2,1\n", "text", id="a-table"),
        pytest.param("", "text", id="empty"),
    ],
)
def test_a_name_that_says_nothing_leaves_it_to_the_lines(content, language):
    document = document_from("solution", content.encode())

    assert document.language == language
    assert document.code == ("" if language == "text" else content)


def test_a_notebook_under_another_name_is_read_as_one():
    document = document_from("a.py", NOTEBOOK.encode())

    assert document.code == "x = 1"
    assert document.notes == ("a notebook under another name",)


def test_a_script_under_a_notebooks_name_is_read_as_text():
    document = document_from("a.ipynb", PYTHON.encode())

    assert document.code == PYTHON
    assert document.notes == ("no notebook: read as text",)


@pytest.mark.parametrize(
    ("content", "note"),
    [
        pytest.param("é = 1\n".encode(), None, id="utf-8"),
        pytest.param(codecs.BOM_UTF8 + "é = 1\n".encode(), None, id="utf-8-mark"),
        pytest.param("é = 1\n".encode("utf-16"), "read as utf-16", id="utf-16"),
        pytest.param("é = 1\n".encode("utf-16-le"), "read as utf-16-le", id="utf-16-le-no-mark"),
        pytest.param("é = 1\n".encode("utf-16-be"), "read as utf-16-be", id="utf-16-be-no-mark"),
        pytest.param("é = 1\n".encode("utf-32"), "read as utf-32", id="utf-32"),
        pytest.param("é = 1\n".encode("latin-1"), "no UTF-8: read as cp1252", id="latin-1"),
        pytest.param("é = 1\r\n".encode(), None, id="windows-lines"),
        pytest.param("é = 1\r".encode(), None, id="mac-lines"),
    ],
)
def test_every_encoding_gives_the_same_text(content, note):
    document = document_from("a.py", content)

    assert document.code == "é = 1\n"
    assert document.notes == ((note,) if note else ())


def test_a_file_may_name_its_encoding():
    document = document_from("a.py", "# -*- coding: koi8-r -*-\nx = 'ж'\n".encode("koi8-r"))

    assert "ж" in document.code


@pytest.mark.parametrize("name", ["hex", "rot13", "zip", "idna", "unknown", "undefined"])
def test_an_encoding_that_is_none_is_not_followed(name):
    code = f"# coding: {name}\nx = 1\n"

    assert document_from("a.py", code.encode()).code == code


def test_python_2_is_read():
    code = "print 'a', `x`\nexec 'y' in {}\nraise E, 'm'\n"

    assert document_from("a.py", code.encode()).code == code


def test_nul_bytes_within_a_text_are_told():
    document = document_from("a.py", b"x = 1\n" * 200 + b"\0" + b"y = 2\n")

    assert document.notes == ("holds NUL bytes",)
    assert "\0" not in document.code


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(bytes(range(256)) * 10, id="all-bytes"),
        pytest.param(b"\0" * 1000, id="zeros"),
        pytest.param(b"\x7fELF\x02\x01\x01" + b"\0" * 60, id="program"),
        pytest.param(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0\0\0\1\0\x08\2", id="picture"),
        pytest.param(b"\x80\x04\x95\x0b\0\0\0\0\0\0\0}\x94\x8c\1a\x94K\1s.", id="pickle"),
    ],
)
@pytest.mark.parametrize("name", ["a.py", "a.ipynb", "a.md", "a"])
def test_a_binary_file_is_refused(name, content):
    with pytest.raises(UnreadableFileError, match="expected text, found a binary file"):
        document_from(name, content)


@settings(max_examples=300)
@given(st.sampled_from(["a.py", "a.ipynb", "a.Rmd", "a.md", "a", "a.R"]), st.binary(max_size=300))
@example("a.py", b"# In[1]:\n\x0cx\xe2\x80\xa8y\r\nz")
@example("a.py", "# In[1]:\n\x0cx\u2028y\x85\r\nz\r".encode())
def test_whatever_the_bytes_lines_count_the_same_for_all_and_can_be_written(name, content):
    try:
        document = document_from(name, content)
    except UnreadableFileError:
        return
    for text in (document.code, document.prose):
        text.encode("utf-8")
        assert text.splitlines() == text.removesuffix("\n").split("\n") or not text.strip("\n")
    assert all(1 <= s <= document.code.count("\n") + 1 for s in document.cell_starts)
    assert all((m.first_line or 1) <= document.code.count("\n") + 1 for m in document.marks)


def test_provenance_and_a_name_that_commands_a_terminal():
    document = document_from("\x1b[31m.py", b"x", Provenance(author="Jane"))

    assert document.provenance.author == "Jane"
    assert "\x1b" not in document.name


@pytest.mark.parametrize(
    ("code", "marks"),
    [
        pytest.param("__author__ = 'Jane Doe'", [("author", "Jane Doe")], id="dunder"),
        pytest.param('__author__ = ["Jane Doe"]', [("author", "Jane Doe")], id="list"),
        pytest.param("# @author: Jane Doe", [("author", "Jane Doe")], id="at"),
        pytest.param("# Author : Jane Doe <j@x.org>", [("author", "Jane Doe <j@x.org")], id="line"),
        pytest.param("# Created by Jane Doe.", [("author", "Jane Doe")], id="created"),
        pytest.param(
            "# https://www.kaggle.com/code/Jane/My-EDA?x=1",
            [("address", "kaggle.com/jane/my-eda")],
            id="notebook",
        ),
        pytest.param("# www.kaggle.com/jane/eda/", [("address", "kaggle.com/jane/eda")], id="old"),
        pytest.param("# kaggle.com/jane.", [("address", "kaggle.com/jane")], id="user"),
        pytest.param(
            "!git clone https://github.com/Jane/nets.git",
            [("address", "github.com/jane/nets")],
            id="github",
        ),
        pytest.param(
            "x = 'https://raw.githubusercontent.com/jane/nets/master/a.py'",
            [("address", "github.com/jane/nets")],
            id="github-raw",
        ),
        pytest.param(
            "# https://gist.github.com/jane/0a1b",
            [("address", "gist.github.com/jane/0a1b")],
            id="gist",
        ),
        pytest.param("# https://www.kaggle.com/c/titanic/data", [], id="a-competition"),
        pytest.param("# https://www.kaggle.com/competitions/titanic", [], id="competitions"),
        pytest.param("# https://www.kaggle.com/datasets/jane/x", [], id="a-data-set"),
        pytest.param("# https://github.com/", [], id="github-itself"),
        pytest.param("# https://github.com/kaggle/docker-python", [], id="kaggles-template"),
        pytest.param("__author__ = 'jane'", [("author", "jane")], id="in-small-letters"),
        pytest.param("# author: the name of the author", [], id="a-parameters-description"),
        pytest.param("author = df['author']; co_authors = 3", [], id="a-column"),
        pytest.param("text = 'created by Jane'", [], id="a-text"),
        pytest.param("# it was created by hand", [], id="no-name"),
        pytest.param("# Original author: Jane Doe", [("author", "Jane Doe")], id="words-before"),
        pytest.param("df = df.rename({'author: a': 1})", [], id="a-key"),
    ],
)
def test_authors_and_addresses_in_code_are_marks(code, marks):
    if code.startswith("!"):  # a shell line of a notebook is no code; a script's text is
        code = f"# {code}"

    assert [(m.what, m.value) for m in code_marks(code)] == marks


def test_a_mark_has_its_line_and_comes_once():
    code = "a\n\n# kaggle.com/jane/eda\nb\n# https://kaggle.com/jane/eda\n__author__ = 'J. D.'"

    assert [(m.value, m.first_line) for m in code_marks(code)] == [
        ("kaggle.com/jane/eda", 3),
        ("J. D", 6),
    ]


def test_a_folder_gives_its_sources_by_name_and_leaves_the_rest(tmp_path):
    write(
        tmp_path, b__z_DOT_py="x", a_DOT_ipynb=NOTEBOOK, c_DOT_csv="1,2", d_DOT_png=b"\x89PNG",
        e_DOT_py=b"\0" * 99, _DOT_git__hooks__x_DOT_py="x", __pycache=b"",
    )  # fmt: skip
    write(tmp_path / ".ipynb_checkpoints", a_DOT_ipynb=NOTEBOOK)
    documents, unread = read(tmp_path)

    assert list(documents) == ["a.ipynb", "b/z.py"]
    assert unread == {"e.py": "expected text, found a binary file."}


def test_one_file_is_a_source_too(tmp_path):
    write(tmp_path, a_DOT_py="x = 1")

    assert list(read(tmp_path / "a.py")[0]) == ["a.py"]


def test_some_files_of_a_folder_can_be_asked_for(tmp_path):
    write(tmp_path, a_DOT_py="x", b_DOT_py="y", c__d_DOT_py="z")

    assert list(read(tmp_path, only=[tmp_path / "c/d.py"])[0]) == ["c/d.py"]


def test_a_source_that_is_not_there_is_told(tmp_path):
    with pytest.raises(UnreadableFileError, match="found none"):
        list(read_documents(tmp_path / "nothing"))


def test_links_and_pipes_are_not_followed(tmp_path):
    write(tmp_path / "outside", other_DOT_py="x")
    inside = write(tmp_path / "inside", a_DOT_py="x")
    (inside / "link.py").symlink_to(tmp_path / "outside/other.py")
    (inside / "folder").symlink_to(tmp_path / "outside")
    os.mkfifo(inside / "pipe.py")
    documents, _unread = read(inside)

    assert list(documents) == ["a.py"]
    assert read(inside / "pipe.py") == ({}, {"pipe.py": "no plain file"})


def test_a_file_that_cannot_be_opened_is_told_and_the_rest_comes(tmp_path):
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    write(tmp_path, a_DOT_py="x", b_DOT_py="y")
    (tmp_path / "a.py").chmod(0)
    documents, unread = read(tmp_path)

    assert list(documents) == ["b.py"]
    assert list(unread) == ["a.py"]


def test_a_name_that_is_no_utf_8_can_stand_in_a_document(tmp_path):
    (tmp_path / os.fsdecode(b"caf\xe9.py")).write_bytes(b"x")

    assert list(read(tmp_path)[0]) == ["caf\\xe9.py"]


def test_a_long_line_and_many_lines_are_read_whole():
    line = b"x = 1; " * (1 << 19)

    assert len(document_from("a.py", line).code) == len(line)
    assert document_from("a.py", b"x = 1\n" * (1 << 18)).code.count("\n") == 1 << 18


def test_only_the_beginning_of_a_huge_text_is_read(monkeypatch):
    monkeypatch.setattr("detectors.plagiarism.decoding.MAX_BYTES", 1 << 20)
    document = document_from("a.py", b"x = 1\n" + "é".encode() * (1 << 20))

    assert document.notes == ("longer than 1 MiB: the rest was not read",)
    assert len(document.code) <= 1 << 20
