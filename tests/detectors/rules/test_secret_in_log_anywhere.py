"""Keys are found however they are turned, parted, carried or asked for; what looks so is none."""

from __future__ import annotations

import base64
import codecs
import json

import pytest

from audit.check import check
from detectors.rules.secret_in_log import SecretInLog
from reports.schema import Outcome
from tests.conftest import write_attempt
from tests.detectors.rules.written import notebook, shell
from tests.reports.secrets import HEX, KEYS, PRIVATE_KEY, drawn

GITHUB, HF, OPENAI, WEB = (
    KEYS[kind]
    for kind in ("GitHub token", "Hugging Face token", "OpenAI API key", "JSON web token")
)
PASSWORD = "Tr4v3l-" + drawn(6, 4) + "!"
LINES = PRIVATE_KEY.split("\n")


def encoded(text):
    return base64.b64encode(text.encode()).decode()


def messages(text):
    return {"chat.json": json.dumps([{"role": "tool", "content": text}])}


@pytest.mark.parametrize("files", [
    pytest.param({"logs": shell(f"T=$(echo {GITHUB[::-1]} | rev); git push https://x:$T@h/a")}, id=
     "reversed-in-a-shell"),
    pytest.param({"logs": shell(
     f"K=$(echo '{codecs.encode(OPENAI, 'rot13')}' | tr 'A-Za-z' 'N-ZA-Mn-za-m'); python t.py")},
     id="shifted"),
    pytest.param({"logs": shell(f"T=$(echo {HF.encode().hex()} | xxd -r -p)")}, id="hex"),
    pytest.param({"logs": shell(f"printf '{''.join(f'{chr(92)}x{ord(c):02x}' for c in GITHUB)}'")},
     id="escapes"),
    pytest.param({"logs": shell(f"A={GITHUB[:12]}; B={GITHUB[12:]}; git clone https://$A$B@h/x")},
     id="shell-names"),
    pytest.param({"code": {"r.sh": f"P='{HF[:14]}'\nexport T=\"${{P}}{HF[14:]}\"\n"}}, id=
     "shell-file"),
    pytest.param({"code": {"m.R": f'k <- paste0("{OPENAI[:20]}", "{OPENAI[20:]}")\n'}}, id="R"),
    pytest.param({"code": {"m.js": f'const k = ["{HF[:9]}", "{HF[9:]}"].join("");\ngo(k);\n'}}, id=
     "js-join"),
    pytest.param({"code": {"m.pl": f'my $k = "{HF[:9]}" . "{HF[9:]}";\n$ENV{{T}} = $k;\n'}}, id=
     "perl"),
    pytest.param({"code": f"P = ['{HF[:9]}', '{HF[9:]}']\ndef key():\n    return ''.join(P)\n"
     "login(key())\n"}, id="python-function"),
    pytest.param({"code": f"k = ''.join(chr(ord(c) - 1) for c in "
     f"{''.join(chr(ord(c) + 1) for c in HF)!r})\n"}, id="python-letters"),
    pytest.param({"code": notebook(f"a = '{HF[:9]}'", f"t = a + '{HF[9:]}'\nlogin(t)")},
     id="cells"),
    pytest.param({"logs": messages(f"ca.crt\ntoken\n{WEB}\n")}, id="behind-an-escape"),
    pytest.param({"logs": f"\x1b[32m{HF}\x1b[0m\n"}, id="coloured"),
    pytest.param({"logs": "\n".join(f"2026-03-01T10:00:00 [out] {x}" for x in LINES)},
     id="stamped"),
    pytest.param({"logs": "\n".join(f"{n:6d}\t{x}" for n, x in enumerate(LINES))}, id="numbered"),
    pytest.param({"logs": f"    client-key-data: {encoded(PRIVATE_KEY)}\n"}, id="key-in-base64"),
    pytest.param({"logs": "Private-Lines: 1\n" + drawn(48) + "\nPrivate-MAC: 1\n"}, id="putty"),
    pytest.param({"logs": f"wandb: Paste an API key from your profile: {drawn(40, 9, HEX)}\n"}, id=
     "prompt-for-a-key"),
    pytest.param({"logs": shell(f"wandb login --host=https://h {drawn(40, 9, HEX)}")}, id="wandb"),
    pytest.param({"logs": shell(f"kaggle config set -n key -v {drawn(32, 1, HEX)}")}, id="kaggle"),
    pytest.param({"logs": shell("jq -r .key k.json", drawn(32, 1, HEX))}, id="asked-for-by-name"),
    pytest.param({"logs": shell("echo $MISTRAL_API_KEY", drawn(32, 3))}, id="echoed"),
    pytest.param({"logs": f"headers: {{'Authorization': 'Token {drawn(40, 3, HEX)}'}}\n"},
     id="header"),
    pytest.param({"code": f"c = cohere.Client('{drawn(40, 3)}')\n"}, id="client"),
    pytest.param({"logs": f"root 12 python serve.py --api-key {drawn(32, 6)} --port 1\n"}, id="ps"),
    pytest.param({"code": f'c = connect("host=db user=ml password={PASSWORD}")\n'}, id="dsn"),
    pytest.param({"code": f"c = connect('SERVER=db;UID=ml;PWD={PASSWORD}')\n"}, id="odbc"),
    pytest.param({"logs": shell(f"smbclient //fs/d -U 'ml%{PASSWORD}'")}, id="smb"),
    pytest.param({"logs": shell(f"SSHPASS={PASSWORD} sshpass -e ssh h")}, id="sshpass"),
    pytest.param({"logs": shell(f"echo '{PASSWORD}' | sudo -S apt install x")}, id="sudo"),
    pytest.param({"logs": shell(f"openssl enc -d -pass pass:{PASSWORD} -in x")}, id="openssl"),
    pytest.param({"code": {"r.sh": f"T={GITHUB[:9]}\nT+={GITHUB[9:]}\ngit clone https://$T@h/x\n"}},
     id="appended"),
    pytest.param({"logs": shell(f"git clone https://{drawn(52, 4)}@dev.azure.com/a/b")},
     id="address"),
    pytest.param({"logs": f"SVC_B64={encoded(json.dumps({'private_key': PRIVATE_KEY}))}\n"}, id=
     "document-in-base64"),
    pytest.param({"logs": shell(f"unzip -P {PASSWORD} d.zip")}, id="unzip"),
    pytest.param({"code": f"ftplib.FTP('h', 'ml', '{PASSWORD}')\n"}, id="ftp"),
])  # fmt: skip
def test_it_is_found_and_never_shown(tmp_path, files):
    result = check(SecretInLog(), write_attempt(tmp_path / "breast-cancer_1", **files))

    assert result.outcome is Outcome.FLAGGED
    told = result.model_dump_json()
    assert not any(value in told for value in (GITHUB, HF, OPENAI, PASSWORD, LINES[3]))


@pytest.mark.parametrize("files", [
    pytest.param({"logs": shell("echo some_words_of_a_text_2024 | rev")}, id="words-reversed"),
    pytest.param({"logs": shell("A=train; B=_features_v2_2024; cat $A$B.csv")},
     id="names-of-files"),
    pytest.param({"code": {"m.R": 'k <- paste0("model_2024_", "fold_1_seed_42")\n'}}, id="R-names"),
    pytest.param({"code": {"m.js": 'const k = ["efficientnet", "b3", "fold2"].join("_");\n'}}, id=
     "js-names"),
    pytest.param({"code": "s = 'ACGTACGTTTGACGATGCA'[::-1]\n"}, id="sequence-reversed"),
    pytest.param({"code": f"h = bytes.fromhex('{'89504e470d0a1a0a' * 3}')\n"}, id="bytes"),
    pytest.param({"logs": f"id {encoded('a,b,c;1,2,3;4,5,6')}\n"}, id="table-in-base64"),
    pytest.param({"logs": "-----BEGIN CERTIFICATE-----\n" + "\n".join(LINES[1:-1]) + "\n"
     "-----END CERTIFICATE-----\n"}, id="certificate"),
    pytest.param({"logs": "key: BertForSequenceClassificationV2\ntoken: XgbClassifierTunedFold3\n"},
     id="names-in-camel-case"),
    pytest.param({"logs": "second pass:accuracy=0.91234 third pass:rmse=1.2345\n"}, id="passes"),
    pytest.param({"logs": shell("train --pass second_pass_2 --passes 12345678")}, id="options"),
    pytest.param({"logs": shell("git clone https://my-service-account-name-2@github.com/a/b")}, id=
     "user-in-an-address"),
    pytest.param({"code": "e = create_engine('postgresql://postgres:postgres@localhost/tune')\n"},
     id="password-that-is-the-user"),
    pytest.param({"logs": shell("unzip -P4 d.zip; 7z x -tzip data_2024.7z; ssh -p 22022000 h")}, id=
     "options-of-tools"),
    pytest.param({"logs": shell("cat pass.txt | sudo -S apt install x; echo y | sudo -S true")}, id=
     "password-from-a-file"),
    pytest.param({"logs": "OLDPWD=/home/Agent_2/x1\nPWD=/home/Agent_2/x1\n"}, id="folders"),
    pytest.param({"logs": shell("echo $HF_TOKEN | wc -c; echo $CACHE_KEY", drawn(32, 1, HEX))}, id=
     "length-and-cache"),
    pytest.param({"logs": shell("cat row_keys.csv", drawn(32, 1, HEX))}, id="keys-of-rows"),
    pytest.param({"code": "c = connect('SERVER=db;UID=ml;PWD=' + os.environ['PWD_1'])\n"}, id=
     "from-the-environment"),
    pytest.param({"logs": "The API key of each fold: see fold_scores_2024_03_01_final\n"},
     id="prose"),
    pytest.param({"code": "c = cohere.Client('my-project-for-testing-2')\n"},
     id="name-of-a-client"),
    pytest.param({"logs": shell("printf '%s,%s' key value_2024 > a; echo '%s' | rev")},
     id="printf"),
])  # fmt: skip
def test_what_looks_like_it_is_not_told(tmp_path, files):
    result = check(SecretInLog(), write_attempt(tmp_path / "breast-cancer_1", **files))

    assert result.outcome is Outcome.CLEAN
