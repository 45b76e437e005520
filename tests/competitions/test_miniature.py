import re

import pandas as pd  # noqa: TID253
import pytest

from competitions import spec
from competitions.errors import RefusedError, UsageError
from competitions.io import sha256_tree
from competitions.miniature import MARKER, is_miniature, make_table, write_miniature
from competitions.spec import GroupSizes, MiniatureColumn, MiniatureTable, RawFile
from competitions.submission import read_table

TASK = spec.load("spaceship-titanic")


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    folder = tmp_path_factory.mktemp("miniature")
    write_miniature(TASK, folder)
    return read_table(folder / "train.csv")


def test_the_miniature_has_the_real_columns_and_about_600_different_rows(table):
    assert list(table.columns) == list(TASK.raw[0].columns)
    assert len(table) == 600
    assert not table.drop(columns="PassengerId").duplicated().any()


@pytest.mark.parametrize(
    ("column", "pattern"),
    [
        pytest.param("PassengerId", r"\d{4}_\d{2}", id="group-and-member"),
        pytest.param("Cabin", r"[A-GT]/\d+/[PS]", id="deck-number-side"),
        pytest.param("Name", r"[A-Z][a-z]+ [A-Z][a-z]+", id="given-and-surname"),
    ],
)
def test_the_miniature_has_the_real_formats(table, column, pattern):
    assert all(re.fullmatch(pattern, v) for v in table[column].dropna())


def test_families_share_group_cabin_and_surname(table):
    group = table["PassengerId"].str[:4]
    several = table[group.duplicated(keep=False)]
    names = several["Name"].str.split().str[1]

    assert len(several) > 100
    for shared in (several["Cabin"], names, several["HomePlanet"]):
        assert shared.groupby(group).nunique().max() == 1
    assert several["PassengerId"].is_unique


def test_sleepers_spend_nothing_and_the_label_is_a_balanced_flag(table):
    bills = ["RoomService", "FoodCourt", "ShoppingMall", "Spa", "VRDeck"]
    asleep = table[table["CryoSleep"] == True]  # noqa: E712 - the column holds empty cells too

    assert asleep[bills].fillna(0).to_numpy().sum() == 0
    assert table["Transported"].dtype == bool
    assert 0.45 < table["Transported"].mean() < 0.55
    assert 0.005 < table.drop(columns=["PassengerId", "Transported"]).isna().mean().max() < 0.06


def test_a_model_learns_the_signal_but_not_all_of_it(table):
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.model_selection import cross_val_score

    cabin = table["Cabin"].str.split("/", expand=True)
    features = table.drop(columns=["PassengerId", "Cabin", "Name", "Transported"])
    features = features.assign(deck=cabin[0], side=cabin[2])
    for name in features.select_dtypes(exclude="number"):
        features[name] = features[name].astype("category").cat.codes
    model = HistGradientBoostingClassifier(max_iter=60, learning_rate=0.08, random_state=0)

    assert 0.74 < cross_val_score(model, features, table["Transported"], cv=5).mean() < 0.87


def test_the_same_seed_gives_the_same_bytes(tmp_path):
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        write_miniature(TASK, tmp_path / name, seed)
    a, b, c = (sha256_tree(tmp_path / name) for name in "abc")

    assert a == b != c


def test_raw_files_that_are_no_miniature_are_never_overwritten(tmp_path):
    (tmp_path / "train.csv").write_text("real")

    with pytest.raises(RefusedError, match="no miniature"):
        write_miniature(TASK, tmp_path)
    assert (tmp_path / "train.csv").read_text() == "real"


def test_an_earlier_miniature_is_replaced(tmp_path):
    write_miniature(TASK, tmp_path, 1)
    write_miniature(TASK, tmp_path, 2)

    assert is_miniature(tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda f: (f / "train.csv").write_text("real"), id="file-replaced"),
        pytest.param(lambda f: (f / "test.csv").write_text("real"), id="file-added"),
        pytest.param(lambda f: (f / MARKER).write_text("{"), id="marker-broken"),
        pytest.param(lambda f: (f / MARKER).unlink(), id="marker-gone"),
    ],
)
def test_a_folder_that_somebody_changed_is_no_miniature(tmp_path, change):
    write_miniature(TASK, tmp_path)
    change(tmp_path)

    assert not is_miniature(tmp_path)
    with pytest.raises(RefusedError):
        write_miniature(TASK, tmp_path)


def test_a_task_without_a_recipe_has_no_miniature(tmp_path):
    with pytest.raises(UsageError, match="has no miniature"):
        write_miniature(spec.load("modechoice"), tmp_path)


def test_each_kind_of_column_keeps_to_its_recipe():
    table = MiniatureTable(
        rows=400,
        groups=GroupSizes(sizes=(2,), weights=(1.0,)),
        columns={
            "n": MiniatureColumn(kind="number", low=3, high=9, decimals=0, whole=True),
            "age": MiniatureColumn(kind="number", spread="normal", low=0, high=5, deviation=9),
            "shared": MiniatureColumn(kind="number", shared=True),
            "c": MiniatureColumn(kind="choice", choices=("a", "b"), weights=(0.9, 0.1)),
            "f": MiniatureColumn(kind="flag", share=0.0),
            "gone": MiniatureColumn(kind="word", missing=1.0),
            "constant": MiniatureColumn(kind="choice", choices=(1,)),
            "y": MiniatureColumn(kind="label", signal={"n": 1.0, "constant": 5.0}, noise=0),
        },
    )
    made = make_table(table, 0)

    assert made["n"].isin(range(3, 10)).all()
    assert made["age"].min() == 0
    assert made["shared"].nunique() == 200
    assert 320 < (made["c"] == "a").sum() < 400
    assert not made["f"].any()
    assert made["gone"].isna().all()
    assert made.loc[made["y"] == True, "n"].min() > made.loc[made["y"] == False, "n"].max()  # noqa: E712
    pd.testing.assert_frame_equal(made, make_table(table, 0))


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        pytest.param({}, [False] * 50 + [True] * 50, id="flag"),
        pytest.param({"choices": ["a", "b"]}, ["a"] * 50 + ["b"] * 50, id="choices"),
        pytest.param(
            {"choices": [1, 2, 3], "weights": [1, 2, 1]},
            [1] * 25 + [2] * 50 + [3] * 25,
            id="weights",
        ),
        pytest.param(
            {"decimals": 1, "low": -1, "high": 9}, [-1.0] + [None] * 98 + [9.0], id="number"
        ),
    ],
)
def test_a_label_without_noise_follows_its_signal(label, expected):
    column = MiniatureColumn(kind="label", noise=0, signal={"x": 1.0}, **label)
    size = MiniatureColumn(kind="number", low=-5, high=5)
    made = make_table(MiniatureTable(rows=100, columns={"y": column, "x": size})).sort_values("x")

    assert [
        y if e is not None else None for y, e in zip(made["y"], expected, strict=True)
    ] == expected
    assert made["y"].is_monotonic_increasing


def test_several_labels_are_made_in_the_order_of_their_columns():
    label = MiniatureColumn(kind="label", signal={"x": 1.0})
    number = MiniatureColumn(kind="number")
    made = make_table(MiniatureTable(rows=20, columns={"x": number, "a": label, "b": label}))
    alone = make_table(MiniatureTable(rows=20, columns={"x": number, "a": label}))

    assert made["a"].tolist() == alone["a"].tolist()
    assert made["a"].tolist() != made["b"].tolist()


def test_what_stands_where_a_column_is_off_can_be_said():
    flag = MiniatureColumn(kind="template", template="{group}", parts={"hidden": {"kind": "flag"}})
    value = MiniatureColumn(kind="choice", choices=(0, 1), zero_where="id.hidden", off=-1)
    made = make_table(MiniatureTable(rows=50, columns={"id": flag, "a": value, "b": value}))

    assert {-1, 0, 1} == set(made["a"])
    assert ((made["a"] == -1) == (made["b"] == -1)).all()


def test_a_range_of_names_stands_for_each_of_them():
    number = {"kind": "number"}
    table = MiniatureTable.model_validate(
        {"rows": 3, "columns": {"id": number, "f_08..10": number, "v1..2": number}}
    )
    file = RawFile.model_validate({"path": "a.csv", "columns": ["id", "f_08..10", "v1..2", "x..y"]})

    assert list(table.columns) == ["id", "f_08", "f_09", "f_10", "v1", "v2"]
    assert file.columns == ("id", "f_08", "f_09", "f_10", "v1", "v2", "x..y")


def test_marks_of_one_choice_are_one_in_exactly_one_column():
    side = MiniatureColumn(kind="choice", choices=("a", "b", "c"))
    key = MiniatureColumn(kind="template", template="{group}", parts={"side": side})
    marks = {s: MiniatureColumn(kind="mark", where=f"id.side={s}") for s in "abc"}
    made = make_table(MiniatureTable(rows=40, columns={"id": key, **marks}))

    assert made[["a", "b", "c"]].sum(axis=1).tolist() == [1] * 40
    assert made[["a", "b", "c"]].sum().min() > 0


def test_the_first_rows_may_be_given():
    column = MiniatureColumn(kind="template", template="{group:03d}", first=("x", "x"))
    table = make_table(MiniatureTable(rows=4, columns={"id": column}))

    assert table["id"].tolist() == ["x", "x", "003", "004"]
