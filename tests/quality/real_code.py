"""Count false accusations of a detector of attempts over a folder of real, honest code.

``python -m tests.quality.real_code DIR [DETECTOR]`` takes each script and notebook below DIR for an
attempt's whole code; the detector is `answers-read` unless it is named. Public notebooks of
competitions are what it is meant for: none of them could reach for answers or for a harness, so
each one that is flagged is a false accusation. Nothing is executed or copied.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from audit.check import check
from audit.console import progress_bar, table
from competitions.io import walk_files
from detectors.attempt import SOURCE_SUFFIXES, Attempt
from detectors.base import detector
from reports.schema import Outcome
from tests.quality.score import wilson


class Count(NamedTuple):
    """What became of the files.

    Parameters
    ----------
    accused : tuple of str
        Files that were flagged, with what was seen.
    unfinished : tuple of str
        Files that were too large to be followed to their end, or could not be read.
    """

    n_files: int
    accused: tuple[str, ...]
    unfinished: tuple[str, ...]


def count(folder: Path, detector_id: str = "answers-read") -> Count:
    """Ask a detector about each source file below a folder, one attempt each.

    The missing log of such an attempt is expected and not counted as unfinished.
    """
    files = [p for p in walk_files(folder) if p.suffix in SOURCE_SUFFIXES]
    one = detector(detector_id)()
    accused, unfinished = [], []
    with tempfile.TemporaryDirectory() as name, progress_bar("real code") as show:
        for number, path in enumerate(files, start=1):
            attempt = Path(name) / f"real-code_{number}"
            (attempt / "code").mkdir(parents=True)
            (attempt / "run.log").write_text("no log was kept\n", encoding="utf-8")
            (attempt / "code" / f"file{path.suffix}").write_bytes(path.read_bytes())
            answer = check(one, Attempt(attempt))
            told = path.relative_to(folder).as_posix()
            if answer.outcome is Outcome.FLAGGED:
                accused.append(f"{told}: {answer.findings[0].evidence[0].shows}")  # type: ignore[union-attr]
            elif answer.outcome is not Outcome.CLEAN:
                unfinished.append(f"{told}: {answer.reason}")
            show(number, len(files), told)
    return Count(len(files), tuple(accused), tuple(unfinished))


def main() -> None:
    """Print the count with its 95 % Wilson interval, then every file that was accused."""
    found = count(Path(sys.argv[1]), *sys.argv[2:3])
    share = wilson(len(found.accused), found.n_files)
    row = (
        str(found.n_files),
        str(len(found.accused)),
        f"{100 * share.share:.2f} % ({100 * share.low:.2f} to {100 * share.high:.2f})",
        str(len(found.unfinished)),
    )
    sys.stdout.write(table(("files", "accused", "false accusations", "unfinished"), [row]) + "\n")
    sys.stdout.write("".join(f"{line}\n" for line in (*found.accused, *found.unfinished)))


if __name__ == "__main__":
    main()
