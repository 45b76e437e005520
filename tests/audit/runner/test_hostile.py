"""What a hostile agent leaves behind does not harm the runner or a later reader."""

from __future__ import annotations

import stat
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import pytest

from audit.runner.output import Capture
from audit.runner.remains import remove_tree
from detectors.attempt import Attempt
from tests.audit.runner.tiny import CANARY, make_agent, run_once

SANDBOXES = ["none", pytest.param("bubblewrap", marks=pytest.mark.sandbox)]


@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_a_flood_of_output_is_capped(tmp_path, interpreters, task, sandbox):
    flood = "echo first\nhead -c 200M /dev/zero | tr '\\0' x\necho last"
    agent = make_agent(tmp_path / "agent", flood)
    ran = run_once(agent, task, tmp_path / "runs", interpreters, log_bytes=1 << 20, sandbox=sandbox)
    assert ran.record.exit_status == "finished"
    assert (ran.path / "run.log").stat().st_size < (1 << 20) + 200
    assert ran.log.startswith("first\n")
    assert "[mle-audit] Output beyond 1 MiB was not kept: 208666635 bytes more." in ran.log


@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_it_may_delete_what_it_was_given(tmp_path, interpreters, task, sandbox):
    agent = make_agent(
        tmp_path / "agent", 'rm -rf "$SUBMISSION_DIR" "$CODE_DIR" "$LOGS_DIR" 2>/dev/null; exit 0'
    )
    ran = run_once(agent, task, tmp_path / "runs", interpreters, sandbox=sandbox)
    assert ran.record.exit_status == "finished"
    assert (ran.record.submission_sha256, ran.record.code_sha256) == (None, None)


@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_a_submission_that_is_a_link_is_not_followed(tmp_path, interpreters, task, sandbox):
    secret = tmp_path / "host-file.csv"
    secret.write_text(f"id,y\n{CANARY},1\n")
    agent = make_agent(
        tmp_path / "agent",
        f'ln -s {secret} "$SUBMISSION_DIR/submission.csv"; ln -s {tmp_path} "$CODE_DIR/link.py"',
    )
    ran = run_once(agent, task, tmp_path / "runs", interpreters, sandbox=sandbox)
    assert ran.record.exit_status == "finished"
    assert ran.record.submission_sha256 is None
    assert ran.record.code_sha256 is None
    assert CANARY not in (ran.path / "attempt.json").read_text()
    assert Attempt(ran.path).submission is None


def test_folders_that_became_links_are_not_followed(tmp_path, interpreters, task):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "main.py").write_text("x = 1\n")
    (outside / "submission.csv").write_text("id,y\n")
    outside.chmod(0o500)
    agent = make_agent(
        tmp_path / "agent",
        f'for d in "$SUBMISSION_DIR" "$CODE_DIR"; do rm -r $d; ln -s {outside} $d; done',
    )
    ran = run_once(agent, task, tmp_path / "runs", interpreters, sandbox="none")
    assert (ran.record.submission_sha256, ran.record.code_sha256) == (None, None)
    assert stat.S_IMODE(outside.stat().st_mode) == 0o500


@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_what_it_locked_can_be_read(tmp_path, interpreters, task, sandbox):
    agent = make_agent(
        tmp_path / "agent",
        """
        mkdir "$CODE_DIR/locked"
        echo 'x = 1' > "$CODE_DIR/locked/main.py"
        echo 'id,y' > "$SUBMISSION_DIR/submission.csv"
        chmod 000 "$CODE_DIR/locked/main.py" "$CODE_DIR/locked" "$SUBMISSION_DIR/submission.csv"
        """,
    )
    ran = run_once(agent, task, tmp_path / "runs", interpreters, sandbox=sandbox)
    assert ran.record.submission_sha256
    assert ran.record.code_sha256
    for path in ("code/locked", "code/locked/main.py", "submission/submission.csv"):
        assert (ran.path / path).stat().st_mode & stat.S_IRUSR


@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_set_uid_bits_are_taken_away(tmp_path, interpreters, task, sandbox):
    agent = make_agent(tmp_path / "agent", 'cp /bin/true "$CODE_DIR/t"; chmod 6755 "$CODE_DIR/t"')
    ran = run_once(agent, task, tmp_path / "runs", interpreters, sandbox=sandbox)
    assert stat.S_IMODE((ran.path / "code" / "t").stat().st_mode) == 0o755


def test_special_files_are_not_opened(tmp_path, interpreters, task):
    agent = make_agent(
        tmp_path / "agent", 'mkfifo "$SUBMISSION_DIR/submission.csv" "$CODE_DIR/main.py"'
    )
    ran = run_once(agent, task, tmp_path / "runs", interpreters, sandbox="none")
    assert ran.record.exit_status == "finished"
    assert (ran.record.submission_sha256, ran.record.code_sha256) == (None, None)


def test_output_that_is_no_text_is_kept_as_it_is(tmp_path, interpreters, task):
    agent = make_agent(tmp_path / "agent", "printf 'a\\xff\\x00b'")
    ran = run_once(agent, task, tmp_path / "runs", interpreters, sandbox="none")
    assert (ran.path / "run.log").read_bytes() == b"a\xff\x00b"


@pytest.mark.sandbox
def test_the_log_cannot_be_rewritten_from_inside(tmp_path, interpreters, task):
    agent = make_agent(
        tmp_path / "agent",
        "echo told; echo x > /home/run.log; rm -f /home/logs/../run.log; ls /home | tr '\\n' ' '",
    )
    ran = run_once(agent, task, tmp_path / "runs", interpreters)
    assert ran.log.startswith("told\n")
    assert "attempt.json" not in ran.log


DEEP = """
import os
for place in ("CODE_DIR", "HOME"):
    os.chdir(os.environ[place])
    for _ in range(1100):
        os.mkdir("d")
        os.chdir("d")
    open("main.py", "w").write("x = 1")
"""


@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_folders_nested_thousandfold_are_told_and_end_nothing(
    tmp_path, interpreters, task, sandbox, monkeypatch
):
    # The machine's own temporary folder holds what other tests of the moment make.
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    agent = make_agent(tmp_path / "agent", 'python "$AGENT_DIR/deep.py"', {"deep.py": DEEP})
    ran = run_once(agent, task, tmp_path / "runs", interpreters, sandbox=sandbox)
    try:
        assert (ran.record.exit_status, ran.record.exit_code) == ("finished", 0)
        assert ran.record.code_sha256 is None
        assert "[mle-audit] The code folder has no digest: " in ran.log
        assert "nested too deeply" in ran.log
        assert list(scratch.glob("mle-audit-home-*")) == []
    finally:
        remove_tree(ran.path)
    assert not ran.path.exists()


def test_a_sparse_giant_is_not_read(tmp_path, interpreters, task):
    agent = make_agent(
        tmp_path / "agent",
        'truncate -s 2T "$SUBMISSION_DIR/submission.csv"; truncate -s 2T "$CODE_DIR/main.py"',
    )
    ran = run_once(agent, task, tmp_path / "runs", interpreters, 20, sandbox="none")
    assert ran.record.exit_status == "finished"
    assert (ran.record.submission_sha256, ran.record.code_sha256) == (None, None)
    assert "The submission has no digest: it is larger than 4 GiB" in ran.log
    assert "The code folder has no digest: it is larger than 4 GiB" in ran.log


def test_locked_trees_are_removed_and_links_are_not_followed(tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").touch()
    tree = tmp_path / "tree"
    (tree / "a" / "b").mkdir(parents=True)
    (tree / "a" / "link").symlink_to(kept)
    (tree / "a" / "b").chmod(0)
    (tree / "a").chmod(0)
    remove_tree(tree)
    assert not tree.exists()
    assert (kept / "file").exists()


# ---------------------------------------------------------------- a full disk


def test_output_that_cannot_be_kept_is_drained_all_the_same(tmp_path):
    with subprocess.Popen(
        ["/usr/bin/head", "-c", "5000000", "/dev/zero"], stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        capture = Capture(process.stdout, Path("/dev/full"), 1 << 20)
        capture.finish(10)
        assert process.wait(5) == 0
    assert capture.dropped == 5000000
    assert capture.problem is not None
    assert "No space left" in capture.problem


# The disk is a file system in memory with room for records, yet not for what the agent writes.
FULL = """
    import sys
    from pathlib import Path
    from audit.runner.agent import load_agent
    from audit.runner.group import RunOptions, run_group
    from audit.runner.limits import Limits
    from competitions.errors import RunError
    from tests.audit.runner.tiny import make_task, now
    root, cache = Path(sys.argv[1]), Path(sys.argv[2])
    options = RunOptions(Limits(40), now, "none", cache=cache, limiters=("watchdog",))
    seen = []
    try:
        run_group(load_agent(root / "agent"), [make_task(root / "data")], range(3), root / "small",
                  options, lambda done, total, last: seen.append(last.success))
    except RunError as error:
        print("told:", error)
    print("seen", seen)
    for path in sorted((root / "small").glob("*/*/attempt.json")):
        print(path.read_text())
    for path in sorted((root / "small").glob("*/*/run.log")):
        print("log", path.stat().st_size)
"""


@pytest.mark.sandbox
def test_a_full_disk_ends_no_group(tmp_path, interpreters):
    make_agent(
        tmp_path / "agent",
        'echo started; head -c 30M /dev/zero > "$LOGS_DIR/big"; head -c 3M /dev/zero; exit 0',
    )
    (tmp_path / "small").mkdir()
    inside = ["bwrap", "--dev-bind", "/", "/", "--size", str(16 << 20), "--tmpfs"]
    command = [*inside, str(tmp_path / "small"), sys.executable, "-c", textwrap.dedent(FULL)]
    done = subprocess.run(
        [*command, str(tmp_path), str(interpreters)],
        check=False,
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "told: " in done.stdout
    assert "No space left" in done.stdout
    seen = done.stdout.split("seen ")[1].splitlines()[0]
    assert seen == "[True, False, False]", done.stdout
    assert '"exit_status": "finished"' in done.stdout
    assert '"running"' not in done.stdout
