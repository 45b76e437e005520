"""Ask whether test texts are also train texts: as they are, reworded a little, cut or added to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from competitions.errors import EvidenceUnavailableError
from detectors.base import About, register
from detectors.leakage.closest import MOST_RECURRING
from detectors.leakage.media_findings import Shares, on_record, rules_of, within_sides
from detectors.leakage.split import is_data, split_of
from detectors.leakage.text_pairs import compare_texts
from detectors.leakage.text_sources import texts_of
from reports.schema import Confidence, Quantity, Severity, SubjectKind, TextPair

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from detectors.base import Subject
    from detectors.leakage.split import Split
    from detectors.leakage.text_pairs import TextComparison, TextMatch
    from detectors.leakage.text_sources import Texts
    from reports.schema import Finding

MAX_PAIRS = 6
MAX_SHOWN = 700  # characters of a text in a report
_SHOWS = {
    "text": "The texts are equal.",
    "form": "The texts are equal but for case, signs and blanks.",
    "likeness": "Most of the one text stands in the other.",
}


@register
@dataclass(frozen=True)
class DuplicateText:
    """Test texts that are also train texts, whether equal, retyped, rearranged, cut or added to.

    Columns of both tables that hold passages are compared, and text files. Texts are equal, or
    equal in their letters and digits; else those that share rare stretches of ten characters are
    compared: by their common subsequence, by the same once words are sorted, and by the share of
    the shorter one that stands in the longer. From which likeness on texts are copies is measured
    on train texts against other train texts. Texts of fewer than 20 letters, and those that stand
    five times or more in the train part, are told as a note; so is everything where most train
    texts have an equal. Where rows hold several texts, a row is copied when all of them are.

    Parameters
    ----------
    medium_share : float in [0, 1], default=0.005
        Share of copied test texts from which the finding is of medium severity.
    high_share : float in [0, 1], default=0.05
        Share from which it is of high severity.
    max_texts : int >= 100, default=300000
        Texts of each part that are compared for likeness; of more, an even sample. All are compared
        for being equal.
    """

    about: ClassVar[About] = About(
        id="duplicate-text",
        subject=SubjectKind.TASK,
        asks="Are test texts also train texts, retyped, rearranged, cut or added to?",
        blind_spots=(
            "Paraphrases and translations are not seen, nor texts of which less than 40 letters "
            "were kept, nor what stands after the first 4,000 characters. Sequences without "
            "words, such as proteins, are not looked at."
        ),
        reference="https://doi.org/10.1145/872757.872770 (Schleimer, Wilkerson and Aiken 2003)",
    )
    medium_share: float = 0.005
    high_share: float = 0.05
    max_texts: int = 300_000

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        if not is_data(subject):
            return "it looks at tasks and data only"
        try:
            is_there = next(texts_of(split_of(subject), rules_of(subject)), None) is not None
        except EvidenceUnavailableError:
            return None  # asking for it says what is missing
        return None if is_there else "no column of both tables holds passages, nor do text files"

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            When the tables cannot be read.
        """
        split = split_of(subject)
        sources = list(texts_of(split, rules_of(subject)))
        results = [compare_texts(t.train, t.test, self.max_texts) for t in sources]
        whole = _copied_in_all(sources, results)
        for texts, result in zip(sources, results, strict=True):
            yield from self._findings(subject, split, texts, result, whole)
            repeated = {} if len(sources) > 1 else result.repeated
            yield from within_sides(self.about, subject, repeated, "texts")
            yield from self._not_compared(subject, texts)

    def _findings(
        self,
        subject: Subject,
        split: Split,
        texts: Texts,
        result: TextComparison,
        whole: set[int],
    ) -> Iterator[Finding]:
        recurs = result.repeated.get("train", 0.0) > MOST_RECURRING
        matches = _of_all_kinds(result.matches.values())
        copied = [m for m in matches if not (m.is_expected or recurs)]
        expected = [m for m in matches if m.is_expected or recurs]
        rows = copied if texts.column is None else [m for m in copied if m.test in whole]
        if copied:
            yield self._copies(subject, split, texts, copied, len(rows) / len(texts.test))
        if expected:
            yield self.about.finding(
                subject,
                f"{len(expected)} of {len(texts.test)} test texts{_of(texts)} also stand in the "
                "train part; texts that short, or that common there, make that to be expected.",
                *(_evidence(texts, m) for m in expected[:MAX_PAIRS]),
                severity=Severity.NOTE,
                confidence=Confidence.LOW,
            )

    def _copies(
        self, subject: Subject, split: Split, texts: Texts, copied: list[TextMatch], share: float
    ) -> Finding:
        known = split.on_record("leak", "split")
        how = Counter(m.how for m in copied)
        counts = (
            (how["text"], "word for word"),
            (how["form"], "but for case, signs and blanks"),
            (how["likeness"], "for the most part"),
        )
        said = ", ".join(f"{n} {words}" for n, words in counts if n)
        rest = "" if share else " Other texts of these rows differ."
        is_sure = how["likeness"] < len(copied) and not known
        return self.about.finding(
            subject,
            f"{len(copied)} of {len(texts.test)} test texts{_of(texts)} also stand in the train "
            f"part: {said}.{rest}{on_record(known)}",
            *(_evidence(texts, m) for m in copied[:MAX_PAIRS]),
            severity=Shares(self.medium_share, self.high_share).severity(share, known),
            confidence=Confidence.HIGH if is_sure else Confidence.MEDIUM,
        )

    def _not_compared(self, subject: Subject, texts: Texts) -> Iterator[Finding]:
        counts = [
            Quantity(name=f"{side} texts{_of(texts)} compared for likeness", value=self.max_texts,
                     compared_with="all of them", reference=len(items))
            for side, items in (("train", texts.train), ("test", texts.test))
            if len(items) > self.max_texts
        ]  # fmt: skip
        if texts.unread:
            counts.append(Quantity(name="text files that were not read", value=texts.unread))
        if counts:
            yield self.about.finding(
                subject,
                "Not all texts were looked at: "
                + "; ".join(f"{c.name}: {c.value:,.0f}" for c in counts)
                + ".",
                *counts,
                severity=Severity.NOTE,
                confidence=Confidence.HIGH,
            )


def _of(texts: Texts) -> str:
    return "" if texts.column is None else f" of column {texts.column}"


def _copied_in_all(sources: list[Texts], results: list[TextComparison]) -> set[int]:
    """Return the rows of the test table all of whose passages stand in the train part."""
    rows: set[int] | None = None
    for texts, result in zip(sources, results, strict=True):
        if texts.column is not None:
            empty = {row for row, text in enumerate(texts.test) if not text.strip()}
            rows = (
                (set(result.matches) | empty)
                if rows is None
                else rows & (set(result.matches) | empty)
            )
    return rows or set()


def _of_all_kinds(matches: Iterable[TextMatch]) -> list[TextMatch]:
    """Order matches so that the first ones show every way in which texts agree."""
    seen: Counter[str] = Counter()
    ranked: list[tuple[int, TextMatch]] = []
    for match in matches:
        ranked.append((seen[match.how], match))
        seen[match.how] += 1
    return [match for _, match in sorted(ranked, key=lambda r: (r[0], r[1].how, r[1].test))]


def _evidence(texts: Texts, match: TextMatch) -> TextPair:
    (left, left_row), (right, right_row) = texts.place(0, match.train), texts.place(1, match.test)
    shown = _clipped(texts.test[match.test])
    is_private = right.startswith("private/")
    return TextPair(
        left=left,
        right=right,
        left_row=left_row,
        right_row=right_row,
        column=texts.column,
        shows=_SHOWS[match.how],
        likeness=round(match.likeness, 4),
        bound=round(match.bound, 4) if match.how == "likeness" else None,
        left_text=_clipped(texts.train[match.train]),
        right_text=None if is_private else shown,
        private_text=shown if is_private else None,
    )


def _clipped(text: str) -> str:
    return text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + " …"
