"""Kaggle's official client: connecting it, and what its refusals mean.

The client is the package ``kagglesdk``, on which Kaggle's command line rests. That command line's
own package ``kaggle`` is not imported: doing so authenticates, asks the network and may print.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from competitions.downloads import InterruptedTransferError, Patience, asked_wait_s
from competitions.errors import (
    ClientMissingError,
    CredentialsRefusedError,
    DownloadInterruptedError,
    NoConnectionError,
    NoSuchDownloadError,
    RateLimitedError,
    RulesNotAcceptedError,
    ServerFaultError,
    SourceError,
)
from competitions.io import printable

if TYPE_CHECKING:
    import requests
    from kagglesdk import KaggleClient, KaggleCredentials

    from competitions.sources.credentials import Credentials

_UNAUTHENTICATED, _FORBIDDEN, _NOT_FOUND, _TOO_MANY = 401, 403, 404, 429
_SERVER_FAULT = 500
_MAX_MESSAGE = 300  # characters of what a server says


@dataclass(frozen=True)
class Asked:
    """What Kaggle is asked for, in words for whoever is told no.

    Parameters
    ----------
    name, page : str
        What it is, and where it stands on Kaggle.
    unknown : str
        The sentence, without its full stop, when Kaggle does not know it.
    if_unknown, if_forbidden, if_offline : str
        What helps.
    """

    name: str
    page: str
    unknown: str
    if_unknown: str
    if_forbidden: str
    if_offline: str


def connected(credentials: Credentials, patience: Patience, secrets: set[str]) -> KaggleClient:
    """Make a client that waits no longer than `patience` for an answer.

    Parameters
    ----------
    secrets : set of str
        Gets what must never be printed.

    Raises
    ------
    ClientMissingError
        When it is not installed, or not in a version that works here.
    CredentialsRefusedError
        When Kaggle does not renew what ``kaggle auth login`` left.
    """
    try:
        from kagglesdk import KaggleClient, KaggleCredentials
        from requests.adapters import HTTPAdapter
    except ImportError as error:
        raise _unusable(str(error)) from error

    class Impatient(HTTPAdapter):
        def send(self, *arguments: Any, **options: Any) -> requests.Response:  # noqa: ANN401
            return super().send(*arguments, **options | {"timeout": patience.timeout_s})

    def made(**who: str | None) -> KaggleClient:
        client = KaggleClient(user_agent=f"mle-audit/{_version()}", **who)
        with client:  # opens a session, and closing one only drops its idle connections
            session = getattr(client.http_client(), "_session", None)
        if session is None:  # the client offers no time-out; without one it may wait for ever
            raise _unusable("its session has no name that is known here")
        for scheme in ("https://", "http://"):
            session.mount(scheme, Impatient())
        return client

    token = credentials.token
    if credentials.oauth is not None:
        token = _renewed(KaggleCredentials.load(made(), str(credentials.oauth)), credentials)
    secrets |= {secret for secret in (token, credentials.key) if secret}
    if token:
        return made(api_token=token)
    return made(username=credentials.username, password=credentials.key)


def _renewed(saved: KaggleCredentials | None, credentials: Credentials) -> str:
    """Return the token of ``kaggle auth login``; the client renews one that has run out."""
    from requests import HTTPError

    try:
        token = saved.get_access_token() if saved is not None else None
    except HTTPError as error:
        if error.response is None or error.response.status_code >= _SERVER_FAULT:
            raise
        raise _refused(credentials.place, f"HTTP {error.response.status_code}") from error
    if not token:
        raise _refused(credentials.place, "it holds no token that could be renewed")
    return str(token)


def _unusable(why: str) -> ClientMissingError:
    return ClientMissingError(
        f"Kaggle's client is not installed, or not in a version that works here: {why}.",
        "Install it, in a checkout: pip install -c constraints.txt '.[kaggle]'",
    )


def _version() -> str:
    try:
        return version("mle-audit")
    except PackageNotFoundError:
        return "unknown"


def explanation(
    error: OSError, asked: Asked, patience: Patience, secrets: set[str]
) -> SourceError | None:
    """Turn what the client raises into our error; None for a fault that is not Kaggle's."""
    import requests

    if isinstance(error, requests.HTTPError) and error.response is not None:
        return _of_status(error.response, asked, patience, secrets)
    if isinstance(error, InterruptedTransferError):
        return DownloadInterruptedError(f"The download of {asked.name} broke off: {error}.")
    if isinstance(error, requests.Timeout):
        return ServerFaultError(
            f"Kaggle did not answer within {patience.timeout_s:g} s.", "Try again later."
        )
    if isinstance(error, requests.ConnectionError):
        return NoConnectionError(
            f"Kaggle could not be reached: {_reason(error)}.", asked.if_offline
        )
    if isinstance(error, requests.RequestException):
        return SourceError(
            f"Kaggle's answer could not be read ({type(error).__name__}).", "Try again later."
        )
    return None


def _of_status(
    response: requests.Response, asked: Asked, patience: Patience, secrets: set[str]
) -> SourceError:
    """Say what an HTTP status means; `response.history` tells the storage from the API."""
    status, said = response.status_code, _said(response, secrets)
    if status == _TOO_MANY:
        wait = asked_wait_s(response, patience.clock())
        when = "a while" if wait is None else f"{wait:.0f} s"
        return RateLimitedError(
            f"Kaggle takes no more calls for now{said}.", f"Wait {when}, then run this again."
        )
    if status >= _SERVER_FAULT or response.history:
        return ServerFaultError(f"Kaggle failed (HTTP {status}){said}.", "Try again later.")
    if status == _UNAUTHENTICATED:
        return _refused(f"for {asked.name}", f"HTTP {status}{said}")
    if status == _FORBIDDEN:
        return RulesNotAcceptedError(
            f"Kaggle does not hand out {asked.name}{said}.", asked.if_forbidden
        )
    if status == _NOT_FOUND:
        return NoSuchDownloadError(f"{asked.unknown}{said}.", asked.if_unknown)
    return SourceError(
        f"Kaggle refused the download (HTTP {status}){said}.", f"Look at {asked.page}."
    )


def _refused(place: str, why: str) -> CredentialsRefusedError:
    return CredentialsRefusedError(
        f"Kaggle does not take the token or key {place}: {why}.",
        "Make a new one at https://www.kaggle.com/settings; it replaces the old one.",
    )


def _said(response: requests.Response, secrets: set[str]) -> str:
    """Quote the server's own message; pages and signed addresses are not quoted."""
    try:
        message = str(response.json()["message"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""
    for secret in secrets:
        message = message.replace(secret, "***")
    return f": {printable(' '.join(message.split()))[:_MAX_MESSAGE].rstrip('.')}"


def _reason(error: BaseException) -> str:
    """Return the system's words at the bottom of an error, without any address."""
    seen: BaseException | None = error
    found = type(error).__name__
    while seen is not None:
        if isinstance(seen, OSError) and seen.strerror:
            found = seen.strerror
        seen = seen.__cause__ or seen.__context__
    return found
