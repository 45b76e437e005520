"""What is said over several tasks, and how much certainty the words take."""

from __future__ import annotations

import pytest

from audit.reproduction import words
from audit.reproduction.schema import Difference, Side
from audit.reproduction.uncertainty import mean_of, permutation_p, rate, sign_p, smallest_p
from reports.schema import Conclusion
from tests.audit.reproductions import Made, reproduction, write_group


@pytest.fixture
def one(tmp_path, data_dir, submissions):
    """A document of one task, from which documents of several are made."""
    made = [Made(submissions["sample"])] * 3
    runs = tmp_path / "runs"
    return reproduction(
        (write_group(runs, "agent", made), write_group(runs, "simple", made)), data_dir
    )


def compared(values: tuple[float, ...]) -> Difference:
    over = mean_of(values)
    assert over is not None
    return Difference(
        seeds=tuple(range(len(values))),
        values=values,
        over=over,
        permutation_p=permutation_p(values),
        sign_p=sign_p(values),
        smallest_p=smallest_p(len(values)),
    )


@pytest.fixture
def several(one):
    """Make a document of tasks with these differences by seed; None cannot be compared."""

    def made(*differences):
        tasks = []
        for number, values in enumerate(differences):
            found = compared(values) if values else None
            mean = found.over.mean if found else None
            standing = (
                "unknown" if mean is None
                else "better" if mean > 0 else "worse" if mean < 0 else "equal"
            )  # fmt: skip
            update = {
                "competition_id": f"task-{number}", "difference": found, "standing": standing
            }  # fmt: skip
            tasks.append(one.tasks[0].model_copy(update=update))
        means = [t.difference.over.mean for t in tasks if t.difference]
        return one.model_copy(update={"tasks": tuple(tasks), "tasks_p": sign_p(means)})

    return made


def test_tasks_are_counted_by_how_the_agent_stands(several):
    document = several((0.1, 0.2, 0.3), (0.1, 0.1001, 0.1), (-0.2, -0.2, -0.21), (0, 0, 0), None)

    assert words.answer(document).startswith(
        "agent beat simple on 2 of 5 tasks in its mean hidden score; "
        "it was worse on 1, equal on 1 and could not be compared on 1. "
        "The 95 % interval of the difference leaves out 0 on 1 where it was better and 1 where it "
        "was worse. On 1 task the runs do not differ"
    )
    assert "Over the tasks, a sign test gives p = 1." in words.answer(document)
    assert "5 tasks are compared" in " ".join(words.cautions(document))


def test_no_clear_task_is_said_to_be_none(several):
    document = several((0.1, 0.2, 0.9), (0.1, -0.2, 0.9))

    assert "leaves out 0 on none." in words.answer(document)


def test_six_runs_that_agree_are_not_said_to_be_too_few(several):
    document = several((0.1, 0.2, 0.1, 0.2, 0.1, 0.2)).model_copy(update={"n_runs": 6})

    assert "No exact test" not in words.answer(document)
    assert "no proof" not in words.cautions(document)[0]


def test_synthetic_data_and_missing_sandboxes_are_told(one):
    task = one.tasks[0].model_copy(update={"data_source": "miniature"})
    bare = one.agent.sandbox[0].model_copy(update={"kind": "none"})
    agent = one.agent.model_copy(update={"sandbox": (bare,)})
    told = " ".join(words.cautions(one.model_copy(update={"tasks": (task,), "agent": agent})))

    assert "miniature data are synthetic" in told
    assert "had no sandbox" in told
    assert "no sandbox" not in " ".join(words.cautions(one))


@pytest.mark.parametrize("side", ["agent", "baseline"])
def test_whoever_is_in_question_is_named_before_any_certainty(one, side):
    task = one.tasks[0]
    runs = [r.model_copy(update={"verdict": Conclusion.REVIEW}) for r in getattr(task, side).runs]
    questioned = getattr(task, side).model_copy(update={"runs": tuple(runs)})
    answer = words.answer(
        one.model_copy(update={"tasks": (task.model_copy(update={side: questioned}),)})
    )
    name = {"agent": "agent", "baseline": "simple"}[side]

    assert f"3 of 3 runs of {name} are in question: read why first." in answer
    assert answer.index("in question") < answer.index("A valid submission")
    assert "no run and no task in question" not in answer


def test_a_task_in_question_and_runs_without_a_verdict_are_told(one):
    task = one.tasks[0].model_copy(update={"verdict": Conclusion.REVIEW})
    run = task.agent.runs[0].model_copy(update={"verdict": None})
    agent = task.agent.model_copy(update={"runs": (run, *task.agent.runs[1:])})
    answer = words.answer(
        one.model_copy(update={"tasks": (task.model_copy(update={"agent": agent}),)})
    )

    assert "The data of breast-cancer is in question" in answer
    assert "1 run could not be judged." in answer


def test_a_share_is_written_with_its_interval():
    assert words.share(Side(agent="a", runs=(), valid=rate(3, 3))) == "3 of 3 (44–100 %)"


@pytest.mark.parametrize(
    ("p", "text"), [(0.25, "0.25"), (1.0, "1"), (1e-7, "below 0.00001"), (None, "–")]
)
def test_a_p_is_written_plainly(p, text):
    assert words.p_value(p) == text
