"""A resource that a log shows: its kinds, and one sighting."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from detectors.trajectories.events import Event


class Resource(StrEnum):
    """What was seen."""

    GPU = "graphics processors"
    CORES = "processor cores"
    NETWORK = "the network"
    REMOTE = "another machine"
    MODEL = "a language model"
    MEMORY = "memory"


class SeenResource(NamedTuple):
    """One resource at one place of a log.

    Parameters
    ----------
    name : str
        A device's index, a host, a model.
    value : int
        Of cores, how many; of memory, how many bytes.
    """

    resource: Resource
    name: str
    shows: str
    event: Event
    value: int = 0
