"""Which parts of a story of training code make its own validation say too much."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from detectors.leakage.code_values import FOLDED, Kind, covers, parting

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from detectors.leakage.code_story import CrossValidation, Scoring, Split, Story, Training
    from detectors.leakage.code_values import Mark, Part, Place, Side

_SOFT = ("mask ", "sample ")  # conditions, and draws that need not be meant to hold rows out
_TEST_FILE = re.compile(r"(?:^|[^a-z])test(?:[^a-z]|$)", re.IGNORECASE)
_TRAIN_FILE = re.compile(r"(?:^|[^a-z])train(?:[^a-z]|$)", re.IGNORECASE)


class Early(NamedTuple):
    """Something worked out of rows that a model is trained on and of those it is scored on.

    Parameters
    ----------
    kind : Kind
        What it amounts to, knowing what is to be predicted.
    split : Place or None
        Where the rows are split; None where one call trains and scores on folds.
    scored : Place
        Where the rows that were not trained on are predicted or scored.
    is_within_train : bool
        Only folds within a train half are concerned, beside which a test half is kept.
    """

    kind: Kind
    mark: Mark
    split: Place | None
    trained: Place
    scored: Place
    is_within_train: bool


def early(story: Story) -> list[Early]:
    """Return what was worked out before rows were held out, one for each place of it."""
    named = {t.target for t in story.trainings} | {f.target for f in story.folds}
    targets = frozenset(named - {""})
    found: dict[tuple[Place, Kind], Early] = {}
    for one in (*_halves(story, targets), *_folds(story, targets)):
        key = (one.mark.place, one.kind)
        if key not in found or (found[key].is_within_train and not one.is_within_train):
            found[key] = one
    return sorted(found.values(), key=lambda e: e.mark.place)


def meant(mark: Mark, targets: frozenset[str]) -> Kind | None:
    """Say what a mark amounts to, where these are predicted; None for nothing."""
    if mark.kind is Kind.GROUPED:
        return Kind.TARGET if mark.column in targets else Kind.STATISTIC
    if mark.kind is Kind.CORRELATION:
        return Kind.SELECTION if mark.column in targets else None
    return mark.kind


def _halves(story: Story, targets: frozenset[str]) -> Iterator[Early]:
    for scoring in story.scorings:
        for training in story.trainings:
            both = training.marks | scoring.marks
            for seen, held, side in _partings(training, scoring) if both else ():
                split = story.splits.get(side.split)
                for mark in both:
                    kind = meant(mark, targets)
                    is_on_both = covers(mark.rows, held) and covers(mark.rows, seen)
                    if kind is not None and is_on_both:
                        place = split.place if split else None
                        yield Early(
                            kind, mark, place, training.place, scoring.place, _is_inner(held)
                        )
            yield from _trained_on_too(story, training, scoring, targets)


def _trained_on_too(
    story: Story, training: Training, scoring: Scoring, targets: frozenset[str]
) -> Iterator[Early]:
    """Yield what was worked out before a split whose held-out rows were trained on all the same.

    Copies of rows count wherever they were made; of all else it is its place before the split that
    tells it from what belongs to a last training on all rows.
    """
    if not scoring.is_score or scoring.trained != training.rows:
        return
    for held in filter(is_held_out, scoring.rows):
        if held in training.rows or not covers(training.rows, held):
            continue
        split = story.splits.get(held.path[-1].split)
        place = split.place if split else None
        for mark in training.marks:
            kind = meant(mark, targets)
            is_before = kind is Kind.RESAMPLING or (place is not None and mark.place < place)
            if kind is not None and is_before and covers(mark.rows, held):
                yield Early(kind, mark, place, training.place, scoring.place, is_within_train=False)


def _partings(training: Training, scoring: Scoring) -> Iterator[tuple[Part, Part, Side]]:
    for held in scoring.rows:
        if any(covers([t], held) for t in training.rows):
            continue  # it was trained on: another question
        for seen in training.rows:
            side = parting(seen, held)
            if side is not None and (scoring.is_score or not side.split.startswith(_SOFT[0])):
                yield seen, held, side


def _is_inner(part: Part) -> bool:
    """Say whether a part lies within the train half of an earlier split."""
    return any(
        s.side == "0" and s.split.startswith(("train_test_split", "random_split"))
        for s in part.path[:-1]
    )


def _folds(story: Story, targets: frozenset[str]) -> Iterator[Early]:
    for one in story.folds:
        is_inner = all(p.path and p.path[-1].side == "0" for p in one.rows)
        for mark in one.marks:
            kind = meant(mark, targets)
            if kind is not None and any(covers(mark.rows, p) for p in one.rows):
                yield Early(kind, mark, None, one.place, one.place, is_inner)


class Overlap(NamedTuple):
    """Rows held out on which a model was trained all the same, and then scored."""

    split: Place | None
    scored: Place
    trained: Place | None


def trained_on_held_out(story: Story) -> list[Overlap]:
    """Return the scores of models on held-out rows that they were trained on."""
    found = {}
    for scoring in story.scorings:
        for held in scoring.rows if scoring.is_score else ():
            if is_held_out(held) and _knows(scoring.trained, held):
                split = story.splits.get(held.path[-1].split)
                trained = next(
                    (t.place for t in story.trainings if t.rows == scoring.trained), None
                )
                found[scoring.place] = Overlap(split.place if split else None, scoring.place,
                                               trained)  # fmt: skip
    return list(found.values())


def _knows(trained: frozenset[Part], held: Part) -> bool:
    """Say whether a model was trained on held-out rows beside others."""
    return covers(trained - {held}, held) or (
        held in trained and any(parting(t, held) for t in trained)
    )


def is_held_out(part: Part) -> bool:
    """Say whether rows are the second side of a split that code makes to hold rows out."""
    last = part.path[-1] if part.path else None
    return last is not None and last.side == "1" and not last.split.startswith((*_SOFT, "cut "))


def fitted_on_held_out(story: Story) -> list[tuple[Mark, Scoring]]:
    """Return what was worked out of held-out rows alone and put into them before a score."""
    found: dict[Place, tuple[Mark, Scoring]] = {}
    for scoring in story.scorings:
        for mark in scoring.marks:
            is_own = mark.rows and all(is_held_out(p) and not is_fold(p) for p in mark.rows)
            is_data = mark.kind in {Kind.STATISTIC, Kind.RESAMPLING}
            if is_own and is_data and mark.rows <= scoring.rows:
                found.setdefault(mark.place, (mark, scoring))
    return list(found.values())


def fitted_on_both_files(story: Story) -> list[Mark]:
    """Return transformations fitted on rows of a train file and of a test file together."""
    return [
        mark
        for mark in dict.fromkeys((*story.fits, *(m for t in story.trainings for m in t.marks)))
        if any(_TEST_FILE.search(p.root) and not _TRAIN_FILE.search(p.root) for p in mark.rows)
        and any(_TRAIN_FILE.search(p.root) for p in mark.rows)
    ]


class Reused(NamedTuple):
    """A score on rows that also decided when to stop, or what to keep."""

    decided: Place
    scored: Place
    how: str


def reused(story: Story) -> list[Reused]:
    """Return scores on held-out rows that decided something, where no others are scored."""
    found: dict[Place, Reused] = {}
    scored = [s for s in story.scorings if s.is_score]
    for scoring in scored:
        held = {p for p in scoring.rows if is_held_out(p)}
        if held & scoring.stops and not _is_checked(held, scored):
            found[scoring.place] = Reused(_stop_of(story, scoring), scoring.place, "stop")
    for choice in story.choices:
        held = {p for p in choice.rows if is_held_out(p) and not is_fold(p)}
        at = next((s for s in scored if s.rows == choice.rows), None)
        if held and at is not None and not _is_checked(held, scored):
            found.setdefault(at.place, Reused(choice.place, at.place, "choice"))
    return list(found.values())


def _stop_of(story: Story, scoring: Scoring) -> Place:
    watched = (place for place, rows in story.watched.items() if rows & scoring.stops)
    return next(watched, scoring.place)


def is_fold(part: Part) -> bool:
    """Say whether rows are a side of one of several folds."""
    return FOLDED.search(part.path[-1].split) is not None


def _is_checked(held: set[Part], scored: Iterable[Scoring]) -> bool:
    """Say whether rows apart from some are scored as well, that were not trained on."""
    return any(
        all(parting(p, h) for h in held) and not covers(s.trained, p)
        for s in scored
        for p in s.rows
        if is_held_out(p)
    )


def blind_splits(story: Story) -> list[Split | CrossValidation]:
    """Return the random splits of rows that a model is trained and scored across."""
    if story.is_grouped or any(s.of_names for s in story.splits.values()):
        return []
    used = set()
    for scoring in story.scorings:
        for training in story.trainings:
            used |= {side.split for _, _, side in _partings(training, scoring)}
    chosen: list[Split | CrossValidation] = [
        s for s in story.splits.values() if s.is_random and s.key in used
    ]
    return chosen + [f for f in story.folds if f.is_random]
