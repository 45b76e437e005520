"""Whether a model knows data tables: header, rows, a feature and order, in one document."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from audit.checks import checks_of, chosen_detectors
from audit.document import document
from audit.false_discoveries import adjusted
from audit.verdict import judge
from competitions.errors import EvidenceUnavailableError, MleAuditError, TextError, UsageError
from competitions.prepared import load_prepared
from detectors.familiarity.backend import Plan
from detectors.familiarity.cache import ScoreCache, default_cache
from detectors.familiarity.calibration import decide
from detectors.familiarity.data_sampling import ANSWER_TOKENS, write_rows
from detectors.familiarity.data_scores import telling_column
from detectors.familiarity.data_tables import lines_in, require_rows
from detectors.familiarity.data_trials import FIRST, judge_trial, still_open, trial_of
from detectors.familiarity.known_table import said_of
from detectors.familiarity.scoring import score_texts
from detectors.familiarity.servers.opening import fitted, open_model, require_known, require_model
from detectors.known_data import KnownData
from detectors.model import Model
from detectors.task import Task
from reports.schema import AuditReport, Subject, SubjectKind
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime
    from pathlib import Path

    from audit.familiarity import Heard
    from audit.verdict import Policy
    from competitions.spec import Competition
    from detectors.familiarity.backend import Backend
    from detectors.familiarity.data_tables import Lines
    from detectors.familiarity.data_trials import Judged, Trial
    from detectors.familiarity.texts import Text
    from detectors.familiarity.tokens import TokenScores

FAMILY, DETECTOR = "familiarity", "known-table"
N_CONTROLS = 99  # one table has five questions: 99 controls decide each of them
HEAD = ("table", "question", "decision", "seen")
_TOKEN = re.compile(r"\d|[^\W\d_]{1,4}|[^\w ]")  # about what a tokenizer makes: digits are single
_TOKENS_PER_MINUTE = 14_000  # of SmolLM2 on one core
_NO_TABLES = "Expected tables to ask about, found none."
SAMPLED_HEAD = ("table", "written", "right", "by chance", "p")


@dataclass(frozen=True)
class TableQuestion:
    """Which tables are asked of which model.

    Parameters
    ----------
    model : str
        As `open_model` takes it.
    tables : tuple of Path
        Files; prepared tasks give their public train table.
    specs : tuple of Competition
    n_controls : int
        Of each kind, for each table.
    """

    model: str
    tables: tuple[Path, ...] = ()
    specs: tuple[Competition, ...] = ()
    n_controls: int = N_CONTROLS
    seed: int = 0


class _Asked(NamedTuple):
    """A table, or why there is none."""

    spec: Competition | None
    path: Path | None
    trial: Trial | None
    gap: str


def familiarity_of_data(
    question: TableQuestion,
    data_dir: Path,
    policy: Policy,
    now: datetime,
    heard: Heard,
    *,
    cache: Path | None = None,
) -> AuditReport:
    """Score tables and what they are held against, and conclude.

    Parameters
    ----------
    heard : Heard
        Told how much is to be scored before anything is loaded, and how far it is.
    cache : Path or None
        Where scores and converted models are kept; None is the user's cache.

    Raises
    ------
    UsageError
        When nothing is asked, or a file is no table.
    ModelError
        When the model cannot be loaded or asked.
    """
    require_model(question.model)
    asked = list(_asked(question, data_dir))
    if not asked:
        raise UsageError(_NO_TABLES, "Name -c ID or --table FILE.")
    trials = [one.trial for one in asked if one.trial is not None]
    scored, scores = _scored(trials, question, heard, cache or default_cache())
    judged = [judge_trial(t, scores, drawn) for t, drawn in zip(scored, trials, strict=True)]
    known = dict(zip(map(id, trials), _known(scored, judged, scores), strict=True))
    models = [
        Model(
            name=question.model.rstrip("/").rpartition("/")[2],
            location=question.model,
            spec=one.spec,
            text=one.path.name if one.path else "",
            table=known[id(one.trial)] if one.trial else None,
            table_gap=one.gap,
        )
        for one in asked
    ]
    return _document(models, policy, now)


def _asked(question: TableQuestion, data_dir: Path) -> Iterator[_Asked]:
    for spec in question.specs:
        try:
            task = Task(spec, load_prepared(spec, data_dir).folder)
            path = task.public(_train_of(spec))
            yield _trial(spec, path, lines_in(path), question)
        except MleAuditError as error:
            yield _Asked(spec, None, None, f"{error} {error.remedy or ''}".strip())
    read = [(path, _lines(path)) for path in question.tables]
    require_known(question.model)
    for path, lines in read:
        yield _trial(None, path, lines, question)


def _lines(path: Path) -> Lines:
    try:
        return lines_in(path)
    except TextError as error:
        raise UsageError(f"--table {error}", error.remedy) from error


def _train_of(spec: Competition) -> str:
    name = spec.file_of("train")
    if name is None or not name.endswith((".csv", ".tsv")):
        raise EvidenceUnavailableError("data", f"The train part of {spec.id} is no CSV table.")
    return name


def _trial(spec: Competition | None, path: Path, lines: Lines, question: TableQuestion) -> _Asked:
    try:
        trial = trial_of(lines, question.n_controls, question.seed)
    except MleAuditError as error:
        return _Asked(spec, path, None, f"{error} {error.remedy or ''}".strip())
    return _Asked(spec, path, trial, "")


def _scored(
    trials: Sequence[Trial], question: TableQuestion, heard: Heard, cache: Path
) -> tuple[list[Trial], dict[str, TokenScores]]:
    """Score tables beside a few controls, then beside all where that may decide something.

    Returns
    -------
    list of Trial
        As given, with the controls that were scored.
    dict of str to TokenScores
        By digest of the text.
    """
    if not trials:
        return [], {}
    few = [t.first(FIRST) for t in trials]
    first, most = _texts_of(few), _texts_of(trials)
    heard.announce(
        f"{counted(len(trials), 'table')} and what they are held against: {len(first)} texts, "
        f"{_cost(first)}, to be scored by {question.model}; all {len(most)}, {_cost(most)}, where "
        f"the first leave open what is asked. What was scored before is kept in {cache}."
    )
    backend = open_model(question.model, cache=cache, announce=heard.announce)
    scores = _scores(backend, first, question.model, heard, cache)
    scored = [
        whole.first(FIRST, but=still_open(judge_trial(one, scores, whole)))
        for whole, one in zip(trials, few, strict=True)
    ]
    more = [t for t in _texts_of(scored) if t.sha256 not in scores]
    if more:
        heard.announce(f"Something is left open: {len(more)} more texts, {_cost(more)}.")
        scores |= _scores(backend, more, question.model, heard, cache)
    return scored, scores


def _texts_of(trials: Sequence[Trial]) -> list[Text]:
    return list({t.sha256: t for trial in trials for t in trial.texts}.values())


def _cost(texts: Sequence[Text]) -> str:
    """Say about how many tokens texts have, and how long a small model takes on a processor."""
    n_tokens = sum(len(_TOKEN.findall(t.content)) for t in texts)
    minutes = max(1, round(n_tokens / _TOKENS_PER_MINUTE))
    return f"about {n_tokens:,} tokens or {counted(minutes, 'cpu-minute')} of a small model"


def scores_by_text(
    texts: Sequence[Text], model: str, heard: Heard, cache: Path
) -> dict[str, TokenScores]:
    """Open a model and return the log-probabilities of texts by their digest.

    Raises
    ------
    ModelError
        When the model cannot be loaded or asked.
    """
    backend = open_model(model, cache=cache, announce=heard.announce)
    return _scores(backend, texts, model, heard, cache)


def _scores(
    backend: Backend, texts: Sequence[Text], model: str, heard: Heard, cache: Path
) -> dict[str, TokenScores]:
    plan = replace(fitted(Plan(statistics=False), backend), statistics=False)
    scores = score_texts(
        backend,
        texts,
        plan,
        cache=ScoreCache(cache / "scores"),
        progress=lambda p: heard.progress(model, p),
    )
    return {one.text_sha256: one for one in scores}


def _known(
    trials: Sequence[Trial], judged: Sequence[Judged], scores: dict[str, TokenScores]
) -> Iterator[KnownData]:
    """Count all questions of the call together, and decide each."""
    p_values = [t.calibrated.p for one in judged for t in one.tests if t.calibrated]
    q_values = iter(adjusted(p_values))
    for trial, one in zip(trials, judged, strict=True):
        tests = []
        for test in one.tests:
            if test.calibrated is None:
                tests.append(test)
                continue
            q = next(q_values)
            decision = decide(test.calibrated, q, confounded=bool(test.why))
            tests.append(replace(test, q=q, decision=decision))
        text = trial.lines.text()
        yield KnownData(
            name=trial.lines.name,
            sha256=text.sha256,
            n_rows=len(trial.lines.rows),
            n_tokens=scores[text.sha256].n_tokens,
            column=trial.lines.header[trial.column],
            odd=one.odd,
            n_asked=len(p_values),
            tests=tuple(tests),
        )


def _document(models: Sequence[Model], policy: Policy, now: datetime) -> AuditReport:
    chosen = chosen_detectors([DETECTOR], family=FAMILY)
    checks = tuple(checks_of(chosen, {SubjectKind.MODEL: models}, lambda _: None))
    subjects = tuple(map(_described, models))
    verdicts = judge(subjects, checks, policy, families={DETECTOR: FAMILY})
    about = "data tables alone"
    return document(
        policy, now, chosen, subjects, checks, verdicts, about=about, families=(FAMILY,)
    )


def _described(model: Model) -> Subject:
    facts = {"model": model.name}
    if table := model.table:
        facts["table"] = f"{table.name}, {table.n_rows} rows, {table.n_tokens:,} tokens"
        facts |= {
            test.name: f"{test.decision.value if test.decision else 'not asked'}: "
            f"{said_of(test, table)}"
            for test in table.tests
        }
    return Subject(
        id=model.id,
        kind=SubjectKind.MODEL,
        title=model.spec.title if model.spec else model.text,
        competition=model.spec.id if model.spec else None,
        facts=facts,
    )


_QUESTIONS = ("header", "row", "first token", "feature", "order")


def rows(report: AuditReport) -> Iterator[tuple[str, str, str, str]]:
    """Yield a row per question about a table, as `HEAD` names its cells."""
    for subject in report.subjects:
        name = subject.competition or subject.title
        asked = [(q, subject.facts[q]) for q in _QUESTIONS if q in subject.facts]
        for question, said in asked:
            decision, _, seen = said.partition(": ")
            yield name, question, decision, seen
        if not asked:
            why = next(str(c.reason) for c in report.checks if c.subject == subject.id)
            yield name, "", "not available", why


def sampled(
    tables: Sequence[Path],
    opening: Callable[[], Callable[[int], Callable[[str], str]]],
    seed: int = 0,
) -> Iterator[tuple[str, str, str, float, float]]:
    """Ask a model to write rows of tables, and yield what it hit, as `SAMPLED_HEAD` has it.

    Parameters
    ----------
    opening : callable
        Opens the model, once it is clear that there is something to ask.

    Raises
    ------
    UsageError
        When there is no table, or a file is none.
    TextError
        When a table is too short.
    """
    if not tables:
        raise UsageError(_NO_TABLES, "Name one: --table FILE")
    read = [(path, require_rows(_lines(path))) for path in tables]
    ask = opening()(ANSWER_TOKENS)
    for path, lines in read:
        for one in write_rows(lines, telling_column(lines), ask, seed):
            yield path.name, one.name, f"{one.hits} of {one.n}", round(one.by_chance, 2), one.p
