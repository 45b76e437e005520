"""Code that is no attempt: what counts as its code and its submission, and what is told."""

from __future__ import annotations

import zipfile

import pytest

from detectors.plagiarism.documents import documents_of
from detectors.plagiarism.loose_code import LooseCode

CODE = "import os\nprint(os.getcwd())\n"
NOTEBOOK = '{"cells": [{"cell_type": "code", "source": ["x = 1\\n"]}], "nbformat": 4}'


@pytest.fixture
def write(tmp_path):
    def write(**files):
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path

    return write


def read(path):
    return [f.name for f in LooseCode(path).code]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        pytest.param("a.py", CODE, id="a-script"),
        pytest.param("a", CODE, id="no-suffix"),
        pytest.param("a.ipynb", NOTEBOOK, id="a-notebook"),
        pytest.param("a.py", "\ufeff" + CODE, id="a-mark-before-it"),
        pytest.param("a.py", CODE.encode("utf-16"), id="utf-16"),
        pytest.param("caf\u00e9.py", "s = 'caf\u00e9'\n".encode("latin-1"), id="latin-1"),
    ],
)
def test_a_file_is_code_whatever_it_is_called(write, name, content):
    one = LooseCode(write(**{name: content}) / name)

    assert [f.name for f in one.code] == [name]
    assert one.expected == {"code"}
    assert one.gap(frozenset({"code"})) is None
    assert documents_of(one)[0][0].code.strip()


def test_a_csv_is_a_submission_and_no_code(write):
    one = LooseCode(write(**{"a.CSV": "id,y\n1,0\n"}) / "a.CSV")

    assert one.submission == one.path
    assert one.expected == {"submission"}
    assert one.code == ()


def test_of_a_folder_sources_and_notebooks_are_code_and_words_are_not(write):
    place = write(**{
        "src/b.py": CODE, "a.ipynb": NOTEBOOK, "c.R": "x <- 1\n", "README.md": "# x\n",
        "run.log": "x\n", ".git/x.py": CODE, "submission.csv": "id,y\n",
    })  # fmt: skip

    assert read(place) == ["a.ipynb", "c.R", "src/b.py"]
    assert LooseCode(place).expected == {"code", "submission"}


def test_a_zip_is_read_like_a_folder(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("x/b.py", CODE)
        archive.writestr("../out.py", CODE)
    one = LooseCode(tmp_path / "a.zip")

    assert [f.name for f in one.code] == ["a.zip!x/b.py"]
    assert "out.py" in one.unread["code"][0]
    assert one.gap(frozenset({"code"})) is not None


@pytest.mark.parametrize(
    ("content", "told"),
    [
        pytest.param(b"\x00\x01\x02" * 999, "binary", id="a-binary"),
        pytest.param(b"", "has no code", id="empty"),
        pytest.param(b" \n\t\n", "has no code", id="blank"),
    ],
)
def test_what_cannot_be_looked_at_is_told(write, content, told):
    one = LooseCode(write(**{"a.py": content}) / "a.py")
    gap = one.gap(frozenset({"code"}))

    assert gap is not None
    assert told in gap.problem


def test_a_file_of_words_is_read_and_cleared_by_nobody(write):
    one = LooseCode(write(**{"a.md": "# Mine\n"}) / "a.md")

    assert [f.name for f in one.code] == ["a.md"]
    assert one.gap(frozenset({"code"})) is not None


def test_links_in_a_folder_are_not_followed(write):
    place = write(**{"in/a.py": CODE, "out/b.py": CODE})
    (place / "in" / "b.py").symlink_to(place / "out" / "b.py")
    (place / "in" / "out").symlink_to(place / "out")

    assert read(place / "in") == ["a.py"]


def test_it_has_no_record_and_no_logs_even_where_files_are_called_so(write):
    place = write(**{"attempt.json": "{", "logs/agent.log": CODE, "a.py": CODE})
    one = LooseCode(place, "mine")

    assert one.id == "mine"
    assert one.readable_record is None
    assert one.logs == ()
    assert one.missing == ("submission", "logs")
