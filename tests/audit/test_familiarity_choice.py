"""The published passage among paraphrases: chosen by knowledge, by style, by place or at random."""

from __future__ import annotations

import json
import re
import zlib

import pytest
from typer.testing import CliRunner

from audit.cli import app
from audit.familiarity_choice import BY_RULE, WRITTEN, ChoiceQuestion, choose_passages, conclusion
from competitions.errors import UsageError
from competitions.spec import load
from tests.audit.runner.model_server import Reply, playing
from tests.detectors.familiarity.servers.loopback import Loopback

TASK, OTHER = "spaceship-titanic", "leaf-classification"
_OPTION = re.compile(r"^([A-H])\) (.+)$", re.MULTILINE)


def passages(number):
    """Write four passages of 30 words, of which many can be exchanged."""
    return [
        f"In this competition number {number} the goal is to predict many important numbers. "
        "Participants build methods that help people identify problems quickly, and the dataset "
        f"contains images of {number} different kinds, in {part} parts."
        for part in ("two", "three", "four", "five")
    ]


def reworded(number):
    return "\n\n".join(
        f"For contest {number} we want important numbers to be predicted. Participants build "
        f"ways to identify problems for people, with images of {number} kinds in {part} parts."
        for part in ("two", "three", "four", "five")
    )


def page(title, number):
    return f"# {title}\n\n" + "\n\n".join(passages(number)) + "\n"


@pytest.fixture
def house(tmp_path):
    """Write an official text of two tasks, and nineteen controls."""
    for number, name in enumerate((TASK, OTHER)):
        place = tmp_path / "official" / name
        place.mkdir(parents=True)
        (place / "description.md").write_text(page("Official", 1000 + number))
    (tmp_path / "controls").mkdir()
    for number in range(19):
        (tmp_path / "controls" / f"c{number}.md").write_text(page("Page", number))
    return tmp_path


def choosing(*known):
    """Answer with the option that is one of these passages, else by what the options are."""

    def ask(prompt):
        options = _OPTION.findall(prompt)
        return next((a for a, text in options if text in known), by_text(options))

    return ask


def by_text(options):
    """Choose by the text alone, wherever it stands: always the same, and as good as at random."""
    return max(options, key=lambda o: zlib.crc32(o[1].encode()))[0]


def known_or_a(prompt):
    return choosing(*passages(1000))(prompt) if " 1000 " in prompt else "A"


def rows_of(house, ask, *tasks, **more):
    question = ChoiceQuestion(
        specs=tuple(map(load, tasks or (TASK,))),
        description=house / "official",
        controls=house / "controls",
        **more,
    )
    return choose_passages(question, house, lambda: lambda _: ask, lambda _: None)


CONTROLS = [p for n in range(19) for p in passages(n)]


@pytest.mark.parametrize(
    ("ask", "decision", "why"),
    [
        pytest.param(choosing(*passages(1000)), "familiar", "more often", id="knows-it"),
        pytest.param(
            choosing(*CONTROLS, *passages(1000)), "no decision", "of controls, too", id="style"
        ),
        pytest.param(choosing(), "nothing seen", "no more often", id="at-random"),
        pytest.param(known_or_a, "familiar", "more often", id="knows-it-or-says-a"),
        pytest.param(lambda _: "B", "no decision", "the same place", id="one-place"),
        pytest.param(lambda _: "Any of them.", "no decision", "name none", id="no-answer"),
        pytest.param(choosing(*CONTROLS), "no decision", "of controls, too", id="knows-controls"),
    ],
)
def test_only_knowledge_of_the_text_is_called_familiar(house, ask, decision, why):
    (row,) = rows_of(house, ask)

    assert (row.task, row.paraphrases, row.passages, row.controls) == (TASK, BY_RULE, 4, 19)
    assert row.decision == decision
    assert why in row.why
    assert (row.p is None) == (decision == "no decision")
    assert row.chance == 0.25


def test_a_task_is_asked_about_as_many_passages_as_its_controls_have(house):
    for number in range(19):
        text = f"# Page\n\n{passages(number)[0]}\n"
        (house / "controls" / f"c{number}.md").write_text(text)

    (row,) = rows_of(house, known_or_a)

    assert (row.passages, row.controls, row.decision) == (1, 19, "familiar")


def test_one_familiar_task_of_two_needs_more_controls(house):
    found = rows_of(house, choosing(*passages(1000)), TASK, OTHER)

    assert [r.decision for r in found] == ["no decision", "nothing seen"]
    assert "too few for so many tasks" in found[0].why
    assert "39 controls" in " ".join(conclusion(found))


def test_paraphrases_that_were_given_are_held_against_controls_that_have_some_too(house):
    given = house / "given"
    (given / TASK).mkdir(parents=True)
    (given / TASK / "one.md").write_text(reworded(1000))
    alone = rows_of(house, known_or_a, paraphrases=given)
    for number in range(19):
        (given / f"c{number}.md").write_text(reworded(number))

    together = rows_of(house, known_or_a, paraphrases=given)

    assert [(r.paraphrases, r.decision) for r in alone] == [
        (WRITTEN, "no decision"),
        (BY_RULE, "familiar"),
    ]
    assert "0 controls with such paraphrases" in alone[0].why
    assert [(r.paraphrases, r.chance) for r in together] == [(WRITTEN, 0.5), (BY_RULE, 0.25)]
    assert [r.controls for r in together] == [19, 19]
    assert [r.decision for r in together] == ["familiar", "familiar"]


def test_a_model_is_not_opened_when_there_is_nothing_to_ask(house):
    def opening():
        raise AssertionError

    (house / "official" / OTHER / "description.md").write_text("# Nothing\n\nToo short.\n")
    question = ChoiceQuestion(
        specs=(load(OTHER), load("nomad2018-predict-transparent-conductors")),
        description=house / "official",
        controls=house / "controls",
    )

    found = choose_passages(question, house, opening, lambda _: None)

    assert {r.task: r.why.partition(":")[0] for r in found} == {
        "nomad2018-predict-transparent-conductors": str(house / "official"),
        OTHER: "no passage of 25 words and more of it can be paraphrased",
    }


@pytest.mark.parametrize(
    ("make", "words"),
    [
        pytest.param(lambda _: None, "found nothing", id="nowhere"),
        pytest.param(lambda p: p.mkdir(), "found none", id="empty-folder"),
        pytest.param(lambda p: p.write_text("text"), "found a file", id="file-for-two-tasks"),
    ],
)
def test_paraphrases_that_are_not_there_are_told(house, make, words):
    make(house / "given")

    with pytest.raises(UsageError, match=words) as caught:
        rows_of(house, choosing(), TASK, OTHER, paraphrases=house / "given")

    assert "NAME.md" in (caught.value.remedy or "")


def test_too_few_controls_are_told_before_a_question(house):
    (house / "controls" / "c0.md").unlink()

    with pytest.raises(UsageError, match="at least 19 control texts, found 18"):
        rows_of(house, choosing())


class _Chooser(Loopback):
    """A chat endpoint that knows one passage."""

    def _chat(self, content):
        answer = known_or_a(content["messages"][0]["content"])
        return {"choices": [{"message": {"content": f"{answer}."}}]}


def call(house, *more):
    words = ["familiarity", "choose", "-c", TASK, "--description", str(house / "official")]
    return CliRunner().invoke(app, [*words, "--controls", str(house / "controls"), *more])


def test_a_chat_endpoint_is_asked_for_each_order_of_each_passage(house):
    server = _Chooser("chat")
    with playing(server.play) as model:
        server.model = model
        done = call(house, "--model", model.url.removesuffix("/v1"), "--passages", "1", "--json")
        n_asked = sum(one.path.endswith("chat/completions") for one in model.asked)

    assert done.exit_code == 0, done.output
    (row,) = json.loads(done.stdout)
    assert (row["decision"], row["chosen"], row["right"]) == ("familiar", 1, 1.0)
    assert "80 questions" in done.stderr
    assert n_asked >= 80


def test_a_task_without_an_official_text_could_not_be_asked(tmp_path):
    call = ["familiarity", "choose", "-c", "modechoice", "--data-dir", str(tmp_path)]

    done = CliRunner().invoke(app, call)

    assert done.exit_code == 3, done.output


def test_a_server_that_refuses_is_an_error(house):
    server = _Chooser("chat", replies=dict.fromkeys(range(3, 99), Reply(status=401)))
    with playing(server.play) as model:
        server.model = model
        done = call(house, "--model", model.url.removesuffix("/v1"))

    assert done.exit_code != 0
    assert "401" in str(done.exception)
