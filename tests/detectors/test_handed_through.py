"""Code that only hands values through is told from code that could have made them."""

from __future__ import annotations

import pytest

from detectors.training.account import handed_through

COPIES = "import shutil\nshutil.copy('public_best.csv', 'submission.csv')\n"
MIXES = (
    "import pandas as pd\na, b = pd.read_csv('a.csv'), pd.read_csv('b.csv')\n"
    "a['y'] = 0.6 * a['y'] + 0.4 * b['y']\na.to_csv('submission.csv', index=False)\n"
)
SHAKES = (
    "import numpy as np\nimport pandas as pd\na = pd.read_csv('a.csv')\n"
    "a['y'] += np.random.normal(0, 0.01, len(a))\na.to_csv('submission.csv')\n"
)


@pytest.mark.parametrize("code", [COPIES, MIXES, SHAKES], ids=["copies", "mixes", "shakes"])
def test_the_place_that_writes_is_told(code, make_attempt):
    place = handed_through(make_attempt(code=code))

    assert place is not None
    assert place.path == "code/main.py"


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(f"{MIXES}m.fit(x, y)\n", id="trains"),
        pytest.param(f"{MIXES}m.predict(x)\n", id="predicts"),
        pytest.param("import joblib\njoblib.load('m').predict(x)\n", id="stored-model"),
        pytest.param(
            "import pandas as pd\nx = pd.read_csv('train.csv')\n" + MIXES, id="reads-train"
        ),
        pytest.param(
            "import pandas as pd\nx = pd.read_csv('test.csv')\nx['y'] = x['sex'] == 'female'\n"
            "x.to_csv('submission.csv')\n",
            id="a-rule-by-hand",
        ),
        pytest.param(f"import lightgbm\n{MIXES}", id="a-library-that-trains"),
        pytest.param(f"import subprocess\nsubprocess.run(['make'])\n{COPIES}", id="runs-others"),
        pytest.param("print('done')\n", id="writes-nothing"),
        pytest.param("open('submission.csv', 'w').write(made)\n(", id="does-not-parse"),
    ],
)
def test_what_may_have_made_its_values_is_not(code, make_attempt):
    assert handed_through(make_attempt(code=code)) is None
