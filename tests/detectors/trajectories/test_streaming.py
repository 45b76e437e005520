"""A log's size costs time in proportion and no memory; JSON is read whatever state it is in."""

from __future__ import annotations

import json
import tracemalloc
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detectors.text_file import LargeFile, TextFile, open_log
from detectors.trajectories import json_stream
from detectors.trajectories.events import Event, EventKind, events
from detectors.trajectories.excerpts import Excerpts
from detectors.trajectories.json_stream import BrokenJsonError, parts
from detectors.trajectories.source import numbered_lines
from tests.detectors.trajectories.stories import LONG

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**15), 10**15) | st.text(),
    lambda v: st.lists(v) | st.dictionaries(st.text(), v),
    max_leaves=20,
)
EACH = pytest.mark.parametrize("made", [pytest.param(m, id=m.format) for m in LONG])


@settings(max_examples=30)
@given(st.lists(JSON) | st.dictionaries(st.text(), JSON), st.sampled_from([None, 1]), st.data())
def test_parts_put_together_are_the_document(value, indent, data):
    text = json.dumps(value, indent=indent, ensure_ascii=data.draw(st.booleans()))
    size = data.draw(st.integers(1, 50))
    pieces = [text[i : i + size] for i in range(0, len(text), size)]

    found = [part.value for part in parts(pieces)]

    assert found == (value if isinstance(value, list) else [value])


@settings(max_examples=30)
@given(st.dictionaries(st.text(), JSON, min_size=1), st.data())
def test_half_a_document_gives_what_stands_in_it(value, data):
    text = json.dumps(value)
    cut = data.draw(st.integers(0, len(text)))

    found = list(parts([text[:cut]], apart=True))

    n_whole = max(0, len(found) - 1)  # the last may be half
    assert [(part.key, part.value) for part in found[:n_whole]] == list(value.items())[:n_whole]


@settings(max_examples=30)
@given(st.text(alphabet='{}[],:"\\ntrue019.e- \n/x'))
def test_any_text_is_read_or_told_to_be_no_json(text):
    try:
        list(parts(text))
    except BrokenJsonError as error:
        assert 1 <= error.line <= text.count("\n") + 1  # noqa: PT017 - either is right


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param('{"a": 1}\n{"b": 2}\nhello', 3, id="text-after-lines"),
        pytest.param('[\n{"a": 1},\n{"b": oops}\n]', 3, id="within-a-list"),
        pytest.param('{"a": "half\nmore', 1, id="half-a-text-and-another-writer"),
        pytest.param("hello", 1, id="no-json"),
        pytest.param("{'a': 1}", 1, id="python"),
        pytest.param("[1}", 1, id="closed-wrongly"),
        pytest.param("[" * 20_000, 1, id="too-deep"),
    ],
)
def test_where_json_ends_is_told(text, line):
    with pytest.raises(BrokenJsonError) as told:
        list(parts([text]))

    assert told.value.line == line


def test_what_follows_half_a_json_is_read_as_text():
    text = '[\n{"command": "ls"},\n{"command": "ca\nKilled\n$ pwd\n'

    found = [e for e in events([TextFile("a", text)]) if e.kind is EventKind.COMMAND]

    assert [(e.text, e.first_line) for e in found] == [("ls", 2), ("pwd", 5)]


def test_a_part_that_is_too_large_comes_in_pieces(monkeypatch):
    monkeypatch.setattr(json_stream, "MAX_VALUES", 10)
    value = {"a": {"b": [{"n": i} for i in range(100)]}}

    found = list(parts([json.dumps(value)]))

    assert len(found) > 5
    numbers = [one for part in found for one in part.value["a"].get("b", []) if one]
    assert numbers == value["a"]["b"]


def test_what_is_nested_deeply_is_a_part_of_its_own():
    value: object = {"command": "ls"}
    for _ in range(300):
        value = {"x": [value]}

    found = events([TextFile("a", json.dumps([value], indent=1))])

    assert [e.text for e in found if e.kind is EventKind.COMMAND] == ["ls"]


@pytest.mark.parametrize(
    ("escaped", "text"),
    [
        pytest.param(r"\n\t\"\\\/", '\n\t"\\/', id="json"),
        pytest.param(r"\u00e9\ud83d\ude00", "é😀", id="code-points"),
        pytest.param(r"\x41 \' \u12", "x41 ' u12", id="not-json"),
        pytest.param(r"half \u00", "half u00", id="half-an-escape"),
    ],
)
def test_escapes_are_read(escaped, text):
    (part,) = parts([f'["{escaped}"]'])

    assert part.value == text


def test_a_line_too_long_to_hold_comes_in_pieces(monkeypatch):
    monkeypatch.setattr("detectors.trajectories.source.MAX_HELD", 10)
    lines = list(numbered_lines(["a\n" + "b" * 8, "b" * 8, "b\nc"]))

    assert {number for number, _ in lines} == {1, 2, 3}
    assert "".join(line for _, line in lines) == "a" + "b" * 17 + "c"


@EACH
def test_reading_a_long_log_holds_little_of_it(made, tmp_path):
    path = tmp_path / made.name
    path.write_bytes(made.of_size((4 << 20) + 100_000))
    log = open_log(path, made.name)
    assert log.is_large

    tracemalloc.start()
    n = sum(1 for _ in islice(events([log]), 1_500))
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert n == 1_500
    assert peak < 3 << 20


@EACH
def test_twice_the_log_takes_twice_the_steps(made, monkeypatch):
    """Count what the readers do: tokens that are asked for, and characters that they run over."""
    steps = [0]
    pattern = json_stream._NEXT

    class Counting:
        def match(self, text, at):
            steps[0] += 1
            return pattern.match(text, at)

    monkeypatch.setattr(json_stream, "_NEXT", Counting())

    def count(size: int) -> tuple[int, int]:
        steps[0] = 0
        n = sum(1 for _ in events([TextFile("a", made.of_size(size).decode())]))
        return steps[0], n

    (few, short), (many, long) = count(100_000), count(200_000)

    assert long == pytest.approx(2 * short, rel=0.05)
    assert many <= 2.05 * few + 3_100  # the head is read once more


@pytest.mark.parametrize("asked", [[(2, 4), (3, 5), (9, 9)], [(8, 9), (1, 2)], [(5, 5), (5, 5)]])
def test_lines_of_a_large_log_are_those_of_a_small_one(asked, tmp_path):
    path = tmp_path / "a.log"
    path.write_text("".join(f"line {i}\n" for i in range(1, 10)), encoding="utf-8")
    small = Excerpts([open_log(path, "a.log")])
    large = Excerpts([LargeFile("a.log", path, 100, truncated=False)])
    event = Event(EventKind.TEXT, "", "a.log", 1, 1)

    for first, last in asked:
        assert large.lines(event, first, last) == small.lines(event, first, last)
