"""Ask whether things of the test part, such as patients, also stand in the train part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from competitions.errors import EvidenceUnavailableError, NotApplicableError
from competitions.shapes import Entity
from detectors.base import About, register
from detectors.leakage.entity_columns import entity_columns
from detectors.leakage.entity_files import shared_by_files
from detectors.leakage.event_times import as_seconds
from detectors.leakage.hidden_answers import as_texts
from detectors.leakage.roles import is_like_a_key
from detectors.leakage.row_evidence import MAX_PAIRS, Shown, overlap_evidence
from detectors.leakage.split import is_data, split_of
from detectors.task import Task
from reports.schema import Confidence, FileDigest, Quantity, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from detectors.base import Subject
    from detectors.leakage.entity_files import SharedFiles
    from detectors.leakage.split import Split
    from detectors.leakage.tables import Table
    from reports.schema import Finding, RowOverlap

WITHIN = 0.1  # share of train rows about a thing of several, from which random folds mislead
DECLARED = frozenset({"declared", "asked"})
SHOWING_THINGS = ("entity-overlap", "fuzzy-entity-overlap")  # what a record may name as its probe
BALANCED = 0.8  # share of all pairs of a thing and a time that have a row, of series side by side
JOINT = " | "  # between the values of columns that name a thing together


class Thing(NamedTuple):
    """What rows are about: by which columns, and who says so.

    Parameters
    ----------
    name : str
        As a message calls it.
    entities : tuple of Entity
        One, or several that name it together.
    guessed : str or None
        Why the columns were guessed; None where somebody named them.
    """

    name: str
    entities: tuple[Entity, ...]
    guessed: str | None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that name it."""
        return tuple(e.column for e in self.entities)


@register
@dataclass(frozen=True)
class EntityOverlap:
    """Test rows about a thing that train rows are about as well: a patient, a sentence, a place.

    The things are those that the task's definition or the call names, by a column or by what stands
    in a column before a sign. Where nobody names one, it is guessed: by which other columns stay
    the same within a thing, by where its rows stand, by names of columns, by two columns together,
    by what names of files begin with, and by patients that DICOM files and descriptions in pictures
    name. What was guessed is of medium severity at most, and a note where the things are series:
    test rows that are all later, or a row of nearly every thing at every time; and where each row
    is of a pair, as ratings of films by users are. An agent that
    validates with random folds over such rows is as surprised by new things as its score on the
    test part is not. Where a named thing has several rows in the train part and none in the test
    part, that is a note: there random folds ask what the test part does not.

    Parameters
    ----------
    medium_share : float in [0, 1], default=0.01
        Share of test rows about things of the train part from which the finding is of medium
        severity.
    high_share : float in [0, 1], default=0.5
        Share from which it is of high severity.
    """

    about: ClassVar[About] = About(
        id="entity-overlap",
        subject=SubjectKind.TASK,
        asks="Are test rows about things that train rows are about as well?",
        blind_spots=(
            "Only things that both tables name are looked at; names that differ by a letter are "
            "two. Where nobody says what rows are about, it is guessed. A task may mean to ask "
            "about known things: the definition does not say."
        ),
        reference="https://doi.org/10.1016/j.patter.2023.100804 (Kapoor and Narayanan 2023, L3.2)",
    )
    medium_share: float = 0.01
    high_share: float = 0.5

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        if not is_data(subject):
            return "it looks at tasks and data only"
        if not isinstance(subject, Task):
            return None
        spec = subject.spec
        if not [e for e in spec.entities if e.column not in spec.targets]:
            return "the task declares no entities beside its answers"
        return None if spec.file_of("train") else "the task has no train table"

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            When the tables are not here, one of them does not name the entity, or nobody says what
        rows are about and nothing suggests it.
        """
        split = split_of(subject)
        things = _things(split)
        for thing in things:
            yield from self._of_rows(subject, split, thing)
        if isinstance(subject, Task) or split.how.get("entities") == "asked":
            return
        by_files = list(shared_by_files(split))
        for shared in by_files:
            yield self._of_files(subject, shared)
        if not things and not by_files:
            raise NotApplicableError(
                "nobody says what rows are about, and neither columns nor files suggest it",
                "Say it with: mle-audit leakage --entity COLUMN",
            )

    def _of_rows(self, subject: Subject, split: Split, thing: Thing) -> Iterator[Finding]:
        train, test = _tables(split, thing)
        left, right = _names(thing, train.frame), _names(thing, test.frame)
        shared = right.isin(set(left) - {""}).to_numpy()
        if is_numbered(left) and is_numbered(right):
            return
        if not shared.any():
            if thing.guessed is None:
                yield from self._within(subject, thing, left)
            return
        import pandas as pd

        rows = np.flatnonzero(shared)
        share = len(rows) / len(right)
        known = split.on_record("leak", "split", shown_by=SHOWING_THINGS)
        record = f" On record: {', '.join(known)}." if known else ""
        series = ""
        if thing.guessed:
            series = _as_of_series((train, test), (left, right), split.times)
            series = series or _as_of_pairs(split, thing, pd.concat((left, right)))
        yield self.about.finding(
            subject,
            f"{len(rows)} of {len(right)} test rows share their {thing.name} with train rows "
            f"({right[shared].nunique()} of {right.nunique()} by {' and '.join(thing.columns)})."
            f"{_guess(thing)}{series}{record}",
            _evidence(split, thing, (train, test), (left, right), rows),
            _against_random(left, right, share),
            severity=Severity.NOTE if series else self._severity(share, known, thing.guessed),
            confidence=Confidence.MEDIUM if known or thing.guessed else Confidence.HIGH,
        )

    def _severity(self, share: float, known: tuple[str, ...], guessed: str | None) -> Severity:
        if known or share < self.medium_share:
            return Severity.LOW
        is_grave = share >= self.high_share and guessed is None
        return Severity.HIGH if is_grave else Severity.MEDIUM

    def _within(self, subject: Subject, thing: Thing, names: pd.Series) -> Iterator[Finding]:
        """Note that the train part has several rows of a thing, where the test part has others."""
        named = names[names != ""]
        share = float(named.duplicated(keep=False).sum()) / len(names)
        if share < WITHIN:
            return
        yield self.about.finding(
            subject,
            f"{share:.0%} of the train rows share their {thing.name} with other train rows, and no "
            f"test row does: folds by {' and '.join(thing.columns)} ask about new ones, as the "
            f"test part does; random folds ask about known ones.",
            Quantity(
                name=f"share of train rows that share their {thing.name} with other train rows",
                value=round(share, 6),
                compared_with="the share of test rows that do",
                reference=0.0,
            ),
            severity=Severity.NOTE,
            confidence=Confidence.HIGH,
        )

    def _of_files(self, subject: Subject, shared: SharedFiles) -> Finding:
        """Tell of a thing that files on both sides name."""
        share = shared.n_shared / max(1, shared.n_test)
        guessed = None if shared.is_named else "guessed"
        return self.about.finding(
            subject,
            f"{shared.n_shared} of {shared.n_test} test files are of {shared.what} that train "
            f"files are of as well ({shared.n_things} in all)."
            + ("" if shared.is_named else " That these are things was guessed."),
            *(FileDigest(path=p, sha256=digest, shows=says) for p, digest, says in shared.files),
            severity=self._severity(share, (), guessed),
            confidence=Confidence.HIGH if shared.is_named else Confidence.MEDIUM,
        )


def _things(split: Split) -> list[Thing]:
    """Return what rows are about: as somebody says, or as the tables suggest."""
    how = split.how.get("entities", "")
    if how in DECLARED:
        return [Thing(e.name, (e,), None) for e in split.entities]
    found = [Thing(e.name, (e,), how.removeprefix("inferred: ")) for e in split.entities]
    if found or split.train is None or split.test is None:
        return found
    train, test = split.both()
    without = {*split.targets, *split.times}
    columns = [c for c in train.frame if c in test.frame and c not in without]
    for guess in entity_columns(train.frame[columns]):
        if guess.is_sure:
            parts = tuple(
                Entity(name=c, column=c, prefix_before=guess.prefix_before) for c in guess.columns
            )
            return [Thing(" and ".join(guess.columns), parts, guess.reason)]
    return []


def _tables(split: Split, thing: Thing) -> tuple[Table, Table]:
    """Return the train table and the public table of test rows that names the thing."""
    train = split.train
    for test in (split.test, split.listed):
        tables = (train, test)
        if all(t is not None and set(thing.columns) <= set(t.frame.columns) for t in tables):
            return train, test  # type: ignore[return-value]  # neither is None here
    raise EvidenceUnavailableError(
        "data",
        f"no pair of public tables names the {thing.name} ({' and '.join(thing.columns)})",
    )


def _names(thing: Thing, table: pd.DataFrame) -> pd.Series:
    first, *rest = (names_of(e, table) for e in thing.entities)
    for other in rest:
        first = (first + JOINT + other).where((first != "") & (other != ""), "")
    return first


def _as_of_series(
    tables: tuple[Table, Table], names: tuple[pd.Series, pd.Series], times: Sequence[str]
) -> str:
    """Say in a sentence why things on both sides are those of series; empty where they are none."""
    import pandas as pd

    train, test = (t.frame for t in tables)
    things = pd.concat(names, ignore_index=True)
    for name in (t for t in times if t in train and t in test):
        before, after = as_seconds(train[name]), as_seconds(test[name])
        if before is None or after is None or not (_any(before) and _any(after)):
            continue
        if np.nanmax(before) <= np.nanmin(after):
            return f" All test rows are later than the train rows ({name}), as in a forecast."
        times_of = pd.Series(np.concatenate([before, after]))
        n_cells = things.nunique() * times_of.nunique()
        is_each_once = not pd.concat([things, times_of], axis=1).duplicated().any()
        if is_each_once and len(things) >= BALANCED * n_cells:
            return f" Nearly all of them have a row at each {name}, as series have."
    return ""


def _as_of_pairs(split: Split, thing: Thing, names: pd.Series) -> str:
    """Say in a sentence that rows are of pairs of things, as ratings are; empty where they are not.

    The other column is named like an id, has many values that recur, and more of them than any
    thing has rows: what numbers the rows of each thing, as visits are numbered, makes no pairs.
    """
    import pandas as pd

    train, test = split.both()
    most = int(names.value_counts().iloc[0])
    for column in (c for c in split.features if is_like_a_key(c) and c not in thing.columns):
        other = as_texts(pd.concat((train.frame[column], test.frame[column])))
        sizes = other.value_counts()
        if len(sizes) <= most or len(sizes) > len(other) / 2 or sizes.iloc[0] >= names.nunique():
            continue
        if (
            not (names.reset_index(drop=True) + JOINT + other.reset_index(drop=True))
            .duplicated()
            .any()
        ):
            return f" Each row is of a pair with {column}, as ratings are."
    return ""


def _any(times: NDArray[np.float64]) -> bool:
    return bool(np.isfinite(times).any())


def _guess(thing: Thing) -> str:
    if thing.guessed is None:
        return ""
    return (
        f" That {' and '.join(thing.columns)} names what rows are about was guessed "
        f"({thing.guessed}); say it with --entity COLUMN, or --entity none."
    )


def _evidence(
    split: Split,
    thing: Thing,
    tables: tuple[Table, Table],
    names: tuple[pd.Series, pd.Series],
    rows: NDArray[np.intp],
) -> RowOverlap:
    left, right = names
    first = {name: row for row, name in reversed(list(enumerate(left)))}
    pairs = np.array([first[name] for name in right.iloc[rows]], np.intp)
    shown = Shown(
        likeness="about the same thing",
        rule=f"both name the same {thing.name}",
        differs=[()] * min(MAX_PAIRS, len(rows)),
    )
    return overlap_evidence(split, (pairs, rows), thing.columns, (), shown, tables)


def _against_random(left: pd.Series, right: pd.Series, share: float) -> Quantity:
    """Hold the share against that of rows dealt to the parts without regard to things."""
    import pandas as pd

    names = pd.concat([left, right], ignore_index=True)
    sizes = names[names != ""].value_counts()
    others = sizes.reindex(right[right != ""]).to_numpy(float) - 1
    expected = float((1 - (len(right) / len(names)) ** others).sum() / max(1, len(right)))
    return Quantity(
        name="share of test rows about things of the train part",
        value=round(share, 6),
        compared_with="rows dealt to the parts at random, whatever they are about",
        reference=round(expected, 6),
    )


def names_of(entity: Entity, table: pd.DataFrame) -> pd.Series:
    """Return what each row is about, as text; empty where it names nothing."""
    names = as_texts(table[entity.column])
    if entity.prefix_before is not None:
        names = names.str.split(entity.prefix_before, n=1).str[0]
    return names.str.removesuffix(".0")


def is_numbered(names: pd.Series) -> bool:
    """Say whether things are numbered from 0 or 1 without a gap, as each table may do for itself.

    Examples
    --------
    >>> import pandas as pd
    >>> is_numbered(pd.Series(["0", "0", "1", "2"])), is_numbered(pd.Series(["0", "7"]))
    (True, False)
    """
    different = set(names)
    if not all(name.isdigit() for name in different):
        return False
    numbers = sorted(map(int, different))
    return numbers[0] in {0, 1} and numbers == list(range(numbers[0], numbers[0] + len(numbers)))
