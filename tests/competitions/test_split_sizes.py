"""How many rows of the real raw tables are tested on: what MLE-bench's prepared data have."""

import pandas as pd  # noqa: TID253
import pytest

from competitions import spec
from competitions.splits import split_frame

# Rows of the raw table and of the test part; counted in published listings of the prepared data.
SIZES = {
    "aerial-cactus-identification": (17_500, 3_325),
    "aptos2019-blindness-detection": (3_662, 367),
    "bms-molecular-translation": (2_424_186, 484_838),
    "dog-breed-identification": (10_222, 1_023),
    "dogs-vs-cats-redux-kernels-edition": (25_000, 2_500),
    "histopathologic-cancer-detection": (220_025, 45_561),
    "hotel-id-2021-fgvc8": (97_554, 9_756),
    "imet-2020-fgvc7": (142_119, 21_318),
    "invasive-species-monitoring": (2_295, 459),
    "kuzushiji-recognition": (3_605, 361),
    "leaf-classification": (990, 99),
    "paddy-disease-classification": (10_407, 2_602),
    "petfinder-pawpularity-score": (9_912, 992),
    "plant-pathology-2020-fgvc7": (1_821, 183),
    "plant-pathology-2021-fgvc8": (18_632, 3_727),
    "plant-seedlings-classification": (4_750, 666),  # 0.14 · 4,750 is a little more than 665
    "predict-volcanic-eruptions-ingv-oe": (4_431, 444),
    "ranzcr-clip-catheter-line-classification": (30_083, 3_009),
    "rsna-miccai-brain-tumor-radiogenomic-classification": (585, 59),
    "seti-breakthrough-listen": (60_000, 6_000),
    "spaceship-titanic": (8_693, 870),
    "tgs-salt-identification-challenge": (4_000, 1_000),
}


@pytest.mark.parametrize("name", SIZES)
def test_as_many_rows_of_the_real_table_are_tested_on_as_by_mlebench(name):
    n_rows, n_test = SIZES[name]
    split = spec.load(name).split
    column = split.group.column if split.group else "row"
    parts = split_frame(pd.DataFrame({column: range(n_rows)}), split)

    assert (len(parts.train), len(parts.test)) == (n_rows - n_test, n_test)
