"""What the records of two sides say alike, say differently, or do not say."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal

from audit.comparison.pairs import THRESHOLDS, by_task, common_tasks
from audit.comparison.sides import NOBODY
from reports.comparison.schema import Attribution, FieldDifference
from reports.words import listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from audit.comparison.pairs import Task
    from audit.comparison.sides import Row, Side

SYSTEM: Final = "system"
# What a record says, and what it is a part of. The names are those of `audit.facts`.
FACTS: Final = {
    "agent digest": SYSTEM,
    "scaffold": SYSTEM,
    "models": SYSTEM,
    "prior knowledge": "prior knowledge",
    "time limit": "budget",
    "memory limit": "budget",
    "processor limit": "budget",
    "process limit": "budget",
    "disk limit": "budget",
    "token limit": "budget",
    "cost limit": "budget",
    "description": "task data",
    "data source": "task data",
    "machine": "hardware",
    "machine's memory": "hardware",
    "GPUs": "hardware",
}
PARTS: Final = ("agent", "scaffold", "models")  # of a system, that may change apart
_UNDECLARED: Final = frozenset({"none declared", ""})
_MAX_VALUES: Final = 3
_MAX_TASKS: Final = 4
_MAX_TEXT: Final = 160
_MAX_SECRETS: Final = 8  # undisclosed fields in one sentence; the table has all
Standing = Literal["same", "different", "unknown"]


def fields_of(before: Side, after: Side) -> tuple[FieldDifference, ...]:
    """Compare what both sides' records say of the attempts at their common tasks.

    Returns
    -------
    tuple of FieldDifference
        ``unknown`` where a side does not say it of every attempt, unless what is said differs.
    """
    common = common_tasks(before, after)
    sides = [by_task(side) for side in (before, after)]
    rows = [[row for task in common for row in side[task]] for side in sides]
    found = [_said("agent", SYSTEM, [[_agent(r) for r in side] for side in rows])]
    for name, part in FACTS.items():
        found.append(_said(name, part, [[_fact(r, name) for r in side] for side in rows]))
    found += _confinement(rows)
    found.append(_by_task("data digest", "task data", common, sides, _digest))
    found += [_variants(before, after), _boards(common, sides)]
    # An audit that sets attempts aside takes no seed from the side that made them.
    whole = [replace(side, rows=(*side.rows, *side.set_aside)) for side in (before, after)]
    found += [_tasks(whole[0], whole[1]), _seeds(common, [by_task(side) for side in whole])]
    return tuple(found)


def _agent(row: Row) -> str | None:
    return None if row.agent == NOBODY else row.agent


def _fact(row: Row, name: str) -> str | None:
    said = row.facts.get(name)
    return None if said is None or said in _UNDECLARED else said


def _said(
    name: str, part: str, values: Sequence[Sequence[str | None]], *, tells: bool = True
) -> FieldDifference:
    """Compare the sets of what is said; `tells` is False where not to say it is no secret."""
    known = [sorted({v for v in side if v is not None}) for side in values]
    is_whole = all(None not in side and side for side in values)
    if all(known) and known[0] != known[1]:
        standing: Standing = "different"
    else:
        standing = "same" if is_whole or not tells else "unknown"
    shown = [_shown(k, whole=None not in side) for k, side in zip(known, values, strict=True)]
    return FieldDifference(
        name=name, belongs_to=part, before=shown[0], after=shown[1], standing=standing
    )


def _shown(values: Sequence[str], *, whole: bool) -> str | None:
    if not values:
        return None
    more = f" and {len(values) - _MAX_VALUES} more" if len(values) > _MAX_VALUES else ""
    some = "" if whole else " (not of every attempt)"
    text = "; ".join(values[:_MAX_VALUES])
    return f"{text[:_MAX_TEXT]}{more}{some}"


def _confinement(rows: Sequence[Sequence[Row]]) -> Iterable[FieldDifference]:
    """Take apart the sandbox's kind and its network, which a record tells in one."""

    def part(row: Row, at: int) -> str | None:
        said = row.facts.get("sandbox", "").split(", network ")
        return said[at] if len(said) == 2 else None  # noqa: PLR2004

    for at, name in enumerate(("sandbox", "network")):
        yield _said(name, name, [[part(r, at) for r in side] for side in rows])
    images = [[row.facts.get("image digest") for row in side] for side in rows]
    if any(v for side in images for v in side):
        yield _said("image digest", "sandbox", images)


def _digest(row: Row) -> str | None:
    return _fact(row, "data digest")


def _by_task(
    name: str,
    part: str,
    common: Sequence[Task],
    sides: Sequence[Mapping[Task, Sequence[Row]]],
    say: Callable[[Row], str | None],
) -> FieldDifference:
    """Compare something that each task has its own of."""
    differ: list[str] = []
    silent: tuple[list[str], list[str]] = ([], [])  # tasks of which a side does not say it
    for task in common:
        said = [{say(row) for row in side[task]} for side in sides]
        for values, tasks in zip(said, silent, strict=True):
            if None in values:
                tasks.append(task[0])
        if None not in said[0] | said[1] and said[0] != said[1]:
            differ.append(task[0])
    told = f"another on {_some(differ)}" if differ else "the same"
    if any(silent) and not differ:
        shown: list[str | None] = [
            f"not recorded on {_some(s)}" if 0 < len(s) < len(common) else None if s else "recorded"
            for s in silent
        ]
        standing: Standing = "unknown"
    else:
        shown = [told, told]
        standing = "different" if differ else "same"
    return FieldDifference(
        name=name, belongs_to=part, before=shown[0], after=shown[1], standing=standing
    )


def _some(names: Sequence[str]) -> str:
    more = [f"{len(names) - _MAX_TASKS} more"] if len(names) > _MAX_TASKS else []
    return listed([*names[:_MAX_TASKS], *more])


def _variants(before: Side, after: Side) -> FieldDifference:
    """Compare the variants of all tasks; a task in two variants is two tasks in what is paired."""

    def of(side: Side) -> list[str | None]:
        return [r.report.mle_audit.variant if r.report.mle_audit else None for r in side.rows]

    return _said("variant", "task data", [of(before), of(after)])


def _boards(
    common: Sequence[Task], sides: Sequence[Mapping[Task, Sequence[Row]]]
) -> FieldDifference:
    differ = [task[0] for task in common if not _same_board(*(side[task] for side in sides))]
    told = f"other thresholds on {_some(differ)}" if differ else "the same thresholds"
    return FieldDifference(
        name="boards",
        belongs_to="boards",
        before=told,
        after=told,
        standing="different" if differ else "same",
    )


def _same_board(left: Sequence[Row], right: Sequence[Row]) -> bool:
    """Say whether all rows of a task were held against the same thresholds, and board by digest."""
    rows = [r.report for r in (*left, *right)]
    digests = {r.mle_audit.board_sha256 for r in rows if r.mle_audit}
    if len(digests) > 1:
        return False
    for name in THRESHOLDS:
        values = [getattr(r, name) for r in rows]
        known = [v for v in values if v is not None]
        if len(known) not in {0, len(values)}:
            return False
        if known and not math.isclose(min(known), max(known), rel_tol=1e-6, abs_tol=1e-9):
            return False
    return True


def _tasks(before: Side, after: Side) -> FieldDifference:
    left, right = by_task(before).keys(), by_task(after).keys()
    shown = []
    for own, other in ((left, right), (right, left)):
        alone = sorted(task[0] for task in own - other)
        shown.append(f"{len(own)}" + (f", alone: {_some(alone)}" if alone else ""))
    return FieldDifference(
        name="tasks",
        belongs_to="tasks",
        before=shown[0],
        after=shown[1],
        standing="same" if left == right else "different",
    )


def _seeds(
    common: Sequence[Task], sides: Sequence[Mapping[Task, Sequence[Row]]]
) -> FieldDifference:
    """Compare which seeds each common task has, or how many where they are not recorded."""
    shown, keys = [], []
    for side in sides:
        seeds = {
            task: [r.report.mle_audit.seed if r.report.mle_audit else None for r in side[task]]
            for task in common
        }
        counts = sorted({len(s) for s in seeds.values()})
        named = sorted({s for found in seeds.values() for s in found if s is not None})
        many = "–".join(str(n) for n in dict.fromkeys((counts[0], counts[-1]))) if counts else "0"
        numbers = f" (numbers {', '.join(map(str, named[:8]))})" if named else ""
        shown.append(f"{many} a task{numbers}")
        keys.append(seeds)
    are_known = all(s is not None for side in keys for found in side.values() for s in found)
    same = all(
        sorted(map(str, keys[0][t])) == sorted(map(str, keys[1][t]))
        if are_known
        else len(keys[0][t]) == len(keys[1][t])
        for t in common
    )
    return FieldDifference(
        name="seeds",
        belongs_to="seeds",
        before=shown[0],
        after=shown[1],
        standing="same" if same else "different",
    )


def attribution_of(fields: Sequence[FieldDifference]) -> Attribution:
    """Say what a difference may be put down to, from what changed and what is not known.

    A system whose digest is the same in both records is the same system, whatever else is not
    declared of it. Parts of a system that changed are told, but a new model and a new scaffold
    together are one new system.
    """
    changed = _parts(fields, "different")
    unknown = tuple(p for p in _parts(fields, "unknown") if p not in changed)
    digest = next((f for f in fields if f.name == "agent digest"), None)
    if digest is not None and digest.standing == "same":
        unknown = tuple(p for p in unknown if p != SYSTEM)
    within = tuple(f.name for f in fields if f.name in PARTS[1:] and f.standing == "different")
    undisclosed = tuple(
        f.name for f in fields if f.standing == "unknown" and f.belongs_to in unknown
    )
    if len(changed) > 1:
        conclusion: Literal["system", "one", "several", "nothing", "open"] = "several"
    elif unknown:
        conclusion = "open"
    elif not changed:
        conclusion = "nothing"
    else:
        conclusion = "system" if changed == (SYSTEM,) else "one"
    return Attribution(
        conclusion=conclusion,
        changed=changed,
        unknown=undisclosed,
        within_system=within,
        because=_because(conclusion, changed, undisclosed, _within(fields, within)),
    )


def _parts(fields: Iterable[FieldDifference], standing: Standing) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f.belongs_to for f in fields if f.standing == standing))


def _within(fields: Sequence[FieldDifference], changed: Sequence[str]) -> str:
    """Say which part of a changed system may have made the difference."""
    if not any(f.belongs_to == SYSTEM and f.standing == "different" for f in fields):
        return ""
    if len(changed) > 1:
        return (
            f" Within the system {listed(list(changed))} both changed, so it cannot be put down "
            "to one of them."
        )
    hidden = [f.name for f in fields if f.name in PARTS[1:] and f.standing == "unknown"]
    if hidden:
        return (
            f" Its {listed(hidden)} {'is' if hidden == ['scaffold'] else 'are'} not disclosed by "
            "both sides, so which part of it changed is not known."
        )
    return ""


def _because(conclusion: str, changed: Sequence[str], unknown: Sequence[str], within: str) -> str:
    what = listed([f"the {p}" for p in changed])
    some = list(unknown)
    if len(some) > _MAX_SECRETS:
        some = [*some[:_MAX_SECRETS], f"{len(some) - _MAX_SECRETS} more"]
    secret = f" Not disclosed by one side or both: {listed(some)}." if some else ""
    if conclusion == "several":
        return (
            f"{len(changed)} things changed at once: {what}. The difference cannot be attributed "
            f"to one of them.{within}{secret}"
        )
    if conclusion == "open":
        known = f"Of what is recorded only {what} changed." if changed else (
            "Nothing that is recorded changed."
        )  # fmt: skip
        return f"{known}{within}{secret} What the difference is due to is therefore open."
    if conclusion == "system":
        return (
            "Only the system changed; all else that is recorded is the same on both sides. The "
            f"difference may be attributed to the system.{within}"
        )
    if conclusion == "one":
        return f"Only {what} changed, and the system is the same: a gain is not the system's."
    return (
        "Nothing that is recorded changed: both sides are the same system under the same "
        "conditions, and the difference is that of repeats."
    )
