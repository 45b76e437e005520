"""One system over its versions: what counts, what does not and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.comparison.compare import Options
from audit.comparison.history import history, named_versions
from competitions.errors import DataError, DocumentError, UsageError
from tests.audit.comparison.made import (
    NOW,
    result,
    row,
    rows_of,
    write_document,
    write_group,
    write_report,
)

TASKS = [f"task-{i}" for i in range(9)]
OPTIONS = Options(Path("nowhere"))


def version(folder, name, n_won, facts=None, day=1):
    """Write the audit of a version that wins medals on the first tasks."""
    wins = {t: [i < n_won] for i, t in enumerate(TASKS)}
    told = {"agent digest": name[0] * 64, "started": f"2026-01-{day:02}T00:00:00+00:00"}
    return write_document(
        folder / f"{name}.json", [*rows_of(f"agent-{name}", wins)], {**told, **(facts or {})}
    )


def followed(*versions):
    return history(list(versions), OPTIONS, NOW)


def test_a_recorded_update_counts_and_its_p_is_corrected(tmp_path):
    found = followed(
        version(tmp_path, "a", 0, day=1), version(tmp_path, "b", 8, day=2),
        version(tmp_path, "c", 9, day=3),
    )  # fmt: skip

    one, other = found.consecutive
    assert (one.counts, other.counts, found.ordered_by) == (True, True, "recorded start")
    assert result(found).main.permutation_p == pytest.approx(2**-7)
    assert one.holm_p == pytest.approx(2 * 2**-7)
    assert other.holm_p == 1.0
    assert [s.after for s in found.to_first] == ["2", "3"]
    assert "3 versions, 2 steps: 2 are a recorded update of the system alone." in found.answer
    assert "A difference is shown to version 2, +88.9 percentage points (p = 0.016" in found.answer


def test_versions_stand_in_the_order_in_which_they_were_started(tmp_path):
    late, early = version(tmp_path, "b", 5, day=9), version(tmp_path, "a", 0, day=1)

    found = followed(late, early)

    assert [v.name for v in found.versions] == ["a.json", "b.json"]


def test_without_recorded_starts_the_order_is_the_callers(tmp_path):
    found = followed(version(tmp_path, "b", 5, {"started": None}), version(tmp_path, "a", 0, day=1))

    assert [v.name for v in found.versions] == ["b.json", "a.json"]
    assert found.ordered_by == "as given"


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        pytest.param({"agent digest": None}, "no record of an update", id="no-digest"),
        pytest.param({"agent digest": "a" * 64}, "no update on record", id="same-digest"),
        pytest.param({"time limit": "999 s"}, "something else changed with the update: budget",
                     id="more-time"),
        pytest.param({"GPUs": None}, "not disclosed by one side or both: GPUs", id="undisclosed"),
    ],
)  # fmt: skip
def test_a_step_without_a_record_of_its_update_alone_does_not_count(tmp_path, facts, why):
    found = followed(version(tmp_path, "a", 0), version(tmp_path, "b", 9, facts, day=2))

    step = found.steps[0]
    assert not step.counts
    assert step.why_not is not None
    assert step.why_not.startswith(why)
    assert step.holm_p is None
    assert result(found).mean == 1.0  # it is told, and does not count
    assert "none is a recorded update of the system alone, 1 cannot be attributed" in found.answer


def test_a_version_of_two_digests_is_no_single_update(tmp_path, data_dir, submissions):
    one = write_group(tmp_path / "v1", "a", [submissions["sample"]] * 2)
    two = write_group(tmp_path / "v2", "b", [submissions["sample"]])
    mixed = {"agent": {"id": "b", "digest": "c" * 64}, "seed": 1}
    from tests.conftest import write_attempt

    write_attempt(Path(two) / "breast-cancer_x", submission=submissions["sample"], record=mixed)

    found = history([one, two], Options(data_dir), NOW)

    assert "several digests" in str(found.steps[0].why_not)


def test_what_cannot_be_read_is_named_and_the_rest_goes_on(tmp_path):
    (tmp_path / "broken.json").write_text("{")
    a, b = version(tmp_path, "a", 0), version(tmp_path, "b", 5, day=2)
    copy = tmp_path / "copy.json"
    copy.write_text(Path(b).read_text())

    found = followed(a, str(tmp_path / "broken.json"), b, a, str(copy))

    told = {o.what: o.why for o in found.left_out}
    assert len(found.versions) == 2
    assert "JSON" in told["broken.json"]
    assert told["a.json"] == "named twice, taken once"
    assert told["copy.json"] == "holds attempts or files of b.json"


def test_a_version_without_common_task_is_a_step_that_is_not_compared(tmp_path):
    a, b = version(tmp_path, "a", 0), version(tmp_path, "b", 5, day=2)
    alone = write_document(
        tmp_path / "c.json", [row("elsewhere", seed=0, agent="c")],
        {"started": "2026-01-03T00:00:00+00:00"},
    )  # fmt: skip

    found = followed(a, b, alone)

    assert found.consecutive[1].result is None
    assert found.consecutive[1].why_not == "they have no task in common"
    with pytest.raises(DataError, match="no task in common"):
        followed(a, alone)


@pytest.mark.parametrize(
    ("names", "error"),
    [
        pytest.param(["a.json"], UsageError, id="one"),
        pytest.param(["a.json", "a.json"], UsageError, id="twice-the-same"),
        pytest.param(["a.json", "broken.json"], DocumentError, id="one-is-broken"),
    ],
)
def test_a_history_needs_two_versions(tmp_path, names, error):
    version(tmp_path, "a", 0)
    (tmp_path / "broken.json").write_text("{")

    with pytest.raises(error, match="needs two versions at least"):
        followed(*(str(tmp_path / n) for n in names))


def test_versions_are_listed_by_a_file_or_by_the_folder_of_their_groups(tmp_path):
    for name in ("v1", "v2"):
        write_group(tmp_path / "runs" / name, "a", ["id\n"])
    write_report(tmp_path / "x.json", [row("t")])
    listed = tmp_path / "versions.txt"
    listed.write_text("# oldest first\nruns/v1\n\nruns/v2#a\nx.json,x.json\n")

    assert named_versions([str(tmp_path / "runs")]) == [
        str(tmp_path / "runs" / name) for name in ("v1", "v2")
    ]
    assert named_versions([str(listed)]) == [
        str(tmp_path / "runs/v1"),
        str(tmp_path / "runs/v2#a"),
        f"{tmp_path / 'x.json'},{tmp_path / 'x.json'}",
    ]
    assert named_versions(["a", "b"]) == ["a", "b"]
