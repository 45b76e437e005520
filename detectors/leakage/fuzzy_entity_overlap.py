"""Find test rows about people or things of train rows whose names were written otherwise."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from competitions.errors import EvidenceUnavailableError, NotApplicableError
from detectors.base import About, register
from detectors.leakage.entity_overlap import SHOWING_THINGS
from detectors.leakage.fuzzy_fields import MAX_FIELDS, field_of, identifying, tied
from detectors.leakage.fuzzy_pairs import EQUAL, alike, searched
from detectors.leakage.fuzzy_people import is_particular, joined, name_pair
from detectors.leakage.row_evidence import (
    MAX_PAIRS,
    Shown,
    no_tables,
    overlap_evidence,
    shared_columns,
)
from detectors.leakage.split import split_of
from reports.schema import Confidence, Quantity, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pandas as pd

    from detectors.base import Subject
    from detectors.leakage.fuzzy_fields import Field
    from detectors.leakage.fuzzy_pairs import Alike, Search
    from detectors.leakage.split import Split
    from reports.schema import Finding, RowOverlap

MIN_FIELDS = 3
MIN_ASKED = 2  # of columns that somebody named
N_WITHIN = 20_000  # train rows that are held against one another
WITHIN = 0.01  # share of them about the same, from which it is told: most such rows are missed
N_NULL = 20_000  # test rows whose fields are mixed up among them
MAX_BY_CHANCE = 0.1  # of what was found, beyond which chance may explain it


@register
@dataclass(frozen=True)
class FuzzyEntityOverlap:
    """Test rows about somebody or something that a train row is about as well, by several columns.

    Looked at are columns that identify: texts and long numbers that few rows share, at most six.
    Where these are too few, two columns of names count as one, such as first name and surname, and
    phones and postcodes that were read as numbers; several columns that the call names as entity
    are the ones to compare.
    Case, accents, signs, the order of words, and formats of dates and numbers do not count; a slip
    in a value counts as nearly equal. Two rows are about the same when at least three fields are
    equal or nearly so, when at most one differs (none of three), and when what speaks for it is
    enough that a tenth of a wrong pair is to be expected among all pairs of the two tables. How
    rare an agreement is, is measured (a shared rare name says more than a common one); how often
    true pairs agree, is fixed. Columns that one another tell, such as address and phone of a
    household, count once. Two rows that share some words of a name and differ in others are of one
    family, and no pair. The null are test rows whose columns were mixed up. Where no test row is
    found, two random halves of the train part are held against each other, which is a note.

    Parameters
    ----------
    medium_share : float in [0, 1], default=0.001
        Share of such test rows from which the finding is of medium severity: more it never is, as
        the columns were guessed.
    seed : int >= 0, default=0
        Of random pairs and of the null.
    """

    about: ClassVar[About] = About(
        id="fuzzy-entity-overlap",
        subject=SubjectKind.TASK,
        asks="Are test rows about people or things of train rows, written otherwise?",
        blind_spots=(
            "It needs three columns that identify, such as name, date of birth and phone. Twins, "
            "and people who changed their name or most of their particulars, are told apart or "
            "missed; so are pairs in which a slip stands in every field."
        ),
        reference="https://doi.org/10.1080/01621459.1969.10501049 (Fellegi and Sunter 1969)",
    )
    medium_share: float = 0.001
    seed: int = 0

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        return no_tables(subject)

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            When the tables are not here or have no three columns that identify somebody.
        """
        split = split_of(subject)
        train, test = (table.frame for table in split.both())
        search = self._search(split, train, test)
        found = alike(search)
        if len(found.right):
            yield self._finding(subject, split, search, found)
        else:
            yield from self._within(subject, split)

    def _within(self, subject: Subject, split: Split) -> Iterator[Finding]:
        """Note that halves of the train part, cut at random, are about the same, as folds are."""
        train = split.both()[0].frame
        order = np.random.default_rng(self.seed).permutation(len(train))[:N_WITHIN]
        one, other = (train.iloc[np.sort(half)] for half in np.array_split(order, 2))
        try:
            search = self._search(split, one, other)
        except EvidenceUnavailableError:
            return
        n, (_, n_half) = len(alike(search).right), search.n_rows
        if n < max(1, WITHIN * n_half):
            return
        by_chance, n_null = _null(search, self.seed)
        if by_chance >= MAX_BY_CHANCE * n:
            return
        names = ", ".join(field.name for field in search.fields)
        yield self.about.finding(
            subject,
            f"No test row is about somebody or something of a train row, but {n} of {n_half} rows "
            f"of one half of the train part seem to be about those of the other half, by {names}; "
            f"{_whence(split)}. Random folds part such rows.",
            Quantity(
                name="rows about the same as a row of the other half of the train part",
                value=n,
                unit="rows",
                compared_with=f"rows whose columns were mixed up ({n_null} were tried)",
                reference=round(by_chance, 3),
            ),
            severity=Severity.NOTE,
            confidence=Confidence.MEDIUM,
        )

    def _search(self, split: Split, train: pd.DataFrame, test: pd.DataFrame) -> Search:
        no_names = {*split.key, *split.targets, *split.times, *split.media}
        columns = [c for c in shared_columns(split) if c not in no_names]
        asked = _asked(split)
        names = asked or identifying(train, columns)
        fields = [field_of(c, train[c], test[c]) for c in names]
        groups = tied(fields, self.seed) if fields else []
        if asked or len(groups) < MIN_FIELDS:
            fields = _of_people(train, test, (asked or columns), names) or fields
            groups = tied(fields, self.seed) if fields else []
        if len(groups) < (least := MIN_ASKED if asked else MIN_FIELDS):
            raise NotApplicableError(
                f"expected {least} columns that identify somebody, each for itself, found "
                f"{len(groups)}" + (f" ({', '.join(names)})" if names else ""),
            )
        return searched(fields, groups, self.seed)

    def _finding(self, subject: Subject, split: Split, search: Search, found: Alike) -> Finding:
        names = [field.name for field in search.fields]
        n, (_, n_test) = len(found.right), search.n_rows
        by_chance, n_null = _null(search, self.seed)
        is_chance = by_chance >= MAX_BY_CHANCE * n
        known = split.on_record("leak", "split", shown_by=SHOWING_THINGS)
        severity = Severity.MEDIUM if n / n_test >= self.medium_share else Severity.LOW
        severity = Severity.LOW if known else severity
        record = f" On record: {', '.join(known)}." if known else ""
        return self.about.finding(
            subject,
            f"{n} of {n_test} test rows seem to be about somebody or something of a train row, by "
            f"{', '.join(names)}; {_whence(split)}.{record}",
            self._pairs(split, search, found),
            Quantity(
                name="test rows about the same as a train row",
                value=n,
                unit="rows",
                compared_with=f"test rows whose columns were mixed up ({n_null} were tried)",
                reference=round(by_chance, 3),
            ),
            severity=Severity.NOTE if is_chance else severity,
            confidence=Confidence.LOW if is_chance else Confidence.HIGH,
        )

    @staticmethod
    def _pairs(split: Split, search: Search, found: Alike) -> RowOverlap:
        names = [column for field in search.fields for column in field.columns]
        order = np.argsort((found.states == EQUAL).all(axis=1), kind="stable")
        found = found.ordered(order)  # those that no other detector tells first
        first = found.states[:MAX_PAIRS]
        shown = Shown(
            likeness="about the same thing",
            rule=(
                f"at least {MIN_FIELDS} fields agree but for case, accents, formats, order of "
                f"words and a slip each, and the score, in bits, is at least {search.threshold:.1f}"
            ),
            differs=[
                tuple(
                    column
                    for field, state in zip(search.fields, states, strict=True)
                    for column in field.columns
                    if state != EQUAL
                )
                for states in first.tolist()
            ],
            scores=[round(float(b), 1) for b in found.bits[:MAX_PAIRS]],
        )
        return overlap_evidence(split, (found.left, found.right), names, split.key, shown)


def _asked(split: Split) -> list[str]:
    """Return the columns that the call names things by, where they are several."""
    named = [e.column for e in split.entities] if split.how.get("entities") == "asked" else []
    return named if len(named) > 1 else []


def _whence(split: Split) -> str:
    return (
        "the call names these columns"
        if _asked(split)
        else ("that these columns identify was guessed")
    )


def _of_people(
    train: pd.DataFrame, test: pd.DataFrame, columns: Sequence[str], names: Sequence[str]
) -> list[Field]:
    """Return fields of people: two names as one, what identifies alone, phones and postcodes."""
    pair = name_pair(train, columns)
    if pair is None:
        return []
    one, other = pair
    both = field_of(f"{one} with {other}", joined(train[one], train[other]),
                    joined(test[one], test[other]))  # fmt: skip
    more = [c for c in columns if c in names or is_particular(c, train[c])]
    rest = [field_of(c, train[c], test[c]) for c in more if c not in pair]
    return [replace(both, columns=pair), *rest][:MAX_FIELDS]


def _null(search: Search, seed: int) -> tuple[float, int]:
    """Return how many rows of a mixed-up test part are found, and how many were tried."""
    rng = np.random.default_rng(seed)
    n_test = search.n_rows[1]
    rows = np.sort(rng.permutation(n_test)[:N_NULL])
    mixed = list(search.fields)
    for group in search.groups:
        order = rows[rng.permutation(len(rows))]
        for n in group:
            mixed[n] = search.fields[n].right_taken(order)
    found = alike(replace(search, fields=tuple(mixed)))
    return len(found.right) * n_test / max(1, len(rows)), len(rows)
