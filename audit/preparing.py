"""Many tasks prepared in one call: one that fails becomes its row, and the others go on."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from audit.engine import completed
from competitions.data import layout_of
from competitions.errors import MleAuditError
from competitions.io import printable, reason
from competitions.miniature import is_miniature
from competitions.needs import jobs_warning, memory_warning
from competitions.outside import named
from competitions.prepare import prepare

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from competitions.prepare import Prepared
    from competitions.spec import Variant

    Show = Callable[[int, int, str], None]

_USAGE, _COULD_NOT = 2, 3
HEAD = ("competition", "variant", "source", "result", "folder")


@dataclass(frozen=True)
class Options:
    """How each task of a call is prepared; see `competitions.prepare.prepare`."""

    data_dir: Path
    variant: Variant = "v1"
    source: str | None = None
    raw: Path | None = None
    keep_raw: bool = False
    force: bool = False
    seed: int = 0
    checksums: Path | None = None
    description: Path | None = None


@dataclass(frozen=True)
class Result:
    """What became of one task.

    Parameters
    ----------
    name : str
        As the call named it: an id, or the path of a definition.
    result : str
        In words: ``prepared``, ``already prepared`` or ``failed: <code>: <first line>``.
    told : str or None
        The whole error with its remedy, where it failed.
    exit_code : int
        0, or that of the error.
    """

    name: str
    competition: str
    variant: str
    source: str
    result: str
    folder: str
    told: str | None = None
    exit_code: int = 0

    @property
    def row(self) -> tuple[str, ...]:
        """The cells of a table with `HEAD`."""
        return (self.competition, self.variant, self.source, self.result, self.folder)


def prepare_one(name: str, options: Options, show: Show | None = None) -> Result:
    """Prepare one task.

    Raises
    ------
    MleAuditError
        See `competitions.prepare.prepare`.
    """
    spec = named(name, options.variant, options.data_dir)
    done = prepare(
        spec,
        options.data_dir,
        options.source,
        options.raw,
        keep_raw=options.keep_raw,
        force=options.force,
        seed=options.seed,
        checksums=options.checksums,
        description=options.description,
        show=show,
    )
    return Result(name, spec.id, spec.variant, done.source, _words(done), str(done.folder))


def prepare_many(
    names: Sequence[str], options: Options, *, jobs: int = 1, show: Show | None = None
) -> Iterator[Result]:
    """Prepare tasks, several at once, and yield each as it is done; a failed one stops no other.

    Workers write the prepared data themselves, each all of it or nothing, so that a call that was
    killed is made again as it was: what is prepared by then is only checked.

    Parameters
    ----------
    names : sequence of str
        Ids, or paths of definitions outside the catalog.
    jobs : int
        Tasks at once.
    show : callable or None
        Told how far a download is; only where tasks are prepared one after the other.

    Raises
    ------
    UsageError
        When there are fewer than one job.
    """
    alone = show if jobs == 1 else None
    yield from completed(partial(_outcome, options=options, show=alone), names, jobs=jobs)


def memory_warnings(names: Sequence[str], options: Options, *, jobs: int = 1) -> list[str]:
    """Say which tasks would take more memory than the machine has; only of real raw files.

    Parameters
    ----------
    jobs : int
        Tasks at once: together they may take too much where each alone does not.
    """
    if options.source in {"miniature", "mlebench"}:
        return []
    wanted = []
    for name in names:
        with contextlib.suppress(MleAuditError):  # told when its turn comes
            spec = named(name, options.variant, options.data_dir)
            layout = layout_of(spec, options.data_dir)
            raw = options.raw or layout.raw
            if (layout.prepared.is_dir() and not options.force) or is_miniature(raw):
                continue
            wanted.append(spec)
    told = [said for spec in wanted if (said := memory_warning(spec)) is not None]
    if not told and (said := jobs_warning(wanted, jobs)) is not None:
        told.append(said)
    return told


def exit_code(results: Sequence[Result]) -> int:
    """Return 0 when all are prepared, 2 when all that failed are misuse, else 3."""
    failed = {r.exit_code for r in results if r.exit_code}
    if not failed:
        return 0
    return _USAGE if failed == {_USAGE} else _COULD_NOT


def _outcome(name: str, options: Options, show: Show | None) -> Result:
    """Prepare one task; what we or the system refuse is returned, what is a bug is raised."""
    try:
        return prepare_one(name, options, show)
    except MleAuditError as error:
        return _failed(name, options, error.code, str(error), error.exit_code)
    except OSError as error:  # a full disk, a folder that may not be written
        where = f"{error.filename}: " if error.filename is not None else ""
        return _failed(name, options, "os", f"{where}{reason(error)}", _COULD_NOT)


def _failed(name: str, options: Options, code: str, said: str, exit_code: int) -> Result:
    result = f"failed: {code}: {said.splitlines()[0]}"
    told = "\n".join(map(printable, f"{name}: error[{code}]: {said}".split("\n")))
    return Result(name, name, options.variant, options.source or "", result, "", told, exit_code)


def _words(done: Prepared) -> str:
    if done.source == "mlebench":
        return "as MLE-bench left it"
    return "prepared" if done.is_new else "already prepared"
