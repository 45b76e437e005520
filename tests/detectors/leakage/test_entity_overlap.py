"""Things on both sides of a split: found where declared, and not where tables number anew."""

from __future__ import annotations

import pytest

from audit.check import check
from competitions import spec as specs
from competitions.prepare import prepare
from competitions.shapes import Entity
from detectors.dataset import Dataset
from detectors.leakage.entity_overlap import EntityOverlap, is_numbered, names_of
from detectors.task import Task
from reports.schema import Confidence, Outcome, Quantity, RowOverlap, Severity


@pytest.fixture(scope="module")
def task(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")

    def prepared(competition, variant="v1"):
        spec = specs.load(competition, variant)
        source = None if spec.source.kind == "embedded" else "miniature"
        return Task(spec, prepare(spec, folder, source).folder)

    return prepared


def test_groups_on_both_sides_are_found_and_their_rows_named(task):
    found = check(EntityOverlap(), task("spaceship-titanic"))
    (finding,) = found.findings
    proof, share = finding.evidence

    assert isinstance(proof, RowOverlap)
    assert 0 < proof.n_shared < proof.n_right
    assert proof.pairs
    assert "travel group" in finding.message
    assert isinstance(share, Quantity)
    assert share.reference is not None


def test_what_is_on_record_is_told_and_no_more(task):
    (finding,) = check(EntityOverlap(), task("spaceship-titanic")).findings

    assert (finding.severity, finding.confidence) == (Severity.LOW, Confidence.MEDIUM)
    assert "travel-groups-straddle" in finding.message


def test_a_record_that_another_detector_shows_makes_no_finding_of_this_one_old_news(task):
    known = task("spaceship-titanic")
    (issue,) = (i for i in known.spec.known_issues if i.kind == "leak")
    other = issue.model_copy(update={"probe": "exact-row-overlap"})
    unlike = Task(known.spec.model_copy(update={"known_issues": (other,)}), known.prepared)

    assert known.on_record("leak", shown_by=("target-proxy",)) == ()
    assert known.on_record("leak") == (issue.id,)
    (finding,) = check(EntityOverlap(), unlike).findings
    assert finding.severity is Severity.MEDIUM


def test_what_nobody_recorded_is_grave_by_its_share(task):
    known = task("spaceship-titanic")
    unknown = Task(known.spec.model_copy(update={"known_issues": ()}), known.prepared)

    (finding,) = check(EntityOverlap(), unknown).findings

    assert (finding.severity, finding.confidence) == (Severity.MEDIUM, Confidence.HIGH)


@pytest.mark.parametrize(
    ("competition", "variant"),
    [("spaceship-titanic", "fixed"), ("modechoice", "v1"), ("place-names", "v1")],
)
def test_isolated_things_are_clean(task, competition, variant):
    assert check(EntityOverlap(), task(competition, variant)).outcome is Outcome.CLEAN


@pytest.mark.parametrize(
    ("train", "test", "told"),
    [
        pytest.param(
            "aabbcde", "fghh", "57% of the train rows share their w", id="test-has-others"
        ),
        pytest.param("abcdefg", "hhhh", None, id="once-each-in-train"),
        pytest.param([*"aa", *map(str, range(100, 140))], "xy", None, id="hardly-any-twice"),
    ],
)
def test_several_rows_of_a_thing_in_train_alone_are_noted(tmp_path, train, test, told):
    places = tmp_path / "train.csv", tmp_path / "test.csv"
    places[0].write_text("w,y\n" + "".join(f"{w},{n}\n" for n, w in enumerate(train)))
    places[1].write_text("w,z\n" + "".join(f"{w},1\n" for w in test))
    data = Dataset.of_tables(*places, key=(), targets=("y",), entities=("w",))
    found = list(EntityOverlap().detect(data))

    assert [f.severity for f in found] == ([Severity.NOTE] if told else [])
    assert all(told in f.message for f in found)


def test_a_task_without_entities_is_not_asked(task):
    assert check(EntityOverlap(), task("breast-cancer")).outcome is Outcome.NOT_APPLICABLE


def table(*values):
    import pandas as pd

    return pd.DataFrame({"who": list(values)})


@pytest.mark.parametrize(
    ("values", "separator", "names"),
    [
        pytest.param(("0001_01", "0001_02"), "_", ["0001", "0001"], id="before a sign"),
        pytest.param((7, 7.0, "7"), None, ["7", "7", "7"], id="numbers however written"),
        pytest.param((None, float("nan")), None, ["", ""], id="nothing"),
    ],
)
def test_names_are_texts(values, separator, names):
    entity = Entity(name="person", column="who", prefix_before=separator)

    assert names_of(entity, table(*values)).tolist() == names


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param(("0", "1", "1", "2"), True, id="from nought"),
        pytest.param(("1", "2", "3"), True, id="from one"),
        pytest.param(("1", "3"), False, id="with a gap"),
        pytest.param(("5", "6"), False, id="from five"),
        pytest.param(("a", "b"), False, id="words"),
    ],
)
def test_things_that_a_table_numbers_for_itself_are_known(values, expected):
    assert is_numbered(table(*values)["who"]) is expected


RECORDS = [
    pytest.param(competition, id=competition)
    for competition in specs.catalog_ids()
    if any(i.probe == "entity-overlap" for i in specs.load(competition).known_issues)
]
UNNAMED = {"ranzcr-clip-catheter-line-classification"}  # its test part does not name the patient


@pytest.mark.slow
@pytest.mark.parametrize("competition", RECORDS)
def test_a_recorded_overlap_is_found_in_the_published_variant(competition, catalog_dir):
    found = check(
        EntityOverlap(), Task(specs.load(competition), catalog_dir / competition / "prepared")
    )

    expected = Outcome.NOT_AVAILABLE if competition in UNNAMED else Outcome.FLAGGED
    assert found.outcome is expected


@pytest.mark.slow
@pytest.mark.parametrize("competition", RECORDS)
def test_a_mended_overlap_is_gone(competition, catalog_dir):
    spec = specs.load(competition)
    mended = [i for i in spec.known_issues if i.probe == "entity-overlap" and i.fixed_by]
    if not mended or competition in UNNAMED:
        pytest.skip("the repaired variant leaves it as it is")
    task = Task(specs.load(competition, "fixed"), catalog_dir / competition / "prepared-fixed")

    assert check(EntityOverlap(), task).outcome is Outcome.CLEAN
