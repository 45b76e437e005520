"""Find Kaggle's token or key where its own client looks, without asking the network.

``import kaggle`` would authenticate at once, ask the network and may print; the client's inner
package ``kagglesdk``, which is used here, leaves it to the caller to find the credentials.

References
----------
https://github.com/Kaggle/kaggle-cli/blob/main/docs/README.md#authentication
"""

from __future__ import annotations

import json
import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from competitions.errors import CredentialsExposedError, CredentialsMissingError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SETTINGS = "https://www.kaggle.com/settings"
_HOW = (
    f"Make an API token at {_SETTINGS} and set KAGGLE_API_TOKEN to it, or save it as "
    "~/.kaggle/access_token with mode 600"
)


@dataclass(frozen=True)
class Credentials:
    """Who asks Kaggle; the secrets are in no text that is printed.

    Parameters
    ----------
    place : str
        Where they were found, in words.
    username, key : str or None
        A legacy API key and whose it is.
    token : str or None
        An API token.
    oauth : Path or None
        The file of ``kaggle auth login``, which the client reads and renews itself.
    """

    place: str
    username: str | None = None
    key: str | None = field(default=None, repr=False)
    token: str | None = field(default=None, repr=False)
    oauth: Path | None = None


def find_credentials(environment: Mapping[str, str] | None = None) -> Credentials:
    """Return the first credentials there are, in the order of Kaggle's client.

    A token from ``KAGGLE_API_TOKEN`` (itself or its file) or ``access_token``; a key from
    ``KAGGLE_USERNAME`` and ``KAGGLE_KEY`` or ``kaggle.json``; the file of ``kaggle auth login``.

    Parameters
    ----------
    environment : mapping or None
        Environment variables; None reads the process's own.

    Raises
    ------
    CredentialsMissingError
        When there are none, or the file that is there holds none.
    CredentialsExposedError
        When other users can read the file.
    """
    variables = os.environ if environment is None else environment
    for found in _candidates(variables):
        if found is not None:
            return found
    raise CredentialsMissingError("No API token or key of Kaggle was found.", f"{_HOW}.")


def _candidates(variables: Mapping[str, str]) -> Iterator[Credentials | None]:
    home = Path(variables.get("HOME") or Path.home()) / ".kaggle"
    yield _token(variables.get("KAGGLE_API_TOKEN", ""))
    for name in ("access_token", "access_token.txt"):
        if (home / name).is_file():
            yield _token_file(home / name)
    username, key = variables.get("KAGGLE_USERNAME"), variables.get("KAGGLE_KEY")
    if username and key:
        place = "KAGGLE_USERNAME and KAGGLE_KEY"
        yield Credentials(place, _word(username, place), _word(key, place))
    for folder in _config_folders(variables, home):
        if (folder / "kaggle.json").is_file():
            yield _legacy_file(folder / "kaggle.json")
    if (home / "credentials.json").is_file():
        _require_private(home / "credentials.json")
        yield Credentials(str(home / "credentials.json"), oauth=home / "credentials.json")


def _config_folders(variables: Mapping[str, str], home: Path) -> list[Path]:
    """List where ``kaggle.json`` may lie; a folder that is named is the only one."""
    if named := variables.get("KAGGLE_CONFIG_DIR"):
        return [Path(named)]
    config = variables.get("XDG_CONFIG_HOME") or home.parent / ".config"
    return [home, Path(config) / "kaggle"]


def _token(value: str) -> Credentials | None:
    if not value:
        return None
    try:
        is_file = Path(value).is_file()
    except (OSError, ValueError):  # too long for a path, as a token may be
        is_file = False
    place = "KAGGLE_API_TOKEN"
    return _token_file(Path(value)) if is_file else Credentials(place, token=_word(value, place))


def _token_file(path: Path) -> Credentials:
    _require_private(path)
    content = path.read_text(encoding="utf-8", errors="replace")
    return Credentials(str(path), token=_word(content, str(path)))


def _word(value: str, place: str) -> str:
    """Return a secret that can stand in an HTTP header; an error of HTTP's would quote it."""
    word = value.strip()
    if not re.fullmatch(r"[!-~]+", word):
        raise CredentialsMissingError(
            f"{place}: expected one word of ASCII, found something else.", f"{_HOW}."
        )
    return word


def _legacy_file(path: Path) -> Credentials:
    _require_private(path)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        username, key = str(content["username"]), str(content["key"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise CredentialsMissingError(
            f'{path}: expected {{"username": …, "key": …}}, found something else.',
            f"Download it anew from {_SETTINGS}.",
        ) from None  # the parser's error would quote the file
    return Credentials(str(path), _word(username, str(path)), _word(key, str(path)))


def _require_private(path: Path) -> None:
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & (stat.S_IRGRP | stat.S_IROTH):
        raise CredentialsExposedError(
            f"{path} can be read by other users (mode {mode:o}).", f"Close it: chmod 600 {path}"
        )
