"""Requests in files of runners, behind other programs and through any exchange of letters."""

from __future__ import annotations

import pytest

from audit.check import check
from detectors.rules.network_used import NetworkUsed
from reports.schema import Outcome, Severity
from tests.conftest import write_attempt
from tests.detectors.rules.written import shell

DATA = "https://data.example.org/more.csv"
FETCHES = f"curl -sL {DATA} -o m.csv"


def gravest(tmp_path, files):
    """Ask the rule, and return the gravest of what it says."""
    result = check(NetworkUsed(), write_attempt(tmp_path / "spaceship-titanic_1", **files))
    assert result.outcome is not Outcome.FAILED
    return max((f.severity for f in result.findings), default=Severity.NOTE)


@pytest.mark.parametrize("files", [
    pytest.param({"code": {"m.py": "x = 1\n", "Dockerfile":
                  f"FROM python:3.11\nADD {DATA} /data/\n"}}, id="image-adds"),
    pytest.param({"code": {"m.py": "x = 1\n", "Dockerfile":
                  f"FROM python:3.11\nRUN {FETCHES}\n"}}, id="image-runs"),
    pytest.param({"code": {"m.py": "x = 1\n", "justfile": f"data:\n    {FETCHES}\n"}}, id="just"),
    pytest.param({"code": {"m.py": "x = 1\n", "Taskfile.yml":
                  f"tasks:\n  data:\n    cmds:\n      - {FETCHES}\n"}}, id="task"),
    pytest.param({"logs": shell("make data", f"{FETCHES}\n100 12.3M")}, id="echoed-by-make"),
    pytest.param({"logs": shell(f"tmux new -d -s w 'wget -q {DATA}'")}, id="tmux"),
    pytest.param({"logs": shell(f"nohup {FETCHES} >/dev/null 2>&1 &")}, id="printed-nowhere"),
    pytest.param({"logs": shell("X=$(echo uggcf://rknzcyr.bet/n.pfi | tr a-z n-za-m); curl -O $X")},
                 id="small-letters-exchanged"),
    pytest.param({"code": "import torchvision\n"
                  "torchvision.datasets.CIFAR10('./aux', download=True)\n"}, id="folder-given"),
    pytest.param({"code": {"m.py": "import json, urllib.request as ur\n"
                  "for n, u in json.load(open('s.json')).items():\n    ur.urlretrieve(u, n)\n",
                  "s.json": f'{{"more": "{DATA}"}}'}}, id="all-of-a-setting"),
    pytest.param({"code": {"m.py": "from net import get\nw = get('r18')\n",
                  "net.py": f"import urllib.request as ur\nURLS = dict(r18='{DATA}')\n"
                  "def get(n):\n    ur.urlretrieve(URLS[n], n)\n"}}, id="one-of-a-table"),
    pytest.param({"code": {"m.py": "import torch\nfor m in ('https://a.org/', 'https://b.org/'):\n"
                  "    s = torch.hub.load_state_dict_from_url(m + 'r18.pth')\n"},
                  "logs": shell("python m.py", "no luck https://a.org/ URLError\n"
                  "weights from https://b.org/")}, id="one-mirror-answered"),
])  # fmt: skip
def test_it_is_told(tmp_path, files):
    assert gravest(tmp_path, files) > Severity.NOTE


@pytest.mark.parametrize("files", [
    pytest.param({"logs": shell("python - <<'E'\nfrom transformers import pipeline\n"
                  "f = pipeline('text-classification', model='ckpt/own_fold0')\n"
                  "print(f('Lost my job last week.'))\nE", "Downloading 100%|##| 3/3")},
                 id="own-model"),
    pytest.param({"logs": shell("curl -s https://example.org > /dev/null && echo up")}, id="asked"),
    pytest.param({"logs": shell("wget -q -O /dev/null https://example.org; echo $?")}, id="probed"),
    pytest.param({"code": {"m.py": "x = 1\n", "Dockerfile": "FROM python:3.11\n"
                  "RUN apt-get update && pip install pandas\nCOPY . /code\n"}}, id="image"),
    pytest.param({"code": {"m.py": "x = 1\n", "Taskfile.yml":
                  "tasks:\n  fit:\n    cmds:\n      - python m.py\n"}}, id="task"),
    pytest.param({"logs": shell("make fit", "python m.py\nweights from ckpt/best.pt")}, id="make"),
    pytest.param({"logs": shell("tmux new -d -s w 'python m.py'")}, id="tmux"),
    pytest.param({"code": "import torchvision\n"
                  "torchvision.datasets.CIFAR10('./aux', download=False)\n"}, id="not-fetched"),
])  # fmt: skip
def test_what_asks_nobody_is_not_told(tmp_path, files):
    assert gravest(tmp_path, files) <= Severity.NOTE
