"""What was published about attempts: grading reports, lists of experiments, rows of a table.

Each is put with the attempts of its agent, or stands as a group of its own. What cannot be read is
named, and what could not be checked with what was given is said.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from audit.collect import attempt_folders
from competitions.errors import UsageError
from competitions.io import printable
from detectors.group import Group, Listed
from reports.claims import named_apart, parse_claim, read_claims
from reports.report_files import agent_of, read_reports
from reports.schema import NotChecked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from reports.claims import Claim
    from reports.grading import CompetitionReport
    from reports.report_files import ReportFile, ReportFiles

REPORTS = "reports"  # the group of reports that name no agent
REPORT_PATTERN = "*grading_report*.json"


@dataclass(frozen=True)
class Published:
    """What a call names beside run groups.

    Parameters
    ----------
    reports : tuple of Path
        Grading reports, ours or MLE-bench's.
    experiments : Path or None
        A list ``experiment_id,run_group``; the run groups lie beside it.
    claims : tuple of str
        Published rows, each as text or as a CSV of such rows.
    """

    reports: tuple[Path, ...] = ()
    experiments: Path | None = None
    claims: tuple[str, ...] = ()


class PublishedGroups(NamedTuple):
    """The groups with what was published about them, and what could not be read or checked."""

    groups: tuple[Group, ...]
    not_checked: tuple[NotChecked, ...]


class _Experiment(NamedTuple):
    """A run group that a list names, its folder if it is here, and its grading report."""

    experiment: str
    run_group: str
    folder: Path | None
    report: Path | None

    @property
    def has_attempts(self) -> bool:
        return self.folder is not None and bool(attempt_folders(self.folder))


@dataclass
class _Part:
    """What belongs to one group, while it is put together."""

    reports: list[ReportFile] = field(default_factory=list)
    listed: list[Listed] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)


def apart(paths: Iterable[Path], published: Published) -> tuple[tuple[Path, ...], Published]:
    """Take grading reports out of the paths of a call: JSON files, where folders are attempts."""
    places = tuple(paths)
    found = tuple(p for p in places if p.suffix == ".json" and not p.is_dir())
    rest = tuple(p for p in places if p not in found)
    together = replace(published, reports=(*found, *published.reports))
    if not rest and together == Published():
        raise UsageError(
            "Expected attempts, grading reports or a published row; nothing was named.",
            "Name a folder of run groups: mle-audit vet runs/",
        )
    return rest, together


def listed_places(published: Published) -> tuple[Path, ...]:
    """Return the run groups that a list names and that hold attempts.

    None where single reports are given: then the list says what else there is, and what is vetted
    are the reports.

    Raises
    ------
    UsageError
        When the list cannot be read.
    """
    if published.reports:
        return ()
    experiments = _experiments(published.experiments)
    return tuple(dict.fromkeys(e.folder for e in experiments if e.folder and e.has_attempts))


def with_published(
    groups: Sequence[Group], published: Published, graded: Iterable[CompetitionReport] = ()
) -> PublishedGroups:
    """Put what was published with the groups it is about.

    Parameters
    ----------
    groups : sequence of Group
        The attempts of each agent.
    graded : iterable of CompetitionReport
        The attempts as they were graded here.

    Returns
    -------
    PublishedGroups
        Reports go to the agent that their rows name; those that name none to their experiment, or
        together to one group. A row goes to the group of its name; a single row beside a single
        group to that one; else it is a group of its own.

    Raises
    ------
    UsageError
        When the list of experiments or a row cannot be read.
    """
    rows = tuple(graded)
    experiments = _experiments(published.experiments)
    given = tuple(p.resolve() for p in published.reports)
    listed = tuple(e.report for e in experiments if e.report)
    read = read_reports((*given, *listed))
    told = [*_faults(read), *_unreported(experiments)]
    parts: dict[str, _Part] = defaultdict(_Part)
    _sort_reports(parts, read, experiments, given)
    for group in groups:
        _list_attempts(group, parts.get(group.name), rows)
    claims, unread = _claims(published.claims)
    told += [NotChecked(what="published rows", why=fault) for fault in unread]
    names = list(dict.fromkeys([*(g.name for g in groups), *parts]))
    for claim in claims:
        parts[_owner(claim, names, n_claims=len(claims))].claims.append(claim)
    if read.unread and not parts:
        parts[REPORTS] = _Part()
    made = _joined(groups, parts, rows, tuple(read.unread))
    return PublishedGroups(made, (*told, *(n for g in made for n in _not_given(g))))


def _experiments(path: Path | None) -> tuple[_Experiment, ...]:
    """Read a list of experiments; blank lines are nothing."""
    if path is None:
        return ()
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            lines = [line for line in csv.reader(stream, skipinitialspace=True) if line]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"{path}: no list of experiments can be read: {error}.") from error
    if not lines or [c.strip() for c in lines[0]] != ["experiment_id", "run_group"]:
        raise UsageError(
            f"{path}: expected a list with the header experiment_id,run_group; found "
            f"{printable(','.join(lines[0]))[:100] if lines else 'nothing'}.",
            "It is MLE-bench's runs/run_group_experiments.csv: mle-audit vet --experiments FILE",
        )
    found = dict.fromkeys(tuple(c.strip() for c in line) for line in lines[1:])
    if wrong := next((line for line in found if len(line) != 2 or not all(line)), None):  # noqa: PLR2004
        raise UsageError(
            f"{path}: expected an experiment and a run group in each line, found "
            f"{printable(','.join(wrong))[:100]!r}."
        )
    return tuple(_experiment(path.parent, e, g) for e, g in found)


def _experiment(runs: Path, experiment: str, run_group: str) -> _Experiment:
    """Find a run group and its grading report, the newest by name where there are several."""
    folder = runs / run_group
    is_inside = Path(run_group).name == run_group and run_group not in {".", ".."}
    if not is_inside or not folder.is_dir():
        return _Experiment(experiment, run_group, None, None)
    found = sorted(p for p in folder.glob(REPORT_PATTERN) if p.is_file())
    return _Experiment(experiment, run_group, folder, found[-1].resolve() if found else None)


def _unreported(experiments: Iterable[_Experiment]) -> Iterator[NotChecked]:
    for one in experiments:
        if one.report is None and not one.has_attempts:
            yield NotChecked(
                what=printable(f"run group {one.run_group} of experiment {one.experiment}"),
                why=f"no folder of this name with attempts or a {REPORT_PATTERN} lies beside "
                "the list",
            )


def _faults(read: ReportFiles) -> Iterator[NotChecked]:
    for name, why in read.unread.items():
        yield NotChecked(what=f"grading report {name}", why=why)
    for file in read.files:
        for fault in file.faults:
            yield NotChecked(what=f"part of grading report {file.name}", why=printable(fault))


def _sort_reports(
    parts: dict[str, _Part],
    read: ReportFiles,
    experiments: Sequence[_Experiment],
    given: Sequence[Path],
) -> None:
    """Put each report to its agent or experiment; with reports given, only these are counted."""
    files = dict(zip(read.paths, read.files, strict=True))
    experiment_of = {e.report: e.experiment for e in experiments if e.report}
    counted = {experiment_of[p] for p in given if p in experiment_of} if given else None
    owner: dict[str, str] = {}
    for path, file in files.items():
        is_counted = path in given or not given
        experiment = experiment_of.get(path)
        for agent in dict.fromkeys(map(agent_of, file.report.competition_reports)):
            name = agent or experiment or REPORTS
            if is_counted:
                parts[name].reports.append(file.of_agent(agent))
                if experiment:
                    owner.setdefault(experiment, name)
    for one in experiments:
        if one.experiment in owner and (counted is None or one.experiment in counted):
            own = files.get(one.report) if one.report else None
            parts[owner[one.experiment]].listed.append(
                Listed(
                    printable(one.run_group),
                    f"The list of experiment {printable(one.experiment)}",
                    not given or one.report in given,
                    own.report.competition_reports if own else (),
                )
            )


def _list_attempts(group: Group, part: _Part | None, graded: Sequence[CompetitionReport]) -> None:
    """List a group's graded attempts where reports about it name some of them."""
    if part is None:
        return
    reported = {_attempt_of(r) for f in part.reports for r in f.report.competition_reports}
    for file in part.reports:
        whole = file.whole or file.report
        reported |= {n.attempt for n in whole.mle_audit.not_graded} if whole.mle_audit else set()
    own = {a.id for a in group.attempts}
    rows = {r.mle_audit.attempt: r for r in graded if r.mle_audit and r.mle_audit.attempt in own}
    if not reported & set(rows):
        return
    source = f"The run groups of agent {group.name}"
    part.listed += [Listed(a, source, a in reported, (r,)) for a, r in rows.items() if a]


def _attempt_of(row: CompetitionReport) -> str | None:
    """Return the attempt of a row: as it says, or the folder that its submission lay in."""
    if row.mle_audit and row.mle_audit.attempt:
        return row.mle_audit.attempt
    parts = Path(row.submission_path).parts
    return parts[-3] if parts[-2:] == ("submission", "submission.csv") and len(parts) > 2 else None  # noqa: PLR2004


def _claims(given: Iterable[str]) -> tuple[tuple[Claim, ...], list[str]]:
    found: list[Claim] = []
    faults: list[str] = []
    for text in given:
        if text.lower().endswith(".csv"):
            table = read_claims(Path(text))
            found += table.claims
            faults += map(printable, table.faults)
        else:
            found.append(parse_claim(text))
    return named_apart(replace(c, label=printable(c.label)) for c in found), faults


def _owner(claim: Claim, names: Sequence[str], *, n_claims: int) -> str:
    alone = n_claims == 1 and len(names) == 1
    return names[0] if alone and claim.label not in names else claim.label


def _joined(
    groups: Sequence[Group],
    parts: Mapping[str, _Part],
    graded: Sequence[CompetitionReport],
    unread: tuple[str, ...],
) -> tuple[Group, ...]:
    by_name = {g.name: g for g in groups}
    names = list(dict.fromkeys([*by_name, *parts]))
    of_reports = [n for n in names if n in parts and (parts[n].reports or n == REPORTS)]
    blamed = (of_reports or names)[:1]
    made = []
    for name in names:
        part = parts.get(name) or _Part()
        group = by_name.get(name) or Group(name)
        own = {a.id for a in group.attempts}
        made.append(
            replace(
                group,
                reports=tuple(part.reports),
                claims=tuple(part.claims),
                listed=tuple(part.listed),
                unread=unread if name in blamed else (),
                graded=tuple(r for r in graded if r.mle_audit and r.mle_audit.attempt in own),
            )
        )
    return tuple(made)


def _not_given(group: Group) -> Iterator[NotChecked]:
    """Say what could not be looked at with what was given about a group."""
    if group.claims and not group.reports and not group.attempts:
        yield NotChecked(
            what=f"the rows behind {group.name}",
            why="only a published row was given; --reports adds flags, boards, seeds and tasks",
        )
    if group.reports and not group.attempts:
        yield NotChecked(
            what=f"the attempts behind {group.name}",
            why="no run group was given: nobody looked at code, logs and submissions",
        )
    if group.reports and not group.claims:
        yield NotChecked(
            what=f"what was published of {group.name}",
            why="no published row was given; --claim adds its means and spreads",
        )
