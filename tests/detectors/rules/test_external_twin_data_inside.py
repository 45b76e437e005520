"""A twin is seen by what is in it and wherever it is read; an attempt's own folders are not it."""

from __future__ import annotations

import pytest

from audit.check import check
from detectors.rules.external_twin_data import ExternalTwinData
from reports.schema import Outcome
from tests.conftest import write_attempt
from tests.detectors.rules.written import node, shell

DOGS = "dog-breed-identification"
CATS = "dogs-vs-cats-redux-kernels-edition"
PLANTS = "plant-seedlings-classification"
ESSAYS = "learning-agency-lab-automated-essay-scoring-2"
PHRASES = "movie-review-sentiment-analysis-kernels-only"


@pytest.mark.parametrize(("task", "files"), [
    pytest.param(PLANTS, {"logs": shell(
     'for d in ../NonsegmentedV2/*/; do n=$(basename "$d"); ln -s "$(realpath "$d")" w/$n; done')},
     id="loop"),
    pytest.param(DOGS, {"logs": node("import subprocess\nsubprocess.run('rsync -a "
     "/sets/stanford_dogs/ work/ && ls work', shell=True)\n")}, id="command-of-a-program"),
    pytest.param(DOGS, {"code": {"m.py": "import json, glob\nc = json.load(open('c.json'))\n"
     "f = [x for r in c['roots'] for x in glob.glob(r)]\n", "c.json":
     '{"lr": 1, "roots": ["/data/stanford_dogs/Images"]}'}}, id="list-in-a-setting"),
    pytest.param(DOGS, {"code": "import scipy.io\n"
     "t = scipy.io.loadmat('/mnt/StanfordDogs/file_list.mat')\n"}, id="loadmat"),
    pytest.param(DOGS, {"logs": shell('zstd -dc /sets/stanford_dogs.tar.zst | tar x')}, id="zstd"),
    pytest.param(ESSAYS, {"code":
     "import pandas as pd\npd.read_parquet('aux/persuade20.parquet')\n"},
     id="number-at-the-name"),
    pytest.param(ESSAYS, {"code": "import pandas as pd\npd.read_csv('/tmp/persuade_2.0.csv')\n"},
     id="scratch-that-the-attempt-did-not-make"),
    pytest.param("random-acts-of-pizza", {"logs": node(
     "from convokit import Corpus, download\nc = Corpus(download('subreddit-x'))\n")},
     id="package-in-a-step"),
    pytest.param(PHRASES, {"logs": shell('aws s3 cp s3://h/sst/trees/ phrases/ --recursive')},
     id="short-name-with-more"),
    pytest.param(DOGS, {"logs": shell('python mk.py --src /opt/imgs --out cache.npz',
     '20580 files, 120 folders (n02085620-Chihuahua ...)')}, id="folders-printed"),
    pytest.param(ESSAYS, {"code": "import pandas as pd\nd = pd.read_csv('cache.csv')\n"
     "y = d.holistic_essay_score\n"}, id="column"),
    pytest.param(ESSAYS, {"code": {"m.R":
     'd <- read.csv("cache.csv")\ny <- d[, c("essay_id_comp", "score")]\n'}}, id="column-of-r"),
    pytest.param("spooky-author-identification", {"logs": shell('head -3 extra.txt',
     '*** START OF THE PROJECT GUTENBERG EBOOK FRANKENSTEIN ***')}, id="header-printed"),
])  # fmt: skip
def test_it_is_seen(tmp_path, task, files):
    attempt = write_attempt(tmp_path / f"{task}_1", **files)

    assert check(ExternalTwinData(), attempt).outcome is Outcome.FLAGGED


@pytest.mark.parametrize(("task", "files"), [
    pytest.param(CATS, {"logs": shell(
     'mkdir -p w/cats_vs_dogs; for f in /home/data/train/cat*; do ln -s $f w/cats_vs_dogs/; done')},
     id="own-folder-named-as-the-task"),
    pytest.param(CATS, {"code": "import os\nfrom glob import glob\n"
     "os.makedirs('w/dogs_and_cats/train/cat')\nf = glob('w/dogs_and_cats/train/*/*')\n"},
     id="own-folder-named-as-the-task-in-python"),
    pytest.param(PLANTS, {"logs": shell('mkdir -p /tmp/nonsegmented; python cut.py --out '
     '/tmp/nonsegmented; ls /tmp/nonsegmented')}, id="own-scratch"),
    pytest.param(DOGS, {"logs": shell('python predict.py',
     "[('n02085620', 'Chihuahua', 0.91), ('n02085782', 'Japanese_spaniel', 0.02)]")},
     id="classes-of-imagenet"),
    pytest.param(PHRASES, {"logs": shell('python train.py', 'loss 0.239232')}, id="loss"),
    pytest.param(ESSAYS, {"code": '"""PERSUADE calls the score holistic_essay_score."""\nx = 1\n'},
     id="docstring"),
    pytest.param(ESSAYS, {"logs": shell('cat /home/data/description.md',
     'The corpus has holistic_essay_score.')}, id="description"),
    pytest.param(DOGS, {"logs": shell("for n in 1 2; do echo stanford_dogs $n; done")},
     id="loop-over-numbers"),
    pytest.param("playground-series-s3e18", {"logs": shell(
     'kaggle datasets download -d gopalns/ec-mixed-class --unzip')},
     id="table-that-the-task-imitates"),
])  # fmt: skip
def test_what_only_looks_like_it_is_not_told(tmp_path, task, files):
    attempt = write_attempt(tmp_path / f"{task}_1", **files)

    assert check(ExternalTwinData(), attempt).outcome is Outcome.CLEAN
