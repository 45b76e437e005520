"""What a model's folder holds: its size before it is loaded, its fingerprint, and what lacks."""

from __future__ import annotations

import contextlib
import io
import json
import math
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from competitions.disk import size_text
from competitions.errors import MissingLibraryError, ModelFilesError, ModelTooLargeError
from competitions.io import reason, sha256_bytes, sha256_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WORK_BYTES = 1_500_000_000  # beside the weights: activations, logits of some positions, libraries
_WIDTHS = {"float64": 8, "float32": 4, "bfloat16": 2, "float16": 2}
_TOKENIZERS = ("tokenizer.json", "tokenizer.model", "vocab.json", "spiece.model", "tekken.json")
_MAX_HEADER = 100_000_000  # bytes; what safetensors itself accepts
_GGUF = b"GGUF"
_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt")


class ModelFiles(NamedTuple):
    """The files of a model that matter, each kind sorted by name."""

    config: Path
    weights: tuple[Path, ...]
    tokenizer: tuple[Path, ...]


class ModelSize(NamedTuple):
    """How large a model is in memory."""

    n_parameters: int
    weight_bytes: int
    dtype: str

    @property
    def words(self) -> str:
        """Tell parameters, type and memory."""
        millions = self.n_parameters / 1e6
        return f"{millions:,.4g} million parameters as {self.dtype}, {size_text(self.weight_bytes)}"


def require_libraries(*names: str) -> None:
    """See that parts of the extra ``familiarity`` are installed.

    Raises
    ------
    MissingLibraryError
        For the first that is not.
    """
    for name in names:
        if find_spec(name) is None:
            raise MissingLibraryError(name, "Scores of a local model", "familiarity")


def files_of(folder: Path) -> ModelFiles:
    """List a model's files.

    Raises
    ------
    ModelFilesError
        When configuration, tokenizer or safetensors are missing. Weights in pickle files are not
        read: loading them runs code.
    """
    config = folder / "config.json"
    if not config.is_file():
        raise ModelFilesError(f"{folder}: expected a model's folder, found no config.json.")
    tokenizer = tuple(folder / name for name in _TOKENIZERS if (folder / name).is_file())
    if not tokenizer:
        raise ModelFilesError(
            f"{folder}: expected the model's tokenizer, found none of {', '.join(_TOKENIZERS)}.",
            "Copy the tokenizer's files there.",
        )
    weights = tuple(sorted(folder.glob("*.safetensors")))
    if not weights:
        pickled = any(p for pattern in _PICKLES for p in folder.glob(pattern))
        found = "pickle files, which run code when they are loaded" if pickled else "none"
        raise ModelFilesError(
            f"{folder}: expected weights as *.safetensors, found {found}.",
            "Convert them: save_pretrained of transformers writes safetensors.",
        )
    return ModelFiles(config, weights, tokenizer)


def require_gguf(path: Path) -> None:
    """See that a file begins as GGUF files do.

    Raises
    ------
    ModelFilesError
        When it does not, or cannot be read.
    """
    try:
        with path.open("rb") as stream:
            begin = stream.read(len(_GGUF))
    except OSError as error:
        raise ModelFilesError(f"{path}: expected a GGUF file, found {reason(error)}.") from error
    if begin != _GGUF:
        raise ModelFilesError(f"{path}: expected a model's folder or a GGUF file, found neither.")


def size_of(files: ModelFiles, dtype: str) -> ModelSize:
    """Count parameters from the heads of the files alone.

    Raises
    ------
    ModelFilesError
        When a file is no safetensors file, or shorter than its head says.
    """
    n_parameters = sum(
        math.prod(entry["shape"])
        for path in files.weights
        for name, entry in _header(path).items()
        if name != "__metadata__"
    )
    return ModelSize(n_parameters, n_parameters * _WIDTHS.get(dtype, 4), dtype)


def _header(path: Path) -> dict[str, dict[str, list[int]]]:
    """Read the head of a safetensors file: eight bytes of length, then JSON."""
    try:
        with path.open("rb") as stream:
            length = int.from_bytes(stream.read(8), "little")
            if length > _MAX_HEADER:
                raise ValueError(f"a head of {length} bytes")
            head: dict[str, dict[str, list[int]]] = json.loads(stream.read(length))
        ends = [entry["data_offsets"][1] for n, entry in head.items() if n != "__metadata__"]
        if path.stat().st_size < 8 + length + max(ends, default=0):
            raise ValueError("it ends too early")
    except (OSError, ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise ModelFilesError(
            f"{path}: expected a whole safetensors file, found a broken one.",
            "Download or convert the model again.",
        ) from error
    return head


def require_memory(name: str, size: ModelSize, device: str) -> None:
    """See that a model and the work with it fit in the memory that is free now.

    Raises
    ------
    ModelTooLargeError
        With both figures.
    """
    if device == "cpu":
        import psutil

        free = psutil.virtual_memory().available
    else:
        import torch

        free = torch.cuda.mem_get_info(device)[0]
    needed = size.weight_bytes + WORK_BYTES
    if needed > free:
        raise ModelTooLargeError(
            f"{name} ({size.words})",
            size_text(needed),
            size_text(free),
            "Take a smaller model, a narrower type, or a server that holds it.",
        )


def fingerprint(files: ModelFiles) -> tuple[str, str]:
    """Return digests of configuration and weights, and of the tokenizer; names do not count."""
    model = [sha256_file(p) for p in (files.config, *files.weights)]
    tokenizer = [sha256_file(p) for p in files.tokenizer]
    return sha256_bytes("\n".join(model).encode()), sha256_bytes("\n".join(tokenizer).encode())


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep progress bars and advice of transformers off the terminal; ours says what happens.

    Reading GGUF files draws bars of its own, whatever transformers is told.
    """
    from transformers.utils import logging

    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()
