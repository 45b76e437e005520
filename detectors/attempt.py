"""The collector that reads an attempt's files without trusting them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from competitions.errors import EvidenceUnavailableError, UnreadableFileError
from competitions.io import walk_files
from detectors.packed_logs import unpacked
from detectors.record import RECORD_NAME, read_record
from detectors.text_file import MAX_TEXT_BYTES, open_log, printable_name, read_text_file
from reports.schema import SubjectKind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from detectors.record import AttemptRecord
    from detectors.text_file import TextFile

MAX_TOTAL_BYTES = 256 << 20  # of all code, and of all logs; files beyond it are not read
MAX_NAMED = 3  # files that a gap names
SOURCE_SUFFIXES = frozenset({
    *("", ".py", ".ipynb", ".sh", ".bash", ".zsh", ".slurm", ".mk", ".r", ".R", ".Rmd", ".rmd"),
    *(".qmd", ".irnb", ".jl", ".ijlnb", ".sql", ".c", ".cc", ".cpp", ".h", ".pl", ".js", ".ts"),
    *(".mjs", ".go", ".rs", ".java", ".lua", ".rb", ".m", ".scala", ".php"),
})  # fmt: skip
CONFIG_SUFFIXES = frozenset({".yaml", ".yml", ".json", ".toml", ".ini", ".cfg"})
TEMPLATE_SUFFIXES = frozenset({".j2", ".jinja", ".jinja2", ".tmpl", ".tpl", ".prompt", ".rst"})
TABLE_SUFFIXES = (
    CONFIG_SUFFIXES | TEMPLATE_SUFFIXES | {".txt", ".csv", ".tsv", ".jsonl", ".dat", ".md"}
)
ENVIRONMENT = ".env"  # how files of variables begin, whatever their suffix
CODE_NAMES = frozenset({"Makefile"})
MAX_CONFIG_BYTES = 1 << 20  # a larger file of these kinds is data, not settings


class _Read(NamedTuple):
    """Files that were read, and what is there but could not be read."""

    files: tuple[TextFile, ...]
    unread: tuple[str, ...]


@dataclass(frozen=True)
class Attempt:
    """One attempt's folder, read lazily; nothing in it is ever imported or unpickled.

    Parameters
    ----------
    path : Path
        Folder with ``submission/``, ``code/``, ``logs/``, and perhaps ``run.log`` and
        ``attempt.json``.
    """

    path: Path
    kind = SubjectKind.ATTEMPT

    @property
    def id(self) -> str:
        """The folder's name, which holds the competition and a unique part."""
        return printable_name(self.path.name)

    @cached_property
    def record(self) -> AttemptRecord | None:
        """The record, or None when there is none."""
        return read_record(self.path)

    @cached_property
    def readable_record(self) -> AttemptRecord | None:
        """The record, or None also when there is one that cannot be read."""
        try:
            return self.record
        except UnreadableFileError:
            return None

    @property
    def competition_id(self) -> str:
        """From the record, else from the folder's name ``<competition>_<uuid>``."""
        return self.record.competition_id if self.record else self.path.name.rpartition("_")[0]

    @property
    def submission(self) -> Path | None:
        """The submission file, or None."""
        path = self.path / "submission" / "submission.csv"
        return path if path.is_file() and not path.is_symlink() else None

    def _read(
        self,
        folder: str,
        is_wanted: Callable[[Path], bool],
        *first: Path,
        read: Callable[[Path, str, int], TextFile] = read_text_file,
    ) -> _Read:
        """Read the wanted files below a folder; what cannot be read is named, never passed over."""
        unread: list[str] = []
        files: list[TextFile] = []
        left = MAX_TOTAL_BYTES

        def note(error: OSError, path: Path | None = None) -> None:
            where = os.path.relpath(path or error.filename or folder, self.path)
            unread.append(f"{printable_name(where)} ({error.strerror})")

        root = self.path / folder
        below = walk_files(root, note) if root.is_dir() and not root.is_symlink() else ()
        for path in (*first, *below):
            if is_wanted(path):
                name = printable_name(path.relative_to(self.path).as_posix())
                try:
                    files.append(read(path, name, min(left, MAX_TEXT_BYTES)))
                    left -= min(left, path.stat().st_size)
                except OSError as error:
                    note(error, path)
        return _Read(tuple(files), tuple(unread))

    @cached_property
    def _code(self) -> _Read:
        return self._read("code", lambda p: p.suffix in SOURCE_SUFFIXES or p.name in CODE_NAMES)

    @cached_property
    def _logs(self) -> _Read:
        captured = self.path / "run.log"
        own = [captured] if captured.is_file() and not captured.is_symlink() else []
        read = self._read("logs", lambda _path: True, *own, read=open_log)
        inside = unpacked(read.files)
        return _Read(inside.files, (*read.unread, *inside.unread))

    @property
    def code(self) -> tuple[TextFile, ...]:
        """Source files and notebooks below ``code/``."""
        return self._code.files

    @cached_property
    def settings(self) -> tuple[TextFile, ...]:
        """Configuration files below ``code/``, of at most 1 MiB each."""
        return self._read(
            "code",
            lambda p: (
                (p.suffix in CONFIG_SUFFIXES or p.name.startswith(ENVIRONMENT))
                and p.stat().st_size <= MAX_CONFIG_BYTES
            ),
        ).files

    @cached_property
    def tables(self) -> tuple[TextFile, ...]:
        """Files of values below ``code/``, of at most 1 MiB each: text tables and configuration."""
        return self._read(
            "code", lambda p: p.suffix in TABLE_SUFFIXES and p.stat().st_size <= MAX_CONFIG_BYTES
        ).files

    @cached_property
    def notes(self) -> tuple[TextFile, ...]:
        """Texts that lie in the attempt's own folder, of at most 1 MiB each, beside its record."""
        found = [p for p in sorted(self.path.glob("*")) if p.is_file() and not p.is_symlink()]
        return self._read(
            "notes",
            lambda p: (
                p.suffix in TABLE_SUFFIXES
                and p.name != RECORD_NAME
                and p.stat().st_size <= MAX_CONFIG_BYTES
            ),
            *found,
        ).files

    @property
    def logs(self) -> tuple[TextFile, ...]:
        """What the runner captured (``run.log``) and every file below ``logs/``."""
        return self._logs.files

    @property
    def unread(self) -> dict[str, tuple[str, ...]]:
        """What is there below ``code`` and ``logs`` and could not be read, with the reason."""
        return {"code": self._code.unread, "logs": self._logs.unread}

    @property
    def expected(self) -> frozenset[str]:
        """Which of submission, code and logs it should have."""
        return frozenset({"submission", "code", "logs"})

    @property
    def missing(self) -> tuple[str, ...]:
        """Which of submission, code and logs this attempt has not; a log of no bytes is none.

        What is there and cannot be read is not missing, but `unread`.
        """
        has_logs = any(log.is_large or log.text.strip() for log in self.logs)
        found = {
            "submission": self.submission is not None,
            "code": bool(self.code),
            "logs": has_logs,
        }
        return tuple(n for n, there in found.items() if not there and not self.unread.get(n))

    def gap(self, needs: frozenset[str]) -> EvidenceUnavailableError | None:
        """Return why one of code, logs and submission could not be seen whole, or None."""
        for name in sorted(needs):
            if name in self.missing:
                problem = f"{self.id} has no {name}, so what it did cannot be read there."
                return EvidenceUnavailableError(name, problem)
            unread = self.unread.get(name, ())
            if unread:
                told = f"{_some(unread)} cannot be read."
                return EvidenceUnavailableError(name, told)
            files = {"code": self.code, "logs": self.logs}.get(name, ())
            cut = [file.name for file in files if file.truncated]
            if cut:
                told = f"{_some(cut)} {'is' if len(cut) == 1 else 'are'} larger than is read."
                return EvidenceUnavailableError(name, told)
        return None


def _some(names: Sequence[str]) -> str:
    """Name the first few, and how many there are."""
    few = ", ".join(names[:MAX_NAMED])
    return few if len(names) <= MAX_NAMED else f"{len(names)} files ({few}, …)"


def is_attempt(path: Path) -> bool:
    """Say whether a folder looks like an attempt: a record, or MLE-bench's sub-folders."""
    if (path / RECORD_NAME).is_file():
        return True
    return "_" in path.name and any(
        (path / part).is_dir() for part in ("submission", "logs", "code")
    )
