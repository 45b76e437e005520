import json

import pytest
import yaml

from competitions import spec
from competitions.errors import InvalidDefinitionError, UnknownNameError, UsageError


@pytest.mark.parametrize(
    ("word", "value"),
    [
        pytest.param("on", "on", id="on-is-a-word"),
        pytest.param("no", "no", id="no-is-a-word"),
        pytest.param("y", "y", id="y-is-a-word"),
        pytest.param("true", True, id="true"),
        pytest.param("False", False, id="false"),
    ],
)
def test_only_true_and_false_are_booleans(tmp_path, word, value):
    path = tmp_path / "t.yaml"
    path.write_text(f"{word}: {word}\n")

    assert spec.read_yaml(path) == {value: value}


@pytest.mark.parametrize(
    "text", [b"- a\n", b"a: [\n", b"\xff", b"a: !!python/object/apply:os.getcwd []\n"]
)
def test_what_is_no_plain_mapping_is_an_invalid_definition(tmp_path, text):
    path = tmp_path / "t.yaml"
    path.write_bytes(text)

    with pytest.raises(InvalidDefinitionError):
        spec.read_yaml(path)


def test_every_problem_of_a_definition_names_its_field(tmp_path):
    path = tmp_path / "modechoice.yaml"
    text = (spec.CATALOG / "modechoice.yaml").read_text()
    path.write_text(text.replace("test_size: 0.2", "test_size: 2.5").replace("seed: 0", "seed: x"))

    with pytest.raises(InvalidDefinitionError) as caught:
        spec.load_file(path)
    assert {p.split(":")[0].split(".")[1] for p in caught.value.problems} == {"seed", "test_size"}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        pytest.param("fill: {choice: 0.25}", "fill: {other: 1}", "other columns", id="fill"),
        pytest.param("key: [id]", "key: [choice]", "cannot be predicted", id="key"),
        pytest.param("answers: test.csv", "answers: gone.csv", "no private file", id="answers"),
        pytest.param("id: modechoice", "id: another", "expected 'modechoice'", id="file-name"),
        pytest.param("part: sample}", "part: sample, sep: '::'}", "1 character", id="separator"),
        pytest.param(
            "raw:\n",
            "raw:\n  - {path: a, listing: {files: a/*, columns: {b: name}, sort: [c]}}\n",
            "c is no column of the listing",
            id="order-of-files",
        ),
        pytest.param("key: [id]", "key: []", "at least one column", id="no-key"),
        pytest.param("key: [id]", "key: [id, id]", "each once", id="key-twice"),
        pytest.param("low: 0, high: 1", "low: 1, high: 0", "expected at most high", id="range"),
        pytest.param("- {path: test.csv, part: test, drop", "- {path: train.csv, part: test, drop",
                     "train.csv would be written twice", id="place-twice"),
        pytest.param("- {path: train.csv, part: train}", "- {path: description.md, part: train}",
                     "description.md would be written twice", id="place-of-ours"),
        pytest.param("raw:\n", "fixed: [1, 2]\nraw:\n", "fixed: expected a mapping", id="fixed"),
        pytest.param("raw:\n", "fixed: abc\nraw:\n", "fixed: expected a mapping", id="fixed-word"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("variant", ["v1", "fixed"])
def test_a_definition_that_contradicts_itself_is_refused(tmp_path, old, new, said, variant):
    path = tmp_path / "modechoice.yaml"
    text = (spec.CATALOG / "modechoice.yaml").read_text().replace(old, new, 1)
    path.write_text(text if "fixed:" in text else f"{text}fixed: {{title: Modes}}\n")

    with pytest.raises(InvalidDefinitionError, match=said):
        spec.load_file(path, variant)


@pytest.mark.parametrize("way", ["/etc/passwd", "../passwd", "a/../../b", "a\\..\\b", "a\0b"])
@pytest.mark.parametrize(
    "place",
    [
        pytest.param("raw: [{path: #}]", id="raw"),
        pytest.param("raw: [{path: a, packed: {archive: #}}]", id="archive"),
        pytest.param("raw: [{path: a, packed: {archive: a.zip, into: #}}]", id="unpacked-into"),
        pytest.param("split: {method: whole_test, 'on': #, seed: 0}", id="split-on"),
        pytest.param("split: {method: whole_test, 'on': a, test_on: #, seed: 0}", id="test-on"),
        pytest.param("public: [{path: #, part: train}]", id="public"),
        pytest.param("public: [{path: a, part: train, copy: #}]", id="copy"),
        pytest.param("public: [{path: a, part: train, source: #, by: b}]", id="side-table"),
        pytest.param("public: [{path: a, part: train, pack: #.zip}]", id="pack"),
        pytest.param("private: [{path: #, part: test}]", id="private"),
        pytest.param("files: [{from: '#/{id}', to: 'a/{id}', part: test}]", id="files-from"),
        pytest.param("files: [{from: 'a/{id}', to: '#/{id}', part: test}]", id="files-to"),
        pytest.param("files: [{from: '{id}', to: '{id}', part: test, pack: #.zip}]", id="rows"),
        pytest.param("sample_submission: {path: #, fill: {choice: 0}}", id="sample"),
    ],
)
def test_no_definition_leads_out_of_its_folders(tmp_path, place, way):
    path = tmp_path / "modechoice.yaml"
    content = yaml.safe_load((spec.CATALOG / "modechoice.yaml").read_text())
    changed = yaml.safe_load(place.replace("#", "WAY"))
    path.write_text(json.dumps(content | changed).replace("WAY", json.dumps(way)[1:-1]))

    with pytest.raises(InvalidDefinitionError, match="relative path within its folder"):
        spec.load_file(path)


SHORT = """\
  alike: {names: [b, a], type: float, low: 0, high: 1, meaning: Share}
  columns:
    choice: {type: int}"""


@pytest.mark.parametrize("fill", ["0.25", "{'*': 0.25}"])
def test_columns_alike_stand_first_and_one_fill_serves_every_predicted_column(tmp_path, fill):
    path = tmp_path / "modechoice.yaml"
    text = (spec.CATALOG / "modechoice.yaml").read_text()
    rules = text[text.index("  key: [id]") : text.index("metric:")]
    text = text.replace(rules, f"  key: [id]\n{SHORT}\n")
    path.write_text(text.replace("fill: {choice: 0.25}", f"fill: {fill}"))
    task = spec.load_file(path)
    share = spec.Column(type="float", low=0, high=1, meaning="Share")

    assert task.targets == ("b", "a", "choice")
    assert task.submission.columns == {"b": share, "a": share, "choice": spec.Column(type="int")}
    assert task.sample_submission.fill == {"b": 0.25, "a": 0.25, "choice": 0.25}
    dumped = task.model_dump(by_alias=True)
    assert spec.Competition.model_validate(dumped).model_dump(by_alias=True) == dumped


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        pytest.param("names: [b, a], ", "", "alike", id="no-names"),
        pytest.param("names: [b, a]", "names: 3", "alike", id="names-are-no-list"),
        pytest.param("low: 0", "lowest: 0", "lowest", id="unknown-field"),
        pytest.param("alike: {", "alike: 3 # {", "alike", id="no-mapping"),
    ],
)
def test_a_broken_short_form_is_refused(tmp_path, old, new, said):
    path = tmp_path / "modechoice.yaml"
    text = (spec.CATALOG / "modechoice.yaml").read_text()
    path.write_text(
        text.replace("  key: [id]", f"  key: [id]\n{SHORT.partition(chr(10))[0]}".replace(old, new))
    )

    with pytest.raises(InvalidDefinitionError, match=said):
        spec.load_file(path)


def test_an_unknown_task_and_an_unknown_variant_are_usage_errors():
    with pytest.raises(UnknownNameError, match="spaceship-titanic"):
        spec.load("spaceship")
    with pytest.raises(UsageError, match="no repaired variant"):
        spec.load("modechoice", "fixed")


def test_the_repaired_variant_changes_only_what_it_says():
    v1, fixed = (spec.load("spaceship-titanic", v) for v in ("v1", "fixed"))
    differ = {
        name for name in spec.Competition.model_fields if getattr(v1, name) != getattr(fixed, name)
    }

    assert differ == {"variant", "split", "submission"}
