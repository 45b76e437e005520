"""Models by their name on the Hugging Face hub: from its local cache, or downloaded."""

from __future__ import annotations

import contextlib
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

from competitions.disk import size_text
from competitions.errors import ModelFilesError
from competitions.io import said_by

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from huggingface_hub.hf_api import RepoSibling

_TIMEOUT_S = 30
_WANTED = ["*.json", "*.safetensors", "*.model", "*.txt", "*.jinja"]  # no code, no pickle files


def hub_folder(name: str, tell: Callable[[str], None]) -> Path:
    """Return the folder of a model's snapshot, said how large before it is downloaded.

    Raises
    ------
    ModelFilesError
        When it is no folder, file or hub name, or the hub cannot be reached or refuses.
    """
    from huggingface_hub import HfApi, snapshot_download

    kept = _kept(name)
    if kept is not None:
        return kept
    with _telling(name):
        info = HfApi().model_info(name, files_metadata=True, timeout=_TIMEOUT_S)
        tell(f"Downloading {name} from the hub: {size_text(_size(info.siblings or ()))}.")
        return Path(snapshot_download(name, allow_patterns=_WANTED))


def require_on_hub(name: str) -> None:
    """See that a model is in the hub's local cache, or that the hub knows it; download nothing.

    Raises
    ------
    ModelFilesError
        As `hub_folder` does.
    """
    from huggingface_hub import HfApi

    if _kept(name) is None:
        with _telling(name):
            HfApi().model_info(name, timeout=_TIMEOUT_S)


def _kept(name: str) -> Path | None:
    """Return the snapshot in the local cache; None where the hub is to be asked."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    if name.startswith((".", "/", "~")) or name.count("/") > 1 or name.endswith(".gguf"):
        raise ModelFilesError(f"{name}: expected a model's folder or file, found nothing there.")
    try:
        return Path(snapshot_download(name, allow_patterns=_WANTED, local_files_only=True))
    except HFValidationError as error:
        raise ModelFilesError(f"{name}: expected a folder, a file or a hub name.") from error
    except (LocalEntryNotFoundError, OSError):
        return None


@contextlib.contextmanager
def _telling(name: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # errors of whichever HTTP library the hub's client uses
        raise ModelFilesError(
            f"{name}: expected a folder, a GGUF file, builtin:smollm2 or a model on the hub; the "
            f"hub was asked and said: {said_by(error)}",
            "Without a network, name a folder that holds the model.",
        ) from error


def _size(files: Iterable[RepoSibling]) -> int:
    wanted = (f for f in files if any(fnmatch(f.rfilename, pattern) for pattern in _WANTED))
    return sum(int(f.size or 0) for f in wanted)
