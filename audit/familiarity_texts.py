"""What is asked of a model: the documents of tasks, single texts, and the controls beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from competitions.errors import MleAuditError, UsageError
from competitions.obfuscate import describe_obfuscated
from competitions.official import obfuscated_description, official_description
from competitions.prepared import load_prepared
from competitions.spec import catalog_ids, load
from detectors.familiarity.controls import (
    generated_controls,
    matched_lengths,
    read_controls,
    without,
)
from detectors.familiarity.documents import (
    Document,
    Kind,
    kind_of,
    read_document,
    read_documents,
    read_sources,
)
from detectors.familiarity.texts import Text
from detectors.text_file import printable_name
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from audit.familiarity import Question
    from competitions.spec import Competition

_OURS = (
    "The description of {id} that is here was written by mle-audit, and no model has read it: "
    "nothing follows from its score. The official text is needed: --description FILE or DIR."
)

_TOLD = 1000  # controls after which it is said how many are written


class Asked(NamedTuple):
    """A task or a single text: its documents, or why there are none.

    Parameters
    ----------
    name : str
        What it is called where it is no task.
    gaps : tuple of str
        What is not here, or could not be read.
    """

    spec: Competition | None
    name: str
    documents: tuple[Document, ...]
    gaps: tuple[str, ...] = ()


def asked_of(question: Question, data_dir: Path) -> list[Asked]:
    """Collect the documents of every task that is asked about, and every single text.

    Raises
    ------
    UsageError
        When a place does not exist.
    TextError
        When a single text is none; documents of tasks that are none are gaps.
    """
    for place, what in (
        (question.description, "official descriptions"),
        (question.folder, "a folder of texts"),
        (question.urls, "a table of URLs"),
    ):
        if place is not None and not place.exists():
            raise UsageError(f"{place}: expected {what}, found nothing.")
    if question.urls is not None and question.folder is None:
        raise UsageError("A table of URLs names files of a folder.", "Name it: --texts DIR")
    return [*_of_tasks(question, data_dir), *_of_files(question)]


def _of_tasks(question: Question, data_dir: Path) -> Iterator[Asked]:
    sources = None
    if question.urls is not None and question.folder is not None:
        sources = read_sources(question.urls, question.folder)
    for spec in question.specs:
        documents: list[Document] = []
        gaps: list[str] = []
        try:
            documents += _descriptions(spec, question.description, data_dir)
        except MleAuditError as error:
            gaps.append(str(error))
        if not documents and not gaps:
            gaps.append(_OURS.format(id=spec.id))
        if question.folder is not None:
            found = read_documents(question.folder, spec.id, sources)
            documents += found.documents
            gaps += found.problems
        yield Asked(spec, spec.id, tuple(documents), tuple(gaps))


def _descriptions(spec: Competition, given: Path | None, data_dir: Path) -> Iterator[Document]:
    """Yield the official text of a task and a paraphrase without its story, or nothing."""
    official = official_text(spec, given, data_dir)
    if official is None:
        return
    yield Document(Text(f"description of {spec.id}", official), Kind.DESCRIPTION)
    theirs = obfuscated_description(spec.id, given) if given is not None else None
    name = f"{'MLE-bench' if theirs else 'mle-audit'}'s paraphrase of {spec.id}"
    yield Document(Text(name, theirs or describe_obfuscated(spec)), Kind.OBFUSCATED)


def official_text(spec: Competition, given: Path | None, data_dir: Path) -> str | None:
    """Return the official text of a task: as named, or as it was prepared with; else None.

    Raises
    ------
    UsageError
        When a place is named, and the text is not there.
    """
    if given is not None:
        return official_description(spec.id, given)
    try:
        prepared = load_prepared(spec, data_dir)
    except MleAuditError:
        return None
    if prepared.manifest is None or prepared.manifest.description != "given":
        return None
    path = prepared.folder / "public" / "description.md"
    return path.read_text(encoding="utf-8", errors="replace")


def _of_files(question: Question) -> Iterator[Asked]:
    for path in question.texts:
        text = read_document(path, str(path))
        yield Asked(None, text.name, (Document(text, kind_of(path)),))


def controls_of(
    question: Question,
    targets: Sequence[Document],
    announce: Callable[[str], None] = lambda _: None,
) -> tuple[list[Document], str]:
    """Return the user's controls, or written ones of the targets' lengths, and what to call them.

    Parameters
    ----------
    announce : callable
        Told how many are written, and every thousandth.

    Raises
    ------
    UsageError
        When the folder is none, or holds no text.
    TextError
        When a file with the ending of a text is none.
    """
    if question.controls is not None:
        name = f"of {printable_name(question.controls.resolve().name)}"
        return without(read_controls(question.controls), targets), name
    specs = [load(name) for name in catalog_ids()]
    prose = [t.text for t in targets if t.kind is not Kind.CODE]
    lengths = list(matched_lengths(prose, question.n_controls)) if prose else []
    announce(f"Writing {counted(len(lengths), 'control')} first.")
    pages = []
    for start in range(0, len(lengths), _TOLD):
        if start:
            announce(f"{start:,} of {len(lengths):,} controls are written.")
        pages += generated_controls(specs, lengths[start : start + _TOLD], question.seed, start)
    return [Document(page, Kind.POST) for page in pages], "written by mle-audit"
