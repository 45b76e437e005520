"""Pure transforms that make a task out of a table which only a careful validation survives.

Each takes a table and a generator of random numbers and returns a train part, a test part and the
hidden answers. What is planted is a recipe with three parts: a strong honest signal (the table's
own), noise in the target that is the same for all rows of one thing, and a way to recognise the
thing again. A model that recognises things is then nearly perfect where rows of one thing stand on
both sides of a fold, and worse than a plain one where the things are new, as in the hidden test.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from competitions.trap_names import disguised, mistyped, persons

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from competitions.trap_record import TrapKind

Kind = Literal["probability", "label", "number"]

KEY: Final = "id"
THING, PERSON, WHEN, CODE = "subject", "person", "reported", "office"
NAMES: Final = (PERSON, "phone", "mail")
PROXIES: Final = ("closing_grade", "closing_cost", "closing_days")
FEW: Final = 10  # different numbers of a column that is a code or a count: copies are not jittered
_ROWS_PER_CODE: Final = 3
_GUESS_SPREAD: Final = 3.0  # in standard deviations of what is written later
_PER_THING: Final = "1h"  # between the reports of one thing
_START: Final = "2024-01-01"


@dataclass(frozen=True)
class Table:
    """A table to build from.

    Parameters
    ----------
    frame : DataFrame
        Features, target, and what `group` and `time` name.
    target : str
        What is to be predicted.
    kind : {"probability", "label", "number"}
        Of the target: 0 and 1 whose probability is asked, a class, or a number.
    group : str or None
        Column that names the thing a row is about, where things have several rows.
    time : str or None
        Column that orders the rows in time.
    """

    frame: pd.DataFrame
    target: str
    kind: Kind
    group: str | None = None
    time: str | None = None


@dataclass(frozen=True)
class Recipe:
    """What is planted.

    Parameters
    ----------
    trap : str
        A kind of `competitions.trap_record`.
    plant : bool
        False takes the table's own groups or times as they are.
    copies : (int, int)
        Least and most rows that one thing gets.
    noise : float in [0, 1]
        Share of things whose target is another thing's.
    marks : int
        Columns of numbers that say nothing but which thing it is.
    jitter : float
        Standard deviation of what copies differ by, in standard deviations of the column: no one
        column tells a thing, all together do.
    test_size : float in (0, 1)
        Share of things, or of the time, in the hidden test.
    """

    trap: TrapKind = "duplicated"
    plant: bool = True
    copies: tuple[int, int] = (4, 6)
    noise: float = 0.3
    marks: int = 40
    jitter: float = 0.5
    test_size: float = 0.4


@dataclass(frozen=True)
class Parts:
    """A task's tables.

    Parameters
    ----------
    train, test, answers : DataFrame
        All with the key; `test` without the target, `answers` with nothing but key and target.
    entity, time : str or None
        Columns of train and test that name the thing or the time; what is asked of whoever
        validates carefully.
    things : ndarray of int, of length n_test
        Which hidden rows belong together; each row for itself where nothing does.
    """

    train: pd.DataFrame
    test: pd.DataFrame
    answers: pd.DataFrame
    target: str
    kind: Kind
    things: NDArray[np.int64]
    entity: str | None = None
    time: str | None = None

    @property
    def features(self) -> list[str]:
        """Columns to learn from: neither key nor target, nor what names the thing."""
        return [c for c in self.test.columns if c not in {KEY, self.target, self.entity, *NAMES}]


def build(table: Table, recipe: Recipe, random: np.random.Generator) -> Parts:
    """Make a task's tables: plant the trap, split so that it shows, shuffle and number the rows.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> frame = pd.DataFrame({"x": np.arange(40.0), "y": np.arange(40) % 2})
    >>> parts = build(Table(frame, "y", "probability"), Recipe(), np.random.default_rng(0))
    >>> sorted(set(parts.train["subject"]) & set(parts.test["subject"]))
    []
    """
    planted = {
        "duplicated": _duplicated,
        "fuzzy": _fuzzy,
        "temporal": _temporal,
        "proxy": _proxy,
        "preprocessing": _preprocessing,
    }
    return planted[recipe.trap](table, recipe, random)


def _duplicated(table: Table, recipe: Recipe, random: np.random.Generator) -> Parts:
    """Rows of one thing stand all over the train part; no thing of the test part is among them."""
    if not recipe.plant and table.group is not None:
        things = _numbers(table.frame[table.group])
        return _parts(table, table.frame, things, _drawn(things, recipe, random), random)
    frame, things = _copied(table, recipe, random)
    names = random.permutation(things.max() + 1) + 1
    frame.insert(0, THING, names[things])
    return _parts(table, frame, things, _drawn(things, recipe, random), random, entity=THING)


def _fuzzy(table: Table, recipe: Recipe, random: np.random.Generator) -> Parts:
    """As `_duplicated`, but a thing is a person whose name is never written twice alike."""
    import pandas as pd

    frame, things = _copied(table, recipe, random)
    written = disguised(persons(int(things.max()) + 1, random), things, random)
    names = pd.DataFrame(written, columns=list(NAMES))
    frame = pd.concat([names, frame], axis=1)
    return _parts(table, frame, things, _drawn(things, recipe, random), random, entity=PERSON)


def _temporal(table: Table, recipe: Recipe, random: np.random.Generator) -> Parts:
    """Let reports of one thing follow one another closely, and hide all that came later."""
    import numpy as np
    import pandas as pd

    if not recipe.plant and table.time is not None:
        order = table.frame[table.time].rank(method="dense").to_numpy()
        in_test = order > np.quantile(order, 1 - recipe.test_size)
        alone = np.arange(len(order))
        return _parts(table, table.frame, alone, in_test, random, time=table.time)
    frame, things = _copied(table, recipe, random)
    arrives = random.permutation(things.max() + 1)[things]
    n = pd.Series(things).groupby(things).cumcount().to_numpy()
    per_thing = pd.Timedelta(_PER_THING)
    when = pd.Timestamp(_START) + per_thing * recipe.copies[1] * arrives + per_thing * n
    frame.insert(0, WHEN, pd.Series(when, index=frame.index).dt.strftime("%Y-%m-%d %H:%M"))
    in_test = arrives > np.quantile(arrives, 1 - recipe.test_size)
    return _parts(table, frame, things, in_test, random, time=WHEN)


def _proxy(table: Table, recipe: Recipe, random: np.random.Generator) -> Parts:
    """Columns that are written once the outcome is known, and hold a rough guess before."""
    import numpy as np

    frame, target = _noisy(table, recipe, random), table.target
    things = np.arange(len(frame))
    in_test = _drawn(things, recipe, random)
    for name in reversed(PROXIES):
        values = (
            frame[target].to_numpy() if table.kind == "number" else _shuffled(frame, target, random)
        )
        known = (values - values.mean()) / (values.std() or 1.0)
        before = random.normal(0, _GUESS_SPREAD, len(frame))
        frame.insert(0, name, np.where(in_test, before, known).round(6))
    return _parts(table, frame, things, in_test, random)


def _preprocessing(table: Table, recipe: Recipe, random: np.random.Generator) -> Parts:
    """Add a code of many values and no meaning: the target's mean per code leaks if taken first."""
    import numpy as np

    frame = _noisy(table, recipe, random)
    things = np.arange(len(frame))
    n_codes = max(2, len(frame) // _ROWS_PER_CODE)
    codes = random.integers(0, n_codes, len(frame))
    frame.insert(0, CODE, [f"K{code:04d}" for code in codes])
    return _parts(table, frame, things, _drawn(things, recipe, random), random)


# ---------------------------------------------------------------- steps


def _shuffled(frame: pd.DataFrame, target: str, random: np.random.Generator) -> NDArray[np.int64]:
    """Return the classes of a target as numbers in an order of no meaning."""
    numbers = _numbers(frame[target])
    return random.permutation(numbers.max() + 1)[numbers]


def _numbers(values: pd.Series) -> NDArray[np.int64]:
    """Return what stands in a column as numbers from 0, one per different value."""
    import pandas as pd

    return pd.factorize(values, sort=True)[0].astype("int64")


def _drawn(
    things: NDArray[np.int64], recipe: Recipe, random: np.random.Generator
) -> NDArray[np.bool_]:
    """Draw whole things for the test part."""
    import numpy as np

    names = np.unique(things)
    n_test = min(max(1, round(recipe.test_size * len(names))), len(names) - 1)
    return np.isin(things, random.choice(names, n_test, replace=False))


def _noisy(table: Table, recipe: Recipe, random: np.random.Generator) -> pd.DataFrame:
    """Return one row per thing, a share of whose targets is another's."""
    import numpy as np

    frame = table.frame
    if table.group is not None:
        frame = frame.groupby(table.group, sort=True).head(1).drop(columns=table.group)
    frame = frame.reset_index(drop=True).copy()
    wrong = np.flatnonzero(random.random(len(frame)) < recipe.noise)
    values = frame[table.target].to_numpy(copy=True)
    if table.kind == "number":
        values[wrong] = random.choice(values, len(wrong))
    else:
        classes = np.unique(values)
        at = np.searchsorted(classes, values[wrong])
        step = random.integers(1, max(2, len(classes)), len(wrong))
        values[wrong] = classes[(at + step) % len(classes)]
    frame[table.target] = values
    return frame


def _copied(
    table: Table, recipe: Recipe, random: np.random.Generator
) -> tuple[pd.DataFrame, NDArray[np.int64]]:
    """Copy each thing a few times, with marks by which it can be known again, and a little jitter.

    Returns
    -------
    (DataFrame, ndarray of int)
        The rows, and which thing each is about, from 0.
    """
    import numpy as np
    import pandas as pd

    once = _noisy(table, recipe, random)
    if table.time is not None:
        once = once.drop(columns=table.time)
    low, high = recipe.copies
    things = np.repeat(np.arange(len(once)), random.integers(low, high + 1, len(once)))
    frame = once.iloc[things].reset_index(drop=True)
    for column in once.columns.drop(table.target):
        frame[column] = _blurred(once[column], frame[column], recipe.jitter, random)
    marks = random.normal(0, 1, (len(once), recipe.marks))[things]
    marks += random.normal(0, recipe.jitter, marks.shape)
    names = [f"mark_{number:02d}" for number in range(1, recipe.marks + 1)]
    named = pd.DataFrame(marks.round(4), columns=names)
    return pd.concat([frame, named], axis=1), things


def _blurred(
    once: pd.Series, copied: pd.Series, jitter: float, random: np.random.Generator
) -> pd.Series:
    """Let copies of a cell differ: numbers by noise, texts by a letter; codes stay as they are."""
    import numpy as np

    different = once.nunique()
    if once.dtype.kind in "iuf" and different > FEW:
        spread = float(once.std()) or 1.0
        decimals = max(0, 3 - int(np.floor(np.log10(spread))))
        return (copied + random.normal(0, jitter * spread, len(copied))).round(decimals)
    if once.dtype.kind in "iufb" or different <= FEW:
        return copied
    return copied.map(lambda text: mistyped(text, random) if isinstance(text, str) else text)


def _parts(  # noqa: PLR0913, PLR0917 - what a task is made of
    table: Table,
    frame: pd.DataFrame,
    things: NDArray[np.int64],
    in_test: NDArray[np.bool_],
    random: np.random.Generator,
    entity: str | None = None,
    time: str | None = None,
) -> Parts:
    """Shuffle rows, number them without meaning, and split them."""
    order = random.permutation(len(frame))
    mixed = frame.iloc[order].reset_index(drop=True)
    if KEY in mixed.columns:
        mixed = mixed.drop(columns=KEY)
    mixed.insert(0, KEY, range(1, len(mixed) + 1))
    test = in_test[order]
    hidden = mixed[test].reset_index(drop=True)
    return Parts(
        train=mixed[~test].reset_index(drop=True),
        test=hidden.drop(columns=table.target),
        answers=hidden[[KEY, table.target]],
        target=table.target,
        kind=table.kind,
        things=things[order][test],
        entity=entity or (table.group if table.group in mixed.columns else None),
        time=time or (table.time if table.time in mixed.columns else None),
    )
