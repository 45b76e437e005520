"""Recognition by sampling: what is known is named, and what is guessed is not taken for it."""

from __future__ import annotations

import pytest

from competitions.errors import UsageError
from detectors.familiarity.recognition import (
    choose_verbatim,
    complete_guided,
    name_competitions,
    names_it,
    overlap,
)

TASKS = [
    ("spaceship-titanic", ["Spaceship Titanic", "spaceship-titanic"], "Say who was moved."),
    ("leaf-classification", ["Leaf Classification"], "Tell ninety-nine kinds apart."),
]
PASSAGE = " ".join(f"word{i}" for i in range(60))


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        pytest.param("Spaceship Titanic", True, id="plain"),
        pytest.param("https://www.kaggle.com/c/spaceship-titanic", True, id="address"),
        pytest.param("Titanic - Machine Learning from Disaster", False, id="a-part-of-the-name"),
        pytest.param("the spaceships of Titanic", False, id="other-words-between"),
        pytest.param("", False, id="empty"),
    ],
)
def test_a_name_is_found_as_whole_words(answer, said):
    assert names_it(answer, ["Spaceship Titanic"]) is said


def test_a_model_that_knows_tasks_names_them():
    known = {"moved": "Spaceship Titanic!", "kinds": "leaf classification"}

    found = name_competitions(
        TASKS, lambda prompt: next(v for k, v in known.items() if k in prompt)
    )

    assert found.named == (True, True)
    assert found.by_chance == 0


def test_a_model_that_always_says_the_same_is_seen_through():
    found = name_competitions(TASKS, lambda _: "Spaceship Titanic")

    assert found.share == 0.5
    assert found.by_chance == 0.5


def test_a_description_that_names_its_task_is_refused():
    with pytest.raises(UsageError, match="without its name"):
        name_competitions([("t", ["Leaf Classification"], "The Leaf classification.")], str)


def test_no_task_is_refused():
    with pytest.raises(UsageError, match="found none"):
        name_competitions([], str)


@pytest.mark.parametrize(
    ("completion", "share"),
    [("a b c d", 1.0), ("a c", 0.5), ("x y", 0.0), ("", 0.0)],
)
def test_overlap_is_the_share_of_published_words_in_their_order(completion, share):
    assert overlap(completion, "A b, c d.") == share


def test_a_text_known_by_its_name_is_completed_when_it_is_named():
    second = PASSAGE[PASSAGE.rfind(" ", 0, len(PASSAGE) // 2 + 1) :]

    known = complete_guided("Some Task", PASSAGE, lambda p: second if "Some Task" in p else "no")
    guessed = complete_guided("Some Task", PASSAGE, lambda _: second)

    assert known.gain == 1
    assert guessed.gain == 0


def test_too_short_a_text_is_not_completed():
    with pytest.raises(UsageError, match="at least 48 words"):
        complete_guided("Some Task", "too short", str)


@pytest.mark.parametrize("letter", "ABCD")
def test_a_preference_for_a_place_is_no_knowledge(letter):
    quiz = choose_verbatim("T", "published", ["one", "two", "three"], lambda _: letter)

    assert quiz.above_chance == 0
    assert quiz.by_place["ABCD".index(letter)] == 4


def test_a_model_that_knows_the_passage_finds_it_in_every_place():
    def knows(prompt):
        return next(line[0] for line in prompt.splitlines() if line.endswith(") published"))

    quiz = choose_verbatim("T", "published", ["one", "two", "three"], knows)

    assert quiz.n_right == quiz.n_asked == 4
    assert quiz.by_place == (1, 1, 1, 1)


@pytest.mark.parametrize("answer", ["I cannot tell", "A or B", "", "E"])
def test_an_unclear_answer_is_wrong_and_counted(answer):
    quiz = choose_verbatim("T", "published", ["one"], lambda _: answer)

    assert quiz.n_right == 0
    assert quiz.n_unclear == 2


@pytest.mark.parametrize("paraphrases", [[], ["published"], ["a", "a"], list("abcdefgh")])
def test_a_quiz_needs_different_options(paraphrases):
    with pytest.raises(UsageError, match="paraphrases"):
        choose_verbatim("T", "published", paraphrases, str)
