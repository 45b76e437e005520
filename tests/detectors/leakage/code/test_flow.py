"""Rows are followed through names, columns, functions, loops and cells; statistics mark them."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detectors.leakage.code_faults import early, trained_on_held_out
from detectors.leakage.code_flow import Reader
from detectors.leakage.code_values import Kind, Part, Side, covers, parting
from detectors.leakage.code_words import tool_kind

READ = "import pandas as pd\nimport numpy as np\ndf = pd.read_csv('train.csv')\n"
SPLIT = "a, b, c, d = train_test_split(X, y)\n"
SCORE = "m = Ridge().fit(a, c)\nprint(m.score(b, d))\n"
SCALE = "X = StandardScaler().fit_transform(X)\n"
XY = READ + "y = df['t']\nX = df.drop(columns=['t'])\n"


def story(code, **modules):
    bodies = {name: [(0, ast.parse(text).body)] for name, text in modules.items()}
    return Reader({"main": [(0, ast.parse(code).body)], **bodies}).read(["main"])


def kinds(code, **modules):
    return {one.kind for one in early(story(code, **modules))}


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(XY + SCALE + SPLIT + SCORE, id="fit-transform"),
        pytest.param(XY + "s = StandardScaler()\ns.fit(X)\nX = s.transform(X)\n" + SPLIT + SCORE,
                     id="fit-and-transform"),
        pytest.param(XY + SPLIT + "s = StandardScaler().fit(X)\na = s.transform(a)\n" + SCORE,
                     id="fitted-on-all-after-the-split"),
        pytest.param(XY + "X = (X - X.mean()) / X.std()\n" + SPLIT + SCORE, id="arithmetic"),
        pytest.param(XY + "X['v'].fillna(X['v'].median(), inplace=True)\n" + SPLIT + SCORE,
                     id="in-place"),
        pytest.param(XY + "X.loc[X.v.isna(), 'v'] = X.v.mean()\n" + SPLIT + SCORE, id="loc"),
        pytest.param(XY + "for n in ['v', 'w']:\n    X[n] = X[n] / X[n].max()\n" + SPLIT + SCORE,
                     id="loop-over-columns"),
        pytest.param(XY + "def f(t):\n    t['v'] = t['v'].fillna(t['v'].mean())\nf(X)\n" + SPLIT
                     + SCORE, id="changed-in-a-function"),
        pytest.param(XY + "f = lambda t: (t - t.mean())\nX = X.apply(f)\n" + SPLIT + SCORE,
                     id="applied-by-column"),
        pytest.param(XY + "class C:\n    def __init__(self, t):\n        self.t = PCA().fit(t)"
                     ".transform(t)\n    def go(self):\n"
                     "        a, b, c, d = train_test_split(self.t, y)\n"
                     "        print(Ridge().fit(a, c).score(b, d))\nC(X).go()\n", id="class"),
        pytest.param(XY + SCALE + "for i, j in KFold(5).split(X):\n    m = SVC().fit(X[i], y[i])\n"
                     "    print(m.score(X[j], y[j]))\n", id="folds"),
        pytest.param(XY + SCALE + "for n, (i, j) in enumerate(KFold(5).split(X)):\n"
                     "    m = SVC().fit(X[i], y[i])\n    print(m.score(X[j], y[j]))\n",
                     id="folds-counted"),
        pytest.param(XY + SCALE + "print(cross_val_score(SVC(), X, y))\n", id="cross-val-score"),
        pytest.param(XY + SCALE + "m = SVC().fit(X[:80], y[:80])\nprint(m.score(X[80:], y[80:]))\n",
                     id="cut"),
        pytest.param(XY + SCALE + "m = SVC().fit(X[X.k < 3], y)\n"
                     "print(m.score(X[~(X.k < 3)], y))\n", id="condition"),
        pytest.param(XY + "p = make_pipeline(StandardScaler(), PCA())\nX = p.fit_transform(X)\n"
                     + SPLIT + SCORE, id="pipeline-of-tools"),
        pytest.param("import polars as pl\ndf = pl.read_csv('t.csv')\n"
                     "X = df.with_columns(pl.col('v') - pl.col('v').mean())\ny = df['t']\n"
                     + SPLIT + SCORE, id="polars"),
    ],
)  # fmt: skip
def test_what_is_worked_out_of_all_rows_is_followed_to_the_score(code):
    assert kinds(code) == {Kind.STATISTIC}


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(XY + SPLIT + SCORE, id="nothing"),
        pytest.param(XY + SPLIT + "s = StandardScaler().fit(a)\na = s.transform(a)\n"
                     "b = s.transform(b)\n" + SCORE, id="train-half"),
        pytest.param(XY + "print(X.mean())\n" + SPLIT + SCORE, id="printed"),
        pytest.param(XY + "X['v'] = X['v'].fillna(0)\n" + SPLIT + SCORE, id="constant"),
        pytest.param(XY + "X['s'] = X.sum(axis=1)\n" + SPLIT + SCORE, id="by-row"),
        pytest.param(XY + "X['s'] = X.apply(lambda r: r.mean(), axis=1)\n" + SPLIT + SCORE,
                     id="applied-by-row"),
        pytest.param(XY + "X['n'] = X['text'].str.count('a')\n" + SPLIT + SCORE, id="text-by-row"),
        pytest.param(XY + "X['z'] = X['v'] / X['v'].max()\nX = X.drop(columns=['z'])\n" + SPLIT
                     + SCORE, id="column-dropped"),
        pytest.param(XY + "X['z'] = X['v'] / X['v'].max()\nX = X[['v', 'w']]\n" + SPLIT + SCORE,
                     id="column-not-chosen"),
        pytest.param(XY + "Z = PCA(2).fit_transform(X)\n" + SPLIT + SCORE, id="other-name"),
        pytest.param(XY + SCALE + "m = Ridge().fit(X, y)\nprint(m.predict(X))\n", id="no-split"),
        pytest.param(XY + SCALE + SPLIT, id="no-training"),
        pytest.param(XY + "p = make_pipeline(StandardScaler(), SVC())\n"
                     "print(cross_val_score(p, X, y))\n", id="pipeline"),
        pytest.param(XY + "kind = 'few' if y.nunique() <= 2 else 'many'\nX['k'] = kind\n" + SPLIT
                     + SCORE, id="decides-a-word"),
    ],
)  # fmt: skip
def test_what_is_worked_out_of_the_train_half_or_put_nowhere_is_left_alone(code):
    assert kinds(code) == set()


BY_TARGET = "df['e'] = df.groupby('g')['t'].transform('mean')\n"
BALANCE = "X, y = SMOTE().fit_resample(X, y)\n"
TRAINED_ON_ALL = "m = Ridge().fit(X, y)\nprint(m.score(b, d))\n"
XY_OF = "y = df['t']\nX = df.drop(columns=['t'])\n"
FITTED = "s = SelectKBest(k=5).fit(X, y)\n"


@pytest.mark.parametrize("score", [SCORE, TRAINED_ON_ALL], ids=["held-out", "trained-on-all"])
@pytest.mark.parametrize(
    "select",
    [
        pytest.param("X = SelectKBest(k=5).fit_transform(X, y)\n", id="fit-transform"),
        pytest.param(FITTED + "X = s.transform(X)\n", id="fit-and-transform"),
        pytest.param(FITTED + "X = X.loc[:, s.get_support()]\n", id="support"),
        pytest.param(FITTED + "X = X[X.columns[s.get_support()]]\n", id="names-by-support"),
        pytest.param(FITTED + "X = X[s.get_feature_names_out()]\n", id="names"),
    ],
)
def test_of_steps_in_a_row_each_is_told(select, score):
    code = READ + BY_TARGET + XY_OF + select + BALANCE + SPLIT + score

    assert kinds(code) == {Kind.TARGET, Kind.SELECTION, Kind.RESAMPLING}


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(XY + SPLIT + SCALE + TRAINED_ON_ALL, id="scaled-for-a-last-training"),
        pytest.param(XY + SPLIT + SCORE + FITTED + "X = s.transform(X)\nm.fit(X, y)\n",
                     id="chosen-for-a-last-training"),
        pytest.param(XY + SPLIT + "s = SelectKBest(k=5).fit(a, c)\n"
                     "a, b = a.loc[:, s.get_support()], b.loc[:, s.get_support()]\n" + SCORE,
                     id="chosen-on-the-train-half"),
        pytest.param(XY + "s = VarianceThreshold().fit(X)\nprint(s.get_support())\n" + SPLIT
                     + SCORE, id="asked-and-not-used"),
    ],
)  # fmt: skip
def test_what_belongs_to_one_half_or_to_a_last_training_is_left_alone(code):
    assert kinds(code) == set()


def test_a_function_of_another_module_is_followed():
    prepare = "def prepare(t):\n    return StandardScaler().fit_transform(t)\n"
    code = XY + "from tools import prepare\nX = prepare(X)\n" + SPLIT + SCORE

    assert kinds(code, tools=prepare) == {Kind.STATISTIC}


def test_folds_of_a_loop_that_renames_its_rows_are_two_sides():
    code = XY + (
        "for i, j in KFold(5).split(X):\n    X, V = X[i], X[j]\n    m = SVC().fit(X, y)\n"
        "    print(m.score(V, y))\n"
    )
    assert trained_on_held_out(story(code)) == []


def test_of_two_branches_it_is_not_known_which_ran():
    code = XY + (
        "if DEBUG:\n    X, V, y, w = train_test_split(X, y)\nm = SVC().fit(X, y)\n"
        "print(m.score(V, w))\n"
    )
    assert trained_on_held_out(story(code)) == []


def test_train_and_test_file_put_together_come_apart_at_a_cut():
    code = (
        "import pandas as pd\na = pd.read_csv('train.csv')\nb = pd.read_csv('test.csv')\n"
        "both = pd.concat([a, b])\nboth['v'] = both['v'].fillna(both['v'].mean())\n"
        "m = Ridge().fit(both[:80], y)\np = m.predict(both[80:])\n"
    )
    assert kinds(code) == set()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("SMOTE", Kind.RESAMPLING), ("BorderlineSMOTE", Kind.RESAMPLING), ("RFECV", Kind.SELECTION),
        ("TargetEncoder", Kind.TARGET), ("MinMaxScaler", Kind.STATISTIC), ("OneHotEncoder", None),
        ("Normalizer", None), ("RandomUnderSampler", None), ("BertTokenizerFast", None),
    ],
)  # fmt: skip
def test_tools_are_known_by_name(name, expected):
    assert tool_kind(name) == (True, expected)


PARTS = st.builds(
    Part,
    st.sampled_from("ab"),
    st.lists(st.builds(Side, st.sampled_from("st"), st.sampled_from("01")), max_size=3).map(tuple),
)


@given(PARTS, PARTS)
def test_parts_that_a_split_parts_do_not_cover_each_other(one, other):
    if parting(one, other) is not None:
        assert not covers([one], other)
        assert not covers([other], one)
        assert parting(other, one) is not None


@given(PARTS)
def test_a_part_covers_itself_and_every_part_of_it(part):
    inner = Part(part.root, (*part.path, Side("u", "1")))

    assert covers([part], part)
    assert covers([part], inner)
    assert not covers([inner], part)
