"""A submission is told as a copy where no honest one of its task would be so much like others."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from audit.check import check
from detectors.attempt import Attempt
from detectors.plagiarism.copied_submission import CopiedSubmission
from reports.schema import CodeLines, Outcome, Severity, SubmissionMix
from tests.contract.hostile import ATTEMPTS
from tests.detectors.plagiarism.worlds import (
    MIXES,
    TRAINS,
    as_csv,
    attempt_of,
    corpus_of,
    everyone,
    honest,
)

N_PUBLIC = 12
WORLD = honest(N_PUBLIC + 4, 300)
PUBLIC, OWN = WORLD[:N_PUBLIC], WORLD[N_PUBLIC:]
DRAWS = np.random.default_rng(1)
SOME = DRAWS.random(300) < 0.05
NOISE = DRAWS.standard_normal(300)


def rankdata(values):
    return values.argsort().argsort() + 1.0


def mix_of(answer):
    """Return what the first finding shows."""
    mix = answer.findings[0].evidence[0]
    assert isinstance(mix, SubmissionMix)
    return mix


def overridden(values, by):
    return np.where(SOME, by, values)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Twelve public files and a sample submission that is no source."""
    files = {f"public-{n}.csv": as_csv(values.round(6)) for n, values in enumerate(PUBLIC)}
    files["sample_submission.csv"] = as_csv(OWN[3].round(6))
    return corpus_of(tmp_path_factory.mktemp("corpus"), files)


@pytest.fixture
def told(corpus, tmp_path):
    """Audit one submission against the corpus."""

    def tell(values, code=TRAINS, corpus=corpus, **parameters):
        text = values if isinstance(values, str) else as_csv(np.asarray(values).round(6))
        attempt = attempt_of(tmp_path, "breast-cancer_1", text, code=code)
        return check(CopiedSubmission(corpus=corpus, **parameters), everyone(attempt))

    return tell


@pytest.mark.parametrize(
    ("values", "method", "n_sources"),
    [
        pytest.param(0.9 * PUBLIC[0] + 0.05, "affine", 1, id="scaled"),
        pytest.param((0.9 * PUBLIC[0]).round(4), "affine", 1, id="scaled-and-rounded"),
        pytest.param(PUBLIC[1] ** 2, "monotone", 1, id="squared"),
        pytest.param(rankdata(PUBLIC[1]) / 300, "monotone", 1, id="ranked"),
        pytest.param(0.6 * PUBLIC[0] + 0.4 * PUBLIC[1], "blend", 2, id="two-mixed"),
        pytest.param(np.array([0.4, 0.3, 0.2, 0.1]) @ PUBLIC[2:6], "blend", 4, id="four-mixed"),
        pytest.param(rankdata(PUBLIC[0]) + 2 * rankdata(PUBLIC[1]), "blend", 2, id="ranks-mixed"),
        pytest.param(overridden(PUBLIC[0], OWN[0]), "overridden rows", 1, id="rows-overridden"),
        pytest.param(
            overridden(1.1 * PUBLIC[0] - 0.02, OWN[0]), "overridden rows", 1,
            id="scaled-and-rows-overridden",
        ),
        pytest.param(
            overridden(0.5 * PUBLIC[0] + 0.5 * PUBLIC[1], OWN[0]), "overridden rows", 2,
            id="mixed-and-rows-overridden",
        ),
    ],
)  # fmt: skip
def test_a_copy_is_flagged_with_its_sources(values, method, n_sources, told):
    answer = told(values)

    assert answer.outcome is Outcome.FLAGGED
    (finding,) = answer.findings
    mix = mix_of(answer)
    assert finding.attempts == ("breast-cancer_1",)
    assert finding.severity is Severity.MEDIUM
    assert mix.method == method or (method == "affine" and mix.method == "overridden rows")
    assert len([i for i in mix.ingredients if i.weight > 0.02]) == n_sources
    assert mix.p is not None
    assert mix.p < 0.01


@pytest.mark.parametrize(
    "values",
    [
        pytest.param(OWN[0], id="a-model-of-its-own"),
        pytest.param(OWN.mean(axis=0), id="its-own-models-mixed"),
        pytest.param(OWN[3], id="what-lies-there-as-sample-submission"),
        pytest.param(0.3 * PUBLIC[0] + 0.7 * OWN[0], id="a-third-of-a-public-one"),
        pytest.param(np.full(300, 0.5), id="a-constant"),
        pytest.param((OWN[0] > 0.5).astype(float), id="two-values"),
        pytest.param(1 - PUBLIC[0], id="the-opposite"),
    ],
)
def test_what_an_honest_one_may_hand_in_is_clean(values, told):
    assert told(values).outcome is Outcome.CLEAN


@pytest.mark.parametrize(
    ("values", "word"),
    [
        pytest.param(PUBLIC[0], "may account", id="equal"),
        pytest.param(PUBLIC[0][::1].round(6) + 1e-9, "may account", id="equal-to-six-decimals"),
        pytest.param(np.clip(PUBLIC[0], 0.1, 0.9), "may account", id="clipped"),
        pytest.param(PUBLIC[0].round(3), "may account", id="rounded"),
    ],
)
def test_an_equal_file_beside_code_that_trains_is_a_note(values, word, told):
    answer = told(values)

    assert answer.outcome is Outcome.CLEAN
    (note,) = answer.findings
    assert note.severity is Severity.NOTE
    assert word in note.message


@pytest.mark.parametrize(
    ("code", "severity"),
    [
        pytest.param(MIXES, Severity.HIGH, id="trains-nothing"),
        pytest.param(
            "import pandas as pd\nfrom sklearn.ensemble import RandomForestClassifier\n"
            "x = pd.read_csv('train.csv')\nm = RandomForestClassifier()\nm.fit(x, x.y)\n",
            Severity.MEDIUM,
            id="a-forest-without-a-seed",
        ),
        pytest.param(
            "import os\nfrom sklearn.ensemble import RandomForestClassifier\n"
            "m = RandomForestClassifier(random_state=int(os.environ['SEED']))\nm.fit(x, y)\n",
            Severity.NOTE,
            id="a-forest-with-the-seed-that-another-may-have-used-too",
        ),
        pytest.param(
            "m = joblib.load('model')\nm.predict(x)\n", Severity.NOTE, id="a-stored-model"
        ),
        pytest.param("library(ranger)\n", Severity.NOTE, id="another-language-or-broken"),
    ],
)
def test_an_equal_file_is_more_where_the_code_cannot_have_given_it(code, severity, told):
    (finding,) = told(PUBLIC[0], code=code).findings

    assert finding.severity is severity
    assert any(isinstance(e, CodeLines) for e in finding.evidence) is (severity > Severity.NOTE)


COARSE = (43 * PUBLIC[0]).round() / 43  # a tree of 43 leaves could have given it


@pytest.mark.parametrize(
    ("values", "code", "outcome"),
    [
        pytest.param(COARSE, TRAINS, "equal", id="equal"),
        pytest.param(COARSE, MIXES, "equal", id="equal-and-nothing-trained"),
        pytest.param(0.5 * COARSE + 0.1, TRAINS, "affine", id="scaled"),
        pytest.param((43 * OWN[0]).round() / 43, TRAINS, None, id="of-its-own"),
        pytest.param((20 * PUBLIC[0]).round() / 20, TRAINS, None, id="nearly"),
    ],
)
def test_of_few_different_values_it_is_said_that_nothing_more_can_be_told(
    values, code, outcome, tmp_path
):
    public = {f"{n}.csv": as_csv(v.round(6)) for n, v in enumerate((COARSE, *PUBLIC[1:]))}
    corpus = corpus_of(tmp_path, public)
    attempt = attempt_of(tmp_path, "breast-cancer_1", as_csv(values.round(6)), code=code)
    answer = check(CopiedSubmission(corpus=corpus), everyone(attempt))

    assert answer.outcome is Outcome.CLEAN
    assert [f.severity for f in answer.findings] == [Severity.NOTE] * bool(outcome)
    if outcome:
        assert mix_of(answer).method == outcome
        assert "too few different values" in answer.findings[0].message


def test_rows_are_paired_by_their_key_whatever_their_order(told):
    head, *rows = as_csv((0.7 * PUBLIC[0] + 0.3 * PUBLIC[3]).round(6)).splitlines()
    shuffled = [rows[n] for n in np.random.default_rng(3).permutation(len(rows))]

    assert told("\n".join([head, *shuffled]) + "\n").outcome is Outcome.FLAGGED


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("id,malignant\n", id="no-rows"),
        pytest.param("id,other\n1,2\n", id="another-column"),
        pytest.param("id,malignant\n" + "1,\0\n" * 9, id="binary"),
        pytest.param('id,malignant\n"1,2\n' * 9, id="ragged"),
        pytest.param("id,malignant\n" + "1" * (3 << 20), id="one-long-line"),
        pytest.param(as_csv(PUBLIC[0][:100]), id="a-third-of-the-rows"),
        pytest.param(as_csv(np.full(300, np.nan)), id="missing-values"),
        pytest.param(as_csv(np.full(300, np.inf)), id="infinities"),
        pytest.param(as_csv(np.array(["a"] * 300)), id="words"),
        pytest.param("id,malignant\n" + "0,0.5\n" * 300, id="one-key"),
    ],
)
def test_a_submission_that_cannot_be_compared_is_told_and_never_clean(text, told):
    answer = told(text)

    assert answer.outcome is Outcome.NOT_AVAILABLE
    assert answer.missing == "submission"
    assert "breast-cancer_1" in (answer.reason or "")


def test_without_a_corpus_attempts_are_still_compared_with_each_other(told, tmp_path):
    mine, theirs = as_csv(OWN[0].round(6)), as_csv((0.8 * OWN[0] + 0.1).round(6))
    first = attempt_of(tmp_path, "breast-cancer_2", mine, agent="one")
    second = attempt_of(tmp_path, "breast-cancer_3", theirs, agent="other")

    answer = check(CopiedSubmission(), everyone(first, second))

    assert answer.outcome is Outcome.FLAGGED
    assert {a for f in answer.findings for a in f.attempts} == {
        "breast-cancer_2",
        "breast-cancer_3",
    }
    assert mix_of(answer).p is None


def test_without_a_corpus_and_anything_to_compare_with_nothing_is_clean(tmp_path):
    attempt = attempt_of(tmp_path, "breast-cancer_2", as_csv(OWN[0]))

    answer = check(CopiedSubmission(), everyone(attempt))

    assert (answer.outcome, answer.missing) == (Outcome.NOT_AVAILABLE, "corpus")


def test_seeds_of_one_agent_are_never_held_against_one_another(corpus, tmp_path):
    files = [as_csv((0.8 * OWN[0] + shift).round(6)) for shift in (0.0, 0.1)]
    attempts = [attempt_of(tmp_path, f"breast-cancer_{n}", f) for n, f in enumerate(files)]

    assert check(CopiedSubmission(corpus=corpus), everyone(*attempts)).outcome is Outcome.CLEAN


def test_whoever_was_done_before_the_other_began_did_not_copy(corpus, tmp_path):
    early = {"started_at": "2026-01-01T00:00:00Z", "ended_at": "2026-01-01T01:00:00Z"}
    late = {"started_at": "2026-01-02T00:00:00Z", "ended_at": "2026-01-02T01:00:00Z"}
    first = attempt_of(tmp_path, "breast-cancer_1", as_csv(OWN[0].round(6)), "one", **early)
    copied = as_csv((0.8 * OWN[0] + 0.1).round(6))
    second = attempt_of(tmp_path, "breast-cancer_2", copied, "other", **late)

    answer = check(CopiedSubmission(corpus=corpus), everyone(first, second))

    assert [f.attempts for f in answer.findings] == [("breast-cancer_2",)]


def test_what_several_agents_gave_accuses_nobody_who_scaled_it(corpus, tmp_path):
    given = [(f"agent {n}", as_csv(OWN[0].round(6))) for n in range(3)]
    given.append(("scaler", as_csv((0.8 * OWN[0] + 0.1).round(6))))
    attempts = [
        attempt_of(tmp_path, f"breast-cancer_{n}", text, agent)
        for n, (agent, text) in enumerate(given)
    ]

    answer = check(CopiedSubmission(corpus=corpus), everyone(*attempts))

    assert answer.outcome is Outcome.CLEAN
    assert {f.severity for f in answer.findings} == {Severity.NOTE}


@pytest.mark.parametrize(
    ("share", "is_flagged"),
    [pytest.param(1.0, True, id="exact"), pytest.param(0.97, False, id="much-alike")],
)
def test_with_few_files_to_compare_with_only_what_is_exact_is_told(share, is_flagged, tmp_path):
    corpus = corpus_of(tmp_path, {"only.csv": as_csv(PUBLIC[0].round(6))})
    values = share * PUBLIC[0] * 0.9 + (1 - share) * OWN[0]
    attempt = attempt_of(tmp_path, "breast-cancer_1", as_csv(values.round(6)))

    answer = check(CopiedSubmission(corpus=corpus), everyone(attempt))

    assert (answer.outcome is Outcome.FLAGGED) is is_flagged
    assert [f.severity for f in answer.findings] == [
        Severity.MEDIUM if is_flagged else Severity.NOTE
    ]


def test_where_honest_models_agree_to_the_fifth_digit_so_does_a_copy(tmp_path):
    signal = DRAWS.standard_normal(300)
    close = [signal + 1e-4 * DRAWS.standard_normal(300) for _ in range(14)]
    corpus = corpus_of(tmp_path, {f"{n}.csv": as_csv(v) for n, v in enumerate(close[1:])})
    attempt = attempt_of(tmp_path, "breast-cancer_1", as_csv(close[0]))

    assert check(CopiedSubmission(corpus=corpus), everyone(attempt)).outcome is Outcome.CLEAN


def test_what_a_little_noise_was_added_to_is_a_note_as_models_of_one_kind_are_so_alike(told):
    (note,) = told(PUBLIC[0] + 0.003 * NOISE).findings

    assert note.severity is Severity.NOTE


@cache
def models_of_one_kind(kind, strengths):
    """Predict half of a bundled table with models that differ in their strength alone."""
    from sklearn import datasets, ensemble, linear_model, neighbors, svm

    if kind == "logistic":
        x, y = datasets.load_breast_cancer(return_X_y=True)
        x = (x - x.mean(axis=0)) / x.std(axis=0)
        models = [linear_model.LogisticRegression(C=s, tol=1e-9, max_iter=999) for s in strengths]
        models += [neighbors.KNeighborsClassifier(k) for k in range(40, 110, 10)]
        models += [ensemble.RandomForestClassifier(9, random_state=n) for n in range(3)]
        return [m.fit(x[::2], y[::2]).predict_proba(x[1::2])[:, 1] for m in models]
    x, y = datasets.load_diabetes(return_X_y=True)
    models = [linear_model.Ridge(s) for s in strengths]
    models += [neighbors.KNeighborsRegressor(k) for k in (10, 15, 20, 30)]
    models += [ensemble.RandomForestRegressor(9, random_state=n) for n in range(5)]
    models += [svm.SVR(C=10), svm.SVR(C=99)]
    return [m.fit(x[::2], y[::2]).predict(x) for m in models]


@pytest.mark.parametrize(
    ("kind", "strengths", "digits"),
    [
        pytest.param("ridge", (100.01, 100.0), 6, id="a-trillionth-is-left"),
        pytest.param("ridge", (1.0001, 1.0), 6, id="a-billionth-is-left"),
        pytest.param("ridge", (101.0, 100.0), 4, id="little-is-left-and-rounded-away"),
        pytest.param("ridge", (101.0, 100.0), 2, id="few-digits"),
        pytest.param("ridge", (10.1, 10.0, 30.0), 4, id="between-two-others"),
        pytest.param("ridge", (1.3, 1.0, 30.0), 10, id="far-apart-and-between-two-others"),
        pytest.param("ridge", (1.3e4, 1e4), 10, id="shrunken-and-far-apart"),
        pytest.param("ridge", (1.01e4, 1e4), 10, id="shrunken"),
        pytest.param("logistic", (1.001, 1.0), 8, id="logistic"),
        pytest.param("logistic", (1.01, 1.0), 4, id="logistic-rounded", marks=pytest.mark.slow),
        pytest.param(
            "logistic", (1.1e-3, 1e-3), 10, id="logistic-shrunken", marks=pytest.mark.slow
        ),
    ],
)
@pytest.mark.parametrize("is_alone", [True, False], ids=["two-files", "among-others"])
def test_models_of_one_kind_are_so_alike_that_this_is_no_more_than_a_note(
    kind, strengths, digits, is_alone, tmp_path
):
    mine, *others = (v.round(digits) for v in models_of_one_kind(kind, strengths))
    kept = others[:1] if is_alone else others
    corpus = corpus_of(tmp_path, {f"{n}.csv": as_csv(v) for n, v in enumerate(kept)})
    attempt = attempt_of(tmp_path, "breast-cancer_1", as_csv(mine))

    answer = check(CopiedSubmission(corpus=corpus), everyone(attempt))

    assert answer.outcome is Outcome.CLEAN, answer.findings[0].message
    assert {f.severity for f in answer.findings} <= {Severity.NOTE}


@pytest.mark.parametrize(
    ("digits", "scale"), [(6, 1e-3), (6, 1e6), (10, 1.0), (16, 1e-3), (16, 1.0)]
)
def test_a_copy_is_exact_whatever_the_scale_of_the_target(scale, digits, tmp_path):
    places = digits - round(np.log10(scale))
    files = [(scale * v).round(places) for v in PUBLIC]
    corpus = corpus_of(tmp_path, {f"{n}.csv": as_csv(v) for n, v in enumerate(files)})
    made = {
        "affine": 0.9 * files[0] + 0.05 * scale,
        "blend": 0.6 * files[1] + 0.3 * files[2] + 0.1 * files[3],
    }
    for number, (method, values) in enumerate(made.items()):
        attempt = attempt_of(tmp_path, f"breast-cancer_{number}", as_csv(values.round(places)))

        answer = check(CopiedSubmission(corpus=corpus), everyone(attempt))

        assert answer.outcome is Outcome.FLAGGED
        assert mix_of(answer).method == method


def test_several_columns_are_mixed_with_the_same_weights(tmp_path):
    first, second = honest(12, 200, 5), honest(12, 200, 6)

    def table(one, other):
        rows = "".join(
            f"{n},{a:.6f},{b:.6f}\n" for n, (a, b) in enumerate(zip(one, other, strict=True))
        )
        return f"id,EC1,EC2\n{rows}"

    files = {f"{n}.csv": table(first[n], second[n]) for n in range(11)}
    corpus = corpus_of(tmp_path, files, "playground-series-s3e18")
    attempt = attempt_of(
        tmp_path,
        "playground-series-s3e18_1",
        table(first[:3].mean(axis=0), second[:3].mean(axis=0)),
    )

    answer = check(CopiedSubmission(corpus=corpus), everyone(attempt))

    assert answer.outcome is Outcome.FLAGGED
    mix = mix_of(answer)
    assert mix.columns == ("EC1", "EC2")
    assert len(mix.ingredients) == 3


@pytest.mark.slow
@pytest.mark.parametrize("hostile", ATTEMPTS)
def test_hostile_attempts_beside_an_honest_one_give_an_outcome(hostile, corpus, tmp_path):
    ATTEMPTS[hostile](tmp_path / f"breast-cancer_{hostile}")
    honest_one = attempt_of(tmp_path, "breast-cancer_1", as_csv(OWN[0].round(6)))

    answer = check(
        CopiedSubmission(corpus=corpus),
        everyone(honest_one, Attempt(tmp_path / f"breast-cancer_{hostile}")),
    )

    assert answer.outcome in {Outcome.CLEAN, Outcome.NOT_AVAILABLE}, answer.reason
    assert answer.model_dump_json().encode()


class TestLabels:
    """Digits that classifiers of some skill give."""

    N = 600

    @pytest.fixture
    def world(self):
        rng = np.random.default_rng(8)
        truth, hard = rng.integers(10, size=self.N), rng.random(self.N)

        def model():
            is_right = rng.random(self.N) > 0.35 * hard
            return np.where(is_right, truth, (truth + rng.integers(1, 4, self.N)) % 10)

        return [model() for _ in range(16)]

    def check_of(self, world, values, tmp_path, code=TRAINS):
        files = {f"{n}.csv": as_csv(v, "label") for n, v in enumerate(world[:14])}
        corpus = corpus_of(tmp_path, files, "digit-images")
        attempt = attempt_of(tmp_path, "digit-images_1", as_csv(values, "label"), code=code)
        return check(CopiedSubmission(corpus=corpus), everyone(attempt))

    def test_an_honest_classifier_is_clean(self, world, tmp_path):
        assert self.check_of(world, world[15], tmp_path).findings == ()

    def test_a_copy_with_some_rows_changed_is_flagged(self, world, tmp_path):
        changed = np.where(np.arange(self.N) % 20 == 0, world[15], world[3])

        answer = self.check_of(world, changed, tmp_path)

        assert answer.outcome is Outcome.FLAGGED
        assert mix_of(answer).ingredients[0].source == "3.csv"

    def test_an_equal_file_is_a_note(self, world, tmp_path):
        answer = self.check_of(world, world[3], tmp_path)

        assert [f.severity for f in answer.findings] == [Severity.NOTE]

    def test_an_equal_file_is_a_finding_where_nothing_is_trained(self, world, tmp_path):
        answer = self.check_of(world, world[3], tmp_path, MIXES)

        assert [f.severity for f in answer.findings] == [Severity.HIGH]

    def test_texts_that_nobody_else_wrote_are_told_though_some_were_changed(self, tmp_path):
        rng = np.random.default_rng(2)
        world = [np.array([f"{n} {w}" for w in rng.integers(1000, size=self.N)]) for n in range(16)]
        changed = np.where(np.arange(self.N) % 3 == 0, world[15], world[3])

        assert self.check_of(world, changed, tmp_path).outcome is Outcome.FLAGGED
        (tmp_path / "again").mkdir()
        assert self.check_of(world, world[15], tmp_path / "again").findings == ()

    def test_that_all_are_right_proves_nothing(self, world, tmp_path):
        world = [world[0]] * 14 + world[14:]
        almost = np.where(np.arange(self.N) % 20 == 0, world[15], world[0])

        assert self.check_of(world, almost, tmp_path).outcome is Outcome.CLEAN
