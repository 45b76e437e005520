"""Raw files from Kaggle, by its official client: one zip, fetched, looked at and unpacked.

The client is the package ``kagglesdk``, on which Kaggle's command line rests. That command line's
own package ``kaggle`` is not imported: doing so authenticates, asks the network and may print.
"""

from __future__ import annotations

import re
import shutil
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from competitions.archive import unpack, unpack_inner
from competitions.disk import size_text
from competitions.downloads import InterruptedTransferError, Patience, asked_wait_s, download
from competitions.errors import (
    ArchiveError,
    ClientMissingError,
    CredentialsMissingError,
    CredentialsRefusedError,
    DownloadInterruptedError,
    NoConnectionError,
    NoSuchDownloadError,
    RateLimitedError,
    RawDataError,
    RefusedError,
    RulesNotAcceptedError,
    ServerFaultError,
    SourceError,
    UnsafeArchiveError,
    UsageError,
)
from competitions.io import printable
from competitions.needs import require_disk
from competitions.sources.base import Raw, Request, paths_wanted
from competitions.sources.credentials import Credentials, find_credentials
from competitions.sources.mlebench import check_zip

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import requests
    from kagglesdk import KaggleClient, KaggleCredentials

    from competitions.spec import Competition

_UNAUTHENTICATED, _FORBIDDEN, _NOT_FOUND, _TOO_MANY = 401, 403, 404, 429
_SERVER_FAULT = 500
_MAX_MESSAGE = 300  # characters of what a server says


def fetch(request: Request, patience: Patience | None = None) -> Raw:
    """Download a competition's files and unpack them into our scratch folder.

    The download lies in `Request.downloads` until the task is prepared, so that one that was
    interrupted goes on where it stopped.

    Parameters
    ----------
    patience : Patience or None
        How long to wait for Kaggle, and with which clock.

    Raises
    ------
    UsageError
        See `refuse_others`.
    SourceError
        When Kaggle does not hand them out; its subclasses say why and what helps.
    DiskFullError
        Before anything is fetched, when there is no room to download and prepare the task.
    DigestMismatchError
        When the zip is not the pinned one.
    ArchiveError
        When the zip is broken or unsafe.
    RawDataError
        When a raw file of the task is not in it.
    """
    refuse_others(request)
    spec = request.spec
    archive = request.downloads / f"{spec.id}.zip"
    patience = patience or Patience()
    require_disk(spec, request.downloads.parent, _held(archive))
    with _explained(spec, archive, patience) as secrets, _with_other_ways(spec):
        client = _client(find_credentials(), patience, secrets)
        download(lambda: _ask(client, spec), archive, patience, request.show)
    _unpack(request, archive)
    missing = [p for p in paths_wanted(spec) if not (request.scratch / p).exists()]
    if missing:
        raise RawDataError(
            f"Expected {', '.join(missing)} in what Kaggle hands out for {spec.id}, found none.",
            f"See what there is: {spec.source.url}/data",
        )
    return Raw(request.scratch, "kaggle", spent=request.downloads)


def _held(archive: Path) -> int:
    """Count the bytes of the download that an earlier call left."""
    found = (archive, archive.with_name(f"{archive.name}.part"))
    return sum(path.stat().st_size for path in found if path.is_file())


def refuse_others(request: Request) -> None:
    """Refuse a call that this source cannot serve.

    Raises
    ------
    UsageError
        When the task's files are not from Kaggle, or `--raw` is given.
    """
    spec = request.spec
    if spec.source.kind != "kaggle":
        raise UsageError(
            f"{spec.id} is not from Kaggle: its raw files come from {spec.source.url}.",
            f"Prepare it with: mle-audit prepare -c {spec.id}",
        )
    if request.raw is not None:
        raise RefusedError("--raw goes with --source local; a download needs no folder.")


def _unpack(request: Request, archive: Path) -> None:
    """Unpack the whole; a broken zip is dropped, so that the next call fetches it anew."""
    check_zip(request, archive)
    try:
        unpack(archive, request.scratch, show=request.show)
    except UnsafeArchiveError:
        raise
    except ArchiveError as error:
        shutil.rmtree(request.downloads)
        error.remedy = "It was dropped; the same command downloads it anew."
        raise
    unpack_inner(request.scratch, paths_wanted(request.spec))


def slug_of(spec: Competition) -> str:
    """Return the competition's name in Kaggle's addresses."""
    found = re.search(r"kaggle\.com/(?:c|competitions)/([^/?#]+)", spec.source.url)
    return found[1] if found else spec.id


def _client(credentials: Credentials, patience: Patience, secrets: set[str]) -> KaggleClient:
    """Make a client that waits no longer than `patience` for an answer."""
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


@contextmanager
def _with_other_ways(spec: Competition) -> Iterator[None]:
    """Tell whoever has no client or no account how to go on without."""
    try:
        yield
    except (ClientMissingError, CredentialsMissingError) as error:
        ways = f"Without an account: {_by_hand(spec)}"
        if any(f.miniature for f in spec.raw):
            ways += (
                f", or synthetic data of the same form: mle-audit prepare -c {spec.id} "
                "--source miniature --data-dir DIR"
            )
        error.remedy = f"{error.remedy}\n  {ways}"
        raise


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


def _ask(client: KaggleClient, spec: Competition) -> requests.Response:
    """Ask for all files of a competition as one zip; its body is left unread."""
    from kagglesdk.competitions.types.competition_api_service import ApiDownloadDataFilesRequest

    request = ApiDownloadDataFilesRequest()
    request.competition_name = slug_of(spec)
    answer: requests.Response = client.competitions.competition_api_client.download_data_files(
        request
    )
    return answer


@contextmanager
def _explained(spec: Competition, archive: Path, patience: Patience) -> Iterator[set[str]]:
    """Turn what the client raises into our errors; secrets put into the yielded set are blanked."""
    secrets: set[str] = set()
    try:
        yield secrets
    except OSError as error:  # all errors of requests are OSErrors
        told = _explanation(error, spec, patience, secrets)
        if told is None:
            raise
        part = archive.with_name(f"{archive.name}.part")
        if part.is_file() and part.stat().st_size:
            kept = (
                f"{size_text(part.stat().st_size)} of it are kept; the same command goes on there."
            )
            told.remedy = f"{kept} {told.remedy or ''}".strip()
        raise told from error


def _explanation(
    error: OSError, spec: Competition, patience: Patience, secrets: set[str]
) -> SourceError | None:
    import requests

    if isinstance(error, requests.HTTPError) and error.response is not None:
        return _of_status(error.response, spec, patience, secrets)
    if isinstance(error, InterruptedTransferError):
        return DownloadInterruptedError(f"The download of {spec.id} broke off: {error}.")
    if isinstance(error, requests.Timeout):
        return ServerFaultError(
            f"Kaggle did not answer within {patience.timeout_s:g} s.", "Try again later."
        )
    if isinstance(error, requests.ConnectionError):
        return NoConnectionError(
            f"Kaggle could not be reached: {_reason(error)}.",
            f"Look at the network (a proxy?), or place the files by hand: {_by_hand(spec)}",
        )
    if isinstance(error, requests.RequestException):
        return SourceError(
            f"Kaggle's answer could not be read ({type(error).__name__}).", "Try again later."
        )
    return None


def _of_status(
    response: requests.Response, spec: Competition, patience: Patience, secrets: set[str]
) -> SourceError:
    """Say what an HTTP status means; `response.history` tells the storage from the API."""
    status, said = response.status_code, _said(response, secrets)
    page = f"https://www.kaggle.com/c/{slug_of(spec)}"
    if status == _TOO_MANY:
        asked = asked_wait_s(response, patience.clock())
        when = "a while" if asked is None else f"{asked:.0f} s"
        return RateLimitedError(
            f"Kaggle takes no more calls for now{said}.", f"Wait {when}, then run this again."
        )
    if status >= _SERVER_FAULT or response.history:
        return ServerFaultError(f"Kaggle failed (HTTP {status}){said}.", "Try again later.")
    if status == _UNAUTHENTICATED:
        return _refused(f"for {spec.id}", f"HTTP {status}{said}")
    if status == _FORBIDDEN:
        return RulesNotAcceptedError(
            f"Kaggle does not hand out {spec.id}{said}.",
            f"Accept the rules at {page}/rules, with the account of this key, and run this again. "
            f"Where their button is grey, as in old competitions, try the one to download all at "
            f"{page}/data or the late submission at {page}/submit; else by hand: {_by_hand(spec)}",
        )
    if status == _NOT_FOUND:
        return NoSuchDownloadError(
            f"Kaggle knows no files of a competition {slug_of(spec)!r}{said}.",
            f"Look at {page}; if you have the files: {_by_hand(spec)}",
        )
    return SourceError(f"Kaggle refused the download (HTTP {status}){said}.", f"Look at {page}.")


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


def _by_hand(spec: Competition) -> str:
    return f"mle-audit prepare -c {spec.id} --source local --raw DIR"
