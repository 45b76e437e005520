"""Token scores kept on disk, so that nothing is computed twice and a broken call goes on."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from competitions.errors import UnreadableFileError
from competitions.io import sha256_bytes
from detectors.familiarity.backend import key_of
from detectors.familiarity.tokens import load_scores, save_scores

if TYPE_CHECKING:
    from detectors.familiarity.backend import Identity, Plan
    from detectors.familiarity.texts import Text
    from detectors.familiarity.tokens import TokenScores


def default_cache() -> Path:
    """Return where models and scores are kept: below ``$MLE_AUDIT_CACHE`` or the user's cache."""
    import platformdirs

    root = os.environ.get("MLE_AUDIT_CACHE") or platformdirs.user_cache_dir("mle-audit")
    return Path(root) / "familiarity"


@dataclass(frozen=True)
class ScoreCache:
    """A folder of ``.npz`` files named by the digest of what the scores depend on.

    Parameters
    ----------
    folder : Path
        Made when the first scores are stored. Files can be deleted at any time.
    """

    folder: Path

    def path(self, text: Text, identity: Identity, plan: Plan) -> Path:
        """Return where scores of this text lie, or would lie."""
        key = json.dumps(key_of(text, identity, plan), sort_keys=True).encode()
        name = sha256_bytes(key)
        return self.folder / name[:2] / f"{name}.npz"

    def load(self, text: Text, identity: Identity, plan: Plan) -> TokenScores | None:
        """Return stored scores; None where there are none, or not all that `plan` asks for.

        A file that cannot be read, or that was written for another key, counts as none: it is
        replaced when the text has been scored.
        """
        path = self.path(text, identity, plan)
        if not path.is_file():
            return None
        try:
            scores, key = load_scores(path)
        except UnreadableFileError:
            return None
        wanted = key == key_of(text, identity, plan) and scores.text_sha256 == text.sha256
        return scores if wanted and (scores.has_statistics or not plan.statistics) else None

    def store(self, text: Text, identity: Identity, plan: Plan, scores: TokenScores) -> None:
        """Keep scores; what was there is replaced in one step."""
        save_scores(self.path(text, identity, plan), scores, key_of(text, identity, plan))
