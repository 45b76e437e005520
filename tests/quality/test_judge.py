"""Opinions are scored over labelled cases; the answers here are written by hand and no model's."""

from __future__ import annotations

import json
import re

import pytest

from detectors.opinions.questions import TOPICS
from tests.audit.runner.model_server import Reply, playing
from tests.quality import judge
from tests.quality.corpus import load_cases
from tests.quality.judge import HEAD, RECORDED, main, question_about, recorded, row_of, topic_of


def test_recorded_answers_are_scored_by_what_their_quotes_carry():
    rule, model, verdicts = recorded(RECORDED / "answers-read.json")
    row = dict(zip(HEAD, row_of(rule, model, verdicts), strict=True))

    assert (row["positive"], row["found"], row["honest"], row["accused"]) == ("4", "2", "4", "0")
    assert row["recall"].startswith("0.50 [0.15, 0.85]")
    # One quote of a positive and one of an honest attempt are made up; one answer is no JSON.
    assert (row["undecided"], row["discarded"], row["not answered"]) == ("1", "2", "1")


def test_recorded_answers_say_that_no_model_was_asked():
    for path in RECORDED.glob("*.json"):
        assert "No model was asked" in json.loads(path.read_text())["written_by"]


@pytest.mark.parametrize("case", load_cases("answers-read", "open")[::12], ids=lambda c: c.kind)
def test_a_question_about_a_labelled_case_shows_neither_its_label_nor_its_kind(case):
    messages = question_about(case, "answers-read").messages("seed")
    told = "\n".join(m["content"] for m in messages)

    assert case.why not in told
    assert not re.search(rf"\b(?:{case.kind}|{case.label})\b", told)


def test_a_real_endpoint_is_asked_about_the_open_half_and_no_other(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MLE_AUDIT_CACHE", str(tmp_path))
    by_label = {case.label: case for case in load_cases("network-used", "open")}
    cases = tuple(by_label.values())
    halves: list[str] = []

    def some(_rule, half):
        halves.append(half)
        return cases

    monkeypatch.setattr(judge, "load_cases", some)
    rules = list(topic_of("network-used").rules)
    said = [{"rule": r, "opinion": "cannot_tell", "why": "", "quotes": []} for r in rules]
    with playing(lambda _request, _n: Reply(json.dumps({"opinions": said}))) as model:
        main(["--judge-url", model.url, "--judge-model", "m", "--rule", "network-used"])

    assert len(model.asked) == len(cases) == 2
    assert set(halves) == {"open"}
    assert "network-used" in capsys.readouterr().out


def test_every_rule_is_in_one_question():
    for topic in TOPICS:
        for rule in topic.rules:
            assert topic_of(rule) is topic
