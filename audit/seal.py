"""Seal a document with the digests of what it was made from, and see later whether they hold."""

from __future__ import annotations

import json
from collections import defaultdict
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from audit.collect import attempt_folders
from audit.signing import check_signature, signature_of
from audit.verdict import EXIT_CLEAN, EXIT_COULD_NOT, EXIT_FINDINGS
from competitions.errors import DocumentError, MleAuditError, UsageError
from competitions.io import (
    printable,
    reason,
    sha256_bytes,
    sha256_file,
    sha256_tree,
    tree_line,
    walk_files,
)
from competitions.outside import known
from competitions.pins import tree_digests
from competitions.prepared import load_prepared
from detectors.attempt import Attempt
from detectors.record import MODEL_LOG, RECORD_NAME, VALIDATION_LOG
from detectors.text_file import printable_name
from reports.schema import AuditReport, read_audit
from reports.sealing import Seal, SealedInput, digest_of, document_digest, read_once

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from audit.collect import Collected
    from audit.published import Published
    from detectors.task import Task
    from reports.sealing import InputKind

State = Literal["as sealed", "changed", "missing", "does not hold", "not here", "not looked at"]


def sealed(report: AuditReport, inputs: Iterable[SealedInput]) -> AuditReport:
    """Put a seal on a document: digests of its inputs, and of itself with all else in it."""
    bare = report.model_copy(update={"seal": Seal(inputs=tuple(inputs))})
    digest = document_digest(json.loads(bare.model_dump_json()))
    return report.model_copy(update={"seal": Seal(inputs=tuple(inputs), document=digest)})


def sealed_attempt(attempt: Attempt) -> tuple[SealedInput, ...]:
    """Take the digests of an attempt's record, submission, code, logs and calls."""
    path = printable_name(str(attempt.path))
    return tuple(
        SealedInput(kind=kind, name=attempt.id, path=path, sha256=digest)
        for kind, digest in _parts(attempt).items()
    )


def _parts(attempt: Attempt) -> dict[InputKind, str | None]:
    """Return the digests of an attempt's parts; None where one is not there or cannot be read."""
    folder = attempt.path
    return {
        "record": _file(folder / RECORD_NAME),
        "submission": _file(folder / "submission" / "submission.csv"),
        "code": _digest(folder / "code", sha256_tree),
        "logs": _logs(folder),
        "validation calls": _file(folder / VALIDATION_LOG),
        "model calls": _file(folder / MODEL_LOG),
    }


def _file(path: Path) -> str | None:
    return _digest(path, sha256_file) if path.is_file() else None


def _digest(path: Path, how: Callable[[Path], str]) -> str | None:
    """Take a digest; there is none of links, which may lead anywhere, and of what is unreadable."""
    if path.is_symlink() or not path.exists():
        return None
    try:
        return how(path)
    except OSError:
        return None


def _refuse(error: OSError) -> None:
    """Raise what a walk met: a digest of a part would pass for one of the whole."""
    raise error


def _logs(folder: Path) -> str | None:
    """Return one digest of ``run.log`` and all below ``logs/``, as `sha256_tree` makes them."""
    captured, below = folder / "run.log", folder / "logs"
    files = [p for p in (captured,) if p.is_file() and not p.is_symlink()]
    try:
        if below.is_dir() and not below.is_symlink():
            files += walk_files(below, _refuse)
        lines = [tree_line(p, folder) for p in files]
    except OSError:
        return None
    return (
        sha256_bytes("".join(sorted(lines)).encode("utf-8", "surrogateescape")) if lines else None
    )


def sealed_task(task: Task) -> SealedInput:
    """Take one digest of a task's prepared data: of ``{path: sha256}`` in canonical JSON."""
    return SealedInput(
        kind="task data",
        name=task.id,
        path=printable_name(str(task.prepared)),
        sha256=_digest(task.prepared, _task_digest),
    )


def _task_digest(prepared: Path) -> str:
    for half in (prepared / "public", prepared / "private"):
        if half.is_dir():
            list(walk_files(half, _refuse))  # tree_digests passes over what it may not enter
    return digest_of(tree_digests(prepared))


def sealed_corpus(folder: Path) -> SealedInput:
    """Take what a corpus calls its digest, which names all that it was built from."""
    return SealedInput(
        kind="corpus",
        name=printable_name(folder.resolve().name),
        path=printable_name(str(folder)),
        sha256=_corpus_digest(folder),
    )


def _corpus_digest(folder: Path) -> str:
    from detectors.plagiarism.corpus.index import Corpus

    return Corpus.open(folder).digest


def sealed_published(published: Published) -> Iterator[SealedInput]:
    """Take the digests of files with published figures: reports, a list of experiments, rows."""
    named: list[tuple[InputKind, Path]] = [
        *(("grading report", p) for p in published.reports),
        *(("experiments", p) for p in (published.experiments,) if p),
        *(("published rows", Path(c)) for c in published.claims if c.endswith(".csv")),
    ]
    for kind, path in named:
        yield SealedInput(
            kind=kind,
            name=printable_name(path.name),
            path=printable_name(str(path)),
            sha256=_file(path),
        )


def inputs_of(found: Collected, published: Published, corpus: str) -> tuple[SealedInput, ...]:
    """Take the digests of all that an audit was made from.

    Parameters
    ----------
    corpus : str
        The folder of the corpus that it was compared with; empty: none.
    """
    return (
        *(part for a in found.attempts for part in sealed_attempt(a)),
        *map(sealed_task, found.tasks.values()),
        *((sealed_corpus(Path(corpus)),) if corpus else ()),
        *sealed_published(published),
    )


class Held(NamedTuple):
    """What became of one sealed thing.

    Parameters
    ----------
    said : str
        What is known beyond the state: where it was looked for, or both digests.
    """

    what: str
    name: str
    state: State
    said: str = ""


class Places(NamedTuple):
    """Where to look for what a document was made from; its own places are always tried.

    Parameters
    ----------
    runs : tuple of Path
        Folders with the attempts and the published files.
    """

    runs: tuple[Path, ...] = ()
    data_dir: Path | None = None
    corpus: Path | None = None


def held(document: Path, places: Places = Places(), *, inputs: bool = True) -> tuple[Held, ...]:  # noqa: B008 - frozen
    """Compare a document, and what it was made from, with its seal.

    Parameters
    ----------
    inputs : bool
        False asks for the document alone.

    Returns
    -------
    tuple of Held
        The document first. The inputs of a document that was changed are told as well, but what
        they are compared with may have been changed too.

    Raises
    ------
    DocumentError
        When it is no audit document or has no seal.
    UsageError
        When a folder of runs holds no attempt.
    """
    document_state = _document(document)
    try:
        report = read_audit(document)
    except DocumentError:
        if document_state.state == "changed":
            return (document_state,)
        raise
    if report.seal is None or not inputs:
        return (document_state,)
    looked = _Looking(report, places)
    return (document_state, *map(looked.at, report.seal.inputs))


def _document(path: Path) -> Held:
    try:
        content = read_once(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DocumentError(
            f"{path}: no audit document can be read here ({reason(error)})."
        ) from error
    except ValueError as error:
        raise DocumentError(f"{path}: expected a JSON document, found: {error}.") from error
    seal = content.get("seal") if isinstance(content, dict) else None
    if not isinstance(seal, dict) or not isinstance(seal.get("document"), str):
        raise DocumentError(
            f"{path}: expected a sealed audit document, found no seal in it.",
            "Make one with: mle-audit vet RUNS -o audit.json",
        )
    try:
        found, expected = document_digest(content), seal["document"]
    except RecursionError as error:
        raise DocumentError(f"{path}: it is nested too deeply to be read.") from error
    name = printable_name(path.name)
    if found == expected:
        return Held("document", name, "as sealed")
    return Held("document", name, "changed", _unlike(expected, found))


def _unlike(expected: str | None, found: str | None) -> str:
    if expected is None:
        return "it was not there when it was sealed"
    return f"sealed {printable(expected)[:12]}…, found {(found or 'nothing')[:12]}…"


def verify(
    document: Path,
    places: Places = Places(),  # noqa: B008 - frozen
    *,
    inputs: bool = True,
    signature: Path | None = None,
    signers: Path | None = None,
) -> tuple[Held, ...]:
    """Do what the verb of the same name does: compare with the seal, and look at a signature.

    Parameters
    ----------
    signature : Path or None
        None, and signers named: ``<document>.sig``.
    signers : Path or None
        Who is allowed to sign; without it no signature is looked at, and one that lies beside the
        document is told as such.

    Raises
    ------
    UsageError
        When a signature is named and nobody is allowed to sign, or a file or folder is not there.
    DocumentError
        When it is no audit document or has no seal.
    SignatureError
        When the program that a signature needs is missing.
    """
    if signature and not signers:
        raise UsageError(
            "Expected --allowed-signers with --signature: a signature says nothing until it is "
            "known whose it may be; found none.",
            "See: docs/verify.md, or mle-audit verify --help",
        )
    told = held(document, places, inputs=inputs)
    if signers is None:
        return (told[0], *_unlooked(signature_of(document)), *told[1:])
    signed = check_signature(document, signature or signature_of(document), signers)
    name = printable_name((signature or signature_of(document)).name)
    state: State = "as sealed" if signed.holds else "does not hold"
    return (told[0], Held("signature", name, state, signed.said), *told[1:])


def _unlooked(signature: Path) -> Iterator[Held]:
    """Say of a signature beside the document that nobody asked whose it is."""
    if signature.is_file():
        said = "whose it may be is not told: name them with --allowed-signers"
        yield Held("signature", printable_name(signature.name), "not looked at", said)


def verify_exit_code(told: Iterable[Held]) -> int:
    """Return 1 where something is not as sealed, else 3 where something is not here, else 0."""
    states = {one.state for one in told}
    if states & {"changed", "missing", "does not hold"}:
        return EXIT_FINDINGS
    return EXIT_COULD_NOT if "not here" in states else EXIT_CLEAN


def _told(one: SealedInput) -> Path | None:
    """Return where an input lay; an empty path would be the folder that one happens to be in."""
    return Path(one.path) if one.path else None


class _Looking:
    """Finds what a document was made from, and compares it."""

    def __init__(self, report: AuditReport, places: Places) -> None:
        for folder in places.runs:
            if not folder.is_dir():
                raise UsageError(f"{folder}: expected a folder of attempts, found none.")
        self._places = places
        self._variants = {s.id: (s.competition or "", s.variant or "v1") for s in report.subjects}
        self._attempts: dict[str, set[Path]] = defaultdict(set)
        for path in (p for folder in places.runs for p in attempt_folders(folder)):
            self._attempts[printable_name(path.name)].add(path.resolve())
        self._parts: dict[str, list[dict[InputKind, str | None]]] = {}

    @cached_property
    def _files_by_name(self) -> dict[str, list[Path]]:
        found: dict[str, list[Path]] = defaultdict(list)
        for path in (p for folder in self._places.runs for p in walk_files(folder)):
            found[path.name].append(path)
        return found

    def at(self, one: SealedInput) -> Held:
        """Compare one input with its digest."""
        try:
            found = self._found(one)
        except (MleAuditError, OSError) as error:
            said = error.problem if isinstance(error, MleAuditError) else reason(error)
            return Held(one.kind, one.name, "not here", said)
        if found is None:
            return Held(one.kind, one.name, "not here", self._asked(one))
        if one.sha256 in found:
            return Held(one.kind, one.name, "as sealed")
        if not any(found):
            return Held(one.kind, one.name, "missing", "its place is here, and it is not")
        return Held(one.kind, one.name, "changed", _unlike(one.sha256, found[0]))

    def _found(self, one: SealedInput) -> Sequence[str | None] | None:
        """Return digests of what stands where it may lie; None where no such place is here."""
        match one.kind:
            case "task data":
                return self._task(one)
            case "corpus":
                folder = self._places.corpus or _told(one)
                return (_corpus_digest(folder),) if folder and folder.is_dir() else None
            case "grading report" | "experiments" | "published rows":
                return self._files(one)
            case _:
                return self._part(one)

    def _part(self, one: SealedInput) -> Sequence[str | None] | None:
        """Return a part's digest in each attempt of this name: runs may hold copies."""
        if one.name not in self._parts:
            own = {place} if (place := _told(one)) else set()
            named = self._attempts[one.name] if self._places.runs else own
            self._parts[one.name] = [_parts(Attempt(p)) for p in named if p.is_dir()]
        return tuple(parts[one.kind] for parts in self._parts[one.name]) or None

    def _task(self, one: SealedInput) -> Sequence[str | None] | None:
        folder = _told(one)
        if self._places.data_dir:
            competition, variant = self._variants.get(one.name, ("", "v1"))
            spec = known(
                competition, "fixed" if variant == "fixed" else "v1", self._places.data_dir
            )
            folder = load_prepared(spec, self._places.data_dir).folder
        return (_task_digest(folder),) if folder and folder.is_dir() else None

    def _files(self, one: SealedInput) -> Sequence[str | None] | None:
        own = _told(one)
        there = [p for p in (own, *self._files_by_name[Path(one.path).name]) if p and p.is_file()]
        if not there:
            return (None,) if one.sha256 is None else None
        return tuple(map(sha256_file, there))

    def _asked(self, one: SealedInput) -> str:
        """Say what would bring an input here."""
        option = {"task data": "--data-dir DIR", "corpus": "--corpus DIR"}.get(
            one.kind, "--runs DIR"
        )
        return f"name where it is: {option}"
