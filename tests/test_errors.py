"""Texts of errors: expected, found, where, and a remedy."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.errors import (
    DigestMismatchError,
    EvidenceUnavailableError,
    InvalidDefinitionError,
    InvalidSubmissionError,
    MleAuditError,
    UnknownNameError,
    near_names,
)

KNOWN = ["spaceship-titanic", "us-patent-phrase-to-phrase-matching", "breast-cancer", "spooky"]


def test_the_remedy_stands_below_the_problem():
    assert str(MleAuditError("A is wrong.", "Do b.")) == "A is wrong.\n  Do b."
    assert str(MleAuditError("A is wrong.")) == "A is wrong."


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("us-patnt", ["us-patent-phrase-to-phrase-matching"]),
        ("breast-cancr", ["breast-cancer"]),
        ("spaceship", ["spaceship-titanic"]),
        ("spoky", ["spooky"]),
        ("zzz", []),
        ("", []),
    ],
)
def test_near_names_are_those_that_begin_or_are_spelt_alike(name, near):
    assert near_names(name, KNOWN) == near


@given(st.text(), st.lists(st.text()))
def test_near_names_are_known_ones_and_few(name, known):
    near = near_names(name, known)

    assert set(near) <= set(known)
    assert len(near) <= 3


def test_an_unknown_name_is_told_with_its_neighbours_and_the_list():
    error = UnknownNameError("competition", "spoky", KNOWN, "List them with: mle-audit list x")

    assert str(error) == (
        "No competition is called 'spoky'.\n  Did you mean spooky? List them with: mle-audit list x"
    )
    assert error.near == ["spooky"]
    assert str(UnknownNameError("agent", "zzz", KNOWN)) == "No agent is called 'zzz'."


def test_every_problem_of_a_definition_and_of_a_submission_is_told():
    definition = InvalidDefinitionError(Path("a.yaml"), iter(["x: bad", "y: worse"]))
    submission = InvalidSubmissionError(iter(["row 1", "row 2"]))

    assert str(definition) == "a.yaml is not a valid definition:\n  - x: bad\n  - y: worse"
    assert definition.problems == ("x: bad", "y: worse")
    assert (str(submission), submission.problems) == ("row 1\nrow 2", ("row 1", "row 2"))


def test_a_digest_that_differs_names_both():
    text = str(DigestMismatchError(Path("a"), "1", "2", "Prepare."))

    assert text == "a: expected sha256 1, found 2.\n  Prepare."


def test_missing_evidence_says_of_which_kind():
    error = EvidenceUnavailableError("model", "No model.", "Get one.")

    assert (error.missing, str(error)) == ("model", "No model.\n  Get one.")
