"""What training code does with rows, in order: what it splits, trains on and scores."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from detectors.leakage.code_values import Mark, Part, Place


class Split(NamedTuple):
    """A split of rows that the code makes.

    Parameters
    ----------
    name : str
        What makes it.
    key : str
        By which `Side` names it.
    is_random : bool
        It looks at rows and at nothing that they belong to.
    of_names : bool
        What it splits is a list of different values, such as the names of groups.
    """

    name: str
    key: str
    place: Place
    rows: tuple[Part, ...]
    is_random: bool
    of_names: bool = False


class Training(NamedTuple):
    """A model trained on rows.

    Parameters
    ----------
    marks : frozenset of Mark
        What had been worked out and was in the rows.
    target : str
        The column that it learns to tell, where it is named.
    """

    name: str
    place: Place
    rows: frozenset[Part]
    marks: frozenset[Mark]
    target: str


class Scoring(NamedTuple):
    """Rows that a model predicts or is scored on.

    Parameters
    ----------
    is_score : bool
        A figure comes out, and not predictions alone.
    trained, stops : frozenset of Part
        What the model had been trained on, and what told it when to stop, where that is known.
    """

    place: Place
    rows: frozenset[Part]
    marks: frozenset[Mark]
    is_score: bool
    trained: frozenset[Part] = frozenset()
    stops: frozenset[Part] = frozenset()


class CrossValidation(NamedTuple):
    """A model trained and scored on folds that one call makes."""

    name: str
    place: Place
    rows: frozenset[Part]
    marks: frozenset[Mark]
    target: str
    is_random: bool


class Choice(NamedTuple):
    """A best result that is kept, judged by a score on rows."""

    place: Place
    rows: frozenset[Part]


@dataclass
class Story:
    """All that a program does with rows.

    Parameters
    ----------
    is_whole : bool
        False where it was too long to be followed to its end.
    is_grouped : bool
        Whether it splits by groups anywhere.
    watched : dict of Place to frozenset of Part
        Trainings that some rows tell when to stop, and which rows.
    one_each : set of str
        Columns of whose values one row each is kept.
    """

    splits: dict[str, Split] = field(default_factory=dict)
    trainings: dict[Training, None] = field(default_factory=dict)
    scorings: dict[Scoring, None] = field(default_factory=dict)
    folds: dict[CrossValidation, None] = field(default_factory=dict)
    choices: dict[Choice, None] = field(default_factory=dict)
    fits: dict[Mark, None] = field(default_factory=dict)
    watched: dict[Place, frozenset[Part]] = field(default_factory=dict)
    one_each: set[str] = field(default_factory=set)
    is_grouped: bool = False
    is_whole: bool = True
