"""Which tasks a call is about: named one by one, by a file, or by a split of the benchmark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.errors import UsageError
from competitions.io import reason
from competitions.outside import named
from competitions.spec import catalog_ids, load

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from competitions.spec import Competition

# MLE-bench's names: low, medium and high make up the 75, dev are the 7 development tasks; kaggle
# are all 82 of them.
SPLITS: dict[str, Callable[[Competition], bool]] = {
    "low": lambda spec: spec.split75 and spec.complexity == "low",
    "medium": lambda spec: spec.split75 and spec.complexity == "medium",
    "high": lambda spec: spec.split75 and spec.complexity == "high",
    "all": lambda spec: spec.split75,
    "dev": lambda spec: spec.source.kind == "kaggle" and not spec.split75,
    "kaggle": lambda spec: spec.source.kind == "kaggle",
    "embedded": lambda spec: spec.complexity == "embedded",
}


def split_named(split: str | None, *, lite: bool, everything: bool) -> str | None:
    """Return the split that three options name, of which at most one may be given.

    Raises
    ------
    UsageError
        When more than one is.
    """
    named = [split] if split else []
    named += (["low"] if lite else []) + (["kaggle"] if everything else [])
    if len(named) > 1:
        raise UsageError(f"Expected one of --split, --lite and --all, found {len(named)}.")
    return named[0] if named else None


def chosen_competitions(
    names: Sequence[str] = (),
    file: Path | None = None,
    split: str | None = None,
    data_dir: Path | None = None,
) -> list[str]:
    """Return the ids that a call names, each once, in the order in which they are named.

    Parameters
    ----------
    names : sequence of str
        Ids, or paths of definitions outside the catalog.
    file : Path or None
        One id per line, as MLE-bench's ``experiments/splits/*.txt``; ``#`` begins a comment.
    split : str or None
        A name of `SPLITS`; those of its tasks that are in the catalog.
    data_dir : Path or None
        Where tasks from outside the catalog were prepared before, whose ids count then, too.

    Raises
    ------
    UsageError
        When nothing is named, no split is called this, or the file cannot be read or is empty.
    UnknownNameError
        When a task does not exist.

    Examples
    --------
    >>> chosen_competitions(["modechoice"], split="low")
    ['modechoice', 'spaceship-titanic']
    """
    found = [*names, *(_in_file(file) if file else ()), *(_in_split(split) if split else ())]
    if not found:
        raise UsageError(
            "Expected at least one competition, found none.",
            f"Name some with -c ID, --competition-set FILE or --split {'|'.join(SPLITS)}.",
        )
    for name in found:
        named(name, "v1", data_dir)
    return list(dict.fromkeys(found))


def _in_split(split: str) -> list[str]:
    if split not in SPLITS:
        raise UsageError(f"Expected a split of {', '.join(SPLITS)}; found {split!r}.")
    found = [name for name in catalog_ids() if SPLITS[split](load(name))]
    if not found:
        raise UsageError(
            f"No task of the split {split} is in the catalog.", "See: mle-audit list competitions"
        )
    return found


def _in_file(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"{path}: expected a text file of competition ids, found none: {reason(error)}."
        ) from error
    names = [line.partition("#")[0].strip() for line in lines]
    if not any(names):
        raise UsageError(f"{path}: expected one competition id per line, found none.")
    return [name for name in names if name]
