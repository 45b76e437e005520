"""Scripts that an agent wrote into a log, and whether a command ran them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.other_tokens import SUFFIXES
from detectors.shell import pipelines
from detectors.text_file import TextFile
from detectors.trajectories.commands import whole
from detectors.trajectories.events import EventKind
from detectors.units import code_units

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.trajectories.events import Event
    from detectors.units import CodeUnit

MAX_COMMAND = 4_000  # characters of a command that are looked at
MAX_NAMES = 5_000  # names of scripts that are remembered
_SCRIPTS = tuple(f".{suffix}" for suffix in ("py", "ipynb", "sh", "bash", *sorted(SUFFIXES)))
_SETTINGS = (".yaml", ".yml", ".json", ".toml", ".ini", ".cfg", ".env", ".conf", ".properties")
_OF_SHELLS = frozenset({".bashrc", ".profile", ".bash_profile", ".zshrc", ".bash_aliases"})
_INTERPRETER = re.compile(
    r"#!\s?\S*?/(?:env\s+(?:-S\s+)?)?(python|bash|sh|zsh|perl|ruby|node|Rscript)"
)
_ENDINGS = {"python": "py", "perl": "pl", "ruby": "rb", "node": "js", "Rscript": "R"}
RUN = re.compile(
    r"(?:\b(?:python[\d.]{0,4}|bash|sh|source|nbconvert|papermill|torchrun|launch|Rscript|julia|node|"
    r"perl|ruby|php|octave|lua|deno|bun|tsx|run|duckdb|psql|sqlite3)\b[^;|&\n]{0,200}?"
    r"|(?:^|[\s/])\./)(?P<name>[\w.-]{1,80}\.(?:py|ipynb|sh|bash|R|r|jl|m?js|ts|pl|rb|php|m|lua|go|sql))\b"
)
_INTO = re.compile(r"(?:>|\btee)\s*(?:-a\s+)?[\"']?(?P<path>[\w./~${}-]{1,200})[\"']?")


def script_units(event: Event) -> list[CodeUnit]:
    """Return the code that an event puts into scripts or notebooks; nothing of anything else.

    A tool's WRITE does so, and a command by its here-documents (``cat > fit.py <<EOF``).
    """
    files: list[TextFile] = []
    if event.kind is EventKind.WRITE:
        files = [TextFile(event.target, event.text)]
    elif event.kind is EventKind.COMMAND and (">" in event.text or "tee" in event.text):
        files = [TextFile(name, text) for name, text in documents(whole(event).text)]
    wanted = [named for f in files if (named := _as_script(f)) is not None]
    return list(code_units(wanted))


def _as_script(file: TextFile) -> TextFile | None:
    """Return a file as the script that it is by its name, or its first line; None for others."""
    if file.name.endswith(_SCRIPTS):
        return file
    if file.name.rpartition("/")[2] in _OF_SHELLS:
        return TextFile(f"{file.name}.sh", file.text)
    first = _INTERPRETER.match(file.text)
    if first is None or "." in file.name.rpartition("/")[2]:
        return None
    return TextFile(f"{file.name}.{_ENDINGS.get(first[1], 'sh')}", file.text)


def settings_files(event: Event) -> list[TextFile]:
    """Return the settings that an event writes, as files: YAML, JSON, ``.env`` and the like."""
    if event.kind is EventKind.WRITE:
        files = [TextFile(event.target, event.text)]
    elif event.kind is EventKind.COMMAND and (">" in event.text or "tee" in event.text):
        files = [TextFile(name, text) for name, text in documents(whole(event).text)]
    else:
        return []
    return [f for f in files if f.name.endswith(_SETTINGS)]


def documents(text: str) -> Iterator[tuple[str, str]]:
    """Yield the here-documents that a command writes into files, with the files' names."""
    for pipeline in pipelines(text):
        into = _INTO.search(pipeline.text)
        if pipeline.heredoc and into:
            yield into["path"], pipeline.heredoc
        said = pipeline.commands[0]
        if into and said[0] in {"echo", "printf"} and ">" in said:
            text = " ".join(w for w in said[1 : said.index(">")] if w not in {"-e", "-n", "%s"})
            yield into["path"], text.replace("\\n", "\n")


class Runs:
    """Remembers which scripts the commands of logs ran, in the order of the events.

    Examples
    --------
    >>> from detectors.trajectories.events import Event
    >>> runs = Runs()
    >>> wrote = Event(EventKind.WRITE, "x = 1", "a.log", 1, 1, target="/home/code/t.py")
    >>> at = runs.see(wrote)
    >>> runs.ran(wrote, at)
    False
    >>> _ = runs.see(Event(EventKind.COMMAND, "cd /home/code && python t.py", "a.log", 2, 2))
    >>> runs.ran(wrote, at)
    True
    """

    def __init__(self) -> None:
        self._last: dict[tuple[str, str], int] = {}
        self._count = 0

    def see(self, event: Event) -> int:
        """Look at the next event and return its number."""
        self._count += 1
        if event.kind is EventKind.COMMAND and len(self._last) < MAX_NAMES:
            for found in RUN.finditer(event.text[:MAX_COMMAND]):
                self._last[event.path, found["name"]] = self._count
        return self._count

    def ran(self, event: Event, number: int, script: str = "") -> bool:
        """Say whether a command ran the script that the event of this number wrote.

        Parameters
        ----------
        script : str
            Which one, of a command that wrote it; the command itself may have run it.
        """
        name = (script or event.target).rpartition("/")[2]
        first = number if event.kind is EventKind.COMMAND else number + 1
        return self._last.get((event.path, name), 0) >= first
