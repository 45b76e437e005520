"""The document of a reproduction, from groups made by hand: what it says, and what it does not."""

from __future__ import annotations

import re

import pytest

from audit.reproduction.html import render_html
from audit.reproduction.markdown import render_markdown
from audit.reproduction.schema import read_reproduction, write_reproduction
from competitions.errors import DocumentError
from reports.schema import Conclusion
from tests.audit.reproductions import TASK, Made, audited, reproduction, write_group

CLAIM = "Validation score: auc 0.75\n"


@pytest.fixture(scope="session")
def handed_in(submissions) -> dict[str, str]:
    """Submissions whose score is known: 0.5, 1 and 0; and one that breaks the rules."""
    head, *rows = submissions["perfect"].splitlines()
    turned = [f"{row.partition(',')[0]},{1 - int(row.rpartition(',')[2])}" for row in rows]
    return {
        "half": submissions["sample"],
        "one": submissions["perfect"],
        "zero": "\n".join([head, *turned]) + "\n",
        "broken": submissions["broken"],
    }


@pytest.fixture
def compare(tmp_path, data_dir, handed_in):
    """Make the document of an agent and a baseline; a run is the name of what it handed in."""

    def made(agent, baseline, change=None):
        def run(one):
            if one is None or isinstance(one, Made):
                return one
            return Made(handed_in.get(one))

        runs = tmp_path / "runs"
        groups = (
            write_group(runs, "agent", [run(one) for one in agent]),
            write_group(runs, "simple", [run(one) for one in baseline]),
        )
        report = audited(runs, data_dir)
        return reproduction(groups, data_dir, change(report) if change else report)

    return made


def test_scores_are_compared_seed_by_seed(compare):
    document = compare(["one", "half", "one"], ["half", "half", "zero"])
    (task,) = document.tasks

    assert task.agent.scores == {0: 1.0, 1: 0.5, 2: 1.0}
    assert task.difference is not None
    assert task.difference.values == (0.5, 0.0, 1.0)
    assert task.difference.over.mean == pytest.approx(0.5)
    assert task.difference.over.low == pytest.approx(0.5 - 4.302653 * 0.5 / 3**0.5, abs=1e-5)
    assert (task.difference.sign_p, task.difference.permutation_p) == (0.5, 0.5)
    assert task.standing == "better"
    assert document.answer.startswith(
        "agent was better than simple on breast-cancer: mean hidden auc-roc 0.83333 against 0.3333"
    )
    assert "a p below 0.25" in document.answer
    assert document.tasks_p is None
    assert "takes 6 runs at least" in document.cautions[0]


def test_equal_runs_are_deterministic_and_not_certain(compare):
    document = compare(["one"] * 3, ["half"] * 3)
    (task,) = document.tasks

    assert task.agent.score is not None
    assert task.agent.score.is_constant
    assert (task.agent.n_files, task.standing) == (1, "better")
    assert task.difference is not None
    assert not task.difference.excludes_zero
    assert any("All 3 scores of agent are equal, from the same file" in n for n in task.notes)
    assert "they cannot say how sure the difference is" in document.answer
    assert "95 % interval" not in document.answer


def test_a_run_without_a_score_is_named_and_left_out_of_the_mean(compare):
    (task,) = compare(["one", "broken", "half"], ["half", "half", "zero"]).tasks

    assert (task.agent.valid.count, task.agent.valid.n) == (2, 3)
    assert [r.outcome for r in task.agent.runs] == ["graded", "invalid", "graded"]
    assert task.agent.runs[1].why
    assert task.agent.score is not None
    assert (task.agent.score.n, task.agent.score.mean) == (2, 0.75)
    assert task.difference is not None
    assert task.difference.seeds == (0, 2)
    assert any("1 of 3 runs of agent gave no score (invalid submission)" in n for n in task.notes)
    assert any("over the seeds for which both have a score: 0 and 2" in n for n in task.notes)


def test_an_agent_without_any_score_is_worse(compare):
    document = compare(["broken", "nothing"], ["half", "half"])
    (task,) = document.tasks

    assert task.agent.valid.count == 0
    assert (task.agent.score, task.difference, task.standing) == (None, None, "worse")
    assert [r.outcome for r in task.agent.runs] == ["invalid", "missing"]
    assert any("counts as worse" in n for n in task.notes)
    assert document.answer.startswith("agent was worse than simple on breast-cancer.")
    assert "0 of 2 runs of agent" in document.answer


def test_a_run_that_was_never_made_is_not_held_against_the_agent(compare):
    (task,) = compare(["broken", None], ["half", "half"]).tasks

    assert (task.agent.runs[1].outcome, task.agent.runs[1].exit_status) == (
        "not_graded",
        "not made",
    )
    assert task.standing == "unknown"
    assert any("not by its own doing alone" in n for n in task.notes)


def test_without_a_baseline_nothing_is_known(compare):
    document = compare(["one", "half", "one"], ["nothing"] * 3)
    (task,) = document.tasks

    assert task.standing == "unknown"
    assert any("nothing to compare with" in n for n in task.notes)
    assert "cannot be compared with simple" in document.answer


def test_runs_that_share_no_seed_make_no_pair(compare):
    (task,) = compare(["one", "broken"], ["broken", "half"]).tasks

    assert (task.difference, task.standing) == (None, "unknown")
    assert any("No seed has a score of both" in n for n in task.notes)


def test_equal_means_are_equal(compare):
    assert compare(["one", "half"], ["half", "one"]).tasks[0].standing == "equal"


def test_a_score_that_is_no_number_is_valid_and_counts_in_no_mean(compare):
    def change(report):
        """Give the first run the grade of a metric that gave NaN; no submission here does."""
        first, *rest = report.grading.competition_reports
        details = first.mle_audit.model_copy(
            update={"outcome": "nan", "score_repr": "nan", "percentile": None}
        )
        rows = (first.model_copy(update={"score": None, "mle_audit": details}), *rest)
        grading = report.grading.model_copy(update={"competition_reports": rows})
        return report.model_copy(update={"grading": grading})

    (task,) = compare(["one", "one", "half"], ["half"] * 3, change).tasks

    assert (task.agent.valid.count, task.agent.score.n) == (3, 2)
    assert any("the score is NaN" in n for n in task.notes)


def test_data_that_are_gone_leave_a_task_without_a_grade(tmp_path, data_dir, handed_in):
    runs = tmp_path / "runs"
    made = [Made(handed_in["half"])] * 2
    groups = write_group(runs, "agent", made), write_group(runs, "simple", made)
    document = reproduction(groups, data_dir, audited(runs, tmp_path / "gone"))
    (task,) = document.tasks

    assert {r.outcome for r in task.agent.runs} == {"not_graded"}
    assert "is not prepared" in (task.agent.runs[0].why or "")
    assert task.standing == "unknown"
    assert task.agent.valid.count == 0
    assert render_html(document)


def test_what_a_run_claimed_stands_beside_what_it_got(compare, handed_in):
    (task,) = compare([Made(handed_in["half"], CLAIM), "half"], ["half", "one"]).tasks
    claim = task.agent.runs[0].claim

    assert claim is not None
    assert (claim.value, claim.metric, claim.path, claim.line) == (
        0.75,
        "named",
        "logs/agent.log",
        1,
    )
    assert claim.gap == pytest.approx(0.25)
    assert task.agent.runs[1].claim is None


def test_a_run_in_question_is_told_in_the_answer_and_leads_to_its_evidence(compare, handed_in):
    peek = Made(handed_in["one"], code="open('/private/data/answers.csv').read()\n")
    document = compare([peek, "half"], ["half", "half"])
    run = document.tasks[0].agent.runs[0]

    assert run.verdict in {Conclusion.REVIEW, Conclusion.DISQUALIFY}
    assert [f.detector for f in run.findings] == ["answers-read"]
    assert run.told_at == f"report/index.html#subject-{TASK}-agent0"
    assert "1 of 2 runs of agent is in question: read why first." in document.answer


def test_earlier_tries_and_logs_are_named(compare, handed_in):
    resumed = Made(handed_in["half"], earlier=("interrupted",))
    document = compare([resumed, "half"], ["half", "half"])
    run = document.tasks[0].agent.runs[0]

    assert run.earlier_tries == ("interrupted",)
    assert run.logs == (f"{document.agent.group}/{TASK}_agent0/logs/agent.log",)
    assert "finished, try 2" in render_markdown(document)


def test_the_pages_say_the_same_and_fetch_nothing(compare):
    document = compare(["one", "broken", "half"], ["half", "half", "zero"])
    page, summary = render_html(document), render_markdown(document)

    for text in (page, summary):
        assert "0.75" in text
        assert "2 of 3" in text
        assert document.tasks[0].frozen.private in text
        assert "What was not checked" in text
    assert "<script" not in page
    assert not re.search(r"https?://|src=|@import|url\(", page)
    assert page.count('<svg class="strip') == 2
    assert render_html(document) == page


def test_nothing_of_hidden_data_or_of_a_logs_text_shows(compare, handed_in):
    leak = Made(handed_in["half"], f"answer-canary-4711\n{CLAIM}answer-canary-4712 auc val\n")
    document = compare([leak, "half"], ["half", "half"])

    for text in (render_html(document), render_markdown(document), document.model_dump_json()):
        assert "canary" not in text


def test_hostile_names_are_escaped(compare, handed_in):
    ugly = Made(handed_in["half"], exit_status="crashed")
    document = compare([ugly, "half"], ["half", "half"])
    told = document.agent.identity.model_copy(update={"prior_knowledge": "<script>x</script>`|"})
    played = document.agent.model_copy(update={"identity": told})
    hostile = document.model_copy(update={"agent": played})

    assert "<script>x" not in render_html(hostile)
    assert "<script>x" not in render_markdown(hostile)


def test_a_document_is_read_back_as_it_was_written(compare, tmp_path):
    document = compare(["one", "half"], ["half", "half"])
    write_reproduction(document, tmp_path / "r.json")

    assert read_reproduction(tmp_path / "r.json") == document


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"schema_version": 2}', '{"schema_version": 1}', "\x00"]
)
def test_what_is_no_document_is_refused(tmp_path, text):
    (tmp_path / "r.json").write_text(text)

    with pytest.raises(DocumentError):
        read_reproduction(tmp_path / "r.json")
    with pytest.raises(DocumentError):
        read_reproduction(tmp_path / "none.json")
