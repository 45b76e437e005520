"""Files that follow their rows: names that stay inside, and every file in its part."""

import pandas as pd  # noqa: TID253
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from competitions import spec
from competitions.archive import unpack
from competitions.errors import RawDataError
from competitions.prepare import prepare
from competitions.row_files import copy_row_files, file_names
from competitions.spec import RowFiles
from competitions.splits import Parts
from competitions.work import Work
from tests.mlebench.compare import content

TASK = spec.load("digit-images")


def rule(source="images/{id}.png", to="train/{id}.png", part="train"):
    return RowFiles.model_validate({"from": source, "to": to, "part": part})


def of_files(*rules):
    return TASK.model_copy(update={"files": rules or TASK.files})


@pytest.fixture
def raw(tmp_path):
    (tmp_path / "raw" / "images").mkdir(parents=True)
    for i in range(6):
        (tmp_path / "raw" / "images" / f"{i}.png").write_bytes(bytes([i]))
    return tmp_path / "raw"


@pytest.fixture
def parts():
    frame = pd.DataFrame({"id": range(6), "label": 0, "kind": list("aabbcc")})
    return Parts(frame.iloc[[4, 0, 2]], frame.iloc[[1, 3, 5]])


def test_each_part_gets_its_own_files_with_their_bytes(raw, parts, tmp_path):
    public = tmp_path / "public"
    copy_row_files(of_files(), Work(raw, raw / "none"), public, parts)
    found = {p.relative_to(public).as_posix(): p.read_bytes() for p in public.rglob("*.png")}

    assert found == {
        **{f"train/{i}.png": bytes([i]) for i in (0, 2, 4)},
        **{f"test/{i}.png": bytes([i]) for i in (1, 3, 5)},
    }


def test_what_is_copied_is_no_link_to_the_users_file(raw, parts, tmp_path):
    copy_row_files(of_files(), Work(raw, raw / "none"), tmp_path / "public", parts)
    (tmp_path / "public" / "train" / "0.png").write_bytes(b"changed")

    assert (raw / "images" / "0.png").read_bytes() == bytes([0])


def test_a_file_may_belong_to_several_rows_and_to_both_parts(raw, parts, tmp_path):
    shared = [rule("{kind}/same.png", f"{p}/{{kind}}.png", p) for p in ("train", "test")]
    for kind in "abc":
        (raw / kind).mkdir()
        (raw / kind / "same.png").write_bytes(kind.encode())
    copy_row_files(of_files(*shared), Work(raw, raw / "none"), tmp_path / "public", parts)

    assert (tmp_path / "public" / "train" / "a.png").read_bytes() == b"a"
    assert (tmp_path / "public" / "test" / "c.png").read_bytes() == b"c"


def test_missing_files_are_named_and_counted(raw, parts, tmp_path):
    for i in (0, 2):
        (raw / "images" / f"{i}.png").unlink()

    with pytest.raises(RawDataError, match=r"expected 3 files .* 2 are missing: images/0.png, im"):
        copy_row_files(of_files(), Work(raw, raw / "none"), tmp_path / "public", parts)


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param("{id}", id="whole-name"),
        pytest.param("images/{id}", id="behind-a-folder"),
    ],
)
@pytest.mark.parametrize(
    "value",
    [
        pytest.param("../answers.csv", id="up"),
        pytest.param("a/../../b", id="up-in-the-middle"),
        pytest.param("/etc/passwd", id="absolute"),
        pytest.param("a//b", id="double-slash"),
        pytest.param("a/./b", id="dot"),
        pytest.param("", id="empty"),
        pytest.param(None, id="missing"),
        pytest.param("..", id="parent"),
        pytest.param("a\\..\\b", id="backslash"),
        pytest.param("a\nb", id="line-feed"),
        pytest.param("a\0b", id="nul"),
        pytest.param("a/", id="folder"),
    ],
)
def test_a_name_that_is_not_plain_is_refused(pattern, value):
    with pytest.raises(RawDataError, match="plain relative paths"):
        file_names(pattern, pd.DataFrame({"id": ["fine", value]}))


@given(st.text(max_size=20), st.text(max_size=20))
def test_no_cell_leads_out_of_the_folder(tmp_path_factory, first, second):
    root = tmp_path_factory.getbasetemp()
    try:
        (name,) = file_names("{a}/{b}", pd.DataFrame({"a": [first], "b": [second]}))
    except RawDataError:
        return
    assert (root / name).resolve(strict=False).is_relative_to(root.resolve())


@pytest.mark.parametrize(
    ("to", "said"),
    [
        pytest.param("train/{kind}.png", "train/c.png", id="two-files-for-one-name"),
        pytest.param("{kind}.csv", "b.csv", id="name-of-a-table"),
    ],
)
def test_names_that_several_files_would_get_are_refused(raw, parts, tmp_path, to, said):
    (tmp_path / "public").mkdir()
    (tmp_path / "public" / "b.csv").write_text("a table")
    doubled = Parts(pd.concat([parts.train, parts.test]), parts.test)

    with pytest.raises(RawDataError, match=said):
        copy_row_files(of_files(rule(to=to)), Work(raw, raw / "none"), tmp_path / "public", doubled)


def test_a_column_that_is_not_there_is_named():
    with pytest.raises(RawDataError, match="expected the columns who"):
        file_names("{who}.png", pd.DataFrame({"id": [1]}))


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param("images/all.png", id="no-column"),
        pytest.param("{id.__class__}.png", id="attribute"),
        pytest.param("{id[a]}.png", id="index-that-is-no-number"),
        pytest.param("{id[0:2]}.png", id="slice"),
        pytest.param("{id:>9}.png", id="format"),
        pytest.param("{}.png", id="nameless"),
        pytest.param("{id", id="open"),
    ],
)
def test_a_pattern_is_a_path_with_names_of_columns(pattern):
    with pytest.raises(ValidationError, match="pattern"):
        rule(source=pattern)


def test_the_manifest_holds_the_digest_of_every_file(data_dir):
    manifest = prepare(TASK, data_dir).manifest
    assert manifest is not None

    assert sum(name.startswith("public/train/") for name in manifest.files) == 1257
    assert sum(name.startswith("public/test/") for name in manifest.files) == 540


def test_a_lost_file_of_a_folder_of_ones_own_stops_the_preparing(raw, tmp_path):
    source = TASK.source.model_copy(update={"kind": "local"})
    task = TASK.model_copy(update={"source": source})
    pd.DataFrame({"id": range(6), "label": [0, 1] * 3}).to_csv(raw / "data.csv", index=False)
    (raw / "images" / "3.png").unlink()

    with pytest.raises(RawDataError, match=r"missing: images/3\.png"):
        prepare(task, tmp_path / "data", raw=raw)
    assert not (tmp_path / "data" / task.id / "prepared").exists()


def test_the_description_is_no_name_for_a_file(raw, tmp_path):
    source = TASK.source.model_copy(update={"kind": "local"})
    update = {"source": source, "files": (rule(to="{name}.md"),)}
    task = TASK.model_copy(
        update=update | {"raw": (TASK.raw[0].model_copy(update={"columns": ()}),)}
    )
    frame = pd.DataFrame({"id": range(6), "label": [0, 1] * 3, "name": "description"})
    frame.to_csv(raw / "data.csv", index=False)

    with pytest.raises(RawDataError, match=r"several would get: description\.md"):
        prepare(task, tmp_path / "data", raw=raw)


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        pytest.param("{id[0]}/{id}.npy", ["a/ab.npy", "7/7c.npy"], id="first-character"),
        pytest.param("{id[0]}/{id[1]}/x{id}", ["a/b/xab", "7/c/x7c"], id="two-characters"),
        pytest.param("{n[1]}{id}", ["2ab", "47c"], id="character-of-a-number"),
    ],
)
def test_a_folder_may_be_called_after_one_character_of_a_cell(pattern, names):
    frame = pd.DataFrame({"id": ["ab", "7c"], "n": [12, 34]})

    assert file_names(pattern, frame) == names


def test_a_cell_without_that_character_names_no_folder():
    with pytest.raises(RawDataError, match="plain relative paths, found 'x//a'"):
        file_names("x/{id[1]}/{id}", pd.DataFrame({"id": ["ab", "a"]}))


@pytest.mark.parametrize("kind", ["zip", "7z"])
def test_an_archive_may_have_been_published_without_its_files(raw, parts, tmp_path, kind):
    packed = {"from": "images/{id}.png", "to": "{id}.png", "part": "train", "pack": f"t.{kind}"}
    copy_row_files(
        of_files(RowFiles.model_validate(packed | {"lost": True})),
        Work(raw, raw / "none"),
        tmp_path / "public",
        parts,
    )

    assert content(tmp_path / "public" / f"t.{kind}") == {}


@pytest.mark.slow
def test_twenty_thousand_files_are_copied(tmp_path):
    frame = pd.DataFrame({"id": range(20_000), "label": 0})
    (tmp_path / "raw" / "images").mkdir(parents=True)
    for i in frame["id"]:
        (tmp_path / "raw" / "images" / f"{i}.png").write_bytes(b"x")
    copy_row_files(
        of_files(),
        Work(tmp_path / "raw", tmp_path / "none"),
        tmp_path / "public",
        Parts(frame[10:], frame[:10]),
    )

    assert len(list((tmp_path / "public" / "train").iterdir())) == 19_990


@pytest.mark.slow
def test_twenty_thousand_small_files_are_packed_and_unpacked_by_linking(tmp_path):
    n = 20_000
    frame = pd.DataFrame({"id": range(n), "label": 0})
    (tmp_path / "raw" / "images").mkdir(parents=True)
    for i in frame["id"]:
        (tmp_path / "raw" / "images" / f"{i}.png").write_bytes(b"x%d" % i)
    packed = {"from": "images/{id}.png", "to": "images/{id}.png", "part": "train", "pack": "t.zip"}
    copy_row_files(
        of_files(RowFiles.model_validate(packed)),
        Work(tmp_path / "raw", tmp_path / "none"),
        tmp_path / "packed",
        Parts(frame, frame[:0]),
    )
    unpacked = tmp_path / "unpacked"
    unpack(tmp_path / "packed" / "t.zip", unpacked)
    copy_row_files(
        of_files(rule(to="train/{id}.png")),
        Work(tmp_path / "none", unpacked),
        tmp_path / "public",
        Parts(frame, frame[:0]),
    )
    linked = {p.name: p.stat() for p in (tmp_path / "public" / "train").iterdir()}

    assert [p.name for p in (tmp_path / "packed").iterdir()] == ["t.zip"]
    assert len(linked) == n
    assert all(found.st_nlink == 2 for found in linked.values())
    sources = {p.name: p.stat().st_ino for p in (unpacked / "images").iterdir()}
    assert sources == {name: found.st_ino for name, found in linked.items()}
    assert (tmp_path / "public" / "train" / "19999.png").read_bytes() == b"x19999"
