"""What detectors of copied media have in common: when they apply, how grave it is, what is told."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

from competitions.errors import EvidenceUnavailableError
from detectors.leakage.closest import MOST_RECURRING
from detectors.leakage.media_files import sides_of
from detectors.leakage.split import is_data, split_of
from detectors.task import Task
from reports.schema import Confidence, Quantity, Severity
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from competitions.shapes import RowFiles
    from detectors.base import About, Subject
    from detectors.leakage.media_files import Sides
    from detectors.leakage.split import Split
    from reports.schema import Evidence, Finding

MANY = 0.05  # share of a side's items that repeat within it, from which that is told
MOST_UNREADABLE = 0.05  # share from which too little was seen to call anything clean


class Shares(NamedTuple):
    """Shares of test items from which a finding is of medium and of high severity."""

    medium: float
    high: float

    def severity(self, share: float, known: tuple[str, ...]) -> Severity:
        """Grade a share of copied test items; what is on record is low."""
        if known or share < self.medium:
            return Severity.LOW
        return Severity.HIGH if share >= self.high else Severity.MEDIUM


class Match(Protocol):
    """A test item that is also a train item, and in what way."""

    @property
    def how(self) -> str:
        """What was found equal; ``likeness`` where nothing is but much is alike."""

    @property
    def is_expected(self) -> bool:
        """Whether it is too simple or too common to say anything."""


class Comparison(Protocol):
    """What came of comparing the items of both parts; see `image_pairs.PictureComparison`."""

    looked: dict[str, int]
    unreadable: dict[str, str]
    repeated: dict[str, float]


M = TypeVar("M", bound=Match)


@dataclass(frozen=True)
class Copies(Generic[M]):
    """How copies of one kind of media are told.

    Parameters
    ----------
    about : About
    what : str
        The kind, in the plural.
    says : mapping of str to str
        For each `Match.how` the words for it.
    simple : str
        What is to be expected on both sides.
    evidence : callable
        Of the matches in their order, the first ones' evidence.
    shares : Shares
    """

    about: About
    what: str
    says: Mapping[str, str]
    simple: str
    evidence: Callable[[Sequence[M]], Iterable[Evidence]]
    shares: Shares

    def findings(
        self,
        subject: Subject,
        parts: tuple[Split, Sides],
        found: Comparison,
        matches: Sequence[M],
    ) -> Iterator[Finding]:
        """Yield what was copied, what is to be expected, repeats and what was not looked at.

        Raises
        ------
        EvidenceUnavailableError
            When too many could not be read.
        """
        split, sides = parts
        recurs = found.repeated.get("train", 0.0) > MOST_RECURRING
        copied = [m for m in matches if not (m.is_expected or recurs)]
        expected = [m for m in matches if m.is_expected or recurs]
        if copied:
            yield self._copied(subject, split, copied, (len(sides.test), found.looked["test"]))
        if expected:
            yield self.about.finding(
                subject,
                f"{len(expected)} of {len(sides.test)} test {self.what} also stand in the train "
                f"part; {self.simple}, make that to be expected.",
                *self.evidence(expected),
                severity=Severity.NOTE,
                confidence=Confidence.LOW,
            )
        yield from within_sides(self.about, subject, found.repeated, self.what)
        yield from not_looked_at(
            self.about, subject, self.what, sides, found.looked, found.unreadable
        )

    def _copied(
        self, subject: Subject, split: Split, copied: Sequence[M], counts: tuple[int, int]
    ) -> Finding:
        """Tell copies; of `counts` items of the test part the second were looked at closely."""
        n_test, n_looked = counts
        how = Counter(m.how for m in copied)
        share = how["bytes"] / n_test + (len(copied) - how["bytes"]) / max(n_looked, 1)
        known = split.on_record("leak", "split")
        said = ", ".join(f"{how[kind]} {words}" for kind, words in self.says.items() if how[kind])
        is_sure = how["likeness"] < len(copied) and not known
        return self.about.finding(
            subject,
            f"{len(copied)} of {n_test} test {self.what} are also in the train part: {said}."
            f"{on_record(known)}",
            *self.evidence(copied),
            severity=self.shares.severity(share, known),
            confidence=Confidence.HIGH if is_sure else Confidence.MEDIUM,
        )


def rules_of(subject: Subject) -> tuple[RowFiles, ...]:
    """Return what a task's definition says about files that belong to rows."""
    return subject.spec.files if isinstance(subject, Task) else ()


def why_not(subject: Subject, suffixes: frozenset[str], what: str) -> str | None:
    """Say why a detector of media does not apply: no data, or data without such files."""
    if not is_data(subject):
        return "it looks at tasks and data only"
    try:
        sides = sides_of(split_of(subject), suffixes, rules_of(subject))
    except EvidenceUnavailableError:
        return None  # asking for it says what is missing
    if sides.are_there:
        return None
    closed = " outside archives that were not opened" if sides.unopened else ""
    return f"the data hold no {what}{closed}"


def on_record(known: tuple[str, ...]) -> str:
    """Return the sentence that says what a definition has on record."""
    return f" On record: {', '.join(known)}." if known else ""


def within_sides(
    about: About, subject: Subject, repeated: Mapping[str, float], what: str
) -> Iterator[Finding]:
    """Yield a note for a side in which many items equal others of that side."""
    for side, share in repeated.items():
        if share >= MANY:
            yield about.finding(
                subject,
                f"Within the {side} part, {share:.0%} of the {what} looked at equal another one.",
                Quantity(name=f"{side} {what} that repeat", value=round(share, 4), unit="of them"),
                severity=Severity.NOTE,
                confidence=Confidence.HIGH,
            )


def not_looked_at(
    about: About,
    subject: Subject,
    what: str,
    sides: Sides,
    looked: Mapping[str, int],
    unreadable: Mapping[str, str],
) -> Iterator[Finding]:
    """Yield a note for a sample, for files that cannot be read, and for archives left closed.

    Raises
    ------
    EvidenceUnavailableError
        After the note, where too many could not be read.
    """
    total = {"train": len(sides.train), "test": len(sides.test)}
    n_bad, n_seen = len(unreadable), sum(looked.values())
    evidence: list[Quantity] = []
    said: list[str] = []
    if n_seen + n_bad < sum(total.values()):
        said.append(
            f"for likeness, {looked['train']} of {total['train']} train and {looked['test']} of "
            f"{total['test']} test {what} were compared, evenly spread"
        )
        evidence.append(_count(f"{what} compared for likeness", n_seen, sum(total.values())))
    if n_bad:
        name, why = next(iter(unreadable.items()))
        said.append(f"{n_bad} could not be read ({name}: {why[:200]})")
        evidence.append(_count(f"{what} that could not be read", n_bad, n_seen + n_bad))
    if sides.unopened:
        n = len(sides.unopened)
        said.append(f"{counted(n, 'archive')} not opened ({sides.unopened[0]})")
        evidence.append(Quantity(name="archives that were not opened", value=n))
    if sides.n_links:
        said.append(f"{counted(sides.n_links, 'link')} not followed")
        evidence.append(Quantity(name="links that were not followed", value=sides.n_links))
    if evidence:
        yield about.finding(
            subject,
            f"Not all {what} were looked at: {'; '.join(said)}.",
            *evidence,
            severity=Severity.NOTE,
            confidence=Confidence.HIGH,
        )
    if n_bad > MOST_UNREADABLE * (n_seen + n_bad):
        raise EvidenceUnavailableError(
            "data", f"{n_bad} of {n_seen + n_bad} {what} could not be read."
        )


def _count(name: str, value: int, of: int) -> Quantity:
    return Quantity(name=name, value=value, compared_with="all of them", reference=of)


def both_sides(subject: Subject, suffixes: frozenset[str], what: str) -> tuple[Split, Sides]:
    """Return the split and its files of one kind.

    Raises
    ------
    EvidenceUnavailableError
        When one side has none.
    """
    from detectors.leakage.media_files import need_both

    split = split_of(subject)
    sides = sides_of(split, suffixes, rules_of(subject))
    need_both(sides, what)
    return split, sides
