"""Downloads that ran are found behind names and flags; what did not run is nothing."""

from __future__ import annotations

import pytest

from audit.check import check
from detectors.rules.network_used import NetworkUsed
from reports.schema import Outcome
from tests.conftest import write_attempt
from tests.detectors.rules.written import called, node

GETS = "urllib.request.urlretrieve('https://host.org/a.json', 'a.json')"
FLAGGED_DOWNLOAD = (
    "import argparse\nimport urllib.request\np = argparse.ArgumentParser()\n"
    "p.add_argument('--fetch', action='store_true')\nargs = p.parse_args()\n"
    f"if args.fetch:\n    {GETS}\n"
)
FLAGGED_CALL = FLAGGED_DOWNLOAD.replace(GETS, "get()") + f"\n\ndef get():\n    {GETS}\n"


def asked(tmp_path, **files):
    return check(NetworkUsed(), write_attempt(tmp_path / "spooky-author-identification_1", **files))


UNCALLED = f"import urllib.request\n\n\ndef get_more():\n    {GETS}\n\n\nmodel.fit(x, y)\n"
R_GOT = "trying URL 'https://h.org/a.csv'\nContent type 'text/csv'\ndownloaded 11.9 MB\n"


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"code": {"a.R": 'u <- "https://h.org/a.csv"\ndownload.file(u, "a.csv")\n'}},
                     id="an-address-that-a-name-holds"),
        pytest.param({"code": {"a.js": "const u = 'https://h.org/a.csv';\nawait fetch(u);\n"}},
                     id="in-javascript"),
        pytest.param({"logs": f"$ Rscript extra.R\n{R_GOT}"}, id="what-a-program-says"),
        pytest.param({"logs": "$ python get.py\nDownloading data from https://h.org/v.zip\n"
                              "861/861 100%\n"}, id="what-a-library-says"),
        pytest.param({"logs": "Thought: x\nAction: python\nAction Input: import urllib.request\n"
                              f"{GETS}\n"
                              "Observation: done\n\n"}, id="the-second-line-of-an-input"),
        pytest.param({"logs": node("import nltk\nnltk.download('wordnet')\n",
                                   "[nltk_data]   Unzipping corpora/wordnet.zip.")},
                     id="in-a-node"),
        pytest.param({"code": FLAGGED_DOWNLOAD, "logs": "$ python main.py --fetch\nok\n"},
                     id="a-flag-that-was-given"),
        pytest.param({"code": FLAGGED_DOWNLOAD, "logs": "$ python main.py --fe\nok\n"},
                     id="a-flag-that-was-cut-short"),
        pytest.param({"code": FLAGGED_DOWNLOAD}, id="a-flag-of-which-no-log-tells"),
        pytest.param({"code": {"main.py": FLAGGED_DOWNLOAD, "run.sh": "python main.py --fetch\n"},
                      "logs": "$ sh run.sh\n$ python main.py\n"}, id="a-flag-in-a-script"),
        pytest.param({"code": f"GET = False\nGET = True\nif GET:\n    {GETS}\n"},
                     id="a-constant-that-changes"),
        pytest.param({"code": UNCALLED + "get_more()\n"}, id="a-function-that-is-called"),
        pytest.param({"code": UNCALLED + "x = map(get_more, y)\n"}, id="a-function-given-on"),
        pytest.param({"code": UNCALLED + "globals()[n]()\n"}, id="a-function-called-by-a-name"),
        pytest.param({"code": UNCALLED.replace("def", "@step\ndef")}, id="a-step-of-a-pipeline"),
        pytest.param({"code": UNCALLED.replace("model.fit(x, y)\n", "")}, id="a-module-for-others"),
        pytest.param({"code": {"a.py": UNCALLED, "b.py": "import a\na.get_more()\n"}},
                     id="a-function-that-another-file-calls"),
        pytest.param({"code": UNCALLED, "logs": "$ python -c 'import main; main.get_more()'\n\n"},
                     id="a-function-that-the-log-calls"),
        pytest.param({"code": f"with mock.patch('time.sleep'):\n    {GETS}\n"},
                     id="a-fake-of-something-else"),
    ],
)  # fmt: skip
def test_a_download_is_found_behind_names_flags_and_other_languages(tmp_path, files):
    assert asked(tmp_path, **files).outcome is Outcome.FLAGGED


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"code": FLAGGED_DOWNLOAD, "logs": "$ python main.py\nfold 0: 0.4\n"},
                     id="a-flag-that-was-not-given"),
        pytest.param({"code": FLAGGED_CALL, "logs": "$ python main.py\nfold 0: 0.4\n"},
                     id="a-function-that-only-a-flag-calls"),
        pytest.param({"code": f"import sys\nif '--fetch' in sys.argv:\n    {GETS}\n",
                      "logs": "$ python main.py --seed 1\nok\n"}, id="a-word-that-was-not-given"),
        pytest.param({"code": f"GET = False\nif GET and True:\n    {GETS}\n"},
                     id="a-constant-that-is-off"),
        pytest.param({"code": UNCALLED, "logs": "$ python main.py\nfold 0: 0.4\n"},
                     id="a-function-that-nothing-calls"),
        pytest.param({"code": UNCALLED, "logs": f"$ cat main.py\n{UNCALLED}\n"},
                     id="a-function-that-a-log-shows"),
        pytest.param({"code": f"if False:\n    {GETS}\n"}, id="never"),
        pytest.param({"logs": f"$ python - <<'E'\nGET = False\nif GET:\n    {GETS}\nE\nok\n"},
                     id="never-in-a-here-document"),
        pytest.param({"logs": "$ cat > t.py <<'E'\n@mock.patch('urllib.request.urlretrieve')\n"
                              f"def test_a(g):\n    {GETS}\nE\nok\n"},
                     id="a-fake-in-a-script-of-the-log"),
        pytest.param({"code": f"with mock.patch('urllib.request.urlopen') as o:\n    {GETS}\n"},
                     id="a-fake"),
        pytest.param({"code": f"@responses.activate\ndef test_a():\n    {GETS}\n\ntest_a()\n"},
                     id="a-library-of-fakes"),
        pytest.param({"code": "def test_a(monkeypatch):\n    monkeypatch.setattr(r, 'get', f)\n"
                              f"    {GETS}\n\ntest_a(m)\n"}, id="a-fixture-of-fakes"),
        pytest.param({"logs": "$ R -e 'install.packages(\"glmnet\")'\ntrying URL 'https://cloud."
                              "r-project.org/src/contrib/glmnet_4.1-8.tar.gz'\ndownloaded 2.3 MB"},
                     id="a-library-of-r"),
        pytest.param({"logs": "$ R -e 'install.packages(\"a\")'\ntrying URL 'https://mirror.uni.edu/"
                              "CRAN/src/contrib/a_1.0.tar.gz'\ndownloaded 2.3 MB"},
                     id="a-library-of-r-from-a-mirror"),
        pytest.param({"code": {"a.R": 'u <- "https://h.org/a.csv"\nprint(u)\n'}},
                     id="an-address-that-is-printed"),
        pytest.param({"code": "import requests\nx = 1\n",
                      "logs": "$ python get.py\nDownloading https://h.org/v.zip\nURLError\n"},
                     id="what-a-program-says-of-a-failure"),
    ],
)  # fmt: skip
def test_what_did_not_run_or_is_an_installation_is_nothing(tmp_path, files):
    assert asked(tmp_path, **files).outcome is Outcome.CLEAN


@pytest.mark.parametrize(
    ("tool", "given", "output", "outcome"),
    [
        ("WebFetch", {"url": "https://h.org/a", "prompt": "sum up"}, "The paper", Outcome.FLAGGED),
        ("WebSearch", {"query": "apple scab data"}, "results", Outcome.FLAGGED),
        ("mcp__fetch__fetch", {"url": "https://h.org/a.csv"}, "a,b", Outcome.FLAGGED),
        ("search", {"query": "apple scab"}, "1. https://h.org/a", Outcome.FLAGGED),
        ("search", {"query": "def train"}, "main.py:3", Outcome.CLEAN),
        ("web_search", {"query": "pandas"}, "Error: web access is disabled", Outcome.CLEAN),
        ("WebFetch", {"url": "http://localhost:5000/health"}, "ok", Outcome.CLEAN),
        ("TodoWrite", {"content": "fetch https://h.org/a.csv"}, "ok", Outcome.CLEAN),
    ],
)  # fmt: skip
def test_tools_that_ask_the_web_are_told_from_others(tmp_path, tool, given, output, outcome):
    assert asked(tmp_path, logs=called(tool, given, output)).outcome is outcome
