"""A changed file of the harness is told, and what is no change is not."""

from __future__ import annotations

import os
import shutil

import pytest

from audit.runner.harness import MAX_BY_NAME, MAX_READ_BYTES, MAX_REPORTED, Harness
from tests.audit.runner.tiny import make_agent, make_task, run_once

OLD = 1_700_000_000


@pytest.fixture
def data(tmp_path):
    """A data folder with small files, a large one, and folders."""
    folder = tmp_path / "data"
    (folder / "images").mkdir(parents=True)
    for name, text in (("train.csv", "id,y\n1,0\n"), ("sample_submission.csv", "id,y\n2,0\n")):
        (folder / name).write_text(text)
    (folder / "images" / "0.png").write_bytes(b"png")
    (folder / "large.bin").write_bytes(b"x" * (MAX_READ_BYTES + 1))
    return folder


def after(data, change, **options) -> tuple[str, ...]:
    harness = Harness()
    harness.watch("data", data, **options)
    change(data)
    return harness.changed()


def keep_times(path, write):
    stat = path.stat()
    write(path)
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def link_over(path):
    path.unlink()
    path.symlink_to("/dev/null")


@pytest.mark.parametrize(
    ("change", "names"),
    [
        pytest.param(lambda d: (d / "train.csv").write_text("id,y\n1,1\n"), ["data/train.csv"],
                     id="content-of-the-same-size"),
        pytest.param(lambda d: (d / "train.csv").unlink(), ["data/train.csv"], id="gone"),
        pytest.param(lambda d: shutil.rmtree(d / "images"), ["data/images/0.png"], id="folder"),
        pytest.param(lambda d: (d / "train.csv").chmod(0o777), ["data/train.csv"], id="mode"),
        pytest.param(lambda d: link_over(d / "train.csv"),
                     ["data/train.csv"], id="a-link-over-it"),
        pytest.param(lambda d: keep_times(d / "train.csv", lambda p: p.write_text("id,y\n1,1\n")),
                     ["data/train.csv"], id="times-put-back"),
        pytest.param(lambda d: keep_times(d / "large.bin", lambda p: p.write_bytes(
            b"y" * (MAX_READ_BYTES + 1))), ["data/large.bin"], id="large-with-times-put-back"),
        pytest.param(lambda d: (d / "large.bin").write_bytes(b""), ["data/large.bin"], id="cut"),
    ],
)  # fmt: skip
def test_a_changed_file_is_named(data, change, names):
    assert list(after(data, change)) == names


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda _d: None, id="nothing"),
        pytest.param(lambda d: (d / "train.csv").read_text(), id="read"),
        pytest.param(lambda d: (d / "cache.pkl").write_text("x"), id="a-new-file-beside"),
        pytest.param(lambda d: os.utime(d / "train.csv", (OLD, OLD)), id="touched-only"),
        pytest.param(lambda d: os.link(d / "large.bin", d.parent / "l"), id="linked-to"),
        pytest.param(lambda d: os.link(d / "train.csv", d.parent / "t"), id="small-one-linked"),
        pytest.param(lambda d: (d / "__pycache__").mkdir(), id="compiled-python"),
    ],
)  # fmt: skip
def test_what_is_no_change_is_not_told(data, change):
    assert after(data, change) == ()


def test_attempts_that_lie_in_a_folder_are_left_out(data):
    def change(folder):
        (folder / "images" / "0.png").write_text("other")

    assert after(data, change, without=[data / "images"]) == ()


def test_a_folder_of_very_many_files_is_one_thing(tmp_path):
    many = tmp_path / "data" / "images"
    many.mkdir(parents=True)
    for number in range(MAX_BY_NAME + 1):
        (many / f"{number}.png").touch()

    assert after(tmp_path / "data", lambda _d: None) == ()
    assert after(tmp_path / "data", lambda _d: (many / "7.png").unlink()) == ("data/images/",)


def test_links_are_not_followed(data, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a").write_text("x")
    (data / "out").symlink_to(outside)
    (data / "loop").symlink_to(data)

    assert after(data, lambda _d: (outside / "a").write_text("other")) == ()


def test_a_single_file_and_one_that_is_not_there(tmp_path):
    path = tmp_path / "instructions.txt"
    harness = Harness()
    harness.watch("nothing", tmp_path / "nothing")
    path.write_text("rules")
    harness.watch("instructions.txt", path)
    path.write_text("no rules")

    assert harness.changed() == ("instructions.txt",)


def test_no_more_than_some_are_named(tmp_path):
    for number in range(MAX_REPORTED + 10):
        (tmp_path / f"{number}").write_text("x")

    assert len(after(tmp_path, lambda d: [p.unlink() for p in d.iterdir()])) == MAX_REPORTED


CHANGES = """
chmod -R u+w "$DATA_DIR" "$AGENT_DIR" 2>/dev/null
echo 'id,y' > "$DATA_DIR/sample_submission.csv"
rm -f "$AGENT_DIR/notes.txt"
echo 'no rules' >> "$INSTRUCTIONS"
echo new > "$DATA_DIR/cache.txt"
true
"""


@pytest.mark.parametrize(
    ("sandbox", "changed"),
    [
        pytest.param(
            "none",
            ("agent/notes.txt", "data/sample_submission.csv", "instructions.txt"),
            id="without-a-sandbox-what-was-changed-is-on-record",
        ),
        pytest.param(
            "bubblewrap", (), id="in-a-sandbox-nothing-changes", marks=pytest.mark.sandbox
        ),
    ],
)
def test_the_record_names_what_an_attempt_changed(tmp_path, interpreters, sandbox, changed):
    task = make_task(tmp_path / "data")
    agent = make_agent(tmp_path / "agent", CHANGES, {"notes.txt": "of the agent\n"})
    ran = run_once(agent, task, tmp_path / "runs", interpreters, 30, sandbox=sandbox)

    assert ran.record.exit_status == "finished", ran.log
    assert ran.record.harness_changed == changed
