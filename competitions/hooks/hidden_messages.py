"""Pictures with and without a hidden message, in several versions of each: ALASKA2."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from competitions.hooks import Hooks
from competitions.splits import Parts, drawn
from competitions.work import raw_table

if TYPE_CHECKING:
    from competitions.spec import Competition
    from competitions.work import Work

_WAYS = ("JMiPOD", "JUNIWARD", "UERD")  # of hiding a message


def split(spec: Competition, work: Work) -> Parts:
    """Draw pictures; of each test picture one version is handed out, by the toss of a coin.

    Returns
    -------
    Parts
        Train pictures (``cover``) with their new name ``Id``; test pictures with ``source``, the
        version, and ``Label``, 1 where a message is in it.

    Raises
    ------
    RawDataError
        When there are not more pictures than the test part needs.
    """
    import pandas as pd

    names = sorted(raw_table(spec, work, spec.split.on)["cover"])
    train, test = drawn(names, spec.split)
    rng = random.Random(0)  # noqa: S311 - the published seed
    rng.shuffle(test)
    versions = [f"{_version(rng)}/{name}" for name in test]
    return Parts(
        pd.DataFrame({"cover": train, "Id": [f"{n:05d}.jpg" for n in range(1, len(train) + 1)]}),
        pd.DataFrame(
            {
                "source": versions,
                "Id": [f"{n:04d}.jpg" for n in range(1, len(test) + 1)],
                "Label": [int(not version.startswith("Cover/")) for version in versions],
            }
        ),
    )


def _version(rng: random.Random) -> str:
    return "Cover" if rng.choice([True, False]) else rng.choice(_WAYS)


HOOKS = Hooks(split=split)
