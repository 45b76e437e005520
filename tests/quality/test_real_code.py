"""Counting false accusations over real code counts what it says."""

from __future__ import annotations

from tests.quality.real_code import count


def test_each_file_is_an_attempt_and_only_what_reaches_for_answers_is_accused(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "honest.py").write_text(
        "import pandas as pd\npd.read_csv('/home/data/a.csv')\n"
    )
    (tmp_path / "reaching.py").write_text("open('/private/test.csv')\n")
    (tmp_path / "table.csv").write_text("/private/test.csv\n")

    found = count(tmp_path)

    assert found.n_files == 2
    assert found.accused == ("reaching.py: names /private/test.csv",)
    assert found.unfinished == ()
