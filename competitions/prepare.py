"""Turn raw files into ``public/`` and ``private/``: all of it or nothing, whatever interrupts.

Everything is built in a temporary folder beside the target and moved there by one rename, under a
lock that the system releases when the process dies. A raw folder that the user placed is only read.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import tempfile
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from competitions.data import Layout, layout_of
from competitions.describe import describe
from competitions.disk import telling_when_full
from competitions.errors import MleAuditError, RefusedError, UnknownNameError
from competitions.hooks import Hooks, hooks_of
from competitions.io import sha256_file, write_json, write_text
from competitions.locks import locked
from competitions.miniature import is_miniature
from competitions.official import official_description
from competitions.outputs import Trees, renumbered, with_derived, write_outputs
from competitions.outside import keep, require_columns
from competitions.pins import tree_digests
from competitions.prepared import (
    Manifest,
    Prepared,
    adopt,
    load_prepared,
    prepare_command,
    spec_sha256,
    verify,
)
from competitions.row_files import copy_row_files
from competitions.row_keys import require_a_key
from competitions.sources import NAMES, SOURCES, Raw, Request, default_source, refuse_others
from competitions.sources.mlebench import require_official
from competitions.splits import Parts, split_frame, without_dropped
from competitions.streamed import write_streamed
from competitions.submission import schema_of
from competitions.work import Work, raw_table, require_schemas, unpack_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from competitions.spec import Competition

__all__ = ["Prepared", "load_prepared", "prepare"]

_MLEBENCH = "--source mlebench --data-dir DIR"
_TEMPORARY = ".mle-audit-tmp-"
_REPLACED = ".mle-audit-old-"


def tool_version() -> str:
    """Return the version of mle-audit that runs, or ``unknown`` from a bare source tree."""
    try:
        return version("mle-audit")
    except PackageNotFoundError:
        return "unknown"


def prepare(  # noqa: PLR0913 - each is an option of the verb of the same name
    spec: Competition,
    data_dir: Path,
    source: str | None = None,
    raw: Path | None = None,
    *,
    keep_raw: bool = False,
    force: bool = False,
    seed: int = 0,
    checksums: Path | None = None,
    description: Path | None = None,
    show: Callable[[int, int, str], None] | None = None,
) -> Prepared:
    """Prepare a task's variant, once.

    Parameters
    ----------
    source : str or None
        One of `competitions.sources.NAMES`; None takes the given or placed folder, else the
        task's own source.
    raw : Path or None
        Folder of raw files, or Kaggle's zip of them, for the source ``local``; never changed.
    keep_raw : bool
        Keep raw files that we made in ``<data-dir>/<id>/raw``.
    force : bool
        Prepare anew and replace what is there.
    seed : int
        For the source ``miniature``.
    checksums : Path or None
        A ``checksums.yaml`` of MLE-bench or a checkout of it, with which Kaggle's zip and the data
        of variant v1 must agree, whoever prepared them.
    description : Path or None
        The official text to hand out in the place of ours, or a checkout of MLE-bench that has it.
    show : callable or None
        Told how far a download is: MiB done, MiB in all, and of what.

    Returns
    -------
    Prepared
        At once when it is there and agrees with its manifest.

    Raises
    ------
    DigestMismatchError
        When prepared files are not the ones that were written.
    ChecksumsError
        When data of variant v1 are not what the given checksums say.
    RefusedError
        When the call would replace real data by a miniature, data of another source, or a folder
        that mle-audit did not write.
    RawDataError
        When raw files are missing or have another schema.
    """
    if source is not None and source not in NAMES:
        raise UnknownNameError("source", source, NAMES, f"There are: {', '.join(NAMES)}")
    if source == "mlebench":
        if raw is not None:
            raise RefusedError(
                "--raw goes with --source local; what MLE-bench prepared is taken as it lies.",
                f"Name its data directory: {prepare_command(spec, _MLEBENCH)}",
            )
        return adopt(spec, data_dir, checksums, repin=force)
    layout = layout_of(spec, data_dir)
    if layout.prepared.exists() and not layout.prepared.is_dir():
        raise RefusedError(
            f"{layout.prepared}: expected a folder, found a file.",
            f"It is not ours; look at it, then: rm {layout.prepared}",
        )
    text = official_description(spec.id, description) if description else None
    request = Request(spec, layout.root, layout.raw, raw, seed, checksums, text, show)
    refuse_others(request, source)
    if layout.prepared.is_dir():
        _refuse_to_mix(request, layout, source, force=force)
        if not force:
            _refuse_another_text(request, layout, source)
            _clear_if_idle(layout)
            return _checked(request, layout)
    layout.root.mkdir(parents=True, exist_ok=True)
    with _locked(layout.lock):
        _clear_remains(layout)
        if layout.prepared.is_dir() and not force:  # another process was faster
            return _checked(request, layout)
        _build_and_publish(request, layout, source, keep_raw=keep_raw)
    return replace(load_prepared(spec, data_dir), is_new=True)


def _refuse_another_text(request: Request, layout: Layout, source: str | None) -> None:
    """Raise when prepared data hand out another description than the one that is given."""
    path = layout.prepared / "public" / "description.md"
    if request.description is None:
        return
    if path.read_text(encoding="utf-8", errors="replace") != request.description:
        options = [*_options_of(request, source), "--description FILE --force"]
        raise RefusedError(
            f"{path} is another description than the one that is given.",
            f"Hand out the given one, prepared anew: {prepare_command(request.spec, *options)}",
        )


def _checked(request: Request, layout: Layout) -> Prepared:
    prepared = load_prepared(request.spec, layout.data_dir)
    verify(prepared)
    if prepared.manifest is not None:
        keep(request.spec, prepared.folder)
    _compare(request, layout, prepared.folder)
    return prepared


def _compare(request: Request, layout: Layout, folder: Path) -> None:
    """Compare data of variant v1 with MLE-bench's checksums, where they are given."""
    if request.checksums is not None and request.spec.variant == "v1":
        require_official(request.spec.id, layout.root, folder, request.checksums)


def _refuse_to_mix(request: Request, layout: Layout, source: str | None, *, force: bool) -> None:
    """Raise when what is prepared here is not what is asked for, or is not ours to replace."""
    spec = request.spec
    if not layout.manifest.is_file():
        if force:
            raise RefusedError(
                f"{layout.prepared} was not written by mle-audit and is not replaced.",
                f"Move it away, then: {prepare_command(spec)}",
            )
        if source is not None or request.raw is not None:
            load_prepared(spec, layout.data_dir)  # says so when it is not MLE-bench's either
            raise RefusedError(
                f"{layout.prepared} was prepared by MLE-bench, not from {source or 'local'}.",
                f"Use it: {prepare_command(spec, '--source mlebench')}; or use another data "
                f"directory: {prepare_command(spec, '--data-dir DIR')}",
            )
        return
    try:
        manifest = Manifest.model_validate_json(layout.manifest.read_text(encoding="utf-8"))
    except ValueError:
        return  # broken: `load_prepared` says so, --force replaces it
    wanted = source or ("local" if request.raw is not None else None)
    if wanted == "local" and is_miniature(request.raw or request.placed):
        wanted = "miniature"
    same = wanted in {None, manifest.source}
    if wanted == "miniature":
        same = same and request.seed == manifest.seed
    if same or (force and not (wanted == "miniature" and manifest.source != "miniature")):
        return
    options = _options_of(request, source)
    remedy = f"Use another data directory: {prepare_command(spec, *options, '--data-dir DIR')}"
    if wanted != "miniature" or manifest.source == "miniature":
        remedy += f"\n  Or replace what is there: {prepare_command(spec, *options, '--force')}"
    raise RefusedError(
        f"{layout.prepared} was prepared from {_named(manifest.source, manifest.seed)}, "
        f"not from {_named(wanted, request.seed)}.",
        remedy,
    )


def _options_of(request: Request, source: str | None) -> list[str]:
    """Repeat the options of a call that say where raw files come from."""
    options = ["--source", source] if source else []
    options += ["--raw", str(request.raw)] if request.raw is not None else []
    return options + (["--seed", str(request.seed)] if request.seed else [])


def _named(source: str | None, seed: int | None) -> str:
    return f"{source} with seed {seed}" if source == "miniature" else str(source)


@contextlib.contextmanager
def _locked(path: Path, *, wait: bool = True) -> Iterator[bool]:
    """Hold the lock of a task's folder; see `competitions.locks.locked`."""
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise RefusedError(
            f"{path}: expected a lock file, found a link, a folder or a special file.",
            f"It is not ours; look at it, then: rm -r {path}",
        )
    with locked(path, wait=wait) as is_held:
        yield is_held


def _clear_if_idle(layout: Layout) -> None:
    """Remove what a killed --force left beside whole data, unless somebody is building there."""
    if not any(layout.root.glob(f"{_TEMPORARY}*")) and not any(layout.root.glob(f"{_REPLACED}*")):
        return
    with _locked(layout.lock, wait=False) as is_held:
        if is_held:
            _clear_remains(layout)


def _clear_remains(layout: Layout) -> None:
    """Remove what dead runs left; whoever holds the lock knows that nobody else is building."""
    replaced = layout.root / f"{_REPLACED}{layout.prepared.name}"
    if replaced.is_dir() and not layout.prepared.exists():  # died between the two renames
        replaced.rename(layout.prepared)
    for prefix in (_TEMPORARY, _REPLACED):
        for remains in layout.root.glob(f"{prefix}*"):
            if prefix == _TEMPORARY or remains == replaced:
                shutil.rmtree(remains)


def _build_and_publish(
    request: Request, layout: Layout, source: str | None, *, keep_raw: bool
) -> None:
    temporary = Path(tempfile.mkdtemp(dir=layout.root, prefix=_TEMPORARY))
    try:
        scratch, built = temporary / "raw", temporary / "prepared"
        scratch.mkdir()
        asked = replace(request, scratch=scratch)
        with telling_when_full(temporary), _naming_raw_files(temporary):
            raw = SOURCES[source or default_source(request.spec, asked)](asked)
            _build(request, raw, built)
        _compare(request, layout, built)
        if keep_raw and raw.folder == scratch:
            _keep(scratch, layout.raw)
        _publish(built, layout)
        if raw.spent is not None:  # it goes with the temporary folder, also when we are killed here
            raw.spent.rename(temporary / "spent")
    finally:
        shutil.rmtree(temporary)


@contextlib.contextmanager
def _naming_raw_files(temporary: Path) -> Iterator[None]:
    """Name unpacked files as their archives do: the folder they lie in is gone when it is read."""
    try:
        yield
    except MleAuditError as error:
        ours = rf"{re.escape(str(temporary))}/(?:raw|unpacked-[^/]+)/"
        error.problem = re.sub(ours, "", error.problem)
        raise


def _keep(scratch: Path, target: Path) -> None:
    """Move raw files of ours into place, unless files that are not ours lie there."""
    if target.is_dir() and is_miniature(target):
        shutil.rmtree(target)
    if not target.exists():
        scratch.rename(target)


def _publish(built: Path, layout: Layout) -> None:
    replaced = layout.root / f"{_REPLACED}{layout.prepared.name}"
    if layout.prepared.exists():
        layout.prepared.rename(replaced)
    built.rename(layout.prepared)
    if replaced.exists():
        shutil.rmtree(replaced)


def _build(request: Request, raw: Raw, folder: Path) -> None:
    """Write both trees, the schema and, last, the manifest into `folder`."""
    spec = request.spec
    trees = Trees(folder / "public", folder / "private")
    for tree in trees:
        tree.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix="unpacked-") as unpacked:
        work = Work(raw.folder, Path(unpacked))
        unpack_all(spec, work)
        require_schemas(spec, work)
        hooks = hooks_of(spec) or Hooks()
        sized = _sized(spec, raw)
        if hooks.build is not None:
            hooks.build(spec, work, trees)
        elif not write_streamed(sized, work, trees, folder.parent):
            parts = (hooks.split or _parts)(sized, work)
            if hooks.rows is not None:
                parts = hooks.rows(spec, parts)
            parts = with_derived(renumbered(parts, spec.renumber), spec.derived)
            write_outputs(spec, work, parts, trees)
            copy_row_files(spec, work, trees.public, parts)
            if hooks.finish is not None:
                hooks.finish(spec, work, parts, trees)
    require_columns(spec, trees.public, trees.private, answers_as_named=hooks.perfect is None)
    write_text(folder / "public" / "description.md", request.description or describe(spec))
    schema = schema_of(spec)
    write_json(folder / "submission-schema.json", schema.model_dump(mode="json"))
    manifest = Manifest(
        competition_id=spec.id,
        variant=spec.variant,
        source=raw.kind,
        seed=request.seed if raw.kind == "miniature" else None,
        description="given" if request.description else "generated",
        spec_sha256=spec_sha256(spec),
        tool_version=tool_version(),
        raw={name: sha256_file(raw.folder / name) for name in _raw_files(spec, raw.folder)},
        files=tree_digests(folder),
    )
    keep(spec, folder)
    write_json(folder / "manifest.json", manifest.model_dump(mode="json"))


def _raw_files(spec: Competition, folder: Path) -> list[str]:
    """List the raw files that are one file each, and are there: tables and archives."""
    names = dict.fromkeys(name for f in spec.raw if (name := f.comes_as) is not None)
    return [name for name in names if (folder / name).is_file()]


def _sized(spec: Competition, raw: Raw) -> Competition:
    """Let a miniature have a test part that fits it, where the task's own is larger than it."""
    size = spec.split.test_size_of_miniature
    if size is None or raw.kind != "miniature":
        return spec
    return spec.model_copy(update={"split": spec.split.model_copy(update={"test_size": size})})


def _parts(spec: Competition, work: Work) -> Parts:
    """Read the raw table that is split, and split it; its keys must name rows."""
    frame = without_dropped(raw_table(spec, work, spec.split.on), spec.split)
    if spec.split.test_on is not None:
        return Parts(frame, raw_table(spec, work, spec.split.test_on))
    key = [c for c in spec.submission.key if c in frame.columns]
    if key and schema_of(spec).pairing is None:  # else the published grader lets rows repeat
        require_a_key(frame, key, work.path(spec.split.on))
    return split_frame(frame, spec.split)
