"""Findings, gaps and a policy make a verdict; nothing else does."""

from __future__ import annotations

import itertools
import shutil

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from audit.verdict import (
    POLICIES,
    Policy,
    exit_code,
    fail_on_named,
    judge,
    load_policy,
    policy_names,
)
from competitions.errors import InvalidDefinitionError, UnknownNameError, UsageError
from reports.schema import (
    Check,
    Conclusion,
    Confidence,
    Finding,
    Outcome,
    Quantity,
    Severity,
    Subject,
    SubjectKind,
    Verdict,
)

S, C, K = Severity, Confidence, Conclusion
DEFAULT = load_policy()


def finding(severity: Severity, confidence: Confidence, number: int = 0) -> Finding:
    return Finding.seen(
        "d", "a", "saw", Quantity(name="n", value=number), severity=severity, confidence=confidence
    )


def check_of(*findings: Finding, outcome: Outcome = Outcome.CLEAN, **rest) -> Check:
    return Check(detector="d", subject="a", outcome=outcome, findings=findings, **rest)


def subject(*missing: str, kind: SubjectKind = SubjectKind.ATTEMPT) -> Subject:
    return Subject(id="a", kind=kind, title="a", missing=missing)


def verdict(*checks: Check, on: Subject | None = None, policy: Policy = DEFAULT) -> Verdict:
    (only,) = judge([on or subject()], checks, policy)
    return only


@pytest.mark.parametrize(
    ("severity", "confidence", "conclusion"),
    [
        (S.HIGH, C.HIGH, K.DISQUALIFY), (S.HIGH, C.MEDIUM, K.REVIEW), (S.HIGH, C.LOW, K.REVIEW),
        (S.MEDIUM, C.HIGH, K.REVIEW), (S.MEDIUM, C.MEDIUM, K.REVIEW), (S.MEDIUM, C.LOW, K.REVIEW),
        (S.LOW, C.HIGH, K.REVIEW), (S.LOW, C.MEDIUM, K.NOTE), (S.LOW, C.LOW, K.NOTE),
        (S.NOTE, C.HIGH, K.NOTE), (S.NOTE, C.MEDIUM, K.NOTE), (S.NOTE, C.LOW, K.NOTE),
    ],
)  # fmt: skip
def test_the_default_policy_concludes(severity, confidence, conclusion):
    found = finding(severity, confidence)

    assert DEFAULT.conclude(found) is conclusion
    assert verdict(check_of(found)) == Verdict(
        subject="a", conclusion=conclusion, because=(found.id,)
    )


@pytest.mark.parametrize(
    ("checks", "missing", "conclusion"),
    [
        pytest.param([check_of()], (), K.CLEAN, id="looked-and-found-nothing"),
        pytest.param([], (), K.UNDETERMINED, id="nobody-looked"),
        pytest.param([check_of(outcome=Outcome.NOT_APPLICABLE)], (), K.UNDETERMINED,
                     id="nobody-could-ask"),
        pytest.param([check_of(outcome=Outcome.FAILED, reason="x")], (), K.UNDETERMINED,
                     id="crashed"),
        pytest.param([check_of(), check_of(outcome=Outcome.FAILED, reason="x")], (),
                     K.UNDETERMINED, id="one-of-two-crashed"),
        pytest.param([check_of(outcome=Outcome.NOT_AVAILABLE, missing="code", reason="x")], (),
                     K.UNDETERMINED, id="could-not-see-the-code"),
        pytest.param([check_of(outcome=Outcome.NOT_AVAILABLE, missing="model", reason="x"),
                      check_of()], (), K.CLEAN, id="a-model-is-not-decisive"),
        pytest.param([check_of(outcome=Outcome.NOT_AVAILABLE, missing="corpus", reason="x")], (),
                     K.UNDETERMINED, id="nobody-could-look"),
        pytest.param([check_of()], ("submission",), K.UNDETERMINED, id="no-submission"),
        pytest.param([check_of()], ("record",), K.CLEAN, id="a-record-is-not-decisive"),
        pytest.param([check_of(finding(S.NOTE, C.LOW))], ("logs",), K.UNDETERMINED,
                     id="a-note-and-no-logs"),
        pytest.param([check_of(finding(S.LOW, C.LOW)), check_of(outcome=Outcome.FAILED)], (),
                     K.UNDETERMINED, id="a-mild-finding-and-a-crash"),
        pytest.param([check_of(finding(S.MEDIUM, C.LOW), outcome=Outcome.FAILED)], ("logs",),
                     K.REVIEW, id="a-grave-finding-outweighs-every-gap"),
        pytest.param([check_of(finding(S.HIGH, C.HIGH), outcome=Outcome.FLAGGED, missing="code",
                     reason="x")], (), K.DISQUALIFY, id="found-before-it-could-not-look"),
    ],
)  # fmt: skip
def test_gaps_and_findings_conclude(checks, missing, conclusion):
    assert verdict(*checks, on=subject(*missing)).conclusion is conclusion


def test_a_finding_that_stopped_short_of_grave_leaves_the_gap_undetermined():
    mild = check_of(
        finding(S.LOW, C.LOW), outcome=Outcome.FLAGGED, missing="logs", reason="No logs."
    )

    assert verdict(mild).conclusion is K.UNDETERMINED


def test_only_the_findings_that_decide_are_named():
    grave, mild = finding(S.HIGH, C.HIGH, 1), finding(S.NOTE, C.LOW, 2)

    assert verdict(check_of(mild, grave)).because == (grave.id,)


def test_gaps_are_told_in_sentences():
    because = verdict(check_of(outcome=Outcome.FAILED, reason="E: x"), on=subject("logs")).because

    assert because == ("The attempt has no logs.", "d crashed: E: x")


def test_a_task_that_no_detector_asks_about_is_not_in_doubt():
    assert verdict(on=subject(kind=SubjectKind.TASK)).conclusion is K.CLEAN


def test_a_verdict_rests_on_the_subjects_own_checks_alone():
    other = check_of(finding(S.HIGH, C.HIGH)).model_copy(update={"subject": "b"})

    assert verdict(check_of(), other).conclusion is K.CLEAN


FINDINGS = st.lists(st.builds(finding, st.sampled_from(S), st.sampled_from(C), st.integers(0, 9)))


@given(FINDINGS, FINDINGS)
def test_more_findings_never_make_a_verdict_milder(some, more):
    fewer, all_of_them = verdict(check_of(*some)), verdict(check_of(*some, *more))

    assert fewer.conclusion <= all_of_them.conclusion


@given(FINDINGS)
def test_the_order_of_findings_does_not_matter(findings):
    forward, back = verdict(check_of(*findings)), verdict(check_of(*findings[::-1]))

    assert forward.conclusion is back.conclusion
    assert set(forward.because) == set(back.because)


@pytest.mark.parametrize(
    ("conclusions", "fail_on", "code"),
    [
        ([], "review", 3), ([K.CLEAN], "review", 0), ([K.NOTE], "review", 0),
        ([K.NOTE], "note", 1), ([K.REVIEW], "review", 1), ([K.DISQUALIFY], "review", 1),
        ([K.REVIEW], "disqualify", 0), ([K.DISQUALIFY], "disqualify", 1),
        ([K.UNDETERMINED], "review", 3), ([K.UNDETERMINED, K.CLEAN], "note", 3),
        ([K.UNDETERMINED, K.REVIEW], "review", 1), ([K.UNDETERMINED, K.REVIEW], "disqualify", 3),
    ],
)  # fmt: skip
def test_the_exit_code_tells_found_from_could_not_look(conclusions, fail_on, code):
    verdicts = [Verdict(subject=str(i), conclusion=c) for i, c in enumerate(conclusions)]

    assert exit_code(verdicts, fail_on) == code
    assert all(exit_code(v, fail_on) == code for v in itertools.permutations(verdicts))


def test_only_conclusions_of_the_scale_can_fail_a_call():
    assert [fail_on_named(n) for n in ("note", "review", "disqualify")] == [
        "note", "review", "disqualify"
    ]  # fmt: skip
    for wrong in ("clean", "undetermined", "Review", ""):
        with pytest.raises(UsageError, match="note, review, disqualify"):
            fail_on_named(wrong)


GOOD = "name: p\nwhy: because\nconclusions:\n  - {severity: low, conclude: review}\n"


def test_a_policy_of_ones_own_decides(tmp_path):
    (tmp_path / "p.yaml").write_text(GOOD)
    policy = load_policy(tmp_path / "p.yaml")

    assert verdict(check_of(finding(S.LOW, C.LOW)), policy=policy).conclusion is K.REVIEW
    assert verdict(check_of(finding(S.NOTE, C.HIGH)), policy=policy).conclusion is K.NOTE


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("", "expected a mapping", id="empty"),
        pytest.param("- a", "expected a mapping", id="list"),
        pytest.param("a: [", "a", id="broken-yaml"),
        pytest.param("name: p\nwhy: x\nconclusions: []\n", "conclusions", id="no-rules"),
        pytest.param(GOOD + "extra: 1\n", "extra", id="unknown-field"),
        pytest.param(GOOD.replace("low", "grave"), "severity", id="unknown-severity"),
        pytest.param(GOOD.replace("review", "clean"), "conclude", id="acquits"),
        pytest.param(GOOD.replace("review", "undetermined"), "conclude", id="abstains"),
        pytest.param(GOOD.replace("name: p\n", ""), "name", id="no-name"),
        pytest.param(GOOD.replace("name: p", "name: strict"), "which ships", id="borrowed-name"),
        pytest.param(GOOD.replace("name: p", "name: 'Strict '"), "which ships", id="nearly-so"),
        pytest.param("a: !!python/object/apply:os.system [ls]", "python", id="python-tag"),
    ],
)
def test_a_policy_that_breaks_its_model_is_refused_with_file_and_field(tmp_path, text, said):
    path = tmp_path / "p.yaml"
    path.write_text(text)

    with pytest.raises(InvalidDefinitionError, match=said) as caught:
        load_policy(path)
    assert str(path) in str(caught.value)


def test_a_copy_of_a_policy_that_ships_may_keep_its_name(tmp_path):
    shutil.copy(POLICIES / "strict.yaml", tmp_path / "p.yaml")

    assert load_policy(tmp_path / "p.yaml") == load_policy("strict")


def test_evidence_that_nothing_ever_lacks_is_refused(tmp_path):
    (tmp_path / "p.yaml").write_text(GOOD + "decisive: [submission, codes]\n")

    with pytest.raises(UnknownNameError, match="code"):
        load_policy(tmp_path / "p.yaml")


def test_a_policy_that_is_not_there_is_a_wrong_call(tmp_path):
    with pytest.raises(UsageError, match=r"p\.yaml"):
        load_policy(tmp_path / "p.yaml")


@pytest.mark.parametrize(
    ("severity", "of_named", "of_group"),
    [
        pytest.param(S.MEDIUM, K.REVIEW, K.REVIEW, id="what-asks-for-review-holds-for-each"),
        pytest.param(S.NOTE, K.CLEAN, K.NOTE, id="a-note-stays-with-the-group"),
    ],
)
def test_a_finding_about_a_group_decides_for_the_attempts_it_names(severity, of_named, of_group):
    found = Finding.seen(
        "d", "group:x", "saw", Quantity(name="n", value=1), severity=severity,
        confidence=C.MEDIUM, attempts=("a", "b"),
    )  # fmt: skip
    subjects = [
        Subject(id=name, kind=SubjectKind.ATTEMPT, title=name) for name in ("a", "b", "other")
    ]
    checks = [
        Check(detector="d", subject="group:x", outcome=Outcome.FLAGGED, findings=(found,)),
        *(Check(detector="e", subject=s.id, outcome=Outcome.CLEAN) for s in subjects),
    ]
    group = Subject(id="group:x", kind=SubjectKind.GROUP, title="x")
    verdicts = {v.subject: v for v in judge([*subjects, group], checks, DEFAULT)}

    assert [verdicts[n].conclusion for n in ("a", "b")] == [of_named, of_named]
    assert verdicts["other"].conclusion is K.CLEAN
    assert verdicts["group:x"].conclusion is of_group
    assert verdicts["a"].because == ((found.id,) if of_named is K.REVIEW else ())


def ruled(*rules: str) -> Policy:
    lines = "".join(f"  - {{{rule}}}\n" for rule in rules)
    return Policy.model_validate(yaml.safe_load(f"name: p\nwhy: because\nconclusions:\n{lines}"))


@pytest.mark.parametrize(
    ("rules", "conclusion"),
    [
        pytest.param(["detector: d, conclude: disqualify"], K.DISQUALIFY, id="its-detector"),
        pytest.param(["detector: other, conclude: disqualify"], K.NOTE, id="another-detector"),
        pytest.param(["detector: [other, d], conclude: review"], K.REVIEW, id="one-of-a-list"),
        pytest.param(["family: rules, conclude: review"], K.REVIEW, id="its-family"),
        pytest.param(["family: claims, conclude: review"], K.NOTE, id="another-family"),
        pytest.param(["detector: d, severity: high, conclude: review"], K.NOTE, id="too-mild"),
        pytest.param(["detector: d, confidence: high, conclude: review"], K.NOTE, id="unsure"),
        pytest.param(["detector: d, family: claims, conclude: review"], K.NOTE, id="both-hold"),
        pytest.param(["detector: d, conclude: note", "severity: note, conclude: disqualify"],
                     K.NOTE, id="first-fitting-rule-wins"),
        pytest.param(["detector: other, conclude: note", "severity: low, conclude: disqualify"],
                     K.DISQUALIFY, id="a-rule-that-does-not-fit-is-passed-over"),
    ],
)  # fmt: skip
def test_a_rule_may_name_detectors_and_families(rules, conclusion):
    (found,) = judge(
        [subject()], [check_of(finding(S.MEDIUM, C.MEDIUM))], ruled(*rules), families={"d": "rules"}
    )

    assert found.conclusion is conclusion


@pytest.mark.parametrize(
    ("rule", "error", "said"),
    [
        pytest.param("detector: answers-reed, conclude: review", UnknownNameError, "answers-read",
                     id="unknown-detector"),
        pytest.param("family: rule, conclude: review", UnknownNameError, "rules",
                     id="unknown-family"),
        pytest.param("conclude: disqualify", InvalidDefinitionError,
                     "a severity, a detector or a family", id="says-of-nothing"),
        pytest.param("confidence: high, conclude: disqualify", InvalidDefinitionError,
                     "a severity, a detector or a family", id="confidence-alone"),
        pytest.param("detector: [], conclude: disqualify", InvalidDefinitionError,
                     "a severity, a detector or a family", id="empty-list-of-detectors"),
        pytest.param("detector: 3, conclude: review", InvalidDefinitionError, "detector",
                     id="no-name"),
    ],
)  # fmt: skip
def test_a_rule_that_could_never_fit_or_fits_everything_is_refused(tmp_path, rule, error, said):
    (tmp_path / "p.yaml").write_text(f"name: p\nwhy: x\nconclusions:\n  - {{{rule}}}\n")

    with pytest.raises(error, match=said):
        load_policy(tmp_path / "p.yaml")


def test_policies_that_ship_are_called_by_name_and_say_it_themselves():
    assert policy_names() == ("default", "lenient", "strict")
    assert [load_policy(name).name for name in policy_names()] == list(policy_names())
    assert load_policy() == load_policy("default")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        pytest.param("stricct", r"Did you mean strict\?.*default, lenient, strict", id="misspelt"),
        pytest.param("mine", "default, lenient, strict", id="unknown"),
    ],
)
def test_a_policy_that_is_not_known_is_told_with_those_that_are(name, said):
    with pytest.raises(UnknownNameError, match=said):
        load_policy(name)


def test_strict_is_nowhere_milder_and_lenient_nowhere_stricter_than_default():
    strict, lenient = load_policy("strict"), load_policy("lenient")
    told = [
        [policy.conclude(finding(s, c)) for policy in (lenient, DEFAULT, strict)]
        for s, c in itertools.product(S, C)
    ]

    assert all(mild <= usual <= hard for mild, usual, hard in told)
    assert any(mild < usual for mild, usual, _ in told)
    assert any(usual < hard for _, usual, hard in told)
    assert set(lenient.decisive) < set(DEFAULT.decisive) < set(strict.decisive)
    assert K.DISQUALIFY not in {mild for mild, _, _ in told}


def test_a_digest_of_a_policy_depends_on_its_rules_and_not_on_its_comments(tmp_path):
    (tmp_path / "p.yaml").write_text(GOOD)
    (tmp_path / "q.yaml").write_text(f"# why\n{GOOD}")
    (tmp_path / "r.yaml").write_text(GOOD.replace("low", "medium"))
    p, q, r = (load_policy(tmp_path / f"{name}.yaml").sha256 for name in "pqr")

    assert p == q != r


def test_a_suppressed_finding_counts_in_no_verdict_and_is_named_in_it():
    grave, mild = finding(S.HIGH, C.HIGH, 1), finding(S.LOW, C.LOW, 2)
    checks = [check_of(grave, mild)]
    (struck,) = judge([subject()], checks, DEFAULT, struck={grave.id})
    (both,) = judge([subject()], checks, DEFAULT, struck={grave.id, mild.id})

    assert (struck.conclusion, struck.because) == (K.NOTE, (mild.id,))
    assert struck.suppressed == (grave.id,)
    assert (both.conclusion, both.because) == (K.CLEAN, ())
    assert both.suppressed == (grave.id, mild.id)


def test_suppressing_a_finding_hides_no_gap():
    grave = finding(S.HIGH, C.HIGH)
    (found,) = judge([subject("logs")], [check_of(grave)], DEFAULT, struck={grave.id})

    assert found.conclusion is K.UNDETERMINED
    assert found.because == ("The attempt has no logs.",)


def test_a_suppressed_finding_about_a_group_spares_the_attempts_it_names():
    found = Finding.seen(
        "d", "group:x", "saw", Quantity(name="n", value=1), severity=S.HIGH, confidence=C.HIGH,
        attempts=("a",),
    )  # fmt: skip
    checks = [
        check_of(),
        Check(detector="d", subject="group:x", outcome=Outcome.FLAGGED, findings=(found,)),
    ]
    group = Subject(id="group:x", kind=SubjectKind.GROUP, title="x")

    assert [v.conclusion for v in judge([subject(), group], checks, DEFAULT)] == [K.DISQUALIFY] * 2
    spared = judge([subject(), group], checks, DEFAULT, struck={found.id})
    assert [v.conclusion for v in spared] == [K.CLEAN, K.CLEAN]
    assert [v.suppressed for v in spared] == [(found.id,)] * 2
