"""What rows are about is told by the table itself, and a category or an occasion is no thing."""

from __future__ import annotations

import numpy as np
import pandas as pd  # noqa: TID253
import pytest

from detectors.leakage.entity_columns import entity_columns
from detectors.leakage.entity_columns_names import named_like_a_thing
from detectors.leakage.entity_columns_structure import counts_up


def visits(n_patients: int = 40, each: int = 4) -> pd.DataFrame:
    """Patients with several visits each: what they are stays, what is measured varies."""
    rng = np.random.default_rng(0)
    who = np.repeat(np.arange(n_patients), each)
    return pd.DataFrame({
        "patient": who + 100,
        "visit": np.tile(np.arange(each), n_patients),
        "born": rng.integers(1930, 2000, n_patients)[who],
        "sex": rng.choice(["m", "f"], n_patients)[who],
        "measured": rng.normal(size=len(who)),
    })  # fmt: skip


def test_a_thing_with_several_rows_is_the_first_guess_with_its_reasons():
    (guess, *_) = entity_columns(visits())

    assert (guess.columns, guess.is_sure) == (("patient",), True)
    assert "born, sex never differ within it" in guess.reason
    assert "it and visit name every row" in guess.reason


@pytest.mark.parametrize("by_name", [True, False])
def test_neither_the_order_of_rows_nor_names_are_needed(by_name):
    shuffled = visits().sample(frac=1, random_state=0)
    named = shuffled if by_name else shuffled.set_axis([f"c{i}" for i in range(5)], axis=1)

    assert entity_columns(named, by_name=by_name)[0].column == named.columns[0]


def test_of_a_panel_the_firm_is_the_thing_and_the_year_its_occasion_by_what_is_measured():
    rng = np.random.default_rng(3)
    firm, year = np.repeat(np.arange(60), 9), np.tile(np.arange(1990, 1999), 60)
    columns = [c[firm] * 4 + rng.normal(size=540) for c in rng.normal(size=(3, 60))]
    panel = pd.DataFrame(dict(zip("abcde", [year, firm, *columns], strict=True)))
    shuffled = panel.sample(frac=1, random_state=1)

    assert entity_columns(shuffled, by_name=False)[0].column == "b"


@pytest.mark.parametrize("seed", range(4))
def test_shuffled_numbers_do_not_count_from_row_to_row(seed):
    table = visits(n_patients=300, each=3).sample(frac=1, random_state=seed)
    stays = np.asarray(table["patient"].rank(method="dense"), dtype=int) - 1

    assert not counts_up(table["patient"], stays, 0.0)
    assert counts_up(visits()["visit"], visits()["visit"].to_numpy(), 0.0)


def test_a_column_that_is_to_be_predicted_is_no_thing():
    assert "patient" not in {g.column for g in entity_columns(visits(), ["patient"])}


def test_rows_about_a_thing_each_have_no_sure_guess():
    rng = np.random.default_rng(1)
    table = pd.DataFrame({
        "id": range(500),
        "age": rng.integers(20, 80, 500),
        "party": rng.integers(0, 7, 500),
        "colour": rng.choice(list("abcdefgh"), 500),
        "price": rng.normal(size=500).round(2),
        "day": rng.integers(1, 29, 500),
    })  # fmt: skip

    assert [g for g in entity_columns(table) if g.is_sure] == []


def test_a_number_within_a_hospital_names_a_patient_only_together_with_it():
    rng = np.random.default_rng(2)
    hospital, number = np.divmod(np.repeat(np.arange(200), 4), 20)
    of_patient = hospital * 20 + number
    table = pd.DataFrame({
        "hospital": hospital,
        "number": number,
        "born": rng.integers(1930, 2000, 200)[of_patient],
        "height": rng.integers(150, 200, 200)[of_patient],
        "blood": rng.choice(["a", "b", "ab", "0"], 200)[of_patient],
        "measured": rng.normal(size=800),
    }).sample(frac=1, random_state=0)  # fmt: skip
    (guess, *_) = entity_columns(table)

    assert set(guess.columns) == {"hospital", "number"}


@pytest.mark.parametrize(
    ("texts", "sign"),
    [
        pytest.param([f"p{i // 4}_{i % 4}.png" for i in range(100)], "_", id="file-of-a-patient"),
        pytest.param([f"{i // 4:04}-{i % 4}" for i in range(100)], "-", id="group-and-member"),
        pytest.param([f"img_{i}.png" for i in range(100)], None, id="one-word-for-all"),
        pytest.param([f"{i * 7919 % 256:02x}-{i:08x}" for i in range(999)], None, id="random-ids"),
        pytest.param([f"row {i // 4}_{i % 4}" for i in range(100)], None, id="words"),
    ],
)  # fmt: skip
def test_what_names_of_files_begin_with_is_a_thing_where_it_and_what_follows_recur(texts, sign):
    found = [g.prefix_before for g in entity_columns(pd.DataFrame({"file": texts}))]

    assert found == ([sign] if sign else [])


@pytest.mark.parametrize(
    "table",
    [
        pytest.param(pd.DataFrame({"a": []}), id="no-rows"),
        pytest.param(pd.DataFrame({"a": [1]}), id="one-row"),
        pytest.param(pd.DataFrame({"a": [None] * 9}), id="nothing-in-it"),
        pytest.param(pd.DataFrame([[1, 2]] * 20, columns=["a", "a"]), id="names-twice"),
        pytest.param(pd.DataFrame({"a": [[1], {"b": 2}] * 10}), id="lists"),
        pytest.param(pd.DataFrame({"a": [1, "x", 2.5, None] * 10}), id="mixed"),
        pytest.param(pd.DataFrame({"a": ["1e6641000824bd20"] * 20}), id="ids-like-numbers"),
        pytest.param(pd.DataFrame({7: [1, 1, 2, 2] * 5}), id="a-name-that-is-no-text"),
    ],
)
def test_odd_tables_are_read(table):
    assert [g for g in entity_columns(table) if g.is_sure] == []


def test_columns_without_a_value_change_nothing_and_warn_of_nothing():
    empty = visits().assign(void=np.nan, none=None)

    (guess, *_) = entity_columns(empty)

    assert guess == entity_columns(visits())[0]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        pytest.param("patient_id", 1.0, id="of-a-thing"),
        pytest.param("childid", 1.0, id="grown-together"),
        pytest.param("StudentNumber", 1.0, id="camel"),
        pytest.param("id", 1.0, id="bare"),
        pytest.param("row_id", 0.8, id="of-nothing-known"),
        pytest.param("states", 0.8, id="plural"),
        pytest.param("year", -1.0, id="occasion"),
        pytest.param("patient_age", -1.0, id="an-amount-of-a-thing"),
        pytest.param("x17", 0.0, id="nothing"),
        pytest.param("", 0.0, id="no-name"),
    ],
)
def test_names_speak_of_things_or_of_occasions(name, says):
    assert named_like_a_thing(name) == says
