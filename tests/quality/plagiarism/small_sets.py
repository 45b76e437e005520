"""Labelled cases that are made when they are scored, of the detectors that compare with others.

``python -m tests.quality.plagiarism.small_sets [DETECTOR …] [--half open|sealed] [--write]`` prints
what each detector says of its set, or writes the published tables. A sealed half was scored once,
when the rules were settled on the open one; `docs/quality/first-contact.csv` has what came of it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from reports.schema import Outcome
from tests.quality.score import GOLDEN, Score, first_contacts, quality_csv

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from reports.schema import Check

Half = Literal["open", "sealed"]
HALVES: tuple[Half, ...] = get_args(Half)


class Case(NamedTuple):
    """One case of a set.

    Parameters
    ----------
    kind : str
        The disguise, or what makes an honest one look guilty.
    is_copy : bool
        What a careful reviewer would say.
    ask : callable
        Writes the case below a folder of its own and asks the detector.
    names : tuple of str
        What a right finding names in its message: attempts, or the source. Any other finding is
        none of this copy.
    """

    kind: str
    is_copy: bool
    ask: Callable[[Path], Check]
    names: tuple[str, ...] = ()


def sets() -> dict[str, Callable[[Half, Path], Iterator[Case]]]:
    """Return what makes the cases of each detector; it is given a folder for what they share."""
    from tests.quality.plagiarism import between_set, prose_set, provenance_set

    return {
        "copied-prose": prose_set.cases_of,
        "shared-between-attempts": between_set.cases_of,
        "shared-provenance": provenance_set.cases_of,
    }


def score_half(detector: str, half: Half, folder: Path) -> Score:
    """Ask about every case of a half; a note is no accusation."""
    found = {True: 0, False: 0}
    n = {True: 0, False: 0}
    wrong: dict[bool, list[str]] = {True: [], False: []}
    n_failed = 0
    for number, case in enumerate(sets()[detector](half, folder / f"{half}-shared")):
        answer = case.ask(folder / f"{half}-{number}")
        n_failed += answer.outcome not in {Outcome.CLEAN, Outcome.FLAGGED}
        is_told = answer.outcome is Outcome.FLAGGED and _names(answer, case)
        n[case.is_copy] += 1
        found[case.is_copy] += is_told
        if is_told is not case.is_copy:
            wrong[case.is_copy].append(case.kind)
    missed, accused = (tuple(sorted(wrong[is_copy])) for is_copy in (True, False))
    return Score(
        half, "now", n[True], found[True], n[False], found[False], missed, accused, n_failed
    )


def _names(answer: Check, case: Case) -> bool:
    told = (f.message for f in answer.findings if f.severity != "note")
    return not case.names or any(all(name in words for name in case.names) for words in told)


def table(detector: str, folder: Path, halves: Sequence[Half] = HALVES) -> str:
    """Return the table of a detector: first contacts, then what it says now."""
    scores = [score_half(detector, half, folder / detector) for half in halves]
    return quality_csv([*first_contacts(detector), *scores])


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables, or write them."""
    parser = argparse.ArgumentParser(prog="python -m tests.quality.plagiarism.small_sets")
    parser.add_argument("detectors", nargs="*", default=list(sets()))
    parser.add_argument("--half", choices=HALVES)
    parser.add_argument("--write", action="store_true", help="write the published tables")
    given = parser.parse_args(arguments)
    halves = HALVES if given.write or not given.half else (given.half,)
    with tempfile.TemporaryDirectory() as folder:
        for name in given.detectors:
            found = table(name, Path(folder), halves)
            if given.write:
                (GOLDEN / f"{name}.csv").write_text(found, encoding="utf-8")
            sys.stdout.write(f"{name}\n{found}\n")


if __name__ == "__main__":
    main()
