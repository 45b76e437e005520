"""Copies of submissions are graded as the record names them, and nothing else is read."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from audit.grading import grade_attempts
from audit.scaling import MAX_GRADED, different, place_of, scalings, spread
from competitions.io import sha256_bytes
from detectors.record import Snapshot
from tests.audit.conftest import TASK
from tests.conftest import write_attempt

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def make(tmp_path, submissions):
    """Write an attempt with copies: seconds after the start, and which submission it was."""

    def made(name, *copies, group="g", limit=60.0, seed=0, final="perfect", record=True):
        folder = tmp_path / group / f"{TASK}_{name}"
        told = [
            {
                "path": f"snapshots/{after:08d}s.csv",
                "after_s": float(after),
                "sha256": sha256_bytes(submissions[what].encode()),
            }
            for after, what in copies
        ]
        fields = {"seed": seed, "snapshots": told, "budget": {"wall_clock_s": limit}}
        attempt = write_attempt(
            folder, submission=submissions[final], record=fields if record else None
        )
        for (_, what), copy in zip(copies, told, strict=True):
            place = folder / copy["path"]
            place.parent.mkdir(exist_ok=True)
            place.write_text(submissions[what])
        return attempt

    return made


def scaled(data_dir, *attempts):
    rows = grade_attempts(attempts, data_dir, NOW).competition_reports
    return scalings(attempts, rows, data_dir, NOW)


def reasons(one):
    return {o.name: o.why for o in one.omitted}


def test_copies_are_graded_and_the_submission_stands_at_the_end(make, data_dir):
    one = make("0001", (2, "broken"), (4, "sample"))

    (found,) = scaled(data_dir, one)

    (path,) = found.trajectories
    assert [(r.after_s, r.valid_submission, r.score) for r in path.reached] == [
        (2.0, 0.0, None), (4.0, 1.0, 0.5), (10.0, 1.0, 1.0),
    ]  # fmt: skip
    assert [p.figures.valid_submission.mean for p in found.over_time] == [0.0, 0.0, 1.0, 1.0]
    assert [p.figures.above_median.mean for p in found.over_time] == [0.0, 0.0, 0.0, 1.0]
    assert [p.figures.percentile_of for p in found.over_time] == ["baselines"] * 4
    assert list(reasons(found)) == ["figures by limit of time"]


def test_an_attempt_that_handed_in_nothing_when_copies_were_due_counts_in_the_curve(make, data_dir):
    (found,) = scaled(data_dir, make("0001", (2, "sample")), make("0002", seed=1))

    assert [p.figures.valid_submission.mean for p in found.over_time] == [0.0, 0.5, 1.0]


def test_an_attempt_of_a_group_without_copies_is_left_out_and_counted(make, data_dir):
    (found,) = scaled(data_dir, make("0001", (2, "sample")), make("0002", group="other", seed=1))

    assert len(found.trajectories) == 1
    assert "1 of 2 attempts ran without copies" in reasons(found)["part of the curve over time"]


def test_without_copies_nothing_is_drawn_and_it_is_said_why(make, data_dir):
    unrecorded, found = scaled(data_dir, make("0001"), make("0002", record=False))

    assert (found.trajectories, found.over_time, found.by_limit) == ((), (), ())
    assert "--snapshot-every" in reasons(found)["curve over time"]
    assert "same limit of 60 s" in reasons(found)["figures by limit of time"]
    assert "no attempt has a record" in reasons(unrecorded)["figures by limit of time"]


def test_limits_that_differ_are_compared(make, data_dir):
    short, long = make("0001", limit=60.0, final="sample"), make("0002", limit=600.0, seed=1)

    (found,) = scaled(data_dir, short, long)

    assert [(b.limit_s, b.figures.above_median.mean) for b in found.by_limit] == [
        (60.0, 0.0), (600.0, 1.0),
    ]  # fmt: skip


def test_a_copy_that_was_changed_afterwards_is_named_and_not_counted(make, data_dir, submissions):
    one = make("0001", (2, "sample"), (4, "sample"))
    (one.path / "snapshots" / "00000002s.csv").write_text(submissions["perfect"])

    (found,) = scaled(data_dir, one)

    assert [r.after_s for r in found.trajectories[0].reached] == [10.0]
    assert "was changed after it was made" in reasons(found)["copies that were not graded"]


@pytest.mark.parametrize(
    "named",
    [
        pytest.param("submission/submission.csv", id="another-file-of-the-attempt"),
        pytest.param("../secret.csv", id="above-the-attempt"),
        pytest.param("snapshots/../../secret.csv", id="by-a-detour"),
        pytest.param("/etc/passwd", id="anywhere"),
        pytest.param("snapshots/link.csv", id="a-link"),
        pytest.param("snapshots/none.csv", id="nothing"),
        pytest.param("snapshots", id="the-folder"),
    ],
)
def test_a_record_never_leads_out_of_the_copies_of_its_own_attempt(make, named):
    one = make("0001", (2, "sample"))
    secret = one.path.parent / "secret.csv"
    secret.write_text("id,malignant\n")
    (one.path / "snapshots" / "link.csv").symlink_to(secret)

    assert place_of(one, Snapshot(path=named, after_s=1, sha256="")) is None
    assert place_of(one, Snapshot(path="snapshots/00000002s.csv", after_s=2, sha256=""))


def test_copies_that_did_not_change_are_graded_once_and_very_many_are_thinned_out():
    same = [Snapshot(path=f"snapshots/{n}.csv", after_s=n, sha256="x") for n in (3, 1, 2)]
    many = [Snapshot(path=f"snapshots/{n}.csv", after_s=n, sha256=str(n)) for n in range(500)]

    assert [s.after_s for s in different(same)] == [1]
    chosen = spread(different(many), MAX_GRADED)
    assert (len(chosen), chosen[0].after_s, chosen[-1].after_s) == (MAX_GRADED, 0, 499)
