"""An audit from folders to document: what was seen, what was not, the headline with and without."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime

import pytest

from audit.rejudge import UNJUDGED
from audit.verdict import load_policy
from audit.vet import vet
from competitions.errors import CorpusError, UnknownNameError, UsageError
from detectors.base import FAMILIES, all_detectors, family_of
from detectors.group import ALL_ATTEMPTS
from detectors.plagiarism.corpus.build import build
from reports.schema import (
    HIDDEN,
    Conclusion,
    LogLines,
    Outcome,
    RowOverlap,
    Severity,
    SubjectKind,
    read_audit,
    write_audit,
)
from tests.audit.conftest import HONEST, PEEKING, TASK
from tests.conftest import write_attempt
from tests.contract.hostile import ATTEMPTS
from tests.detectors.plagiarism.test_corpus import folder_of, script

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def audit_of(*paths, data_dir, **options):
    return vet(paths, data_dir, load_policy(), NOW, **options)


@pytest.fixture
def report(group, data_dir):
    return audit_of(group, data_dir=data_dir)


def conclusion(report, subject):
    return report.verdict_of(subject).conclusion


def test_the_peeking_attempt_is_disqualified_and_the_honest_one_clean(report):
    assert conclusion(report, PEEKING) is Conclusion.DISQUALIFY
    assert conclusion(report, HONEST) is Conclusion.CLEAN
    assert conclusion(report, f"task:{TASK}:v1") is Conclusion.CLEAN


def test_every_detector_answers_for_every_subject_of_its_kind(report):
    here = {
        SubjectKind.ATTEMPT: [HONEST, PEEKING],
        SubjectKind.GROUP: ["group:honest", "group:peeking"],
        "across agents": [ALL_ATTEMPTS],
        SubjectKind.TASK: [f"task:{TASK}:v1"],
    }
    outcomes = {(c.detector, c.subject): c.outcome for c in report.checks}

    assert [(c.detector, c.subject) for c in report.checks] == [
        (name, subject)
        for name, cls in all_detectors().items()
        for subject in here.get(
            "across agents" if cls.about.across_agents else cls.about.subject, []
        )
    ]
    assert outcomes["answers-read", HONEST] is Outcome.CLEAN
    assert outcomes["answers-read", PEEKING] is Outcome.FLAGGED
    assert outcomes["exact-row-overlap", f"task:{TASK}:v1"] is Outcome.CLEAN


def test_the_evidence_points_to_the_lines_that_show_it(report):
    (finding,) = [f for f in report.findings if f.severity is Severity.HIGH]
    proof = finding.evidence[0]

    assert isinstance(proof, LogLines)
    assert (proof.path, proof.first_line) == ("logs/agent.log", 1)
    assert "cat /private/data/answers.csv" in proof.excerpt


def test_the_headline_stands_with_and_without_attempts_in_question(report):
    shown = {(h.agent, h.attempts): h.n_attempts for h in report.headlines}

    assert shown == {("honest", "all"): 1, ("peeking", "all"): 1, ("honest", UNJUDGED): 1}


def test_what_nobody_looked_at_is_listed(report, group, data_dir):
    families = {n.what.partition(":")[0] for n in report.not_checked} & set(FAMILIES)
    asked = [c for c in all_detectors().values() if c.about.subject is not SubjectKind.MODEL]
    assert families == set(FAMILIES) - {family_of(cls) for cls in asked} == {"familiarity"}
    assert not families & {"rules", "leakage", "claims"}

    alone = audit_of(group, data_dir=data_dir, select=["answers-read"])
    assert "leakage" in {n.what.partition(":")[0] for n in alone.not_checked}


def test_a_task_that_is_not_here_is_listed_and_its_attempts_are_vetted(group, tmp_path):
    report = audit_of(group, data_dir=tmp_path / "nothing")

    assert conclusion(report, PEEKING) is Conclusion.DISQUALIFY
    assert f"scores on {TASK}" in [n.what for n in report.not_checked]
    assert conclusion(report, f"task:{TASK}") is Conclusion.UNDETERMINED
    assert len(report.grading.mle_audit.not_graded) == 2


def test_an_attempt_with_a_broken_record_is_vetted_all_the_same(group, data_dir):
    (group / PEEKING / "attempt.json").write_text("{")
    report = audit_of(group, data_dir=data_dir)

    assert conclusion(report, PEEKING) is Conclusion.DISQUALIFY
    assert [n.attempt for n in report.grading.mle_audit.not_graded] == [PEEKING]
    assert any("attempt.json" in n.why for n in report.not_checked)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("parts", "gap"),
    [
        pytest.param({"code": {}}, "code", id="no-code"),
        pytest.param({"logs": {}}, "logs", id="no-logs"),
        pytest.param({"submission": None}, "submission", id="no-submission"),
    ],
)
def test_an_attempt_without_decisive_evidence_cannot_be_cleared(tmp_path, data_dir, parts, gap):
    write_attempt(tmp_path / f"{TASK}_1", **parts)
    verdict = audit_of(tmp_path, data_dir=data_dir).verdict_of(f"{TASK}_1")

    assert verdict.conclusion is Conclusion.UNDETERMINED
    assert any(gap in sentence for sentence in verdict.because)


@pytest.mark.slow
def test_a_second_audit_finds_the_same_under_the_same_ids(report, group, data_dir, tmp_path):
    again = audit_of(group, data_dir=data_dir)
    moved = shutil.copytree(group, tmp_path / "moved" / "g")

    def ids(found):
        return [f.id for f in found.findings]

    assert ids(report) == ids(again) == ids(audit_of(moved, data_dir=data_dir)) != []


def test_the_document_reads_back_as_it_was_and_holds_no_nan(report, tmp_path):
    def refuse(name: str) -> None:
        raise AssertionError(name)

    write_audit(report, tmp_path / "audit.json")

    assert read_audit(tmp_path / "audit.json") == report
    json.loads((tmp_path / "audit.json").read_text(), parse_constant=refuse)


@pytest.fixture
def leaking(group, data_dir, tmp_path):
    """The task's data with a test row, answer and all, planted among the train rows."""
    folder = tmp_path / "leaking"
    shutil.copytree(data_dir, folder)
    prepared = folder / TASK / "prepared"
    (prepared / "manifest.json").unlink()  # as MLE-bench's own folders: used as they are
    header, first = (prepared / "public" / "test.csv").read_text().splitlines()[:2]
    columns = (prepared / "public" / "train.csv").read_text().splitlines()[0].split(",")
    answers = dict(
        line.split(",") for line in (prepared / "private" / "test.csv").read_text().split()
    )
    row = dict(zip(header.split(","), first.split(","), strict=True))
    row |= {"malignant": answers[row["id"]], "id": "copied"}
    with (prepared / "public" / "train.csv").open("a") as stream:
        stream.write(",".join(row[c] for c in columns) + "\n")
    return group, folder


@pytest.mark.parametrize(("reveal", "shown"), [(False, HIDDEN), (True, 1)])
def test_what_is_known_from_hidden_data_is_shown_only_when_asked_for(leaking, reveal, shown):
    group, data_dir = leaking
    report = audit_of(group, data_dir=data_dir, reveal_private=reveal)
    (proof,) = [e for f in report.findings for e in f.evidence if isinstance(e, RowOverlap)]

    assert proof.answers_agree == shown
    assert report.private_revealed is reveal
    assert conclusion(report, f"task:{TASK}:v1") is Conclusion.REVIEW


@pytest.mark.slow
def test_hostile_attempts_do_not_stop_the_audit_of_the_others(group, data_dir):
    for name, write in ATTEMPTS.items():
        if name not in {"linked-folders", "links-out", "long-line", "many-files"}:
            write(group / f"{TASK}_{name}")
    report = audit_of(group, data_dir=data_dir)

    assert conclusion(report, PEEKING) is Conclusion.DISQUALIFY
    assert Outcome.FAILED not in {c.outcome for c in report.checks}
    assert report.model_dump_json()


def test_with_a_corpus_code_is_compared_and_without_one_nobody_says_it_was(
    group, data_dir, tmp_path
):
    for attempt in (HONEST, PEEKING):
        code = group / attempt / "code" / "more.py"
        code.write_text(script(7))
    texts = {f"k{i}": script(i) for i in range(3)}
    build([folder_of(tmp_path / "s", **texts)], tmp_path / "known", competition=TASK)
    options = {"data_dir": data_dir, "select": ["copied-notebook", "answers-read"]}
    without = audit_of(group, **options)
    compared = audit_of(group, **options, settings={"corpus": str(tmp_path / "known")})

    def copies(report):
        return {c.outcome for c in report.checks if c.detector == "copied-notebook"}

    assert copies(without) == {Outcome.NOT_AVAILABLE}
    assert copies(compared) == {Outcome.CLEAN}
    assert conclusion(without, HONEST) is conclusion(compared, HONEST) is Conclusion.CLEAN
    told = {c.parameters["corpus"] for c in compared.checks if "corpus" in c.parameters}
    assert [name.split()[0] for name in told] == ["known"]


def test_a_setting_that_means_nothing_is_refused_before_anything_is_read(tmp_path):
    with pytest.raises(UsageError, match="corpsu"):
        audit_of(tmp_path / "nowhere", data_dir=tmp_path, settings={"corpsu": "x"})
    with pytest.raises(CorpusError):
        audit_of(tmp_path / "nowhere", data_dir=tmp_path, settings={"corpus": str(tmp_path)})


def test_an_unknown_detector_is_told_with_its_neighbours(group, data_dir):
    with pytest.raises(UnknownNameError, match="answers-read"):
        audit_of(group, data_dir=data_dir, select=["answers-reading"])


def test_progress_is_told_after_each_check_and_grade(group, data_dir):
    told: list[str] = []
    report = audit_of(group, data_dir=data_dir, progress=told.append)

    assert [words.partition(":")[0] for words in told] == [
        *(HONEST, PEEKING),
        *(c.detector for c in report.checks),
    ]
