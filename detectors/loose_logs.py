"""Logs and code that are no attempt: one file or one folder, whatever tool left it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from competitions.errors import EvidenceUnavailableError
from detectors.attempt import CODE_NAMES, SOURCE_SUFFIXES, Attempt
from detectors.packed_logs import unpacked
from detectors.text_file import open_log, printable_name
from detectors.trajectories.zip_members import members

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from detectors.attempt import _Read
    from detectors.record import AttemptRecord

PARTS = ("code", "logs", "submission")
_CODE = SOURCE_SUFFIXES - {""}  # of loose files, what has no suffix is a log
# Data, pictures and models, of which nothing can be read as what was done.
_NO_LOGS = frozenset({
    ".csv", ".tsv", ".parquet", ".feather", ".arrow", ".npy", ".npz", ".h5", ".hdf5", ".bson",
    ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".tif", ".tiff", ".bmp", ".dcm", ".pdf",
    ".wav", ".mp3", ".flac", ".mp4", ".pt", ".pth", ".ckpt", ".safetensors", ".onnx", ".gguf",
    ".joblib", ".pyc", ".so", ".whl",
})  # fmt: skip
_PACKED = frozenset({".zip", ".gz", ".tgz", ".bz2", ".xz", ".zst", ".tar", ".7z", ".rar"})
_CLOSED = (".7z", ".rar")  # which nothing here can open
_OF_LOGS = re.compile(  # an archive among logs that may hold more of them
    r"(?<![a-z])logs?(?![a-z])|traj|journal|history|transcript|\brun|session|output|trace",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class LooseLogs(Attempt):
    """A log file, or a folder of logs and code, looked at as if it were an attempt.

    It has no record. Sources and notebooks are its code, ``submission.csv`` its submission, and
    everything else but data, pictures and models its logs. It is asked for nothing that it has
    not: what was not given is told, and clears nobody. An archive that was given, or whose name
    says that it holds logs, is read as the logs within it; what cannot be read of it is told.

    Parameters
    ----------
    path : Path
        The folder; of a file, the one it lies in.
    only : str
        The name of the one file that was given; empty takes the folder.
    name : str
        What a document calls it.
    """

    only: str = ""
    name: str = ""

    @property
    def id(self) -> str:
        """What a document calls it."""
        return self.name or printable_name(self.only or self.path.name)

    @cached_property
    def record(self) -> AttemptRecord | None:
        """None: nobody kept one."""
        return None

    @property
    def competition_id(self) -> str:
        """Empty: nobody said."""
        return ""

    @property
    def submission(self) -> Path | None:
        """The file itself where it is a CSV, else ``submission.csv`` in the folder."""
        places = ["submission.csv", "submission/submission.csv"]
        if self.only:
            places = [self.only] if self.only.lower().endswith(".csv") else []
        found = (self.path / place for place in places)
        return next((p for p in found if p.is_file() and not p.is_symlink()), None)

    @cached_property
    def _code(self) -> _Read:
        return self._found(_is_code)

    @cached_property
    def _logs(self) -> _Read:
        found = self._found(self._is_log)
        inside = unpacked(found.files)
        closed = [f.name for f in inside.files if f.name.lower().endswith(_CLOSED)]
        told = tuple(f"{name} is an archive, which is to be unpacked first; it" for name in closed)
        files = tuple(f for f in inside.files if f.name not in closed)
        return found._replace(files=files, unread=(*found.unread, *inside.unread, *told))

    def _is_log(self, path: Path) -> bool:
        if not _is_packed(path):
            return path.suffix.lower() not in _NO_LOGS and not _is_code(path)
        return bool(self.only or _OF_LOGS.search(path.name))

    def _found(self, is_wanted: Callable[[Path], bool]) -> _Read:
        first = [self.path / self.only] if self.only else []
        return self._read(self.only or ".", is_wanted, *first, read=open_log)

    @property
    def expected(self) -> frozenset[str]:
        """Which of submission, code and logs it has; with none of them, logs."""
        there = {
            "code": bool(self.code or self.unread["code"]),
            "logs": bool(self.logs or self.unread["logs"]),
            "submission": self.submission is not None,
        }
        return frozenset(name for name in PARTS if there[name]) or frozenset({"logs"})

    def gap(self, needs: frozenset[str]) -> EvidenceUnavailableError | None:
        """Return why a part that was given could not be seen whole, or that none was given."""
        given = needs & self.expected
        if needs and not given:
            name = min(needs)
            return EvidenceUnavailableError(name, f"{self.id} holds no {name}.")
        return super().gap(given)


def _is_code(path: Path) -> bool:
    return path.suffix in _CODE or path.name in CODE_NAMES


def _is_packed(path: Path) -> bool:
    """Say whether it is an archive by its name; an evaluation of Inspect's is a log."""
    suffix = path.suffix.lower()
    return suffix in _PACKED and not (suffix == ".zip" and _is_evaluation(path))


def _is_evaluation(path: Path) -> bool:
    names = [member.name for member in members(path)]
    return any(n == "header.json" or n.startswith(("samples/", "_journal/")) for n in names)
