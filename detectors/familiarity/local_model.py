"""Causal language models of ``transformers`` on this machine, asked for token scores."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from competitions.errors import ModelFilesError, ScoringError, UsageError
from competitions.io import said_by
from detectors.familiarity.backend import Identity
from detectors.familiarity.head import has_separate_head, logits_of, statistics
from detectors.familiarity.hub import hub_folder
from detectors.familiarity.model_files import (
    files_of,
    fingerprint,
    require_gguf,
    require_libraries,
    require_memory,
    size_of,
)
from detectors.familiarity.tokens import TokenScores
from detectors.familiarity.windows import batched, cut, grouped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray
    from torch import Tensor
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from detectors.familiarity.backend import Plan
    from detectors.familiarity.texts import Text
    from detectors.familiarity.windows import Window

BUILTIN = "builtin:smollm2"
_GROUP_BATCHES = 16  # whose windows are put together by their lengths
_COLUMNS = ("log_probability", "mean", "deviation", "rank")


@dataclass(frozen=True)
class LocalModel:
    """A model and its tokenizer in memory; a `Backend`.

    Parameters
    ----------
    model, tokenizer
        As ``transformers`` gives them; the model in evaluation mode.
    identity : Identity
        Of its files.
    context : int or None
        Longest window, BOS included.
    separate_head : bool
        Whether the head can be run over a few positions at a time (`head.has_separate_head`).
    """

    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase
    identity: Identity
    context: int | None
    separate_head: bool

    def count(self, text: Text) -> int:
        """Return the number of tokens of a text, BOS not counted."""
        return len(self._encode(text)[0])

    def score(
        self, texts: Sequence[Text], plan: Plan, done: Callable[[int], None]
    ) -> Iterator[tuple[int, TokenScores]]:
        """Yield ``(index, scores)``, each text as soon as all of it is scored.

        Raises
        ------
        ScoringError
            When a logit is NaN.
        """
        encoded = [self._encode(text) for text in texts]
        lengths = [len(ids) for ids, _ in encoded]
        for group in grouped(lengths, _GROUP_BATCHES * plan.batch_tokens):
            columns = {i: np.full((len(_COLUMNS), lengths[i]), np.nan) for i in group}
            windows = [w for i in group for w in self._cut(i, lengths[i], plan)]
            left = Counter(dict.fromkeys(group, 0))
            left.update(w.text for w in windows)
            for batch in batched(windows, plan.batch_tokens):
                self._fill(batch, encoded, columns, full=plan.statistics)
                for window in batch:
                    self._require_numbers(texts[window.text], window, columns[window.text][0])
                done(sum(w.end - w.first for w in batch))
                left.subtract(w.text for w in batch)
                for i in [i for i, n in left.items() if not n]:
                    del left[i]
                    yield i, _of(texts[i], encoded[i][1], columns.pop(i))
            for i in left:  # of a single token, which nothing stands before
                yield i, _of(texts[i], encoded[i][1], columns.pop(i))

    def _encode(self, text: Text) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return token ids and offsets; names of special tokens in a text are plain text."""
        options: dict[str, Any] = {"add_special_tokens": False, "split_special_tokens": True}
        fast = bool(self.tokenizer.is_fast)
        found = self.tokenizer(text.content, return_offsets_mapping=fast, verbose=False, **options)
        ids = np.array(found["input_ids"], dtype=np.int64)
        if not len(ids):
            raise ScoringError(f"{text.name}: {self.identity.name} makes no token of it.")
        offsets = found["offset_mapping"] if fast else [(-1, -1)] * len(ids)
        return ids, np.array(offsets, dtype=np.int64)

    def _cut(self, index: int, n_tokens: int, plan: Plan) -> Iterator[Window]:
        return cut(n_tokens, plan, has_bos=self.identity.bos is not None, text=index)

    def _fill(
        self,
        batch: Sequence[Window],
        encoded: Sequence[tuple[NDArray[np.int64], NDArray[np.int64]]],
        columns: dict[int, NDArray[np.float64]],
        *,
        full: bool,
    ) -> None:
        """Run one batch and put what it gives where it belongs."""
        import torch

        bos = [] if self.identity.bos is None else [self.identity.bos]
        lines = [[*bos, *encoded[w.text][0][w.begin : w.end]] for w in batch]
        ids = torch.zeros(len(lines), max(map(len, lines)), dtype=torch.long)
        for line, target in zip(lines, ids, strict=True):
            target[: len(line)] = torch.tensor(line)
        # The token at place p of a line is foretold at place p - 1.
        rows = torch.tensor(
            [
                (number, p - 1)
                for number, w in enumerate(batch)
                for p in range(w.first - w.begin + len(bos), w.length + len(bos))
            ]
        )
        targets = ids[rows[:, 0], rows[:, 1] + 1]
        found = self._statistics(ids, rows, targets, full=full)
        start = 0
        for w in batch:
            stop = start + w.end - w.first
            columns[w.text][: len(found), w.first : w.end] = found[:, start:stop]
            start = stop

    def _statistics(
        self, ids: Tensor, rows: Tensor, targets: Tensor, *, full: bool
    ) -> NDArray[np.float64]:
        import torch

        device = self.model.device
        ids, rows, targets = ids.to(device), rows.to(device), targets.to(device)
        parts = []
        with torch.inference_mode():
            for part, logits in logits_of(self.model, ids, rows, separate=self.separate_head):
                found = statistics(logits, targets[part], full=full)
                given = [column.double() for column in found if column is not None]
                parts.append(torch.stack(given).cpu())
        return np.asarray(torch.cat(parts, dim=1).numpy(), dtype=np.float64)

    def _require_numbers(self, text: Text, window: Window, found: NDArray[np.float64]) -> None:
        bad = np.flatnonzero(~np.isfinite(found[window.first : window.end]))
        if len(bad):
            raise ScoringError(
                f"{text.name}: {self.identity.name} gives no number for token "
                f"{window.first + int(bad[0])} (its logits hold NaN, or forbid the token).",
                "Its weights are broken, or its type overflows: try float32.",
            )


def _of(text: Text, offsets: NDArray[np.int64], columns: NDArray[np.float64]) -> TokenScores:
    return TokenScores.of(text, offsets, **dict(zip(_COLUMNS, columns, strict=True)))


def load_model(
    name: str,
    *,
    dtype: str | None = None,
    device: str | None = None,
    cache: Path | None = None,
    announce: Callable[[str], None] | None = None,
) -> LocalModel:
    """Load a model by folder, GGUF file, hub name or ``builtin:smollm2``.

    Parameters
    ----------
    dtype : str or None
        Type of the weights, ``float32``, ``bfloat16`` or ``float16``. None is ``float32`` on a
        CPU, where half types are several times slower, and ``bfloat16`` on a GPU. The softmax is
        float32 always.
    device : str or None
        ``cpu`` or ``cuda``; None takes a GPU where there is one.
    cache : Path or None
        Where converted models lie; None is `cache.default_cache`.
    announce : callable or None
        Told in a sentence how much is downloaded, converted or loaded, before it is.

    Raises
    ------
    MissingLibraryError
        When the extra ``familiarity`` is not installed.
    ModelFilesError
        When there is no such model, no tokenizer, or weights are missing or in pickle files.
    ModelTooLargeError
        When it does not fit in memory.
    """
    require_libraries("torch", "transformers")
    import torch

    device = device or ("cuda" if torch.cuda.is_available() else "cpu")
    dtype = dtype or ("float32" if device == "cpu" else "bfloat16")
    if not isinstance(getattr(torch, dtype, None), torch.dtype):
        raise ModelFilesError(f"{name}: expected a type such as float32, found {dtype!r}.")
    tell = announce or (lambda _: None)
    folder = _folder_of(name, cache, tell)
    files = files_of(folder)
    size = size_of(files, dtype)
    require_memory(name, size, device)
    tell(f"Loading {name}: {size.words}.")
    model, tokenizer = _loaded(name, folder, getattr(torch, dtype))
    return wrap(
        model.to(device),
        tokenizer,
        Identity(name, *fingerprint(files), dtype=dtype, bos=document_start(tokenizer)),
    )


def wrap(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, identity: Identity
) -> LocalModel:
    """Make a backend of a model in memory; the head is tried on eight tokens."""
    model.eval()
    context = getattr(model.config.get_text_config(), "max_position_embeddings", None)
    return LocalModel(model, tokenizer, identity, context, has_separate_head(model))


def document_start(tokenizer: PreTrainedTokenizerBase) -> int | None:
    """Return the token that stands before a document: BOS, where there is none EOS, or None."""
    for token in (tokenizer.bos_token_id, tokenizer.eos_token_id):
        if isinstance(token, int):
            return token
    return None


def require_local(name: str) -> None:
    """See that a name may be a model's that is loaded here, before it is.

    Raises
    ------
    UsageError
        When there is no such built-in model, and nothing where the name says.
    ModelFilesError
        When what is there is no model.
    MissingLibraryError
        When the extra ``familiarity`` is not installed.
    """
    path = Path(name)
    if name.startswith("builtin:") and name != BUILTIN:
        raise UsageError(f"--model {name}: expected {BUILTIN}, which is the only one built in.")
    is_path = name.startswith((".", "/", "~")) or name.count("/") > 1 or path.suffix == ".gguf"
    if not name or (is_path and not path.exists()):
        raise UsageError(f"--model {name}: expected a model's folder or file, found nothing there.")
    require_libraries("torch", "transformers")
    if path.is_dir():
        files_of(path)
    elif path.is_file():
        require_gguf(path)


def is_of_hub(name: str) -> bool:
    """Say whether the name of a local model is one of the hub: nothing here has it."""
    return name != BUILTIN and not Path(name).exists()


def _folder_of(name: str, cache: Path | None, tell: Callable[[str], None]) -> Path:
    from detectors.familiarity.builtin import builtin_folder
    from detectors.familiarity.cache import default_cache
    from detectors.familiarity.gguf_file import converted

    cache = cache or default_cache()
    path = Path(name)
    if name == BUILTIN:
        return builtin_folder(cache, tell)
    if path.is_dir():
        return path
    if path.is_file():
        return converted(path, cache, tell)
    return hub_folder(name, tell)


def _loaded(
    name: str,
    folder: Path,
    dtype: Any,  # noqa: ANN401 - torch is imported inside functions only
) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    from detectors.familiarity.model_files import quiet

    try:
        with quiet():
            tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
            model, info = AutoModelForCausalLM.from_pretrained(
                folder,
                dtype=dtype,
                use_safetensors=True,
                local_files_only=True,
                output_loading_info=True,
            )
    except (OSError, ValueError, KeyError, TypeError, ImportError, RuntimeError) as error:
        raise ModelFilesError(
            f"{name}: expected a causal language model that transformers can load, found: "
            f"{said_by(error)}"
        ) from error
    if info["missing_keys"]:
        raise ModelFilesError(
            f"{name}: expected all weights, found none for {len(info['missing_keys'])} of its "
            f"layers, such as {min(info['missing_keys'])}.",
            "They would be random numbers. Download the model again.",
        )
    return model, tokenizer
