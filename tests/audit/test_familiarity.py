"""The verb end to end: a model that has read a text often, and one that has not."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime

import pytest
from typer.testing import CliRunner

from audit.checks import chosen_detectors
from audit.cli import app
from audit.collect import Collected
from audit.familiarity import Heard, Question, _document, familiarity
from audit.familiarity_data import TableQuestion, familiarity_of_data
from audit.familiarity_example import example
from audit.familiarity_performance import as_json, lines, performance
from audit.verdict import exit_code, load_policy
from audit.vet import _not_checked
from competitions.errors import MleAuditError, ModelFilesError, UsageError
from competitions.spec import catalog_ids, load
from detectors.familiarity.servers.opening import answers_of, require_known
from detectors.known import Calibrated, Decision, Known
from detectors.model import Model
from reports.schema import Outcome, read_audit

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A model that read one text forty times, that text, one it never saw, and controls."""
    pytest.importorskip("torch", reason="extra familiarity is not installed")
    pytest.importorskip("transformers", reason="extra familiarity is not installed")
    from detectors.familiarity.controls import generated_controls
    from detectors.familiarity.twin_training import (
        TwinShape,
        fresh_twin,
        shuffled,
        train_tokenizer,
        train_twin,
    )

    folder = tmp_path_factory.mktemp("house")
    specs = [load(name) for name in catalog_ids()[:30]]
    pages = generated_controls(specs, [700] * 64)
    seen, unseen, background, controls = pages[0], pages[1], pages[2:12], pages[12:]
    shape = TwinShape(vocabulary=500, context=64, width=32, layers=1, heads=2, warm_up=5)
    tokenizer = train_tokenizer(background, shape)
    texts = shuffled([*background, *[seen] * 40], 0)
    base = fresh_twin(shape, 0)
    for name, read in (("target", texts), ("clean", background)):
        twin = train_twin(name, read, tokenizer, shape, base, lambda *_: None)
        twin.model.save_pretrained(folder / name)
        tokenizer.save_pretrained(folder / name)
    (folder / "controls").mkdir()
    for number, page in enumerate(controls):
        (folder / "controls" / f"{number}.md").write_text(page.content)
    (folder / "seen.md").write_text(seen.content)
    (folder / "unseen.md").write_text(unseen.content)
    (folder / "short.md").write_text("Too short.\n")
    (folder / "other.md").write_text("1,2,3,4,5,6,7\n" * 60)
    return folder


def asked(house, *names, **more):
    settings = {"model": str(house / "target"), "controls": house / "controls", **more}
    question = Question(texts=tuple(house / name for name in names), **settings)
    return familiarity(question, house, load_policy(), NOW, cache=house / "cache")


def decision(report, name):
    return next(s.facts.get("decision") for s in report.subjects if s.title.endswith(name))


@pytest.mark.slow
@pytest.mark.parametrize("reference", ["", "clean"], ids=["alone", "with-reference"])
def test_a_text_read_often_stands_out_and_an_unseen_one_does_not(house, reference):
    found = asked(
        house,
        "seen.md",
        "unseen.md",
        reference=str(house / reference) if reference else "",
    )

    assert decision(found, "/seen.md") == "familiar"
    assert decision(found, "unseen.md") == "nothing seen"
    outcomes = [c.outcome for c in found.checks]
    assert outcomes == [Outcome.FLAGGED, Outcome.CLEAN]
    assert "cannot be excluded" in found.checks[1].findings[0].message


@pytest.mark.slow
def test_a_text_of_another_kind_than_the_controls_is_confounded_and_never_clean(house):
    found = asked(house, "other.md")

    assert decision(found, "other.md") == "confounded"
    assert found.checks[0].outcome is Outcome.NOT_AVAILABLE


@pytest.mark.slow
def test_too_short_a_text_has_no_verdict(house):
    (check,) = asked(house, "short.md").checks

    assert check.outcome is Outcome.NOT_AVAILABLE
    assert "at least 64" in (check.reason or "")


def test_our_own_description_is_not_scored_and_the_official_one_is_asked_for(tmp_path):
    question = Question(model="nowhere", specs=(load("spaceship-titanic"),))

    (check,) = familiarity(question, tmp_path, load_policy(), NOW, cache=tmp_path).checks

    assert check.outcome is Outcome.NOT_AVAILABLE
    assert "--description" in (check.reason or "")


NO_MODELS = [
    pytest.param("builtin:nope", "builtin:smollm2", id="not-built-in"),
    pytest.param("no.gguf", "found nothing there", id="no-file"),
    pytest.param("/nope", "found nothing there", id="no-folder"),
    pytest.param("logprobs:/nope", "expected a file", id="no-numbers"),
    pytest.param("llama-cpp:/nope.gguf", "expected a file", id="no-file-of-llama-cpp"),
    pytest.param(".", "no config.json", id="folder-without-a-model"),
    pytest.param("text.md", "GGUF file, found neither", id="text"),
]


@pytest.mark.parametrize(("model", "said"), NO_MODELS)
def test_a_model_that_is_none_is_refused_before_anything_is_made_for_it(
    tmp_path, monkeypatch, model, said
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.md").write_text("A text of its own, long enough to be scored. " * 20)
    announced: list[str] = []
    heard = Heard(announced.append, lambda *_: None)
    question = Question(model=model, texts=(tmp_path / "text.md",))
    tables = TableQuestion(model, (tmp_path / "nowhere.csv",))

    with pytest.raises(MleAuditError, match=said):
        familiarity(question, tmp_path, load_policy(), NOW, heard, cache=tmp_path)
    with pytest.raises(MleAuditError, match=said):
        familiarity_of_data(tables, tmp_path, load_policy(), NOW, heard, cache=tmp_path)
    with pytest.raises(MleAuditError, match=said):
        next(example(model, heard, cache=tmp_path))
    if not model.startswith(("logprobs:", "llama-cpp:")):
        with pytest.raises(MleAuditError, match=said):
            answers_of(model, announced.append)
    assert announced == []


def test_a_text_of_two_words_is_told_before_a_model_is_asked(tmp_path):
    (tmp_path / "short.md").write_text("Two words\n")
    said: list[str] = []
    question = Question(texts=(tmp_path / "short.md",))
    heard = Heard(said.append, lambda *_: None)

    report = familiarity(question, tmp_path, load_policy(), NOW, heard, cache=tmp_path)

    assert said == []
    assert "at least 64 tokens" in (report.checks[0].reason or "")
    assert exit_code(report.verdicts) == 3


@pytest.mark.parametrize("verb", [[], ["data"], ["choose", "-c", "modechoice"]], ids=str)
def test_more_controls_than_make_sense_are_refused_with_the_most_that_do(tmp_path, verb):
    call = ["familiarity", *verb, "--n-controls", "99999999999999999999"]

    done = CliRunner().invoke(app, call, standalone_mode=False)

    assert "9999" in str(done.exception)


def test_a_hub_that_cannot_be_reached_is_told_and_no_crash(monkeypatch):
    class NoConnectionError(Exception):
        """As an HTTP library has its own."""

    def refuse(*_args, **_more):
        raise NoConnectionError("name not known")

    monkeypatch.setattr("huggingface_hub.HfApi.model_info", refuse)

    with pytest.raises(ModelFilesError, match="the hub was asked and said: name not known"):
        require_known("nobody/knows-it")


def test_a_place_of_official_descriptions_that_is_not_there_is_told(tmp_path):
    question = Question(specs=(load("modechoice"),), description=tmp_path / "nowhere")

    with pytest.raises(UsageError, match="expected official descriptions"):
        familiarity(question, tmp_path, load_policy(), NOW, cache=tmp_path)


def test_a_vetting_that_asks_no_model_says_that_familiarity_was_not_looked_at():
    said = _not_checked(Collected((), (), {}, {}), chosen_detectors())

    assert [n.what.partition(":")[0] for n in said] == ["familiarity"]


@pytest.mark.slow
def test_an_official_description_is_scored(house):
    (house / "official").mkdir(exist_ok=True)
    (house / "official" / "spaceship-titanic.md").write_text((house / "seen.md").read_text())

    question = Question(
        model=str(house / "target"),
        specs=(load("spaceship-titanic"), load("modechoice")),
        description=house / "official",
        controls=house / "controls",
    )
    found = familiarity(question, house, load_policy(), NOW, cache=house / "cache")

    assert [c.outcome for c in found.checks] == [Outcome.FLAGGED, Outcome.NOT_AVAILABLE]


@pytest.mark.slow
def test_too_few_controls_are_told(house, tmp_path):
    (tmp_path / "few").mkdir()
    (tmp_path / "few" / "one.md").write_text("A text of its own, long enough to be scored. " * 20)

    with pytest.raises(UsageError, match="at least 19 control texts, found 1"):
        asked(house, "seen.md", controls=tmp_path / "few")


@pytest.mark.slow
def test_the_verb_writes_a_document_and_a_page(house, tmp_path, monkeypatch):
    monkeypatch.setenv("MLE_AUDIT_CACHE", str(house / "of-the-verb"))
    call = ["familiarity", "--text", str(house / "seen.md"), "--model", str(house / "target")]
    call += ["--controls", str(house / "controls"), "--json", str(tmp_path / "f.json")]

    shown = CliRunner().invoke(app, [*call, "--html", str(tmp_path / "f.html")])

    assert shown.exit_code == 0, shown.output
    assert "familiar" in shown.output
    assert "million parameters" in shown.stderr  # said before it is loaded
    assert read_audit(tmp_path / "f.json").checks[0].outcome is Outcome.FLAGGED
    assert json.loads((tmp_path / "f.json").read_text())["subjects"][0]["kind"] == "model"
    assert (tmp_path / "f.html").is_file()


def graded(task, score):
    board = dict.fromkeys(("gold", "silver", "bronze", "median"), 0.5)
    flags = ("any_medal", "gold_medal", "silver_medal", "bronze_medal", "above_median")
    return {
        "competition_id": task,
        "score": score,
        **{f"{name}_threshold": value for name, value in board.items()},
        **dict.fromkeys(flags, False),
        "submission_exists": True,
        "valid_submission": True,
        "is_lower_better": False,
        "created_at": "2026-01-01T00:00:00",
        "submission_path": "submission.csv",
    }


def write_grading(path, rows):
    totals = [
        *("runs", "runs_with_submissions", "valid_submissions", "medals", "above_median"),
        *("gold_medals", "silver_medals", "bronze_medals"),
    ]
    content = {f"total_{name}": 0 for name in totals} | {"competition_reports": rows}
    path.write_text(json.dumps(content))


def known_of(task, excess):
    calibrated = Calibrated(excess, 0.0, 1.0, 0.5, 0.01, 1.0, 1.0)
    values = {"mean-probability": 0.3}
    return Known(
        "0" * 64, 500, "min-k-plus-plus", calibrated, 0.5, Decision.NOTHING_SEEN, 8, 99,
        "of recent", None, 0.5, 0.5, 0.5, values,
    )  # fmt: skip


def test_familiarity_is_held_against_the_grades_of_the_same_tasks(tmp_path):
    tasks = [
        *("AI4Code", "aptos2019-blindness-detection", "dog-breed-identification"),
        *("leaf-classification", "mlsp-2013-birds", "petfinder-pawpularity-score"),
        *(
            "spooky-author-identification",
            "tgs-salt-identification-challenge",
            "random-acts-of-pizza",
        ),
    ]
    models = [Model("m", "m", load(t), t, known_of(t, float(i))) for i, t in enumerate(tasks[:8])]
    report = _document(models, Question(model="m"), load_policy(), NOW)
    rows = [graded(t, None if i == 0 else 0.9) for i, t in enumerate(tasks)]
    write_grading(tmp_path / "grading.json", rows)
    write_grading(tmp_path / "obfuscated.json", [graded(t, None) for t in tasks])

    found = performance(report, [tmp_path / "grading.json"], [tmp_path / "obfuscated.json"])

    assert [p.task for p in found.points] == tasks[:8]
    assert found.points[0].performance == 0
    assert found.points[3].familiarity == 3
    assert len(found.points[3].covariates) == 2
    assert json.loads(as_json(found))["minimum_r"] == pytest.approx(0.85, abs=0.01)
    assert "mostly goes unseen" in "".join(lines(found))
    assert found.paired is not None
    assert set(found.paired.differences) == set(tasks)
    assert found.paired.differences[tasks[0]] == 0
    assert found.paired.mean > 0
    assert "Original less obfuscated descriptions over 9 tasks" in "".join(lines(found))
    assert found.reliability is not None
    assert math.isnan(found.reliability.performance)  # one attempt a task
    assert "reliability" not in "".join(lines(found))


@pytest.mark.slow
def test_a_model_is_asked_for_the_names_of_tasks(house, tmp_path, monkeypatch):
    monkeypatch.setenv("MLE_AUDIT_CACHE", str(tmp_path))
    call = ["familiarity", "recognise", "-c", "spaceship-titanic", "-c", "leaf-classification"]

    shown = CliRunner().invoke(app, [*call, "--model", str(house / "target"), "--json"])

    assert shown.exit_code == 0, shown.output
    found = json.loads(shown.stdout)
    assert [row["task"] for row in found] == ["spaceship-titanic", "leaf-classification"]
    assert [row["named"] for row in found] == [False, False]
    assert all(row["guided_gain"] is None for row in found)
