"""Code that two agents' attempts share is told, and what all of a habit write is not."""

from __future__ import annotations

import random
import re

import pytest

from audit.check import check
from detectors.attempt import Attempt
from detectors.plagiarism.corpus.build import build
from detectors.plagiarism.shared_between_attempts import SharedBetweenAttempts
from detectors.record import write_record
from reports.schema import Confidence, CopiedPassages, Outcome, Severity
from tests.contract.hostile import ATTEMPTS
from tests.detectors.plagiarism.llm_scripts import SCRIPTS
from tests.detectors.plagiarism.worlds import attempt_of, everyone

SUBMISSION = "id,malignant\n1,0\n"
NAMES = list(SCRIPTS)
# What a scaffold writes around every solution.
TEMPLATE = SCRIPTS["stacked"] + SCRIPTS["xgboost"]


def peculiar(seed: int) -> str:
    """Write code that is like no other."""
    draw = random.Random(seed)  # noqa: S311 - code of a test
    shapes = (
        *("x[{}] = f(y, *z)", "for a in g({}):\n    b |= a", "with h() as k: k.m({})"),
        *("c = {{k: -v for k, v in d.items() if v > {}}}", "e = (lambda q: q @ r)({})"),
        *("if s is not t[{}:]: u += 1", "w = v if {} in n else [*o]", "del i.j[{}]"),
    )
    return "\n".join(draw.choice(shapes).format(n) for n in range(90))


def renamed(code: str) -> str:
    """Give every variable of a script another name and every number another value."""
    for old, new in (("train", "df_a"), ("test", "df_b"), ("fold", "part"), ("preds", "out")):
        code = re.sub(rf"\b{old}\b", new, code)
    return re.sub(r"\b0\.(\d)", r"0.1\1", code)


@pytest.fixture
def of(tmp_path):
    """Write an attempt of an agent."""
    numbers = iter(range(1000))

    def make(agent, code, competition="breast-cancer", **record):
        name = f"{competition}_{next(numbers):04}"
        return attempt_of(tmp_path, name, SUBMISSION, agent, code, **record)

    return make


def told(*attempts, **parameters):
    return check(SharedBetweenAttempts(**parameters), everyone(*attempts))


def test_scripts_of_one_habit_are_no_copies_of_each_other(of):
    assert told(*(of(name, code) for name, code in SCRIPTS.items())).outcome is Outcome.CLEAN


@pytest.mark.parametrize("one", NAMES)
def test_no_two_of_them_alone_are_either(one, of):
    first = of("first", SCRIPTS[one])

    for name, code in SCRIPTS.items():
        if name != one:
            assert told(first, of("second", code)).outcome is Outcome.CLEAN, name


@pytest.mark.parametrize(
    "copied",
    [
        pytest.param(SCRIPTS["boosted"], id="whole"),
        pytest.param(renamed(SCRIPTS["boosted"]), id="renamed"),
        pytest.param(SCRIPTS["network"] + SCRIPTS["boosted"], id="within-other-code"),
        pytest.param(SCRIPTS["boosted"][600:], id="in-part"),
    ],
)
def test_a_copy_is_told_with_its_passages(copied, of):
    mine, theirs = of("first", copied), of("second", SCRIPTS["boosted"])
    rest = [of(name, SCRIPTS[name]) for name in ("pipeline", "forest", "stacked")]

    answer = told(mine, theirs, *rest)

    assert answer.outcome is Outcome.FLAGGED
    (finding,) = answer.findings
    assert set(finding.attempts) == {mine.id, theirs.id}
    shown = finding.evidence[0]
    assert isinstance(shown, CopiedPassages)
    assert shown.path.startswith(mine.id)
    assert shown.source.startswith(theirs.id)
    assert sum(p.left_last - p.left_first for p in shown.passages) > 15
    assert (finding.severity, finding.confidence) == (Severity.MEDIUM, Confidence.LOW)


def test_with_enough_others_it_is_said_how_rare_it_is(of):
    rest = [of(f"agent {n}", peculiar(n)) for n in range(9)]

    answer = told(
        of("copyist", renamed(SCRIPTS["boosted"])), of("source", SCRIPTS["boosted"]), *rest
    )

    (finding,) = answer.findings
    shown = finding.evidence[0]
    assert isinstance(shown, CopiedPassages)
    assert shown.n_null == 9
    assert shown.p is not None
    assert shown.p < 0.01
    assert finding.confidence is Confidence.MEDIUM


def test_seeds_of_one_agent_and_copies_of_its_folder_are_one_author(of):
    seeds = [of("first", SCRIPTS["boosted"], seed=n) for n in range(3)]

    assert told(*seeds).outcome is Outcome.NOT_APPLICABLE

    record = seeds[0].record
    twin = of("second", SCRIPTS["boosted"])
    who = record.agent.model_copy(update={"id": "second"})
    write_record(twin.record.model_copy(update={"agent": who}), twin.path)

    assert told(*seeds, type(twin)(twin.path)).outcome is Outcome.NOT_APPLICABLE


def test_seeds_that_all_hold_anothers_code_are_one_finding(of):
    seeds = [of("first", SCRIPTS["boosted"] + f"\nprint({n})\n", seed=n) for n in range(3)]
    other = of("second", SCRIPTS["boosted"])

    (finding,) = told(*seeds, other).findings

    assert set(finding.attempts) == {other.id, *(s.id for s in seeds)}


def test_a_scaffold_that_two_agents_share_is_no_copy(of):
    here = [of(a, TEMPLATE + SCRIPTS[n]) for a, n in (("one", "network"), ("two", "pipeline"))]
    there = [of("one", TEMPLATE + SCRIPTS["forest"], competition="diabetes-progression")]

    assert told(*here, *there).outcome is Outcome.CLEAN
    assert told(*here).outcome is Outcome.FLAGGED  # with one task alone this is not known


def test_what_both_took_from_a_public_solution_is_for_another_detector(of, tmp_path):
    source = tmp_path / "public"
    source.mkdir()
    (source / "kernel.py").write_text(SCRIPTS["boosted"])
    build([source], tmp_path / "corpus", competition="breast-cancer")
    both = [of("one", SCRIPTS["boosted"]), of("two", renamed(SCRIPTS["boosted"]))]

    assert told(*both).outcome is Outcome.FLAGGED
    assert told(*both, corpus=str(tmp_path / "corpus")).outcome is Outcome.CLEAN


def test_who_was_done_before_the_other_began_is_not_accused(of):
    day = "2026-01-0{}T00:00:00Z"
    first = of("one", SCRIPTS["boosted"], started_at=day.format(1), ended_at=day.format(2))
    second = of("two", SCRIPTS["boosted"], started_at=day.format(3), ended_at=day.format(4))

    (finding,) = told(first, second).findings

    assert finding.attempts == (second.id,)


def test_code_that_only_the_logs_show_counts(of, tmp_path):
    shown = of("one", "print('nothing')\n" + SCRIPTS["network"])
    (shown.path / "logs" / "agent.log").write_text(f"I try:\n```python\n{SCRIPTS['boosted']}```\n")
    other = of("two", SCRIPTS["boosted"])

    (finding,) = told(shown, other).findings

    evidence = finding.evidence[0]
    assert isinstance(evidence, CopiedPassages)
    assert evidence.only_in_trajectory


def test_an_attempt_without_code_is_told_and_never_clean(of):
    one, two = of("one", SCRIPTS["network"]), of("two", SCRIPTS["boosted"])
    (two.path / "code" / "main.py").unlink()

    answer = told(one, type(two)(two.path))

    assert (answer.outcome, answer.missing) == (Outcome.NOT_AVAILABLE, "code")


def test_a_corpus_that_is_none_is_told(of, tmp_path):
    both = of("one", SCRIPTS["network"]), of("two", SCRIPTS["boosted"])

    answer = told(*both, corpus=str(tmp_path / "nowhere"))

    assert (answer.outcome, answer.missing) == (Outcome.NOT_AVAILABLE, "corpus")


@pytest.mark.slow
@pytest.mark.parametrize("hostile", ATTEMPTS)
def test_hostile_attempts_beside_an_honest_one_give_an_outcome(hostile, of, tmp_path):
    ATTEMPTS[hostile](tmp_path / f"breast-cancer_{hostile}")

    answer = told(of("one", SCRIPTS["network"]), Attempt(tmp_path / f"breast-cancer_{hostile}"))

    assert answer.outcome is not Outcome.FAILED, answer.reason
    assert answer.model_dump_json().encode()
