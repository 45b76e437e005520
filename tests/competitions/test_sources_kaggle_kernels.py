"""Public notebooks by Kaggle's real client, from a loopback server that speaks its API."""

from __future__ import annotations

import json
import os

import pytest

from competitions.downloads import Patience
from competitions.errors import (
    CredentialsMissingError,
    CredentialsRefusedError,
    MleAuditError,
    NoSuchDownloadError,
    RateLimitedError,
    ServerFaultError,
    SourceError,
    UsageError,
)
from competitions.sources.kaggle_kernels import METADATA, fetch_kernels
from tests.competitions.kaggle_server import KEY, TOKEN, Fault, Kaggle, serve

TITANIC = "spaceship-titanic"
NOTEBOOK = json.dumps({"cells": [{"cell_type": "code", "source": "x = 1"}], "nbformat": 4})


def kernel(slug, votes, source=NOTEBOOK, user="jane", **changes):
    return {
        "id": votes,
        "ref": f"{user}/{slug}",
        "title": slug.title(),
        "author": user.title(),
        "slug": slug,
        "lastRunTime": "2023-05-06T07:08:09.123456Z",
        "language": "python",
        "kernelType": "notebook",
        "isPrivate": False,
        "totalVotes": votes,
        "competitionDataSources": [TITANIC],
        "source": source,
    } | changes


@pytest.fixture
def server(monkeypatch, tmp_path):
    state = Kaggle()
    running = serve(state)
    for name in [n for n in os.environ if n.upper().startswith(("KAGGLE", "HTTP_PROXY", "NO_PRO"))]:
        monkeypatch.delenv(name)
    for name, value in state.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home" / ".config"))
    monkeypatch.setenv("KAGGLE_API_TOKEN", TOKEN)
    yield state
    state.go_on.set()
    running.shutdown()
    running.server_close()


@pytest.fixture
def slept():
    return []


@pytest.fixture
def fetch(tmp_path, slept):
    def fetch(top=10, competition=TITANIC):
        patience = Patience(sleep=slept.append, clock=lambda: 1_700_000_000.0, timeout_s=5.0)
        return fetch_kernels(competition, top, tmp_path / "kernels", patience)

    return fetch


def names(tmp_path):
    root = tmp_path / "kernels"
    return sorted(p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file())


def test_those_with_the_most_votes_come_and_lie_as_kaggles_own_client_lays_them(
    server, fetch, tmp_path
):
    server.kernels = [kernel("a", 1), kernel("c", 3), kernel("b", 2)]
    server.kernels.append(kernel("other", 9, competitionDataSources=["titanic"]))

    fetched = fetch(top=2)

    assert (fetched.new, fetched.kept, fetched.passed_over) == (2, 0, [])
    assert names(tmp_path) == [
        "jane/b/b.ipynb", f"jane/b/{METADATA}", "jane/c/c.ipynb", f"jane/c/{METADATA}",
    ]  # fmt: skip
    assert (tmp_path / "kernels/jane/c/c.ipynb").read_text() == NOTEBOOK
    told = json.loads((tmp_path / f"kernels/jane/c/{METADATA}").read_text())
    assert told["id"] == "jane/c"
    assert told["code_file"] == "c.ipynb"
    assert told["competition_sources"] == [TITANIC]
    assert (told["total_votes"], told["last_run_time"][:10]) == (3, "2023-05-06")


def test_more_than_a_page_comes_page_by_page_each_once(server, fetch):
    server.kernels, server.kernels_a_page = [kernel(f"k{i}", i) for i in range(9)], 3

    assert fetch(top=8).new == 8


def test_there_may_be_fewer_than_asked_for(server, fetch):
    server.kernels, server.kernels_a_page = [kernel(f"k{i}", i) for i in range(6)], 3

    assert fetch(top=1000).new == 6


@pytest.mark.parametrize(
    ("language", "form", "file"),
    [
        pytest.param("python", "script", "k.py", id="python"),
        pytest.param("r", "script", "k.R", id="r"),
        pytest.param("r", "notebook", "k.irnb", id="r-notebook"),
        pytest.param("rmarkdown", "script", "k.Rmd", id="r-markdown"),
        pytest.param("sqlite", "script", "k.sql", id="sql"),
        pytest.param("julia", "script", "k.jl", id="julia"),
    ],
)
def test_each_language_has_its_suffix(server, fetch, tmp_path, language, form, file):
    server.kernels = [kernel("k", 1, "x", language=language, kernelType=form)]
    fetch()

    assert f"jane/k/{file}" in names(tmp_path)


def test_what_is_there_is_not_asked_for_again(server, fetch):
    server.kernels = [kernel("a", 1), kernel("b", 2)]
    fetch(top=1)
    before = len(server.asked)

    fetched = fetch(top=2)

    assert (fetched.new, fetched.kept) == (1, 1)
    assert len(server.asked) == before + 2  # one list, one notebook


def test_one_whose_metadata_was_not_written_is_fetched_again(server, fetch, tmp_path):
    server.kernels = [kernel("a", 1)]
    fetch()
    (tmp_path / f"kernels/jane/a/{METADATA}").unlink()

    assert fetch().new == 1


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(Fault(403, "Permission 'kernels.get' was denied"), id="private-meanwhile"),
        pytest.param(Fault(404, "Not found"), id="deleted-meanwhile"),
    ],
)
def test_one_that_is_not_handed_out_is_named_and_the_rest_comes(server, fetch, fault):
    server.kernels = [kernel("a", 3), kernel("b", 2, fault=fault), kernel("c", 1)]

    fetched = fetch()

    assert fetched.new == 2
    ((name, why),) = fetched.passed_over
    assert name == "jane/b"
    assert (fault.message or "?") in why


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"source": ""}, id="no-code"),
        pytest.param({"language": "cobol"}, id="unknown-language"),
    ],
)
def test_one_without_code_that_can_be_read_is_named(server, fetch, tmp_path, changes):
    server.kernels = [kernel("a", 1, **changes)]

    assert [name for name, _ in fetch().passed_over] == ["jane/a"]
    assert names(tmp_path) == []


@pytest.mark.parametrize("ref", ["../../etc/x", "jane/..", "a/b/c", "jane", "", "jane/a b"])
def test_a_name_that_could_be_a_path_is_never_used(server, fetch, tmp_path, ref):
    server.kernels = [kernel("a", 9) | {"ref": ref}, kernel("b", 1)]
    fetch()

    assert names(tmp_path) == ["jane/b/b.ipynb", f"jane/b/{METADATA}"]


def test_a_fault_of_the_server_is_waited_for(server, fetch, slept):
    server.kernels = [kernel("a", 1)]
    server.api_faults.extend([Fault(503, None), Fault(429, "slow down", {"Retry-After": "7"})])

    assert fetch().new == 1
    assert slept == [1.0, 7.0]


@pytest.mark.parametrize(
    ("faults", "expected"),
    [
        pytest.param([Fault(503, None)] * 5, ServerFaultError, id="server"),
        pytest.param(
            [Fault(429, "no", {"Retry-After": "9999"})], RateLimitedError, id="come-back-later"
        ),
        pytest.param([Fault(401, f"bad {TOKEN}")], CredentialsRefusedError, id="token"),
        pytest.param([Fault(404, "Competition not found")], NoSuchDownloadError, id="unknown"),
        pytest.param(
            [Fault(200, None, {"Content-Type": "application/json"})], SourceError, id="no-json"
        ),
    ],
)
def test_each_refusal_has_its_error_and_tells_no_secret(server, fetch, faults, expected):
    server.kernels = [kernel("a", 1)]
    server.api_faults.extend(faults)
    with pytest.raises(expected) as caught:
        fetch()

    assert isinstance(caught.value, MleAuditError)
    assert caught.value.remedy
    assert TOKEN not in str(caught.value)
    assert KEY not in str(caught.value)


def test_a_competition_without_notebooks_is_told(server, fetch):
    with pytest.raises(NoSuchDownloadError, match="lists no public notebooks"):
        fetch(competition="nobodys-competition")


def test_no_credentials_is_told_with_the_way_without(server, fetch, monkeypatch):
    monkeypatch.delenv("KAGGLE_API_TOKEN")
    with pytest.raises(CredentialsMissingError) as caught:
        fetch()

    assert "by hand" in (caught.value.remedy or "")
    assert server.asked == []


@pytest.mark.parametrize(("competition", "top"), [("a/b", 1), ("..", 1), (TITANIC, 0)])
def test_what_is_no_name_or_number_is_refused(server, fetch, competition, top):
    with pytest.raises(UsageError):
        fetch(top=top, competition=competition)


def test_the_documents_of_a_download_say_where_they_come_from(server, fetch, tmp_path):
    from detectors.plagiarism.documents import Document, read_documents

    server.kernels = [kernel("a", 5)]
    fetch()
    (document,) = read_documents(tmp_path / "kernels")

    assert isinstance(document, Document)
    assert document.competition == TITANIC
    assert document.provenance.url == "https://www.kaggle.com/code/jane/a"
    assert (document.provenance.author, document.provenance.votes) == ("Jane", 5)
    assert str(document.provenance.created) == "2023-05-06"
