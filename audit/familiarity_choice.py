"""Whether a model finds the published passages of tasks among paraphrases of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from audit.false_discoveries import adjusted
from audit.familiarity_texts import official_text
from competitions.errors import UsageError
from competitions.obfuscate import describe_obfuscated
from competitions.official import obfuscated_description
from competitions.spec import catalog_ids, load
from detectors.familiarity.calibration import MIN_CONTROLS, controls_needed, require_number
from detectors.familiarity.choice import (
    Chosen,
    Passage,
    choose,
    comparable,
    decide,
    hold,
    looks_at_places,
)
from detectors.familiarity.controls import generated_controls, read_controls
from detectors.familiarity.documents import Kind, documents_below, read_document
from detectors.familiarity.paraphrases import by_rule, closest, passages
from detectors.known import Decision
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from competitions.spec import Competition
    from detectors.familiarity.texts import Text

    Answering = Callable[[int], Callable[[str], str]]

WRITTEN, BY_RULE = "written", "by rule"
_PAGE = 20_000  # characters of a written control: it has to have as many passages as a task
N_PARAPHRASES = 3
ANSWER_TOKENS = 16
HEAD = (
    *("task", "paraphrases", "passages", "chosen", "low", "high", "right", "chance"),
    *("controls", "controls right", "p", "q", "decision", "why"),
)
_NO_TEXT = "its official text is needed: --description FILE or DIR"
_NO_PASSAGE = "no passage of 25 words and more of it can be paraphrased"
_HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)
_REMEDY = "Name a file, or a folder with NAME.md or NAME/ for each task and control."


@dataclass(frozen=True)
class ChoiceQuestion:
    """What is asked.

    Parameters
    ----------
    description : Path or None
        Where the official descriptions lie; else those that tasks were prepared with.
    paraphrases : Path or None
        A paraphrase of the one task's text, or a folder with ``NAME.md`` or ``NAME/*`` for each
        task and control.
    controls : Path or None
        Folder of control texts; None writes `n_controls` pages.
    n_passages : int
        Of each text, at most.
    """

    specs: tuple[Competition, ...]
    description: Path | None = None
    paraphrases: Path | None = None
    controls: Path | None = None
    n_controls: int = MIN_CONTROLS
    n_passages: int = 5
    seed: int = 0


class _Quoted(NamedTuple):
    """A text whose passages are asked about, with what was written of it in other words."""

    name: str
    title: str
    content: str
    others: tuple[str, ...]


class Row(NamedTuple):
    """What was found of a task with paraphrases of one kind; a cell per name of `HEAD`."""

    task: str
    paraphrases: str
    passages: int
    chosen: int | None
    low: float | None
    high: float | None
    right: float | None
    chance: float | None
    controls: int
    controls_right: float | None
    p: float | None
    q: float | None
    decision: str
    why: str


def choose_passages(
    question: ChoiceQuestion,
    data_dir: Path,
    opening: Callable[[], Answering],
    announce: Callable[[str], None],
    progress: Callable[[int, int, str], None] = lambda *_: None,
) -> list[Row]:
    """Ask a model for the published passages of tasks, and of controls.

    Parameters
    ----------
    opening : callable
        Opens the model, once it is clear that there is something to ask.
    announce : callable
        Told how many questions there are before the first is asked.

    Raises
    ------
    UsageError
        When a place does not exist, or there are too few controls.
    ModelError
        When the model cannot be asked.
    """
    given = _given(question.paraphrases, len(question.specs))
    texts = {s.id: _of_task(s, question.description, given, data_dir) for s in question.specs}
    official = [one for one in texts.values() if isinstance(one, _Quoted)]
    rows = [_nothing(name, why) for name, why in texts.items() if isinstance(why, str)]
    if not official:
        return rows
    controls = _controls(question, given, official)
    asked = [(kind, _asked(kind, official, controls, question)) for kind in (WRITTEN, BY_RULE)]
    lacking = [o.name for o in official if not any(part.get(o.name) for _, part in asked)]
    rows += [_nothing(name, _NO_PASSAGE) for name in lacking]
    n_questions = sum(_n_questions(part.values()) for _, part in asked)
    if not n_questions:
        return rows
    announce(
        f"{counted(n_questions, 'question')}: each passage, of tasks and of controls, in every "
        "order of its options."
    )
    teller = _Teller(opening()(ANSWER_TOKENS), n_questions, progress)
    titles = {one.name: one.title for one in (*official, *controls)}
    for kind, part in asked:
        found = [choose(name, titles[name], own, teller.ask) for name, own in part.items()]
        rows += _judged(kind, [c for c in found if c.name in texts], found)
    return rows


class _Teller:
    """Asks, and tells how many questions are done."""

    def __init__(
        self, ask: Callable[[str], str], total: int, progress: Callable[[int, int, str], None]
    ) -> None:
        self._ask, self._total, self._progress, self._done = ask, total, progress, 0

    def ask(self, prompt: str) -> str:
        answer = self._ask(prompt)
        self._done += 1
        self._progress(self._done, self._total, "questions")
        return answer


def _n_questions(asked: Iterable[Sequence[Passage]]) -> int:
    return sum(1 + len(passage.paraphrases) for own in asked for passage in own)


def _given(place: Path | None, n_tasks: int) -> dict[str, tuple[str, ...]]:
    """Read paraphrases by the name of the text that they are of; that of one task has none."""
    if place is None:
        return {}
    if not place.exists():
        raise UsageError(f"{place}: expected paraphrases, found nothing.", _REMEDY)
    if not place.is_dir():
        if n_tasks != 1:
            raise UsageError(
                f"{place}: expected a folder of paraphrases for {n_tasks} tasks, found a file.",
                _REMEDY,
            )
        return {"": (read_document(place, str(place)).content,)}
    found: dict[str, tuple[str, ...]] = {}
    for path in documents_below(place):
        inside = path.relative_to(place)
        name = inside.parts[0] if len(inside.parts) > 1 else inside.stem
        found[name] = (*found.get(name, ()), read_document(path, str(inside)).content)
    if not found:
        raise UsageError(f"{place}: expected paraphrases in it, found none.", _REMEDY)
    return found


def _of_task(
    spec: Competition,
    description: Path | None,
    given: Mapping[str, tuple[str, ...]],
    data_dir: Path,
) -> _Quoted | str:
    """Return a task's official text with what says it in other words, or why there is none."""
    try:
        content = official_text(spec, description, data_dir)
    except UsageError as error:
        return str(error).partition("\n")[0]
    if content is None:
        return _NO_TEXT
    theirs = obfuscated_description(spec.id, description) if description is not None else None
    others = (*given.get("", ()), *given.get(spec.id, ()), theirs or describe_obfuscated(spec))
    return _Quoted(spec.id, spec.title, content, others)


def _controls(
    question: ChoiceQuestion,
    given: Mapping[str, tuple[str, ...]],
    official: Sequence[_Quoted],
) -> list[_Quoted]:
    """Return the user's control texts, or written ones."""
    if question.controls is not None:
        own = {one.content for one in official}
        read = [d.text for d in read_controls(question.controls) if d.kind is not Kind.CODE]
        texts = [t for t in read if t.content not in own]
    else:
        specs = [load(name) for name in catalog_ids()]
        texts = generated_controls(specs, [_PAGE] * question.n_controls, question.seed)
    require_number(len(texts))
    return [_quoted(text, given) for text in texts]


def _quoted(text: Text, given: Mapping[str, tuple[str, ...]]) -> _Quoted:
    stem = text.name.rpartition("/")[2].rpartition(".")[0] or text.name
    heading = _HEADING.search(text.content)
    title = heading[1] if heading else stem
    return _Quoted(f"control {text.name}", title, text.content, given.get(stem, ()))


def _asked(
    kind: str, official: Sequence[_Quoted], controls: Sequence[_Quoted], question: ChoiceQuestion
) -> dict[str, list[Passage]]:
    """Return the passages of each text that has some, all with as many paraphrases."""
    own = {one.name: _first(kind, one, question) for one in official}
    sizes = [len(p.paraphrases) for found in own.values() for p in found]
    if not sizes:
        return {}
    size = min(sizes)
    own |= {one.name: _first(kind, one, question, size) for one in controls}
    return {
        name: [Passage(p.published, p.paraphrases[:size]) for p in found]
        for name, found in own.items()
        if found
    }


def _first(kind: str, one: _Quoted, question: ChoiceQuestion, least: int = 1) -> list[Passage]:
    """Return up to as many passages as are asked for, drawn from all that have paraphrases."""
    made = _usable(kind, one, question.seed)
    return list(islice((p for p in made if len(p.paraphrases) >= least), question.n_passages))


def _usable(kind: str, one: _Quoted, seed: int) -> Iterator[Passage]:
    """Yield the passages of which there are paraphrases, in an order that is drawn."""
    rng = Random(f"{seed} {one.name}")  # noqa: S311 - a draw, no secret
    found = passages(one.content)
    for passage in rng.sample(found, len(found)):
        if kind == WRITTEN:
            made = closest(passage, one.others)[:N_PARAPHRASES]
        else:
            made = by_rule(passage, N_PARAPHRASES, rng)
        if made:
            yield Passage(passage, tuple(made))


def _judged(kind: str, tasks: Sequence[Chosen], found: Sequence[Chosen]) -> Iterator[Row]:
    """Hold each task against the controls; q counts the tasks of the kind."""
    controls = [one for one in found if one not in tasks]
    tasks = [comparable(one, controls, len(tasks)) for one in tasks]
    held = [hold(one, controls) for one in tasks]
    for one, beside, q in zip(tasks, held, adjusted([h.p for h in held]), strict=True):
        blank = looks_at_places(one)
        decision, why = (Decision.NO_DECISION, blank) if blank else decide(one, beside, q)
        said = decision in {Decision.FAMILIAR, Decision.NOTHING_SEEN}
        low, high = one.interval
        yield Row(
            one.name,
            kind,
            len(one.quizzes),
            one.n_chosen,
            round(low, 3),
            round(high, 3),
            round(one.right, 3),
            round(one.chance, 3),
            beside.n_controls,
            None if beside.right is None else round(beside.right, 3),
            round(beside.p, 4) if said else None,
            round(q, 4) if said else None,
            decision.value,
            why,
        )


def _nothing(name: str, why: str) -> Row:
    """Make the row of a task that nothing could be asked about."""
    nothing = (None,) * 5
    return Row(name, "", 0, *nothing, 0, *nothing[:3], Decision.NO_DECISION.value, why)


def conclusion(rows: Sequence[Row]) -> Iterator[str]:
    """Say what the rows come to, and what they do not say."""
    judged = [row for row in rows if row.passages]
    named = [row for row in judged if row.decision == Decision.FAMILIAR.value]
    yield f"{counted(len(named), 'task')} of {len({r.task for r in judged})} familiar."
    if len({row.task for row in judged}) > 1:
        need = controls_needed(len({row.task for row in judged}))
        yield f"A single familiar one among so many needs {need:,} controls."
    yield "A passage that is not found may be known all the same: small models choose by place."
