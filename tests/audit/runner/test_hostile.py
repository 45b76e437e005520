"""What a hostile agent leaves behind does not harm the runner or a later reader."""

from __future__ import annotations

import stat

import pytest

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
    outside.mkdir(mode=0o500)
    (outside / "main.py").write_text("x = 1\n")
    (outside / "submission.csv").write_text("id,y\n")
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
