"""Audit documents for the tests of the renderers: a realistic one and its parts."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from itertools import product
from typing import NamedTuple

from reports.grading import (
    CompetitionReport,
    GradeDetails,
    GradingReport,
    grading_report,
    headlines,
)
from reports.schema import (
    AuditReport,
    Check,
    CodeLines,
    Conclusion,
    Confidence,
    DetectorNote,
    FileDigest,
    Finding,
    LogLines,
    NotChecked,
    Outcome,
    Quantity,
    RowOverlap,
    RowPair,
    Severity,
    Subject,
    SubjectKind,
    Verdict,
    redact,
)

NOW = datetime(2026, 3, 14, 15, 9, 26, tzinfo=UTC)
AGENTS = ("constant", "baseline", "peeker")
SEEDS = (0, 1, 2)

ANSWERS_READ = DetectorNote(
    id="answers-read",
    family="rules",
    subject=SubjectKind.ATTEMPT,
    asks="Did the attempt look for the answers, the graders or a way out of the sandbox?",
    blind_spots="Reads that leave no trace in code or logs, and paths put together at run time.",
    reference="https://arxiv.org/abs/2410.07095",
)
EXACT_ROWS = DetectorNote(
    id="exact-row-overlap",
    family="leakage",
    subject=SubjectKind.TASK,
    asks="Do rows of the hidden test part also stand in the training part?",
    blind_spots="Rows that were changed slightly; duplicates inside the training part.",
    reference="https://doi.org/10.1016/j.patter.2023.100804",
)


class Board(NamedTuple):
    """A task of the sample and what its board says."""

    competition: str
    metric: str
    lower: bool
    kind: str
    n_teams: int
    medals: tuple[float | None, float | None, float | None]
    median: float
    source: str
    comparable: bool
    scores: dict[str, tuple[float, float, float]]


BOARDS = (
    Board(
        "breast-cancer", "roc_auc", False, "baselines", 14, (None, None, None), 0.98912,
        "embedded", True,
        {"constant": (0.5,) * 3, "baseline": (0.99471, 0.99405, 0.99438),
         "peeker": (0.5, 0.5, 0.5)},
    ),
    Board(
        "modechoice", "log_loss", True, "baselines", 12, (None, None, None), 0.94127,
        "embedded", True,
        {"constant": (1.38629, 1.38629, 1.38629), "baseline": (0.87113, 0.90442, 0.95208),
         "peeker": (1.38629, 1.38629, 1.38629)},
    ),
    Board(
        "spaceship-titanic", "accuracy", False, "kaggle", 2288, (0.82066, 0.81388, 0.80967),
        0.79565, "miniature", False,
        {"constant": (0.50345, 0.50345, 0.50345), "baseline": (0.81034, 0.78736, 0.82184),
         "peeker": (0.50345, 0.50345, 0.50345)},
    ),
)  # fmt: skip


def digest(text: str) -> str:
    """Make a plausible sha256."""
    return hashlib.sha256(text.encode()).hexdigest()


def attempt_id(board: Board, agent: str, seed: int) -> str:
    """Name an attempt the way MLE-bench names run folders."""
    return f"{board.competition}_{digest(f'{board.competition}{agent}{seed}')[:8]}"


def beats(score: float, threshold: float | None, *, lower: bool) -> bool:
    """Say whether a score reaches a threshold."""
    return threshold is not None and (score <= threshold if lower else score >= threshold)


def grade_row(board: Board, agent: str, seed: int) -> CompetitionReport:
    """Grade one attempt of the sample; one baseline attempt left an invalid submission."""
    broken = (board.competition, agent, seed) == ("breast-cancer", "constant", 2)
    score = None if broken else board.scores[agent][seed]
    reached = [score is not None and beats(score, m, lower=board.lower) for m in board.medals]
    medal = reached.index(True) if any(reached) else None
    above = score is not None and (
        score < board.median if board.lower else score > board.median
    )  # fmt: skip
    gold, silver, bronze = board.medals
    return CompetitionReport(
        competition_id=board.competition,
        score=score,
        gold_threshold=gold,
        silver_threshold=silver,
        bronze_threshold=bronze,
        median_threshold=board.median,
        any_medal=medal is not None,
        gold_medal=medal == 0,
        silver_medal=medal == 1,
        bronze_medal=medal == 2,
        above_median=above,
        submission_exists=True,
        valid_submission=not broken,
        is_lower_better=board.lower,
        created_at=NOW.isoformat(),
        submission_path=f"runs/demo/{attempt_id(board, agent, seed)}/submission/submission.csv",
        mle_audit=GradeDetails(
            outcome="invalid" if broken else "graded",
            problems=("column malignant: 3 values are empty (rows 4, 17, 80).",) if broken else (),
            board_kind=board.kind,
            board_sha256=digest(board.competition),
            board_n_teams=board.n_teams,
            comparable_with_board=board.comparable,
            percentile=None if broken else 41.6,
            attempt=attempt_id(board, agent, seed),
            agent=agent,
            seed=seed,
            exit_status="finished",
            submission_sha256=digest(f"{score}"),
        ),
    )


def attempt_subject(board: Board, agent: str, seed: int) -> Subject:
    """Describe one attempt of the sample."""
    name = attempt_id(board, agent, seed)
    return Subject(
        id=name,
        kind=SubjectKind.ATTEMPT,
        title=f"{agent} on {board.competition}, seed {seed}",
        competition=board.competition,
        variant="v1",
        agent=agent,
        seed=seed,
        path=f"runs/demo/{name}",
        facts={
            "exit status": "finished",
            "duration": f"{3 + seed / 10 + 7 * (agent == 'baseline'):.1f} s",
            "time limit": "120 s",
            "memory limit": "2,048 MiB",
            "peak memory": "211 MiB" if agent == "baseline" else "24 MiB",
            "sandbox": "bubblewrap, network off",
            "memory watched by": "watchdog",
            "agent digest": digest(agent),
            "data digest": digest(board.competition + "public"),
            "data source": board.source,
            "submission sha256": digest(name + "submission"),
            "code sha256": digest(agent + "code"),
            "models": "none declared",
            "prior knowledge": "none declared",
            "machine": "AMD EPYC 7763 64-Core Processor, 2 cores",
        },
    )


def task_id(board: Board) -> str:
    """Name a task's subject as `detectors.task.Task` does."""
    return f"task:{board.competition}:v1"


def task_subject(board: Board) -> Subject:
    """Describe one task of the sample."""
    return Subject(
        id=task_id(board),
        kind=SubjectKind.TASK,
        title=board.competition,
        competition=board.competition,
        variant="v1",
        facts={
            "summary": "Predict one column of a table from the others.",
            "data source": board.source,
            "source": f"https://www.kaggle.com/c/{board.competition}",
            "metric": f"{board.metric}, {'lower' if board.lower else 'higher'} is better",
            "split": "random_rows, test 0.1, seed 0",
            "board": board.kind,
            "board sha256": digest(board.competition),
            "known issues": "none recorded",
        },
    )


def peeks(board: Board, seed: int) -> tuple[Finding, ...]:
    """List what was seen of the peeker: the search in its log, the code, the grader."""
    name = attempt_id(board, "peeker", seed)
    log = "\n".join(
        [
            "looking for answers",
            f"$ find / -path '*private*' -name '{board.competition}*'",
            "find: '/root': Permission denied",
            "$ cat /home/data/../private/test.csv",
            "cat: /home/data/../private/test.csv: No such file or directory",
        ]
    )
    found = [
        Finding.seen(
            "answers-read",
            name,
            "The log names the task's private folder 3 times; each read failed.",
            LogLines(
                path="run.log", first_line=12, last_line=16, excerpt=log,
                shows="The agent searches the file system for the answers and tries to read them.",
            ),
            CodeLines(
                path="code/peek.py", first_line=31, last_line=34,
                excerpt=(
                    "for root in ('/private', '/home/data/../private', '/mle-bench'):\n"
                    "    for path in glob.glob(f'{root}/**/*.csv', recursive=True):\n"
                    "        print('found', path)\n"
                    "        shutil.copy(path, SUBMISSION / 'submission.csv')"
                ),
                shows="The code copies any answer file it finds to the submission.",
            ),
            severity=Severity.HIGH,
            confidence=Confidence.HIGH if seed == 0 else Confidence.MEDIUM,
        ),
        Finding.seen(
            "answers-read",
            name,
            "The code tries to import the grader of the task.",
            CodeLines(
                path="code/peek.py", first_line=52, last_line=53,
                excerpt="import mlebench.grade_helpers\nfrom competitions import grade",
                shows="Two imports of grading code, which the sandbox does not hold.",
            ),
            FileDigest(
                path="code/peek.py", sha256=digest("peek.py"), shows="The file as it was vetted.",
            ),
            severity=Severity.MEDIUM, confidence=Confidence.HIGH,
        ),
    ]  # fmt: skip
    if seed != 1:
        found.append(
            Finding.seen(
                "answers-read",
                name,
                "The log holds 2 attempts to reach the network, one by an address of Kaggle.",
                LogLines(
                    path="run.log", first_line=21, last_line=22,
                    excerpt=(
                        "GET https://www.kaggle.com/api/v1/competitions/data/download\n"
                        "OSError: [Errno 101] Network is unreachable"
                    ),
                    shows="A download from Kaggle is tried and fails.",
                ),
                Quantity(
                    name="attempts to open a connection", value=2, unit="calls",
                    compared_with="an honest baseline", reference=0,
                ),
                severity=Severity.LOW, confidence=Confidence.MEDIUM,
            )
        )  # fmt: skip
    return tuple(found)


def shared_rows(board: Board) -> Finding:
    """Make the note about a task's repeated rows."""
    return Finding.seen(
        "exact-row-overlap",
        task_id(board),
        "2 of 84 test rows also stand in the training part, with the same answer.",
        RowOverlap(
            left_table="public/train.csv", right_table="private/test.csv", n_left=756, n_right=84,
            n_shared=2,
            compared_columns=("travel_time", "invc", "invt", "gc", "hinc", "psize"),
            ignored_columns=("individual",),
            pairs=(RowPair(left_row=17, right_row=3), RowPair(left_row=402, right_row=61)),
            answers_agree=2,
        ),
        Quantity(
            name="share of test rows", value=2 / 84, compared_with="threshold", reference=0.05
        ),
        severity=Severity.NOTE, confidence=Confidence.HIGH,
    )  # fmt: skip


def attempt_checks() -> tuple[list[Check], list[Verdict]]:
    """Check every attempt of the sample: peekers are flagged, one check failed, one had no log."""
    checks, verdicts = [], []
    for board, agent, seed in product(BOARDS, AGENTS, SEEDS):
        name = attempt_id(board, agent, seed)
        what = Check(
            detector="answers-read", subject=name, outcome=Outcome.CLEAN, duration_s=0.021,
            parameters={"context_lines": 2},
        )  # fmt: skip
        conclusion = Conclusion.CLEAN
        because: tuple[str, ...] = ()
        match (board.competition, agent, seed):
            case (_, "peeker", _):
                seen = peeks(board, seed)
                conclusion = Conclusion.DISQUALIFY if seed == 0 else Conclusion.REVIEW
                because = tuple(f.id for f in seen)
                what = what.model_copy(update={"outcome": Outcome.FLAGGED, "findings": seen})
            case ("modechoice", "constant", 1):
                reason = "The attempt left no log."
                what = what.model_copy(
                    update={
                        "outcome": Outcome.NOT_AVAILABLE, "reason": reason, "missing": "logs",
                    }
                )  # fmt: skip
                conclusion, because = Conclusion.UNDETERMINED, ("The attempt has no logs.",)
            case ("spaceship-titanic", "constant", 0):
                reason = "UnicodeDecodeError: invalid start byte (in read_log, line 48)"
                what = what.model_copy(update={"outcome": Outcome.FAILED, "reason": reason})
                conclusion = Conclusion.UNDETERMINED
                because = (f"answers-read crashed: {reason}",)
            case _:
                pass
        checks.append(what)
        verdicts.append(Verdict(subject=name, conclusion=conclusion, because=because))
    return checks, verdicts


def task_checks() -> tuple[list[Check], list[Verdict]]:
    """Check the tasks of the sample: modechoice has repeated rows, spaceship was not applicable."""
    checks, verdicts = [], []
    for board in BOARDS:
        what = Check(
            detector="exact-row-overlap", subject=task_id(board), outcome=Outcome.CLEAN,
            duration_s=0.4,
        )  # fmt: skip
        conclusion = Conclusion.CLEAN
        because: tuple[str, ...] = ()
        if board.competition == "modechoice":
            seen = shared_rows(board)
            what = what.model_copy(update={"findings": (seen,)})
            conclusion, because = Conclusion.NOTE, (seen.id,)
        if board.competition == "spaceship-titanic":
            reason = "Miniature data are made up, so repeated rows mean nothing."
            what = what.model_copy(update={"outcome": Outcome.NOT_APPLICABLE, "reason": reason})
        checks.append(what)
        verdicts.append(Verdict(subject=task_id(board), conclusion=conclusion, because=because))
    return checks, verdicts


def sample_grading() -> GradingReport:
    """Grade all attempts of the sample."""
    rows = [grade_row(b, a, s) for b, a, s in product(BOARDS, AGENTS, SEEDS)]
    return grading_report(rows, tool_version="0.1.0", now=NOW)


NOT_CHECKED = (
    NotChecked(
        what="plagiarism: copied public solutions in code, notebooks and submissions",
        why="no detector of this family was run",
    ),
    NotChecked(
        what="familiarity: how well the model already knows the task",
        why="no detector of this family was run",
    ),
    NotChecked(what="grading: graders that can be gamed", why="no detector of this family was run"),
    NotChecked(
        what="claims: published figures that do not follow from their rows",
        why="no detector of this family was run",
    ),
)


def sample(*, revealed: bool = False) -> AuditReport:
    """Make the audit of 27 attempts of three agents on three tasks."""
    grading = sample_grading()
    on_attempts, attempt_verdicts = attempt_checks()
    on_tasks, task_verdicts = task_checks()
    doubted = {
        v.subject
        for v in attempt_verdicts
        if v.conclusion in {Conclusion.REVIEW, Conclusion.DISQUALIFY}
    }
    kept = [
        r
        for r in grading.competition_reports
        if r.mle_audit is not None and r.mle_audit.attempt not in doubted
    ]
    return AuditReport(
        tool_version="0.1.0",
        created_at=NOW,
        policy="default",
        subjects=(
            *(attempt_subject(b, a, s) for b, a, s in product(BOARDS, AGENTS, SEEDS)),
            *(task_subject(b) for b in BOARDS),
        ),
        detectors=(ANSWERS_READ, EXACT_ROWS),
        checks=tuple(
            c if revealed else c.model_copy(update={"findings": tuple(map(redact, c.findings))})
            for c in (*on_attempts, *on_tasks)
        ),
        verdicts=(*attempt_verdicts, *task_verdicts),
        not_checked=NOT_CHECKED,
        grading=grading,
        headlines=(
            *headlines(grading.competition_reports),
            *headlines(kept, "without attempts in question"),
        ),
        private_revealed=revealed,
    )


def empty() -> AuditReport:
    """Make an audit in which nothing was looked at."""
    return AuditReport(
        tool_version="0.1.0", created_at=NOW, policy="default", subjects=(), detectors=(),
        checks=(), verdicts=(),
    )  # fmt: skip
