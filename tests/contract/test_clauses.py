"""Every clause of a task's YAML about files does something: without it other files come out.

A clause whose loss nobody would notice is no part of the recipe, or its miniature is too plain.
"""

from __future__ import annotations

import zlib
from functools import cache
from typing import TYPE_CHECKING

import pytest
from pydantic import ValidationError

from competitions import contract
from competitions.errors import MleAuditError
from competitions.miniature import write_miniature
from competitions.prepare import prepare
from competitions.spec import CATALOG, Competition, load
from competitions.yamls import read_yaml
from tests.competitions.conftest import VARIANTS
from tests.contract.clauses import Clause, clauses_of

if TYPE_CHECKING:
    from pathlib import Path

    from competitions.prepared import Prepared

TASKS = [pytest.param(i, v, id=f"{i}-{v}") for i, v in VARIANTS if load(i).source.kind == "kaggle"]
SAMPLED = [p for p in TASKS if zlib.crc32(str(p.id).encode()) % 8 == 0]
ONE_IN = 6  # clauses of a sampled task that are looked at each time


@cache
def clauses(competition_id: str, variant: str) -> tuple[Clause, ...]:
    """List what a variant says of its own: of a repaired one the sections that it replaces."""
    content = read_yaml(CATALOG / f"{competition_id}.yaml")
    fixed = content.pop("fixed", {})
    if variant == "v1":
        return tuple(clauses_of(content))
    replaced = [c for c in clauses_of(content | fixed) if c.name.split(".")[0] in fixed]
    return tuple(replaced)


def written(prepared: Prepared) -> dict[str, str]:
    """Return the digests of both trees, but for the description, which is another text anyway."""
    assert prepared.manifest is not None
    files = prepared.manifest.files.items()
    return {n: d for n, d in files if n.startswith(("public/", "private/")) and "descr" not in n}


def is_noticed(
    clause: Clause, variant: str, raw: Path, expected: dict[str, str], data_dir: Path
) -> bool:
    facts = {"variant": variant, "has_fixed": False, "origin": None}
    try:
        changed = Competition.model_validate(clause.changed | facts)
        if contract.naming_problems(changed):
            return True
        return written(prepare(changed, data_dir, "local", raw)) != expected
    except (ValidationError, MleAuditError):
        return True
    except (LookupError, OSError):  # a hook may take for granted what its task's YAML says
        return "hooks" in clause.changed


def unnoticed(competition_id: str, variant: str, tmp_path: Path, one_in: int) -> list[str]:
    task, raw = load(competition_id, variant), tmp_path / "raw"
    write_miniature(task, raw)
    expected = written(prepare(task, tmp_path / "whole", "local", raw))
    chosen = [c for c in clauses(competition_id, variant) if c.is_sampled(task.id, one_in)]
    return [
        clause.name
        for number, clause in enumerate(chosen)
        if not is_noticed(clause, variant, raw, expected, tmp_path / str(number))
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("competition_id", "variant"), SAMPLED)
def test_a_clause_that_is_dropped_or_altered_changes_what_is_prepared(
    tmp_path, competition_id, variant
):
    assert unnoticed(competition_id, variant, tmp_path, ONE_IN) == []


@pytest.mark.slow
@pytest.mark.parametrize(("competition_id", "variant"), TASKS)
def test_every_clause_that_is_dropped_or_altered_changes_what_is_prepared(
    tmp_path, competition_id, variant
):
    assert unnoticed(competition_id, variant, tmp_path, 1) == []


def test_clauses_of_all_kinds_are_found():
    names = [c.name for c in clauses("champs-scalar-coupling", "v1")]

    assert len(names) == len(set(names)) > 50
    for kind in ("split.seed altered", "split.group.column", "public.1.drop without", "reversed"):
        assert any(kind in name for name in names), kind
