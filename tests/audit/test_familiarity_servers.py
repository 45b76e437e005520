"""The question put to servers, and to files of their numbers."""

from __future__ import annotations

import json
import re
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from audit.cli import app
from audit.familiarity import Heard, Question, familiarity, rows
from audit.verdict import load_policy
from competitions.errors import (
    MissingLibraryError,
    MleAuditError,
    ScoringError,
    UsageError,
)
from competitions.io import sha256_bytes
from competitions.spec import load
from detectors.familiarity.model_files import require_libraries
from detectors.familiarity.servers.client import MODEL_KEY, REFERENCE_KEY
from detectors.familiarity.servers.stored import read_logprobs
from tests.detectors.familiarity.servers.loopback import serving

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ROOT = Path(__file__).parents[2]


@pytest.fixture
def house(tmp_path):
    """Write twenty control texts, and one that a copying model foretells as it repeats itself."""
    (tmp_path / "controls").mkdir()
    for number in range(20):
        words = (f"{chr(97 + (number * 7 + i * i) % 26)}{i * 31 % 97}" for i in range(60))
        (tmp_path / "controls" / f"{number}.md").write_text(" ".join(words))
    (tmp_path / "text.md").write_text("one two six. " * 40)
    return tmp_path


def asked(house, model, heard=None, **more):
    question = Question(
        model=model, texts=(house / "text.md",), controls=house / "controls", **more
    )
    return familiarity(question, house, load_policy(), NOW, heard, cache=house / "cache")


def facts(report):
    return {k: v for k, v in report.subjects[0].facts.items() if k not in {"model", "reference"}}


def test_a_file_of_a_servers_numbers_gives_the_audit_that_the_server_gave(house):
    place = house / "scores.jsonl"
    with serving("vllm") as (url, _), serving("tgi", salt="b") as (other, _):
        first = asked(house, url, reference=other, write_logprobs=place)
    names = [json.loads(line)["model"]["name"] for line in place.read_text().splitlines()]

    again = asked(house, f"logprobs:{place}#{url}", reference=f"logprobs:{place}#{other}")

    assert names == [url] * 21 + [other] * 21
    assert facts(again) == facts(first)
    assert [c.outcome for c in again.checks] == [c.outcome for c in first.checks]


def test_numbers_without_deviation_are_decided_by_min_k(house):
    with serving("openai") as (url, _):
        report = asked(house, url)

    shown = report.subjects[0].facts
    assert "Min-K 20 %" in shown
    assert "Min-K++ 20 %" not in shown


def test_posts_that_are_no_texts_are_told_beside_those_that_were_measured(house):
    posts = house / "posts" / "spaceship-titanic"
    posts.mkdir(parents=True)
    words = (f"{chr(97 + (i * i + 3) % 26)}{i * 37 % 89}" for i in range(60))
    (posts / "a.md").write_text(" ".join(words))
    (posts / "empty.md").write_text(" ")
    question = {"folder": house / "posts", "controls": house / "controls"}
    with serving("vllm") as (url, _):
        asking = Question(model=url, specs=(load("spaceship-titanic"),), **question)
        report = familiarity(asking, house, load_policy(), NOW, cache=house / "cache")

    assert report.checks[0].findings
    (told_of,) = [said for name, _, said in rows(report) if name == "  left out"]
    assert "empty.md" in told_of
    assert "nothing but space" in told_of


def test_a_file_without_the_controls_is_told(house):
    place = house / "scores.jsonl"
    with serving("sglang") as (url, _):
        asked(house, url, write_logprobs=place)
    place.write_text("".join(place.read_text().splitlines(keepends=True)[:5]))

    with pytest.raises(ScoringError, match="none of 16: "):
        asked(house, f"logprobs:{place}")


@pytest.mark.slow
def test_each_server_gets_its_own_key_and_the_verb_shows_none(house, monkeypatch):
    keys = {MODEL_KEY: "first key of no vendor", REFERENCE_KEY: "second key of no vendor"}
    for name, key in keys.items():
        monkeypatch.setenv(name, key)
    monkeypatch.setenv("MLE_AUDIT_CACHE", str(house / "cache"))
    with serving("vllm") as (url, ours), serving("openai", salt="b") as (other, theirs):
        options = {"text": "text.md", "controls": "controls", "json": "f.json"}
        words = [w for k, v in options.items() for w in (f"--{k}", str(house / v))]
        asked_for = ["--model", url, "--reference", other, "--fail-on", "disqualify"]
        done = CliRunner().invoke(app, ["familiarity", *words, *asked_for])

    assert done.exit_code in {0, 3}, done.output
    for server, key in ((ours, keys[MODEL_KEY]), (theirs, keys[REFERENCE_KEY])):
        assert server.model is not None
        assert {one.headers["Authorization"] for one in server.model.asked} == {f"Bearer {key}"}
    shown = done.output + (house / "f.json").read_text()
    assert not any(key in shown for key in keys.values())


def test_a_password_in_an_address_is_refused_before_it_is_shown(house):
    said: list[str] = []
    with pytest.raises(UsageError, match="without a name or password"):
        asked(house, "http://joe:hunter2hunter2@127.0.0.1:1", heard=Heard(said.append, print))
    assert said == []


def told(*words):
    return CliRunner().invoke(app, ["familiarity", *map(str, words)])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        pytest.param(["--json", "."], "FILE; found ., a folder", id="json-folder"),
        pytest.param(["--json", "text.md/a.json"], "which is no folder", id="json-below"),
        pytest.param(["--write-logprobs", "text.md/a"], "that can be written", id="logprobs-below"),
        pytest.param(["--html", "text.md/page"], "that can be written", id="html-below"),
        pytest.param(["--json", "text.md"], "it is what this call reads", id="json-is-the-text"),
        pytest.param(["--reports", "no.json"], "no grading report", id="no-grades"),
    ],
)
def test_a_place_that_cannot_be_used_is_told_before_anything_is_scored(
    options, words, house, monkeypatch
):
    monkeypatch.chdir(house)

    done = told("--text", "text.md", "--model", "nowhere", *options)

    assert isinstance(done.exception, MleAuditError)
    assert words in str(done.exception)
    assert "to be scored" not in done.output
    assert (house / "text.md").read_text().startswith("one two six.")


def test_too_few_controls_are_told_before_a_model_is_asked(house):
    for path in list((house / "controls").iterdir())[2:]:
        path.unlink()

    with pytest.raises(UsageError, match="at least 19 control texts, found 2"):
        asked(house, "http://127.0.0.1:1")


def test_a_model_is_no_reference_of_itself(house):
    with pytest.raises(UsageError, match="found the model itself"):
        asked(house, "http://127.0.0.1:1", reference="http://127.0.0.1:1")
    with serving("vllm") as (url, _), pytest.raises(UsageError, match="found the model itself"):
        asked(house, url, reference=f"{url}#copier")


def test_a_cache_that_cannot_be_written_is_told_before_a_model_is_asked(house):
    (house / "cache").write_text("a file")

    with pytest.raises(UsageError, match="can be written, found not a directory") as caught:
        asked(house, "http://127.0.0.1:1")

    assert "MLE_AUDIT_CACHE" in (caught.value.remedy or "")


def test_numbers_in_a_file_need_no_cache(house):
    with serving("vllm") as (url, _):
        asked(house, url, write_logprobs=house / "scores.jsonl")
    shutil.rmtree(house / "cache")
    (house / "cache").write_text("a file")
    said: list[str] = []

    asked(house, f"logprobs:{house / 'scores.jsonl'}", heard=Heard(said.append, print))

    assert "kept" not in said[0]


@pytest.fixture
def unplaced(house):
    """Write numbers of two models without places of tokens; returns how both are asked."""
    place = house / "scores.jsonl"
    with serving("vllm") as (url, _), serving("vllm", salt="b") as (other, _):
        asked(house, url, reference=other, write_logprobs=place)

    def written(*tokenizers):
        lines = [json.loads(line) for line in place.read_text().splitlines()]
        for line in lines:
            del line["tokens"]["start"], line["tokens"]["end"]
            line["model"]["tokenizer"] = tokenizers[line["model"]["name"] == other]
        place.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return asked(house, f"logprobs:{place}#{url}", reference=f"logprobs:{place}#{other}")

    return written


def test_two_tokenizers_without_places_in_the_text_are_no_pair(unplaced):
    with pytest.raises(UsageError, match="found two tokenizers and no places of tokens"):
        unplaced("one", "another")


def test_tokens_of_one_tokenizer_are_paired_without_their_places(unplaced):
    assert unplaced("one", "one").subjects[0].facts["decision"]


def test_a_call_about_nothing_says_what_can_be_asked():
    done = told("--model", "nowhere")

    assert isinstance(done.exception, UsageError)
    assert all(
        name in str(done.exception) for name in ("-c ID", "--text", "--controls", "selftest")
    )


@pytest.mark.parametrize("option", ["--html", "--plots"])
def test_a_place_for_the_selftest_is_tried_before_two_minutes_of_training(option, house):
    done = told("selftest", option, house / "text.md" / "below")

    assert isinstance(done.exception, UsageError)
    assert "a place that can be written" in str(done.exception)


def test_what_lacks_is_installed_as_the_extra_that_holds_it(monkeypatch):
    monkeypatch.setattr("detectors.familiarity.model_files.find_spec", lambda _: None)

    with pytest.raises(MissingLibraryError, match="torch is not installed") as caught:
        require_libraries("torch", "transformers")

    assert "'.[familiarity]'" in (caught.value.remedy or "")


def test_the_example_of_the_page_is_in_the_format(tmp_path):
    page = (ROOT / "docs" / "familiarity-logprobs.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    (tmp_path / "s.jsonl").write_text(" ".join(example.split("\n")))

    model = read_logprobs(tmp_path / "s.jsonl")

    assert list(model.lines) == [sha256_bytes(b"Hello, world\n")]
    assert model.identity.bos == 1
