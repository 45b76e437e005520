"""The agent's own interpreter: a virtual environment without our packages and without answers.

It is built once and kept in the user's cache, under a digest of everything it is made of. When all
it needs is installed where mle-audit runs, the files are hard-linked from there: that takes
seconds, no network and next to no disk. Else pip installs them.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from audit.runner.bundled import is_bundled_data, remove_bundled_data
from audit.runner.distributions import closure, link_distribution
from audit.runner.remains import remove_tree
from competitions.errors import InterpreterError
from competitions.io import sha256_bytes
from competitions.locks import locked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from importlib.metadata import Distribution

_RECIPE = 2  # part of the digest: raise it when the way of building changes
_PROBE = (
    "import json,os,sys;"
    "print(json.dumps([sys.implementation.cache_tag, sys.base_prefix,"
    "os.path.realpath(getattr(sys, '_base_executable', sys.executable))]))"
)
_PIP_LINES = 15
_COUNT = ".entries"


@dataclass(frozen=True)
class Interpreter:
    """A virtual environment and what it stands on.

    Parameters
    ----------
    folder : Path
        The environment.
    base_prefix : Path
        Prefix of the Python it was made from; its ``bin`` and ``lib`` are needed at run time.
    """

    folder: Path
    base_prefix: Path

    @property
    def bin(self) -> Path:
        """The folder that comes first on the agent's PATH."""
        return self.folder / "bin"


@dataclass(frozen=True)
class _Base:
    cache_tag: str
    prefix: Path
    executable: Path

    @property
    def is_ours(self) -> bool:
        return self.cache_tag == sys.implementation.cache_tag


@dataclass(frozen=True)
class _Needs:
    """What an environment is to hold; parts are those of the requirements that are all here."""

    requirements: Sequence[str]
    alone: Sequence[str]
    parts: Sequence[Distribution] | None


def default_cache() -> Path:
    """Return where interpreters are kept: ``$MLE_AUDIT_CACHE``, else the user's cache folder."""
    import platformdirs

    root = os.environ.get("MLE_AUDIT_CACHE") or platformdirs.user_cache_dir("mle-audit")
    return Path(root) / "interpreters"


def interpreter_for(
    python: Path | None,
    requirements: Sequence[str],
    cache: Path | None = None,
    alone: Sequence[str] = (),
) -> Interpreter:
    """Return the interpreter for these requirements; build it if it is not there yet.

    Parameters
    ----------
    python : Path or None
        The Python it is based on; None is the one we run on.
    requirements : sequence of str
        As pip reads them. Empty gives a bare environment.
    cache : Path or None
        Where interpreters are kept.
    alone : sequence of str
        Packages that pip installs without what they ask for in turn.

    Raises
    ------
    InterpreterError
        When `python` is no Python, or pip fails; with pip's last lines.
    """
    base = _probe(python)
    parts = closure(requirements) if requirements and base.is_ours else None
    versions = sorted(f"{d.name}=={d.version}" for d in parts or ())
    made_of = [_RECIPE, str(base.executable), base.cache_tag, sorted(requirements), versions]
    made_of += [sorted(alone)] if alone else []
    folder = (cache or default_cache()) / sha256_bytes(json.dumps(made_of).encode())[:32]
    if not _is_whole(folder):  # it appears by one rename, complete or not at all
        with _building(folder):
            if not _is_whole(folder):
                _discard(folder)
                _build(base, _Needs(requirements, alone, parts), folder)
    return Interpreter(folder, base.prefix)


def _is_whole(folder: Path) -> bool:
    """Whether all is there that was built: what cleans caches removes single files."""
    try:
        return int((folder / _COUNT).read_text()) <= _entries_below(folder)
    except (OSError, ValueError):
        return False


def _entries_below(folder: Path) -> int:
    """Count files, folders and links that lead somewhere; mere bytecode may come and go."""
    found = 0
    for root, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        found += sum(Path(root, name).exists() for name in (*folders, *files))
    return found


def _discard(folder: Path) -> None:
    """Remove what lies in the place of an interpreter and is none."""
    if folder.is_dir() and not folder.is_symlink():
        remove_tree(folder)
    else:
        folder.unlink(missing_ok=True)


def _probe(python: Path | None) -> _Base:
    executable = str(python or sys.executable)
    command = [executable, "-I", "-c", _PROBE]
    try:
        done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)  # noqa: S603
        tag, prefix, path = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise InterpreterError(
            f"Expected a Python interpreter at {executable}: {error}",
            "Set `python:` in agent.yaml to a Python, or leave it out to use ours.",
        ) from error
    real = Path(path)
    above = Path(os.path.realpath(prefix))  # as the environment's links will name it
    return _Base(tag, above if real.is_relative_to(above) else Path(prefix), real)


@contextlib.contextmanager
def _building(folder: Path) -> Iterator[None]:
    """Let one process build a folder while others wait for it."""
    with contextlib.ExitStack() as stack:
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            stack.enter_context(locked(folder.with_suffix(".lock"), wait=True))
        except OSError as error:
            raise InterpreterError(
                f"Interpreters cannot be kept in {folder.parent}: {error}",
                "Set MLE_AUDIT_CACHE to a folder that can be written.",
            ) from error
        yield


def _build(base: _Base, needs: _Needs, folder: Path) -> None:
    """Build beside `folder` and rename; a build that fails leaves nothing."""
    temporary = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name[:8]}."))
    try:
        _run([str(base.executable), "-I", "-m", "venv", "--without-pip", str(temporary)])
        if needs.parts:
            for part in needs.parts:
                link_distribution(part, Path(sys.prefix), temporary, leave_out=is_bundled_data)
        elif needs.requirements:
            _pip_install(temporary, needs.requirements)
        if needs.alone:
            _pip_install(temporary, ("--no-deps", *needs.alone))
        remove_bundled_data(temporary)
        if needs.requirements or needs.alone:
            # The agent cannot write here, so what is not compiled now is compiled at every start.
            _run([str(temporary / "bin/python"), "-I", "-m", "compileall", "-q", "-j0", "lib"])
        _repair_scripts(temporary)
        temporary.chmod(0o755)
        # The file that says how many there are is one of them.
        (temporary / _COUNT).write_text(str(_entries_below(temporary) + 1))
        temporary.rename(folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _pip_install(environment: Path, wanted: Sequence[str]) -> None:
    python = str(environment / "bin" / "python")
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--no-input"]
    _run([*pip, "--quiet", "--disable-pip-version-check", *wanted])


def _run(command: list[str]) -> None:
    # compileall counts a file that no Python can compile (templates, other versions) as failure.
    may_fail = "compileall" in command
    cwd = Path(command[0]).parents[1] if may_fail else None
    done = subprocess.run(  # noqa: S603 - our own words and the agent's requirements
        command, check=False, capture_output=True, text=True, errors="replace", cwd=cwd
    )
    if done.returncode and not may_fail:
        last = "\n  ".join((done.stderr or done.stdout).strip().splitlines()[-_PIP_LINES:])
        tool = "pip" if "pip" in command else "venv"
        raise InterpreterError(
            f"The agent's interpreter could not be built; {tool} ended with:\n  {last}",
            "Check `python` and `requirements` in agent.yaml; offline, install them beside "
            "mle-audit first.",
        )


def _repair_scripts(environment: Path) -> None:
    """Point scripts at the Python found first on PATH; the folder they name is renamed away."""
    for script in (environment / "bin").iterdir():
        if script.is_symlink() or not script.is_file():
            continue
        content = script.read_bytes()
        first, _, rest = content.partition(b"\n")
        if first.startswith(b"#!") and b"python" in first:
            mode = script.stat().st_mode
            script.unlink()  # it may be a hard link to ours
            script.write_bytes(b"#!/usr/bin/env python3\n" + rest)
            script.chmod(mode)
