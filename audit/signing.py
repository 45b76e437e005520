"""Sign a document with somebody's own ssh or minisign key, and check such a signature.

The programs do it (`ssh-keygen -Y`, https://man.openbsd.org/ssh-keygen; `minisign`,
https://jedisct1.github.io/minisign/). Keys stay with them: nothing here reads a secret key but its
first line, which says whose it is, and none of it is ever shown.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from competitions.errors import SignatureError, UsageError
from competitions.io import said_by, write_text

if TYPE_CHECKING:
    from collections.abc import Sequence

NAMESPACE: Final = "mle-audit"
_MINISIGN: Final = b"untrusted comment:"
_PACKAGES: Final = {"ssh-keygen": "openssh-client", "minisign": "minisign"}
_TIMEOUT_S: Final = 60.0


class Signed(NamedTuple):
    """What a signature is worth.

    Parameters
    ----------
    holds : bool
        Whether it is of this document, by somebody who is allowed to sign.
    said : str
        By whom, or why not.
    """

    holds: bool
    said: str


def signature_of(document: Path) -> Path:
    """Return where a document's signature lies: beside it, with ``.sig`` after its name."""
    return document.with_name(f"{document.name}.sig")


def _program(file: Path, what: str) -> str:
    """Return the program that a key or signature is for.

    Raises
    ------
    UsageError
        When there is no such file.
    SignatureError
        When the program is not installed.
    """
    try:
        with file.open("rb") as stream:
            is_minisign = stream.read(len(_MINISIGN)) == _MINISIGN
    except OSError as error:
        raise UsageError(f"{file}: no {what} can be read here ({error.strerror}).") from error
    name = "minisign" if is_minisign else "ssh-keygen"
    if shutil.which(name) is None:
        raise SignatureError(
            f"{file}: {name} is needed for this {what}, and is not installed.",
            f"Install it, for example with: apt-get install {_PACKAGES[name]}",
        )
    return name


def _run(words: Sequence[str], given: bytes | None = None, timeout: float | None = None) -> _Done:
    try:
        done = subprocess.run(  # noqa: S603 - a program found above, with paths as its arguments
            words, input=given, capture_output=True, timeout=timeout, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SignatureError(f"{words[0]} could not be run: {said_by(error)}.") from error
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return _Done(done.returncode, done.stdout, said_by(Exception(lines[-1] if lines else "")))


class _Done(NamedTuple):
    code: int
    out: bytes
    said: str  # the last line of what it told


def refuse_unusable(key: Path) -> None:
    """Say before anything is vetted that a key cannot sign.

    Raises
    ------
    UsageError
        When there is no such key.
    SignatureError
        When its program is not installed.
    """
    _program(key, "key")


def sign(document: Path, key: Path) -> Path:
    """Sign a document; the signature is written beside it.

    Parameters
    ----------
    key : Path
        A secret key of ssh, or the public one whose secret an ssh agent holds; or minisign's. The
        program asks for a passphrase where the key has one.

    Raises
    ------
    UsageError
        When there is no such key.
    SignatureError
        When the program is missing or refuses.
    """
    target = signature_of(document)
    if _program(key, "key") == "minisign":
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / "made.sig"
            done = _run(
                ["minisign", "-S", "-s", str(key), "-m", str(document), "-x", str(made),
                 "-t", f"{NAMESPACE} {document.name}"],
            )  # fmt: skip
            text = made.read_text(encoding="utf-8") if made.is_file() and not done.code else ""
    else:
        done = _run(
            ["ssh-keygen", "-Y", "sign", "-q", "-n", NAMESPACE, "-f", str(key)],
            document.read_bytes(),
        )
        text = done.out.decode("utf-8", "replace")
    if done.code or not text:
        raise SignatureError(
            f"{document} could not be signed with {key}: {done.said or 'no signature was made'}."
        )
    write_text(target, text)
    return target


def check_signature(document: Path, signature: Path, signers: Path) -> Signed:
    """Say whether a signature is of this document, by somebody who is allowed to sign.

    Parameters
    ----------
    signers : Path
        For ssh a file of allowed signers, lines ``name key-type key``; for minisign the public key.

    Raises
    ------
    UsageError
        When one of the files is not there.
    SignatureError
        When the program is missing.
    """
    program = _program(signature, "signature")
    if not signers.is_file():
        raise UsageError(f"{signers}: expected a file of allowed signers, found none.")
    if program == "minisign":
        return _minisigned(document, signature, signers)
    named = _run(
        ["ssh-keygen", "-Y", "find-principals", "-s", str(signature), "-f", str(signers)],
        timeout=_TIMEOUT_S,
    )
    names = named.out.decode("utf-8", "replace").splitlines()
    if named.code or not names:
        return Signed(False, f"not by an allowed signer ({named.said})")  # noqa: FBT003
    words = ["ssh-keygen", "-Y", "verify", "-f", str(signers), "-I", names[0], "-n", NAMESPACE]
    done = _run([*words, "-s", str(signature)], document.read_bytes(), _TIMEOUT_S)
    if done.code:
        return Signed(False, f"not a signature of this document ({done.said})")  # noqa: FBT003
    return Signed(True, f"by {said_by(Exception(names[0]))}")  # noqa: FBT003


def _minisigned(document: Path, signature: Path, signers: Path) -> Signed:
    done = _run(
        ["minisign", "-V", "-p", str(signers), "-m", str(document), "-x", str(signature)],
        timeout=_TIMEOUT_S,
    )
    if done.code:
        return Signed(False, f"not a signature of this document by this key ({done.said})")  # noqa: FBT003
    return Signed(True, f"by the key in {signers.name}")  # noqa: FBT003
