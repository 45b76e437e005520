"""How well a model knows texts: scored, held against controls, and told as an audit document."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from audit.checks import checks_of, chosen_detectors
from audit.document import document
from audit.familiarity_panel import BESIDE, Panel, known_of
from audit.familiarity_texts import Asked, asked_of, controls_of
from audit.verdict import judge
from competitions.disk import require_writable
from competitions.errors import UsageError
from detectors.familiarity.backend import Plan
from detectors.familiarity.cache import ScoreCache, default_cache
from detectors.familiarity.calibration import MIN_CORRELATION, require_number
from detectors.familiarity.documents import Kind, controls_for
from detectors.familiarity.metrics import METRICS, MIN_TOKENS, can_be_paired
from detectors.familiarity.scoring import score_texts
from detectors.familiarity.servers.client import MODEL_KEY, REFERENCE_KEY
from detectors.familiarity.servers.opening import (
    fitted,
    is_stored,
    open_model,
    require_known,
    require_model,
)
from detectors.familiarity.servers.stored import write_logprobs
from detectors.known import Known
from detectors.model import Model
from reports.schema import AuditReport, Subject, SubjectKind
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime
    from pathlib import Path

    from audit.verdict import Policy
    from competitions.spec import Competition
    from detectors.familiarity.backend import Identity, Progress
    from detectors.familiarity.texts import Text
    from detectors.familiarity.tokens import TokenScores

FAMILY, DETECTOR = "familiarity", "known-task-text"
N_CONTROLS = 99
BUILTIN = "builtin:smollm2"
_NO_REFERENCE = "Expected a reference that is another model, found the model itself."
_ANOTHER = "Name one that cannot have read the texts, or leave --reference out."
_LEFT_OUT = "left out"
_CHARACTERS_PER_TOKEN = 4  # for the estimate before anything is loaded


@dataclass(frozen=True)
class Question:
    """What is asked of which model.

    Parameters
    ----------
    model, reference : str
        As `open_model` takes them; an empty reference is none.
    specs : tuple of Competition
        Tasks whose documents are asked about.
    description : Path or None
        Where the official descriptions lie; else those that tasks were prepared with.
    folder, urls : Path or None
        Where further documents of tasks lie, and which file holds which URL: see
        `documents.read_documents`.
    texts : tuple of Path
        Single texts, which belong to no task.
    controls : Path or None
        Folder of control texts; None writes some.
    n_controls : int, default=99
        How many are written.
    write_logprobs : Path or None
        Where the numbers of every token are written, for ``logprobs:FILE``.
    """

    model: str = BUILTIN
    reference: str = ""
    specs: tuple[Competition, ...] = ()
    description: Path | None = None
    folder: Path | None = None
    urls: Path | None = None
    texts: tuple[Path, ...] = ()
    controls: Path | None = None
    n_controls: int = N_CONTROLS
    write_logprobs: Path | None = None
    seed: int = 0
    plan: Plan = field(default_factory=Plan)


class Heard(NamedTuple):
    """Functions that are told how things go."""

    announce: Callable[[str], None]
    progress: Callable[[str, Progress], None]


def familiarity(
    question: Question,
    data_dir: Path,
    policy: Policy,
    now: datetime,
    heard: Heard | None = None,
    *,
    cache: Path | None = None,
) -> AuditReport:
    """Score texts by a model, hold them against controls and conclude.

    Parameters
    ----------
    data_dir : Path
        Where tasks are prepared, some perhaps with their official text.
    heard : Heard or None
        Told how much is to be scored before anything is loaded, and how far it is.
    cache : Path or None
        Where scores and converted models are kept; None is the user's cache.

    Raises
    ------
    UsageError
        When nothing is asked, a place does not exist, or there are too few controls.
    TextError
        When a text is none.
    ModelError
        When the model cannot be loaded or asked.
    """
    heard = heard or Heard(lambda _: None, lambda *_: None)
    for name in filter(None, (question.model, question.reference)):
        require_model(name)
    if question.reference == question.model:
        raise UsageError(_NO_REFERENCE, _ANOTHER)
    asked = asked_of(question, data_dir)
    if not asked:
        raise UsageError("Expected tasks or texts to ask about, found none.", "Name -c ID or FILE.")
    known: list[Known | str] = [_gap(one) for one in asked]
    if any(not _is_short(d.text) for one in asked for d in one.documents):
        known = _measured(asked, question, heard, cache or default_cache())
    subjects = [_subject_of(*pair, question) for pair in zip(asked, known, strict=True)]
    return _document(subjects, question, policy, now)


def _is_short(text: Text) -> bool:
    """Say whether a text has too few bytes for the tokens of a verdict, whatever the tokenizer."""
    return len(text.content.encode("utf-8", "replace")) < MIN_TOKENS


def _gap(one: Asked) -> str:
    """Say why nothing of a task or text is worth scoring."""
    short = [
        f"{d.text.name} has {counted(len(d.text.content), 'character')}, at least {MIN_TOKENS} "
        "tokens are needed for a verdict."
        for d in one.documents
    ]
    return " ".join([*one.gaps, *short])


def _measured(
    asked: Sequence[Asked], question: Question, heard: Heard, cache: Path
) -> list[Known | str]:
    """Return what is known of each task or text, or why nothing is."""
    targets = [d for one in asked for d in one.documents]
    names = list(filter(None, (question.model, question.reference)))
    for name in names:
        require_known(name)
    controls, source = controls_of(question, targets, heard.announce)
    kinds = {d.kind for d in targets if d.kind is not Kind.OBFUSCATED}
    require_number(max((len(controls_for(kind, controls)) for kind in kinds), default=0))
    texts = list({d.text.sha256: d.text for d in (*targets, *controls)}.values())
    n_tokens = sum(len(t.content) for t in texts) // _CHARACTERS_PER_TOKEN
    kept = ""
    if not all(map(is_stored, names)):
        remedy = "Name another: export MLE_AUDIT_CACHE=DIR"
        require_writable(cache / "scores", remedy, is_folder=True)
        kept = f"; what was scored before is kept in {cache}"
    heard.announce(
        f"{counted(len(targets), 'text')} and {counted(len(controls), 'control')}, about "
        f"{n_tokens:,} tokens, to be scored by {' and '.join(names)}{kept}."
    )
    said = [_scores(name, texts, question, heard, cache) for name in names]
    if question.write_logprobs is not None:
        write_logprobs(question.write_logprobs, said)
    panel = Panel(said[0].by_text, {}, controls, source, question.seed)
    if question.reference:
        alike = _require_pairs(said[0], said[1], texts)
        panel = panel._replace(theirs=said[1].by_text, same_tokenizer=alike)
    return known_of(asked, panel)


def _require_pairs(ours: _ByModel, theirs: _ByModel, texts: Sequence[Text]) -> bool:
    """Return whether both models have one tokenizer.

    Raises
    ------
    UsageError
        When they are one model, or nobody knows which tokens of both stand for the same
        characters.
    """
    if replace(ours.identity, name="") == replace(theirs.identity, name=""):
        raise UsageError(_NO_REFERENCE, _ANOTHER)
    alike = ours.identity.tokenizer == theirs.identity.tokenizer
    for text in texts:
        pair = ours.by_text[text.sha256], theirs.by_text[text.sha256]
        if not can_be_paired(*pair, same_tokenizer=alike):
            raise UsageError(
                f"{text.name}: expected tokens of {ours.identity.name} and {theirs.identity.name} "
                "that can be paired, found two tokenizers and no places of tokens in the text.",
                "Score it with `start` and `end` of tokens (docs/familiarity-logprobs.md), or "
                "leave --reference out.",
            )
    return alike


class _ByModel(NamedTuple):
    """What one model says of every text."""

    identity: Identity
    plan: Plan
    scores: list[TokenScores]

    @property
    def by_text(self) -> dict[str, TokenScores]:
        return {one.text_sha256: one for one in self.scores}


def _scores(
    name: str, texts: Sequence[Text], question: Question, heard: Heard, cache: Path
) -> _ByModel:
    """Open one model, score every text, and let the model go."""
    key_name = MODEL_KEY if name == question.model else REFERENCE_KEY
    backend = open_model(name, cache=cache, announce=heard.announce, key_name=key_name)
    plan = fitted(question.plan, backend)
    scores = score_texts(
        backend,
        texts,
        plan,
        # A cache would hide what a file of numbers says now.
        cache=None if is_stored(name) else ScoreCache(cache / "scores"),
        progress=lambda p: heard.progress(name, p),
    )
    return _ByModel(backend.identity, plan, scores)


def _subject_of(one: Asked, found: Known | str, question: Question) -> Model:
    return Model(
        name=question.model.rstrip("/").rpartition("/")[2],
        location=question.model,
        spec=one.spec,
        text=_named(one),
        known=found if isinstance(found, Known) else None,
        gap=" ".join(one.gaps) if isinstance(found, Known) else found,
    )


def _named(one: Asked) -> str:
    """Name a single text, or say how many a task has."""
    counting = [d for d in one.documents if d.kind is not Kind.OBFUSCATED]
    if len(counting) == 1:
        return counting[0].text.name
    return counted(len(counting), "text") if counting else ""


def _document(
    models: Sequence[Model], question: Question, policy: Policy, now: datetime
) -> AuditReport:
    chosen = chosen_detectors([DETECTOR], family=FAMILY)
    checks = tuple(checks_of(chosen, {SubjectKind.MODEL: models}, lambda _: None))
    subjects = tuple(_described(model, question) for model in models)
    verdicts = judge(subjects, checks, policy, families={one.about.id: FAMILY for one in chosen})
    about = f"{FAMILY} alone"
    return document(
        policy, now, chosen, subjects, checks, verdicts, about=about, families=(FAMILY,)
    )


def _described(model: Model, question: Question) -> Subject:
    facts = {"model": model.name, "reference": question.reference or "none"}
    if known := model.known:
        facts["text"] = f"{model.text}, {known.n_tokens:,} tokens"
        facts |= dict(_kinds(known))
        if model.gap:
            facts[_LEFT_OUT] = model.gap
        facts["controls"] = f"{known.n_controls}, {known.controls}"
        facts["decision"] = known.decision.value
        if known.correlation is not None and known.metric != "reference-t":
            facts["reference"] += (
                f", switched off: it correlates by {known.correlation:.2f} with the model on the "
                f"controls, {MIN_CORRELATION} is needed"
            )
        facts |= {
            METRICS[name].label: f"{value:.4g}"
            for name, value in known.values.items()
            if name in METRICS and math.isfinite(value)
        }
    return Subject(
        id=model.id,
        kind=SubjectKind.MODEL,
        title=model.spec.title if model.spec else model.text,
        competition=model.spec.id if model.spec else None,
        facts=facts,
    )


def _kinds(known: Known) -> Iterator[tuple[str, str]]:
    """Say of each kind of document how many count, and what they differ from their controls."""
    if len(known.documents) < 2:  # noqa: PLR2004 - a single text has a row of its own
        return
    for kind in dict.fromkeys(d.kind for d in known.documents):
        own = [d for d in known.documents if d.kind == kind]
        excesses = [d.excess for d in own if not d.left_out or kind == Kind.OBFUSCATED]
        found = [e for e in excesses if math.isfinite(e)]
        said = [counted(len(own), "document")]
        if found:
            said.append(f"{sum(found) / len(found):+.1f} standard deviations beyond its controls")
        whys = Counter(d.left_out for d in own if d.left_out)
        said += [f"{n} left out ({why})" if why != BESIDE else why for why, n in whys.items()]
        yield kind, ", ".join(said)


HEAD = ("text", "decision", "seen")


def rows(report: AuditReport) -> list[tuple[str, str, str]]:
    """Return a row per task or text, and one per kind of a task's documents, as `HEAD` has it."""
    found = []
    for one in report.checks:
        subject = next(s for s in report.subjects if s.id == one.subject)
        name = subject.competition or subject.title
        decision = subject.facts.get("decision", "not available")
        said = one.findings[0].message if one.findings else str(one.reason)
        found.append((name, decision, said))
        shown = [k for k in (*Kind, _LEFT_OUT) if k in subject.facts]
        found += [(f"  {k}", "", subject.facts[k]) for k in shown]
    return found
