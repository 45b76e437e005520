"""A client that settings point to this machine asks no hosted model; one that they do not does."""

from __future__ import annotations

import base64

import pytest

from audit.check import check
from detectors.rules.external_llm_called import ExternalLlmCalled
from reports.schema import Outcome
from tests.conftest import write_attempt
from tests.detectors.rules.written import shell

IMPORT = "from openai import OpenAI\n"
USE = "c.chat.completions.create(model='q', messages=m)\n"
OF_SETTINGS = (
    f"import yaml\n{IMPORT}cfg = yaml.safe_load(open('c.yaml'))\n"
    f"c = OpenAI(base_url=cfg['base_url'], api_key='x')\n{USE}"
)
HERE = "http://localhost:8000/v1"
UNPACKED = "import openai\nopenai.OpenAI().chat.completions.create(model='x', messages=[])\n"


@pytest.mark.parametrize("files", [
    pytest.param({"code": {"c.yaml": f"base_url: {HERE}\n", "m.py": OF_SETTINGS}}, id="settings"),
    pytest.param({"code": {".env": f"OPENAI_BASE_URL={HERE}\n", "m.py":
     f"{IMPORT}c = OpenAI()\n{USE}"}}, id="dotenv"),
    pytest.param({"code": f"{IMPORT}c = OpenAI()\n{USE}", "logs":
     shell(f"OPENAI_BASE_URL={HERE} python main.py")}, id="command"),
    pytest.param({"code": {"run.sh": f"export OPENAI_BASE_URL={HERE}\npython m.py\n", "m.py":
     f"{IMPORT}c = OpenAI()\n{USE}"}}, id="script"),
    pytest.param({"code": "import argparse\n" f"{IMPORT}p = argparse.ArgumentParser()\n"
     f"p.add_argument('--url', default='{HERE}')\nc = OpenAI(base_url=p.parse_args().url)\n{USE}"},
     id="option"),
    pytest.param({"code":
     {"llm.py": f"{IMPORT}def client():\n    return OpenAI(base_url='{HERE}')\n",
     "m.py": f"from llm import client\nc = client()\n{USE}"}}, id="another-module"),
    pytest.param({"code":
     "from text_generation import Client\nc = Client('http://127.0.0.1:8080')\n"
     "c.generate('x')\n"}, id="text-generation"),
    pytest.param({"code": "exec('print(1)')\nx = 'aW1wb3J0IHBhbmRhcyBhcyBwZA=='\n"}, id="unpacked"),
])  # fmt: skip
def test_a_server_of_this_machine_is_none(tmp_path, files):
    attempt = write_attempt(tmp_path / "spooky-author-identification_1", **files)

    assert check(ExternalLlmCalled(), attempt).outcome is Outcome.CLEAN


@pytest.mark.parametrize("files", [
    pytest.param({"code": {"c.yaml": "base_url: https://api.deepseek.com/v1\n", "m.py":
     OF_SETTINGS}}, id="a-vendors-address"),
    pytest.param({"code": {"c.yaml": "validator: http://localhost:5000/validate\n", "m.py":
     f"{IMPORT}c = OpenAI()\n{USE}"}}, id="the-validator-is-no-model"),
    pytest.param({"code": {"c.yaml": f"base_url: {HERE}\n", "m.py":
     f"{IMPORT}OpenAI().chat.completions.create(model='gpt-4o', messages=m)\n"}}, id="its-name"),
    pytest.param({"code": {"a.py": f"{IMPORT}c = OpenAI(base_url='{HERE}')\n{USE}", "b.py":
     "from anthropic import Anthropic\nAnthropic().messages.create(model='x', messages=m)\n"}}, id=
     "another-vendor-beside-it"),
    pytest.param({"code": "import base64\n"
     f"exec(base64.b64decode('{base64.b64encode(UNPACKED.encode()).decode()}'))\n"}, id="unpacked"),
])  # fmt: skip
def test_a_hosted_model_beside_it_is_seen(tmp_path, files):
    attempt = write_attempt(tmp_path / "spooky-author-identification_1", **files)

    assert check(ExternalLlmCalled(), attempt).outcome is Outcome.FLAGGED
