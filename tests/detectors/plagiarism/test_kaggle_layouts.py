"""Whose a public solution is, from what lies beside it."""

from __future__ import annotations

import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.errors import UnreadableFileError
from detectors.plagiarism.documents import read_documents
from detectors.plagiarism.kaggle_layouts import kernel_origin
from detectors.plagiarism.meta_kaggle import MetaKaggle, Table
from reports.schema import Provenance
from tests.detectors.plagiarism.test_documents import read, write, zipped

KERNEL = {
    "id": "jane/my-eda",
    "title": "My EDA",
    "code_file": "my-eda.ipynb",
    "competition_sources": ["titanic"],
    "total_votes": 7,
    "last_run_time": "2018-03-01T10:00:00",
}
NOTEBOOK = json.dumps({"cells": [{"cell_type": "code", "source": "x = 1"}]})
VERSIONS = (
    "Id,ScriptId,ParentScriptVersionId,ScriptLanguageId,AuthorUserId,CreationDate,VersionNumber,"
    "Title,EvaluationDate,TotalVotes\n"
    '1234567,50,,9,8,03/01/2018 10:00:00,1,"A, title with ""quotes""\nand a line",,2\n'
    "1234001,51,,9,9,03/02/2018 10:00:00,1,Other,,\n"
    "x,51,,9,9,broken row\n"
    "1235000,52,,9,,,1,No author,,\n"
)
META = {
    "KernelVersions.csv": VERSIONS,
    "Kernels.csv": "Id,AuthorUserId,CurrentUrlSlug,TotalVotes\n50,8,my-eda,12\n51,9,other,0\n",
    "Users.csv": 'Id,UserName,DisplayName\n1,nobody,N\n9,jim,"J, J"\n8,jane,Jane Doe\n',
    "KernelVersionCompetitionSources.csv": "Id,KernelVersionId,SourceCompetitionId\n"
    "1,1234567,3136\n2,1234567,9\n3,1234001,9\n",
    "Competitions.csv": "Id,Slug,Title\n9,other-competition,O\n3136,titanic,Titanic\n",
}


def place(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return folder


def one(source):
    (document,) = read(source)[0].values()
    return document


def test_a_kernel_download_says_whose_it_is(tmp_path):
    files = {"my-eda.ipynb": NOTEBOOK, "kernel-metadata.json": json.dumps(KERNEL)}
    document = one(place(tmp_path, {f"jane/{name}": text for name, text in files.items()}))

    assert document.competition == "titanic"
    assert document.provenance == Provenance(
        author="jane",
        title="My EDA",
        url="https://www.kaggle.com/code/jane/my-eda",
        created=date(2018, 3, 1),
        votes=7,
    )


def test_a_download_in_a_zip_says_it_too_and_each_folder_for_itself(tmp_path):
    other = KERNEL | {"id": "jim/b", "code_file": "b.py"}
    content = zipped(
        ("a/my-eda.ipynb", NOTEBOOK), ("a/kernel-metadata.json", json.dumps(KERNEL)),
        ("b/b.py", "x"), ("b/kernel-metadata.json", json.dumps(other)), ("c/c.py", "x"),
    )  # fmt: skip
    write(tmp_path, k_DOT_zip=content)
    authors = {name: d.provenance.author for name, d in read(tmp_path)[0].items()}

    assert authors == {
        "k.zip!a/my-eda.ipynb": "jane",
        "k.zip!b/b.py": "jim",
        "k.zip!c/c.py": None,
    }


def test_metadata_are_about_the_file_that_they_name(tmp_path):
    files = {"my-eda.ipynb": NOTEBOOK, "helper.py": "x", "kernel-metadata.json": json.dumps(KERNEL)}
    documents, _ = read(place(tmp_path, files))

    assert documents["helper.py"].provenance == Provenance()
    assert documents["my-eda.ipynb"].provenance.author == "jane"


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", "[" * 100_000, '{"id": 3, "title": ["x"], "competition_sources": 5}', "\0"],
)
def test_metadata_that_are_none_leave_the_origin_open(tmp_path, text):
    document = one(place(tmp_path, {"a.py": "x", "kernel-metadata.json": text}))

    assert document.provenance == Provenance()
    assert document.competition is None


def test_a_link_in_the_place_of_metadata_is_not_followed(tmp_path):
    place(tmp_path / "other", {"kernel-metadata.json": json.dumps(KERNEL | {"code_file": ""})})
    place(tmp_path / "source", {"a.py": "x"})
    (tmp_path / "source/kernel-metadata.json").symlink_to(tmp_path / "other/kernel-metadata.json")

    assert one(tmp_path / "source").provenance == Provenance()


@given(
    st.dictionaries(
        st.sampled_from([*KERNEL, "author", "license"]),
        st.none() | st.text() | st.integers() | st.lists(st.text()) | st.floats(),
    )
)
def test_no_metadata_are_too_odd(told):
    origin = kernel_origin(told)

    assert origin.provenance.url is None or origin.provenance.url.startswith("https://www.kaggle")
    assert all(c.isprintable() for c in origin.provenance.title or "")


@pytest.fixture
def meta(tmp_path):
    place(tmp_path / "meta-kaggle", META)
    code = {
        "0001/234/1234567.ipynb": NOTEBOOK,
        "0001/234/1234001.py": "x",
        "0001/235/1235000.py": "x",
        "0001/235/1235999.py": "unknown",
        "0001/234/9999999.py": "not its place",
    }
    place(tmp_path / "meta-kaggle-code", code)
    return tmp_path


def test_meta_kaggle_code_says_whose_a_version_is(meta):
    documents, _ = read(meta / "meta-kaggle-code")
    document = documents["0001/234/1234567.ipynb"]

    assert document.competition == "titanic"
    assert document.provenance == Provenance(
        author="jane",
        title='A, title with "quotes" and a line',
        url="https://www.kaggle.com/code/jane/my-eda?scriptVersionId=1234567",
        created=date(2018, 3, 1),
        votes=12,
        licence="Apache-2.0",
    )
    assert documents["0001/234/1234001.py"].provenance.author == "jim"
    assert documents["0001/235/1235000.py"].provenance.title == "No author"
    assert documents["0001/235/1235999.py"].provenance == Provenance(licence="Apache-2.0")
    assert documents["0001/234/9999999.py"].provenance == Provenance()


@pytest.mark.parametrize("below", ["0001", "0001/234"])
def test_a_part_of_meta_kaggle_code_is_known_too(meta, below):
    documents, _ = read(meta / "meta-kaggle-code" / below)

    assert "jane" in {d.provenance.author for d in documents.values()}


def test_one_version_alone_is_known_too(meta):
    assert one(meta / "meta-kaggle-code/0001/234/1234001.py").competition == "other-competition"


@pytest.mark.parametrize("missing", sorted(META))
def test_a_file_of_meta_kaggle_that_is_missing_leaves_its_part_open(meta, missing):
    (meta / "meta-kaggle" / missing).unlink()
    documents, _ = read(meta / "meta-kaggle-code")

    assert documents["0001/234/1234567.ipynb"].provenance.licence == "Apache-2.0"


def test_a_file_of_meta_kaggle_with_other_columns_is_told(meta):
    (meta / "meta-kaggle/KernelVersions.csv").write_text("a,b\n1,2\n")

    with pytest.raises(UnreadableFileError, match="expected a column Id, found a, b"):
        list(read_documents(meta / "meta-kaggle-code"))


def test_a_quote_that_is_never_closed_does_not_eat_the_file(tmp_path):
    rows = "".join(f"{i},x\n" for i in range(2000, 4000))
    path = tmp_path / "t.csv"
    path.write_text('Id,Name\n1,a\n2,"open\n' + rows)
    table = Table.of(path, "Id")

    assert table.row(1) == {"Id": "1", "Name": "a"}
    assert table.row(3999) == {"Id": "3999", "Name": "x"}


@given(st.lists(st.tuples(st.integers(0, 99), st.text("a,\"\n'é ")), max_size=20))
def test_a_row_is_found_whatever_its_texts_hold(tmp_path_factory, rows):
    import csv

    path = tmp_path_factory.mktemp("csv") / "t.csv"
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([("Name", "Id"), *((text, key) for key, text in rows)])
    table = Table.of(path, "Id")

    first: dict[int, str] = {}
    for key, text in rows:
        first.setdefault(key, text)
    assert {k: (table.row(k) or {}).get("Name") for k in first} == first
    assert table.row(100) is None


def test_meta_kaggle_that_is_empty_knows_nothing(tmp_path):
    assert MetaKaggle(tmp_path).version(1) is None


TABLE = (
    "path,author,title,url,created,votes,licence,competition\n"
    "a.py,Jane,Mine,https://x.org/a,2020-01-02,3,MIT,titanic\n"
    'b/c.py,"Jim, J.",,javascript:alert(1),soon,many,,\n'
)


def test_a_table_in_a_folder_says_whose_its_files_are(tmp_path):
    documents, _ = read(place(tmp_path, {"a.py": "x", "b/c.py": "y", "provenance.csv": TABLE}))

    assert documents["a.py"].competition == "titanic"
    assert documents["a.py"].provenance == Provenance(
        author="Jane", title="Mine", url="https://x.org/a", created=date(2020, 1, 2), votes=3,
        licence="MIT",
    )  # fmt: skip
    assert documents["b/c.py"].provenance == Provenance(author="Jim, J.")


def test_a_table_beside_a_file_a_folder_or_a_zip_says_it_too(tmp_path):
    rows = "".join(f"{path},Jane\n" for path in ("a.py", "f/b.py", "k.zip!c.py", "l.zip/d.py"))
    place(tmp_path, {"a.py": "x", "f/b.py": "y", "provenance.csv": "path,author\n" + rows})
    write(tmp_path, k_DOT_zip=zipped(("c.py", "x")), l_DOT_zip=zipped(("d.py", "x")))

    for source in ("a.py", "f", "k.zip", "l.zip"):
        assert one(tmp_path / source).provenance.author == "Jane", source
    assert {d.provenance.author for d in read(tmp_path)[0].values()} == {"Jane"}


def test_a_table_within_a_zip_is_about_its_members(tmp_path):
    content = zipped(("c.py", "x"), ("provenance.csv", "path,author\nc.py,Jane\n"))
    write(tmp_path, k_DOT_zip=content)

    assert one(tmp_path).provenance.author == "Jane"


def test_a_table_goes_before_what_kaggle_says_and_leaves_the_rest(tmp_path):
    table = "path,author,competition\nmy-eda.ipynb,Jane Doe,\n"
    files = {"my-eda.ipynb": NOTEBOOK, "kernel-metadata.json": json.dumps(KERNEL)}
    document = one(place(tmp_path, files | {"provenance.csv": table}))

    assert (document.provenance.author, document.provenance.votes) == ("Jane Doe", 7)
    assert document.competition == "titanic"


@pytest.mark.parametrize(
    "text", ["", "id,author\na.py,Jane\n", "path\n", '"', "path,author\na.py", "path,path\n,,,\n"]
)
def test_a_table_of_something_else_says_nothing(tmp_path, text):
    document = one(place(tmp_path, {"a.py": "x", "provenance.csv": text}))

    assert document.provenance == Provenance()
