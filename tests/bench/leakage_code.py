"""Score the questions about training code on the labelled inputs of leakage-analysis.

``python -m tests.bench.leakage_code DIR`` takes a checkout of
https://github.com/malusamayo/leakage-analysis and prints recall, false accusations and milliseconds
of CPU per script. Which inputs leak is read from the tests of the checkout itself: an expected set
of models that is not empty is a positive. Its labels count fixed bins and a statistic in a column
that is dropped as leaks too, which are none; a note counts as found.
"""

from __future__ import annotations

import ast
import sys
import time
from pathlib import Path
from typing import NamedTuple

from audit.console import table
from audit.leakage_code import TrainingCode
from detectors.base import all_detectors, family_of
from reports.schema import Severity, SubjectKind

HEAD = ("inputs", "found", "accused", "ms of CPU each", "wrong")
TESTS = {"preprocessing": "tests/test_preprocessing.py", "overlap": "tests/test_overlap.py"}


class Labelled(NamedTuple):
    """One input of the checkout and what its tests expect."""

    kind: str
    path: Path
    leaks: bool


class Row(NamedTuple):
    """What was found on the inputs of one kind."""

    kind: str
    n_leaking: int
    found: int
    n_clean: int
    accused: int
    ms: float
    wrong: tuple[str, ...]


def labelled(root: Path) -> list[Labelled]:
    """Read inputs and labels of a checkout: the calls ``template("file.py", [models])``.

    Raises
    ------
    SystemExit
        When the folder is no checkout of leakage-analysis.
    """
    found = []
    for kind, name in TESTS.items():
        if not (root / name).is_file():
            raise SystemExit(f"{root}: expected a checkout of leakage-analysis, found no {name}.")
        for node in ast.walk(ast.parse((root / name).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "template":
                file, models = map(ast.literal_eval, node.args)
                found.append(Labelled(kind, root / "tests" / "inputs" / file, bool(models)))
    return found


def rows(root: Path) -> list[Row]:
    """Ask every question about training code of every input."""
    chosen = [
        cls()
        for cls in all_detectors().values()
        if family_of(cls) == "leakage" and cls.about.subject is SubjectKind.ATTEMPT
    ]
    made = []
    for kind in TESTS:
        inputs = [one for one in labelled(root) if one.kind == kind]
        started = time.process_time()
        told = {}
        for one in inputs:
            code = TrainingCode(one.path.parent, one.path.name)
            asked = (d for d in chosen if d.applies(code) is None)
            told[one] = [f.severity for d in asked for f in d.detect(code)]
        spent = time.process_time() - started
        found = [i for i in inputs if i.leaks and told[i]]
        accused = [i for i in inputs if not i.leaks and max(told[i], default=None) is not None
                   and max(told[i]) > Severity.NOTE]  # fmt: skip
        missed = [i for i in inputs if i.leaks and not told[i]]
        made.append(
            Row(
                kind,
                sum(i.leaks for i in inputs),
                len(found),
                sum(not i.leaks for i in inputs),
                len(accused),
                1000 * spent / max(1, len(inputs)),
                tuple(i.path.stem for i in (*missed, *accused)),
            )
        )
    return made


def main(arguments: list[str]) -> int:
    """Print the table; a checkout is the only argument."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m tests.bench.leakage_code DIR\n")
        return 2
    lines = [
        (
            r.kind,
            f"{r.found} of {r.n_leaking}",
            f"{r.accused} of {r.n_clean}",
            f"{r.ms:.1f}",
            ", ".join(r.wrong),
        )
        for r in rows(Path(arguments[0]))
    ]
    sys.stdout.write(table(HEAD, lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
