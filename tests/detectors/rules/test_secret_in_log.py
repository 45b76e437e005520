"""Keys in code and logs of any format are reported once each, masked; placeholders are not."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from audit.check import check
from detectors.rules.secret_in_log import MAX_LINE, SecretInLog
from reports.schema import Confidence, Outcome, Severity
from tests.conftest import write_attempt
from tests.reports.secrets import KEYS, NAMED, PRIVATE_KEY

KEY = KEYS["OpenAI API key of a project"]


def asked(tmp_path, **files):
    return check(SecretInLog(), write_attempt(tmp_path / "breast-cancer_1", **files))


def inspect_log(text):
    """An archive with one sample, in which a key stands in a message."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps({"version": 2, "eval": {"task": "t"}}))
        message = {"role": "assistant", "content": text}
        sample = {"id": 1, "epoch": 1, "messages": [message], "input": "x", "target": "y"}
        archive.writestr("samples/1_epoch_1.json", json.dumps(sample))
    return stream.getvalue()


@pytest.mark.parametrize(
    ("files", "place"),
    [
        ({"code": f"import openai\nopenai.api_key = '{KEY}'\n"}, ("code/main.py", 2)),
        ({"logs": f"start\n$ export OPENAI_API_KEY={KEY}\n"}, ("logs/agent.log", 2)),
        ({"run_log": f"Traceback\nKey {KEY} is wrong\n"}, ("run.log", 2)),
        ({"logs": {"journal.json": json.dumps({"nodes": [{"code": f"k='{KEY}'"}]})}},
         ("logs/journal.json", 1)),
        ({"logs": {"a.traj": json.dumps({"history": [{"content": f"K={KEY}"}]}, indent=1)}},
         ("logs/a.traj", 4)),
        ({"code": {"cfg.yaml": f"a: 1\nkey: {KEY}\n", "a.py": "x = 1\n"}}, ("code/cfg.yaml", 2)),
        ({"code": {"a.ipynb": json.dumps({"cells": [{"cell_type": "code", "source": [
            f"k = '{KEY}'"]}]})}}, ("code/a.ipynb", 1)),
        ({"logs": {"x.log": "x " * MAX_LINE + KEY + " y" * MAX_LINE}}, ("logs/x.log", 1)),
        ({"code": f"KEY = '''{PRIVATE_KEY}'''\n"}, ("code/main.py", 1)),
        ({"logs": {"x.eval": inspect_log(f"my key is {KEY}")}}, ("logs/x.eval", 1)),
    ],
)  # fmt: skip
def test_a_key_is_reported_with_its_place_and_never_shown(tmp_path, files, place):
    result = asked(tmp_path, **files)
    evidence = result.findings[0].evidence[0]

    assert result.outcome is Outcome.FLAGGED
    assert result.findings[0].severity is Severity.LOW
    assert result.findings[0].confidence is Confidence.HIGH
    assert (evidence.path.partition("!")[0], evidence.first_line) == place
    assert "[secret: " in evidence.excerpt
    assert KEY[8:40] not in result.model_dump_json()
    assert PRIVATE_KEY.split("\n")[3] not in result.model_dump_json()


@pytest.mark.parametrize("kind", KEYS)
def test_every_vendors_key_is_reported(tmp_path, kind):
    result = asked(tmp_path, logs=f"using {KEYS[kind]}\n")

    assert result.outcome is Outcome.FLAGGED
    assert KEYS[kind] not in result.model_dump_json()


@pytest.mark.parametrize("kind", NAMED)
def test_a_value_known_by_its_name_is_less_sure(tmp_path, kind):
    before, value = NAMED[kind]
    after = "@github.com/joe/x" if kind == "address" else ""
    result = asked(tmp_path, logs=f"{before}{value}{after}\n")

    sure = Confidence.HIGH if kind == "Kaggle JSON" else Confidence.MEDIUM
    assert result.findings[0].confidence is sure
    assert value not in result.model_dump_json()


@pytest.mark.parametrize(
    "text",
    [
        "export OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxx", "api_key = 'YOUR_API_KEY'",
        "key=AKIAIOSFODNN7EXAMPLE", "client = OpenAI(api_key=os.environ['OPENAI_API_KEY'])",
        "password = getpass.getpass()", "OPENAI_API_KEY=[hidden]", "OPENAI_API_KEY=sk-***",
        "sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "pad_token_id = 50256", "tokens: 128000", "special_tokens = {'bos_token': '<s>'}",
        "df['key'] = df['a'] + '_' + df['b']", "sorted(d, key=lambda k: d[k])", "random_key=7",
        "The key 00a3f1 of row 12 is missing", "secret santa", "keyboard_interrupt_handler_2_x",
        "train/0a1b2c3d4e5f60718293a4b5c6d7e8f9.jpg,1", "commit 0a1b2c3d4e5f60718293a4b5c6d7e8f9aa",
    ],
)  # fmt: skip
@pytest.mark.parametrize("where", ["code", "logs"])
def test_placeholders_digests_and_names_are_none(tmp_path, text, where):
    assert asked(tmp_path, **{where: f"{text}\n"}).findings == ()


def test_equal_keys_count_once_and_different_ones_are_counted(tmp_path):
    lines = "".join(f"{key}\n{key}\n" for key in KEYS.values())
    result = asked(tmp_path, logs=lines)

    assert f"{len(KEYS)} secrets" in result.findings[0].message
    assert len(result.findings[0].evidence) == SecretInLog().max_evidence


TOKEN = KEYS["GitHub token"]


@pytest.mark.parametrize(
    "code",
    [
        f't = "".join(["{TOKEN[:9]}", "{TOKEN[9:20]}", "{TOKEN[20:]}"])\n',
        f't = ("{TOKEN[:9]}"\n     "{TOKEN[9:]}")\n',
        f'a = "{TOKEN[4:18]}"\nb = "{TOKEN[18:]}"\nt = f"ghp_{{a}}{{b}}"\n',
        f't = "{TOKEN[::-1]}"[::-1]\n',
        f't = bytes.fromhex("{TOKEN.encode().hex()}").decode()\n',
    ],
)
def test_a_key_that_code_puts_together_is_found_and_not_shown(make_attempt, code):
    (finding,) = check(SecretInLog(), make_attempt(code={"a.py": code})).findings

    assert "GitHub token" in finding.message
    assert TOKEN[9:20] not in finding.model_dump_json()


def test_texts_that_code_puts_together_are_no_keys(make_attempt):
    code = 'x = "".join(["train", "_features", "_v2_2024"])\ny = "abcdefghijklmnop" * 3 + "1"\n'

    assert not check(SecretInLog(), make_attempt(code={"a.py": code})).findings
