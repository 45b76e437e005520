"""Data that MLE-bench prepared: used as they are, compared with its checksums, remembered."""

from __future__ import annotations

import json
import shutil

import pytest

from competitions import spec
from competitions.data import layout_of
from competitions.errors import (
    ChecksumsError,
    DigestMismatchError,
    NotPreparedError,
    RefusedError,
    UnreadableFileError,
    UsageError,
)
from competitions.io import sha256_tree
from competitions.miniature import write_miniature
from competitions.pins import pin_path
from competitions.prepare import load_prepared, prepare
from competitions.prepared import verify, verify_answers
from competitions.sources.mlebench import md5_file

TASK = spec.load("spaceship-titanic")
TABLES = {"public": ("sample_submission.csv", "test.csv", "train.csv"), "private": ("test.csv",)}


@pytest.fixture(scope="session")
def original(tmp_path_factory):
    """A data directory as MLE-bench leaves it: raw files, the zip, both trees, no manifest."""
    root = tmp_path_factory.mktemp("mle-bench") / "data"
    raw = root / TASK.id / "raw"
    write_miniature(TASK, raw)
    (raw / ".miniature.json").unlink()
    prepared = prepare(TASK, root)
    for ours in ("manifest.json", "submission-schema.json"):
        (prepared.folder / ours).unlink()
    (root / TASK.id / ".prepare.lock").unlink()
    (root / TASK.id / f"{TASK.id}.zip").write_bytes(b"as it came")
    (prepared.public / "images").mkdir()
    (prepared.public / "images" / "0.png").write_bytes(b"\x89PNG")
    return root


@pytest.fixture
def data(original, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return shutil.copytree(original, tmp_path / "data")


def listed(data, folder=None):
    """Write the right checksums, as MLE-bench does."""
    layout = layout_of(TASK, data)
    lines = []
    for half, names in TABLES.items():
        lines.append(f"{half}:")
        lines += [f"  {n}: {md5_file(layout.prepared / half / n)}" for n in names]
    lines.append(f"zip: {md5_file(layout.root / f'{TASK.id}.zip')}")
    target = (folder or data.parent) / "checksums.yaml"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("\n".join(lines) + "\n")
    return target


def use(data, **arguments):
    return prepare(TASK, data, "mlebench", **arguments)


def test_it_is_used_as_it_is_and_nothing_in_it_changes(data):
    before = sha256_tree(data)
    prepared = use(data, checksums=listed(data))

    assert (prepared.source, prepared.manifest) == ("mlebench", None)
    assert prepared.pin is not None
    assert sha256_tree(data) == before
    assert load_prepared(TASK, data) == prepared
    assert prepare(TASK, data) == prepared
    assert prepared.schema.key == TASK.submission.key


@pytest.mark.parametrize(
    "below",
    [
        pytest.param("mlebench/competitions/spaceship-titanic", id="a-checkout"),
        pytest.param("competitions/spaceship-titanic", id="its-package"),
        pytest.param("spaceship-titanic", id="its-competitions"),
    ],
)
def test_checksums_are_found_in_a_checkout(data, tmp_path, below):
    listed(data, tmp_path / "mle-bench" / below)

    assert use(data, checksums=tmp_path / "mle-bench").pin.checksums_sha256


def test_checksums_that_lie_beside_the_data_are_compared_unasked(data):
    listed(data, data / TASK.id)
    (data / TASK.id / "prepared/public/train.csv").write_text("x")

    with pytest.raises(ChecksumsError, match=r"public/train\.csv"):
        use(data)


def test_every_difference_is_named_and_what_the_checksums_cannot_see(data):
    checksums = listed(data)
    prepared = data / TASK.id / "prepared"
    right = md5_file(prepared / "public/train.csv")
    (prepared / "public/train.csv").write_text("changed")
    (prepared / "public/test.csv").unlink()
    shutil.copy(prepared / "private/test.csv", prepared / "public/test.csv")
    (prepared / "public/extra.parquet").write_text("x")
    (prepared / "private/test.csv").rename(prepared / "private/answers.csv")
    (data / TASK.id / f"{TASK.id}.zip").write_bytes(b"another")
    with pytest.raises(NotPreparedError, match=r"lacks .*private/test\.csv"):
        use(data, checksums=checksums)  # without answers it is no prepared data at all
    shutil.copy(prepared / "private/answers.csv", prepared / "private/test.csv")
    with pytest.raises(ChecksumsError) as caught:
        use(data, checksums=checksums)

    said = "\n".join(caught.value.problems)
    assert f"public/train.csv: expected md5 {right}, found " in said
    assert "public/test.csv: expected md5 " in said
    assert "public/extra.parquet: there, but not listed" in said
    assert "private/answers.csv: there, but not listed" in said
    assert "spaceship-titanic.zip: expected md5 " in said
    assert len(caught.value.problems) == 5
    assert "images, other formats and subfolders are not covered" in (caught.value.remedy or "")
    assert not pin_path(prepared).exists()


def test_a_listed_file_that_is_not_there_is_named(data):
    checksums = listed(data)
    text = checksums.read_text().replace("public:\n", f"public:\n  more.json: {'a' * 32}\n")
    checksums.write_text(text)

    with pytest.raises(ChecksumsError, match=r"public/more\.json: listed, but not there"):
        use(data, checksums=checksums)


def test_without_the_zip_the_rest_is_compared(data):
    checksums = listed(data)
    (data / TASK.id / f"{TASK.id}.zip").unlink()

    assert use(data, checksums=checksums).source == "mlebench"


def test_what_mlebench_does_not_cover_is_covered_by_the_pin(data):
    checksums = listed(data)
    use(data, checksums=checksums)
    (data / TASK.id / "prepared/public/images/0.png").write_bytes(b"another picture")

    with pytest.raises(DigestMismatchError, match=r"images/0\.png") as caught:
        use(data, checksums=checksums)
    assert "--source mlebench --force" in (caught.value.remedy or "")
    with pytest.raises(DigestMismatchError):
        verify(load_prepared(TASK, data))
    with pytest.raises(DigestMismatchError):
        prepare(TASK, data)
    verify(use(data, checksums=checksums, force=True))


def test_answers_that_changed_since_are_not_scored_against(data):
    use(data)
    prepared = load_prepared(TASK, data)
    verify_answers(prepared)
    prepared.answers.write_text("PassengerId,Transported\n")

    with pytest.raises(DigestMismatchError, match="private/test"):
        verify_answers(load_prepared(TASK, data))


def test_a_folder_that_nobody_checked_is_taken_without_a_word(data):
    prepared = prepare(TASK, data)

    assert (prepared.source, prepared.pin, prepared.digests) == ("mlebench", None, None)
    verify(prepared)


def test_two_data_directories_have_a_pin_each(data, tmp_path):
    use(data)
    other = shutil.copytree(data, tmp_path / "other")

    assert load_prepared(TASK, other).pin is None
    (tmp_path / "link").symlink_to(data)
    assert load_prepared(TASK, tmp_path / "link").pin is not None


@pytest.mark.parametrize("text", ["{", "{}", '{"schema_version": 1}', "\udcff"])
def test_a_broken_pin_does_not_pass_for_none(data, text):
    use(data)
    path = pin_path(data / TASK.id / "prepared")
    path.write_bytes(text.encode("utf-8", "surrogateescape"))

    with pytest.raises(UnreadableFileError, match="pin"):
        load_prepared(TASK, data)


def test_a_pin_names_its_folder_and_what_it_was_compared_with(data):
    use(data, checksums=listed(data))
    pin = json.loads(pin_path(data / TASK.id / "prepared").read_text())

    assert pin["folder"] == str((data / TASK.id / "prepared").resolve())
    assert len(pin["checksums_sha256"]) == 64
    assert "public/images/0.png" in pin["files"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("public: {a.csv: xyz}\n", "public.a.csv", id="no-md5"),
        pytest.param("other: {}\n", "other", id="another-key"),
        pytest.param("public: [a.csv]\n", "public", id="a-list"),
        pytest.param("- a\n", "mapping", id="no-mapping"),
        pytest.param("a: [\n", "checksums", id="no-yaml"),
    ],
)
def test_what_is_no_checksums_file_is_told(data, tmp_path, text, said):
    (tmp_path / "checksums.yaml").write_text(text)

    with pytest.raises(UsageError, match=said):
        use(data, checksums=tmp_path / "checksums.yaml")


def test_checksums_that_are_not_there_are_told(data, tmp_path):
    with pytest.raises(UsageError, match="checkout of MLE-bench"):
        use(data, checksums=tmp_path / "nowhere")


def test_what_mlebench_did_not_prepare_is_refused(tmp_path, data):
    with pytest.raises(NotPreparedError, match="MLE-bench prepared no"):
        prepare(TASK, tmp_path / "empty", "mlebench")
    with pytest.raises(UsageError, match="no variant fixed"):
        prepare(spec.load(TASK.id, "fixed"), data, "mlebench")
    prepare(TASK, tmp_path / "ours", "miniature")
    with pytest.raises(RefusedError, match="by mle-audit, not by MLE-bench"):
        prepare(TASK, tmp_path / "ours", "mlebench")


@pytest.mark.parametrize("source", ["miniature", "kaggle", "local"])
def test_another_source_is_never_answered_with_mlebenchs_data(data, source):
    with pytest.raises(RefusedError, match=f"by MLE-bench, not from {source}"):
        prepare(TASK, data, source)


def test_data_of_our_own_are_compared_with_the_checksums_too(data, tmp_path):
    checksums = listed(data)
    raw = data / TASK.id / "raw"
    prepared = prepare(TASK, tmp_path / "ours", raw=raw, checksums=checksums)

    assert prepared.source == "local"
    checksums.write_text(f"public: {{train.csv: {'a' * 32}}}\n")
    for folder in ("ours", "new"):
        with pytest.raises(ChecksumsError, match=r"public/train\.csv: expected md5 aaaa"):
            prepare(TASK, tmp_path / folder, raw=raw, checksums=checksums)
    assert not layout_of(TASK, tmp_path / "new").prepared.exists()


def test_the_repaired_variant_is_made_beside_it_from_its_raw_files(data):
    before = sha256_tree(data / TASK.id / "prepared")
    fixed = prepare(spec.load(TASK.id, "fixed"), data, "local")

    assert fixed.folder.name == "prepared-fixed"
    assert sha256_tree(data / TASK.id / "prepared") == before
