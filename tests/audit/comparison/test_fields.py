"""What records say alike, differently or not at all, and what a gain may then be put down to."""

from __future__ import annotations

import pytest

from audit.comparison.fields import FACTS, attribution_of, fields_of
from tests.audit.comparison.made import row, side

ROWS = {a: [row("t", seed=s, agent=a) for s in (0, 1)] for a in "ab"}
NEW = {"agent digest": "b" * 64}


def attributed(after, before=None, rows=ROWS):
    return attribution_of(fields_of(side(rows["a"], before or {}), side(rows["b"], after)))


def test_the_system_alone_may_have_made_the_difference():
    found = attributed(NEW)

    assert (found.conclusion, found.changed, found.unknown) == ("system", ("system",), ())
    assert "Only the system changed" in found.because


@pytest.mark.parametrize(
    ("name", "value", "part"),
    [
        pytest.param("time limit", "600 s", "budget", id="more-time"),
        pytest.param("token limit", "9", "budget", id="tokens"),
        pytest.param("machine", "b, 64 cores", "hardware", id="machine"),
        pytest.param("GPUs", "H200", "hardware", id="gpu"),
        pytest.param("sandbox", "bubblewrap, network on", "network", id="network"),
        pytest.param("sandbox", "none, network off", "sandbox", id="no-sandbox"),
        pytest.param("prior knowledge", "winning solutions", "prior knowledge", id="knowledge"),
        pytest.param("data digest", "e" * 64, "task data", id="data"),
        pytest.param("description", "obfuscated", "task data", id="description"),
    ],
)
def test_a_gain_is_not_put_down_to_one_of_two_changes(name, value, part):
    both, alone = attributed({**NEW, name: value}), attributed({name: value}, rows=_same_agent())

    assert both.conclusion == "several"
    assert set(both.changed) == {"system", part}
    assert "cannot be attributed" in both.because
    assert (alone.conclusion, alone.changed) == ("one", (part,))


def _same_agent():
    return {"a": ROWS["a"], "b": [row("t", seed=s, agent="a") for s in (0, 1)]}


def test_other_seeds_and_other_boards_are_changes_too():
    fewer = {"a": ROWS["a"], "b": ROWS["b"][:1]}
    boards = {
        "a": ROWS["a"],
        "b": [row("t", seed=s, agent="b", gold_threshold=1.0) for s in (0, 1)],
    }
    digests = {
        "a": ROWS["a"],
        "b": [row("t", seed=s, agent="b", board_sha256="c" * 64) for s in (0, 1)],
    }
    tasks = {"a": ROWS["a"], "b": [*ROWS["b"], row("u", seed=0, agent="b")]}

    assert attributed(NEW, rows=fewer).changed == ("system", "seeds")
    assert attributed(NEW, rows=boards).changed == ("system", "boards")
    assert attributed(NEW, rows=digests).changed == ("system", "boards")
    assert attributed(NEW, rows=tasks).changed == ("system", "tasks")


def test_a_new_model_and_a_new_scaffold_are_one_new_system_and_two_reasons():
    found = attributed({**NEW, "models": "m-2", "scaffold": "loop 2"})

    assert found.conclusion == "system"
    assert found.within_system == ("scaffold", "models")
    assert "scaffold and models both changed" in found.because


@pytest.mark.parametrize("name", sorted(set(FACTS) - {"agent digest", "scaffold", "models"}))
def test_what_one_side_does_not_disclose_leaves_the_attribution_open(name):
    found = attributed({**NEW, name: None})

    assert found.conclusion == "open"
    assert name in found.unknown
    assert name in found.because


@pytest.mark.parametrize("name", ["scaffold", "models"])
def test_an_undeclared_part_of_a_new_system_hides_which_part_changed(name):
    found = attributed({**NEW, name: "none declared"})

    assert found.conclusion == "system"
    assert "which part of it changed is not known" in found.because


def test_the_same_digest_is_the_same_system_whatever_is_not_declared():
    found = attributed({"models": None}, {"models": None}, rows=_same_agent())

    assert found.conclusion == "nothing"


def test_reports_alone_leave_the_system_and_its_conditions_open():
    reports = [side([row("t"), row("t")]) for _ in range(2)]

    fields = fields_of(*reports)
    found = attribution_of(fields)

    assert found.conclusion == "open"
    assert {"agent digest", "time limit", "network"} <= set(found.unknown)
    standing = {f.name: f.standing for f in fields}
    assert [standing[n] for n in ("boards", "seeds", "tasks")] == ["same"] * 3
    assert standing["variant"] == "unknown"


def test_a_record_that_some_attempts_lack_is_unknown_and_says_so():
    whole, half = side(ROWS["a"], {}), side(ROWS["b"], {})
    rows = (half.rows[0], half.rows[1].__class__(half.rows[1].report, {}, "b"))
    fields = fields_of(whole, half.__class__(half.name, (), rows))

    field = next(f for f in fields if f.name == "time limit")
    assert field.standing == "unknown"
    assert field.after == "60 s (not of every attempt)"


def test_only_attempts_at_common_tasks_are_compared():
    other = side([*ROWS["b"]], NEW)
    more = [
        *side(ROWS["a"], {}).rows,
        *side([row("u", seed=0, agent="a")], {"time limit": "9 s"}).rows,
    ]

    fields = fields_of(other.__class__("x", (), tuple(more)), other)

    assert next(f for f in fields if f.name == "time limit").standing == "same"
