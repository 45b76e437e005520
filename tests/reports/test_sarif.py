"""SARIF: read by a model of the format that knows no other keys, and true to the document."""

from __future__ import annotations

import json
from urllib.parse import unquote, urlsplit

import pytest
from pydantic import BaseModel
from sarif_pydantic import Sarif

from reports.sarif import DOCUMENT, MAX_RELATED, render_sarif, uri
from reports.schema import (
    CodeLines,
    CopiedPassages,
    FileDigest,
    LogLines,
    NotChecked,
    Outcome,
    Passage,
    Quantity,
    RowOverlap,
    RowPair,
    Severity,
    Subject,
    SubjectKind,
)
from tests.reports.documents import empty, sample
from tests.reports.hostile import HOSTILE, ugly
from tests.reports.test_html import EXAMPLES, with_evidence

CODE = CodeLines(path="code/a.py", first_line=7, last_line=9, excerpt="import os", shows="Imports.")

# The format has them: sections 3.14.17 and 3.20.21. The model that reads it here has not.
BEYOND_THE_MODEL = {"Run.columnKind", "Invocation.toolExecutionNotifications"}


def run_of(report):
    (run,) = json.loads(render_sarif(report))["runs"]
    return run


def unknown_keys(model):
    """List keys of a parsed log that the format does not have."""
    found = [f"{type(model).__name__}.{name}" for name in model.model_extra or ()]
    for value in vars(model).values():
        for item in value if isinstance(value, list) else [value]:
            found += unknown_keys(item) if isinstance(item, BaseModel) else []
    return found


@pytest.mark.parametrize(
    "report",
    [
        pytest.param(empty(), id="empty"),
        pytest.param(sample(), id="sample"),
        pytest.param(ugly(20, 60, line=100_000), id="hostile"),
        pytest.param(with_evidence(*EXAMPLES.values()), id="all-kinds-of-evidence"),
    ],
)
def test_the_log_has_only_keys_of_the_format_and_those_it_must_have(report):
    text = render_sarif(report)
    log = Sarif.model_validate_json(text)
    (run,) = json.loads(text)["runs"]
    rules = run["tool"]["driver"]["rules"]

    assert log.version == "2.1.0"
    assert set(unknown_keys(log)) <= BEYOND_THE_MODEL
    for result in run["results"]:
        assert result["message"]["text"]
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert (result["kind"] == "fail") is (result["level"] != "none")
        for place in [*result["locations"], *result.get("relatedLocations", ())]:
            address = place["physicalLocation"]["artifactLocation"]["uri"]
            region = place["physicalLocation"]["region"]
            assert address.isascii()
            assert urlsplit(address).scheme in {"", "file"}
            assert 1 <= region["startLine"] <= region.get("endLine", region["startLine"])
    for rule in rules:
        assert rule.get("helpUri", "https://").startswith("https://")


def test_a_finding_stands_at_its_lines_of_code_with_the_other_proofs_beside_it():
    run = run_of(sample())
    finding = sample().findings[0]
    subject = next(s for s in sample().subjects if s.id == finding.subject)
    result = next(r for r in run["results"] if r["properties"]["finding"] == finding.id)

    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == f"{subject.path}/code/peek.py"
    assert (place["region"]["startLine"], place["region"]["endLine"]) == (31, 34)
    assert [p["id"] for p in result["relatedLocations"]] == [1]
    assert result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == 12
    assert finding.message in result["message"]["text"]
    assert len(run["results"]) == len(sample().findings)


@pytest.mark.parametrize(
    ("severity", "level", "kind"),
    [
        (Severity.HIGH, "error", "fail"),
        (Severity.MEDIUM, "warning", "fail"),
        (Severity.LOW, "note", "fail"),
        (Severity.NOTE, "none", "informational"),
    ],
)
def test_a_level_is_a_severity_and_a_note_is_no_failure(severity, level, kind):
    report = with_evidence(CODE)
    finding = report.findings[0].model_copy(update={"severity": severity})
    check = report.checks[0].model_copy(update={"findings": (finding,)})

    (result,) = run_of(report.model_copy(update={"checks": (check,)}))["results"]

    assert (result["level"], result["kind"]) == (level, kind)


def test_a_result_is_known_again_by_its_finding_wherever_it_stands():
    first, second = run_of(sample()), run_of(sample())
    prints = [r["partialFingerprints"]["auditFinding/v1"] for r in first["results"]]

    assert prints == [r["partialFingerprints"]["auditFinding/v1"] for r in second["results"]]
    assert set(prints) == {f.id for f in sample().findings}
    assert len({r["partialFingerprints"]["primaryLocationLineHash"] for r in first["results"]}) > 9


@pytest.mark.parametrize(
    ("evidence", "places"),
    [
        pytest.param(CODE, [("code/a.py", 7, 9)], id="code"),
        pytest.param(FileDigest(path="s", sha256="0", shows="x"), [("s", 1, None)], id="file"),
        pytest.param(
            RowOverlap(
                left_table="public/a.csv", right_table="public/b.csv", n_left=2, n_right=2,
                n_shared=1, compared_columns=("x",), pairs=(RowPair(left_row=1, right_row=2),),
            ),
            [("public/a.csv", 1, None), ("public/b.csv", 1, None)],
            id="tables",
        ),
        pytest.param(
            CopiedPassages(
                path="code/a.py", source="kernel", share_of_source=1, share_of_file=1,
                longest_run=9,
                passages=tuple(
                    Passage(left_first=n, left_last=n + 1, right_first=1, right_last=1,
                            similarity=1)
                    for n in (3, 9)
                ),
            ),
            [("code/a.py", 3, 4), ("code/a.py", 9, 10)],
            id="passages",
        ),
    ],
)  # fmt: skip
def test_each_kind_of_evidence_stands_at_its_place(evidence, places):
    (result,) = run_of(with_evidence(evidence))["results"]
    found = [
        (p["physicalLocation"]["artifactLocation"]["uri"],
         p["physicalLocation"]["region"]["startLine"],
         p["physicalLocation"]["region"].get("endLine"))
        for p in [*result["locations"], *result.get("relatedLocations", ())]
    ]  # fmt: skip

    assert found == places


def test_a_finding_of_numbers_alone_stands_at_the_document_and_tells_its_numbers():
    number = Quantity(name="mean", value=0.5, compared_with="published", reference=0.6)
    (result,) = run_of(with_evidence(number))["results"]

    place = result["locations"][0]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == DOCUMENT
    assert place["logicalLocations"][0]["fullyQualifiedName"] == "a"
    assert result["properties"]["evidence"] == ["mean = 0.5"]


def test_evidence_about_a_group_stands_in_the_folder_of_the_attempt_that_it_names():
    attempts = tuple(
        Subject(id=f"t_{n}", kind=SubjectKind.ATTEMPT, title=f"t_{n}", path=f"runs/{n}/t_{n}")
        for n in "xy"
    )
    report = with_evidence(*(LogLines(path=f"t_{n}/run.log", first_line=2, last_line=2,
                                      excerpt="x", shows="X.") for n in "xy"))  # fmt: skip
    finding = report.findings[0].model_copy(update={"attempts": ("t_x", "t_y")})
    check = report.checks[0].model_copy(update={"findings": (finding,)})
    (result,) = run_of(
        report.model_copy(update={"checks": (check,), "subjects": (*report.subjects, *attempts)})
    )["results"]

    found = [
        p["physicalLocation"]["artifactLocation"]["uri"]
        for p in [*result["locations"], *result["relatedLocations"]]
    ]
    assert found == ["runs/x/t_x/run.log", "runs/y/t_y/run.log"]


def test_what_could_not_be_looked_at_is_a_notification_and_never_silence():
    report = sample()
    (told,) = run_of(report)["invocations"]
    texts = [n["message"]["text"] for n in told["toolExecutionNotifications"]]
    silent = [c for c in report.checks if c.outcome in {Outcome.FAILED, Outcome.NOT_AVAILABLE}]

    assert len(texts) == len(silent) + len(report.not_checked)
    assert told["executionSuccessful"] is False  # a detector crashed
    assert run_of(empty())["invocations"][0]["executionSuccessful"] is True
    assert any("UnicodeDecodeError: invalid start byte" in t for t in texts)
    only = empty().model_copy(update={"not_checked": (NotChecked(what="x", why="y"),)})
    (alone,) = run_of(only)["invocations"][0]["toolExecutionNotifications"]
    assert alone["message"]["text"] == "Not looked at: x. y"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        pytest.param("a {0} b", "a {{0}} b", id="placeholder"),
        pytest.param("[here](https://x.y)", "[here] (https://x.y)", id="link"),
        pytest.param("x\x1b[31m", "x⟨ESC⟩[31m", id="control"),
    ],
)
def test_words_of_an_attempt_command_no_viewer(said, shown):
    report = with_evidence(CODE)
    finding = report.findings[0].model_copy(update={"message": said})
    check = report.checks[0].model_copy(update={"findings": (finding,)})

    (result,) = run_of(report.model_copy(update={"checks": (check,)}))["results"]

    assert result["message"]["text"].startswith(f"{shown}. Severity high")


def test_only_so_many_proofs_stand_beside_a_result():
    many = [CODE.model_copy(update={"first_line": n, "last_line": n}) for n in range(1, 200)]

    (result,) = run_of(with_evidence(*many))["results"]

    assert len(result["relatedLocations"]) == MAX_RELATED
    assert len(result["properties"]["evidence"]) == 199


@pytest.mark.parametrize(
    ("folder", "path", "expected"),
    [
        pytest.param("./runs/g", "a.py", "runs/g/a.py", id="dot"),
        pytest.param("", "a b.py", "a%20b.py", id="no-folder"),
        pytest.param("c:x", "y", "c%3Ax/y", id="colon-is-no-scheme"),
        pytest.param("/é/x", "x", "file:///%C3%A9/x/x", id="absolute"),
        pytest.param("submission", "submission", "submission/submission", id="in-a-folder"),
    ],
)
def test_paths_become_addresses(folder, path, expected):
    assert uri(folder, path) == expected


def test_a_file_that_is_no_attempt_is_no_folder():
    report = with_evidence(CODE.model_copy(update={"path": "kernel.py"}))
    subject = report.subjects[0].model_copy(update={"path": "files/kernel.py"})

    (result,) = run_of(report.model_copy(update={"subjects": (subject,)}))["results"]

    (place,) = result["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "files/kernel.py"


def test_no_path_of_an_attempt_leaves_its_file_name():
    address = uri("runs", HOSTILE)

    assert address.isascii()
    assert unquote(address) == f"runs/{HOSTILE}".replace("\ud800", "?")
