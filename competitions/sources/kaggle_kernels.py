"""Public notebooks of a competition from Kaggle, by its official client, most voted first.

They are written as ``kaggle kernels pull -m`` writes them, one folder each:
``<folder>/<user>/<slug>/`` with the code and ``kernel-metadata.json``, which is written last and
also holds author, votes and the date of the last run. A notebook that is there is not asked for
again, so that the same call goes on where an earlier one was interrupted.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from competitions.downloads import Patience, wait_before_retry
from competitions.errors import (
    CredentialsMissingError,
    NoSuchDownloadError,
    RulesNotAcceptedError,
    SourceError,
    UsageError,
)
from competitions.io import printable, write_json, write_text
from competitions.sources.credentials import find_credentials
from competitions.sources.kaggle_client import Asked, connected, explanation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from competitions.archive import Show

    _Answer = TypeVar("_Answer")

METADATA = "kernel-metadata.json"
_PAGE_SIZE = 50
_MAX_PAGES = 200
_NAME = re.compile(r"\w[\w.-]{0,199}", re.ASCII)  # what can be no path
_REF = re.compile(rf"/?(?:code/)?({_NAME.pattern})/({_NAME.pattern})", re.ASCII)
_SUFFIXES = {
    ("python", "notebook"): ".ipynb",
    ("r", "notebook"): ".irnb",
    ("julia", "notebook"): ".ijlnb",
    ("python", "script"): ".py",
    ("r", "script"): ".R",
    ("rmarkdown", "script"): ".Rmd",
    ("sqlite", "script"): ".sql",
    ("julia", "script"): ".jl",
}


@dataclass
class Fetched:
    """What a call brought.

    Parameters
    ----------
    new, kept : int
        Notebooks that were written, and those that were there already.
    passed_over : list of (str, str)
        Notebooks that are listed and were not handed out, and why.
    """

    new: int = 0
    kept: int = 0
    passed_over: list[tuple[str, str]] = field(default_factory=list)


def fetch_kernels(
    competition: str,
    top: int,
    folder: Path,
    patience: Patience | None = None,
    show: Show | None = None,
) -> Fetched:
    """Download the public notebooks of a competition that have the most votes.

    Parameters
    ----------
    competition : str
        Its name in Kaggle's addresses.
    top : int
        How many.
    show : callable or None
        Told how many notebooks are there, how many were asked for, and which one comes.

    Raises
    ------
    UsageError
        When the name is none or the number is not positive.
    SourceError
        When Kaggle does not hand them out; its subclasses say why. What came before is kept.
    """
    if not _NAME.fullmatch(competition) or top < 1:
        raise UsageError(
            f"Expected a competition's name and a number of notebooks, found "
            f"{printable(competition)!r} and {top}."
        )
    asking = _Asking(competition, patience or Patience())
    fetched = Fetched()
    for number, kernel in enumerate(asking.best(top), start=1):
        user, slug = kernel
        if show is not None:
            show(number, top, f"{user}/{slug}")
        home = folder / user / slug
        if _is_whole(home):
            fetched.kept += 1
            continue
        try:
            _write(home, asking.one(user, slug), competition)
        except (NoSuchDownloadError, RulesNotAcceptedError, _UnusableAnswerError) as error:
            fetched.passed_over.append((f"{user}/{slug}", str(error).partition("\n")[0]))
        else:
            fetched.new += 1
    return fetched


class _UnusableAnswerError(Exception):
    """A notebook without code, or in no language that is known here."""


def _is_whole(home: Path) -> bool:
    """Say whether a notebook is there, its metadata written last."""
    try:
        told = json.loads((home / METADATA).read_text(encoding="utf-8"))
        return (home / str(told["code_file"])).is_file()
    except (OSError, ValueError, KeyError, TypeError):
        return False


class _Asking:
    """A client, and how often it asks before it gives up."""

    def __init__(self, competition: str, patience: Patience) -> None:
        self.competition = competition
        self.patience = patience
        self.secrets: set[str] = set()
        try:
            self.client = self._answered(
                lambda: connected(find_credentials(), patience, self.secrets), competition
            )
        except CredentialsMissingError as error:
            error.remedy = (
                f"{error.remedy}\n  Without an account: download notebooks by hand into a folder."
            )
            raise

    def best(self, top: int) -> Iterator[tuple[str, str]]:
        """Yield user and name of the notebooks with the most votes."""
        seen: set[tuple[str, str]] = set()
        for page in range(1, _MAX_PAGES + 1):
            fresh = [ref for ref in dict.fromkeys(self._page(page)) if ref not in seen]
            seen.update(fresh)
            yield from fresh[:top]
            top -= len(fresh)
            if top <= 0 or not fresh:
                break
        if not seen:
            raise NoSuchDownloadError(
                f"Kaggle lists no public notebooks of a competition {self.competition!r}.",
                f"Look at https://www.kaggle.com/c/{self.competition}/code",
            )

    def _page(self, page: int) -> list[tuple[str, str]]:
        from kagglesdk.kernels.types.kernels_api_service import ApiListKernelsRequest
        from kagglesdk.kernels.types.kernels_enums import KernelsListSortType

        request = ApiListKernelsRequest()
        request.competition = self.competition
        request.sort_by = KernelsListSortType.VOTE_COUNT
        request.page, request.page_size = page, _PAGE_SIZE
        api = self.client.kernels.kernels_api_client
        answer = self._answered(lambda: api.list_kernels(request), self.competition)
        found = [_REF.fullmatch(str(kernel.ref)) for kernel in answer.kernels or [] if kernel]
        return [(ref[1], ref[2]) for ref in found if ref]

    def one(self, user: str, slug: str) -> Any:  # noqa: ANN401 - the client is untyped
        """Ask for one notebook with its code."""
        from kagglesdk.kernels.types.kernels_api_service import ApiGetKernelRequest

        request = ApiGetKernelRequest()
        request.user_name, request.kernel_slug = user, slug
        api = self.client.kernels.kernels_api_client
        return self._answered(lambda: api.get_kernel(request), f"{user}/{slug}")

    def _answered(self, ask: Callable[[], _Answer], name: str) -> _Answer:
        """Ask until there is an answer or asking again cannot help."""
        failures = 0
        while True:
            try:
                return ask()
            except OSError as error:  # all errors of requests are OSErrors
                failures += 1
                wait = wait_before_retry(error, failures, self.patience)
                if wait is None or failures >= self.patience.tries:
                    told = explanation(error, self._words(name), self.patience, self.secrets)
                    raise (told or error) from error
                self.patience.sleep(wait)
            except (ValueError, TypeError, KeyError, AttributeError) as error:
                raise SourceError(
                    f"Kaggle's answer about {name} could not be read ({type(error).__name__}).",
                    "Try again later.",
                ) from error

    def _words(self, name: str) -> Asked:
        page = f"https://www.kaggle.com/c/{self.competition}/code"
        return Asked(
            name=name,
            page=page,
            unknown=f"Kaggle knows no notebooks of {name}",
            if_unknown=f"Look at {page}",
            if_forbidden=f"Look at {page} with the account of this key.",
            if_offline="Look at the network (a proxy?), or download notebooks by hand.",
        )


def _write(home: Path, answer: Any, competition: str) -> None:  # noqa: ANN401
    """Write a notebook's code and then its metadata."""
    told, blob = answer.metadata, answer.blob
    source = blob.source if blob else ""
    form = (str(blob.language).lower(), str(blob.kernel_type).lower()) if blob else ("", "")
    if not source or told is None or form not in _SUFFIXES:
        raise _UnusableAnswerError(
            f"it has no code, or is a {form[1]} in {form[0]}, which is not read here"
        )
    code_file = f"{home.name}{_SUFFIXES[form]}"
    run = told.last_run_time
    metadata = {
        "id": f"{home.parent.name}/{home.name}",
        "id_no": told.id,
        "title": told.title,
        "code_file": code_file,
        "language": form[0],
        "kernel_type": form[1],
        "is_private": bool(told.is_private),
        "competition_sources": list(told.competition_data_sources or [competition]),
        "dataset_sources": list(told.dataset_data_sources or []),
        "kernel_sources": list(told.kernel_data_sources or []),
        "author": told.author,
        "total_votes": told.total_votes,
        "last_run_time": run.isoformat() if run else None,
    }
    write_text(home / code_file, source.encode("utf-8", "replace").decode())
    write_json(home / METADATA, metadata)
