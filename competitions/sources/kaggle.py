"""Raw files from Kaggle, by its official client: one zip, fetched, looked at and unpacked.

The client itself: `competitions.sources.kaggle_client`.
"""

from __future__ import annotations

import re
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

from competitions.archive import unpack, unpack_inner
from competitions.disk import size_text
from competitions.downloads import Patience, download
from competitions.errors import (
    ArchiveError,
    ClientMissingError,
    CredentialsMissingError,
    RawDataError,
    RefusedError,
    UnsafeArchiveError,
    UsageError,
)
from competitions.needs import require_disk
from competitions.sources.base import Raw, Request, paths_wanted
from competitions.sources.credentials import find_credentials
from competitions.sources.kaggle_client import Asked, connected, explanation
from competitions.sources.mlebench import check_zip

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import requests
    from kagglesdk import KaggleClient

    from competitions.spec import Competition


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
        client = connected(find_credentials(), patience, secrets)
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
        told = explanation(error, _asked(spec), patience, secrets)
        if told is None:
            raise
        part = archive.with_name(f"{archive.name}.part")
        if part.is_file() and part.stat().st_size:
            kept = (
                f"{size_text(part.stat().st_size)} of it are kept; the same command goes on there."
            )
            told.remedy = f"{kept} {told.remedy or ''}".strip()
        raise told from error


def _asked(spec: Competition) -> Asked:
    """Word what the client may be told no about."""
    page = f"https://www.kaggle.com/c/{slug_of(spec)}"
    by_hand = _by_hand(spec)
    return Asked(
        name=spec.id,
        page=page,
        unknown=f"Kaggle knows no files of a competition {slug_of(spec)!r}",
        if_unknown=f"Look at {page}; if you have the files: {by_hand}",
        if_forbidden=f"Accept the rules at {page}/rules, with the account of this key, and run "
        "this again. Where their button is grey, as in old competitions, try the one to download "
        f"all at {page}/data or the late submission at {page}/submit; else by hand: {by_hand}",
        if_offline=f"Look at the network (a proxy?), or place the files by hand: {by_hand}",
    )


def _by_hand(spec: Competition) -> str:
    return f"mle-audit prepare -c {spec.id} --source local --raw DIR"
