"""Attempts, files and folders of code held against a corpus: what is told, and the exit."""

from __future__ import annotations

import json
import random
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from audit.cli import app
from audit.copies import HEAD, conclusions, copy_rows, copy_table
from audit.loose import gather
from audit.plagiarism import plagiarism
from audit.verdict import load_policy
from competitions.errors import CorpusError, UnknownNameError, UsageError
from detectors.base import all_detectors, family_of
from detectors.plagiarism.corpus.build import build
from reports.schema import Conclusion, CopiedPassages, Outcome, SubjectKind, read_audit
from tests.conftest import write_attempt
from tests.contract.hostile import ATTEMPTS
from tests.detectors.plagiarism.test_corpus import folder_of, script

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TASK = "spaceship-titanic"
OTHER = "breast-cancer"
STARTER = script(77)  # code that everybody is given, and one published


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Thirty solutions of one task, of other authors each."""
    place = tmp_path_factory.mktemp("corpus")
    texts = {f"k{i}": script(i) for i in range(30)}
    build([folder_of(place / "s", **texts)], place / "known", competition=TASK)
    return place / "known"


@pytest.fixture
def compare(corpus, tmp_path):
    """Hold paths against the corpus."""

    def made(*paths, **options):
        return plagiarism(
            paths, options.pop("corpus", corpus), tmp_path / "data", load_policy(), NOW, **options
        )

    return made


@pytest.fixture
def file(tmp_path):
    """Write a file of code that is no attempt."""

    def write(name: str, text: str | bytes):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def conclusion(report, subject):
    return report.verdict_of(subject).conclusion


def outcomes(report, subject):
    return {c.detector: c.outcome for c in report.checks if c.subject == subject}


def test_a_copied_file_is_found_and_an_honest_one_is_clean(compare, file):
    report = compare(file("copy.py", script(3)), file("own.py", script(90)))

    assert conclusion(report, "copy.py") >= Conclusion.REVIEW
    assert conclusion(report, "own.py") is Conclusion.CLEAN
    (row,) = copy_rows(report)
    assert {"k3.py", "copy.py", "100 %"} <= set(row)


@pytest.mark.parametrize("width", [pytest.param(80, id="80"), pytest.param(40, id="40")])
def test_no_line_of_the_table_is_wider_than_the_terminal(compare, file, width):
    report = compare(file("copy.py", script(3)), file("other.py", script(4)))

    shown = copy_table(report, width)
    assert max(map(len, shown.splitlines())) <= width
    said = " ".join(shown.split())
    assert all(cell in said for row in copy_rows(report) for cell in row)
    assert "\n    " not in copy_table(report, None)


def test_what_p_and_q_mean_stands_under_the_table_and_nothing_where_there_is_none(compare, file):
    shown = copy_table(compare(file("copy.py", script(3))))

    assert all(f"{figure}: " in shown for figure in ("copied", "p", "q"))
    assert not copy_table(compare(file("own.py", script(90))))


def test_what_was_looked_at_is_counted_by_its_kind(compare, file, tmp_path):
    write_attempt(tmp_path / f"{TASK}_1", code=script(93))
    loose = file("own.py", script(90))

    def first(*paths):
        return next(conclusions(compare(*paths), tmp_path / "d.json"))

    assert first(loose).startswith("1 file or folder looked at")
    assert first(tmp_path / f"{TASK}_1").startswith("1 attempt")
    assert first(tmp_path / f"{TASK}_1", loose).startswith("2 attempts and files")


def test_attempts_and_loose_code_stand_in_one_document(compare, file, tmp_path):
    group = tmp_path / "runs" / "g"
    write_attempt(group / f"{TASK}_1", code=script(4))
    write_attempt(group / f"{TASK}_2", code=script(91))
    report = compare(tmp_path / "runs", file("copy.py", script(3)))

    attempts = [s.id for s in report.subjects if s.kind is SubjectKind.ATTEMPT]
    assert attempts == [f"{TASK}_1", f"{TASK}_2", "copy.py"]
    assert conclusion(report, f"{TASK}_1") >= Conclusion.REVIEW
    assert conclusion(report, "copy.py") >= Conclusion.REVIEW


def test_only_detectors_of_the_family_are_asked(compare, file):
    report = compare(file("a.py", script(90)))

    asked = {d.id for d in report.detectors}
    assert asked == {n for n, cls in all_detectors().items() if family_of(cls) == "plagiarism"}
    assert {n.what.partition(":")[0] for n in report.not_checked} >= {"rules", "leakage"}
    with pytest.raises(UnknownNameError):
        compare(file("a.py", script(90)), select=["answers-read"])


def test_a_folder_is_one_subject_whose_files_are_told_apart(compare, file, tmp_path):
    file("project/src/own.py", script(92))
    file("project/src/deep/copy.py", script(5))
    report = compare(tmp_path / "project")

    assert [s.id for s in report.subjects if s.kind is SubjectKind.ATTEMPT] == ["project"]
    assert any("project/src/deep/copy.py" in row for row in copy_rows(report))


@pytest.mark.parametrize(
    ("files", "why"),
    [
        pytest.param({"x/agent.log": "epoch 1\n"}, "no code", id="logs-but-no-code"),
        pytest.param({"x/README.md": "# Mine\n"}, "no code", id="words-but-no-code"),
        pytest.param({"x/a.py": b"\x00\x01\x02" * 999}, "cannot be read", id="a-binary"),
        pytest.param({"x/a.py": "\n  \n"}, "no code", id="blank"),
    ],
)
def test_a_folder_without_code_to_look_at_is_not_cleared(compare, file, tmp_path, files, why):
    for name, content in files.items():
        file(name, content)
    report = compare(tmp_path / "x")

    assert conclusion(report, "x") is Conclusion.UNDETERMINED
    assert Outcome.CLEAN not in outcomes(report, "x").values()
    assert why in " ".join(c.reason or "" for c in report.checks if c.subject == "x")


def test_an_attempt_without_logs_or_submission_is_cleared_where_nobody_asked_for_them(
    compare, tmp_path
):
    write_attempt(tmp_path / f"{TASK}_1", code=script(93), logs={}, submission=None)
    report = compare(tmp_path / f"{TASK}_1", select=["copied-notebook"])

    assert conclusion(report, f"{TASK}_1") is Conclusion.CLEAN


def test_a_submission_file_is_not_asked_about_its_code(compare, file):
    report = compare(file("mine.csv", "PassengerId,Transported\n1,True\n"))

    found = outcomes(report, "mine.csv")
    assert found["copied-notebook"] is Outcome.NOT_APPLICABLE
    assert Outcome.CLEAN not in found.values()


@pytest.fixture(scope="module")
def with_submissions(tmp_path_factory):
    """A corpus of one solution and ten submissions, all of them alike and none a copy."""
    place = tmp_path_factory.mktemp("submissions")
    for number in range(10):
        (place / f"p{number}.csv").write_text(submission(number))
    folder_of(place / "s", k0=script(0))
    build([place / "s"], place / "c", competition=TASK, submissions=[place])
    return place / "c"


def submission(seed):
    draw = random.Random(seed)  # noqa: S311 - no secret
    truth = random.Random(-1)  # noqa: S311
    values = (0.7 * truth.random() + 0.3 * draw.random() for _ in range(400))
    rows = (f"{i:04}_01,{value:.6f}\n" for i, value in enumerate(values))
    return "PassengerId,Transported\n" + "".join(rows)


def test_a_submission_file_is_held_against_those_with_its_columns(compare, file, with_submissions):
    report = compare(
        file("copy.csv", submission(3)), file("own.csv", submission(99)), corpus=with_submissions
    )

    assert conclusion(report, "own.csv") is Conclusion.CLEAN
    assert [(row[HEAD.index("source")], row[HEAD.index("copy")]) for row in copy_rows(report)] == [
        ("p3.csv", "copy.csv")
    ]


def test_who_is_clean_beside_a_note_that_names_it_is_told(compare, file, with_submissions):
    report = compare(
        file("copy.csv", submission(3)), file("own.csv", submission(99)), corpus=with_submissions
    )

    assert conclusion(report, "copy.csv") is Conclusion.CLEAN
    told = [*conclusions(report, file("d.json", ""))]
    assert "clean, but named in a note, which is no accusation: copy.csv" in told


def test_a_submission_that_cannot_be_read_keeps_no_other_from_being_cleared(
    compare, file, with_submissions
):
    report = compare(
        file("broken.csv", "PassengerId,Transported\n"),
        file("own.csv", submission(99)),
        corpus=with_submissions,
        competition="spaceship-titanic",
    )
    verdict = report.verdict_of("broken.csv")

    assert conclusion(report, "own.csv") is Conclusion.CLEAN
    assert verdict.conclusion is Conclusion.UNDETERMINED
    assert "broken.csv" in " ".join(verdict.because)


def test_a_submission_file_that_nothing_can_be_compared_with_is_not_cleared(
    compare, file, with_submissions
):
    report = compare(file("other.csv", "id,y\n1,0\n"), corpus=with_submissions)

    assert conclusion(report, "other.csv") is Conclusion.UNDETERMINED


def test_loose_files_are_held_against_each_other(compare, file):
    one, other = file("one.py", script(81)), file("other.py", f"import os\n{script(81)}")
    report = compare(one, other, file("own.py", script(82)))

    pairs = {frozenset(row[HEAD.index(n)] for n in ("source", "copy")) for row in copy_rows(report)}
    assert pairs == {frozenset({"one.py", "other.py"})}
    assert conclusion(report, "own.py") is Conclusion.CLEAN


def test_a_competition_that_the_corpus_has_not_clears_nobody(compare, file, tmp_path):
    write_attempt(tmp_path / f"{OTHER}_1", code=script(94), record={"competition_id": OTHER})
    report = compare(tmp_path / f"{OTHER}_1", select=["copied-notebook"])

    assert conclusion(report, f"{OTHER}_1") is Conclusion.UNDETERMINED
    assert OTHER in report.verdict_of(f"{OTHER}_1").because[0]


def test_what_nobody_could_look_at_is_told_and_stops_nobody(compare, tmp_path):
    write_attempt(tmp_path / f"{TASK}_1", code=script(93))
    report = compare(tmp_path / f"{TASK}_1")

    assert conclusion(report, f"{TASK}_1") is Conclusion.CLEAN
    told = "\n".join(conclusions(report, tmp_path / "d.json"))
    assert "not looked at: copied-submission: The corpus holds no submission" in told


def test_attempts_of_other_competitions_are_left_out(compare, tmp_path):
    write_attempt(tmp_path / "g" / f"{TASK}_1", code=script(95))
    write_attempt(tmp_path / "g" / f"{OTHER}_1", code=script(96))

    report = compare(tmp_path / "g", competition=TASK)
    assert [s.id for s in report.subjects if s.kind is SubjectKind.ATTEMPT] == [f"{TASK}_1"]
    with pytest.raises(UsageError, match="2 attempts"):
        compare(tmp_path / "g", competition="modechoice")


def test_base_code_is_no_copy_and_leaves_the_corpus_as_it_was(tmp_path, compare, file):
    place = tmp_path / "c"
    texts = {f"k{i}": script(i) for i in range(9)} | {"kit": STARTER}
    build([folder_of(tmp_path / "s", **texts)], place, competition=TASK)
    before = {p: p.read_bytes() for p in place.rglob("*") if p.is_file()}
    mine, starter = file("mine.py", STARTER), file("starter/kit.py", STARTER)

    assert copy_rows(compare(mine, corpus=place))
    assert not copy_rows(compare(mine, corpus=place, base=[starter.parent]))
    assert {p: p.read_bytes() for p in place.rglob("*") if p.is_file()} == before


def test_the_document_names_the_corpus_by_its_digest_and_no_place(compare, file, corpus):
    report = compare(file("a.py", script(90)), base=[file("b.py", script(97))])

    told = {c.parameters["corpus"] for c in report.checks if "corpus" in c.parameters}
    assert len(told) == 1
    assert re.fullmatch(r"known [0-9a-f]{16} less b\.py", next(iter(told)))
    assert str(corpus.parent) not in json.dumps([dict(c.parameters) for c in report.checks])


def test_two_files_of_one_name_are_told_apart(file):
    one, other = file("a/x.py", "x = 1\n"), file("b/x.py", "x = 2\n")

    assert {loose.id for loose in gather([one, other, one]).loose} == {str(one), str(other)}


def test_code_is_called_as_the_call_calls_it(file, tmp_path, monkeypatch):
    target = file("real/x.py", "x = 1\n")
    (tmp_path / "link.py").symlink_to(target)
    monkeypatch.chdir(target.parent)

    assert [one.id for one in gather([tmp_path / "link.py"]).loose] == ["link.py"]
    assert [one.id for one in gather([Path()]).loose] == ["real"]
    assert [one.id for one in gather([Path("../real/..")]).loose] == [tmp_path.name]


def test_where_the_document_says_the_proof_lies_there_is_a_file(compare, file, tmp_path):
    file("project/src/copy.py", script(5))
    report = compare(file("copy.py", script(3)), tmp_path / "project")

    places = {s.id: s.path for s in report.subjects}
    proofs = {
        Path(places[f.subject] or "", e.path)
        for f in report.findings
        for e in f.evidence
        if isinstance(e, CopiedPassages)
    }
    assert proofs == {tmp_path / "copy.py", tmp_path / "project/src/copy.py"}


@pytest.mark.parametrize("hostile", [n for n in ATTEMPTS if n not in {"long-line", "many-files"}])
def test_a_hostile_attempt_gives_an_answer_and_stops_no_other(compare, file, tmp_path, hostile):
    ATTEMPTS[hostile](tmp_path / f"{TASK}_{hostile}")
    report = compare(tmp_path / f"{TASK}_{hostile}", file("own.py", script(90)))

    assert conclusion(report, "own.py") is Conclusion.CLEAN
    assert Outcome.FAILED not in {c.outcome for c in report.checks}
    assert report.model_dump_json()


def test_a_path_that_is_not_there_is_told(compare, tmp_path):
    with pytest.raises(UsageError, match=r"nothing\.py"):
        compare(tmp_path / "nothing.py")


def test_without_a_corpus_the_command_that_makes_one_is_told(compare, file, tmp_path):
    with pytest.raises(UsageError, match="--corpus") as told:
        compare(file("a.py", "x = 1\n"), corpus=None)
    assert "mle-audit corpus build" in (told.value.remedy or "")
    with pytest.raises(CorpusError):
        compare(file("a.py", "x = 1\n"), corpus=tmp_path)


def test_every_check_is_counted(compare, file):
    told: list[tuple[int, int, str]] = []
    report = compare(file("a.py", script(90)), progress=lambda *words: told.append(words))

    assert [done for done, _, _ in told] == list(range(1, len(report.checks) + 1))
    assert {total for _, total, _ in told} == {len(report.checks)}


def test_what_only_the_trajectory_shows_says_so(compare, tmp_path):
    log = f"$ cat solution.py\n```python\n{script(6)}\n```\n"
    write_attempt(tmp_path / f"{TASK}_1", code=script(98), logs=log)
    rows = copy_rows(compare(tmp_path / f"{TASK}_1"))

    assert any("(in trajectory only)" in cell for row in rows for cell in row)


def run(*words):
    return CliRunner().invoke(app, ["plagiarism", *map(str, words)])


def test_the_verb_prints_a_table_writes_both_files_and_ends_with_one(corpus, file, tmp_path):
    document, page = tmp_path / "d.json", tmp_path / "p.html"
    done = run(file("copy.py", script(3)), "--corpus", corpus, "--json", document, "--html", page)

    assert done.exit_code == 1
    assert "k3.py" in done.output
    assert f"mle-audit explain {read_audit(document).findings[0].id} -d {document}" in done.output
    assert "k3.py" in page.read_text()


def test_the_verb_ends_with_nothing_for_honest_code_and_three_for_none(corpus, file, tmp_path):
    place = ("--corpus", corpus, "--json", tmp_path / "d.json")

    assert run(file("own.py", script(90)), *place).exit_code == 0
    assert run(file("logs/agent.log", "x\n").parent, *place).exit_code == 3
    assert run(file("copy.py", script(3)), *place, "--fail-on", "disqualify").exit_code in {0, 1}


def test_a_page_that_cannot_be_written_is_refused_before_anything_is_compared(
    corpus, file, tmp_path
):
    document = tmp_path / "d.json"
    done = run(
        file("own.py", script(90)), "--corpus", corpus, "--json", document, "--html", "page.txt"
    )

    assert isinstance(done.exception, UsageError)
    assert not document.exists()


def test_the_document_alone_goes_to_the_terminal(corpus, file):
    done = run(file("copy.py", script(3)), "--corpus", corpus, "--json", "-")

    assert json.loads(done.stdout)["schema_version"] == 1


def test_hostile_names_command_no_terminal(compare, file):
    report = compare(file("a\x1b[31m.py", script(3)))

    assert "\x1b" not in "\n".join(
        [*conclusions(report, file("d.json", "")), *map(str, report.subjects)]
    )
