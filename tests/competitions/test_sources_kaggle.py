"""Kaggle's real client against a loopback server that speaks its API."""

from __future__ import annotations

import hashlib
import io
import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from collections import deque
from pathlib import Path
from types import SimpleNamespace

import pytest
import requests
from hypothesis import example, given, settings
from hypothesis import strategies as st

from audit.runner.bubblewrap import bubblewrap_problem
from competitions import spec
from competitions.data import layout_of
from competitions.downloads import Patience, download
from competitions.errors import (
    ArchiveError,
    ClientMissingError,
    CredentialsExposedError,
    CredentialsMissingError,
    CredentialsRefusedError,
    DigestMismatchError,
    DiskFullError,
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
from competitions.io import sha256_file
from competitions.miniature import write_miniature
from competitions.prepare import load_prepared, prepare
from competitions.prepared import verify
from competitions.sources import Request, kaggle
from competitions.sources.mlebench import md5_file
from tests.competitions.kaggle_server import (
    KEY,
    RULES,
    SIGNATURE,
    TOKEN,
    USERNAME,
    Fault,
    Kaggle,
    serve,
)

TASK = spec.load("spaceship-titanic")
ROOT = Path(__file__).parents[2]
SECRETS = (TOKEN, KEY, SIGNATURE)


def zipped(files, compression=zipfile.ZIP_STORED):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


@pytest.fixture(scope="session")
def raw_csv(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ship")
    write_miniature(TASK, folder)
    return (folder / "train.csv").read_bytes()


@pytest.fixture
def server(monkeypatch, tmp_path, raw_csv):
    """A server that hands out the task's miniature raw files, and a home with a token for it."""
    state = Kaggle(zips={TASK.id: zipped({"train.csv": raw_csv, "filler": os.urandom(3 << 20)})})
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


class Clock:
    """A clock that only sleeping moves."""

    def __init__(self):
        self.now, self.slept = 1_700_000_000.0, []

    def patience(self, **changes):
        return Patience(sleep=self.sleep, clock=lambda: self.now, **{"timeout_s": 5.0} | changes)

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def clock():
    return Clock()


def request(tmp_path, task=TASK, **arguments):
    scratch = tmp_path / "data" / task.id / "scratch"
    scratch.mkdir(parents=True, exist_ok=True)
    return Request(task, scratch, tmp_path / "data" / task.id / "raw", **arguments)


def fetch(tmp_path, clock, **arguments):
    return kaggle.fetch(request(tmp_path, **arguments), clock.patience())


def refused(tmp_path, clock, kind, **arguments):
    """Return the error of a download, having seen that it gives no secret away and helps."""
    with pytest.raises(kind) as caught:
        fetch(tmp_path, clock, **arguments)
    assert caught.value.exit_code == 3
    assert caught.value.remedy
    assert not [s for s in SECRETS if s in str(caught.value)]
    assert not list((tmp_path / "data").rglob("scratch/*"))
    return caught.value


def test_the_files_come_as_they_are_and_the_key_goes_to_the_api_alone(
    server, clock, tmp_path, raw_csv
):
    raw = fetch(tmp_path, clock)

    assert (raw.folder / "train.csv").read_bytes() == raw_csv
    assert (raw.kind, clock.slept) == ("kaggle", [])
    api, storage = server.asked
    assert (api.host, api.headers["Authorization"]) == ("localhost", f"Bearer {TOKEN}")
    assert api.headers["User-Agent"].startswith("mle-audit/")
    assert storage.host == "storage.test"
    assert "Authorization" not in storage.headers


def test_progress_is_told_in_mib(server, clock, tmp_path):
    told = []
    fetch(tmp_path, clock, show=lambda *said: told.append(said))

    assert (3, 3, "spaceship-titanic.zip: MiB downloaded") in told
    assert told[-1][2] == "spaceship-titanic.zip: MiB unpacked"
    assert all(0 <= done <= whole for done, whole, _ in told)


def legacy(home, mode=0o600, text=f'{{"username": "{USERNAME}", "key": "{KEY}"}}', name=".kaggle"):
    (home / name).mkdir(parents=True)
    (home / name / "kaggle.json").write_text(text)
    (home / name / "kaggle.json").chmod(mode)


@pytest.mark.parametrize(
    "place",
    ["token", "token file named", "token file", "key", "kaggle.json", "XDG", "KAGGLE_CONFIG_DIR"],
)
def test_credentials_are_found_wherever_kaggles_client_looks(
    server, clock, tmp_path, monkeypatch, place
):
    home = tmp_path / "home"
    if place != "token":
        monkeypatch.delenv("KAGGLE_API_TOKEN")
    if place.startswith("token file"):
        (home / ".kaggle").mkdir(parents=True)
        (home / ".kaggle" / "access_token").write_text(f"{TOKEN}\n")
        (home / ".kaggle" / "access_token").chmod(0o600)
        if "named" in place:
            moved = (home / ".kaggle" / "access_token").rename(tmp_path / "mine")
            monkeypatch.setenv("KAGGLE_API_TOKEN", str(moved))
    elif place == "key":
        monkeypatch.setenv("KAGGLE_USERNAME", USERNAME)
        monkeypatch.setenv("KAGGLE_KEY", KEY)
    elif place == "KAGGLE_CONFIG_DIR":
        legacy(tmp_path, name="elsewhere")
        monkeypatch.setenv("KAGGLE_CONFIG_DIR", str(tmp_path / "elsewhere"))
    elif place != "token":
        legacy(home, name=".kaggle" if place == "kaggle.json" else ".config/kaggle")

    assert fetch(tmp_path, clock).kind == "kaggle"


def test_without_credentials_nothing_is_asked(server, clock, tmp_path, monkeypatch):
    monkeypatch.delenv("KAGGLE_API_TOKEN")
    error = refused(tmp_path, clock, CredentialsMissingError)

    for said in ("https://www.kaggle.com/settings", "--source local --raw DIR", "miniature"):
        assert said in (error.remedy or "")
    assert server.asked == []


def logged_in(home, until, access_token=TOKEN):
    """Write what ``kaggle auth login`` leaves."""
    (home / ".kaggle").mkdir(parents=True)
    path = home / ".kaggle" / "credentials.json"
    content = {"refresh_token": "r", "access_token": access_token, "username": USERNAME}
    path.write_text(json.dumps(content | {"access_token_expiration": until, "scopes": []}))
    path.chmod(0o600)
    return path


@pytest.mark.parametrize(
    ("until", "token", "calls"),
    [
        pytest.param("2999-01-01T00:00:00+00:00", TOKEN, 2, id="fresh"),
        pytest.param("2020-01-01T00:00:00+00:00", "KGAT_old", 3, id="run-out"),
    ],
)
def test_a_login_of_kaggles_command_line_is_used_and_renewed(
    server, clock, tmp_path, monkeypatch, *, until, token, calls
):
    monkeypatch.delenv("KAGGLE_API_TOKEN")
    path = logged_in(tmp_path / "home", until, token)

    assert fetch(tmp_path, clock).kind == "kaggle"
    assert len(server.asked) == calls
    assert json.loads(path.read_text())["access_token"] == TOKEN


@pytest.mark.parametrize("content", ["{}", "{", '{"refresh_token": ""}'])
def test_a_login_file_that_holds_nothing_is_told(server, clock, tmp_path, monkeypatch, content):
    monkeypatch.delenv("KAGGLE_API_TOKEN")
    logged_in(tmp_path / "home", "2020-01-01T00:00:00+00:00").write_text(content)

    assert "credentials.json" in refused(tmp_path, clock, CredentialsRefusedError).problem


def test_a_server_that_cannot_renew_a_login_is_no_matter_of_the_login(
    server, clock, tmp_path, monkeypatch
):
    monkeypatch.delenv("KAGGLE_API_TOKEN")
    logged_in(tmp_path / "home", "2020-01-01T00:00:00+00:00")
    server.api_faults.append(Fault(503))

    assert "HTTP 503" in refused(tmp_path, clock, ServerFaultError).problem


@pytest.mark.parametrize("status", [400, 401, 403])
def test_a_login_that_kaggle_ended_is_told(server, clock, tmp_path, monkeypatch, status):
    monkeypatch.delenv("KAGGLE_API_TOKEN")
    logged_in(tmp_path / "home", "2020-01-01T00:00:00+00:00")
    server.api_faults.append(Fault(status, "Invalid grant"))

    assert "credentials.json" in refused(tmp_path, clock, CredentialsRefusedError).problem


@pytest.mark.parametrize(
    "text",
    [
        *("{", "[]", '{"username": "somebody"}', f'"{KEY}"', "\x00\x01"),
        pytest.param("[" * 100_000, id="nested without end"),
    ],
)
def test_a_key_file_that_holds_none_is_told_without_its_content(
    server, clock, tmp_path, monkeypatch, text
):
    monkeypatch.delenv("KAGGLE_API_TOKEN")
    legacy(tmp_path / "home", text=text)

    assert "kaggle.json" in refused(tmp_path, clock, CredentialsMissingError).problem


@pytest.mark.parametrize(
    "secret", ["KGAT_s3cret\nline", "KGAT_s3cretü", "  ", "KGAT_s3 cret\x00"[:-1]]
)
@pytest.mark.parametrize("variable", ["KAGGLE_API_TOKEN", "KAGGLE_KEY"])
def test_what_cannot_stand_in_a_header_is_told_and_never_quoted(
    server, clock, tmp_path, monkeypatch, secret, variable
):
    monkeypatch.delenv("KAGGLE_API_TOKEN")
    monkeypatch.setenv("KAGGLE_USERNAME", USERNAME)
    monkeypatch.setenv(variable, secret)
    error = refused(tmp_path, clock, CredentialsMissingError)

    assert "s3" not in str(error)
    assert server.asked == []


def test_a_token_with_a_line_end_is_taken(server, clock, tmp_path, monkeypatch):
    monkeypatch.setenv("KAGGLE_API_TOKEN", f" {TOKEN}\n")

    assert fetch(tmp_path, clock).kind == "kaggle"


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604])
def test_a_key_that_others_can_read_is_not_used(server, clock, tmp_path, monkeypatch, mode):
    monkeypatch.delenv("KAGGLE_API_TOKEN")
    legacy(tmp_path / "home", mode)
    error = refused(tmp_path, clock, CredentialsExposedError)

    assert "chmod 600" in (error.remedy or "")
    assert server.asked == []


def test_a_wrong_token_is_told_with_kaggles_word_and_not_tried_again(
    server, clock, tmp_path, monkeypatch
):
    monkeypatch.setenv("KAGGLE_API_TOKEN", "KGAT_wrong")
    error = refused(tmp_path, clock, CredentialsRefusedError)

    assert "HTTP 401: Unauthenticated" in error.problem
    assert (len(server.asked), clock.slept) == (1, [])


@pytest.mark.parametrize("message", [RULES, "Permission 'competitions.participate' was denied"])
def test_rules_that_are_not_accepted_name_their_page_and_the_ways_around(
    server, clock, tmp_path, message
):
    server.api_faults.append(Fault(403, message))
    error = refused(tmp_path, clock, RulesNotAcceptedError)

    assert message.rstrip(".") in error.problem
    for said in ("/c/spaceship-titanic/rules", "/data", "/submit", "--source local --raw DIR"):
        assert said in (error.remedy or "")
    assert clock.slept == []


def test_a_competition_that_kaggle_does_not_know(server, clock, tmp_path):
    server.zips.clear()

    assert "'spaceship-titanic'" in refused(tmp_path, clock, NoSuchDownloadError).problem


@pytest.mark.parametrize(
    ("header", "slept"),
    [
        pytest.param({"Retry-After": "7"}, [7.0], id="seconds"),
        pytest.param({"Retry-After": "Tue, 14 Nov 2023 22:13:50 GMT"}, [30.0], id="a-date"),
        pytest.param({"Retry-After": "Tue, 14 Nov 2023 22:00:00 GMT"}, [0.0], id="a-date-gone-by"),
        pytest.param({"Retry-After": "soon"}, [1.0], id="no-time"),
        pytest.param({}, [1.0], id="nothing"),
    ],
)
def test_a_wait_that_kaggle_asks_for_is_kept(server, clock, tmp_path, header, slept):
    server.api_faults.append(Fault(429, "Too many requests", header))

    assert fetch(tmp_path, clock).kind == "kaggle"
    assert clock.slept == slept


def test_a_rate_limit_that_stays_ends_after_five_tries(server, clock, tmp_path):
    server.api_faults.extend([Fault(429, "Too many requests", {"Retry-After": "9"})] * 9)
    error = refused(tmp_path, clock, RateLimitedError)

    assert "Wait 9 s" in (error.remedy or "")
    assert (len(server.asked), clock.slept) == (5, [9.0] * 4)


def test_a_wait_too_long_is_told_and_not_kept(server, clock, tmp_path):
    server.api_faults.append(Fault(429, "Too many requests", {"Retry-After": "86400"}))

    assert "Wait 86400 s" in (refused(tmp_path, clock, RateLimitedError).remedy or "")
    assert clock.slept == []


@pytest.mark.parametrize("fault", [Fault(500, "Oops"), Fault(502), Fault(503), Fault(504)])
def test_a_server_that_fails_is_tried_five_times_ever_slower(server, clock, tmp_path, fault):
    server.api_faults.extend([fault] * 9)
    error = refused(tmp_path, clock, ServerFaultError)

    assert f"HTTP {fault.status}" in error.problem
    assert clock.slept == [1.0, 2.0, 4.0, 8.0]


def test_a_server_that_recovers_is_forgiven(server, clock, tmp_path):
    server.api_faults.extend([Fault(503), Fault(500, "Oops"), Fault(429, "Slow down")])

    assert fetch(tmp_path, clock).kind == "kaggle"
    assert clock.slept == [1.0, 2.0, 4.0]


def test_a_signed_address_that_expired_is_asked_for_anew(server, clock, tmp_path):
    server.storage_faults.append(Fault(403))

    assert fetch(tmp_path, clock).kind == "kaggle"
    assert [call.method for call in server.asked] == ["POST", "GET", "POST", "GET"]


def test_a_storage_that_always_refuses_is_no_matter_of_rules(server, clock, tmp_path):
    server.storage_faults.extend([Fault(403)] * 9)

    assert "HTTP 403" in refused(tmp_path, clock, ServerFaultError).problem


def test_an_answer_that_never_comes_is_a_fault_of_the_server(server, clock, tmp_path):
    server.api_faults.extend([Fault(0)] * 9)
    with pytest.raises(ServerFaultError, match=r"did not answer within 0\.1 s"):
        kaggle.fetch(request(tmp_path), clock.patience(timeout_s=0.1, tries=2))


def test_a_body_that_stalls_is_an_interrupted_download(server, clock, tmp_path):
    server.held = 1 << 17
    with pytest.raises(DownloadInterruptedError) as caught:
        kaggle.fetch(request(tmp_path), clock.patience(timeout_s=0.2, tries=2))

    assert "256 KiB of it are kept" in (caught.value.remedy or "")


def test_nobody_listens(server, clock, tmp_path, monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    error = refused(tmp_path, clock, NoConnectionError)

    assert "Connection refused" in error.problem
    assert len(clock.slept) == 4


def test_other_refusals_are_told_once(server, clock, tmp_path):
    server.api_faults.append(Fault(418, f"I am a teapot and heard {TOKEN} \x1b[31m"))
    error = refused(tmp_path, clock, SourceError)

    assert "HTTP 418" in error.problem
    assert "heard ***" in error.problem
    assert "\x1b" not in error.problem


def test_a_cut_download_goes_on_where_it_stopped(server, clock, tmp_path, raw_csv):
    whole = len(server.zips[TASK.id])
    unread = 99 << 20  # the whole is offered first, and left for its rest
    server.cuts.extend([2 << 20, unread, 1 << 20])
    raw = fetch(tmp_path, clock)

    assert (raw.folder / "train.csv").read_bytes() == raw_csv
    ranges = [call.headers.get("Range") for call in server.at_storage()]
    assert ranges[0] is None
    assert f"bytes={2 << 20}-" in ranges
    assert f"bytes={3 << 20}-" in ranges
    assert clock.slept == [1.0, 1.0]  # each try brought enough to begin counting anew
    assert whole > 3 << 20


def test_a_download_that_only_ever_breaks_ends_and_its_part_is_kept(server, clock, tmp_path):
    server.cuts.extend([70_000] * 99)
    error = refused(tmp_path, clock, DownloadInterruptedError)

    assert "320 KiB of it are kept" in (error.remedy or "")
    assert clock.slept == [1.0, 2.0, 4.0, 8.0]
    server.cuts.clear()
    assert fetch(tmp_path, clock).kind == "kaggle"
    assert server.at_storage()[-1].headers["Range"] == f"bytes={5 << 16}-"


@settings(max_examples=25)
@example(cuts=[], held=800_000)
@given(cuts=st.lists(st.integers(0, 900_000), max_size=9), held=st.integers(0, 800_000))
def test_wherever_a_download_breaks_the_file_is_the_same(tmp_path_factory, cuts, held):
    """Also when it begins with the part of an earlier one, whatever that holds of the file."""
    content, here = os.urandom(800_000), tmp_path_factory.mktemp("cuts")
    state, clock = Kaggle(zips={"a": content}, cuts=deque(cuts)), Clock()
    running = serve(state)
    remote = {"validator": f'"{hashlib.md5(content).hexdigest()}"', "size": len(content)}  # noqa: S324
    (here / "a.zip.part").write_bytes(content[:held])
    (here / "a.zip.json").write_text(json.dumps(remote))
    with requests.Session() as session:
        url = f"http://127.0.0.1:{state.port}/a.zip"
        download(
            lambda: session.get(url, stream=True, timeout=5),
            here / "a.zip",
            clock.patience(tries=99),
        )
    running.shutdown()
    running.server_close()

    assert (here / "a.zip").read_bytes() == content
    assert not (here / "a.zip.part").exists()


def test_a_zip_that_changed_meanwhile_is_not_glued_to_the_old_part(server, clock, tmp_path):
    server.cuts.extend([70_000] * 99)
    refused(tmp_path, clock, DownloadInterruptedError)
    server.cuts.clear()
    server.zips[TASK.id] = zipped({"train.csv": bytes(9 << 16)})

    assert (fetch(tmp_path, clock).folder / "train.csv").read_bytes() == bytes(9 << 16)


@pytest.mark.parametrize(
    "lacks",
    [
        pytest.param({"etag": False}, id="a-date-only"),
        pytest.param({"etag": False, "dated": False}, id="no-identity"),
        pytest.param({"sized": False}, id="no-size"),
        pytest.param({"ranges": False}, id="no-ranges"),
        pytest.param({"wrong_range": True}, id="another-range-than-asked"),
        pytest.param({"packed": True}, id="a-compressed-body"),
    ],
)
def test_a_storage_that_tells_less_hands_out_the_same_file(server, clock, tmp_path, raw_csv, lacks):
    for name, value in lacks.items():
        setattr(server, name, value)
    server.cuts.append(1 << 20)
    if not server.sized or server.packed:
        server.cuts.clear()  # an end that cannot be told from a cut is found by unpacking

    assert (fetch(tmp_path, clock).folder / "train.csv").read_bytes() == raw_csv


def test_a_whole_download_is_not_fetched_twice(server, clock, tmp_path):
    fetch(tmp_path, clock)
    sent = server.sent
    (tmp_path / "data" / TASK.id / "scratch" / "train.csv").unlink()
    (tmp_path / "data" / TASK.id / "scratch" / "filler").unlink()
    server.held = 0  # a body would now wait for ever

    assert fetch(tmp_path, clock).kind == "kaggle"
    assert server.sent == sent


def test_a_part_longer_than_the_whole_is_dropped(server, clock, tmp_path, raw_csv):
    server.cuts.extend([70_000] * 99)
    refused(tmp_path, clock, DownloadInterruptedError)
    server.cuts.clear()
    part = tmp_path / "data" / TASK.id / ".download" / f"{TASK.id}.zip.part"
    part.write_bytes(bytes(9 << 20))

    assert (fetch(tmp_path, clock).folder / "train.csv").read_bytes() == raw_csv


def damaged(content, at):
    return content[:at] + bytes([content[at] ^ 255]) + content[at + 1 :]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param(lambda z: damaged(z, 100), "CRC", id="one-byte-differs"),
        pytest.param(lambda z: z[: len(z) // 2], "its end is missing", id="truncated"),
        pytest.param(lambda _: b"<!DOCTYPE html>sign in", "web page", id="a-login-page"),
        pytest.param(lambda _: b"7z\xbc\xaf\x27\x1c" + bytes(40), "7z", id="another-archive"),
    ],
)
def test_a_broken_zip_is_dropped_and_comes_anew(server, clock, tmp_path, change, said):
    good = server.zips[TASK.id]
    server.zips[TASK.id] = change(good)
    with pytest.raises(ArchiveError, match=said) as caught:
        prepare_by(tmp_path)
    assert "downloads it anew" in (caught.value.remedy or "")
    server.zips[TASK.id] = good

    assert prepare_by(tmp_path).source == "kaggle"


def prepare_by(tmp_path, **arguments):
    return prepare(TASK, tmp_path / "data", "kaggle", **arguments)


def test_an_unsafe_zip_writes_nothing(server, tmp_path):
    server.zips[TASK.id] = zipped({"../../../../evil": "x", "train.csv": "y"})

    with pytest.raises(UnsafeArchiveError, match="leads outside"):
        prepare_by(tmp_path)
    assert not list(tmp_path.rglob("evil"))
    assert not list(tmp_path.rglob("train.csv"))


def test_files_that_kaggle_packs_once_more_are_found(server, clock, tmp_path, raw_csv):
    server.zips[TASK.id] = zipped({"train.csv.zip": zipped({"train.csv": raw_csv})})

    assert (fetch(tmp_path, clock).folder / "train.csv").read_bytes() == raw_csv


def test_a_zip_without_a_raw_file_of_the_task_is_told(server, clock, tmp_path):
    server.zips[TASK.id] = zipped({"other.csv": "x"})

    with pytest.raises(RawDataError, match=r"Expected train\.csv"):
        fetch(tmp_path, clock)


def test_the_zip_is_compared_with_the_pin_of_the_task_and_with_mlebenchs(server, clock, tmp_path):
    path = tmp_path / "it.zip"
    path.write_bytes(server.zips[TASK.id])
    right, wrong = md5_file(path), "0" * 32
    (tmp_path / "right.yaml").write_text(f"zip: {right}\n")
    (tmp_path / "wrong.yaml").write_text(f"zip: '{wrong}'\n")
    pinned = TASK.source.model_copy(update={"zip_md5": wrong})
    other = TASK.model_copy(update={"source": pinned})

    assert fetch(tmp_path, clock, checksums=tmp_path / "right.yaml").kind == "kaggle"
    for arguments in ({"checksums": tmp_path / "wrong.yaml"}, {"task": other}):
        with pytest.raises(DigestMismatchError, match=f"expected md5 {wrong}, found {right}"):
            fetch(tmp_path, clock, **arguments)


def test_a_disk_too_small_is_told_before_a_byte_is_written(server, clock, tmp_path, monkeypatch):
    monkeypatch.setattr("competitions.disk.shutil.disk_usage", lambda _: SimpleNamespace(free=4096))
    error = refused(tmp_path, clock, DiskFullError)

    assert "MiB needed, 4 KiB free" in error.problem
    assert "--data-dir" in (error.remedy or "")
    assert not list((tmp_path / "data").rglob("*.part"))


@pytest.mark.sandbox
def test_a_disk_that_fills_up_on_the_way_is_told_and_the_part_kept(server, tmp_path):
    """A real file system of 2 MiB, and a server that does not say how much will come."""
    if problem := bubblewrap_problem():
        pytest.skip(problem)
    server.sized = False
    script = (
        "import sys; from pathlib import Path; from competitions import spec\n"
        "from competitions.errors import DiskFullError\n"
        "from competitions.prepare import prepare\n"
        "try: prepare(spec.load('spaceship-titanic'), Path('/small'), 'kaggle')\n"
        "except DiskFullError as error: print(error)"
    )
    inside = ["bwrap", "--bind", "/", "/", "--dev", "/dev", "--size", str(2 << 20)]
    inside += ["--tmpfs", "/small", sys.executable, "-c", script]
    done = subprocess.run(inside, cwd=ROOT, capture_output=True, text=True, check=False)

    assert "/small/spaceship-titanic" in done.stdout, done.stderr
    assert ": more needed, " in done.stdout


def test_a_client_that_is_not_installed_names_the_command(server, clock, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "kagglesdk", None)

    assert "pip install" in (refused(tmp_path, clock, ClientMissingError).remedy or "")


def test_a_client_of_another_make_is_told_and_not_used(server, clock, tmp_path, monkeypatch):
    from kagglesdk.kaggle_http_client import KaggleHttpClient

    monkeypatch.setattr(KaggleHttpClient, "__enter__", lambda self: self)
    error = refused(tmp_path, clock, ClientMissingError)

    assert "not in a version that works here" in error.problem
    assert server.asked == []


def test_an_answer_that_is_no_json_though_it_says_so(server, clock, tmp_path):
    server.api_faults.append(Fault(200, None, {"Content-Type": "application/json"}))

    assert "could not be read" in refused(tmp_path, clock, SourceError).problem


def test_importing_the_sources_imports_no_client_and_asks_nobody():
    script = (
        "import sys, competitions.sources, competitions.prepare\n"
        "print([m for m in ('kaggle', 'kagglesdk', 'requests') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert done.stdout == "[]\n"


def test_what_is_not_from_kaggle_or_has_a_folder_is_refused(tmp_path, clock):
    with pytest.raises(UsageError, match="not from Kaggle"):
        fetch(tmp_path, clock, task=spec.load("modechoice"))
    with pytest.raises(RefusedError, match="--source local"):
        fetch(tmp_path, clock, raw=tmp_path)


def test_preparing_from_kaggle_leaves_the_prepared_data_alone(server, tmp_path, raw_csv):
    prepared = prepare_by(tmp_path)

    verify(prepared)
    assert (prepared.source, prepared.manifest and prepared.manifest.seed) == ("kaggle", None)
    assert left(tmp_path) == [".prepare.lock", "prepared"]


def test_raw_files_are_kept_when_asked(server, tmp_path, raw_csv):
    prepare_by(tmp_path, keep_raw=True)

    assert left(tmp_path) == [".prepare.lock", "prepared", "raw"]
    assert (layout_of(TASK, tmp_path / "data").raw / "train.csv").read_bytes() == raw_csv


def test_a_download_whose_files_have_another_schema_is_kept_for_a_look(server, tmp_path):
    server.zips[TASK.id] = zipped({"train.csv": "a,b\n1,2\n"})

    with pytest.raises(RawDataError, match="columns"):
        prepare_by(tmp_path)
    assert left(tmp_path) == [".download", ".prepare.lock"]


def left(tmp_path):
    return sorted(p.name for p in layout_of(TASK, tmp_path / "data").root.iterdir())


def command(tmp_path):
    return [
        *(sys.executable, "-m", "audit.cli", "prepare", "-c", TASK.id, "--source", "kaggle"),
        *("--data-dir", str(tmp_path / "data")),
    ]


@pytest.mark.slow
def test_killed_in_the_middle_of_the_download_it_goes_on_and_ends_the_same(
    server, tmp_path, raw_csv
):
    """The whole way on the command line: prepare, SIGKILL, prepare again, compare."""
    whole = len(server.zips[TASK.id])
    server.held = 2 << 20
    part = tmp_path / "data" / TASK.id / ".download" / f"{TASK.id}.zip.part"
    with subprocess.Popen(command(tmp_path), cwd=ROOT, stderr=subprocess.PIPE) as process:
        until = time.monotonic() + 60
        while not (part.is_file() and part.stat().st_size >= 1 << 20):
            assert process.poll() is None, process.stderr and process.stderr.read()
            assert time.monotonic() < until
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait(10)
    held, server.held = part.stat().st_size, None
    server.go_on.set()
    before = len(server.at_storage())
    done = subprocess.run(command(tmp_path), cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert "kaggle" in done.stdout
    assert not [s for s in SECRETS if s in done.stdout + done.stderr]
    assert server.at_storage()[before + 1].headers["Range"] == f"bytes={held}-"
    assert 1 << 20 <= held < whole
    assert left(tmp_path) == [".prepare.lock", "prepared"]
    by_hand = tmp_path / "hand"
    by_hand.mkdir()
    (by_hand / "train.csv").write_bytes(raw_csv)
    other = prepare(TASK, tmp_path / "other", raw=by_hand)
    first = layout_of(TASK, tmp_path / "data").prepared
    for name in ("public/train.csv", "public/test.csv", "private/test.csv"):
        assert sha256_file(first / name) == sha256_file(other.folder / name)


@pytest.mark.slow
@pytest.mark.parametrize("delay_s", [0.5, 1.0, 1.3, 1.5, 1.7, 1.9, 2.1, 2.5, 3.0])
def test_killed_at_any_moment_the_next_call_prepares_the_whole(server, tmp_path, delay_s):
    with subprocess.Popen(command(tmp_path), cwd=ROOT, stdout=subprocess.DEVNULL) as process:
        time.sleep(delay_s)
        process.kill()
    done = subprocess.run(command(tmp_path), cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    verify(load_prepared(TASK, tmp_path / "data"))
    assert left(tmp_path) == [".prepare.lock", "prepared"]
