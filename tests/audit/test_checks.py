"""Detectors with the settings of a call, and the group of all attempts across agents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pytest

from audit.checks import checks_of, chosen_detectors, comparisons_of, group_of_all
from audit.collect import group_subject, groups_of
from competitions.errors import UnknownNameError, UsageError
from detectors.attempt import Attempt
from detectors.base import About, all_detectors, parameters_of
from detectors.group import ALL_ATTEMPTS, Group
from reports.schema import Outcome, SubjectKind
from tests.conftest import write_attempt


@dataclass(frozen=True)
class Together:
    """Looks at all attempts together, and finds nothing."""

    about: ClassVar[About] = About(
        id="together",
        subject=SubjectKind.GROUP,
        asks="Who copied from whom?",
        blind_spots="Everything.",
        reference="https://example.org",
        across_agents=True,
    )

    def applies(self, subject):
        return None if isinstance(subject, Group) else "no group"

    def detect(self, subject):  # noqa: ARG002 - the protocol's
        yield from ()


@dataclass(frozen=True)
class Apart(Together):
    """The same per agent."""

    about: ClassVar[About] = About(
        id="apart",
        subject=SubjectKind.GROUP,
        asks="Who repeats himself?",
        blind_spots="Everything.",
        reference="https://example.org",
    )


@pytest.fixture
def groups(tmp_path) -> tuple[Group, ...]:
    """Three attempts of agent a and two of agent b, of which one is on another task."""
    places = ("a", "breast-cancer"), ("a", "breast-cancer"), ("a", "wine"), ("b", "breast-cancer")
    found = [
        write_attempt(
            tmp_path / f"{task}_{n}",
            record={"agent": {"id": agent, "digest": "0" * 64}, "competition_id": task},
        )
        for n, (agent, task) in enumerate((*places, ("b", "wine")))
    ]
    return groups_of(found)


def test_a_setting_reaches_every_detector_that_has_such_a_parameter_and_no_other():
    found = chosen_detectors((), {"max_evidence": 3})

    for one in found:
        usual = parameters_of(all_detectors()[one.about.id]())
        given = {"max_evidence": 3} if "max_evidence" in usual else {}
        assert parameters_of(one) == {**usual, **given}


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        pytest.param({"max_evidnce": 3}, "max_evidence", id="a-name-that-no-detector-has"),
        pytest.param({"max_evidence": "3"}, "'3'", id="a-word-for-a-number"),
        pytest.param({"max_evidence": True}, "True", id="a-truth-for-a-number"),
        pytest.param({"high_share": "much"}, "'much'", id="a-word-for-a-share"),
    ],
)
def test_a_setting_that_no_detector_can_take_is_refused(settings, told):
    with pytest.raises(UsageError, match=told):
        chosen_detectors((), settings)


def test_a_setting_that_only_detectors_left_out_have_is_no_mistake():
    (one,) = chosen_detectors(["answers-read"], {"high_share": 1})

    assert one == all_detectors()["answers-read"]()


def test_a_family_is_chosen_whole_or_in_part():
    ids = [one.about.id for one in chosen_detectors(family="rules")]

    assert "answers-read" in ids
    assert "exact-row-overlap" not in ids


def test_a_detector_of_another_family_is_told_with_its_own():
    with pytest.raises(UnknownNameError, match="Its family is leakage"):
        chosen_detectors(["exact-row-overlap"], family="rules")


def test_detectors_across_agents_meet_everybody_once_and_others_each_agent(groups):
    everyone = group_of_all([Together()], groups)
    of_kind = {SubjectKind.GROUP: (*groups, *everyone)}
    told: list[str] = []
    checks = list(checks_of([Together(), Apart()], of_kind, told.append))

    assert [(c.detector, c.subject, c.outcome) for c in checks] == [
        ("together", ALL_ATTEMPTS, Outcome.CLEAN),
        ("apart", "group:a", Outcome.CLEAN),
        ("apart", "group:b", Outcome.CLEAN),
    ]
    assert len(told) == len(checks)
    assert {a.id for a in everyone[0].attempts} == {a.id for g in groups for a in g.attempts}


def test_nobody_is_put_together_where_no_detector_asks_for_it(groups):
    assert group_of_all([Apart()], groups) == ()
    assert group_of_all([Together()], ()) == ()


def test_no_agent_or_attempt_can_be_called_as_the_group_of_all(tmp_path):
    assert Group("all", across_agents=True).id == ALL_ATTEMPTS
    assert ALL_ATTEMPTS not in {Group("all").id, Group(ALL_ATTEMPTS).id}
    assert Attempt(tmp_path / ALL_ATTEMPTS).id != ALL_ATTEMPTS


def test_everybody_is_described_without_an_agent(groups):
    subject = group_subject(group_of_all([Together()], groups)[0])

    assert subject.agent is None
    assert subject.title == "of all agents, 5 attempts"
    assert subject.facts["tasks"] == "breast-cancer, wine"


def test_a_group_stands_for_as_many_comparisons_as_it_has_attempts(groups):
    assert comparisons_of(group_of_all([Together()], groups)) == {ALL_ATTEMPTS: 5}
