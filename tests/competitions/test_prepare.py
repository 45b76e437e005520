import json
import shutil

import pandas as pd  # noqa: TID253
import pytest

from competitions import spec
from competitions.data import layout_of
from competitions.errors import (
    DigestMismatchError,
    NotPreparedError,
    RawDataError,
    RefusedError,
    UnknownNameError,
    UnreadableFileError,
    UsageError,
)
from competitions.io import sha256_tree
from competitions.miniature import write_miniature
from competitions.prepare import load_prepared, prepare
from competitions.prepared import verify, verify_answers
from competitions.submission import read_table

TASK = spec.load("modechoice")
SHIP = spec.load("spaceship-titanic")
HEAD = ",".join(SHIP.raw[0].columns).encode() + b"\n"
FIXED = spec.load("spaceship-titanic", "fixed")


def leftovers(data_dir, task=TASK):
    return sorted(p.name for p in layout_of(task, data_dir).root.iterdir())


@pytest.fixture
def real(tmp_path):
    """A folder of raw files that counts as the user's own: a miniature without its marker."""
    folder = tmp_path / "real"
    write_miniature(SHIP, folder, 5)
    (folder / ".miniature.json").unlink()
    return folder


def test_preparing_writes_both_trees_manifest_and_schema_and_nothing_else(tmp_path):
    prepared = prepare(TASK, tmp_path)

    assert sorted(
        p.relative_to(prepared.folder).as_posix() for p in prepared.folder.rglob("*")
    ) == [
        "manifest.json",
        "private",
        "private/test.csv",
        "public",
        "public/description.md",
        "public/sample_submission.csv",
        "public/test.csv",
        "public/train.csv",
        "submission-schema.json",
    ]
    assert leftovers(tmp_path) == [".prepare.lock", "prepared"]
    assert prepared.source == "embedded"
    assert prepared.public_sha256 == sha256_tree(prepared.public)


def test_the_published_split_is_scikit_learns_byte_for_byte(tmp_path, real):
    from sklearn.model_selection import train_test_split

    prepared = prepare(SHIP, tmp_path / "d", raw=real)
    raw = pd.read_csv(real / "train.csv")
    train, test = train_test_split(raw, test_size=0.1, random_state=0)
    sample = test[["PassengerId", "Transported"]].assign(Transported=False)
    expected = {
        "public/train.csv": train,
        "public/test.csv": test.drop(columns="Transported"),
        "public/sample_submission.csv": sample,
        "private/test.csv": test,
    }

    for name, frame in expected.items():
        assert (prepared.folder / name).read_bytes() == frame.to_csv(index=False).encode()


def test_both_variants_lie_side_by_side(tmp_path):
    v1, fixed = (prepare(task, tmp_path, "miniature") for task in (SHIP, FIXED))

    assert (v1.folder.name, fixed.folder.name) == ("prepared", "prepared-fixed")
    assert v1.public_sha256 != fixed.public_sha256


def test_prepared_data_are_returned_at_once(tmp_path):
    first = prepare(TASK, tmp_path)
    stamp = (first.folder / "manifest.json").stat().st_mtime_ns
    second = prepare(TASK, tmp_path)

    assert second == first
    assert (first.folder / "manifest.json").stat().st_mtime_ns == stamp


@pytest.mark.parametrize(
    ("change", "name"),
    [
        pytest.param(lambda f: (f / "private/test.csv").write_text("x"), "test.csv", id="changed"),
        pytest.param(lambda f: (f / "public/test.csv").unlink(), "test.csv", id="gone"),
        pytest.param(lambda f: (f / "public/answers.csv").write_text("x"), "answers.csv", id="new"),
    ],
)
def test_a_changed_file_is_named_and_force_repairs_it(tmp_path, change, name):
    prepared = prepare(TASK, tmp_path)
    change(prepared.folder)

    with pytest.raises(DigestMismatchError, match=name) as caught:
        prepare(TASK, tmp_path)
    assert "mle-audit prepare -c modechoice --force" in (caught.value.remedy or "")
    verify(prepare(TASK, tmp_path, force=True))
    assert leftovers(tmp_path) == [".prepare.lock", "prepared"]


def test_changed_answers_are_never_scored_against(tmp_path):
    prepared = prepare(TASK, tmp_path)
    prepared.answers.unlink()

    with pytest.raises(DigestMismatchError, match="found no file"):
        verify_answers(prepared)


def test_data_of_another_definition_are_refused(tmp_path):
    prepare(TASK, tmp_path)
    split = TASK.split.model_copy(update={"seed": 9})

    with pytest.raises(DigestMismatchError, match="definition"):
        load_prepared(TASK.model_copy(update={"split": split}), tmp_path)


def test_a_broken_manifest_is_unreadable_until_forced(tmp_path):
    prepared = prepare(TASK, tmp_path)
    for content in (b"{", b"\xff", b"{}"):
        (prepared.folder / "manifest.json").write_bytes(content)
        with pytest.raises(UnreadableFileError, match=r"manifest\.json"):
            prepare(TASK, tmp_path)
    verify(prepare(TASK, tmp_path, force=True))


def test_what_is_not_prepared_names_the_command(tmp_path):
    with pytest.raises(NotPreparedError) as caught:
        load_prepared(FIXED, tmp_path)

    assert "mle-audit prepare -c spaceship-titanic --variant fixed" in (caught.value.remedy or "")


def test_raw_files_of_ours_are_kept_only_on_demand(tmp_path):
    prepare(TASK, tmp_path / "a")
    prepare(TASK, tmp_path / "b", keep_raw=True)

    assert "raw" not in leftovers(tmp_path / "a")
    assert sorted(p.name for p in layout_of(TASK, tmp_path / "b").raw.iterdir()) == ["data.csv"]


def test_a_kept_miniature_is_replaced_by_the_next_one(tmp_path):
    prepare(SHIP, tmp_path, "miniature", keep_raw=True, seed=1)
    with pytest.raises(RefusedError, match="miniature with seed 1, not from miniature with seed 2"):
        prepare(SHIP, tmp_path, "miniature", seed=2)
    prepared = prepare(SHIP, tmp_path, "miniature", keep_raw=True, seed=2, force=True)

    raw = read_table(layout_of(SHIP, tmp_path).raw / "train.csv")
    assert len(raw) == len(read_table(prepared.public / "train.csv")) + len(
        read_table(prepared.answers)
    )
    assert prepared.manifest is not None
    assert prepared.manifest.seed == 2


@pytest.mark.parametrize("keep_raw", [False, True])
def test_a_folder_that_the_user_placed_is_never_changed(tmp_path, real, keep_raw):
    placed = layout_of(SHIP, tmp_path).raw
    shutil.copytree(real, placed)
    before = sha256_tree(placed)
    for task in (SHIP, FIXED):
        prepared = prepare(task, tmp_path, keep_raw=keep_raw)
        prepare(task, tmp_path, force=True, keep_raw=keep_raw)
        assert prepared.source == "local"

    assert sha256_tree(placed) == before


def test_a_miniature_never_takes_the_place_of_real_data(tmp_path, real):
    prepare(SHIP, tmp_path, raw=real)
    for force in (False, True):
        with pytest.raises(RefusedError, match="prepared from local"):
            prepare(SHIP, tmp_path, "miniature", force=force)
    shutil.rmtree(layout_of(SHIP, tmp_path).prepared)
    shutil.copytree(real, layout_of(SHIP, tmp_path).raw)
    with pytest.raises(RefusedError, match="raw files that are no miniature"):
        prepare(SHIP, tmp_path, "miniature")


def test_real_data_take_the_place_of_a_miniature_only_by_force(tmp_path, real):
    prepare(SHIP, tmp_path, "miniature")
    with pytest.raises(RefusedError, match="prepared from miniature"):
        prepare(SHIP, tmp_path, "local", real)

    assert prepare(SHIP, tmp_path, "local", real, force=True).source == "local"


def test_a_miniature_handed_over_as_local_is_still_one(tmp_path):
    write_miniature(SHIP, tmp_path / "m")

    assert prepare(SHIP, tmp_path / "d", "local", tmp_path / "m").source == "miniature"


def test_an_mlebench_folder_is_used_as_it_is_and_never_replaced(tmp_path, real):
    folder = prepare(SHIP, tmp_path, raw=real).folder
    (folder / "manifest.json").unlink()
    (folder / "submission-schema.json").unlink()
    before = sha256_tree(folder)
    prepared = prepare(SHIP, tmp_path)

    assert prepared.source == "mlebench"
    assert prepared.schema.key == ("PassengerId",)
    verify(prepared)
    verify_answers(prepared)
    with pytest.raises(RefusedError, match="not written by mle-audit"):
        prepare(SHIP, tmp_path, raw=real, force=True)
    assert sha256_tree(folder) == before


def test_a_folder_that_lacks_a_file_is_not_taken_for_mlebenchs(tmp_path):
    (layout_of(TASK, tmp_path).prepared / "public").mkdir(parents=True)

    with pytest.raises(NotPreparedError, match=r"no manifest and lacks .*train\.csv"):
        prepare(TASK, tmp_path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(b"a,b\n1,2\n", "expected the columns", id="other-columns"),
        pytest.param(HEAD + b"1" + b",2" * 20 + b"\n", "cannot be read", id="ragged"),
        pytest.param(b"", "cannot be read", id="empty"),
        pytest.param(HEAD + b"\xff" + b",2" * 13 + b"\n", "cannot be read", id="no-utf-8"),
    ],
)
def test_raw_files_of_another_schema_leave_nothing_behind(tmp_path, text, said):
    raw = tmp_path / "raw"
    raw.mkdir()
    (raw / "train.csv").write_bytes(text)

    with pytest.raises(RawDataError, match=said):
        prepare(SHIP, tmp_path / "d", raw=raw)
    assert leftovers(tmp_path / "d", SHIP) == [".prepare.lock"]


def test_raw_files_with_a_key_twice_are_refused(tmp_path, real):
    lines = (real / "train.csv").read_text().splitlines(keepends=True)
    (real / "train.csv").write_text("".join([*lines, lines[1]]))

    with pytest.raises(RawDataError, match="1 repeated"):
        prepare(SHIP, tmp_path / "d", raw=real)


def test_an_unknown_source_names_the_others(tmp_path):
    with pytest.raises(UnknownNameError, match="Did you mean kaggle"):
        prepare(TASK, tmp_path, "kagle")


def test_the_manifest_says_what_was_made_from_what(tmp_path):
    prepared = prepare(SHIP, tmp_path, "miniature", seed=3)
    text = json.loads((prepared.folder / "manifest.json").read_text())

    assert (text["competition_id"], text["variant"], text["source"], text["seed"]) == (
        "spaceship-titanic",
        "v1",
        "miniature",
        3,
    )
    assert set(text["raw"]) == {"train.csv"}
    assert text["tool_version"]


def test_what_is_not_prepared_may_also_lie_elsewhere(tmp_path):
    with pytest.raises(NotPreparedError) as caught:
        load_prepared(TASK, tmp_path)
    assert "--data-dir DIR, or MLE_AUDIT_DATA" in (caught.value.remedy or "")
    with pytest.raises(NotPreparedError, match=r"there is no data directory .*nope"):
        load_prepared(TASK, tmp_path / "nope")


def test_only_the_call_that_prepared_says_so(tmp_path):
    assert [prepare(TASK, tmp_path, force=f).is_new for f in (False, False, True)] == [
        True,
        False,
        True,
    ]


@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize(
    ("source", "raw", "said"),
    [
        pytest.param("kaggle", None, "not from Kaggle", id="kaggle"),
        pytest.param("local", "nope", "found nothing there", id="local"),
        pytest.param(None, "nope", "found nothing there", id="raw-alone"),
        pytest.param("embedded", "nope", "--raw goes with --source local", id="embedded"),
        pytest.param("mlebench", "nope", "--raw goes with --source local", id="mlebench"),
    ],
)
def test_a_source_that_cannot_serve_the_task_is_told_first(tmp_path, there, source, raw, said):
    if there:
        prepare(TASK, tmp_path)
    with pytest.raises(UsageError, match=said):
        prepare(TASK, tmp_path, source, tmp_path / raw if raw else None)


def test_another_source_may_replace_real_data_but_no_miniature_may(tmp_path, real):
    prepare(SHIP, tmp_path, raw=real)
    with pytest.raises(RefusedError) as caught:
        prepare(SHIP, tmp_path, "kaggle")
    assert "--source kaggle --force" in (caught.value.remedy or "")
    with pytest.raises(RefusedError) as caught:
        prepare(SHIP, tmp_path, "miniature")
    assert "--force" not in (caught.value.remedy or "")
    assert "--source miniature --data-dir DIR" in (caught.value.remedy or "")
