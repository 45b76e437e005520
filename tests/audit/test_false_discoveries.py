"""The correction for many comparisons: what it equals, leaves alone, and makes a note."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.false_discoveries import adjusted, control
from reports.schema import (
    Check,
    Confidence,
    CopiedPassages,
    Finding,
    Ingredient,
    Mark,
    Outcome,
    Passage,
    Quantity,
    Severity,
    SharedMarks,
    SubmissionMix,
)

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=60)


def copied(p: float | None, path: str = "code/a.py") -> CopiedPassages:
    lines = Passage(left_first=1, left_last=9, right_first=1, right_last=9, similarity=1.0)
    return CopiedPassages(
        path=path, source="k.ipynb", share_of_source=0.6, share_of_file=0.4, longest_run=80, p=p,
        n_null=0 if p is None else 999, passages=(lines,),
    )  # fmt: skip


def mixed(p: float | None) -> SubmissionMix:
    one = Ingredient(source="s.csv", weight=1.0, exact_share=0.9)
    return SubmissionMix(
        path="submission/submission.csv", method="affine", r2=1.0, n_rows=9, columns=("y",),
        ingredients=(one,), p=p,
    )  # fmt: skip


MARKS = SharedMarks(
    path="code/a.ipynb", source="k.ipynb", n_shared=1, n_in_file=2,
    marks=(Mark(what="cell guid", value="b"),),
)  # fmt: skip
COUNT = Quantity(name="sources", value=2)


def flagged(subject: str, *evidence, detector: str = "copied-notebook") -> Check:
    found = Finding.seen(
        detector, subject, "A copy.", *evidence,
        severity=Severity.HIGH, confidence=Confidence.MEDIUM,
    )  # fmt: skip
    return Check(detector=detector, subject=subject, outcome=Outcome.FLAGGED, findings=(found,))


def clean(n: int, detector: str = "copied-notebook") -> list[Check]:
    return [Check(detector=detector, subject=f"clean-{i}", outcome=Outcome.CLEAN) for i in range(n)]


def q_of(check: Check) -> list[float | None]:
    return [e.q for f in check.findings for e in f.evidence if isinstance(e, CopiedPassages)]


@given(P_VALUES)
def test_the_values_are_those_of_scipy(p_values):
    from scipy import stats

    expected = stats.false_discovery_control(p_values)

    assert adjusted(p_values) == pytest.approx(list(expected), abs=1e-12)


@given(P_VALUES, st.integers(0, 200))
def test_comparisons_that_left_no_p_count_as_if_their_p_were_one(p_values, n_clean):
    everything = [*p_values, *[1.0] * n_clean]

    assert adjusted(p_values, everything) == adjusted(everything)[: len(p_values)]


@given(P_VALUES)
def test_no_value_falls_below_its_p_or_changes_places_with_another(p_values):
    found = adjusted(p_values)

    assert all(p <= q <= 1 for p, q in zip(p_values, found, strict=True))
    order = sorted(range(len(found)), key=p_values.__getitem__)
    assert all(found[a] <= found[b] for a, b in itertools.pairwise(order))


@given(P_VALUES, st.randoms(use_true_random=False))
def test_the_order_of_the_comparisons_is_of_no_matter(p_values, random):
    places = list(range(len(p_values)))
    random.shuffle(places)

    assert adjusted([p_values[i] for i in places]) == [adjusted(p_values)[i] for i in places]


@given(P_VALUES, st.floats(0, 1))
def test_a_value_between_two_lies_between_their_results(p_values, p):
    (q,) = adjusted([p], p_values)
    below = [other for other in p_values if other <= p]
    above = [other for other in p_values if other >= p]

    assert p <= q <= 1
    assert not above or q <= adjusted([min(above)], p_values)[0]
    assert not below or q >= adjusted([max(below)], p_values)[0]


def test_the_pieces_in_which_a_copy_is_shown_make_it_no_surer():
    pieces = [copied(0.01, f"code/{i}.py") for i in range(9)]
    one = control([flagged("a", pieces[0]), *clean(9)])[0]
    many = control([flagged("a", *pieces), *clean(9)])[0]

    assert q_of(one) == [pytest.approx(0.1)]
    assert set(q_of(many)) == set(q_of(one))


def test_a_second_source_of_one_attempt_is_no_discovery_of_its_own():
    both = flagged("a", copied(0.001)).findings + flagged("a", copied(0.002, "b.py")).findings
    check = Check(detector="copied-notebook", subject="a", outcome=Outcome.FLAGGED, findings=both)

    assert q_of(control([check, *clean(9)])[0]) == [pytest.approx(0.01), pytest.approx(0.02)]


def test_a_copy_that_chance_does_not_explain_stays_as_it_was_but_for_its_q():
    before = flagged("a", copied(1e-6))
    after = control([before, *clean(99)])[0]

    assert q_of(after) == [pytest.approx(1e-4)]
    assert after.outcome is Outcome.FLAGGED
    assert after.findings[0].severity is Severity.HIGH
    assert after.findings[0].message == before.findings[0].message


def test_the_smallest_of_many_becomes_a_note_that_says_so_under_the_same_id():
    before = flagged("a", copied(0.01), COUNT)
    after = control([before, *clean(99)])[0]

    assert after.findings[0].id == before.findings[0].id
    assert after.findings[0].severity is Severity.NOTE
    assert "100 comparisons" in after.findings[0].message
    assert "q = 1" in after.findings[0].message
    assert after.outcome is Outcome.CLEAN


def test_the_same_p_alone_stands():
    assert control([flagged("a", copied(0.01))])[0].outcome is Outcome.FLAGGED


@pytest.mark.parametrize(
    "evidence",
    [
        pytest.param((copied(None),), id="nothing-to-hold-it-against"),
        pytest.param((copied(0.5), MARKS), id="marks-of-origin-besides"),
        pytest.param((copied(0.5), copied(None)), id="another-without-a-p"),
        pytest.param((copied(0.5), copied(1e-9)), id="another-that-is-no-chance"),
        pytest.param((mixed(None),), id="a-submission-without-a-p"),
        pytest.param((MARKS,), id="marks-alone"),
    ],
)
def test_a_finding_that_rests_on_more_is_no_note(evidence):
    after = control([flagged("a", *evidence), *clean(20)])[0]

    assert after.outcome is Outcome.FLAGGED
    assert after.findings[0].severity is Severity.HIGH


def test_a_mixed_submission_is_adjusted_too():
    after = control([flagged("a", mixed(0.04)), *clean(9)])[0]

    (evidence,) = after.findings[0].evidence
    assert isinstance(evidence, SubmissionMix)
    assert evidence.q == pytest.approx(0.4)
    assert after.outcome is Outcome.CLEAN


def test_each_detector_is_adjusted_by_itself():
    others = clean(500, "copied-prose")

    assert control([flagged("a", copied(0.01)), *others])[0].outcome is Outcome.FLAGGED


def test_a_check_that_could_not_look_is_no_comparison():
    blind = [
        Check(
            detector="copied-notebook", subject=str(i), outcome=outcome, reason="no", missing="code"
        )
        for i in range(50)
        for outcome in (Outcome.NOT_AVAILABLE, Outcome.NOT_APPLICABLE)
    ]

    assert q_of(control([flagged("a", copied(0.01)), *blind])[0]) == [0.01]


def test_a_group_stands_for_as_many_comparisons_as_it_is_told():
    after = control([flagged("attempts/all", copied(0.01))], comparisons={"attempts/all": 45})[0]

    assert q_of(after) == [pytest.approx(0.45)]
    assert after.outcome is Outcome.CLEAN


def test_what_crashed_or_was_cut_off_after_a_note_is_not_called_clean():
    failed = flagged("a", copied(0.5)).model_copy(update={"outcome": Outcome.FAILED})

    assert control([failed, *clean(9)])[0].outcome is Outcome.FAILED


def test_checks_without_any_p_are_returned_as_they_are():
    before = [*clean(3), flagged("a", MARKS)]

    assert control(before) == before
