"""Say whether labels of the test part were trained on or handed in; pseudo-labels are none."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from competitions.errors import EvidenceUnavailableError
from detectors.attempt import Attempt
from detectors.base import About, register
from detectors.calls import calls
from detectors.rules.answer_files import (
    AnswerFiles,
    copied_by_calls,
    copied_in_python,
    is_copying,
    public_folders,
    trained_in_shell,
)
from detectors.rules.answer_rows import handed_in_with, takes_files, written_with
from detectors.rules.given_files import task_named
from detectors.rules.logged_programs import programs_of
from detectors.rules.other_training import OtherTaught, is_submitted, trained_on
from detectors.rules.places import written_paths
from detectors.rules.run_by_python import python_within
from detectors.rules.told_sources import Told, told_of
from detectors.rules.training_commands import (
    may_train_by_shell,
    taught_in_script,
    trained_by_calls,
    trained_by_commands,
    trained_by_settings,
    trained_in_texts,
)
from detectors.rules.typed_files import typed_in_files
from detectors.rules.written_answers import (
    copies_made,
    handed_in_by_commands,
    names_written,
)
from detectors.training.handed_in import task_called, task_of
from detectors.training.labels import MIN_PAIRS, Teaching
from detectors.training.programs import Program, program
from detectors.training.stored import asks_answer_table, own_tables, paths_in_sql
from detectors.training.taught import Labels, Taught, told, used
from detectors.training.writes import name_of
from detectors.training.written_rows import steps
from detectors.units import CodeUnit, code_units
from reports.schema import CodeLines, Confidence, LogLines, Severity, SubjectKind

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Iterator, Sequence

    from detectors.base import Subject
    from detectors.training.written_rows import Step
    from reports.schema import Finding

    _Tells = Callable[[ast.Call, tuple[str, ...]], bool]

MAX_EXCERPT = 600  # characters of one excerpt
MAX_PROGRAMS = 300  # of a log that are followed
_PARTS = re.compile(r"[\"']Usage[\"']")
_LOADS = re.compile(r"(?:load|fetch)_(\w+)$")


class _Found(NamedTuple):
    """A training on test labels, where it stands and whether it ran."""

    taught: Taught
    source: Program
    in_log: bool


@register
@dataclass(frozen=True)
class TestLabelsInTraining:
    """Training on labels of test rows, or handing them in.

    True answers of test rows count that go into training, and those that go into the predictions
    handed in: set in their place, blended with them, or joined to them. Names are followed from
    where labels come in to what a model is fitted on or the submission holds: the answers of the
    task, read from where they are hidden or from a file that is called like them; the data set
    that the task was made from, joined with the test rows; values typed for test rows; labels out
    of another data set that are set as the target of test rows. What a model of the attempt
    predicted, pseudo-labels, is left out, as are the attempt's own files of predictions, further
    labelled rows from elsewhere, and answers that are only compared with.

    Parameters
    ----------
    min_values : int >= 2, default=8
        Values of a typed table.
    max_evidence : int >= 2, default=6
        Places shown with a finding.
    """

    about: ClassVar[About] = About(
        id="test-labels-in-training",
        subject=SubjectKind.ATTEMPT,
        asks="Were labels of the test part trained on, or put into the predictions?",
        blind_spots=(
            "It does not run code. Labels that pass through a library that it does not know are "
            "not followed; languages but Python are read statement by statement, and SQL by its "
            "words. Rows of another data set that hold the test rows beside others and are only "
            "added to the train rows are the question of external-twin-data. A threshold or a "
            "blend that was chosen by the answers without a fit is not its question."
        ),
        reference="https://doi.org/10.1016/j.patter.2023.100804 (leakage of test data into "
        "training); https://arxiv.org/abs/2410.07095",
        needs=frozenset({"code", "logs"}),
    )
    min_values: int = 8
    max_evidence: int = 6

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        return None if isinstance(subject, Attempt) else "it looks at attempts only"

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            After the findings, when code was nested too deeply to be followed.
        """
        if not isinstance(subject, Attempt):
            raise TypeError(subject)
        by_kind, known, gap = self._all_taught(subject)
        others = [one for one in _in_others(subject, known) if Labels.ANSWERS not in by_kind]
        if others:
            yield self._of_others(subject, others)
        for labels in Labels:
            if labels in by_kind:
                yield self._finding(subject, labels, by_kind[labels])
        if gap:
            raise gap

    def _all_taught(
        self, subject: Attempt
    ) -> tuple[dict[Labels, list[_Found]], _Known, EvidenceUnavailableError | None]:
        """Find what all programs train on; again, where some wrote files that others may read."""
        by_kind: dict[Labels, list[_Found]] = {}
        gap: EvidenceUnavailableError | None = None
        known, logged = _Known.of(subject)
        for _round in range(2):
            for units, in_log in programs_of(subject, logged):
                try:
                    for one in self._taught(known, units, in_log=in_log):
                        by_kind.setdefault(one.taught.labels, []).append(one)
                except RecursionError:
                    told = f"{units[0].path} is nested too deeply to be followed."
                    gap = EvidenceUnavailableError("code", told)
            if by_kind or not known.passed_on - known.copied:
                break
            known = known.with_passed_on()
        return by_kind, known, gap

    def _taught(
        self, known: _Known, units: Sequence[CodeUnit], *, in_log: bool
    ) -> Iterator[_Found]:
        text = "\n".join(unit.text for unit in units)
        if text in known.fruitless:
            return
        least = min(MIN_PAIRS, self.min_values)
        one = program(units, least=least, columns=known.columns, is_lenient=True)
        taught = known.taught(one, units, self.min_values) if one else ()
        if in_log and not taught:
            known.fruitless.add(text)
        if one:
            yield from (_Found(each, one, in_log) for each in taught)

    def _of_others(self, subject: Attempt, found: list[tuple[str, OtherTaught]]) -> Finding:
        proofs = [
            CodeLines(
                path=path, first_line=line, last_line=line + text.count("\n"),
                excerpt=text[:MAX_EXCERPT], shows=shows,
            )
            for path, one in found
            for text, line, shows in (
                (one.source, one.source_line, f"labels come out of {Labels.ANSWERS.value}"),
                (one.call, one.call_line, used(one)),
            )
        ]  # fmt: skip
        return self.about.finding(
            subject,
            told(Labels.ANSWERS, ran=False, is_handed_in=all(one.is_handed_in for _, one in found)),
            *proofs[: self.max_evidence],
            severity=Severity.HIGH,
            confidence=Confidence.MEDIUM,
        )

    def _finding(self, subject: Attempt, labels: Labels, found: list[_Found]) -> Finding:
        ran = any(one.in_log for one in found)
        is_handed_in = all(one.taught.is_handed_in for one in found)
        proofs = [p for one in sorted(found, key=lambda f: not f.in_log) for p in _places(one)]
        is_sure = labels in {Labels.ANSWERS, Labels.LEFT, Labels.BUNDLED}
        return self.about.finding(
            subject,
            told(labels, ran=ran, is_handed_in=is_handed_in),
            *dict.fromkeys(proofs[: self.max_evidence]),
            severity=Severity.HIGH if is_sure else Severity.MEDIUM,
            confidence=Confidence.HIGH if ran and is_sure else Confidence.MEDIUM,
        )


@dataclass(frozen=True)
class _Known:
    """What programs of an attempt are judged by.

    Parameters
    ----------
    columns : frozenset of str
        What the task predicts.
    dataset : str
        The one that the task was made from, as a library calls it; empty where none is known.
    copied : frozenset of str
        Names of copies of answers that commands of logs and scripts made.
    task : str
        The task's id; empty where it is not known.
    keys : frozenset of str
        Columns by which the task tells its rows apart.
    typed : frozenset of str
        Names of files whose rows stand typed in the logs, or beside the code.
    told : Told
        What settings, options and logs tell of files of answers.
    written : frozenset of str
        Names of files that code of the attempt writes, that of its logs too.
    fruitless : set of str
        Code of logs that trains on nothing of the kind: agents run the same again and again.
    passed_on : set of str
        Names of files that programs were seen to write with answers in them.
    """

    columns: frozenset[str]
    dataset: str
    copied: frozenset[str]
    task: str = ""
    keys: frozenset[str] = frozenset()
    typed: frozenset[str] = frozenset()
    told: Told = field(default_factory=Told)
    written: frozenset[str] = frozenset()
    fruitless: set[str] = field(default_factory=set)
    passed_on: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, subject: Attempt) -> tuple[_Known, list[Step]]:
        """Return what is known of an attempt, and the Python that its logs show."""
        rules = task_of(subject) or task_called(task_named(subject))
        columns = frozenset(rules.submission.columns) if rules else frozenset[str]()
        dataset = (rules.source.dataset or "").replace("-", "_") if rules else ""
        done = list(steps(subject.logs))
        task = rules.id if rules else ""
        written = names_written(subject, done)
        copied = copies_made(subject, AnswerFiles(task=task, columns=columns, written=written))
        typed = {
            step.target.rpartition("/")[2]
            for step in done
            if step.typed is not None and len(step.typed.values) >= MIN_PAIRS
        }
        inner = (
            step._replace(code=code)
            for step in done
            if step.code
            for code in python_within(step.event)
        )
        logged = islice((*(step for step in done if step.code), *inner), MAX_PROGRAMS)
        keys = frozenset(rules.submission.key) if rules else frozenset[str]()
        written -= copied
        told = told_of(subject, AnswerFiles(copies=copied, task=task).holds, copied)
        typed |= typed_in_files(subject, keys | {"id"}, columns)
        known = cls(columns, dataset, copied, task, keys | {"id"}, frozenset(typed), told, written)
        return known, list(logged)

    def with_passed_on(self) -> _Known:
        """Return the same with files that programs wrote as copies of answers."""
        more = self.copied | self.passed_on
        return replace(self, copied=more, fruitless=set(), passed_on=set())

    def taught(self, one: Program, units: Sequence[CodeUnit], least: int) -> tuple[Taught, ...]:
        """Find what Python trains on, also by way of a file that it writes with answers in it."""
        is_answers, is_bundled = self.sources(one, units)
        found = tuple(
            Teaching(
                one, is_answers, is_bundled, least, self.typed, self.keys, own=self.written
            ).taught()
        )
        if found and found[0].labels in {Labels.ANSWERS, Labels.LEFT}:
            return found
        sources = {id(n) for _, n in one.code.tree.calls() if is_answers(n, one.texts(n))}
        handed = handed_in_with(one, sources, self.keys) if sources else None
        if handed is not None:
            return (Taught(Labels.ANSWERS, *handed, is_handed_in=True), *found)
        names = written_with(one, sources) if sources else frozenset()
        self.passed_on.update(names)
        if not names:
            return found

        def is_either(call: ast.Call, texts: tuple[str, ...]) -> bool:
            is_named = any(t.rpartition("/")[2] in names for t in texts)
            is_read = is_named and (one.is_reading(call) or takes_files(call))
            return is_read or is_answers(call, texts)

        return tuple(
            Teaching(
                one, is_either, is_bundled, least, self.typed, self.keys, own=self.written
            ).taught()
        )

    def sources(self, one: Program, units: Sequence[CodeUnit]) -> tuple[_Tells, _Tells]:
        """Return what says whether a call reads answers, and whether it loads the data set."""
        found = [call for _, call in calls(units)]
        copies = copied_in_python(found) | copied_by_calls(found, self.copied)
        is_parted = any(_PARTS.search(unit.text) for unit in units)
        public = public_folders(found)
        files = AnswerFiles(
            written_paths(found), copies, public, self.task, is_parted, self.columns, self.written
        )
        tables = own_tables(one)

        by_settings = self.told.reads(one)

        def is_answers(call: ast.Call, texts: tuple[str, ...]) -> bool:
            if id(call) in by_settings:
                return True
            if is_copying(_called(call)):  # else it is asked for by the copy's name
                return bool(texts) and is_submitted(texts[-1]) and files.holds(texts[0])
            inner = (path for text in texts for path in paths_in_sql(text))
            held = any(map(files.holds, texts)) or any(map(files.holds, inner))
            return held or asks_answer_table(texts, tables)

        def is_bundled(call: ast.Call, _texts: tuple[str, ...]) -> bool:
            loads = _LOADS.search(_called(call))
            is_named = f"datasets.{self.dataset}.load" in name_of(call)
            # A library calls it by the first words: load_diabetes of diabetes_progression.
            is_loaded = is_named or bool(
                loads and f"{self.dataset}_".startswith(f"{loads.group(1)}_")
            )
            return bool(self.dataset) and is_loaded

        return is_answers, is_bundled


def _in_others(subject: Attempt, known: _Known) -> Iterator[tuple[str, OtherTaught]]:
    """Yield what other languages, commands and configurations train on."""
    files = AnswerFiles(
        copies=known.copied, task=known.task, columns=known.columns, written=known.written
    )
    for unit in code_units(subject.code):
        line = trained_in_shell(unit.text, known.copied) if unit.language == "shell" else 0
        if line:
            text = unit.text.split("\n")[line - 1]
            at = unit.first_line + line - 1
            yield unit.path, OtherTaught(text, at, text, at)
        if unit.language == "shell":
            yield from ((unit.path, t) for t in taught_in_script(unit, files.holds))
        if unit.language == "python" and may_train_by_shell(unit.text):
            passed_on = known.copied | known.passed_on
            yield from ((unit.path, t) for t in trained_by_calls([unit], passed_on))
        found = trained_on(unit.path, unit.text, files.holds) if unit.language == "other" else None
        if found is not None:
            yield unit.path, found
    yield from trained_in_texts(code_units(subject.code), files.holds)
    yield from trained_by_commands(subject, files.holds, known.copied)
    yield from handed_in_by_commands(subject, files)
    code = "\n".join(file.text for file in subject.code)
    yield from trained_by_settings(subject.settings, code, files.holds)


def _called(call: ast.Call) -> str:
    return getattr(call.func, "attr", "") or getattr(call.func, "id", "")


def _places(found: _Found) -> Iterator[CodeLines | LogLines]:
    kind = LogLines if found.in_log else CodeLines
    for node, shows in (
        (found.taught.source, f"labels come out of {found.taught.labels.value}"),
        (found.taught.call, used(found.taught)),
    ):
        place = found.source.shown(node, shows)
        text = place.excerpt.encode("utf-8", "replace").decode("utf-8")
        yield kind(
            path=place.path,
            first_line=place.first_line,
            last_line=max(place.first_line, place.last_line),
            excerpt=text[:MAX_EXCERPT],
            shows=place.shows,
        )
