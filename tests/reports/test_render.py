"""Writing a report: which files, and that nothing is half-written or overwritten by mistake."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from audit.cli import app
from competitions.errors import DocumentError, RefusedError, UsageError
from reports.csv_tables import render_tables
from reports.html import render_html
from reports.junit import render_junit
from reports.markdown import render_markdown
from reports.remarks import Suppression
from reports.render import FORMATS, formats_named, write_report
from reports.sarif import render_sarif
from reports.schema import Verdict, read_audit, write_audit
from tests.reports.documents import NOW, empty, sample
from tests.reports.test_html import EXAMPLES, with_evidence

HTML, MARKDOWN = render_html(sample()), render_markdown(sample())


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        pytest.param("site", {"site/index.html": HTML, "site/summary.md": MARKDOWN}, id="folder"),
        pytest.param("a/b.html", {"a/b.html": HTML}, id="page"),
        pytest.param("b.md", {"b.md": MARKDOWN}, id="summary"),
        pytest.param("r.sarif", {"r.sarif": render_sarif(sample())}, id="sarif"),
        pytest.param("r.xml", {"r.xml": render_junit(sample())}, id="junit"),
    ],
)
def test_a_report_is_written_where_it_was_asked_for(output, expected, tmp_path):
    written = write_report(sample(), tmp_path / output)

    found = {p.relative_to(tmp_path).as_posix(): p.read_text() for p in written}
    assert found == expected
    assert sorted(p for p in tmp_path.rglob("*") if p.is_file()) == sorted(written)


def test_an_old_report_is_replaced_and_other_files_stay(tmp_path):
    write_report(empty(), tmp_path)
    (tmp_path / "mine.txt").write_text("mine")

    write_report(sample(), tmp_path)

    assert (tmp_path / "index.html").read_text() == HTML
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_a_file_is_not_taken_for_a_folder_nor_a_folder_for_a_file(tmp_path):
    (tmp_path / "site").write_text("mine")
    (tmp_path / "x.html").mkdir()

    for output in ("site", "x.html"):
        with pytest.raises(UsageError, match="expected a f"):
            write_report(sample(), tmp_path / output)
    assert (tmp_path / "site").read_text() == "mine"


def test_the_verb_writes_what_the_library_writes_and_says_where(tmp_path):
    import typer

    from audit.commands.report import report

    write_audit(sample(), tmp_path / "audit.json")
    app = typer.Typer()
    app.command()(report)

    done = CliRunner().invoke(app, [str(tmp_path / "audit.json"), "-o", str(tmp_path / "site")])

    assert done.exit_code == 0
    assert done.stdout.split() == [str(tmp_path / "site" / n) for n in ("index.html", "summary.md")]
    assert (tmp_path / "site/index.html").read_text() == HTML


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["--format", "html,json", "-o", "{here}"], id="into-its-folder"),
        pytest.param(["-o", "{here}/audit.json"], id="by-its-name"),
        pytest.param(["-o", "{here}/x/../audit.json"], id="by-another-path"),
    ],
)
def test_the_document_is_not_written_over_and_nothing_else_is_written(words, tmp_path):
    (tmp_path / "x").mkdir()
    write_audit(sample(), tmp_path / "audit.json")
    before = (tmp_path / "audit.json").read_text()
    filled = [w.format(here=tmp_path) for w in words]
    done = CliRunner().invoke(app, ["report", f"{tmp_path}/audit.json", "--anonymise", *filled])

    assert isinstance(done.exception, RefusedError)
    assert (tmp_path / "audit.json").read_text() == before
    assert {p.name for p in tmp_path.iterdir()} == {"audit.json", "x"}


def test_the_verb_refuses_what_is_no_document(tmp_path):
    from audit.commands.report import report

    (tmp_path / "audit.json").write_text('{"schema_version": 99}')

    with pytest.raises(DocumentError, match="found 99"):
        report(tmp_path / "audit.json", tmp_path / "site")
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize("name", ["x.pdf", "x.HTML", "x.csv", "a.b/c.txt"])
def test_a_name_with_another_suffix_is_refused_and_the_formats_are_named(name, tmp_path):
    with pytest.raises(UsageError, match=r"\.html, \.md, \.sarif, \.xml or \.json, or a folder"):
        write_report(sample(), tmp_path / name)

    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_a_dot_in_its_name_is_a_folder(tmp_path):
    (tmp_path / "v1.2").mkdir()

    write_report(sample(), tmp_path / "v1.2")

    assert (tmp_path / "v1.2" / "index.html").read_text() == HTML


def test_a_folder_gets_the_formats_that_are_named_and_no_other(tmp_path):
    written = write_report(sample(), tmp_path / "all", FORMATS)
    two = write_report(sample(), tmp_path / "two", ("junit", "csv"))

    assert {p.name for p in written} == {
        "index.html", "summary.md", "results.sarif", "junit.xml", "audit.json",
        "findings.csv", "verdicts.csv", "checks.csv", "tasks.csv",
    }  # fmt: skip
    assert {p.name for p in two} == {"junit.xml", *render_tables(sample())}
    assert sorted(two) == sorted((tmp_path / "two").iterdir())
    assert read_audit(tmp_path / "all" / "audit.json") == sample()


@pytest.mark.parametrize("names", ["", ",", "pdf", "html,pdf"])
def test_formats_that_do_not_exist_are_refused_and_those_that_do_are_named(names):
    with pytest.raises(UsageError, match="html, markdown, sarif, junit, json, csv"):
        formats_named(names)


def test_one_file_takes_no_other_format(tmp_path):
    assert write_report(sample(), tmp_path / "a.html", ("html",)) == (tmp_path / "a.html",)
    with pytest.raises(UsageError, match="a folder for html, sarif"):
        write_report(sample(), tmp_path / "b.html", ("html", "sarif"))
    assert not (tmp_path / "b.html").exists()


def test_the_verb_takes_formats_with_commas(tmp_path):
    from audit.cli import app

    write_audit(empty(), tmp_path / "audit.json")
    call = ["report", str(tmp_path / "audit.json"), "-o", str(tmp_path / "s")]

    done = CliRunner().invoke(app, [*call, "--format", "sarif, junit"])
    wrong = CliRunner().invoke(app, [*call, "--format", "sarif,word"])

    assert done.exit_code == 0
    assert {p.name for p in (tmp_path / "s").iterdir()} == {"results.sarif", "junit.xml"}
    assert isinstance(wrong.exception, UsageError)


@pytest.mark.parametrize("state", ["acts", "expired"])
def test_every_form_says_that_a_finding_is_struck_out_and_why(state):
    report = with_evidence(EXAMPLES["quantity"])
    (finding,) = report.findings
    said = Suppression(
        finding=finding.id, reason="A test file.", author="ann", expires=NOW.date(), state=state,
        findings=(finding.id,),
    )  # fmt: skip
    struck = Verdict(subject="a", conclusion="clean", suppressed=(finding.id,))
    report = report.model_copy(update={"suppressions": (said,), "verdicts": (struck,)})
    words, acts = "A test file. (ann, until 2026-03-14)", state == "acts"
    (result,) = json.loads(render_sarif(report))["runs"][0]["results"]

    assert [s["justification"] for s in result.get("suppressions", ())] == [words] * acts
    assert (f"counts in no verdict: {words}" in render_junit(report)) is acts
    assert (words in render_tables(report)["findings.csv"]) is acts
    assert "<failure" not in render_junit(report)
