"""The careless agent works on every kind of task, and is caught where random folds are blind."""

from __future__ import annotations

import pytest

from audit.check import check
from audit.collect import attempts_in
from audit.runner.agent import load_agent
from audit.runner.group import RunOptions, run_group
from audit.runner.limits import Limits
from audit.runner.tasks import load_tasks
from audit.selection import chosen_competitions
from competitions.prepare import prepare
from competitions.spec import load
from competitions.submission import schema_of, validate_file
from detectors.base import detector
from reports.schema import Outcome
from tests.audit.runner.tiny import now

LIMITS = Limits(wall_clock_s=120, memory_bytes=1 << 30)
WHOLE = {"modechoice", "place-names"}  # tasks whose test part is about new things


@pytest.mark.slow
@pytest.mark.sandbox
def test_it_hands_in_what_is_valid_and_is_caught_where_things_are_kept_whole(
    tmp_path, interpreters
):
    names = [*chosen_competitions(split="embedded"), "spaceship-titanic"]
    for name in names:
        spec = load(name)
        prepare(spec, tmp_path / "data", None if spec.source.kind == "embedded" else "miniature")
    tasks = list(load_tasks(names, "v1", tmp_path / "data"))
    options = RunOptions(LIMITS, now, cache=interpreters, jobs=2)
    run_group(load_agent("careless"), tasks, [0], tmp_path / "runs", options)
    prepared = {t.spec.id: t.prepared for t in tasks}
    blind = detector("group-blind-split")()
    found = attempts_in([tmp_path / "runs"])
    flagged = {a.competition_id for a in found if check(blind, a).outcome is Outcome.FLAGGED}

    assert {a.competition_id for a in found} == set(names)
    for attempt in found:
        assert attempt.record is not None
        assert attempt.record.exit_status == "finished", attempt.logs[0].text
        assert attempt.submission is not None
        where = prepared[attempt.competition_id]
        schema = schema_of(load(attempt.competition_id))
        assert validate_file(attempt.submission, where, schema) == ()
    assert flagged == WHOLE & set(names)
