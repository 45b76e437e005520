"""What a task's grader answers to each question, asked in a process of its own."""

from __future__ import annotations

import math
import re
import tempfile
import time
import traceback
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from competitions.columns import column_problems
from competitions.errors import EvidenceUnavailableError, InvalidSubmissionError, MleAuditError
from competitions.grade import score_tables
from competitions.prepared import load_prepared
from competitions.submission import key_index, max_lines, read_submission
from competitions.work import read_raw
from detectors.grading.questions import expected_rules, questions

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    import pandas as pd

    from competitions.prepared import Prepared
    from competitions.spec import Column, Competition
    from detectors.task import Task

MEMORY = 16 << 30  # bytes of address space of the process that asks
_SAME = 1e-9  # two scores of one submission differ by no more
_F_MEASURE = re.compile(r"\bf-?(1|2|beta|score|measure)\b")
_KEPT_TASKS = 4  # whose answers are kept, so that each probe need not ask again


class Answer(NamedTuple):
    """What became of one submission.

    Parameters
    ----------
    outcome : {"refused", "scored", "crashed"}
        ``scored`` also where the score is no number: published graders count that as valid.
    score : float or None
        None unless scored.
    forbidden : str
        Why the task's meaning forbids a cell of it; empty where no cell is forbidden.
    """

    outcome: Literal["refused", "scored", "crashed"]
    score: float | None = None
    forbidden: str = ""

    @property
    def is_number(self) -> bool:
        """Whether it was scored with a finite number."""
        return self.score is not None and math.isfinite(self.score)


class Answers(NamedTuple):
    """All answers of one grader, by question.

    Parameters
    ----------
    share_empty : float in [0, 1]
        Rows whose right answer is an empty cell in every column.
    padded : str
        A token of the sample submission that equals a right one but for leading zeros, where none
        of its tokens is a right one as written.
    unasked : str
        Why asking ended early; empty when it did not.
    is_lower_better : bool
        Of scores.
    counts_items : bool
        Whether the measure counts right items, so that a blank is nothing to be right about.
    """

    by_question: dict[str, Answer]
    share_empty: float = 0.0
    padded: str = ""
    unasked: str = ""
    is_lower_better: bool = False
    counts_items: bool = False

    @property
    def worth_of_blanks(self) -> float:
        """What a file of blanks may earn: its right blanks, nothing where items are counted."""
        return (0.0 if self.counts_items else self.share_empty) + _SAME

    def taken(self, *names: str) -> dict[str, Answer]:
        """Return those of some questions that were scored, by name; ``a`` also finds ``a: b``."""
        found = self.by_question.items()
        return {n: a for n, a in found if a.outcome == "scored" and n.split(": ")[0] in names}

    def is_as_perfect(self, answer: Answer) -> bool:
        """Say whether a submission scored what the right answers score."""
        perfect = self.by_question.get("perfect")
        if perfect is None or answer.score is None or perfect.score is None:
            return False
        return answer.score == perfect.score or abs(answer.score - perfect.score) <= _SAME

    def is_better(self, answer: Answer) -> bool:
        """Say whether a submission scored better than the right answers."""
        perfect = self.by_question.get("perfect")
        if perfect is None or answer.score is None or perfect.score is None:
            return False
        gain = answer.score - perfect.score
        return (-gain if self.is_lower_better else gain) > _SAME

    def is_all_wrong(self, answer: Answer) -> bool:
        """Say whether a submission scored what answers score that are all wrong."""
        wrong = self.taken("numbers-for-names", "all-empty")
        return any(a.score == answer.score for a in wrong.values())


def answers_of(task: Task, limit_s: float) -> Answers:
    """Ask a task's grader everything, once per task and process.

    Parameters
    ----------
    limit_s : float > 0
        Seconds after which asking ends; what was answered by then stands.

    Raises
    ------
    EvidenceUnavailableError
        When the task's data is not here, or the grader answered nothing in time.
    """
    manifest = task.prepared / "manifest.json"
    stamp = manifest.stat().st_mtime_ns if manifest.is_file() else 0
    key = (str(task.prepared), task.id, stamp, limit_s)
    found = _KEPT.get(key)
    if found is None:
        found = _asked(task, limit_s)
        _KEPT[key] = found
        while len(_KEPT) > _KEPT_TASKS:
            del _KEPT[next(iter(_KEPT))]
    if found.by_question:
        return found
    raise EvidenceUnavailableError("data", f"the grader of {task.spec.id}: {found.unasked}")


_KEPT: dict[tuple[str, str, int, float], Answers] = {}


def _asked(task: Task, limit_s: float) -> Answers:
    """Collect what the process says until it ends, dies or takes too long."""
    context = get_context("forkserver")
    context.set_forkserver_preload(["pandas", "sklearn.metrics"])
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_ask, args=(task, theirs), daemon=True)
    process.start()
    theirs.close()
    end = time.monotonic() + limit_s
    told: dict[str, Answer] = {}
    rest = Answers(told, unasked=f"it took more than {limit_s:g} s")
    try:
        while ours.poll(max(0.0, end - time.monotonic())):
            said = ours.recv()
            if isinstance(said, Answers):
                rest = said._replace(by_question=told)
                break
            told[said[0]] = said[1]
    except EOFError:
        process.join()
        rest = Answers(told, unasked=f"its process ended with {process.exitcode}")
    finally:
        ours.close()
        process.kill()
        process.join()
        process.close()
    return rest


def _ask(task: Task, pipe: Connection) -> None:
    """Send each answer as it comes, and what is known of the task at the end."""
    import resource

    _soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    try:
        prepared = load_prepared(task.spec, task.prepared.parents[1])
        answers = read_raw(prepared.answers)
        rules = expected_rules(task.spec)
        known: dict[str, pd.DataFrame] = {}
        with tempfile.TemporaryDirectory(prefix="questions-") as folder:
            for name, frame in questions(prepared):
                path = Path(folder) / "submission.csv"
                frame.to_csv(path, index=False)
                pipe.send((name, _answer(prepared, answers, path, rules)))
                if name in {"perfect", "sample"}:
                    known[name] = frame
        targets = [name for name in rules if name in known["perfect"].columns]
        empty = known["perfect"][targets].isna().all(axis=1).mean()
        pipe.send(
            Answers(
                {},
                float(empty),
                _padded(known, targets),
                is_lower_better=task.spec.metric.is_lower_better,
                counts_items=_counts_items(task.spec),
            )
        )
    except BrokenPipeError:
        return  # whoever asked has gone
    except MleAuditError as error:
        pipe.send(Answers({}, unasked=str(error)))
    except Exception:  # noqa: BLE001 - told to whoever asked, who says it as the check's reason
        pipe.send(Answers({}, unasked=traceback.format_exc(limit=-1)))


def _counts_items(spec: Competition) -> bool:
    """Say whether the metric goes by the name of a measure of right items."""
    names = f"{spec.metric.name} {spec.metric.official_name or ''}".casefold()
    return _F_MEASURE.search(names) is not None


def _answer(
    prepared: Prepared, answers: pd.DataFrame, path: Path, rules: dict[str, Column]
) -> Answer:
    """Hand one file in, as an agent would."""
    forbidden = ""
    try:
        frame = read_submission(path, max_lines(len(answers)))
        forbidden = _forbidden(prepared, frame, rules)
        return Answer("scored", float(score_tables(prepared, answers, frame)), forbidden)
    except InvalidSubmissionError:
        return Answer("refused", None, forbidden)
    except Exception:  # noqa: BLE001 - a grader that crashes has refused, in its way
        return Answer("crashed", None, forbidden)


def _forbidden(prepared: Prepared, frame: pd.DataFrame, rules: dict[str, Column]) -> str:
    """Say which cell the task's meaning forbids, if there is one."""
    has_key = not set(prepared.schema.key) - set(frame.columns)
    keys = key_index(frame, prepared.schema.key) if has_key else None
    for name, rule in rules.items():
        if name in frame.columns:
            for problem in column_problems(rule, frame[name], keys):
                return f"{name}: {problem}"
    return ""


def _padded(known: dict[str, pd.DataFrame], targets: list[str]) -> str:
    """Find a token of the sample that leading zeros alone keep from being a right one."""
    for name in targets:
        if name not in known["sample"].columns:
            continue
        shown, right = (
            {token for cell in known[which][name].dropna().astype(str) for token in cell.split()}
            for which in ("sample", "perfect")
        )
        stripped = sorted(token for token in shown if token.lstrip("0") in right)
        if stripped and not shown & right:
            return stripped[0]
    return ""
