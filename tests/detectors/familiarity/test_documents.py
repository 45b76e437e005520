"""Documents of a task: found, told apart by kind, and read as what a model would have read."""

from __future__ import annotations

import json
from pathlib import PurePosixPath

import pytest

from competitions.errors import TextError, UsageError
from detectors.familiarity.documents import (
    Document,
    Kind,
    controls_for,
    kind_of,
    read_document,
    read_documents,
    read_sources,
    words_of_page,
)
from detectors.familiarity.texts import Text


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        pytest.param("1st-place.md", Kind.POST, id="write-up"),
        pytest.param("123.html", Kind.POST, id="page"),
        pytest.param("solution.ipynb", Kind.CODE, id="notebook"),
        pytest.param("a.R", Kind.CODE, id="r"),
        pytest.param("code/readme.md", Kind.CODE, id="folder-says-code"),
        pytest.param("post/model.py", Kind.POST, id="folder-says-post"),
        pytest.param("description/x.txt", Kind.DESCRIPTION, id="folder-says-description"),
        pytest.param("decode/x.txt", Kind.POST, id="a-folder-of-another-name"),
        pytest.param("fetched", Kind.POST, id="no-ending"),
    ],
)
def test_a_kind_is_that_of_a_folder_else_of_the_ending(path, kind):
    assert kind_of(PurePosixPath(path)) is kind


@pytest.mark.parametrize(
    ("page", "words"),
    [
        pytest.param(
            "<html><head><title>t</title></head><body><h1>A</h1><p>b<b>c</b>", "A\nbc", id="page"
        ),
        pytest.param("<script>x()</script>after<style>p{}</style>", "after", id="scripts"),
        pytest.param("<head><title>t</title><p>open head", "open head", id="head-left-open"),
        pytest.param("a &lt; b &amp;&nbsp;c", "a < b & c", id="entities"),
        pytest.param("<p>a</p></script></p><li>b", "a\nb", id="stray-ends"),
        pytest.param("<svg><text>no</text></svg>yes<!-- no -->", "yes", id="pictures-and-comments"),
    ],
)
def test_a_page_counts_with_the_words_it_shows(page, words):
    assert words_of_page(page) == words


def test_a_notebook_counts_with_its_code_and_not_its_outputs(tmp_path):
    cells = [
        {"cell_type": "code", "source": ["import numpy\n", "x = 1"], "outputs": ["y" * 9_000_000]},
        {"cell_type": "markdown", "source": "prose"},
        {"cell_type": "code", "source": "print(x)"},
    ]
    (tmp_path / "n.ipynb").write_text(json.dumps({"cells": cells}))

    assert read_document(tmp_path / "n.ipynb", "n").content == "import numpy\nx = 1\n\nprint(x)"


def test_a_page_without_an_ending_is_read_as_a_page(tmp_path):
    (tmp_path / "123").write_text("\n<!DOCTYPE html><html><body><p>Words.</p></body></html>")

    assert read_document(tmp_path / "123", "123").content == "Words."


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        pytest.param("a.md", b"", "nothing but space", id="empty"),
        pytest.param("a.md", b"a\0b" * 100, "binary", id="binary"),
        pytest.param("a.txt", b"\xff\xfe\x00a", "UTF-8", id="not-utf-8"),
        pytest.param("a.html", b"\xff\xfe\x00a", "UTF-8", id="page-not-utf-8"),
        pytest.param("a.html", b"<script>only</script>", "nothing but space", id="empty-page"),
        pytest.param("a.ipynb", b'{"cells": []}', "nothing but space", id="empty-notebook"),
        pytest.param("a.txt", b"ten megabytes " * 750_000, "at most 2,000,000 char", id="10-mb"),
    ],
)
def test_what_holds_no_text_is_told_and_the_others_go_on(name, content, said, tmp_path):
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / name).write_bytes(content)
    (tmp_path / "toy" / "good.md").write_text("A text.")
    with pytest.raises(TextError, match=said):
        read_document(tmp_path / "toy" / name, name)

    found = read_documents(tmp_path, "toy", None)

    assert [d.text.name for d in found.documents] == ["toy/good.md"]
    assert len(found.problems) == 1


def test_mixed_scripts_are_a_text():
    assert Text("mixed", "Größe 世界 🎉 עברית ру́сский \u202e x").content


def test_only_files_of_the_task_are_read_and_equal_ones_once(tmp_path):
    for path in ("toy/a.md", "toy/deep/b.md", "toy/c.md", "toys/d.md", "toy/e.png"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("same" if path in {"toy/a.md", "toy/c.md"} else path)

    found = read_documents(tmp_path, "toy", None)

    assert [d.text.name for d in found.documents] == ["toy/a.md", "toy/deep/b.md"]
    assert found.problems == ()


def test_a_table_says_which_file_holds_which_url(tmp_path):
    (tmp_path / "fetched").mkdir()
    (tmp_path / "fetched" / "1").write_text("One.")
    rows = [
        "file,url,competition",
        "fetched/1,https://www.kaggle.com/c/toy/discussion/1,",
        "fetched/2,https://www.kaggle.com/competitions/other-toy/writeups/x,",
        "fetched/3,https://example.org/post,toy",
        "third/4,https://example.org/post,",
    ]
    (tmp_path / "urls.csv").write_text("\n".join(rows))

    sources = read_sources(tmp_path / "urls.csv", tmp_path)
    found = read_documents(tmp_path, "toy", sources)

    assert sorted(sources) == ["other-toy", "third", "toy"]
    assert [d.url for d in found.documents] == ["https://www.kaggle.com/c/toy/discussion/1"]
    assert len(found.problems) == 1  # fetched/3 is not there


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param("https://example.org\n", "columns file and url", id="a-bare-list"),
        pytest.param("", "columns file and url", id="empty"),
        pytest.param("file,url\n../../etc/passwd,x", "a file below", id="out-of-the-folder"),
        pytest.param("file,url\n/etc/passwd,x", "a file below", id="absolute"),
        pytest.param("file,url\n,x", "a file below", id="no-file"),
    ],
)
def test_a_table_that_is_none_is_told(content, said, tmp_path):
    (tmp_path / "urls.csv").write_text(content)

    with pytest.raises(UsageError, match=said):
        read_sources(tmp_path / "urls.csv", tmp_path)


def test_code_is_never_a_control_of_prose_and_filed_ones_serve_their_kind_alone():
    def control(kind, *, filed=False):
        return Document(Text("c", "text"), kind, filed=filed)

    prose, code = control(Kind.POST), control(Kind.CODE)
    described = control(Kind.DESCRIPTION, filed=True)
    everything = [prose, code, described]

    assert controls_for(Kind.CODE, everything) == [code]
    assert controls_for(Kind.POST, everything) == [prose]
    assert controls_for(Kind.DESCRIPTION, everything) == [described]
    assert controls_for(Kind.DESCRIPTION, [prose, code]) == [prose]
    assert controls_for(Kind.POST, [described]) == []
