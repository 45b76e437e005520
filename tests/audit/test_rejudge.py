"""A document is judged anew by another policy: nothing is looked at again, and it says so."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from audit.cli import app
from audit.rejudge import UNJUDGED, judged, rejudge, saved_as
from audit.seal import sealed
from audit.suppressions import Said, Struck
from audit.verdict import load_policy
from competitions.errors import DocumentError, RefusedError, UsageError
from competitions.io import sha256_file
from reports.grading import headlines
from reports.remarks import Suppression
from reports.schema import Conclusion, read_audit, write_audit
from tests.reports.documents import sample

NOW = datetime(2026, 7, 1, tzinfo=UTC)
DEFAULT = load_policy()
SAMPLE = judged(sample(), DEFAULT, NOW)
GRAVE = next(f for f in SAMPLE.findings if DEFAULT.conclude(f) is Conclusion.DISQUALIFY)


def struck(finding: str = GRAVE.id, until: date = date(2026, 12, 31)) -> Struck:
    return Struck(finding=finding, reason="known bug", author="A. Reviewer", expires=until)


@pytest.fixture
def document(tmp_path) -> Path:
    path: Path = tmp_path / "audit.json"
    write_audit(sealed(SAMPLE, ()), path)
    return path


def conclusions(report):
    return {v.subject: v.conclusion for v in report.verdicts}


def test_judging_by_the_same_policy_changes_no_verdict_and_no_figure(document):
    again = rejudge(document, DEFAULT, NOW)

    assert (again.verdicts, again.headlines) == (SAMPLE.verdicts, SAMPLE.headlines)
    assert again.checks == SAMPLE.checks
    assert again.created_at == SAMPLE.created_at


def test_another_policy_gives_other_verdicts_from_the_same_findings(document):
    lenient = rejudge(document, load_policy("lenient"), NOW)

    assert lenient.findings == SAMPLE.findings
    assert Conclusion.DISQUALIFY in conclusions(SAMPLE).values()
    assert Conclusion.DISQUALIFY not in conclusions(lenient).values()
    assert lenient.policy == "lenient"
    assert lenient.policy_sha256 == load_policy("lenient").sha256


def test_figures_without_attempts_in_question_follow_the_verdicts(document):
    milder = rejudge(document, load_policy("lenient"), NOW, suppressions=[struck()])
    asked = {Conclusion.REVIEW, Conclusion.DISQUALIFY}
    doubted = {s for s, c in conclusions(milder).items() if c in asked}
    assert milder.grading
    rows = milder.grading.competition_reports
    kept = [r for r in rows if r.mle_audit and r.mle_audit.attempt not in doubted]

    assert [h for h in milder.headlines if h.attempts == UNJUDGED] == list(
        headlines(kept, UNJUDGED)
    )
    assert [h for h in milder.headlines if h.attempts == "all"] == list(headlines(rows))


def test_figures_that_were_published_stay_as_they_are(document):
    published = SAMPLE.headlines[0].model_copy(update={"agent": "a published row"})
    write_audit(
        sealed(SAMPLE.model_copy(update={"headlines": (*SAMPLE.headlines, published)}), ()),
        document,
    )

    assert published in rejudge(document, load_policy("strict"), NOW).headlines


def test_the_document_says_that_it_was_judged_anew_by_which_policy_and_from_what(document):
    again = rejudge(document, load_policy("strict"), NOW)

    assert SAMPLE.rejudged is None
    assert again.rejudged
    assert again.rejudged.from_sha256 == sha256_file(document)
    assert again.rejudged.from_policy == "default"
    assert again.rejudged.at == NOW
    assert again.policy == "strict"


def test_suppressions_of_a_document_stay_and_expire(document):
    with_one = judged(SAMPLE, DEFAULT, NOW, [struck(until=date(2026, 7, 31))])
    write_audit(sealed(with_one, ()), document)
    kept = rejudge(document, DEFAULT, NOW)
    late = rejudge(document, DEFAULT, datetime(2026, 8, 1, tzinfo=UTC))
    none = rejudge(document, DEFAULT, NOW, suppressions=[])

    assert [s.state for s in (*kept.suppressions, *late.suppressions)] == ["acts", "expired"]
    assert conclusions(kept) == conclusions(with_one)
    assert conclusions(late) == conclusions(none) == conclusions(SAMPLE)
    assert none.suppressions == ()


@pytest.mark.parametrize(
    "record",
    [
        pytest.param({"detector": "answers-read"}, id="a-whole-detector"),
        pytest.param({"finding": GRAVE.id, "detector": "answers-read"}, id="two-ways-at-once"),
        pytest.param({"finding": GRAVE.id, "reason": " "}, id="without-a-reason"),
    ],
)
def test_a_document_whose_suppressions_no_file_could_hold_is_refused(document, record):
    usual = {"reason": "r", "author": "a", "expires": NOW.date(), "state": "acts"}
    held = Suppression.model_validate({**usual, **record})
    write_audit(sealed(SAMPLE.model_copy(update={"suppressions": (held,)}), ()), document)

    with pytest.raises(DocumentError, match="a suppression in it is none"):
        rejudge(document, DEFAULT, NOW)


def test_a_suppressed_finding_stays_in_the_document_and_out_of_the_verdict():
    made = judged(SAMPLE, DEFAULT, NOW, [struck()])
    (spared,) = [v for v in made.verdicts if GRAVE.id in v.suppressed]

    assert GRAVE in made.findings
    assert GRAVE.id not in spared.because
    assert spared.conclusion < conclusions(SAMPLE)[spared.subject]


def test_the_day_on_which_a_suppression_ends_is_that_of_utc():
    from datetime import timedelta, timezone

    west = timezone(timedelta(hours=-8))
    last = datetime(2026, 7, 31, 20, tzinfo=west)  # the first of August, 04:00 UTC

    assert judged(SAMPLE, DEFAULT, last, [struck(until=date(2026, 7, 31))]).suppressions[
        0
    ].state == ("expired")


def test_an_appeal_changes_no_verdict(document):
    said = Said(finding=GRAVE.id, text="it is ours", author="B", date=date(2026, 6, 1))
    again = rejudge(document, DEFAULT, NOW, appeals=[said])

    assert again.verdicts == SAMPLE.verdicts
    assert [a.text for a in again.appeals_of(GRAVE.id)] == ["it is ours"]


def test_what_was_changed_after_it_was_sealed_is_not_judged_anew(document):
    content = json.loads(document.read_text())
    content["checks"][0]["outcome"] = "failed"
    document.write_text(json.dumps(content))

    with pytest.raises(DocumentError, match="mle-audit verify"):
        rejudge(document, DEFAULT, NOW)


def test_a_document_without_a_seal_is_judged_and_gets_none(document):
    write_audit(SAMPLE, document)

    assert rejudge(document, DEFAULT, NOW).seal is None


def test_a_document_is_never_written_over(document):
    assert saved_as(None, None, []) == Path("audit.json")
    assert saved_as(None, document, []) == Path("rejudged.json")
    with pytest.raises(RefusedError, match="-o"):
        saved_as(document, document, [])
    with pytest.raises(UsageError, match="RUNS, --select"):
        saved_as(None, document, ["RUNS", "--select"])
    with pytest.raises(UsageError, match="found a folder"):
        saved_as(document.parent, None, [])


@pytest.mark.parametrize(
    ("option", "target"),
    [
        pytest.param("--policy", "-o", id="policy"),
        pytest.param("--suppressions", "-o", id="suppressions"),
        pytest.param("--reports", "-o", id="grading-report"),
        pytest.param("--claim", "-o", id="published-rows"),
        pytest.param("--from", "--site", id="document-by-the-site"),
    ],
)
def test_what_a_call_reads_it_does_not_write_over(tmp_path, option, target):
    read = tmp_path / ("rows.csv" if option == "--claim" else "audit.json")
    read.write_text("mine")
    site = ["--format", "json,html", "-o", str(tmp_path / "r.json")]
    words = [target, str(tmp_path), *site] if target == "--site" else [target, str(read)]
    done = CliRunner().invoke(app, ["vet", option, str(read), *words])

    assert isinstance(done.exception, RefusedError)
    assert read.read_text() == "mine"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        pytest.param([], 1, id="in-question"),
        pytest.param(["--policy", "lenient", "--fail-on", "disqualify"], 3, id="some-undetermined"),
        pytest.param(["--policy", "none-such"], 2, id="no-such-policy"),
        pytest.param(["--corpus", "x"], 2, id="something-to-look-at"),
    ],
)
def test_the_verb_ends_with_what_the_new_verdicts_ask_for(document, tmp_path, words, code):
    target = tmp_path / "new.json"
    said = CliRunner().invoke(app, ["vet", "--from", str(document), "-o", str(target), *words])
    error = said.exception
    found = getattr(error, "exit_code", said.exit_code)

    assert found == code
    assert target.exists() is (code != 2)
    if target.exists():
        assert read_audit(target).rejudged is not None
