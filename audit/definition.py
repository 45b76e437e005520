"""Check a task's definition as the tests check the catalog: every problem at once."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from competitions import contract
from competitions.errors import (
    DigestMismatchError,
    EvidenceUnavailableError,
    MleAuditError,
    UnreadableFileError,
    UsageError,
)
from competitions.outside import named
from competitions.prepare import prepare
from detectors.leakage.exact_row_overlap import ExactRowOverlap
from detectors.task import Task
from reports.schema import Severity

if TYPE_CHECKING:
    from collections.abc import Callable

    from competitions.prepared import Prepared
    from competitions.spec import Competition, Expected, Variant


@dataclass
class Checked:
    """What was found about a definition.

    Parameters
    ----------
    rows : list of (variant, check, result, said)
        `result` is ``ok``, ``problem`` or ``not looked at``.
    proposed : dict
        `expect:` as it would be, for each variant that has none.
    """

    rows: list[tuple[str, str, str, str]] = field(default_factory=list)
    proposed: dict[str, dict[str, Expected]] = field(default_factory=dict)

    @property
    def exit_code(self) -> int:
        """1 where there is a problem, 3 where something could not be looked at, else 0."""
        results = {row[2] for row in self.rows}
        return 1 if "problem" in results else 3 if "not looked at" in results else 0

    def tell(self, variant: str, check: str, look: Callable[[], list[str]]) -> bool:
        """Look, and keep what was said; a definition that is wrong is a problem, too."""
        try:
            said, result = look(), "problem"
        except (UsageError, DigestMismatchError, UnreadableFileError) as error:
            said, result = [str(error)], "problem"
        except MleAuditError as error:
            said, result = [str(error)], "not looked at"
        rows = [(variant, check, result, " ".join(words.split())) for words in said]
        self.rows += rows or [(variant, check, "ok", "")]
        return not said


def check_definition(path: Path, raw: Path | None = None) -> Checked:
    """Check a definition, in each of its variants, as the tests check those of the catalog.

    It is prepared into a temporary folder: from `raw`, else from its own folder of raw files, from
    what ships with a library, or from its miniature.

    Raises
    ------
    InvalidDefinitionError
        With every problem, when the file breaks the model.
    UsageError
        When there is no such file.
    """
    checked = Checked()
    first = named(str(path))
    for variant in ("v1", "fixed") if first.has_fixed else ("v1",):
        _check_variant(named(str(path), _variant(variant)), raw, checked)
    return checked


def _variant(name: str) -> Variant:
    return "fixed" if name == "fixed" else "v1"


def _check_variant(spec: Competition, raw: Path | None, checked: Checked) -> None:
    def tell(check: str, look: Callable[[], list[str]]) -> bool:
        return checked.tell(spec.variant, check, look)

    is_named = tell("names", lambda: contract.naming_problems(spec))
    tell("expect", lambda: contract.expect_problems(spec) if spec.expect else [])
    tell("board", lambda: contract.board_problems(spec))
    tell("description", lambda: contract.description_problems(spec))
    if not is_named:
        why = "the names have to be right first"
        rest = ("prepared", "secrecy", "scores", "exact-row-overlap")
        checked.rows += [(spec.variant, check, "not looked at", why) for check in rest]
        return
    with tempfile.TemporaryDirectory(prefix="validate-") as name:
        data_dir = Path(name)
        done: list[Prepared] = []

        def make() -> list[str]:
            done.append(prepare(spec, data_dir, _source(spec, raw), raw))
            return []

        if tell("prepared", make):
            tell("secrecy", lambda: contract.secrecy_problems(done[0]))
            tell("scores", lambda: _score_problems(spec, data_dir, checked))
            tell("exact-row-overlap", lambda: overlap_problems(done[0]))


def _source(spec: Competition, raw: Path | None) -> str:
    if raw is not None:
        return "local"
    if spec.source.kind == "kaggle" or any(f.miniature for f in spec.raw):
        return "miniature" if spec.source.kind != "embedded" else "embedded"
    return spec.source.kind


def _score_problems(spec: Competition, data_dir: Path, checked: Checked) -> list[str]:
    with tempfile.TemporaryDirectory(dir=data_dir, prefix="scores-") as scratch:
        grades = contract.standard_grades(spec, data_dir, Path(scratch))
    problems = contract.score_problems(spec, grades)
    if not problems and spec.variant not in spec.expect:
        checked.proposed[spec.variant] = contract.proposed(spec, grades)
    return problems


def overlap_problems(prepared: Prepared) -> list[str]:
    """Say which rows of the test part also stand in the train part, where no chance explains it."""
    subject, overlap = Task(prepared.spec, prepared.folder), ExactRowOverlap()
    try:
        found = [] if overlap.applies(subject) else list(overlap.detect(subject))
    except EvidenceUnavailableError:  # no column beside the key is in both parts
        return []
    return [f.message for f in found if f.severity != Severity.NOTE]
