"""What could not be read is told in words, without the system's numbers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import audit.runner
from audit.selection import chosen_competitions
from competitions.errors import UsageError

SCRIPT = Path(audit.runner.__path__[0]) / "validate_submission.sh"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(None, "no such file or directory", id="missing"),
        pytest.param(b"\xff\xfe", "no UTF-8 text at byte 0", id="binary"),
    ],
)
def test_a_set_that_cannot_be_read_is_told_in_words(tmp_path, content, said):
    if content is not None:
        (tmp_path / "set.txt").write_bytes(content)
    with pytest.raises(UsageError, match=said) as caught:
        chosen_competitions(file=tmp_path / "set.txt")
    assert "Errno" not in str(caught.value)


def test_a_file_that_is_not_there_is_no_silent_server(tmp_path):
    environment = {"VALIDATION_URL": "http://127.0.0.1:9/validate", "PATH": "/usr/bin:/bin"}
    (tmp_path / "there.csv").write_text("id,y\n")
    told = []
    for name in ("nope.csv", "there.csv"):
        done = subprocess.run(
            ["/bin/bash", str(SCRIPT), name], env=environment, cwd=tmp_path, capture_output=True,
            text=True, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stdout) == (2, "")
        told.append(done.stderr)

    assert told == [
        "Not checked: there is no file nope.csv\n",
        "There was no answer: Connection refused\n",
    ]


def test_a_place_that_cannot_be_written_is_told_in_words(tmp_path):
    (tmp_path / "file").write_text("")
    words = ["prepare", "-c", "breast-cancer", "--data-dir", str(tmp_path / "file" / "below")]
    done = subprocess.run(
        [sys.executable, "-m", "audit.cli", *words], capture_output=True, text=True, check=False
    )

    assert done.returncode == 3
    assert "error[os]: " in done.stderr
    assert f"{tmp_path / 'file'}" in done.stderr
    assert "Errno" not in done.stderr
