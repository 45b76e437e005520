"""Ask whether size, time, name or place of a row's files tell its answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from competitions.errors import EvidenceUnavailableError, NotApplicableError
from detectors.base import About, register
from detectors.leakage.association import association, largest_effect
from detectors.leakage.file_views import View, views_of
from detectors.leakage.hidden_answers import MIN_ROWS, is_told, pair_answers
from detectors.leakage.item_files import TEST, TRAIN, Items, items_of, public_files
from detectors.leakage.media_files import evenly
from detectors.leakage.split import is_data, split_of
from reports.schema import Confidence, Quantity, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pandas as pd

    from detectors.base import Subject
    from detectors.leakage.association import Association, Column
    from detectors.leakage.hidden_answers import Answers
    from detectors.leakage.item_files import ItemFile
    from detectors.leakage.split import Split
    from reports.schema import Finding

MARGIN = 0.05  # beyond the largest effect of 999 shuffles: many views are asked about
MAX_TARGETS = 50
_MOST_COUNTED = 10  # of views and targets, for Bonferroni: they go together
_ALIKE = 0.5  # of test items whose view has a value that train items have


class _Seen(NamedTuple):
    """Rows with files and answers: of the test part, or else of the train part."""

    answers: Answers
    items: Items
    where: str
    confidence: Confidence
    others: Items | None  # of the test part, where the answers are of the train part


@register
@dataclass(frozen=True)
class FileMetadataEncodesTarget:
    """Files whose size, time, name, header or place in an archive follows the answer of their row.

    The files of the test rows are found by what the rows call them, on disk and in zip and tar
    archives. Each figure that can be read off them from outside is held against the answers by a
    permutation test. What a public column says as well is no leak of the files, and neither is an
    order that ids or the table have as well. Where the hidden answers are not here, the train
    part's files and answers are looked at, in what test files share with them.

    The size of a file may follow what it shows: such views are of low severity up to
    `high_effect`.

    Parameters
    ----------
    min_effect : float in [0, 1], default=0.3
        Effect from which a view is a finding; 1 where it tells all.
    high_effect : float in [0, 1], default=0.8
        Effect from which the finding is of high severity.
    max_p : float in (0, 1), default=0.01
        Share of shuffles that may have as large an effect, after Bonferroni over the views.
    max_items : int >= 20, default=4000
        Rows whose pictures are opened for their headers; of more an even sample.
    seed : int >= 0, default=0
        Of the shuffles.
    """

    about: ClassVar[About] = About(
        id="file-metadata-encodes-target",
        subject=SubjectKind.TASK,
        asks="Do size, time, name, header or archive place of a row's files tell its answer?",
        blind_spots=(
            "Only files that a column of the rows names are looked at. Times are lost where a copy "
            "of the data did not keep them. 7z archives, and headers of other files than pictures, "
            "are not looked into. Answers that are texts are not asked about."
        ),
        reference="https://doi.org/10.1145/2382577.2382579 (Kaufman et al. 2012, Leakage in data "
        "mining)",
    )
    min_effect: float = 0.3
    high_effect: float = 0.8
    max_p: float = 0.01
    max_items: int = 4000
    seed: int = 0

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        return None if is_data(subject) else "it looks at tasks and data only"

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            When there are no answers, or no files that belong to rows.
        """
        split = split_of(subject)
        if split.public_root is None:
            raise NotApplicableError("two tables alone have no files of rows")
        files, closed = public_files(split)
        seen = _seen(split, files, self.max_items)
        if seen is None:
            return
        found = list(self._of(seen))
        for view, target, effect in sorted(found, key=lambda f: -f[2].effect):
            yield self._finding(subject, seen, view, target, effect)
        if closed:
            yield self.about.finding(
                subject,
                f"{len(closed)} archives could not be opened ({closed[0]}).",
                Quantity(name="archives that were not opened", value=len(closed)),
                severity=Severity.NOTE,
                confidence=Confidence.HIGH,
            )

    def _of(self, seen: _Seen) -> Iterator[tuple[View, str, Association]]:
        views = _shared(views_of(seen.items), seen.others)
        public = _public(seen)
        rows = np.array(seen.items.rows)
        targets = list(seen.answers.targets.items())[:MAX_TARGETS]
        n_asked = min(len(views) * len(targets), _MOST_COUNTED)
        for view in views:
            if is_told(view.figures, public):
                continue
            for name, target in targets:
                effect = self._effect(view.figures, target[rows], n_asked)
                if effect is not None:
                    yield view, name, effect

    def _effect(self, view: Column, target: Column, n_asked: int) -> Association | None:
        """Return the effect of a view where it is one; as a share of the largest there could be."""
        if len(np.unique(target)) < 2:  # noqa: PLR2004 - a constant tells nothing
            return None
        most = largest_effect(view, target)
        rng = np.random.default_rng(self.seed)
        if association(view, target, rng, 0).effect < self.min_effect * most:
            return None
        found = association(view, target, rng)
        is_beyond = found.effect - found.largest_by_chance >= MARGIN
        if found.p * n_asked > self.max_p or not is_beyond:
            return None
        effect, chance = (min(1.0, v / most) for v in (found.effect, found.largest_by_chance))
        return found._replace(effect=effect, largest_by_chance=chance)

    def _finding(
        self, subject: Subject, seen: _Seen, view: View, target: str, found: Association
    ) -> Finding:
        n_rows = len(seen.items.rows)
        return self.about.finding(
            subject,
            f"The {view.name} of the files of {n_rows} rows {seen.where} tells their {target}, and "
            "no public column says what it says.",
            Quantity(
                name=f"effect of the {view.name} on {target}, 1 where it tells all",
                value=round(found.effect, 4),
                compared_with="the largest among 999 shuffles",
                reference=round(found.largest_by_chance, 4),
            ),
            severity=self._severity(found.effect, is_content=view.is_content),
            confidence=seen.confidence,
        )

    def _severity(self, effect: float, *, is_content: bool) -> Severity:
        if effect >= self.high_effect:
            return Severity.HIGH
        return Severity.LOW if is_content else Severity.MEDIUM


def _seen(split: Split, files: list[ItemFile], most: int) -> _Seen | None:
    """Return rows whose answers are known, with their files; None where rows have none.

    Raises
    ------
    EvidenceUnavailableError
        When neither part has answers.
    """
    try:
        answers = split.hidden()
    except EvidenceUnavailableError as error:
        return _of_train(split, files, most, error)
    items = _some(items_of(files, answers.ids, answers.public, split.media), most)
    if items is None:
        return None
    return _Seen(answers, items, "of the test part", Confidence.HIGH, None)


def _of_train(
    split: Split, files: list[ItemFile], most: int, error: EvidenceUnavailableError
) -> _Seen | None:
    if split.train is None or not split.key:
        raise error
    train = split.train.frame
    named = [c for c in (*split.key, *split.media) if c in train.columns]
    if not named:
        raise error
    answers = pair_answers(train, train, named[:1], split.train_targets)
    items = _some(items_of(files, answers.ids, answers.public, split.media, TEST), most)
    if items is None or split.listed is None or named[0] not in split.listed.frame.columns:
        return None
    listed = split.listed.frame
    ids = listed[named[0]].astype(str).tolist()
    others = _some(items_of(files, ids, listed.drop(columns=named[:1]), split.media, TRAIN), most)
    if others is None:
        return None
    where = f"of the train part ({error.problem.rstrip('.')})"
    return _Seen(answers, items, where, Confidence.MEDIUM, others)


def _some(items: Items | None, most: int) -> Items | None:
    """Return at most so many items, evenly spread; None where they are too few."""
    if items is None or len(items.rows) < MIN_ROWS:
        return None
    kept = evenly(range(len(items.rows)), most)
    rows, names, files = items
    return Items([rows[n] for n in kept], [names[n] for n in kept], [files[n] for n in kept])


def _shared(views: Sequence[View], others: Items | None) -> list[View]:
    """Leave out views that test files do not share with the train files that they are of."""
    if others is None:
        return list(views)
    theirs = {v.name: v for v in views_of(others)}
    kept = []
    for view in views:
        other = theirs.get(view.name)
        if other is None or bool(view.levels) != bool(other.levels):
            continue
        if view.levels:
            common = set(view.levels) & set(other.levels)
            is_alike = np.isin(other.levels, list(common))[other.figures] & (len(common) > 1)
        else:
            low, high = np.quantile(view.figures, [0.05, 0.95])
            is_alike = (other.figures >= low) & (other.figures <= high)
        if is_alike.mean() >= _ALIKE:
            kept.append(view)
    return kept


def _public(seen: _Seen) -> pd.DataFrame:
    """Return what is public of the rows: their columns, their order, and that of their ids."""
    import pandas as pd

    rows = seen.items.rows
    shown = seen.answers.public.iloc[rows].reset_index(drop=True)
    ids = pd.Series([seen.answers.ids[n] for n in rows])
    orders = {
        "place in the table": np.array(rows, dtype=float),
        "letters of the id": ids.rank(method="first").to_numpy(float),
        "letters of the files' names": pd.Series(seen.items.names).rank().to_numpy(float),
    }
    number = pd.to_numeric(ids.str.extract(r"(\d{1,15})\D*$")[0], errors="coerce")
    if number.notna().all():
        orders["number of the id"] = number.to_numpy(float)
    return pd.concat([shown, pd.DataFrame(orders)], axis=1)
