"""What was published, beside attempts or alone: whose it is, and what is said of gaps."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from typer.testing import CliRunner

from audit.cli import app
from audit.grading import grade_groups
from audit.published import Published, apart, with_published
from audit.rejudge import rejudge
from audit.verdict import load_policy
from audit.vet import vet
from competitions.errors import UsageError
from detectors.base import all_detectors, family_of
from detectors.claims.missing_context import disclosure
from reports.csv_tables import render_tables
from reports.html import render_html
from reports.markdown import render_markdown
from reports.schema import Conclusion, Outcome, Severity, read_audit, write_audit
from tests.audit.conftest import HONEST, PEEKING
from tests.detectors.claims.test_reports import CLAIM, POINTER
from tests.detectors.claims.twins import report, seed, written

NOW = datetime(2026, 1, 1, tzinfo=UTC)
CLAIMS = [name for name, cls in all_detectors().items() if family_of(cls) == "claims"]


def vetted(*paths, data_dir, published=None, select=tuple(CLAIMS)):
    return vet(paths, data_dir, load_policy(), NOW, select=select, published=published)


@pytest.fixture
def reports(tmp_path):
    return tuple(written(tmp_path, f"seed_{n}.json", report(seed(n))) for n in (1, 2, 3))


def test_reports_alone_are_vetted_and_their_figures_stand_in_the_document(reports, tmp_path):
    found = vetted(*reports, data_dir=tmp_path, published=Published(claims=(CLAIM,)))
    (subject,) = found.subjects
    shown = {h.agent: h.any_medal for h in found.headlines}

    assert subject.title == "of agent reports, 3 grading reports, 1 published row"
    assert subject.facts["any medal, all (75 tasks)"] == "43.56 ± 0.89"
    assert subject.facts["complete seeds"] == "3 of 3"
    assert round(100 * shown["reports"].mean, 2) == 43.56
    assert round(100 * shown["reports, low"].sem, 2) == 1.52
    assert found.verdict_of(subject.id).conclusion is Conclusion.NOTE
    assert "the attempts behind reports" in [n.what for n in found.not_checked]


@pytest.fixture(scope="module")
def of_three(tmp_path_factory):
    """The document on three reports, of which the last lacks a task."""
    folder = tmp_path_factory.mktemp("reports")
    rows = [seed(1), seed(2), [r for r in seed(3) if r["competition_id"] != LEAKY]]
    paths = [written(folder, f"seed_{n}.json", report(r)) for n, r in enumerate(rows, start=1)]
    return vetted(*paths, data_dir=folder)


LEAKY = "facebook-recruiting-iii-keyword-extraction"


def test_the_page_shows_published_rows_by_task_and_seed(of_three):
    page = " ".join(render_html(of_three).split())
    table = page[
        page.index("Rows of published reports: reports") : page.index(">How far the headline")
    ]
    first = seed(1)[0]

    assert table.count("<tr>") == 1 + 75
    assert f"{first['score']:.5f}" in table
    assert table.count("no row") == 1
    assert "1 seed of 3 lacks rows and is in no figure" in table
    assert f'{LEAKY}<br><span class="soft small">data give answers away' in table
    assert 'aerial-cactus-identification<br><span class="soft small">degenerate board' in table
    assert "gold medal" in table
    assert "Audit of what was published: 1 group" in page
    assert "0 attempts" not in page


def test_the_summary_says_beside_the_headline_that_a_seed_is_not_counted(of_three):
    text = render_markdown(of_three)

    assert "Of 3 published seeds of reports 2 have a row for every task" in text
    assert text.index("Of 3 published seeds") < text.index("How far the headline holds")


def test_the_table_of_tasks_holds_published_ones(of_three):
    lines = render_tables(of_three)["tasks.csv"].splitlines()

    assert len(lines) == 1 + 75
    (line,) = [text for text in lines if text.startswith(f"reports,{LEAKY},v1,2,2,")]
    assert line.endswith(",,")


def test_published_rows_stay_when_a_document_is_judged_anew(of_three, tmp_path):
    write_audit(of_three, tmp_path / "a.json")
    anew = rejudge(tmp_path / "a.json", load_policy("strict"), NOW)

    assert anew.sensitivity[0].reported == of_three.sensitivity[0].reported
    assert [s.counted for s in anew.sensitivity[0].reported] == [True, True, False]


def test_every_check_says_why_it_could_not_look(tmp_path):
    found = vetted(data_dir=tmp_path, published=Published(claims=("Low 62.12 ± 1.52, seeds 3",)))
    reasons = {c.detector: c.reason for c in found.checks if c.outcome is Outcome.NOT_APPLICABLE}

    assert "--reports" in reasons["header-rows-mismatch"]
    assert "--reports" in reasons["too-good"]
    assert "the rows behind claim" in [n.what for n in found.not_checked]


def test_pointers_in_place_of_reports_are_named_and_nothing_is_called_clean(reports, tmp_path):
    bad = [written(tmp_path, f"lfs_{n}.json", POINTER) for n in range(226)]
    alone = vetted(*bad, data_dir=tmp_path)
    beside = vetted(*bad[:1], *reports, data_dir=tmp_path)

    named = {n.what for n in alone.not_checked}
    assert {f"grading report lfs_{n}.json" for n in range(226)} <= named
    (verdict,) = alone.verdicts
    assert verdict.conclusion is Conclusion.UNDETERMINED
    assert beside.verdicts[0].conclusion is Conclusion.UNDETERMINED
    assert beside.subjects[0].facts["complete seeds"] == "3 of 3"


def test_rows_of_a_table_are_groups_of_their_own_and_a_broken_one_is_named(tmp_path):
    table = tmp_path / "rows.csv"
    table.write_text(
        "agent,model,low,low_pm,seeds,colour\nA,m,62.12,1.52,3,red\nA,n,62.12,1.52,3,red\n"
        "B,m,much,1.52,3,red\nC,m,62.20,1.52,3,red\n,m,62.12,1.52,x,red\n"
    )
    found = vetted(data_dir=tmp_path, published=Published(claims=(str(table),)))
    told = [n.why for n in found.not_checked if n.what == "published rows"]

    assert [s.id for s in found.subjects] == ["group:A, m", "group:A, n", "group:C"]
    assert found.verdict_of("group:C").conclusion is Conclusion.REVIEW
    assert found.verdict_of("group:A, m").conclusion is Conclusion.NOTE
    assert any("colour" in why for why in told)
    assert any("row 3: low: expected a number, found 'much'" in why for why in told)
    assert any("row 5" in why for why in told)


@pytest.fixture
def experiment(tmp_path):
    """An experiment of three run groups with a report each, in MLE-bench's places."""
    for n in (1, 2, 3):
        (tmp_path / "runs" / f"g{n}").mkdir(parents=True)
        written(tmp_path / "runs" / f"g{n}", "2025_grading_report.json", report(seed(n)))
    path = tmp_path / "runs" / "run_group_experiments.csv"
    path.write_text("experiment_id,run_group\nagent-e,g1\nagent-e,g2\nagent-e,g3\nother,g9\n")
    return path


def test_an_experiment_is_vetted_by_its_list(experiment, tmp_path):
    found = vetted(data_dir=tmp_path, published=Published(experiments=experiment))
    (subject,) = found.subjects

    assert subject.id == "group:agent-e"
    assert subject.facts["any medal, all (75 tasks)"] == "43.56 ± 0.89"
    assert "run group g9 of experiment other" in [n.what for n in found.not_checked]
    assert not [f for f in found.findings if f.severity > Severity.NOTE]


def test_run_groups_that_a_list_names_and_the_reports_leave_out_are_found(experiment, tmp_path):
    best = experiment.parent / "g2" / "2025_grading_report.json"
    found = vetted(best, data_dir=tmp_path, published=Published(experiments=experiment))
    (finding,) = [f for f in found.findings if f.detector == "cherry-picked-seeds"]

    assert "g1, g3" in finding.message
    assert "45.33 % of the runs that are counted, 43.56 % of all" in finding.message
    assert found.verdict_of("group:agent-e").conclusion is Conclusion.REVIEW


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("a,b\nx,y\n", "experiment_id,run_group", id="another-header"),
        pytest.param("experiment_id,run_group\nx\n", "in each line", id="half-a-line"),
        pytest.param("", "nothing", id="empty"),
    ],
)
def test_a_list_that_is_none_is_refused(tmp_path, text, words):
    path = tmp_path / "list.csv"
    path.write_text(text)

    with pytest.raises(UsageError, match=words):
        with_published((), Published(experiments=path))


def test_a_list_does_not_lead_out_of_its_folder(experiment, tmp_path):
    written(tmp_path, "x_grading_report.json", report(seed(1)))
    experiment.write_text("experiment_id,run_group\ne,..\ne,../runs/g1\n")
    found = with_published((), Published(experiments=experiment))

    assert found.groups == ()
    assert len(found.not_checked) == 2


@pytest.fixture
def listed(group):
    """A list beside a run group that holds attempts and no grading report."""
    path = group.parent / "run_group_experiments.csv"
    path.write_text(f"experiment_id,run_group\nagent-e,{group.name}\nagent-e,gone\n")
    return path


def test_the_attempts_of_the_run_groups_in_a_list_are_vetted(group, listed, data_dir):
    found = vetted(data_dir=data_dir, published=Published(experiments=listed), select=())
    verdicts = {v.subject: v.conclusion for v in found.verdicts}
    untold = [n.what for n in found.not_checked]

    assert verdicts[PEEKING] is Conclusion.DISQUALIFY
    assert HONEST in verdicts
    assert "run group gone of experiment agent-e" in untold
    assert f"run group {group.name} of experiment agent-e" not in untold


def test_run_groups_that_are_named_are_vetted_and_not_all_of_the_list(group, listed, data_dir):
    other = group.parent / "other"
    other.mkdir()
    (group / PEEKING).rename(other / PEEKING)
    listed.write_text(listed.read_text() + "agent-e,other\n")
    found = vetted(group, data_dir=data_dir, published=Published(experiments=listed))

    assert [s.id for s in found.subjects if s.kind == "attempt"] == [HONEST]


def test_a_list_of_which_nothing_is_here_ends_as_what_could_not_be_done(tmp_path):
    path = tmp_path / "list.csv"
    path.write_text("experiment_id,run_group\nagent-e,gone\n")
    answer = CliRunner().invoke(
        app, ["vet", "--experiments", str(path), "-o", str(tmp_path / "audit.json"),
              "--data-dir", str(tmp_path)],
    )  # fmt: skip

    assert answer.exit_code == 3, answer.output
    assert "ends with exit code 3" in answer.output


def test_a_report_of_the_tool_itself_is_vetted_without_a_finding(group, data_dir, tmp_path):
    graded = grade_groups([group], data_dir, NOW)
    path = tmp_path / "grading_report.json"
    path.write_text(graded.model_dump_json())
    found = vetted(group, path, data_dir=data_dir)

    assert [s.id for s in found.subjects if s.kind == "group"] == ["group:honest", "group:peeking"]
    assert not [f for f in found.findings if f.severity > Severity.NOTE]
    assert not [c for c in found.checks if c.outcome is Outcome.FAILED]


def test_an_attempt_that_the_published_report_leaves_out_is_named(group, data_dir, tmp_path):
    for attempt in (HONEST, PEEKING):  # both of one agent
        record = group / attempt / "attempt.json"
        record.write_text(record.read_text().replace('"peeking"', '"honest"'))
    graded = grade_groups([group], data_dir, NOW)
    rows = graded.competition_reports
    kept = [r for r in rows if r.mle_audit and r.mle_audit.attempt == PEEKING]
    path = tmp_path / "grading_report.json"
    path.write_text(
        graded.model_copy(update={"competition_reports": tuple(kept)}).model_dump_json()
    )
    found = vetted(group, path, data_dir=data_dir)
    (finding,) = [f for f in found.findings if f.detector == "cherry-picked-seeds"]

    assert finding.attempts == (HONEST,)
    assert f"leave 1 out: {HONEST}" in finding.message


def test_a_single_row_is_held_against_the_attempts_beside_it(group, data_dir):
    found = vetted(
        group, data_dir=data_dir, published=Published(claims=("X 50.0 (n=2), agent honest",))
    )

    assert "published: honest" in found.subjects[2].facts
    assert {s.id for s in found.subjects} >= {"group:honest", "group:peeking"}


def test_the_card_of_attempts_is_filled_from_their_records(group, data_dir):
    from audit.collect import attempts_in, groups_of

    honest, _ = groups_of(attempts_in([group]))
    card = disclosure(honest)

    assert card["network"] == "off"
    assert card["scaffold"] == "honest"
    assert card["model"] is None


def test_json_files_among_the_paths_are_reports_and_nothing_at_all_is_refused(tmp_path):
    paths, published = apart([tmp_path, tmp_path / "a.json"], Published())

    assert paths == (tmp_path,)
    assert published.reports == (tmp_path / "a.json",)
    with pytest.raises(UsageError, match="nothing was named"):
        apart([], Published())


def test_the_verb_takes_reports_rows_and_lists(experiment, tmp_path):
    out = tmp_path / "audit.json"
    answer = CliRunner().invoke(
        app,
        ["vet", "--experiments", str(experiment), "--claim", CLAIM, "-o", str(out),
         "--data-dir", str(tmp_path)],
    )  # fmt: skip

    assert answer.exit_code == 0, answer.output
    assert read_audit(out).subjects[0].facts["published: claim"].startswith("low 62.12 ± 1.52")
    assert "43.56 ± 0.89 %" in answer.output


def test_hostile_names_command_no_terminal(tmp_path):
    claim = "Low 62.12 ± 1.52, seeds 3, agent \x1b[31mred"
    found = vetted(data_dir=tmp_path, published=Published(claims=(claim,)))

    assert "\x1b" not in found.subjects[0].id
