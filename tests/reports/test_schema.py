"""The audit document: round trips, ids, redaction, refusals, scales."""

from __future__ import annotations

import itertools
import json
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from competitions.errors import DocumentError
from reports.schema import (
    HIDDEN,
    AuditReport,
    CodeLines,
    Conclusion,
    Confidence,
    FileDigest,
    Finding,
    LogLines,
    Quantity,
    RowOverlap,
    RowPair,
    Severity,
    read_audit,
    redact,
    write_audit,
)
from tests.reports.documents import NOW, empty, sample
from tests.reports.hostile import ugly

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
ROWS = st.integers(1, 10**9)
LINES = st.sampled_from([LogLines, CodeLines]).flatmap(
    lambda kind: st.builds(
        kind, path=TEXT, first_line=ROWS, last_line=ROWS, excerpt=TEXT, shows=TEXT
    )
)
OVERLAPS = st.builds(
    RowOverlap,
    left_table=TEXT,
    right_table=TEXT,
    n_left=ROWS,
    n_right=ROWS,
    n_shared=ROWS,
    compared_columns=st.tuples(TEXT),
    ignored_columns=st.tuples(TEXT, TEXT),
    pairs=st.tuples(st.builds(RowPair, left_row=ROWS, right_row=ROWS)),
    answers_agree=st.none() | ROWS,
)
QUANTITIES = st.builds(
    Quantity, name=TEXT, value=NUMBERS, unit=st.none() | TEXT, reference=st.none() | NUMBERS
)
EVIDENCE = st.one_of(
    LINES, OVERLAPS, QUANTITIES, st.builds(FileDigest, path=TEXT, sha256=TEXT, shows=TEXT)
)


def seen(*evidence, subject="a", message="seen", severity=Severity.HIGH):
    return Finding.seen(
        "answers-read", subject, message, *evidence, severity=severity, confidence=Confidence.LOW
    )


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(sample, id="rich"),
        pytest.param(lambda: sample(revealed=True), id="revealed"),
        pytest.param(empty, id="empty"),
        pytest.param(lambda: ugly(5, 20), id="hostile"),
    ],
)
def test_a_document_reads_back_as_it_was_written(make, tmp_path):
    report = make()

    write_audit(report, tmp_path / "audit.json")

    assert read_audit(tmp_path / "audit.json") == report


@given(st.lists(EVIDENCE, min_size=1, max_size=4))
def test_a_finding_survives_json_with_any_evidence(evidence):
    finding = seen(*evidence)

    assert Finding.model_validate_json(finding.model_dump_json()) == finding


@given(EVIDENCE, TEXT)
def test_the_id_depends_on_what_was_seen_and_not_on_the_words_about_it(evidence, message):
    first, again = seen(evidence), seen(evidence, message=message, severity=Severity.NOTE)

    assert first.id == again.id
    assert first.id.startswith("answers-read-")


@given(st.lists(EVIDENCE, min_size=2, max_size=2, unique_by=repr))
def test_other_evidence_or_another_subject_gives_another_id(pair):
    one, other = pair

    assert len({seen(one).id, seen(other).id, seen(one, subject="b").id}) == 3


def test_the_id_is_the_same_on_every_machine_and_in_every_version():
    finding = seen(FileDigest(path="code/a.py", sha256="0" * 64, shows="the file"))

    assert finding.id == "answers-read-00a6e0a56fa0"


@given(OVERLAPS)
def test_redaction_hides_what_is_known_from_hidden_data_and_keeps_the_id(overlap):
    finding = seen(overlap)

    (evidence,) = redact(finding).evidence
    assert isinstance(evidence, RowOverlap)

    assert redact(finding).id == finding.id
    assert evidence.answers_agree == (None if overlap.answers_agree is None else HIDDEN)
    assert evidence.model_copy(update={"answers_agree": overlap.answers_agree}) == overlap


@given(st.lists(EVIDENCE, min_size=1, max_size=4))
def test_redaction_is_idempotent_and_reads_back(evidence):
    redacted = redact(seen(*evidence))

    assert redact(redacted) == redacted
    assert Finding.model_validate_json(redacted.model_dump_json()) == redacted


def test_a_redacted_document_nowhere_tells_how_many_answers_agree():
    assert HIDDEN in sample().model_dump_json()
    assert '"answers_agree":2' not in sample().model_dump_json()
    assert '"answers_agree":2' in sample(revealed=True).model_dump_json()


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_a_number_that_is_none_is_refused(value):
    with pytest.raises(ValidationError, match="finite number"):
        Quantity(name="share", value=value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param({"schema_version": 2}, "schema_version 1, found 2", id="newer"),
        pytest.param({"schema_version": None}, "schema_version 1, found None", id="none"),
        pytest.param({"mood": "good"}, "mood: unknown field", id="unknown-field"),
        pytest.param({"created_at": "2026-01-01T00:00:00"}, "created_at", id="time-without-zone"),
        pytest.param({"created_at": "0001-01-01T00:00:00+14:00"}, "created_at", id="before-utc"),
        pytest.param({"created_at": "9999-12-31T23:00:00-14:00"}, "created_at", id="after-utc"),
        pytest.param({"subjects": [{"id": "a"}]}, "subjects.0.kind", id="broken-subject"),
    ],
)
def test_a_document_that_breaks_the_contract_is_refused_with_its_field(change, said, tmp_path):
    path = tmp_path / "audit.json"
    path.write_text(json.dumps(empty().model_dump(mode="json") | change))

    with pytest.raises(DocumentError, match=said) as caught:
        read_audit(path)

    assert str(path) in str(caught.value)
    assert caught.value.exit_code == 3


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"{", id="cut-off"),
        pytest.param(b"\xff\xfe\x00", id="binary"),
        pytest.param(b"[]", id="a-list"),
        pytest.param(b'"text"', id="a-string"),
        pytest.param(b"[" * 100_000, id="nested-too-deeply"),
        pytest.param(b'{"schema_version": 1, "schema_version": 1}', id="a-name-twice"),
        pytest.param(b'{"schema_version": NaN}', id="no-number"),
        pytest.param(b'{"schema_version": 1e999}', id="infinite"),
        pytest.param(b'{"schema_version": 1, "policy": "\\ud800"}', id="half-a-surrogate-pair"),
    ],
)
def test_a_file_that_is_no_document_is_refused(content, tmp_path):
    path = tmp_path / "audit.json"
    path.write_bytes(content)

    with pytest.raises(DocumentError, match="expected"):
        read_audit(path)


@pytest.mark.parametrize("content", ["{}", "[]", '{"total_runs": 3}'], ids=["bare", "list", "rows"])
def test_json_that_is_no_audit_document_is_told_apart_from_another_version(content, tmp_path):
    path = tmp_path / "grading_report.json"
    path.write_text(content)

    with pytest.raises(DocumentError, match="expected an audit document") as caught:
        read_audit(path)

    assert "version of mle-audit" not in str(caught.value)


def test_a_missing_document_names_the_verb_that_makes_one(tmp_path):
    with pytest.raises(DocumentError, match="mle-audit vet"):
        read_audit(tmp_path / "none.json")


def test_a_finding_without_evidence_is_refused():
    with pytest.raises(ValidationError, match="at least 1 item"):
        seen()


@pytest.mark.parametrize(
    ("scale", "order"),
    [
        pytest.param(Severity, ["note", "low", "medium", "high"], id="severity"),
        pytest.param(Confidence, ["low", "medium", "high"], id="confidence"),
        pytest.param(
            Conclusion, ["clean", "note", "review", "disqualify", "undetermined"], id="conclusion"
        ),
    ],
)
def test_scales_compare_by_their_order_and_not_by_the_alphabet(scale, order):
    members = [scale(name) for name in order]

    assert sorted(scale) == members
    assert max(members) == order[-1]
    for low, high in itertools.pairwise(members):
        assert low < high
        assert low <= high
        assert high > low
        assert high >= low
        assert not high < low
        assert low <= scale(low.value)
        assert low >= scale(low.value)


def test_findings_come_in_the_order_of_the_checks_and_verdicts_are_found():
    report = sample()

    assert [f.id for f in report.findings] == [f.id for c in report.checks for f in c.findings]
    noted = report.verdict_of("task:modechoice:v1")
    assert noted is not None
    assert noted.conclusion is Conclusion.NOTE
    assert report.verdict_of("nobody") is None


def test_a_time_without_a_zone_is_refused():
    with pytest.raises(ValidationError, match="timezone"):
        AuditReport.model_validate(
            empty().model_dump() | {"created_at": datetime(2026, 1, 1)}  # noqa: DTZ001
        )
    assert empty().created_at == NOW
