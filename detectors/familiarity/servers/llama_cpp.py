"""A GGUF file in llama.cpp, in this process, through the package ``llama-cpp-python``.

The package's own ``echo`` returns log-probabilities that are off by one place; here the model is
run over the tokens (`eval`) and the logits of every place are read (`scores`).

References
----------
https://llama-cpp-python.readthedocs.io/en/latest/api-reference/ (``Llama.eval``, ``scores``)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from competitions.disk import size_text
from competitions.errors import (
    MissingLibraryError,
    ModelFilesError,
    ModelServerError,
    ModelTooLargeError,
    ScoringError,
)
from competitions.io import said_by, sha256_file
from detectors.familiarity.backend import DEFAULT_WINDOW, Identity
from detectors.familiarity.head import statistics
from detectors.familiarity.model_files import WORK_BYTES, require_libraries
from detectors.familiarity.servers.alignment import self_test
from detectors.familiarity.servers.client import Refused
from detectors.familiarity.servers.pieces import Piece
from detectors.familiarity.tokens import TokenScores
from detectors.familiarity.windows import cut

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from detectors.familiarity.backend import Plan
    from detectors.familiarity.texts import Text

_COLUMNS = ("log_probability", "mean", "deviation", "rank")
_NO_TOKEN = -1


@dataclass(frozen=True)
class LlamaCppModel:
    """A model in llama.cpp; a `Backend`.

    Parameters
    ----------
    llama : llama_cpp.Llama
        Made with ``logits_all=True``.
    identity : Identity
    context : int
        Longest window, BOS included.
    """

    llama: Any
    identity: Identity
    context: int | None
    has_statistics: bool = True

    def count(self, text: Text) -> int:
        """Return the number of tokens of a text, BOS not counted."""
        return len(self._encode(text.content))

    def score(
        self, texts: Sequence[Text], plan: Plan, done: Callable[[int], None]
    ) -> Iterator[tuple[int, TokenScores]]:
        """Yield ``(index, scores)`` text by text.

        Raises
        ------
        ScoringError
            When a logit is NaN, or the file's tokens are not the text's.
        """
        for index, text in enumerate(texts):
            ids = self._encode(text.content)
            if not ids:
                raise ScoringError(f"{text.name}: {self.identity.name} makes no token of it.")
            columns = np.full((len(_COLUMNS), len(ids)), np.nan)
            has_bos = self.identity.bos is not None
            for w in cut(len(ids), plan, has_bos=has_bos):
                found = self._run(ids[w.begin : w.end], full=plan.statistics)
                columns[: len(found), w.first : w.end] = found[:, w.first - w.begin :]
                done(w.end - w.first)
            bad = np.flatnonzero(~np.isfinite(columns[0, 0 if has_bos else 1 :]))
            if len(bad):
                raise ScoringError(
                    f"{text.name}: {self.identity.name} gives no number for token "
                    f"{int(bad[0]) + (not has_bos)}.",
                    "Its weights are broken.",
                )
            named = dict(zip(_COLUMNS, columns, strict=True))
            yield index, TokenScores.of(text, self._offsets(text.content, ids), **named)

    def ask(self, prompt: str) -> list[Piece] | Refused:
        """Return a prompt's tokens as a server would, for the self-test."""
        ids = self._encode(prompt)
        numbers = self._run(ids, full=False)[0]
        texts = [self._bytes(i).decode("utf-8", "replace") for i in ids]
        bos = [] if self.identity.bos is None else [Piece("<bos>", None, None, self.identity.bos)]
        return [
            *bos,
            *(
                Piece(text, None if np.isnan(number) else float(number), None, token)
                for text, number, token in zip(texts, numbers, ids, strict=True)
            ),
        ]

    def _encode(self, content: str) -> list[int]:
        """Return token ids; names of special tokens in a text are plain text."""
        given = content.encode("utf-8", "surrogatepass")
        return list(self.llama.tokenize(given, add_bos=False, special=False))

    def _bytes(self, token: int) -> bytes:
        return bytes(self.llama.detokenize([token]))

    def _run(self, ids: Sequence[int], *, full: bool) -> NDArray[np.float64]:
        """Return statistics of the tokens of one window; NaN for a first one without BOS."""
        import torch

        bos = [] if self.identity.bos is None else [self.identity.bos]
        line = [*bos, *ids]
        self.llama.reset()
        self.llama.eval(line)
        logits = torch.from_numpy(np.array(self.llama.scores[: len(line) - 1], dtype=np.float32))
        found = statistics(logits, torch.tensor(line[1:]), full=full)
        given = [column.double().numpy() for column in found if column is not None]
        columns = np.full((len(given), len(ids)), np.nan)
        columns[:, len(ids) - len(line) + 1 :] = np.stack(given)
        return columns

    def _offsets(self, content: str, ids: Sequence[int]) -> NDArray[np.int64]:
        """Lay the bytes of tokens on the characters of the text; -1 where they do not spell it."""
        spelt = [self._bytes(i) for i in ids]
        given = content.encode("utf-8", "surrogatepass")
        if b"".join(spelt) == b" " + given:  # a space that the tokenizer puts before a text
            spelt[0] = spelt[0].removeprefix(b" ")
        if b"".join(spelt) != given:
            return np.full((len(ids), 2), _NO_TOKEN)
        starts = np.array([byte & 0xC0 != 0x80 for byte in given])  # noqa: PLR2004 - of a character
        number = np.cumsum(starts) - 1  # of the character that each byte is of
        ends = np.cumsum([len(s) for s in spelt])
        begins = ends - [len(s) for s in spelt]
        last = np.maximum(ends - 1, begins).clip(max=len(given) - 1)
        return np.stack([number[begins.clip(max=len(given) - 1)], number[last] + 1], axis=1)


def open_llama_cpp(path: Path, announce: Callable[[str], None]) -> LlamaCppModel:
    """Load a GGUF file into llama.cpp, and try it on the self-test.

    Raises
    ------
    MissingLibraryError
        When ``llama-cpp-python`` or torch is not installed.
    ModelFilesError
        When there is no such file, or llama.cpp cannot load it.
    ModelTooLargeError
        When it does not fit in the memory that is free; said before it is loaded.
    ModelServerError
        When its numbers do not pass the self-test.
    """
    if not path.is_file():
        raise ModelFilesError(f"{path}: expected a GGUF file, found none.")
    require_libraries("torch")
    import psutil

    try:
        from llama_cpp import Llama
    except ImportError as error:
        raise MissingLibraryError("llama-cpp-python", f"{path}: a model in llama.cpp") from error
    size = path.stat().st_size
    needed, free = size + WORK_BYTES, psutil.virtual_memory().available
    if needed > free:
        raise ModelTooLargeError(
            str(path),
            size_text(needed),
            size_text(free),
            "Take a smaller model, or a server of it.",
        )
    announce(f"Loading {path} into llama.cpp: {size_text(size)}.")
    try:
        llama = Llama(model_path=str(path), n_ctx=DEFAULT_WINDOW, logits_all=True, verbose=False)
    except (ValueError, RuntimeError, OSError) as error:
        raise ModelFilesError(
            f"{path}: expected a GGUF file that llama.cpp can load, found: {said_by(error)}"
        ) from error
    bos = llama.token_bos()
    digest = sha256_file(path)
    identity = Identity(
        f"llama-cpp:{path}",
        f"llama.cpp {digest}",
        digest,
        dtype="gguf",
        bos=bos if bos >= 0 else None,
    )
    model = LlamaCppModel(llama, identity, int(llama.n_ctx()))
    tested = self_test(model.ask)
    if isinstance(tested, Refused):
        raise ModelServerError(f"{path}: llama.cpp's numbers fail the self-test: {tested.said}.")
    return model
