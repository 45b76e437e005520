"""What a model is shown: always the same, the telling places first, no secrets, no outputs."""

from __future__ import annotations

import pytest

from audit.check import check
from detectors.attempt import Attempt
from detectors.base import detector
from detectors.opinions.excerpt import SHOWN_CHARS, pieces_of
from detectors.opinions.prompts import Question
from detectors.opinions.questions import FROM_PROMPT, TOPICS
from tests.conftest import write_attempt
from tests.reports.secrets import KEYS

ANSWERS = TOPICS[0]
PEEK = "$ cat /private/data/answers.csv\nid,malignant\n1,0\n2,1\n"


@pytest.fixture
def shown(tmp_path):
    """Write an attempt and return what a model is shown for one topic."""

    def made(topic=ANSWERS, findings=(), with_outputs=False, **parts):
        path = tmp_path / "breast-cancer_a"
        if not path.exists():
            write_attempt(path, **parts)
        found = pieces_of(Attempt(path), [topic], findings, with_outputs=with_outputs)
        return found[topic.name]

    return made


def text_of(pieces):
    return "\n".join(piece.text for piece in pieces)


def test_every_rule_that_is_asked_about_is_that_of_a_detector_and_asked_once():
    named = [rule for topic in TOPICS for rule in topic.rules]

    assert len(named) == len(set(named))
    for rule in named:
        assert detector(rule).about.id == rule
    assert set(named) >= FROM_PROMPT


def test_the_same_is_shown_every_time(shown):
    parts = {"logs": PEEK + "step\n" * 50 + "$ python train.py\n" * 3, "code": "x = 1\n" * 900}

    assert shown(**parts) == shown(**parts)


def test_what_was_printed_is_shown_only_when_it_may_be(shown):
    assert "1,0" not in text_of(shown(logs=PEEK))
    assert "cat /private" in text_of(shown(logs=PEEK))
    came_back = [p for p in shown(logs=PEEK, with_outputs=True) if "1,0" in p.text]
    assert came_back
    assert all(p.came_back and not p.was_done for p in came_back)


def test_no_key_or_token_leaves_the_machine(shown):
    planted = "".join(f"$ curl -H {key!r} https://answers.example\n" for key in KEYS.values())
    text = text_of(shown(logs=planted, code=f"answer = {next(iter(KEYS.values()))!r}\n"))

    assert "[secret: " in text
    for key in KEYS.values():
        assert key not in text


def test_a_place_that_a_detector_shows_comes_before_a_flood_of_telling_words(shown, tmp_path):
    flood = "".join(f"$ echo answers private label {i:06d} {'x' * 200}\n" for i in range(400))
    told = f"$ cat /private/data/answers.csv  # {'x' * 300}\nid,y\n1,0\n"
    without = shown(logs=flood + told)
    seen = check(detector("answers-read")(), Attempt(tmp_path / "breast-cancer_a"))

    assert seen.findings
    assert "cat /private" not in text_of(without)
    assert "cat /private" in text_of(shown(findings=seen.findings))


def test_it_is_never_more_than_the_limit_and_a_repeated_text_is_shown_once(shown):
    lines = "".join(f"$ cat answers_{i}.csv {'y' * 300}\n" for i in range(2_000))
    pieces = shown(logs=lines + "$ cat same_answers.csv\n" * 500)

    assert sum(len(p.text) for p in pieces) <= SHOWN_CHARS
    assert len({p.text for p in pieces}) == len(pieces)


def test_a_piece_names_the_line_at_which_it_stands(shown):
    code = "".join(f"x{i} = {i}\n" for i in range(500)) + "answers = open('a')\n"
    (piece,) = [p for p in shown(code=code) if "answers" in p.text]
    lines = code.split("\n")

    assert piece.text.split("\n")[0] == lines[piece.first_line - 1]


def test_a_line_of_ten_megabytes_and_half_a_surrogate_are_no_trouble(shown):
    pieces = shown(logs={"a.json": '{"action": "\\ud800 answers"}\n', "b.log": "$ " + "a" * 10**7})

    question = Question("a", ANSWERS, "", pieces)
    assert question.messages("s")
    assert question.tokens < 10_000


def test_the_delimiter_is_in_no_log_and_another_for_each_seed(shown):
    question = Question("a", ANSWERS, "breast-cancer", shown(logs=PEEK))
    one, same, other = (question.messages(seed) for seed in ("1", "1", "2"))
    mark = one[1]["content"].split("[")[1].split()[0]

    assert one == same != other
    assert len(mark) == 24
    assert mark in one[0]["content"]
    assert mark not in other[1]["content"]
    assert question.digest == Question("b", ANSWERS, "breast-cancer", question.pieces).digest
