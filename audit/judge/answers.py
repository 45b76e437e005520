"""Answers of models, kept by what was asked of whom: the same question costs once."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, ValidationError

from competitions.io import sha256_bytes, write_text

if TYPE_CHECKING:
    from detectors.opinions.prompts import Question

_MAX_BYTES = 1 << 20


class Kept(BaseModel):
    """An answer as it lies on disk; the prompt is told by its digest alone."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str
    prompt_sha256: str
    text: str
    tokens_in: int | None = None
    tokens_out: int | None = None


@dataclass(frozen=True)
class Answers:
    """A folder of answers, a file each.

    Parameters
    ----------
    folder : Path
        Made when the first answer is kept.
    """

    folder: Path

    def get(self, question: Question, model: str) -> Kept | None:
        """Return the answer of this model to this prompt, or None; a broken file is none."""
        path = self._path(question, model)
        try:
            if path.stat().st_size > _MAX_BYTES:
                return None
            kept = Kept.model_validate_json(path.read_bytes())
        except (OSError, ValidationError):
            return None
        return kept if (kept.model, kept.prompt_sha256) == (model, question.digest) else None

    def keep(self, question: Question, kept: Kept) -> None:
        """Write an answer, readable for its owner alone: it quotes what may not be for others."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_text(self._path(question, kept.model), kept.model_dump_json(indent=1) + "\n")

    def _path(self, question: Question, model: str) -> Path:
        named = sha256_bytes(f"{question.digest} {model}".encode())
        return self.folder / f"{named}.json"


def default_answers() -> Answers:
    """Return where answers are kept: ``opinions`` in `$MLE_AUDIT_CACHE`, else the user's cache."""
    import platformdirs

    root = os.environ.get("MLE_AUDIT_CACHE") or platformdirs.user_cache_dir("mle-audit")
    return Answers(Path(root) / "opinions")
