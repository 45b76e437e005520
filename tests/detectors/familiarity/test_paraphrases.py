"""Passages of a text and paraphrases of them."""

from __future__ import annotations

from random import Random

import pytest

from detectors.familiarity.choice import Chosen, Passage, blind_hits, hold
from detectors.familiarity.paraphrases import by_rule, closest, passages
from detectors.familiarity.recognition import Quiz


def drawing(seed):
    return Random(seed)  # noqa: S311 - a draw, no secret


PROSE = (
    "In this competition the goal is to predict many important numbers from images. Participants "
    "build methods that help people identify problems quickly, and each dataset contains "
    "additional information."
)


@pytest.mark.parametrize(
    "other",
    [
        pytest.param("# A heading of a page\n", id="heading"),
        pytest.param("- " + PROSE, id="list"),
        pytest.param("```\n" + PROSE + "\n```", id="code"),
        pytest.param("| a | b |\n| --- | --- |\n| 1 | 2 |", id="table"),
        pytest.param("Too short a paragraph.", id="short"),
        pytest.param("All deadlines are at 11:59 PM UTC. " + PROSE, id="in-many-tasks"),
        pytest.param(PROSE, id="twice"),
    ],
)
def test_only_paragraphs_of_prose_are_passages(other):
    assert passages(f"{other}\n\n{PROSE}\n") == [PROSE]


def test_a_long_paragraph_ends_with_a_sentence():
    (found,) = passages(" ".join([PROSE] * 9))

    assert found.endswith(".")
    assert 60 < len(found.split()) <= 110


def test_paraphrases_by_rule_are_all_different_and_the_same_each_time():
    made = by_rule(PROSE, 3, drawing(1))

    assert len({PROSE, *made}) == 4
    assert made == by_rule(PROSE, 3, drawing(1))
    assert all(len(one.split()) == len(PROSE.split()) for one in made)


def test_the_published_passage_is_not_the_middle_of_its_paraphrases():
    hits = [
        blind_hits(Passage(PROSE, tuple(by_rule(PROSE, 3, drawing(seed)))))[2] for seed in range(60)
    ]

    assert sum(hits) < 30  # of four options, 15 are expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("see `many_images` at https://x.org/many/images and image.csv", id="names"),
        pytest.param("no word of it can be exchanged for one like it", id="no-place"),
        pytest.param("the image", id="one-place"),
    ],
)
def test_what_cannot_be_said_otherwise_has_no_paraphrase(text):
    assert by_rule(text, 3, drawing(0)) == []


@pytest.mark.parametrize(
    ("written", "found"),
    [
        pytest.param(
            "The goal is to predict important numbers from images, and participants build methods "
            "that identify problems for people; the dataset contains information.",
            True,
            id="paraphrase",
        ),
        pytest.param(PROSE, False, id="copy"),
        pytest.param("Leaves of trees are told apart by their margin. " * 4, False, id="other"),
        pytest.param("The goal is to predict numbers.", False, id="much-shorter"),
    ],
)
def test_a_paragraph_that_says_the_same_is_found(written, found):
    assert bool(closest(PROSE, [f"# Title\n\n{written}\n\nNothing of it.\n"])) is found


def chosen(n_right, *blind):
    quiz = Quiz(4, 4, n_right, (1, 1, 1, 1), 0)
    return Chosen("t", (quiz,), (blind or (False, False, False),))


def test_a_text_whose_passages_length_alone_tells_is_confounded():
    controls = [chosen(1)] * 19

    assert hold(chosen(4, True, False, False), controls).confounded
    assert not hold(chosen(4), controls).confounded
    assert not hold(chosen(4, True, False, False), [chosen(1, True, False, False)] * 19).confounded


def test_a_text_is_held_against_controls_of_as_many_passages():
    two = Chosen("t", chosen(4).quizzes * 2, ((False,) * 3,) * 2)

    assert hold(two, [chosen(1)] * 30).n_controls == 0
    assert hold(chosen(4), [two] * 30).reach == 1
    assert hold(chosen(4), [chosen(1)] * 39).p == pytest.approx(1 / 40)


def test_passages_are_what_the_interval_counts():
    three = Chosen("t", chosen(4).quizzes * 3, ((False,) * 3,) * 3)

    low, high = three.interval

    assert (three.n_chosen, high) == (3, 1.0)
    assert low == pytest.approx(0.025 ** (1 / 3))
