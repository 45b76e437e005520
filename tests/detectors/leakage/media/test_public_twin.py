"""Test pictures that lie in a public data set are told, with the folders that they lie in."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from audit.check import check
from audit.leakage import leakage
from audit.verdict import load_policy
from competitions.errors import UsageError
from detectors.dataset import Dataset
from detectors.leakage.public_twin import PublicTwin
from reports.schema import Outcome, Severity
from tests.detectors.leakage.media.pictures import DISGUISES, scene, write

NOW = datetime(2026, 1, 1, tzinfo=UTC)
BREEDS = ("boxer", "collie", "pug")


def dogs(folder, of_test):
    """Write a public set sorted by breed, and data whose test pictures have these seeds."""
    public = {f"{BREEDS[n % 3]}/n{n:03d}.png": scene(n, 48) for n in range(12)}
    write(folder / "Dogs", public)
    write(folder / "public", {f"train/{n}.png": scene(40 + n, 48) for n in range(12)})
    write(folder / "public", {f"test/{s}.png": scene(s, 48) for s in of_test})
    return Dataset.of_folders(folder / "public")


@pytest.mark.parametrize("is_mended", [False, True], ids=["published", "mended"])
def test_dog_breed_test_pictures_of_a_public_set_are_told_and_new_ones_are_not(tmp_path, is_mended):
    data = dogs(tmp_path, range(80, 86) if is_mended else range(6))
    answer = check(PublicTwin(str(tmp_path / "Dogs")), data)

    said = "6 of 6 test pictures also lie in Dogs, 6 of them byte for byte or pixel for pixel, in 3"
    assert answer.outcome is (Outcome.CLEAN if is_mended else Outcome.FLAGGED)
    assert [f.severity for f in answer.findings] == ([] if is_mended else [Severity.MEDIUM])
    assert all(f.message.startswith(said) for f in answer.findings)


@pytest.mark.slow
def test_a_twin_is_known_flipped_and_encoded_anew(tmp_path):
    data = dogs(tmp_path, ())
    turned = {f"test/{n}.png": DISGUISES["flip and jpeg"](scene(n, 48), n) for n in range(6)}
    write(tmp_path / "public", turned)
    (found,) = check(PublicTwin(str(tmp_path / "Dogs")), data).findings

    pairs = [p for p in found.evidence if p.kind == "picture_pair"]

    assert {(p.left.split("/")[-1], p.right.split("/")[-1]) for p in pairs} == {
        (f"n{n:03d}.png", f"{n}.png") for n in range(6)
    }


@pytest.mark.parametrize(
    ("twin", "outcome", "said"),
    [
        pytest.param("", Outcome.NOT_APPLICABLE, "--twin", id="not named"),
        pytest.param("nowhere", Outcome.NOT_AVAILABLE, "nowhere holds no pictures", id="not there"),
    ],
)
def test_where_no_public_data_are_named_nothing_is_asked(tmp_path, twin, outcome, said):
    answer = check(PublicTwin(twin), dogs(tmp_path, range(2)))

    assert answer.outcome is outcome
    assert said in str(answer.reason)


def test_a_document_names_the_folder_and_not_its_place(tmp_path):
    def look(twin):
        return leakage(
            [], tmp_path, load_policy(None), NOW, data=data, select=["public-twin"], twin=twin
        )

    data = [dogs(tmp_path, range(2))]
    report = look(tmp_path / "Dogs")

    assert [c.parameters["twin"] for c in report.checks] == ["Dogs"]
    assert [f.severity for f in report.findings] == [Severity.MEDIUM]
    with pytest.raises(UsageError, match="--twin: expected a folder"):
        look(tmp_path / "nowhere")
