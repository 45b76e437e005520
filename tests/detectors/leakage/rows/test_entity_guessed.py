"""Things that nobody declared: told as a guess, and only where tables or files bear it out."""

from __future__ import annotations

import numpy as np
import pandas as pd  # noqa: TID253
import pytest
from PIL import Image

from competitions.errors import EvidenceUnavailableError
from detectors.dataset import Dataset
from detectors.leakage.entity_overlap import EntityOverlap
from reports.schema import Confidence, FileDigest, Finding, Severity
from tests.detectors.leakage.rows.tables import dataset


def found(subject: Dataset) -> list[Finding]:
    return list(EntityOverlap().detect(subject))


def visits(n_patients: int = 60, each: int = 4) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    who = np.repeat(np.arange(n_patients), each)
    return pd.DataFrame({
        "id": np.arange(len(who)) + 5000,
        "patient": who * 7 + 100,
        "visit": np.tile(np.arange(each), n_patients),
        "born": rng.integers(1930, 2000, n_patients)[who],
        "blood": rng.choice(["a", "b", "ab", "0"], n_patients)[who],
        "measured": rng.normal(size=len(who)),
        "y": rng.integers(0, 2, len(who)),
    })  # fmt: skip


def at_random(table: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    is_test = np.random.default_rng(1).random(len(table)) < 0.25
    return table[~is_test], table[is_test].drop(columns="y")


def by_patient(table: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    is_test = table["patient"] % 4 == 0
    return table[~is_test], table[is_test].drop(columns="y")


def test_patients_dealt_at_random_are_found_and_called_a_guess(tmp_path):
    (finding,) = found(dataset(tmp_path, *at_random(visits())))

    assert (finding.severity, finding.confidence) == (Severity.MEDIUM, Confidence.MEDIUM)
    assert "by patient" in finding.message
    assert "was guessed" in finding.message
    assert "--entity" in finding.message


def shops() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    shop, week = (cells.ravel() for cells in np.mgrid[0:30, 0:20])
    return pd.DataFrame({
        "date": (pd.Timestamp("2024-01-01") + pd.to_timedelta(week * 7, unit="D")).strftime("%F"),
        "shop": [f"S{n:03}" for n in shop],
        "region": rng.choice(list("NSEW"), 30)[shop],
        "price": rng.normal(5, 1, 600).round(2),
        "y": rng.normal(size=600).round(1),
    })  # fmt: skip


def in_time(table: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    is_test = table["date"] > sorted(table["date"])[450]
    return table[~is_test], table[is_test].drop(columns="y")


@pytest.mark.parametrize("dealt", [at_random, in_time])
def test_known_things_of_series_are_no_more_than_a_note_where_they_are_guessed(tmp_path, dealt):
    (finding,) = found(dataset(tmp_path, *dealt(shops())))
    (named,) = found(dataset(tmp_path, *dealt(shops()), entities=("shop",)))

    assert (finding.severity, named.severity) == (Severity.NOTE, Severity.HIGH)


def test_what_somebody_names_is_no_guess(tmp_path):
    (finding,) = found(dataset(tmp_path, *at_random(visits()), entities=("patient",)))

    assert (finding.severity, finding.confidence) == (Severity.HIGH, Confidence.HIGH)
    assert "guessed" not in finding.message


@pytest.mark.parametrize("roles", [{}, {"entities": ("patient",)}])
def test_isolated_patients_are_clean(tmp_path, roles):
    told = found(dataset(tmp_path, *by_patient(visits()), **roles))

    assert all(f.severity is Severity.NOTE for f in told)  # that train has many visits of each


def test_where_somebody_says_there_are_none_nothing_is_guessed(tmp_path):
    assert found(dataset(tmp_path, *at_random(visits()), entities=())) == []


def test_a_category_on_both_sides_is_no_thing(tmp_path):
    rng = np.random.default_rng(2)
    table = pd.DataFrame({
        "id": range(800),
        "party": rng.integers(0, 7, 800),
        "region": rng.choice(list("abcdefghijkl"), 800),
        "age": rng.integers(20, 80, 800),
        "y": rng.integers(0, 2, 800),
    })  # fmt: skip

    with pytest.raises(EvidenceUnavailableError, match="suggest"):
        found(dataset(tmp_path, *at_random(table)))


def test_two_columns_that_name_a_patient_together_are_found(tmp_path):
    table = visits(200)
    table["hospital"], table["number"] = np.divmod((table["patient"] - 100) // 7, 20)
    table = table.drop(columns=["patient", "visit"])
    (finding,) = found(dataset(tmp_path, *at_random(table.sample(frac=1, random_state=0))))

    assert "hospital" in finding.message
    assert "number" in finding.message


def test_what_names_of_files_begin_with_is_found_in_a_column(tmp_path):
    table = pd.DataFrame({"file": [f"p{i // 4:03}_{i % 4}.png" for i in range(200)]})
    table["y"] = np.arange(200) % 2
    (finding,) = found(dataset(tmp_path, *at_random(table), key=("file",)))

    assert "share their file" in finding.message


def pictures(folder, describe, names, form="{side}{n:04}.jpg") -> Dataset:
    for n, name in enumerate(names):
        side = "train" if n % 4 else "test"
        path = folder / "public" / side / form.format(side=side, n=n, name=name)
        path.parent.mkdir(parents=True, exist_ok=True)
        describe(path, name)
    return Dataset.of_folders(folder / "public")


def exif(path, name: str) -> None:
    picture = Image.new("L", (4, 4))
    tags = picture.getexif()
    tags[270] = name
    picture.save(path, exif=tags)


def test_descriptions_of_pictures_that_recur_on_both_sides_are_things(tmp_path):
    names = [f"case {n // 3}" for n in range(90)]
    (finding,) = found(pictures(tmp_path, exif, names))

    assert finding.severity is Severity.MEDIUM
    assert "guessed" in finding.message


@pytest.mark.parametrize(
    "names",
    [
        pytest.param([f"case {n}" for n in range(90)], id="a-picture-each"),
        pytest.param(["OLYMPUS DIGITAL CAMERA"] * 90, id="what-a-camera-writes"),
        pytest.param([""] * 90, id="nothing"),
    ],
)
def test_other_descriptions_of_pictures_are_no_things(tmp_path, names):
    with pytest.raises(EvidenceUnavailableError, match="suggest"):
        found(pictures(tmp_path, exif, names))


def test_speakers_in_names_of_files_are_found(tmp_path):
    names = [f"speaker{n // 3:02}" for n in range(90)]
    subject = pictures(tmp_path, exif, names, form="{name}_{n}.jpg")
    renamed = {f"_{n}.": f"_{n % 3}." for n in range(90)}
    for path in sorted((tmp_path / "public").rglob("*.jpg")):
        end = "_" + path.name.rpartition("_")[2][:-3]
        path.rename(path.with_name(path.name.replace(end, renamed[end])))
    findings = found(subject)

    assert any("before '_'" in f.message for f in findings)


def test_patients_of_dicom_files_are_named_by_the_files_themselves(tmp_path):
    pydicom = pytest.importorskip("pydicom")

    def dicom(path, name):
        meta = pydicom.dataset.FileMetaDataset()
        meta.TransferSyntaxUID = pydicom.uid.ExplicitVRLittleEndian
        header = pydicom.dataset.FileDataset(str(path), {}, file_meta=meta, preamble=b"\0" * 128)
        header.PatientID = name
        header.save_as(path, enforce_file_format=False)

    names = [f"p{n // 5}" for n in range(60)]
    (finding,) = found(pictures(tmp_path, dicom, names, form="{side}{n:04}.dcm"))
    proofs = [e for e in finding.evidence if isinstance(e, FileDigest)]

    assert (finding.severity, finding.confidence) == (Severity.HIGH, Confidence.HIGH)
    assert {"public/train", "public/test"} == {p.path.rpartition("/")[0] for p in proofs}
    assert "p3" not in finding.model_dump_json()


def test_a_thing_that_no_test_table_names_is_not_called_clean(tmp_path):
    train, test = at_random(visits())
    subject = dataset(tmp_path, train, test.drop(columns="patient"), entities=("patient",))

    with pytest.raises(EvidenceUnavailableError, match="patient"):
        found(subject)


def ratings(n_users: int = 80, each: int = 12, n_films: int = 60) -> pd.DataFrame:
    rng = np.random.default_rng(7)
    user = np.repeat(np.arange(n_users), each)
    film = np.concatenate([rng.permutation(n_films)[:each] for _ in range(n_users)])
    order = rng.permutation(len(user))
    return pd.DataFrame({
        "userId": (user * 13 + 7)[order],
        "movieId": (film * 31 + 1000)[order],
        "year": rng.integers(1950, 2000, n_films)[film][order],
        "y": rng.integers(1, 6, len(user)),
    })  # fmt: skip


def test_ratings_of_known_films_by_known_users_are_no_more_than_a_note(tmp_path):
    severities = {f.severity for f in found(dataset(tmp_path, *at_random(ratings())))}

    assert severities == {Severity.NOTE}
