"""Tasks are found by name; all that are not prepared are told in one breath."""

from __future__ import annotations

import pytest

from audit.runner.tasks import load_tasks
from competitions.errors import NotPreparedError
from competitions.prepare import prepare
from competitions.spec import load


def test_all_tasks_that_are_not_prepared_are_named_with_one_command(tmp_path):
    prepare(load("breast-cancer"), tmp_path)
    with pytest.raises(NotPreparedError) as caught:
        load_tasks(["modechoice", "breast-cancer", "co2-weekly"], "v1", tmp_path)

    assert "2 tasks (v1) are not prepared" in str(caught.value)
    command = f"mle-audit prepare -c modechoice -c co2-weekly --data-dir {tmp_path}"
    assert command in (caught.value.remedy or "").splitlines()[0]
    assert "MLE_AUDIT_DATA" in (caught.value.remedy or "")


def test_a_single_one_is_told_with_its_folder(tmp_path):
    with pytest.raises(NotPreparedError, match=r"expected .*modechoice/prepared"):
        load_tasks(["modechoice"], "v1", tmp_path)
