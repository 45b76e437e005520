"""How well a model knows texts: scored, held against controls, and told as an audit document."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import audit
from audit.checks import checks_of, chosen_detectors, note_of
from audit.false_discoveries import adjusted
from audit.verdict import judge
from competitions.errors import MleAuditError, UsageError
from competitions.official import official_description
from competitions.prepared import load_prepared
from competitions.spec import catalog_ids, load
from detectors.attempt import printable_name
from detectors.base import FAMILIES
from detectors.familiarity.backend import Plan
from detectors.familiarity.blind import blind, table_share
from detectors.familiarity.cache import ScoreCache, default_cache
from detectors.familiarity.calibration import (
    MIN_CORRELATION,
    calibrate,
    correlation,
    decide,
)
from detectors.familiarity.controls import (
    generated_controls,
    matched_lengths,
    read_controls,
    without,
)
from detectors.familiarity.metrics import METRICS, MIN_TOKENS, Scored, measure
from detectors.familiarity.scoring import score_texts
from detectors.familiarity.texts import Text, read_text
from detectors.known import Known
from detectors.model import Model
from reports.schema import AuditReport, NotChecked, Subject, SubjectKind
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from datetime import datetime
    from pathlib import Path

    from audit.verdict import Policy
    from competitions.spec import Competition
    from detectors.familiarity.backend import Progress
    from detectors.familiarity.blind import Blind
    from detectors.familiarity.tokens import TokenScores
    from detectors.known import Calibrated

FAMILY = "familiarity"
N_CONTROLS = 99
BUILTIN = "builtin:smollm2"
_CHARACTERS_PER_TOKEN = 4  # for the estimate before anything is loaded
_OURS = (
    "The only text of {id} here is one that mle-audit wrote, which no model has read: nothing "
    "follows from its score. The official text is needed: --description FILE or DIR."
)
_SHORT = "{name} has {n} tokens, at least {least} are needed for a verdict."


@dataclass(frozen=True)
class Question:
    """What is asked of which model.

    Parameters
    ----------
    model, reference : str
        As `load_model` takes them; an empty reference is none.
    specs : tuple of Competition
        Tasks whose official description is asked about.
    description : Path or None
        Where the official descriptions lie; else those that tasks were prepared with.
    texts : tuple of Path
        Further texts.
    controls : Path or None
        Folder of control texts; None writes some.
    n_controls : int, default=99
        How many are written.
    """

    model: str = BUILTIN
    reference: str = ""
    specs: tuple[Competition, ...] = ()
    description: Path | None = None
    texts: tuple[Path, ...] = ()
    controls: Path | None = None
    n_controls: int = N_CONTROLS
    seed: int = 0
    plan: Plan = field(default_factory=Plan)


class _Asked(NamedTuple):
    """A text, the task it belongs to, or why there is none."""

    spec: Competition | None
    text: Text | None
    gap: str = ""


class _Part(NamedTuple):
    """Texts with all that was measured of them."""

    texts: list[Text]
    values: list[dict[str, float]]
    n_tokens: list[int]

    def column(self, metric: str) -> list[float]:
        return [METRICS[metric].sign * v[metric] for v in self.values]


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
    ModelFilesError
        When the model cannot be loaded.
    """
    heard = heard or Heard(lambda _: None, lambda *_: None)
    asked = [*_of_tasks(question, data_dir), *_of_files(question)]
    if not asked:
        raise UsageError("Expected tasks or texts to ask about, found none.", "Name -c ID or FILE.")
    targets = [a.text for a in asked if a.text is not None]
    known: dict[str, Known | str] = {}
    if targets:
        known = _measured(targets, question, heard, cache or default_cache())
    subjects = [_subject_of(one, question, known) for one in asked]
    return _document(subjects, question, policy, now)


def _of_tasks(question: Question, data_dir: Path) -> Iterator[_Asked]:
    if question.description is not None and not question.description.exists():
        raise UsageError(f"{question.description}: expected official descriptions, found nothing.")
    for spec in question.specs:
        try:
            content = _official(spec, question.description, data_dir)
        except MleAuditError as error:
            yield _Asked(spec, None, str(error))
            continue
        if content is None:
            yield _Asked(spec, None, _OURS.format(id=spec.id))
        else:
            yield _Asked(spec, Text(f"description of {spec.id}", content))


def _official(spec: Competition, given: Path | None, data_dir: Path) -> str | None:
    """Return the official text of a task: as named, or as it was prepared with; else None."""
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


def _of_files(question: Question) -> Iterator[_Asked]:
    for path in question.texts:
        yield _Asked(None, read_text(path))


def _controls(question: Question, targets: Sequence[Text]) -> tuple[list[Text], str]:
    if question.controls is not None:
        name = f"of {printable_name(question.controls.resolve().name)}"
        return without(read_controls(question.controls), targets), name
    specs = [load(name) for name in catalog_ids()]
    lengths = list(matched_lengths(targets, question.n_controls))
    return generated_controls(specs, lengths, question.seed), "written by mle-audit"


def _measured(
    targets: Sequence[Text], question: Question, heard: Heard, cache: Path
) -> dict[str, Known | str]:
    """Return what is known of each text by its digest, or why nothing is."""
    controls, source = _controls(question, targets)
    texts = list({t.sha256: t for t in (*targets, *controls)}.values())
    n_tokens = sum(len(t.content) for t in texts) // _CHARACTERS_PER_TOKEN
    models = " and ".join(filter(None, (question.model, question.reference)))
    heard.announce(
        f"{counted(len(targets), 'text')} and {counted(len(controls), 'control')}, about "
        f"{n_tokens:,} tokens, to be scored by {models}; what was scored before is kept in {cache}."
    )
    ours = _scores(question.model, texts, question, heard, cache)
    theirs = (
        _scores(question.reference, texts, question, heard, cache) if question.reference else {}
    )
    parts = [_part(group, ours, theirs) for group in (targets, controls)]
    return _panel(parts[0], parts[1], source, has_reference=bool(theirs))


def _scores(
    name: str, texts: Sequence[Text], question: Question, heard: Heard, cache: Path
) -> dict[str, TokenScores]:
    """Load one model, score every text, and let the model go."""
    from detectors.familiarity.local_model import load_model

    backend = load_model(name, cache=cache, announce=heard.announce)
    scores = score_texts(
        backend,
        texts,
        _fitting(question.plan, backend.context),
        cache=ScoreCache(cache / "scores"),
        progress=lambda p: heard.progress(name, p),
    )
    return {one.text_sha256: one for one in scores}


def _fitting(plan: Plan, context: int | None) -> Plan:
    """Shorten the window to what a model can take, a quarter of it overlapping."""
    if context is None or plan.window <= context:
        return plan
    return replace(plan, window=context, stride=max(1, context * 3 // 4))


def _part(
    texts: Sequence[Text], ours: dict[str, TokenScores], theirs: dict[str, TokenScores]
) -> _Part:
    found = [measure(ours[t.sha256], theirs.get(t.sha256)) for t in texts]
    for text, values in zip(texts, found, strict=True):
        if text.sha256 in theirs:
            values.values["reference-mean"] = METRICS["mean-log-probability"].value(
                Scored(theirs[text.sha256])
            )
    return _Part(list(texts), [f.values for f in found], [f.n_tokens for f in found])


def _panel(
    targets: _Part, controls: _Part, source: str, *, has_reference: bool
) -> dict[str, Known | str]:
    """Calibrate every text that is long enough, and count all of them together."""
    metric, matched = _headline(controls, has_reference=has_reference)
    usable = [
        i
        for i, v in enumerate(controls.column(metric))
        if math.isfinite(v) and controls.n_tokens[i] >= MIN_TOKENS
    ]
    asked = [i for i, n in enumerate(targets.n_tokens) if n >= MIN_TOKENS]
    covariates = [_covariates(controls, i, metric) for i in usable]
    scores = [controls.column(metric)[i] for i in usable]
    found = [
        calibrate(targets.column(metric)[i], _covariates(targets, i, metric), scores, covariates)
        for i in asked
    ]
    apart = blind([targets.texts[i] for i in asked], [controls.texts[i] for i in usable])
    known: dict[str, Known | str] = {
        t.sha256: _SHORT.format(name=t.name, n=n, least=MIN_TOKENS)
        for t, n in zip(targets.texts, targets.n_tokens, strict=True)
    }
    for place, (i, one, q) in enumerate(
        zip(asked, found, adjusted([f.p for f in found]), strict=True)
    ):
        facts = _Facts(metric, matched, source, len(asked), len(usable))
        known[targets.texts[i].sha256] = _known(targets, i, one, q, (facts, apart, place))
    return known


class _Facts(NamedTuple):
    metric: str
    matched: float | None
    source: str
    n_texts: int
    n_controls: int


def _known(
    targets: _Part, index: int, one: Calibrated, q: float, rest: tuple[_Facts, Blind, int]
) -> Known:
    facts, apart, place = rest
    return Known(
        text_sha256=targets.texts[index].sha256,
        n_tokens=targets.n_tokens[index],
        metric=facts.metric,
        calibrated=one,
        q=q,
        decision=decide(one, q, confounded=apart.separated[place]),
        n_texts=facts.n_texts,
        n_controls=facts.n_controls,
        controls=facts.source,
        correlation=facts.matched,
        length_auc=apart.length_auc,
        register_auc=apart.register_auc,
        odd=apart.odd[place],
        values=targets.values[index],
    )


def _headline(controls: _Part, *, has_reference: bool) -> tuple[str, float | None]:
    """Choose the metric that decides; a reference that does not match is switched off."""
    matched = None
    if has_reference:
        matched = correlation(
            controls.column("mean-log-probability"), [v["reference-mean"] for v in controls.values]
        )
        if matched >= MIN_CORRELATION:
            return "reference-t", matched
    with_statistics = all(math.isfinite(v) for v in controls.column("min-k-plus-plus"))
    return ("min-k-plus-plus" if with_statistics else "min-k"), matched


def _covariates(part: _Part, index: int, metric: str) -> list[float]:
    text = part.texts[index]
    found = [math.log(len(text.content)), table_share(text)]
    return [*found, part.values[index]["reference-mean"]] if metric == "reference-t" else found


def _subject_of(one: _Asked, question: Question, known: dict[str, Known | str]) -> Model:
    name = question.model.rstrip("/").rpartition("/")[2]
    found = known.get(one.text.sha256, "") if one.text is not None else one.gap
    return Model(
        name=name,
        location=question.model,
        spec=one.spec,
        text=one.text.name if one.text is not None else "",
        known=found if isinstance(found, Known) else None,
        gap="" if isinstance(found, Known) else found,
    )


def _document(
    models: Sequence[Model], question: Question, policy: Policy, now: datetime
) -> AuditReport:
    chosen = chosen_detectors(family=FAMILY)
    checks = tuple(checks_of(chosen, {SubjectKind.MODEL: models}, lambda _: None))
    subjects = tuple(_described(model, question) for model in models)
    return AuditReport(
        tool_version=audit.__version__,
        created_at=now,
        policy=policy.name,
        policy_sha256=policy.sha256,
        subjects=subjects,
        detectors=tuple(map(note_of, chosen)),
        checks=checks,
        verdicts=judge(subjects, checks, policy, families={one.about.id: FAMILY for one in chosen}),
        not_checked=tuple(_not_checked()),
    )


def _described(model: Model, question: Question) -> Subject:
    facts = {"model": model.name, "reference": question.reference or "none"}
    if known := model.known:
        facts["text"] = f"{model.text}, {known.n_tokens:,} tokens"
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


def _not_checked() -> Iterable[NotChecked]:
    for family, what in FAMILIES.items():
        if family != FAMILY:
            yield NotChecked(what=f"{family}: {what}", why="this was about familiarity alone")


HEAD = ("text", "decision", "seen")


def rows(report: AuditReport) -> list[tuple[str, str, str]]:
    """Return a row per text, as `HEAD` names its cells."""
    found = []
    for one in report.checks:
        subject = next(s for s in report.subjects if s.id == one.subject)
        name = subject.competition or subject.title
        decision = subject.facts.get("decision", "not available")
        said = one.findings[0].message if one.findings else str(one.reason)
        found.append((name, decision, said))
    return found
