"""What the shipped detector says, with its default thresholds, of each file as a whole attempt."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from audit.check import check
from detectors.attempt import Attempt
from detectors.plagiarism.copied_notebook import CopiedNotebook
from reports.schema import CopiedPassages, Outcome
from tests.quality.score import precision, wilson

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tests.quality.plagiarism.material import Asked, Query
    from tests.quality.score import Interval


@dataclass(frozen=True)
class Verdicts:
    """How many files the detector flags.

    Parameters
    ----------
    accused : tuple of (str, str)
        Honest files that were flagged, with the sources named; sources that share a real copy with
        the file are no accusation.
    near : int
        Honest files that were flagged for such a real copy only.
    found : int
        Copies that were flagged with their source named, or one that shares real copies with it.
    """

    n_honest: int
    accused: tuple[tuple[str, str], ...]
    near: int
    n_copies: int
    found: int
    missed_kinds: tuple[str, ...]

    @property
    def false_flags(self) -> Interval:
        """Share of honest files accused."""
        return wilson(len(self.accused), self.n_honest)

    @property
    def recall(self) -> Interval:
        """Share of copies whose source was named."""
        return wilson(self.found, self.n_copies)

    @property
    def precision(self) -> float:
        """Share of the flagged that are copies, where one file in twenty is."""
        return precision(self.recall.share, self.false_flags.share)


def verdicts(corpus: Path, asked: Iterable[Asked]) -> Verdicts:
    """Ask the detector about every file.

    Raises
    ------
    AssertionError
        When it failed on one, or could not look.
    """
    accused, missed, near, n_honest, n_copies = [], [], 0, 0, 0
    for one in asked:
        for query in one.queries:
            named = frozenset(_named(corpus, one.task, query))
            if query.is_copy:
                n_copies += 1
                missed += [] if named & (query.alike | set(query.against)) else [query.kind]
            else:
                n_honest += 1
                wrongly = named & set(query.against)
                accused += [(query.file.name, " ".join(sorted(wrongly)))] if wrongly else []
                near += bool(named) and not wrongly
    kinds = tuple(sorted(missed))
    return Verdicts(n_honest, tuple(accused), near, n_copies, n_copies - len(missed), kinds)


def _named(corpus: Path, task: str, query: Query) -> Iterator[str]:
    """Return the sources that the detector names for a file, flagged or noted as the same."""
    with tempfile.TemporaryDirectory() as name:
        attempt = Path(name) / f"{task}_1"
        (attempt / "code").mkdir(parents=True)
        shutil.copy(query.file.path, attempt / "code")
        detector = CopiedNotebook(corpus=str(corpus), competition=task)
        answer = check(detector, Attempt(attempt))
        assert answer.outcome in {Outcome.CLEAN, Outcome.FLAGGED}, answer.reason
        for finding in answer.findings:
            for shown in finding.evidence:
                if isinstance(shown, CopiedPassages) and finding.severity != "note":
                    yield Path(shown.source).stem
