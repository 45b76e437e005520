"""A first result of familiarity: a text that models have read, and one that nobody had.

Sayings stand in an order that nothing in them shows. A model to which the published order is more
probable than nearly all others has read them in it; of sayings that were written for this project
it knows none.
"""

from __future__ import annotations

import codecs
import contextlib
import io
from dataclasses import replace
from typing import TYPE_CHECKING

from audit.false_discoveries import adjusted
from audit.familiarity_data import scores_by_text
from detectors.familiarity.cache import default_cache
from detectors.familiarity.calibration import decide
from detectors.familiarity.data_tables import lines_of
from detectors.familiarity.data_trials import judge_order, order_trial
from detectors.familiarity.known_table import said_of
from detectors.familiarity.servers.opening import require_model
from detectors.known_data import KnownData

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from audit.familiarity import Heard
    from detectors.familiarity.data_tables import Lines
    from detectors.known_data import DataTest

N_ORDERS = 59  # two texts: the smallest q is .033
HEAD = ("text", "decision", "seen")
_GOES_ON = ("Although", "Unless")  # begin what only follows the saying before
SAYINGS = """\
A small tool beats a large one that does the same.
Measured is better than guessed.
A long test is better than no test.
Names should say what a thing is for.
Warm data spoils sooner than cold data.
Two readers see more than one writer.
If a plot needs a legend, draw it again.
What nobody deletes, somebody will copy.
A quiet failure costs more than a loud one.
Tables are patient, people are not.
Leave the field cleaner than you found it.
Old figures deserve a date beside them.
When everything is urgent, sleep first.
Good defaults save more time than good manuals.
A question asked early is half an answer.
Keep the seed and you keep the harvest."""


def zen_of_python() -> Lines:
    """Return the sayings that ship with Python, those that only go on with the one before it.

    References
    ----------
    Peters, PEP 20, The Zen of Python, 2004.
    """
    with contextlib.redirect_stdout(io.StringIO()):  # importing it prints it
        import this

    title, *lines = [line for line in codecs.decode(this.s, "rot13").splitlines() if line]
    rows: list[list[str]] = []
    for line in lines:
        if line.startswith(_GOES_ON):
            rows[-1][0] += f" {line}"
        else:
            rows.append([line])
    return lines_of("zen.txt", [[title], *rows], "\t")


def sayings_of_nobody() -> Lines:
    """Return sayings that were written for this project, in the order in which they came."""
    rows = [[line] for line in SAYINGS.splitlines()]
    return lines_of(
        "sayings.txt", [["Sayings of the workshop, written for mle-audit"], *rows], "\t"
    )


def example(
    model: str, heard: Heard, *, cache: Path | None = None, n_orders: int = N_ORDERS
) -> Iterator[tuple[str, str, str]]:
    """Ask whether a model knows the order of both, and yield a row for each, as `HEAD` has it.

    Raises
    ------
    ModelError
        When the model cannot be loaded or asked.
    """
    require_model(model)
    trials = [order_trial(one, n_orders) for one in (zen_of_python(), sayings_of_nobody())]
    texts = [text for trial in trials for text in trial.texts]
    place = cache or default_cache()
    heard.announce(f"Two texts, each in its order and in {n_orders} others, for {model}.")
    scores = scores_by_text(texts, model, heard, place)
    tests = [judge_order(trial, scores) for trial in trials]
    q_values = adjusted([test.q for test in tests])
    for trial, test, q in zip(trials, tests, q_values, strict=True):
        yield _row(trial.lines, test, q, len(trials))


def _row(lines: Lines, test: DataTest, q: float, n_asked: int) -> tuple[str, str, str]:
    text = lines.text()
    if test.calibrated is not None:
        test = replace(test, q=q, decision=decide(test.calibrated, q, confounded=False))
    known = KnownData(lines.name, text.sha256, len(lines.rows), 0, "", 1.0, n_asked)
    decision = test.decision.value if test.decision else "not asked"
    return f"{lines.name}: {lines.header[0]}", decision, said_of(test, known)
