"""The small set that is committed: four tasks that exist nowhere, by people who do not either.

Below ``notebooks/<task>`` there are three ``references`` and three ``honest`` solutions, written
for this set, each alone: what an honest one shares with a reference is what the task makes
everybody write. Every disguise of every reference is made when the set is scored.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from tests.quality.plagiarism.labels import Item, Task
from tests.quality.plagiarism.material import prepare
from tests.quality.plagiarism.sources import read_text
from tests.quality.plagiarism.tools import Ours
from tests.quality.plagiarism.verdicts import verdicts
from tests.quality.score import Score

if TYPE_CHECKING:
    from tests.quality.plagiarism.material import Asked

NOTEBOOKS = Path(__file__).parent / "notebooks"
DETECTOR = "copied-notebook"
SEED = 5


def written_tasks() -> list[Task]:
    """Read the committed tasks."""
    return [
        Task(
            folder.name,
            references=_items(folder / "references"),
            honest=_items(folder / "honest"),
            copies=(),
            forks=(),
            near=frozenset(),
        )
        for folder in sorted(NOTEBOOKS.iterdir())
        if folder.is_dir()
    ]


def _items(folder: Path) -> tuple[Item, ...]:
    return tuple(
        Item(path.stem, folder.parent.name, read_text(path.name, path.read_bytes()), frozenset())
        for path in sorted(folder.iterdir())
    )


def written_material(folder: Path, per_kind: int = 12) -> tuple[Ours, list[Asked]]:
    """Write the set and its disguises, and build the corpus of its references."""
    skipped: Counter[str] = Counter()
    asked = prepare(
        written_tasks(), folder / "files", seed=SEED, per_kind=per_kind, skipped=skipped
    )
    ours = Ours(folder / "corpus")
    ours.corpus(asked)
    return ours, asked


def score_written(folder: Path) -> Score:
    """Ask the shipped detector about every honest file and every disguise."""
    ours, asked = written_material(folder)
    told = verdicts(ours.folder, asked)
    return Score(
        half="written set",
        measured="now",
        n_positive=told.n_copies,
        found=told.found,
        n_negative=told.n_honest,
        accused=len(told.accused),
        missed_kinds=told.missed_kinds,
        accused_kinds=tuple(sorted(file for file, _ in told.accused)),
    )
