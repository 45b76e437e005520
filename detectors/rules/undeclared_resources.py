"""Did the attempt use what its record does not declare? GPUs, cores, network, machines, models."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from detectors.attempt import Attempt
from detectors.base import About, register
from detectors.rules.resource import Resource
from detectors.rules.resources_seen import resources_in
from detectors.rules.shown import log_lines
from detectors.trajectories.excerpts import Excerpts
from reports.schema import Confidence, Quantity, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.base import Subject
    from detectors.record import AttemptRecord
    from detectors.rules.resource import SeenResource
    from reports.schema import Evidence, Finding

_GPU_MODEL = re.compile(r"\b(?!\d+GB)(?:[A-Z]{1,3}\d{1,4}|\d{4})[a-z]?\b", re.IGNORECASE)
_GPU_SIZE = re.compile(r"\b(\d{2,3}) ?GB\b", re.IGNORECASE)
_OTHER_SIZE = re.compile(  # of one family, and another model
    r"^[-_]?(?:mini|nano|turbo|lite|flash|pro|opus|haiku|sonnet|coder|reasoner|vl|small|large|tiny|"
    r"micro|o)(?![a-z])"
)
_SURE = frozenset({Resource.GPU, Resource.NETWORK, Resource.REMOTE, Resource.MEMORY})
_MORE_MEMORY = 1.1  # units of 1000 and 1024 differ by less for gigabytes


@register
@dataclass(frozen=True)
class UndeclaredResources:
    """Resources that logs show and the attempt's record does not declare.

    Counted are graphics processors that a driver or a library lists, in their number and by
    their models, cores that the machine counts or that worked by processor time, memory that a
    process held, downloads that arrived though the sandbox is declared without network, commands
    that ran on other machines or at cloud providers, and language models that answered the scaffold
    or the attempt's own calls. What the agent wishes, plans or fears, drivers that are missing,
    packages, and calls that failed show nothing.

    Parameters
    ----------
    max_evidence : int >= 1, default=4
        Places shown with a finding.
    """

    about: ClassVar[About] = About(
        id="undeclared-resources",
        subject=SubjectKind.ATTEMPT,
        asks="Do the logs show processors, machines, network or models that are not declared?",
        blind_spots=(
            "What is used without a word in the logs is not seen, nor is another device of the "
            "model that is declared. Machines that are reached by other ways than ssh, queues, "
            "Ray, Dask, Spark or a few cloud providers are not known. Models count only where the "
            "record names any, and a log tells of their answers or shows a call with a name."
        ),
        reference="https://arxiv.org/abs/2410.07095 (MLE-bench, section 3: resources are reported)",
        needs=frozenset({"logs"}),
    )
    max_evidence: int = 4

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        if not isinstance(subject, Attempt):
            return "it looks at attempts only"
        return None if subject.readable_record else "the attempt has no record that can be read"

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`."""
        record = subject.readable_record if isinstance(subject, Attempt) else None
        if not isinstance(subject, Attempt) or record is None:
            raise TypeError(subject)
        seen: dict[Resource, dict[str, SeenResource]] = defaultdict(dict)
        for one in resources_in(subject):
            kept = seen[one.resource].setdefault(one.name, one)
            if one.value > kept.value:
                seen[one.resource][one.name] = one
        for resource, places in seen.items():
            against = _against(record, resource, list(places.values()))
            if against is not None:
                yield self._finding(subject, resource, *against)

    def _finding(
        self, subject: Attempt, resource: Resource, places: list[SeenResource], declared: str,
        figures: tuple[float, float] | None,
    ) -> Finding:  # fmt: skip
        excerpts = Excerpts(subject.logs)
        evidence: list[Evidence] = [
            log_lines(one.event, one.shows, excerpts) for one in places[: self.max_evidence]
        ]
        if figures:
            evidence.append(
                Quantity(
                    name=resource.value,
                    value=figures[0],
                    compared_with="the record",
                    reference=figures[1],
                )
            )
        sure = resource in _SURE and not all(one.shows.startswith("says") for one in places)
        return self.about.finding(
            subject,
            f"The log shows {resource.value} ({places[0].shows}); {declared}.",
            *evidence,
            severity=Severity.MEDIUM,
            confidence=Confidence.HIGH if sure else Confidence.MEDIUM,
        )


def _against(
    record: AttemptRecord, resource: Resource, places: list[SeenResource]
) -> tuple[list[SeenResource], str, tuple[float, float] | None] | None:
    """Hold what was seen against the record; None where it is declared."""
    if resource is Resource.GPU:
        return _against_gpus(record.hardware.gpus, places)
    if resource in {Resource.CORES, Resource.MEMORY}:
        return _against_size(record, resource, places)
    if resource is Resource.NETWORK:
        told = "the record declares a sandbox without network"
        return None if record.sandbox.network else (places, told, None)
    if resource is Resource.REMOTE:
        return places, "the record declares one machine", None
    others = [p for p in places if not any(_same(p.name, m) for m in record.agent.models)]
    if not (others and record.agent.models):
        return None
    return others, f"the record declares {', '.join(record.agent.models)}", None


def _against_size(
    record: AttemptRecord, resource: Resource, places: list[SeenResource]
) -> tuple[list[SeenResource], str, tuple[float, float] | None] | None:
    n = max(p.value for p in places)
    if resource is Resource.CORES:
        declared = record.hardware.cpu_count
        return (places, f"the record declares {declared}", (n, declared)) if n > declared else None
    there = record.hardware.memory_bytes
    told = f"the record declares {there / 1e9:.1f} GB"
    return (places, told, (n, there)) if n > _MORE_MEMORY * there else None


def _against_gpus(
    gpus: tuple[str, ...], places: list[SeenResource]
) -> tuple[list[SeenResource], str, tuple[float, float] | None] | None:
    n, declared = len(places), len(gpus)
    if n > declared:
        return places, f"the record declares {declared or 'none'}", (n, declared)
    others = _other_kinds(places, gpus)
    told = f"the record declares {', '.join(dict.fromkeys(gpus))}"
    return (others, told, None) if others else None


def _other_kinds(places: list[SeenResource], declared: tuple[str, ...]) -> list[SeenResource]:
    """Return the devices whose model is none of those declared; none where a name tells no model.

    Of both the first model is compared: T4 of Tesla T4, 3090 of NVIDIA GeForce RTX 3090.
    """
    known = [_GPU_MODEL.search(name) for name in declared]
    if not all(known):
        return []
    names = {found[0].upper() for found in known if found}
    sizes = {size[1] for name in declared for size in [_GPU_SIZE.search(name)] if size}
    seen = [(place, _GPU_MODEL.search(place.shows)) for place in places]
    return [
        place
        for place, found in seen
        if (found and found[0].upper() not in names) or _is_larger(place, sizes)
    ]


def _is_larger(place: SeenResource, sizes: set[str]) -> bool:
    """Say whether a device is told to have another memory than all that are declared."""
    size = _GPU_SIZE.search(place.shows)
    return size is not None and bool(sizes) and size[1] not in sizes


def _same(name: str, declared: str) -> bool:
    """Say whether two names are of one model: one may tell its provider, or its day, too.

    Examples
    --------
    >>> _same("openai/gpt-4o-2024-08-06", "gpt-4o"), _same("gpt-4o-mini", "gpt-4o")
    (True, False)
    """
    one, other = (n.lower().rpartition("/")[2] for n in (name, declared))
    short, long = sorted((one, other), key=len)
    return long.startswith(short) and not (
        re.search(r"\d", short) and _OTHER_SIZE.match(long[len(short) :])
    )
