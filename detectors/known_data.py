"""What was measured of one data table by one model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from detectors.known import Calibrated, Decision


@dataclass(frozen=True)
class DataTest:
    """One question about a table, and its answer.

    Parameters
    ----------
    name : str
        ``header``, ``row``, ``first token``, ``feature`` or ``order``.
    beside : str
        What the published table was held against, in a few words.
    n_controls : int
    calibrated : Calibrated or None
        Mean log-probability beside those of the controls; None where nothing was measured.
    q : float
        p when all questions of the call are counted.
    decision : Decision or None
        None where nothing was measured.
    why : str
        Why nothing was, or what makes the answer confounded.
    """

    name: str
    beside: str
    n_controls: int = 0
    calibrated: Calibrated | None = None
    q: float = 1.0
    decision: Decision | None = None
    why: str = ""


@dataclass(frozen=True)
class KnownData:
    """A table beside tables like it.

    Parameters
    ----------
    name, sha256 : str
        The file's name; digest of the text that was scored.
    n_rows, n_tokens : int
        That were scored.
    column : str
        The feature whose cells were asked for.
    odd : float
        Share of fresh tables that look as unlike the others without any model.
    n_asked : int
        Questions of the call.
    """

    name: str
    sha256: str
    n_rows: int
    n_tokens: int
    column: str
    odd: float
    n_asked: int
    tests: tuple[DataTest, ...] = ()
    values: Mapping[str, float] = field(default_factory=dict)
