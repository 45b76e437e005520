"""Libraries, tools, output and configurations by which the network is asked, and look-alikes."""

from __future__ import annotations

import pytest

from audit.check import check
from detectors.rules.hosts import Purpose
from detectors.rules.named_calls import named_calls
from detectors.rules.network_used import NetworkUsed
from detectors.rules.python_clients import python_contacts
from detectors.rules.shell_clients import shell_contacts
from detectors.rules.told_contacts import told_in
from detectors.units import CodeUnit
from reports.schema import Outcome

P = Purpose
FILE = "https://data.gov/a.csv"


def asked(code):
    unit = CodeUnit("code/a.py", 1, "python", code, "a")
    return {found.contact.purpose for found in python_contacts([unit])}


@pytest.mark.parametrize(
    ("code", "purpose"),
    [
        ("import wikipedia\nwikipedia.summary('Leaf')", P.PAGE),
        ("import wikipediaapi as w\nw.Wikipedia('me', 'en').page('Leaf')\n"
         "x = w.Wikipedia('me', 'en')\nx.page('Leaf')", P.PAGE),
        ("import yfinance as yf\nyf.download('CL=F')", P.PAGE),
        ("import pandas_datareader.data as web\nweb.DataReader('GDP', 'fred')", P.DATA),
        ("from geopy.geocoders import Nominatim\ng = Nominatim()\ng.reverse('1,2')", P.PAGE),
        ("from googletrans import Translator\nt = Translator()\nt.translate('a')", P.PAGE),
        ("from Bio import Entrez\nEntrez.efetch(db='protein', id='P1')", P.DATA),
        ("from mp_api.client import MPRester\nwith MPRester(k) as m:\n    m.search()", P.DATA),
        ("from git import Repo\nRepo.clone_from('a', 'b')", P.CODE),
        ("from torchtext.datasets import IMDB\nIMDB(split='train')", P.DATA),
        ("import tensorflow as tf\ntf.io.gfile.GFile('gs://open/x.csv')", P.DATA),
        ("import openml\nopenml.tasks.get_task(31)", P.DATA),
        ("import fasttext.util\nfasttext.util.download_model('en')", P.WEIGHTS),
        ("import socket\ns = socket.socket()\ns.connect(('data.example.org', 80))", P.PAGE),
        (f"from utils import fetch_table\nfetch_table('{FILE}')", P.DATA),
        (f"import feedparser\nfeedparser.parse('{FILE}')", P.DATA),
        ("import fsspec\nfsspec.filesystem('s3', anon=True).get('b/a.csv', 'a')", P.DATA),
        ("import boto3\nboto3.Session().client('s3').download_file('b', 'k', 'f')", P.DATA),
        ("import pyarrow.fs as f\nf.S3FileSystem(anonymous=True).open_input_file('b')", P.DATA),
        ("import wandb\nwandb.Api().artifact('a/b/c').download()", P.DATA),
        (f"import xarray as xr\nxr.open_dataset('{FILE}')", P.DATA),
        (f"import pycurl\nc = pycurl.Curl()\nc.setopt(c.URL, '{FILE}')", P.DATA),
        ("import kagglehub\nkagglehub.load_dataset('x', 'a/b')", P.DATA),
        ("import pip\npip.main(['install', 'palmerpenguins'])", P.PACKAGE),
        ("import requests\nfor n, u in enumerate(['" + FILE + "']):\n    requests.get(u)", P.DATA),
        (f"import requests\nlist(pool.map(requests.get, ['{FILE}']))", P.DATA),
        (f"import requests, os\nrequests.get(os.getenv('U') or '{FILE}')", P.DATA),
    ],
)  # fmt: skip
def test_libraries_that_ask_a_service_are_known(code, purpose):
    assert purpose in asked(code)


@pytest.mark.parametrize(
    "code",
    [
        f"def get_domain(url):\n    return url\nget_domain('{FILE}')",
        f"d = {{'{FILE}': 1}}\nd.get('{FILE}')",
        "from geopy.distance import geodesic\ngeodesic((1, 2), (3, 4))",
        "class Translator:\n    def translate(self):\n        pass\nTranslator().translate()",
        "from git import Repo\nRepo('.').head",
        "import socket\ns = socket.socket()\ns.connect(('127.0.0.1', 80))",
        "page = pages.page('x')\nmodel.summary()",
        f"class Store:\n    def get(self, k):\n        return self.d[k]\nStore().get('{FILE}')",
        f"def load(u):\n    return u.split('/')[-1]\nload('{FILE}')",
        f"from unittest import mock\nc = mock.Mock()\nc.get('{FILE}')",
        f"import os\nos.environ.get('DATA_URL', '{FILE}')",
        f"settings.get('home', '{FILE}')",
        f"queue.put('{FILE}')",
        f"cache.get('{FILE}')",
        "pd.read_xml('x.xml', namespaces={'a': 'http://www.w3.org/2000/svg'})",
        "import fsspec\nfsspec.filesystem('file').ls('/home/data')",
        "import pip\npip.main(['install', 'lightgbm'])",
        "import socket\nsocket.socket().bind(('0.0.0.0', 5000))",
        "from store import fetch_table\nfetch_table('train')",
    ],
)
def test_calls_that_stay_here_are_none(code):
    assert asked(code) == set()


@pytest.mark.parametrize(
    ("command", "purposes"),
    [
        ("dvc get https://github.com/t/store f.parquet", {P.DATA}),
        ("docker pull tensorflow/serving", {P.PAGE}),
        ("exec 3<>/dev/tcp/example.org/80; cat <&3 > x.csv", {P.PAGE}),
        ("printf 'GET / HTTP/1.0' | nc data.example.org 80", {P.PAGE}),
        ("openssl s_client -quiet -connect data.gov:443 < q", {P.PAGE}),
        (f"perl -MLWP::Simple -e 'getstore(\"{FILE}\", \"a\")'", {P.DATA}),
        (f"node -e \"fetch('{FILE}').then(r => r.text())\"", {P.DATA}),
        (f"Rscript -e 'x <- read.csv(\"{FILE}\")'", {P.DATA}),
        (f"pwsh -c \"Invoke-WebRequest -Uri {FILE} -OutFile a.csv\"", {P.DATA}),
        ("gh release download v1 -R joe/solution", {P.CODE}),
        ("zenodo_get 3612637", {P.DATA}), ("osf -p abcde clone /tmp/o", {P.DATA}),
        ("psql -h db.features.org -c 'select 1'", {P.DATA}),
        ("ssh d@files.example.org 'cat /pub/x.csv' > x.csv", {P.DATA}),
        ("nc -z localhost 5000", set()), ("openssl version", set()), ("docker ps", set()),
        ("psql -h localhost -c 'select 1'", set()), ("psql -h", set()), ("dvc repro", set()),
        ("node -e \"fetch('http://localhost:3000')\"", set()), ("ssh-keygen -t rsa", set()),
        ("aws s3 cp model.bin s3://mine/model.bin", set()),
        ("scp m.py box.example.org:/tmp", set()),
    ],
)  # fmt: skip
def test_tools_that_ask_the_network_are_known(command, purposes):
    assert {contact.purpose for _, contact in shell_contacts(command)} == purposes


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("model.safetensors: 100%|##| 440M/440M [00:03<00:00, 120MB/s]", 1),
        (f"Downloading data from {FILE}\n17464789/17464789 [====] - 0s 0us/step", 1),
        ("extra rows downloaded 120 MB in 14 s from data.cityofnewyork.us", 1),
        (f"GET {FILE} 200 (1.2 MB)", 1),
        (f'10.2.0.7 "GET {FILE} HTTP/1.1" 200 58112', 0),
        ("POST https://api.openai.com/v1/chat/completions 200", 0),
        ("images: 100%|####| 1200/1200 [00:10<00:00, 110.2it/s]", 0),
        ("timm-0.9.2-py3-none-any.whl: 100%|##| 2M/2M [00:01, 2MB/s]", 0),
    ],
)
def test_output_tells_what_was_fetched(text, n):
    assert len(list(told_in(text, "", is_own=True))) == n


CODE = "import json, requests\nurls = json.load(open('s.json'))\nrequests.get(urls['extra'])\n"


@pytest.mark.parametrize(
    ("settings", "code", "outcome"),
    [
        (f'{{"extra": "{FILE}"}}', CODE, Outcome.FLAGGED),
        (f'{{"homepage": "{FILE}", "extra": "local.csv"}}', CODE, Outcome.CLEAN),
        (f'{{"extra": "{FILE}"}}', "print('nothing reads it')\n", Outcome.CLEAN),
    ],
)
def test_an_address_in_a_configuration_counts_where_code_asks_for_it(
    make_attempt, settings, code, outcome
):
    attempt = make_attempt(code={"a.py": code, "s.json": settings}, logs="auc 0.9\n")

    assert check(NetworkUsed(), attempt).outcome is outcome


def test_a_branch_beside_which_another_one_printed_was_not_taken(make_attempt):
    code = (
        f"import os, urllib.request\nif not os.path.exists('v'):\n"
        f"    urllib.request.urlretrieve('{FILE}', 'v')\n"
        "else:\n    print('vectors are in the image')\n"
    )
    found = check(
        NetworkUsed(), make_attempt(code={"a.py": code}, logs="vectors are in the image\n")
    )

    assert found.outcome is Outcome.CLEAN
    assert check(NetworkUsed(), make_attempt("a_2", code={"a.py": code})).outcome is Outcome.FLAGGED


FETCH = "import os, sys, urllib.request\nurllib.request.urlretrieve({}, 'x.csv')\n"


@pytest.mark.parametrize(
    ("code", "logs", "outcome"),
    [
        ({"a.py": FETCH.format("sys.argv[1]")}, f"$ python a.py {FILE}\nok\n", Outcome.FLAGGED),
        ({"a.py": FETCH.format("os.environ['DATA_URL']"),
          "run.sh": f"export DATA_URL={FILE}\npython a.py\n"}, "ok\n", Outcome.FLAGGED),
        ({"a.py": f"p.add_argument('--url', default='{FILE}')\n{FETCH.format('p.url')}"}, "ok\n",
         Outcome.FLAGGED),
        ({"a.py": FETCH.format("sys.argv[1]")}, "$ python a.py http://localhost:5000/a.csv\nok\n",
         Outcome.CLEAN),
        ({"a.py": "print(1)\n", "run.sh": "export PIP_INDEX_URL=https://pypi.mirror.org/simple\n"},
         "ok\n", Outcome.CLEAN),
    ],
)  # fmt: skip
def test_addresses_that_a_script_is_given_count(make_attempt, code, logs, outcome):
    assert check(NetworkUsed(), make_attempt(code=code, logs=logs)).outcome is outcome


def test_a_name_that_is_made_of_itself_over_and_over_stays_short():
    code = "import pandas as pd\nd = pd.read_csv('a')\n" + "d = d.fillna(0).drop(1)\n" * 2000
    names = [c.name for c in named_calls([CodeUnit("a.py", 1, "python", code, "a")])]

    assert max(map(len, names)) < 200
