"""Ask every rule about every honest attempt of the rules' labelled sets, not only its own.

``python -m tests.quality.all_rules`` prints how many honest attempts any rule flags, with a Wilson
interval, and each one that was flagged; ``--write`` stores it in ``docs/quality/all-rules.csv``.
``--half HALF`` looks at one half instead, also where no first contact is on record, and adds what
each rule found, missed and accused in its own set: for a sealed half, that is its first contact.
`changed-after-attempt` is not asked: it compares digests, and those of the sets' records were drawn
at random.
"""

from __future__ import annotations

import argparse
import csv
import io
import sys
from typing import TYPE_CHECKING, NamedTuple, get_args

from audit.check import check
from audit.console import table
from detectors.attempt import Attempt
from detectors.base import all_detectors, detector
from reports.schema import Outcome, SubjectKind
from tests.quality.corpus import CASES, Half, load_cases
from tests.quality.score import GOLDEN, first_contacts, quality_csv, score, scored_halves, wilson

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.quality.corpus import LabelledCase

TABLE = GOLDEN / "all-rules.csv"
SETS = (
    *("budget-exceeded", "external-llm-called", "external-twin-data", "hand-written-submission"),
    *("network-used", "secret-in-log", "solution-in-prompt", "test-feedback-in-loop"),
    *("test-labels-in-training", "undeclared-resources", "valid-but-empty"),
)
HALVES: tuple[Half, ...] = (
    *("open", "sealed", "sealed2", "sealed3", "field", "field-sealed"),
    *("variants", "variants-sealed", "variants-new", "wide", "wide-sealed"),
)
NOT_ASKED = frozenset({"changed-after-attempt"})


class Flag(NamedTuple):
    """A rule that flagged a case."""

    labelled_for: str
    half: Half
    kind: str
    rule: str
    says: str


class Tally(NamedTuple):
    """How many honest attempts of a half any rule flagged."""

    half: Half
    n_honest: int
    flags: tuple[Flag, ...]

    @property
    def n_flagged(self) -> int:
        """Honest attempts with at least one flag."""
        return len({(flag.labelled_for, flag.kind) for flag in self.flags})


def rules() -> list[str]:
    """List the detectors of the family `rules` that look at attempts and are asked."""
    return [
        name
        for name in all_detectors()
        if name not in NOT_ASKED
        and type(one := detector(name)()).__module__.startswith("detectors.rules.")
        and one.about.subject is SubjectKind.ATTEMPT
    ]


def tallies() -> list[Tally]:
    """Ask every rule about every negative of the sets' open halves, then of the sealed ones."""
    return [tally_of(half) for half in HALVES]


def tally_of(half: Half) -> Tally:
    """Ask every rule about the negatives of a half, of the sets that have it and were met."""
    return _tally(half, [name for name in SETS if half in scored_halves(name)])


def _tally(half: Half, sets: Sequence[str]) -> Tally:
    cases = [
        (name, case) for name in sets for case in load_cases(name, half) if case.label == "negative"
    ]
    flags = [flag for name, case in cases for flag in _flags(name, case)]
    return Tally(half, len(cases), tuple(flags))


def _flags(name: str, case: LabelledCase) -> Iterator[Flag]:
    subject = Attempt(case.path)
    for rule in rules():
        answer = check(detector(rule)(), subject)
        if answer.outcome is Outcome.FAILED:
            raise RuntimeError(f"{rule} failed on {case.path}: {answer.reason}")
        if answer.outcome is Outcome.FLAGGED:
            yield Flag(name, case.half, case.kind, rule, answer.findings[0].message)


def tallies_csv(found: Sequence[Tally]) -> str:
    """Write the tallies of the halves and of them together as the stored table.

    The last rows are what each rule alone accused of its own sealed halves at first contact, before
    anything was mended.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(("half", "n_rules", "n_honest", "flagged", "share", "low", "high", "flags"))
    n_rules = len(rules())
    for name, some in (*((t.half, [t]) for t in found), ("together", list(found))):
        n, flagged = sum(t.n_honest for t in some), sum(t.n_flagged for t in some)
        shares = [f"{value:.4f}" for value in wilson(flagged, n)]
        told = " ".join(f"{f.labelled_for}/{f.kind}:{f.rule}" for t in some for f in t.flags)
        writer.writerow((name, n_rules, n, flagged, *shares, told))
    for half in HALVES[1:]:
        first = [c for name in SETS for c in first_contacts(name) if c.half == half]
        if not first:
            continue
        n, accused = sum(c.n_negative for c in first), sum(c.accused for c in first)
        shares = [f"{value:.4f}" for value in wilson(accused, n)]
        writer.writerow((f"{half}, at first contact", 1, n, accused, *shares, ""))
    return stream.getvalue()


def one_half(half: Half) -> tuple[str, Tally]:
    """Score each rule on its own cases of a half, and ask every rule about its honest ones.

    Returns
    -------
    tuple of str and Tally
        The rules' scores with their intervals and errors, and the flags on honest attempts.
    """
    sets = [name for name in SETS if (CASES / name / half).is_dir()]
    told = []
    for name in sets:
        head, row = csv.reader(io.StringIO(quality_csv([score(name, half)])))
        told.append(f"{name}\n{table(head[2:-2], [row[2:-2]])}")
        told += [f"{what}: {kinds}" for what, kinds in zip(head[-2:], row[-2:], strict=True)]
    return "\n".join(told), _tally(half, sets)


def main() -> None:
    """Print the table, and what each flag says; ``--write`` stores the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.quality.all_rules")
    parser.add_argument("--write", action="store_true", help="store the table of all rules")
    parser.add_argument("--half", choices=get_args(Half), help="look at this half alone")
    options = parser.parse_args()
    if options.half:
        told, one = one_half(options.half)
        if not one.n_honest:
            parser.error(f"none of these sets has a half {options.half}")
        limits = "share {:.4f}, {:.4f} to {:.4f}".format(*wilson(one.n_flagged, one.n_honest))
        sys.stdout.write(f"{told}\nany rule: {one.n_flagged} of {one.n_honest}, {limits}\n")
        _print_flags([one])
        return
    found = tallies()
    text = tallies_csv(found)
    head, *rows = csv.reader(io.StringIO(text))
    sys.stdout.write(f"{table(head[:-1], [row[:-1] for row in rows])}\n")
    _print_flags(found)
    if options.write:
        TABLE.write_text(text, encoding="utf-8")


def _print_flags(found: Sequence[Tally]) -> None:
    for flag in (f for one in found for f in one.flags):
        sys.stdout.write(
            f"{flag.rule} on {flag.half} {flag.labelled_for}/{flag.kind}: {flag.says}\n"
        )


if __name__ == "__main__":
    main()
