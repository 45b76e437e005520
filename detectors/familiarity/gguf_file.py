"""GGUF files, converted once to a folder of safetensors that ``transformers`` loads by itself."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from competitions.disk import require_room, size_text, telling_when_full
from competitions.errors import ModelFilesError
from competitions.io import said_by, sha256_file
from detectors.familiarity.model_files import (
    ModelSize,
    files_of,
    quiet,
    require_gguf,
    require_libraries,
    require_memory,
)

if TYPE_CHECKING:
    from collections.abc import Callable

_COPIES = 2  # of all weights, while one model is filled from another
_GROWTH = 10  # of a file of three bits a weight, as float32
_RECIPE = "1"  # a converted folder of another recipe is not used


def converted(path: Path, cache: Path, tell: Callable[[str], None]) -> Path:
    """Return the folder of a GGUF file's model; it is converted the first time.

    Weights become float32 as the file's numbers say: quantised ones do not come back whole, so
    that scores are those of the quantised model.

    Raises
    ------
    ModelFilesError
        When it is no GGUF file, or of an architecture that transformers does not read from one.
    ModelTooLargeError
        When its weights do not fit in memory twice, as float32, which converting takes.
    """
    require_gguf(path)
    target = cache / "models" / f"{sha256_file(path)[:32]}-{_RECIPE}"
    if not target.is_dir():
        require_libraries("gguf", "accelerate")
        target.parent.mkdir(parents=True, exist_ok=True)
        room = _GROWTH * path.stat().st_size
        require_room(target.parent, room)
        require_memory(path.name, _size_while_converted(path), "cpu")
        tell(
            f"Converting {path.name} ({size_text(path.stat().st_size)}) once; it stays in {target}."
        )
        _convert(path, target)
    files_of(target)
    return target


def _size_while_converted(path: Path) -> ModelSize:
    """Count parameters from the file's head."""
    from gguf import GGUFReader

    try:
        count = sum(int(tensor.n_elements) for tensor in GGUFReader(path).tensors)
    except (ValueError, KeyError, IndexError, OverflowError) as error:
        raise ModelFilesError(f"{path}: expected a whole GGUF file, found a broken one.") from error
    return ModelSize(count, _COPIES * 4 * count, "float32, twice while it is converted")


def _convert(path: Path, target: Path) -> None:
    """Write the folder under another name and rename it: it is there whole or not at all."""
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".converting-") as scratch:
        made = Path(scratch) / "model"
        try:
            with quiet(), telling_when_full(target.parent):
                _write(path, made)
        except (ValueError, KeyError, TypeError, NotImplementedError, RuntimeError) as error:
            raise ModelFilesError(
                f"{path}: expected a GGUF model that transformers can read, found: {said_by(error)}"
            ) from error
        shutil.rmtree(target, ignore_errors=True)
        made.rename(target)


def _write(path: Path, folder: Path) -> None:
    """Load the dequantised weights into a model that knows nothing of GGUF, which can be saved."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    source, file = str(path.parent), path.name
    model = AutoModelForCausalLM.from_pretrained(source, gguf_file=file, dtype=torch.float32)
    plain = {k: v for k, v in model.config.to_dict().items() if k != "quantization_config"}
    fresh = type(model)(type(model.config).from_dict(plain))
    fresh.load_state_dict(model.state_dict())
    fresh.save_pretrained(folder)
    AutoTokenizer.from_pretrained(source, gguf_file=file).save_pretrained(folder)
