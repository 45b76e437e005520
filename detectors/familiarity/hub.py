"""Models by their name on the Hugging Face hub: from its local cache, or downloaded."""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

from competitions.disk import size_text
from competitions.errors import ModelFilesError
from competitions.io import said_by

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from huggingface_hub.hf_api import RepoSibling

_WANTED = ["*.json", "*.safetensors", "*.model", "*.txt", "*.jinja"]  # no code, no pickle files


def hub_folder(name: str, tell: Callable[[str], None]) -> Path:
    """Return the folder of a model's snapshot, said how large before it is downloaded.

    Raises
    ------
    ModelFilesError
        When it is no folder, file or hub name, or the hub cannot be reached or refuses.
    """
    from huggingface_hub import HfApi, snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    if name.startswith((".", "/", "~")) or name.count("/") > 1 or name.endswith(".gguf"):
        raise ModelFilesError(f"{name}: expected a model's folder or file, found nothing there.")
    try:
        return Path(snapshot_download(name, allow_patterns=_WANTED, local_files_only=True))
    except HFValidationError as error:
        raise ModelFilesError(f"{name}: expected a folder, a file or a hub name.") from error
    except (LocalEntryNotFoundError, OSError):
        pass  # not in the local cache: ask the hub
    try:
        info = HfApi().model_info(name, files_metadata=True, timeout=30)
        tell(f"Downloading {name} from the hub: {size_text(_size(info.siblings or ()))}.")
        return Path(snapshot_download(name, allow_patterns=_WANTED))
    except (HfHubHTTPError, OSError, ValueError, RuntimeError) as error:
        raise ModelFilesError(
            f"{name}: expected a folder, a GGUF file, builtin:smollm2 or a model on the hub; the "
            f"hub was asked and said: {said_by(error)}",
            "Without a network, name a folder that holds the model.",
        ) from error


def _size(files: Iterable[RepoSibling]) -> int:
    wanted = (f for f in files if any(fnmatch(f.rfilename, pattern) for pattern in _WANTED))
    return sum(int(f.size or 0) for f in wanted)
