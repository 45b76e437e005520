"""Data sets that hold a task's answers are known by name where they are taken, not where named."""

from __future__ import annotations

import json

import pytest

from audit.check import check
from competitions import spec as specs
from detectors.rules.external_twin_data import ExternalTwinData, names_twin
from reports.schema import Confidence, Outcome, Severity
from tests.conftest import write_attempt

DOGS = "dog-breed-identification"
SPOOKY = "spooky-author-identification"
CELLS = "histopathologic-cancer-detection"
ESSAYS = "learning-agency-lab-automated-essay-scoring-2"


def asked(tmp_path, task, **files):
    return check(ExternalTwinData(), write_attempt(tmp_path / f"{task}_1", **files))


@pytest.mark.parametrize(
    ("task", "code"),
    [
        (DOGS, "import tensorflow_datasets as tfds\nds = tfds.load('stanford_dogs')"),
        (DOGS, "import tensorflow_datasets as t\nt.load('_'.join(['stanford', 'dogs']))"),
        (DOGS, "from datasets import load_dataset\nload_dataset('Alanox/stanford-dogs')"),
        (DOGS, "import os\nos.listdir('/kaggle/input/stanford-dogs-dataset/images')"),
        (DOGS, "import kagglehub\nkagglehub.dataset_download('joe/stanford-dogs-dataset')"),
        (CELLS, "import torchvision\ntorchvision.datasets.PCAM('d', download=True)"),
        (CELLS, "from torchvision.datasets import PCAM as P\nd = P('d', split='test')"),
        (CELLS, "import h5py\nh5py.File('/d/camelyonpatch_level_2_split_test_y.h5')"),
        (ESSAYS, "import pandas as pd\npd.read_csv('../input/p/persuade_corpus_2.0.csv')"),
        (SPOOKY, "import requests\nrequests.get('https://www.gutenberg.org/files/2147/2147-0.txt')"),
        (SPOOKY, "from datasets import load_dataset\nload_dataset('sedthh/gutenberg_english')"),
        ("movie-review-sentiment-analysis-kernels-only",
         "from datasets import load_dataset\nload_dataset('glue', 'sst2')"),
        ("breast-cancer", "from ucimlrepo import fetch_ucirepo\nfetch_ucirepo(id=17)"),
        ("breast-cancer", "from sklearn.datasets import load_breast_cancer as f\nf(as_frame=True)"),
        ("modechoice", "import statsmodels.api as sm\nsm.datasets.modechoice.load_pandas()"),
        ("dogs-vs-cats-redux-kernels-edition",
         "import tensorflow_datasets as tfds\ntfds.load('cats_vs_dogs')"),
    ],
)  # fmt: skip
def test_code_that_takes_a_twin_is_told(tmp_path, task, code):
    result = asked(tmp_path, task, code=f"{code}\n")

    assert result.outcome is Outcome.FLAGGED
    assert result.findings[0].severity is Severity.MEDIUM
    assert specs.load(task).twins[0].name in result.findings[0].message


GOT = "Saving to: 'images.tar'\nimages.tar 100%[====>] 757M 11MB/s\n"
WGET = "wget http://vision.stanford.edu/aditya86/ImageNetDogs/images.tar"
CHAT = [
    {"role": "assistant", "content": "get it", "tool_calls": [
        {"id": "c0", "type": "function", "function": {
            "name": "bash", "arguments": json.dumps({"command": WGET})}}]},
    {"role": "tool", "tool_call_id": "c0", "content": GOT},
]  # fmt: skip


@pytest.mark.parametrize(
    ("logs", "severity"),
    [
        ({"agent.log": f"$ {WGET}\n{GOT}"}, Severity.HIGH),
        ({"chat.json": json.dumps(CHAT)}, Severity.HIGH),
        ({"agent.log": f"$ {WGET}\n"}, Severity.MEDIUM),
        ({"agent.log": f"$ {WGET}\nunable to resolve host address\n"}, Severity.LOW),
        ({"agent.log": "$ unzip -q /data/ext/stanford-dogs.zip -d dogs\n"}, Severity.MEDIUM),
    ],
)
def test_a_log_tells_what_became_of_it(tmp_path, logs, severity):
    result = asked(tmp_path, DOGS, logs=logs)

    assert result.findings[0].severity is severity
    assert (severity, result.findings[0].confidence) != (Severity.HIGH, Confidence.HIGH)


@pytest.mark.parametrize(
    ("task", "files"),
    [
        (DOGS, {"code": "# Stanford Dogs would hold the answers; not used\nx = 1\n"}),
        (DOGS, {"code": "NOTE = 'stanford_dogs'\nprint('no Stanford Dogs here')\n"}),
        (DOGS, {"code": "import timm\nm = timm.create_model('resnet50', pretrained=True)\n"}),
        (DOGS, {"code": "import pandas as pd\npd.read_csv('/home/data/labels.csv')\n"}),
        (DOGS, {"code": "import os\nos.listdir('/home/data/train')\nos.makedirs('dogs_extra')\n"}),
        (DOGS, {"logs": "The data come from Stanford Dogs; I must not download it.\n"}),
        (DOGS, {"logs": "$ grep -n stanford_dogs README.md\n3: stanford_dogs\n"}),
        (DOGS, {"logs": "$ echo 'wget stanford-dogs.zip'\nwget stanford-dogs.zip\n"}),
        (DOGS, {"code": "import torch\ntorch.load('stanford_dogs_resnet.pth')\n"}),
        (DOGS, {"code": "import numpy as np\nnp.save('stanford_dogs.npy', x)\n"
                "np.load('stanford_dogs.npy')\n"}),
        (CELLS, {"code": "import tensorflow_datasets as tfds\ntfds.load('stanford_dogs')\n"}),
        (CELLS, {"code": "from pcam import Tiles\nt = Tiles('/home/data/train')\n"}),
        ("jigsaw-toxic-comment-classification-challenge",
         {"code": "import pandas as pd\npd.read_csv('/home/data/test_labels.csv')\n"}),
        (CELLS, {"code": "pcam_like = crop(image, 32)\nopen('pcampus.txt')\n"}),
        (CELLS, {"code": '"""Architecture of the PCam paper, arXiv 1806.03962."""\nx = 1\n'}),
        (SPOOKY, {"code": "from nltk.corpus import gutenberg\ngutenberg.words('emma.txt')\n"}),
        (SPOOKY, {"code": "import re\nre.sub('Project Gutenberg', '', text)\n"}),
        (SPOOKY, {"code": "authors = {'EAP': 'Poe', 'HPL': 'Lovecraft', 'MWS': 'Shelley'}\n"}),
        (SPOOKY, {"code": "import gensim.downloader as g\ng.load('glove-wiki-gigaword-100')\n"}),
        (ESSAYS, {"code": "import pandas as pd\npd.read_csv('/data/train.csv')\n"}),
        (ESSAYS, {"code": "words = ['persuade', 'convince']\ncount(words, 'persuade')\n"}),
        ("breast-cancer", {"code": "from sklearn.datasets import load_iris\nload_iris()\n"}),
        ("modechoice", {"code": "import statsmodels.api as sm\nsm.MNLogit(y, x).fit()\n"}),
        ("movie-review-sentiment-analysis-kernels-only",
         {"code": "from transformers import pipeline\n"
          "pipeline(model='distilbert-base-uncased-finetuned-sst-2-english')\n"}),
        ("new-york-city-taxi-fare-prediction",
         {"code": "import holidays\nholidays.US(state='NY')\nopen('nyc_boroughs.csv')\n"}),
    ],
)  # fmt: skip
def test_names_other_tasks_and_own_files_are_nothing(tmp_path, task, files):
    result = asked(tmp_path, task, **files)

    assert result.outcome is Outcome.CLEAN
    assert result.findings == ()


TITANIC = "spaceship-titanic"
COPIES = "https://huggingface.co/datasets/joe/spaceship-titanic-full/resolve/main/all.csv"


@pytest.mark.parametrize(
    ("task", "files"),
    [
        pytest.param(TITANIC, {"code": f"import pandas as p\np.read_csv('{COPIES}')\n"}, id="hub"),
        pytest.param(TITANIC, {"logs": "$ kaggle competitions download -c spaceship-titanic\n"
                     "Downloading spaceship-titanic.zip\n"}, id="the-competition"),
        pytest.param("aptos2019-blindness-detection", {"logs": "$ kaggle datasets download "
                     "-d joe/aptos2019 --unzip\nDownloading aptos2019.zip\n"}, id="by-year"),
        pytest.param(TITANIC, {"code": "import importlib, base64\n"
                     "n = base64.b64decode('am9lL3NwYWNlc2hpcC10aXRhbmlj').decode()\n"
                     "importlib.import_module('datasets').load_dataset(n)\n"}, id="encoded"),
        pytest.param("detecting-insults-in-social-commentary", {"code": "import pandas as pd\n"
                     "pd.read_csv('https://h.org/x/test_with_solutions.csv')\n"}, id="released"),
    ],
)  # fmt: skip
def test_a_copy_of_the_tasks_own_data_is_told_where_it_is_fetched(tmp_path, task, files):
    assert asked(tmp_path, task, **files).outcome is Outcome.FLAGGED


@pytest.mark.parametrize(
    "files",
    [
        {"code": "import pandas as p\np.read_csv('/kaggle/input/spaceship-titanic/train.csv')\n"},
        {"code": "import pandas as pd\npd.read_csv('http://localhost/spaceship-titanic/a.csv')\n"},
        {"code": "from huggingface_hub import hf_hub_download\n"
         "hf_hub_download('joe/spaceship-titanic-model', 'm.pkl')\n"},
        {"code": "import wandb\nwandb.init(project='spaceship-titanic')\n"},
        {"code": "# https://huggingface.co/datasets/joe/spaceship-titanic\nx = 1\n"},
        {"logs": "$ kaggle competitions submit -c spaceship-titanic -f s.csv -m a\nSubmitted\n"},
        {"code": "import requests\nrequests.get('https://www.kaggle.com/c/spaceship-titanic')\n"},
    ],
)  # fmt: skip
def test_the_tasks_name_alone_is_no_copy_of_its_data(tmp_path, files):
    assert asked(tmp_path, TITANIC, **files).outcome is Outcome.CLEAN


@pytest.mark.parametrize("task", ["no-such-task"])
def test_a_task_that_is_not_known_is_not_asked(tmp_path, task):
    result = asked(
        tmp_path, task, code="import tensorflow_datasets as t\nt.load('stanford_dogs')\n"
    )

    assert result.outcome is Outcome.NOT_APPLICABLE


@pytest.mark.parametrize("task", specs.catalog_ids())
def test_no_mark_names_the_tasks_own_files(task):
    """What a task calls itself and its files is no sign of a twin."""
    spec = specs.load(task)
    marks = [mark for twin in spec.twins for mark in twin.marks]
    own = [task, spec.title, *(f.lies_at for f in spec.public)]

    assert not [text for text in own if names_twin(text, marks)]
    assert not [m for m in marks if len(m) < 4]
