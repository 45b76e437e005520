"""Every detector of an audit on every subject of its kind, with the settings of the call."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from audit.check import check
from competitions.errors import UnknownNameError, UsageError
from detectors.base import all_detectors, detector, family_of, parameters_of
from detectors.group import Group
from detectors.text_file import printable_name
from reports.schema import DetectorNote, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from detectors.base import Detector, Scalar, Subject
    from reports.schema import Check

    Subjects = Mapping[SubjectKind, Sequence[Subject]]


def chosen_detectors(
    select: Sequence[str] = (),
    settings: Mapping[str, Scalar] | None = None,
    family: str | None = None,
    usual: Mapping[str, Scalar] | None = None,
) -> tuple[Detector, ...]:
    """Build the detectors of an audit, each with those settings that it has a parameter for.

    Parameters
    ----------
    select : sequence of str
        Ids of detectors; empty takes all.
    settings : mapping of str to bool, int, float or str, or None
        Values of parameters by name; a detector without such a parameter is left as it is.
    family : str or None
        Only detectors of this family.
    usual : mapping or None
        Values that no `settings` name, for detectors that have such a parameter, if any has.

    Raises
    ------
    UnknownNameError
        When a selected detector does not exist, or is of another family.
    UsageError
        When no detector at all has a parameter of this name, or takes such a value.
    """
    known = {n: cls for n, cls in all_detectors().items() if family in {None, family_of(cls)}}
    values = dict(settings or {})
    _refuse_unknown(values, [parameters_of(cls()) for cls in all_detectors().values()])
    for name in select:
        if name not in known:
            detector(name)  # says so when there is none at all
            remedy = f"Its family is {family_of(detector(name))}. List: mle-audit list detectors"
            raise UnknownNameError(f"detector of {family}", name, known, remedy)
    values = {**(usual or {}), **values}
    return tuple(_with(known[name](), values) for name in dict.fromkeys(select or known))


def _refuse_unknown(
    settings: Mapping[str, Scalar], parameters: Sequence[dict[str, Scalar]]
) -> None:
    for name, value in settings.items():
        defaults = [known[name] for known in parameters if name in known]
        if not defaults:
            names = sorted({name for known in parameters for name in known})
            raise UsageError(
                f"No detector has a parameter {name!r}; there are: {', '.join(names)}.",
                "See what each detector asks: mle-audit list detectors",
            )
        if not any(_fits(value, default) for default in defaults):
            expected = type(defaults[0]).__name__
            raise UsageError(f"Expected {name} to be of type {expected}, found {value!r}.")


def _fits(value: Scalar, default: Scalar) -> bool:
    """Say whether a value may stand in for a default; a whole number is a number, too."""
    if isinstance(default, float):
        return isinstance(value, int | float) and not isinstance(value, bool)
    return type(value) is type(default)


def _with(one: Detector, settings: Mapping[str, Scalar]) -> Detector:
    found = parameters_of(one)
    values: dict[str, Any] = {
        name: value
        for name, value in settings.items()
        if name in found and _fits(value, found[name])
    }
    return replace(one, **values) if values else one  # type: ignore[type-var]


def shown_settings(settings: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Return settings as a document tells them: a corpus by its name and digest, no places.

    Of paths of base code their last names are told.

    Raises
    ------
    CorpusError
        When the corpus is none, is broken, or another version wrote it.
    """
    shown = dict(settings)
    if base := str(settings.get("base", "")):
        shown["base"] = ", ".join(printable_name(Path(p).name) for p in base.splitlines())
    for name in {"corpus", "data"} & set(settings):
        place = Path(str(settings[name])).resolve()
        shown[name] = printable_name(place.name) if settings[name] else ""
        if name == "corpus" and settings[name]:
            from detectors.plagiarism.corpus.index import Corpus

            shown[name] = f"{shown[name]} {Corpus.open(place).digest}"
    return shown


def group_of_all(chosen: Iterable[Detector], groups: Sequence[Group]) -> tuple[Group, ...]:
    """Return one group of every attempt where a detector asks for it, else nothing."""
    if not any(g.attempts for g in groups) or not any(one.about.across_agents for one in chosen):
        return ()
    attempts = tuple(a for group in groups for a in group.attempts)
    return (Group("all", attempts, across_agents=True),)


def comparisons_of(everyone: Iterable[Group]) -> dict[str, int]:
    """Count the attempts of each group, by its id: of each it is asked whether it is a copy."""
    return {group.id: len(group.attempts) for group in everyone}


def checks_of(
    chosen: Iterable[Detector],
    subjects: Subjects,
    tell: Callable[[str], None],
    shown: Mapping[str, Scalar] | None = None,
) -> Iterator[Check]:
    """Yield one check for every detector and every subject of its kind.

    Parameters
    ----------
    subjects : mapping of SubjectKind to sequence
        A group of all attempts is given to detectors across agents alone, any other to the rest.
    tell : callable
        Told a few words after each check.
    shown : mapping or None
        Values to write into the document in place of those of the parameters they name.
    """
    for one in chosen:
        for subject in subjects.get(one.about.subject, ()):
            across = isinstance(subject, Group) and subject.across_agents
            if across == one.about.across_agents:
                yield _as_shown(check(one, subject), shown or {})
                tell(f"{one.about.id}: {subject.id}")


def _as_shown(made: Check, shown: Mapping[str, Scalar]) -> Check:
    kept = {name: value for name, value in shown.items() if name in made.parameters}
    return made.model_copy(update={"parameters": {**made.parameters, **kept}}) if kept else made


def note_of(one: Detector) -> DetectorNote:
    """Describe a detector for the document."""
    about = one.about
    return DetectorNote(
        id=about.id,
        family=family_of(one),
        subject=about.subject,
        asks=about.asks,
        blind_spots=about.blind_spots,
        reference=about.reference,
    )
