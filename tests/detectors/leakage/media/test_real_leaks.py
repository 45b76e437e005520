"""Miniatures of leaks that were published, by their signature, and of the same sets repaired."""

import pytest

from audit.check import check
from detectors.dataset import Dataset
from detectors.leakage.duplicate_image import DuplicateImage
from detectors.leakage.duplicate_text import DuplicateText
from reports.schema import Outcome, Severity
from tests.detectors.leakage.media.pictures import scene, write
from tests.detectors.leakage.media.test_duplicate_text import passage


def grave(answer):
    return [(f.severity, f.message) for f in answer.findings if f.severity > Severity.NOTE]


@pytest.mark.parametrize("is_repaired", [False, True], ids=["published", "repaired"])
def test_riawelc_every_test_picture_is_a_train_file(tmp_path, is_repaired):
    write(tmp_path, {f"training/{k}/{n}.png": scene(n, 48) for n in range(24) for k in "ab"[n % 2]})
    first = 100 if is_repaired else 0
    write(tmp_path, {f"testing/{n}.png": scene(first + n, 48) for n in range(8)})
    answer = check(DuplicateImage(), Dataset.of_folders(tmp_path))

    message = "8 of 8 test pictures are also in the train part: 8 byte for byte."
    assert grave(answer) == ([] if is_repaired else [(Severity.HIGH, message)])


@pytest.mark.parametrize(
    ("n_shared", "severity"),
    [
        pytest.param(40, Severity.HIGH, id="npc-gzip-all"),
        pytest.param(36, Severity.HIGH, id="npc-gzip-nine-in-ten"),
        pytest.param(1, Severity.MEDIUM, id="newsgroups-a-few"),
        pytest.param(0, None, id="repaired"),
    ],
)
def test_test_texts_that_stand_in_the_train_set(tmp_path, n_shared, severity):
    for name, seeds in (
        ("train", range(200)),
        ("test", [*range(n_shared), *range(500, 540 - n_shared)]),
    ):
        rows = [f'{i},"{passage(seed)}"' for i, seed in enumerate(seeds)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["id,text", *rows]) + "\n")
    tables = Dataset.of_tables(
        tmp_path / "train.csv", tmp_path / "test.csv", key=("id",), targets=()
    )
    answer = check(DuplicateText(), tables)

    assert [s for s, _ in grave(answer)] == ([severity] if severity else [])
    assert answer.outcome is (Outcome.FLAGGED if severity else Outcome.CLEAN)
