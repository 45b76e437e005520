"""What an attempt was told of its task: words that everybody who worked on it may repeat."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from competitions import spec as specs
from competitions.data import layout_of
from competitions.describe import describe
from competitions.errors import MleAuditError
from competitions.obfuscate import describe_obfuscated
from detectors.plagiarism.prose import prose_shingles
from detectors.text_file import read_text_file

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_BYTES = 4 << 20  # of a description


def task_hashes(competition_id: str, data: str, given: str) -> NDArray[np.uint64]:
    """Hash the words of a task's description and of an agent's instructions.

    Parameters
    ----------
    competition_id : str
        One that is not known here has no definition; that is no error.
    data : str
        Data directory whose prepared ``description.md`` counts, too; empty for none.
    given : str
        What the agent was told before it said anything.

    Returns
    -------
    ndarray of uint64, sorted, each once
    """
    texts = [given]
    try:
        spec = specs.load(competition_id)
        texts += [describe(spec), describe_obfuscated(spec), spec.summary]
        path = layout_of(spec, Path(data)).public / "description.md"
    except MleAuditError:
        path = Path(data) / competition_id / "prepared" / "public" / "description.md"
    if data and path.is_file() and not path.is_symlink():
        texts.append(read_text_file(path, path.name, MAX_BYTES).text)
    return np.unique(np.concatenate([prose_shingles(text).hashes for text in texts]))
