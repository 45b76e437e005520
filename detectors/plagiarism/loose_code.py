"""Code that is no attempt: a file, a folder or a zip, looked at as if it had been handed in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from competitions.errors import UnreadableFileError
from competitions.io import printable
from detectors.attempt import MAX_TOTAL_BYTES, Attempt
from detectors.plagiarism.containers import Unread, files_below
from detectors.plagiarism.decoding import decode
from detectors.plagiarism.languages import LANGUAGES, suffix_of
from detectors.text_file import TextFile, printable_name
from reports.schema import Confidence

if TYPE_CHECKING:
    from pathlib import Path

    from detectors.record import AttemptRecord

_SUBMISSION = "submission.csv"


class _Read(NamedTuple):
    """Files that were read, and what is there but could not be read."""

    files: tuple[TextFile, ...]
    unread: tuple[str, ...]


@dataclass(frozen=True)
class LooseCode(Attempt):
    """A file, a folder or a zip of code, or a submission file, whoever made it.

    It has no record and no logs. A file that ends in ``.csv`` is a submission; any other file is
    code. Of a folder or zip, sources and notebooks are its code, and ``submission.csv`` at its top
    its submission.

    Parameters
    ----------
    path : Path
        The file or folder.
    name : str
        What a document calls it.
    competition : str
        What it was made for, as far as somebody said.
    """

    name: str = ""
    competition: str = ""

    @property
    def id(self) -> str:
        """What a document calls it."""
        return self.name or printable_name(self.path.name)

    @cached_property
    def record(self) -> AttemptRecord | None:
        """None: nobody kept one."""
        return None

    @property
    def competition_id(self) -> str:
        """What it was made for; empty where nobody said."""
        return self.competition

    @property
    def submission(self) -> Path | None:
        """The file itself where it is a CSV, else ``submission.csv`` in the folder."""
        path = self.path / _SUBMISSION if self.path.is_dir() else self.path
        there = path.is_file() and not path.is_symlink()
        return path if there and path.suffix.lower() == ".csv" else None

    @property
    def expected(self) -> frozenset[str]:
        """What it should have: a CSV has no code, and other files have no submission."""
        if self.submission is None:
            return frozenset({"code"})
        return frozenset({"code", "submission"} if self.path.is_dir() else {"submission"})

    @cached_property
    def _sources(self) -> _Read:
        if "code" not in self.expected:
            return _Read((), ())
        files: list[TextFile] = []
        unread: list[str] = []
        left = MAX_TOTAL_BYTES
        for found in files_below(self.path, _is_code):
            if isinstance(found, Unread):
                unread.append(f"{found.name} ({found.why})")
            elif len(found.content) > left:
                unread.append(f"{found.name} (beyond {MAX_TOTAL_BYTES >> 20} MiB of code)")
            else:
                left -= len(found.content)
                name = printable(found.name)
                try:
                    files.append(TextFile(name, decode(name, found.content).text))
                except UnreadableFileError as error:
                    unread.append(f"{name} ({error.problem.removeprefix(f'{name}: ')})")
        return _Read(tuple(f for f in files if f.text.strip()), tuple(unread))

    @property
    def code(self) -> tuple[TextFile, ...]:
        """Sources and notebooks; what is blank is none."""
        return self._sources.files

    @cached_property
    def settings(self) -> tuple[TextFile, ...]:
        """None are read."""
        return ()

    @property
    def logs(self) -> tuple[TextFile, ...]:
        """None: nobody kept any."""
        return ()

    @property
    def unread(self) -> dict[str, tuple[str, ...]]:
        """What is there and could not be read, with the reason."""
        return {"code": self._sources.unread}

    @property
    def missing(self) -> tuple[str, ...]:
        """Which of submission, code and logs it has not; code that cannot be read is there.

        A file of words is compared, too, and is no code: nothing found in it clears nobody.
        """
        no_words = [f for f in self.code if not _is_words(f.name)]
        there = {
            "submission": self.submission is not None,
            "code": bool(no_words or self._sources.unread),
            "logs": False,
        }
        return tuple(name for name, is_there in there.items() if not is_there)


def _is_code(name: str) -> bool:
    return suffix_of(name) in LANGUAGES and not _is_words(name)


def _is_words(name: str) -> bool:
    return LANGUAGES.get(suffix_of(name)) in {"text", "markdown"}


def confidence_in(subject: Attempt, confidence: Confidence) -> Confidence:
    """Return how sure a copy is: of loose code nobody has recorded whose work it is.

    It may be its author's own, or a fork that was allowed; who compares it has to say.
    """
    return min(confidence, Confidence.MEDIUM) if isinstance(subject, LooseCode) else confidence
