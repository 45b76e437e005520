"""What holds for every reader: the same story in each format gives the same events."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from detectors.text_file import TextFile
from detectors.trajectories.events import EventKind, events, recognised
from detectors.trajectories.readers import readers
from tests.detectors.trajectories.stories import (
    CODE,
    LISTED,
    LS,
    PRINTED,
    REPORT,
    STORY,
    TASK,
    TOLD,
    Told,
)  # fmt: skip

if TYPE_CHECKING:
    from detectors.trajectories.events import Event

EACH = pytest.mark.parametrize("told", [pytest.param(t, id=f"{t.format}-{t.name}") for t in TOLD])


def line_of(event: Event) -> tuple[EventKind, Any]:
    """Return the line of the story that an event tells."""
    if event.kind is EventKind.SCORE:
        return event.kind, event.value
    if event.kind is EventKind.WRITE:
        return event.kind, (event.target, event.text)
    if event.kind in {EventKind.READ, EventKind.NETWORK}:
        return event.kind, event.target
    return event.kind, event.text


@EACH
def test_the_story_is_the_same_in_every_format(told, tmp_path):
    expected = [line for line in STORY if line[1] in told.told]

    found = [line_of(e) for e in events([told.log(tmp_path)])]

    in_order = [x for x in found if x in expected and x[0] is not EventKind.SCORE]
    assert in_order == [x for x in expected if x[0] is not EventKind.SCORE]
    assert [x for x in found if x[0] is EventKind.SCORE and x in expected] == [
        x for x in expected if x[0] is EventKind.SCORE
    ]


@EACH
def test_nothing_is_told_that_was_not_done(told, tmp_path):
    done = {EventKind.COMMAND, EventKind.CODE, EventKind.READ, EventKind.WRITE, EventKind.NETWORK}

    found = [line_of(e) for e in events([told.log(tmp_path)])]

    known = [*STORY, (EventKind.COMMAND, "validate")]
    assert [x for x in found if x[0] in done and x not in known] == []


@EACH
def test_a_format_is_recognised_by_its_content(told, tmp_path):
    assert recognised(told.log(tmp_path)) == told.format


def test_every_format_has_a_story():
    assert {t.format for t in TOLD} == set(readers())


def named(name: str) -> Told:
    """Return the file with a name."""
    return next(told for told in TOLD if told.name == name)


@EACH
def test_a_score_says_whether_the_agent_saw_it(told, tmp_path):
    scores = [e for e in events([told.log(tmp_path)]) if e.kind is EventKind.SCORE]

    assert all(e.is_shown is told.is_shown for e in scores if not e.target.startswith("best_"))


def test_the_prompts_of_a_traj_are_read_from_its_history(tmp_path):
    said = [e for e in events([named("t.traj").log(tmp_path)]) if e.kind is EventKind.MESSAGE]

    assert [(e.by, e.text) for e in said] == [("user", TASK)]


@EACH
def test_an_event_stands_at_its_line(told, tmp_path):
    log = told.log(tmp_path)
    lines = log.text.split("\n")

    for event in events([log]):
        assert 1 <= event.first_line <= event.last_line
        if not event.member and event.text in {LS, LISTED, CODE}:
            at = "\n".join(lines[event.first_line - 1 : event.last_line])
            assert json.dumps(event.text)[1:-1] in at or event.text in at


@EACH
def test_what_came_back_is_kept_with_what_was_done(told, tmp_path):
    came_back = {LS: LISTED, CODE: PRINTED}

    for event in events([told.log(tmp_path)]):
        if event.text in came_back and came_back[event.text] in told.told:
            assert event.output == came_back[event.text]


@EACH
def test_a_cut_file_gives_what_stands_before_the_cut(told, tmp_path):
    whole = [line_of(e) for e in events([told.log(tmp_path)])]

    for eighth in range(8):
        cut = told.content[: len(told.content) * eighth // 8]
        found = [line_of(e) for e in events([told.log(tmp_path, cut)])]
        kept = [line for line in whole[: len(found) * eighth // 8] if line not in found]
        assert len(kept) <= 2, (eighth, kept)


@EACH
@pytest.mark.parametrize(
    "spoilt",
    [
        pytest.param(lambda c: c.replace(b"a", b"\xff\xfe\x80"), id="no-utf-8"),
        pytest.param(lambda c: c.replace(b" ", b"\x00"), id="nul"),
        pytest.param(lambda c: c.replace(b'"', b'\x1b[31m"'), id="colours"),
        pytest.param(lambda c: c.decode("latin-1").encode("utf-16"), id="utf-16"),
        pytest.param(lambda c: c[::-1], id="backwards"),
        pytest.param(lambda c: c[: len(c) // 2] + b"\n\x00\xff" * 99 + c, id="middle"),
        pytest.param(lambda c: c.replace(b"[", b"[" * 5_000), id="deep"),
        pytest.param(lambda c: c.replace(b": ", b": 9" + b"9" * 5_000, 3), id="digits"),
    ],
)
def test_a_spoilt_file_is_read_without_an_error(told, spoilt, tmp_path):
    for event in events([told.log(tmp_path, spoilt(told.content))]):
        assert event.kind in EventKind


@EACH
def test_utf_16_is_read_like_utf_8(told, tmp_path):
    if told.name.endswith((".eval", ".pkl")):
        pytest.skip("no text")
    plain = [line_of(e) for e in events([told.log(tmp_path)])]

    assert [
        line_of(e) for e in events([told.log(tmp_path, told.content.decode().encode("utf-16"))])
    ] == plain


@EACH
def test_the_name_of_a_file_says_nothing(told, tmp_path):
    renamed = told._replace(name="renamed.txt").log(tmp_path)

    assert recognised(renamed) == told.format


@EACH
def test_a_large_file_gives_the_same_events(told, tmp_path, monkeypatch):
    small = list(events([told.log(tmp_path)]))
    monkeypatch.setattr("detectors.text_file.MAX_HELD_BYTES", 0)
    monkeypatch.setattr("detectors.trajectories.source.PIECE", 7)
    large = told.log(tmp_path)

    assert large.is_large
    assert list(events([large])) == small


def test_an_unknown_log_is_said_to_be_plain_text():
    assert recognised(TextFile("logs/new.log", "Some agent wrote this.\n")) == "plain-text"


@pytest.mark.parametrize(
    ("report", "scores"),
    [
        pytest.param(json.dumps(REPORT), [0.7931], id="one-line"),
        pytest.param(json.dumps(REPORT, indent=2), [0.7931], id="lines"),
        pytest.param(f"[2025-01-01] report: {REPORT}", [0.7931], id="python"),
        pytest.param(json.dumps(REPORT | {"score": None}), [], id="no-score"),
        pytest.param('{"score": 0.8}', [], id="own-score"),
        pytest.param('{"score": 0.8}\n' + "x\n" * 60 + '"any_medal": true', [], id="far-apart"),
        pytest.param("score: 0.8, above_median is what we want", [], id="prose"),
    ],
)
def test_a_grading_report_in_a_console_is_a_score(report, scores):
    found = events([TextFile("run.log", f"$ python run.py\nworking\n{report}\nend\n")])

    assert [e.value for e in found if e.kind is EventKind.SCORE] == scores
