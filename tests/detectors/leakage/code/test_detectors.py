"""What the detectors of training code tell, how grave it is, and what shows it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from audit.check import check
from detectors.base import detector
from detectors.leakage.group_blind_split import GroupBlindSplit
from reports.schema import CodeLines, Confidence, Outcome, Severity
from tests.competitions.trap_tasks import small_task

AGENTS = Path(__file__).parents[4] / "audit" / "agents"
XY = (
    "import pandas as pd\ntrain = pd.read_csv('/home/data/train.csv')\ny = train['target']\n"
    "X = train.drop(columns=['target'])\n"
)
SCORE = "a, b, c, d = train_test_split(X, y)\nm = SVC().fit(a, c)\nprint('valid', m.score(b, d))\n"
LOW, MEDIUM, HIGH = Severity.LOW, Severity.MEDIUM, Severity.HIGH


def of(name, attempt):
    return check(detector(name)(), attempt)


@pytest.mark.parametrize(
    ("name", "line", "severity"),
    [
        ("fit-before-split", "X = StandardScaler().fit_transform(X)\n", LOW),
        ("resample-before-split", "X, y = SMOTE().fit_resample(X, y)\n", HIGH),
        ("target-encoding-before-split", "X = TargetEncoder().fit_transform(X, y)\n", HIGH),
        ("selection-before-split", "X = SelectKBest(k=5).fit_transform(X, y)\n", HIGH),
    ],
)
def test_what_is_done_before_the_split_is_told_with_its_lines(make_attempt, name, line, severity):
    answer = of(name, make_attempt(code=XY + line + SCORE))
    (finding,) = answer.findings
    shown = [(e.first_line, e.shows) for e in finding.evidence if isinstance(e, CodeLines)]

    assert finding.severity is severity
    assert finding.confidence is Confidence.MEDIUM
    assert [n for n, _ in shown] == [5, 6, 7, 8]
    assert finding.evidence[0].excerpt == line.strip()
    assert "before rows for validation are held out" in finding.message


def test_within_the_train_half_it_is_less_grave(make_attempt):
    code = XY + (
        "a, b, c, d = train_test_split(X, y)\na, c = SMOTE().fit_resample(a, c)\n"
        "print(cross_val_score(SVC(), a, c))\nprint(SVC().fit(a, c).score(b, d))\n"
    )
    (finding,) = of("resample-before-split", make_attempt(code=code)).findings

    assert finding.severity is MEDIUM
    assert "the folds of the train half" in finding.message


def test_lines_of_a_notebook_are_those_of_its_cells(make_attempt):
    cells = ["%matplotlib inline\n" + XY, "X = PCA(2).fit_transform(X)\n", SCORE]
    book = {"cells": [{"cell_type": "code", "source": c} for c in cells]}
    attempt = make_attempt(code={"a.ipynb": json.dumps(book)})
    (finding,) = of("fit-before-split", attempt).findings

    assert [(e.path, e.first_line) for e in finding.evidence] == [
        ("code/a.ipynb#cell-2", 1), ("code/a.ipynb#cell-3", 1),
        ("code/a.ipynb#cell-3", 2), ("code/a.ipynb#cell-3", 3),
    ]  # fmt: skip


def test_alternatives_in_files_of_their_own_are_not_mixed(make_attempt):
    scaled = XY + "X = StandardScaler().fit_transform(X)\nm = SVC().fit(X, y)\n"
    attempt = make_attempt(code={"a.py": scaled, "b.py": XY + SCORE})

    assert of("fit-before-split", attempt).outcome is Outcome.CLEAN


@pytest.mark.parametrize(
    ("code", "severities"),
    [
        pytest.param(XY + "a, b, c, d = train_test_split(X, y)\nm = SVC().fit(X, y)\n"
                     "print(m.score(b, d))\n", [HIGH], id="trained-on-all"),
        pytest.param(XY + "a, b, c, d = train_test_split(X, y)\nm = SVC().fit(a, c)\n"
                     "b = StandardScaler().fit_transform(b)\nprint(m.score(b, d))\n", [LOW],
                     id="fitted-on-its-own"),
        pytest.param(XY + "test = pd.read_csv('/home/data/test.csv')\ns = StandardScaler()\n"
                     "s.fit(pd.concat([X, test]))\nm = SVC().fit(s.transform(X), y)\n",
                     [Severity.NOTE], id="habit-of-competitions"),
        pytest.param(XY + SCORE + "m.fit(X, y)\n", [], id="last-training"),
    ],
)  # fmt: skip
def test_fits_on_held_out_rows_are_as_grave_as_they_are(make_attempt, code, severities):
    found = of("test-used-in-fit", make_attempt(code=code)).findings

    assert [f.severity for f in found] == severities


def test_rows_that_stop_a_training_and_are_scored_are_told(make_attempt):
    code = XY + (
        "a, b, c, d = train_test_split(X, y)\nm = LGBMClassifier(early_stopping_rounds=9)\n"
        "m.fit(a, c, eval_set=[(b, d)])\nprint(roc_auc_score(d, m.predict(b)))\n"
    )
    (finding,) = of("validation-reuse", make_attempt(code=code)).findings

    assert finding.severity is LOW
    assert "when the training stops" in finding.message
    assert [e.first_line for e in finding.evidence] == [7, 8]


def test_random_folds_are_told_where_the_task_keeps_its_things_whole(make_attempt):
    name, code = "group-blind-split", XY + "print(cross_val_score(SVC(), X, y))\n"
    blind = of(name, make_attempt("modechoice_1", code=code))
    elsewhere = of(name, make_attempt("spaceship-titanic_1", code=code))
    unknown = of(name, make_attempt("nobody-knows_1", code=code))

    assert blind.outcome is Outcome.FLAGGED
    assert "one person (individual)" in blind.findings[0].message
    assert elsewhere.outcome is Outcome.NOT_APPLICABLE
    assert unknown.outcome is Outcome.NOT_APPLICABLE


def test_random_folds_are_told_on_a_task_from_outside_whose_record_says_how_it_was_cut(
    make_attempt, tmp_path
):
    data = small_task(tmp_path / "trapped").parent / "data"
    attempt = make_attempt("trapped_1", code=XY + "print(cross_val_score(SVC(), X, y))\n")
    told = check(GroupBlindSplit(data=str(data)), attempt)

    assert told.outcome is Outcome.FLAGGED
    assert "one subject (subject)" in told.findings[0].message
    assert check(GroupBlindSplit(), attempt).outcome is Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("agent", "outcome"), [("careless", Outcome.FLAGGED), ("baseline", Outcome.CLEAN)]
)
def test_the_careless_agent_is_caught_and_the_baseline_is_not(make_attempt, agent, outcome):
    code = {p.name: p.read_text() for p in (AGENTS / agent).glob("*.py")}
    attempt = make_attempt("modechoice_1", code=code)

    assert of("group-blind-split", attempt).outcome is outcome


def test_code_in_another_language_is_no_clean_one(make_attempt):
    answer = of("fit-before-split", make_attempt(code={"train.R": "x <- scale(x)\n"}))

    assert answer.outcome is Outcome.NOT_APPLICABLE


def test_code_too_nested_to_be_followed_is_no_clean_one(make_attempt):
    answer = of("fit-before-split", make_attempt(code=f"x = {'a + ' * 1500}a\n"))

    assert answer.outcome is Outcome.NOT_AVAILABLE
    assert answer.missing == "code"
