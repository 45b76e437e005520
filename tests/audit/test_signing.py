"""Signatures are those of ssh-keygen and minisign, of keys made here and thrown away."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import NamedTuple

import pytest

from audit.seal import sealed, verify, verify_exit_code
from audit.signing import check_signature, refuse_unusable, sign, signature_of
from competitions.errors import SignatureError, UsageError
from reports.schema import write_audit
from tests.reports.documents import empty

SSH, MINISIGN = "ssh-keygen", "minisign"


class Pair(NamedTuple):
    """A key, and who may sign as the other side knows it."""

    key: object
    signers: object


def _ssh(folder, name="id", passphrase=""):
    key = folder / name
    words = [SSH, "-q", "-t", "ed25519", "-N", passphrase, "-C", "", "-f", str(key)]
    subprocess.run(words, check=True, capture_output=True)
    signers = folder / f"{name}.allowed"
    signers.write_text(f"lab@example.org {key.with_suffix('.pub').read_text()}")
    return Pair(key, signers)


def _minisign(folder, name="id"):
    pair = Pair(folder / f"{name}.key", folder / f"{name}.pub")
    words = [MINISIGN, "-G", "-W", "-p", str(pair.signers), "-s", str(pair.key)]
    subprocess.run(words, check=True, capture_output=True, stdin=subprocess.DEVNULL)
    return pair


MAKERS = {SSH: _ssh, MINISIGN: _minisign}


@pytest.fixture(params=[SSH, MINISIGN])
def make(request):
    if shutil.which(request.param) is None:
        pytest.skip(f"{request.param} is not installed")
    return MAKERS[request.param]


@pytest.fixture
def document(tmp_path):
    write_audit(sealed(empty(), ()), tmp_path / "audit.json")
    return tmp_path / "audit.json"


def test_a_signature_holds_for_the_document_that_was_signed(make, tmp_path, document):
    pair = make(tmp_path)
    made = sign(document, pair.key)

    assert made == signature_of(document)
    assert check_signature(document, made, pair.signers).holds
    told = verify(document, signers=pair.signers)
    assert [(h.what, h.state) for h in told] == [
        ("document", "as sealed"), ("signature", "as sealed")
    ]  # fmt: skip
    assert verify_exit_code(told) == 0


def test_a_signature_that_nobody_asked_about_is_not_passed_over(tmp_path, document):
    signature_of(document).write_text("anything")
    told = verify(document)

    assert [(h.what, h.state) for h in told] == [
        ("document", "as sealed"), ("signature", "not looked at")
    ]  # fmt: skip
    assert "--allowed-signers" in told[1].said
    assert verify_exit_code(told) == 0


def test_a_signature_holds_for_no_other_document_and_no_other_key(make, tmp_path, document):
    pair, other = make(tmp_path), make(tmp_path, "other")
    made = sign(document, pair.key)
    strange = check_signature(document, made, other.signers)
    document.write_text(document.read_text() + " ")  # as sealed, and other bytes than were signed
    changed = check_signature(document, made, pair.signers)

    assert not strange.holds
    assert not changed.holds
    assert verify_exit_code(verify(document, signers=pair.signers)) == 1


def test_signing_again_replaces_the_signature(make, tmp_path, document):
    pair = make(tmp_path)
    sign(document, pair.key)
    document.write_text(document.read_text() + " ")

    assert check_signature(document, sign(document, pair.key), pair.signers).holds


def test_a_key_that_cannot_sign_is_told_and_never_shown(make, tmp_path, document):
    pair = make(tmp_path)
    lines = pair.key.read_text().splitlines()
    broken = tmp_path / "broken"
    broken.write_text("\n".join([lines[0], *(line[::-1] for line in lines[1:])]))

    with pytest.raises(SignatureError, match="could not be signed") as caught:
        sign(document, broken)
    assert not any(line in str(caught.value) for line in broken.read_text().splitlines())
    assert not signature_of(document).exists()


def test_a_key_or_signature_that_is_not_there_is_a_wrong_call(tmp_path, document):
    with pytest.raises(UsageError, match="none"):
        refuse_unusable(tmp_path / "none")
    with pytest.raises(UsageError, match=r"audit\.json\.sig"):
        verify(document, signers=document)


@pytest.mark.parametrize(
    ("text", "package"),
    [
        pytest.param("-----BEGIN OPENSSH PRIVATE KEY-----\n", "openssh-client", id="ssh"),
        pytest.param("untrusted comment: x\n", "minisign", id="minisign"),
    ],
)
def test_a_program_that_is_missing_is_named_with_its_package(
    tmp_path, document, monkeypatch, text, package
):
    (tmp_path / "key").write_text(text)
    monkeypatch.setitem(os.environ, "PATH", str(tmp_path))

    with pytest.raises(SignatureError, match=f"apt-get install {package}"):
        refuse_unusable(tmp_path / "key")
    with pytest.raises(SignatureError, match=f"apt-get install {package}"):
        verify(document, signature=tmp_path / "key", signers=tmp_path / "key")
