"""The one address outside that an attempt may reach: its model's."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from competitions.errors import UsageError

EXAMPLE = "--model-endpoint https://api.openai.com/v1 --model-key-env OPENAI_API_KEY"
_DEFAULT_PORT = {"https": 443, "http": 80}
_PATH = re.compile(r"(?:/(?!\.\.?(?:/|$))[A-Za-z0-9._~-]+)*")
_KEY = re.compile(r"[\x21-\x7e]+")


@dataclass(frozen=True)
class ModelEndpoint:
    """A host and a path prefix, and where the key for them is kept.

    Parameters
    ----------
    url : str
        What a client of it has as its base address, such as ``https://api.openai.com/v1``. Requests
        go to paths below it and nowhere else.
    key_env : str or None
        The environment variable of whoever runs mle-audit that holds the key. The key is added
        outside the sandbox; it is written nowhere. None adds none.
    """

    url: str
    key_env: str | None = None

    def __post_init__(self) -> None:
        try:
            parts = urlsplit(self.url)
            is_address = bool(parts.hostname) and (parts.port is None or parts.port > 0)
        except ValueError:
            is_address = False
        else:
            extra = parts.username or parts.password or parts.query or parts.fragment
            is_address = is_address and parts.scheme in _DEFAULT_PORT and not extra
            is_address = is_address and _PATH.fullmatch(parts.path.rstrip("/")) is not None
        if not is_address:
            # What follows an @ or a ? may be a secret, and is not repeated.
            raise UsageError(
                "Expected a model's address of http or https, a host and perhaps a path; found "
                f"{re.split('[?#]', self.url)[0].rpartition('@')[2]!r}.",
                f"Write for example: {EXAMPLE}",
            )

    @property
    def scheme(self) -> str:
        """``http`` or ``https``."""
        return urlsplit(self.url).scheme

    @property
    def host(self) -> str:
        """The host's name, in lower case."""
        return urlsplit(self.url).hostname or ""

    @property
    def port(self) -> int:
        """Its port."""
        return urlsplit(self.url).port or _DEFAULT_PORT[self.scheme]

    @property
    def prefix(self) -> str:
        """What each allowed path begins with: nothing, or ``/v1``."""
        return urlsplit(self.url).path.rstrip("/")

    @property
    def named(self) -> str:
        """The host, with its port where that is not the usual one."""
        is_usual = self.port == _DEFAULT_PORT[self.scheme]
        return self.host if is_usual else f"{self.host}:{self.port}"

    def key(self) -> str | None:
        """Read the key.

        Raises
        ------
        UsageError
            When the variable is not set, or holds no key.
        """
        if self.key_env is None:
            return None
        key = os.environ.get(self.key_env, "").strip()
        if not _KEY.fullmatch(key):
            raise UsageError(
                f"Expected a key in the environment variable {self.key_env}, found "
                f"{'one with blanks or special characters' if key else 'none'}.",
                f"Set it before: export {self.key_env}=…",
            )
        return key
