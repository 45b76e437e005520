"""Clips of four days: two to train on, two to test on, names without labels."""

import pytest

from competitions import spec
from competitions.errors import RawDataError
from competitions.hooks.whale_calls import split
from competitions.work import Work

TASK = spec.load("the-icml-2013-whale-challenge-right-whale-redux")
CLIPS = (
    "20090331_020000_1s0ms_TRAIN9_0.aif",
    "20090328_120000_1s0ms_TRAIN10_1.aif",
    "20090328_010000_1s0ms_TRAIN2_0.aif",
    "20090329_000000_5s7ms_TRAIN1_1.aif",
    "20090330_235900_1s0ms_TRAIN777_1.aif",
)


@pytest.fixture
def write(tmp_path):
    def parts_of(*names):
        (tmp_path / "train2").mkdir()
        for name in names:
            (tmp_path / "train2" / name).write_bytes(name.encode())
        return split(TASK, Work(tmp_path, tmp_path / "none"))

    return parts_of


def test_the_first_two_days_are_trained_on_in_time_order_and_keep_their_labels(write):
    train = write(*CLIPS).train

    assert train["clip"].tolist() == [
        "20090328_010000_1s0ms_TRAIN0_0.aif",
        "20090328_120000_1s0ms_TRAIN1_1.aif",
        "20090329_000000_5s7ms_TRAIN2_1.aif",
    ]
    assert train["name"].tolist() == [CLIPS[2], CLIPS[1], CLIPS[3]]


def test_the_last_two_days_are_tested_on_and_no_name_tells_its_label(write):
    test = write(*CLIPS).test

    assert test["clip"].tolist() == [
        "20090330_235900_1s0ms_Test0.aif",
        "20090331_020000_1s0ms_Test1.aif",
    ]
    assert test["probability"].tolist() == [1, 0]


@pytest.mark.parametrize("n", [1, 4])
def test_clips_of_other_than_four_days_are_refused(write, n):
    names = [*CLIPS, "20090401_020000_1s0ms_TRAIN3_0.aif"]
    with pytest.raises(RawDataError, match="expected clips of 4 days, found"):
        write(*(names[:n] if n == 1 else names))
