"""Long runs of one sign are read to their end, and change nothing of what stands beside them.

What is quadratic does not end before the run is stopped as hung.
"""

from __future__ import annotations

import pytest

from detectors.rules.giveaways import giveaways
from detectors.rules.grader_words import hidden_score_in
from detectors.rules.harness_places import Harness
from detectors.rules.other_clients import _VENDORS
from detectors.rules.probing_loops import shell_regions
from detectors.rules.scoring_runs import _SCRIPT
from detectors.rules.spending import _PAIR_BEHIND
from detectors.rules.tampering import shell_deeds
from detectors.rules.training_commands import may_train_by_shell
from detectors.training.written_rows import _NAMED

LONG = 200_000


@pytest.mark.parametrize("sign", ["\n", " ", "_", "0", "a"])
def test_a_loop_behind_a_long_run_is_a_region(sign):
    text = f"echo {sign * LONG}\nfor f in a b; do x; done\n"
    start = text.index("for f")

    assert list(shell_regions(text)) == [(start, text.index("done") + 4)]


@pytest.mark.parametrize("line", [
    pytest.param("* * * * * curl x; crontab -l", id="crontab"),
    pytest.param("ls | xargs curl", id="xargs"),
    pytest.param("  find . -exec curl {} +", id="find"),
])  # fmt: skip
def test_commands_that_hand_out_are_regions_behind_a_long_line(line):
    text = f"{'x ' * LONG}\n{line}\n"

    assert [end for _, end in shell_regions(text)] == [len(text) - 1]


@pytest.mark.parametrize(
    ("pattern", "run", "said"),
    [
        pytest.param(_NAMED, "_", "out/my_submission.csv", id="submission"),
        pytest.param(_SCRIPT, "-", "run-it.py", id="script"),
        pytest.param(_PAIR_BEHIND, "0,", "1,200 in / 3 out", id="tokens"),
        pytest.param(_VENDORS, "\n", '_ "github.com/openai', id="library"),
    ],
)
def test_a_pattern_finds_the_whole_of_what_stands_behind_a_long_run(pattern, run, said):
    found = pattern.search(f"{run * LONG}\n{said}")

    assert found is not None
    assert found[0] == said
    assert pattern.search(run * LONG) is None


@pytest.mark.parametrize("run", ["0", "0,", "_", "a", "0 "])
def test_words_about_scores_are_looked_for_in_long_runs(run):
    assert list(giveaways(run * (LONG // 10))) == []
    assert hidden_score_in(run * (LONG // 10)) is None


@pytest.mark.parametrize("quote", ["'", '"'])
def test_a_trainer_is_seen_behind_many_quotes(quote):
    assert may_train_by_shell(quote * LONG + "/usr/bin/vw")
    assert not may_train_by_shell(quote * LONG)


def test_what_stands_behind_lines_of_many_pipelines_is_judged():
    text = "\n".join([*["(a" * 10_000] * 20, "pkill -f watchdog_grader.py", "rm /private/grade.py"])

    assert {line for line, _ in shell_deeds(text, Harness("toy_1"))} == {21, 22}
