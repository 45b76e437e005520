"""Whether place or id of a row tells its answer: planted leaks, and orders that are honest."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.check import check
from competitions import spec as specs
from competitions.prepare import prepare
from detectors.leakage.association import association, effects_of_numbers, neighbours
from detectors.leakage.hidden_answers import Answers, alone, is_told, parts_of
from detectors.leakage.id_encodes_target import IdEncodesTarget
from detectors.leakage.row_order_encodes_target import RowOrderEncodesTarget
from detectors.leakage.split import Split, split_of
from detectors.task import Task
from reports.schema import Outcome, Severity

N = 200


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def classes(n: int = N, k: int = 2, seed: int = 0):
    return rng(seed).integers(0, k, n)


def hex_ids(n: int = N, seed: int = 1) -> list[str]:
    return [f"{v:012x}" for v in rng(seed).integers(0, 2**48, n)]


@pytest.fixture
def look(monkeypatch, tmp_path):
    """Ask a detector about answers that are given; returns what it found."""
    import pandas as pd

    task = Task(specs.load("breast-cancer"), tmp_path)

    def ask(detector, target, ids=None, **public):
        shown = pd.DataFrame(public, index=range(len(target)))
        answers = Answers(ids or hex_ids(len(target)), {"y": target}, shown)
        monkeypatch.setattr(Split, "hidden", lambda _split: answers)
        return list(detector.detect(task))

    return ask


def nearly_sorted(target):
    found = np.sort(target)
    some = rng(3).permutation(len(found))[: len(found) // 10]
    found[some] = rng(4).permutation(found[some])
    return found


def in_blocks(target):
    return np.repeat(rng(2).integers(0, 2, len(target) // 20), 20)


@pytest.mark.parametrize(
    "target",
    [
        pytest.param(np.sort(classes()), id="sorted by class"),
        pytest.param(np.sort(classes(k=5)), id="sorted by one of five classes"),
        pytest.param(nearly_sorted(classes()), id="nine tenths sorted"),
        pytest.param(in_blocks(classes()), id="classes in blocks"),
        pytest.param(np.sort(rng().normal(size=N)), id="sorted numbers"),
        pytest.param(-(np.sort(rng().normal(size=N)) ** 3), id="falling numbers"),
    ],
)
def test_an_order_that_tells_the_answer_is_found(target, look):
    (first, *_rest) = look(RowOrderEncodesTarget(), target)

    assert first.severity >= Severity.MEDIUM
    assert "y" in first.message


def test_a_rare_class_that_is_sorted_to_the_end_is_as_grave_as_an_even_one(look):
    rare = np.array([0] * (N - N // 10) + [1] * (N // 10))

    assert look(RowOrderEncodesTarget(), rare)[0].severity is Severity.HIGH


WEEKS = [f"2020-{1 + n // 28:02d}-{1 + n % 28:02d}" for n in range(N)]
PATIENT = [f"p{n // 10}" for n in range(N)]


@pytest.mark.parametrize(
    ("target", "public"),
    [
        pytest.param(classes(), {}, id="shuffled classes"),
        pytest.param(rng().normal(size=N), {}, id="shuffled numbers"),
        pytest.param(classes(k=20), {}, id="twenty classes"),
        pytest.param((rng().random(N) < 0.03).astype(int), {}, id="a rare class"),
        pytest.param(np.arange(float(N)), {"week": WEEKS}, id="a trend over a public time"),
        pytest.param(np.arange(float(N)), {"year": np.arange(N) / 52}, id="over a public number"),
        pytest.param(
            np.repeat(classes(N // 10), 10), {"patient": PATIENT}, id="rows of a patient together"
        ),
    ],
)
def test_an_honest_order_is_clean(target, public, look):
    assert not look(RowOrderEncodesTarget(), np.asarray(target), **public)


def test_patients_that_are_sorted_by_their_answer_are_found(look):
    target = np.repeat(np.sort(classes(60)), 5)
    names = [f"p{v}" for v in np.repeat(rng(9).permutation(60), 5)]

    assert look(RowOrderEncodesTarget(), target, patient=names)


def allotted(target, form=str):
    """Give ids in the order of the answers, to rows in their own order."""
    place = np.argsort(np.argsort(target + rng(5).random(len(target)) * 0.5))
    return [form(p) for p in place]


def begun(target, words):
    return [f"{words[y]}{rest}" for y, rest in zip(target, hex_ids(len(target)), strict=True)]


NUMBERS = rng().normal(size=N)


@pytest.mark.parametrize(
    ("target", "ids"),
    [
        pytest.param(classes(), allotted(classes()), id="numbers in the order of classes"),
        pytest.param(
            classes(), allotted(classes(), lambda p: f"img{p:06d}.png"), id="names of files"
        ),
        pytest.param(
            classes(), [str(2 * n + y) for n, y in enumerate(classes())], id="odd for positives"
        ),
        pytest.param(classes(), begun(classes(), "ab"), id="a sign for the class"),
        pytest.param(
            classes(k=3), begun(classes(k=3), ("car-", "bus-", "van-")), id="a word before the rest"
        ),
        pytest.param(NUMBERS, allotted(9 * NUMBERS), id="in order of numbers"),
    ],
)
def test_an_id_that_tells_the_answer_is_found(target, ids, look):
    found = look(IdEncodesTarget(), target, ids)

    assert found
    assert found[0].severity >= Severity.MEDIUM


@pytest.mark.parametrize(
    ("target", "ids", "public"),
    [
        pytest.param(classes(), hex_ids(), {}, id="hashes"),
        pytest.param(classes(), [str(n) for n in range(N)], {}, id="numbers of rows"),
        pytest.param(classes(k=30), hex_ids(), {}, id="thirty classes"),
        pytest.param(
            np.arange(float(N)), [str(n) for n in range(N)], {"week": WEEKS}, id="by time"
        ),
        pytest.param(
            classes(),
            begun(classes(), "ab"),
            {"site": ["ab"[y] for y in classes()]},
            id="what a public column says as well",
        ),
        pytest.param(
            np.tile([0, 1], N // 2),
            [f"{h}_{kind}" for h in hex_ids(N // 2) for kind in ("study", "image")],
            {},
            id="kinds of rows",
        ),
        pytest.param(
            np.repeat(classes(N // 20), 20),
            [f"{h}_{n}" for h in hex_ids(N // 20) for n in range(20)],
            {},
            id="few patients with many rows",
        ),
    ],
)
def test_an_honest_id_is_clean(target, ids, public, look):
    assert not look(IdEncodesTarget(), np.asarray(target), ids, **public)


@pytest.mark.parametrize("detector", [RowOrderEncodesTarget(), IdEncodesTarget()])
def test_under_the_null_no_task_is_accused(detector, look):
    accused = sum(bool(look(detector, classes(60, 2, s), hex_ids(60, s + 999))) for s in range(40))

    assert accused == 0


@given(st.lists(st.integers(0, 3), min_size=20, max_size=60), st.integers(0, 9))
def test_an_effect_is_a_share_and_p_never_nought(target, seed):
    values = np.array(target)
    found = association(rng(seed).random(len(values)), values, rng(seed), 19)

    assert 0 <= found.effect <= 1 + 1e-9
    assert 1 / 20 <= found.p <= 1
    assert neighbours(values) <= 1 + 1e-9


def test_ids_are_cut_where_they_name_rows_of_somebody():
    weeks = [f"ID{p}_{w}" for p in range(5) for w in range(4)]

    assert parts_of(weeks) == (
        [f"ID{p}" for p in range(5) for _ in range(4)],
        [str(w) for _ in range(5) for w in range(4)],
    )
    assert parts_of(["a1", "b2"]) is None
    assert list(alone(weeks)) == [0, 4, 8, 12, 16]


def test_the_answers_are_in_the_order_of_the_public_table(tmp_path):
    import pandas as pd

    spec = specs.load("breast-cancer")
    task = Task(spec, prepare(spec, tmp_path).folder)
    found = split_of(task).hidden()
    public = pd.read_csv(task.public("test.csv"))

    assert found.ids == public["id"].astype(str).tolist()
    assert set(np.unique(found.targets["malignant"])) == {0, 1}
    assert check(RowOrderEncodesTarget(), task).outcome is Outcome.CLEAN
    assert check(IdEncodesTarget(), task).outcome is Outcome.CLEAN


@pytest.mark.parametrize(
    "view",
    [
        pytest.param(np.arange(float(N)), id="numbers"),
        pytest.param(classes(k=4), id="classes"),
        pytest.param(np.zeros(N), id="a-constant"),
    ],
)
def test_of_many_columns_at_once_the_effects_are_those_of_each(view):
    columns = np.column_stack([rng(1).normal(size=N), classes(k=5), np.zeros(N), np.arange(N) % 99])
    each = [association(view, column, rng(), 0).effect for column in columns.T.astype(float)]

    assert effects_of_numbers(view, columns.astype(float)) == pytest.approx(each)


@pytest.mark.parametrize(
    ("column", "told"),
    [
        pytest.param(np.arange(N) * -2.0, True, id="the-same-numbers"),
        pytest.param([f"{n:04}" for n in range(N)], True, id="the-same-as-text"),
        pytest.param([None, *[f"{n:04}" for n in range(1, N)]], True, id="one-text-is-missing"),
        pytest.param(rng(1).normal(size=N), False, id="other-numbers"),
        pytest.param([np.nan] * N, False, id="nothing"),
    ],
)
def test_one_public_column_of_many_that_tells_a_view_is_enough(column, told):
    import pandas as pd

    others = pd.DataFrame(rng(2).normal(size=(N, 1200)))
    others.insert(700, "told", column)

    assert is_told(np.arange(float(N)), others) is told


def test_one_leak_of_ids_that_several_views_show_is_one_finding_that_lists_them(look):
    target = classes()
    ids = [f"{n + (0 if y else 1000)}" for n, y in enumerate(target)]

    (finding,) = look(IdEncodesTarget(), target, ids)

    assert finding.message.startswith("the length of the id tells the y")
    assert "and so do the number in the id and the first sign of the id" in finding.message
    assert len(finding.evidence) > 1
