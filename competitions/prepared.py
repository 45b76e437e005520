"""Prepared data on disk: its manifest, finding it and checking it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from competitions.data import Layout, layout_of
from competitions.errors import (
    DigestMismatchError,
    NotPreparedError,
    RefusedError,
    UnreadableFileError,
    UsageError,
)
from competitions.io import sha256_bytes, sha256_file, sha256_tree
from competitions.pins import Pin, read_pin, tree_digests, write_pin
from competitions.sources.base import SourceKind
from competitions.sources.mlebench import require_official
from competitions.spec import Variant, problems_of
from competitions.submission import SubmissionSchema, read_schema, schema_of

if TYPE_CHECKING:
    from pathlib import Path

    from competitions.spec import Competition

_DATA_FIELDS = (
    "id",
    "variant",
    "split",
    "public",
    "private",
    "files",
    "answers",
    "sample_submission",
    "submission",
)


class Manifest(BaseModel):
    """What was prepared, from what and by what; lies beside ``public/`` and ``private/``.

    Parameters
    ----------
    source : str
        Where the raw files came from; `miniature` data are synthetic.
    spec_sha256 : str
        Digest of the parts of the definition that shape the data.
    raw : dict
        sha256 of each raw file that was read.
    files : dict
        sha256 of each file of both trees, by its path relative to the prepared folder.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: int = 1
    competition_id: str
    variant: Variant
    source: SourceKind
    seed: int | None = None
    description: Literal["generated", "given"] = "generated"
    spec_sha256: str
    tool_version: str
    raw: dict[str, str]
    files: dict[str, str]


@dataclass(frozen=True)
class Prepared:
    """A task's prepared data.

    Parameters
    ----------
    folder : Path
        Holds ``public/`` and ``private/``.
    source : str
        ``mlebench`` when the folder has no manifest of ours and is used as it is.
    pin : Pin or None
        For those: what they were when they were last checked.
    is_new : bool
        Whether the call that returned it has prepared it; False where it was there before.
    """

    spec: Competition
    folder: Path
    source: SourceKind
    manifest: Manifest | None
    pin: Pin | None = None
    is_new: bool = field(default=False, compare=False)

    @property
    def digests(self) -> dict[str, str] | None:
        """sha256 of each file by its relative path as it was prepared or last checked, if known."""
        known = self.manifest or self.pin
        return known.files if known is not None else None

    @property
    def public(self) -> Path:
        """What an agent may see."""
        return self.folder / "public"

    @property
    def private(self) -> Path:
        """The answers' folder."""
        return self.folder / "private"

    @property
    def answers(self) -> Path:
        """The answers' file."""
        return self.private / self.spec.answers

    @property
    def schema(self) -> SubmissionSchema:
        """What a submission must look like: the written schema, else the definition's."""
        if self.manifest is None:
            return schema_of(self.spec)
        return read_schema(self.folder)

    @property
    def public_sha256(self) -> str:
        """One digest of everything an agent may see; read anew at each call."""
        return sha256_tree(self.public)


def spec_sha256(spec: Competition) -> str:
    """Return the digest of the parts of a definition that shape its prepared data."""
    # Without defaults: a field that the model gains does not make prepared data stale.
    facts = spec.model_dump(mode="json", include=set(_DATA_FIELDS), exclude_defaults=True)
    return sha256_bytes(json.dumps(facts, sort_keys=True).encode())


def prepare_command(spec: Competition, *options: str) -> str:
    """Return the command that prepares a task's variant."""
    variant = [] if spec.variant == "v1" else ["--variant", spec.variant]
    return " ".join(["mle-audit", "prepare", "-c", spec.called, *variant, *options])


def not_prepared_remedy(command: str) -> str:
    """Say what helps where prepared data are not found: preparing, or naming where they are."""
    return f"{command}\n  Or name where it is: --data-dir DIR, or MLE_AUDIT_DATA."


def _anew(spec: Competition) -> str:
    return f"Prepare it anew with: {prepare_command(spec, '--force')}"


def _again(prepared: Prepared) -> str:
    if prepared.pin is None:
        return _anew(prepared.spec)
    command = prepare_command(prepared.spec, "--source mlebench --force")
    return f"If MLE-bench prepared it anew since it was checked, check it anew: {command}"


def _read_manifest(layout: Layout, spec: Competition) -> Manifest:
    try:
        text = layout.manifest.read_text(encoding="utf-8")
        return Manifest.model_validate_json(text)
    except (UnicodeDecodeError, ValidationError) as error:
        said = problems_of(error) if isinstance(error, ValidationError) else [str(error)]
        raise UnreadableFileError(f"{layout.manifest}: {'; '.join(said)}", _anew(spec)) from error


def load_prepared(spec: Competition, data_dir: Path) -> Prepared:
    """Find a task's prepared data; files are not hashed here (`verify` does that).

    Returns
    -------
    Prepared
        Also for an MLE-bench folder, which has no manifest; its source is ``mlebench``.

    Raises
    ------
    NotPreparedError
        When there is none, or a folder without manifest lacks a file of the task.
    DigestMismatchError
        When it was prepared from another definition than `spec`.
    """
    layout = layout_of(spec, data_dir)
    remedy = not_prepared_remedy(
        f"Prepare it with: {prepare_command(spec, '--data-dir', str(data_dir))}"
    )
    if not layout.prepared.is_dir():
        why = f"expected {layout.prepared}"
        if not data_dir.is_dir():
            why = f"there is no data directory {data_dir}"
        raise NotPreparedError(f"{spec.id} ({spec.variant}) is not prepared: {why}.", remedy)
    if not layout.manifest.is_file():
        wanted = [layout.public / f.lies_at for f in spec.public]
        wanted += [layout.private / f.lies_at for f in spec.private]
        missing = [str(p) for p in wanted if not p.exists()]
        if missing:
            raise NotPreparedError(
                f"{layout.prepared} has no manifest and lacks {', '.join(missing)}.",
                f"Move it away. {remedy}",
            )
        return Prepared(spec, layout.prepared, "mlebench", None, read_pin(layout.prepared))
    manifest = _read_manifest(layout, spec)
    if manifest.spec_sha256 != spec_sha256(spec):
        raise DigestMismatchError(
            layout.manifest,
            f"{spec_sha256(spec)} of the definition",
            manifest.spec_sha256,
            f"The task's definition has changed since. {_anew(spec)}",
        )
    return Prepared(spec, layout.prepared, manifest.source, manifest)


def adopt(
    spec: Competition, data_dir: Path, checksums: Path | None = None, *, repin: bool = False
) -> Prepared:
    """Take what MLE-bench prepared as it is: check it, and remember its digests elsewhere.

    Nothing is written into the data directory; see `competitions.pins`.

    Parameters
    ----------
    checksums : Path or None
        MLE-bench's ``checksums.yaml`` or a checkout of it; None takes the one that lies in
        ``<data-dir>/<id>``, if any.
    repin : bool
        Remember the files as they are now, also when they are not the remembered ones.

    Raises
    ------
    UsageError
        When the variant is ours, or `checksums` holds none for the task.
    NotPreparedError
        When MLE-bench prepared nothing here.
    RefusedError
        When mle-audit prepared what is here.
    ChecksumsError
        With every file that is not what the checksums say.
    DigestMismatchError
        When a file has changed since the folder was last checked.
    """
    layout = layout_of(spec, data_dir)
    if spec.variant != "v1":
        raise UsageError(
            f"MLE-bench has no variant {spec.variant} of {spec.id}.",
            f"Make it from raw files: {prepare_command(spec, '--source local')}",
        )
    if not layout.prepared.is_dir():
        what = layout.prepared if data_dir.is_dir() else data_dir
        raise NotPreparedError(
            f"MLE-bench prepared no {spec.id} here: expected the folder {what}, found none.",
            "Name MLE-bench's data directory, which holds <id>/prepared/public and "
            "<id>/prepared/private: --data-dir ~/.cache/mle-bench/data",
        )
    if layout.manifest.is_file():
        raise RefusedError(
            f"{layout.prepared} was prepared by mle-audit, not by MLE-bench.",
            f"Use it as it is: {prepare_command(spec)}",
        )
    prepared = load_prepared(spec, data_dir)
    listed = require_official(spec.id, layout.root, layout.prepared, checksums)
    if not repin:
        verify(prepared)
    pin = Pin(
        folder=str(layout.prepared.resolve()),
        checksums_sha256=sha256_file(listed) if listed is not None else None,
        files=tree_digests(layout.prepared),
    )
    write_pin(pin)
    return replace(prepared, pin=pin)


def verify(prepared: Prepared) -> None:
    """Compare every prepared file with the manifest or pin; without either nothing is compared.

    Raises
    ------
    DigestMismatchError
        Naming the first file that changed, is gone or was added.
    """
    if prepared.digests is None:
        return
    expected, found = prepared.digests, tree_digests(prepared.folder)
    for name in sorted(expected.keys() | found.keys()):
        if expected.get(name) != found.get(name):
            raise DigestMismatchError(
                prepared.folder / name,
                expected.get(name, "of no file"),
                found.get(name, "no file"),
                _again(prepared),
            )


def verify_answers(prepared: Prepared) -> None:
    """Compare the answers alone with manifest or pin, before anything is scored against them."""
    if prepared.digests is None:
        return
    name = prepared.answers.relative_to(prepared.folder).as_posix()
    expected = prepared.digests.get(name, "of no file")
    found = sha256_file(prepared.answers) if prepared.answers.is_file() else "no file"
    if expected != found:
        raise DigestMismatchError(prepared.answers, expected, found, _again(prepared))
