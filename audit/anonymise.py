"""Take users, hosts and absolute paths out of an audit document, so that it can be published."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Literal, TypeVar, get_origin

from pydantic import BaseModel

from audit.disguise import Disguise, learn_all, texts_of
from audit.seal import sealed
from audit.verdict import load_policy, policy_names
from reports.schema import DetectorNote, Finding, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from reports.schema import AuditReport

# Fields that hold words of ours, names of the catalog, or digests; never a name of somebody's.
_KEPT = frozenset(
    {
        *("detector", "competition", "competition_id", "variant", "sha256", "tool_version"),
        *("outcome", "exit_status", "board_kind", "board_sha256", "submission_sha256"),
    }
)
_Model = TypeVar("_Model", bound=BaseModel)
_DIGEST = re.compile(r"(?<![0-9a-f])[0-9a-f]{12}(?![0-9a-f])")  # ids of findings end in one


def anonymise(
    report: AuditReport, *, agents: bool = False, hide: Sequence[str] = ()
) -> AuditReport:
    """Return a document without users, hosts and absolute paths in any of its texts.

    Findings can still be followed: paths within an attempt, lines and quoted code stay, but for the
    names in them. A finding whose evidence changed has a new id, since the old one would let
    anybody try names until it fits; for the same reason no digest of the document it came from is
    kept, nor of a policy of somebody's own. The seal of what it was made from stays; its own is
    made anew.

    Parameters
    ----------
    agents : bool
        Replace the names of agents, too.
    hide : sequence of str
        More names to replace, which no text tells to be one.
    """
    disguise = Disguise()
    _learn(disguise, report, agents=agents, hide=hide)
    made = _with(report, disguise.replace)
    made = _renamed(made, _new_ids(report, made))
    rejudged = made.rejudged and made.rejudged.model_copy(update={"from_sha256": None})
    own = {} if _ships(made.policy_sha256) else {"policy_sha256": None}
    made = made.model_copy(update={"anonymised": True, "rejudged": rejudged, **own})
    return sealed(made, made.seal.inputs) if made.seal else made


def _learn(disguise: Disguise, report: AuditReport, *, agents: bool, hide: Sequence[str]) -> None:
    """Learn all names of a document before any is replaced."""
    for name in hide:
        disguise.tell("name", name)
    for author in (*(s.author for s in report.suppressions), *(a.author for a in report.appeals)):
        disguise.tell("person", author)
    if agents:
        for agent in _agents(report):
            disguise.tell("agent", agent)
    for folder in _folders(report):
        disguise.root(folder)
    told = report.model_dump(mode="json", exclude={"detectors"})
    learn_all(disguise, sorted(set(texts_of(told))))


def _agents(report: AuditReport) -> Iterator[str]:
    rows = report.grading.competition_reports if report.grading else ()
    yield from (s.agent for s in report.subjects if s.agent)
    yield from (r.mle_audit.agent for r in rows if r.mle_audit and r.mle_audit.agent)
    yield from (h.agent for h in report.headlines)


def _folders(report: AuditReport) -> Iterator[str]:
    """Give the folders that subjects and inputs lie in; below them, paths stay."""
    inputs = report.seal.inputs if report.seal else ()
    is_task = {s.id for s in report.subjects if s.kind is SubjectKind.TASK}
    places = [*((s.id, s.path) for s in report.subjects), *((i.name, i.path) for i in inputs)]
    for name, path in places:
        if path and path.startswith("/"):
            parents = PurePosixPath(path).parents
            # Of a task the last two are its id and `prepared`.
            yield str(parents[min(1 if name in is_task else 0, len(parents) - 1)])


def _with(model: _Model, how: Callable[[str], str]) -> _Model:
    """Return a record with every text of somebody's changed, and nothing else."""
    if isinstance(model, DetectorNote):
        return model
    changed = {}
    for name, field in type(model).model_fields.items():
        if name not in _KEPT and get_origin(field.annotation) is not Literal:
            old = getattr(model, name)
            new = _value(old, how)
            if new != old:
                changed[name] = new
    return model.model_copy(update=changed) if changed else model


def _value(value: object, how: Callable[[str], str]) -> object:
    match value:
        case BaseModel():
            return _with(value, how)
        case StrEnum():
            return value
        case str():
            return how(value)
        case tuple():
            return tuple(_value(one, how) for one in value)
        case dict():
            return {how(str(name)): _value(one, how) for name, one in value.items()}
        case _:
            return value


def _new_ids(before: AuditReport, after: AuditReport) -> dict[str, str]:
    """Return new ids of the findings whose evidence or subject changed."""
    pairs = zip(before.findings, after.findings, strict=True)
    return {old.id: _id(new) for old, new in pairs if new != old}


def _id(finding: Finding) -> str:
    return Finding.seen(
        finding.detector,
        finding.subject,
        finding.message,
        *finding.evidence,
        severity=finding.severity,
        confidence=finding.confidence,
    ).id


def _renamed(report: AuditReport, ids: Mapping[str, str]) -> AuditReport:
    """Put new ids where the old ones stand, also within texts."""
    digests = {old.rpartition("-")[2]: new.rpartition("-")[2] for old, new in ids.items()}
    return _with(report, lambda text: _DIGEST.sub(lambda m: digests.get(m[0], m[0]), text))


def _ships(policy_sha256: str | None) -> bool:
    """Say whether a digest is that of a policy that everybody has."""
    return policy_sha256 in {load_policy(name).sha256 for name in policy_names()}
