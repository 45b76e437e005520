"""People written otherwise are found; families, neighbours and namesakes are not taken for one."""

from __future__ import annotations

import numpy as np
import pandas as pd  # noqa: TID253
import pytest

from competitions.errors import EvidenceUnavailableError
from detectors.leakage.fuzzy_entity_overlap import FuzzyEntityOverlap
from detectors.leakage.fuzzy_fields import identifying
from detectors.leakage.fuzzy_texts import Kind, written
from reports.schema import Finding, RowOverlap, Severity
from tests.bench.leakage_people import PERSONAL, people
from tests.detectors.leakage.rows.tables import dataset

pytestmark = pytest.mark.slow  # CI runs them; `make test` has little time

ROLES = {"key": ("id",), "targets": ("target",)}
WHO = {
    "name": "Anna Maria Berger",
    "birth": "1971-02-10",
    "phone": "0755421557",
    "address": "43 Elm Street, York",
}


@pytest.fixture(scope="module")
def clean():
    return people(400, seed=5, kinds=())


def found(folder, train, test, **parameters) -> list[Finding]:
    columns = ["id", *PERSONAL, "m0", "ward", "target"]
    subject = dataset(folder, train[columns], test[columns], **ROLES)
    return list(FuzzyEntityOverlap(**parameters).detect(subject))


def overlap(finding: Finding) -> RowOverlap:
    evidence = finding.evidence[0]
    assert isinstance(evidence, RowOverlap)
    return evidence


def put(table: pd.DataFrame, row: int, **values) -> pd.DataFrame:
    one = table.iloc[[row]].assign(**values)
    return pd.concat([table.iloc[:row], one, table.iloc[row + 1 :]], ignore_index=True)


@pytest.mark.parametrize(
    "otherwise",
    [
        pytest.param({}, id="the-same"),
        pytest.param({"name": "Berger, Anna Maria"}, id="swapped"),
        pytest.param({"name": "ANNA MARIA BERGER"}, id="case"),
        pytest.param({"name": "Ánna María Bérger"}, id="accents"),
        pytest.param({"name": "Anna Maria Bergr"}, id="dropped-letter"),
        pytest.param({"name": "Anna Berger"}, id="without-the-second-name"),
        pytest.param({"birth": "10/02/1971", "phone": "+44 (755) 421-557"}, id="formats"),
        pytest.param({"birth": "19710210", "name": "Anna Maira Berger"}, id="format-and-slip"),
        pytest.param({"birth": "1971-02-19", "phone": "0755421457"}, id="two-slips"),
        pytest.param({"address": "43 Elm Stret, York", "phone": None}, id="slip-and-missing"),
        pytest.param({"address": "7 Oak Lane, Hull"}, id="moved"),
    ],
)
def test_somebody_written_otherwise_is_found(tmp_path, clean, otherwise):
    train = put(clean.train, 17, **WHO)
    test = put(clean.test, 3, **(WHO | otherwise))
    (finding,) = found(tmp_path, train, test)
    (pair,) = overlap(finding).pairs

    assert (pair.left_row, pair.right_row) == (18, 4)
    assert finding.severity is Severity.MEDIUM
    assert "guessed" in finding.message


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(
            {"phone": "0312999888", "address": "9 Oak Lane, Hull"}, id="namesake-of-a-day"
        ),
        pytest.param({"name": "Otto Berger", "birth": "1969-11-30"}, id="same-household"),
        pytest.param({"name": "Otto Maria Berger"}, id="twin"),
        pytest.param({"name": "Hanno Maria Berger"}, id="twin-of-a-similar-name"),
        pytest.param(
            {"birth": "1990-12-01", "address": "45 Elm Street, York", "phone": "0900111222"},
            id="namesake-next-door",
        ),
        pytest.param({"phone": None, "address": None}, id="too-little-known"),
    ],
)
def test_others_are_nobody_of_the_train_part(tmp_path, clean, other):
    test = put(clean.test, 3, **(WHO | other))

    assert found(tmp_path, put(clean.train, 17, **WHO), test) == []


def test_clean_tables_yield_nothing(tmp_path, clean):
    assert found(tmp_path, clean.train, clean.test) == []


def test_people_with_several_rows_in_the_train_part_alone_are_noted(tmp_path, clean):
    again = clean.train.assign(
        name=clean.train["name"].str.upper(), birth=clean.train["birth"].str.replace("-", "")
    )
    twice = pd.concat([clean.train, again], ignore_index=True)
    (one,) = found(tmp_path, twice, clean.test)

    assert one.severity is Severity.NOTE
    assert "of one half of the train part" in one.message


def test_values_of_people_do_not_enter_the_finding(tmp_path, clean):
    train, test = (
        put(clean.train, 17, **WHO),
        put(clean.test, 3, **(WHO | {"name": "Anna Berger"})),
    )

    said = [f.model_dump_json() for f in found(tmp_path, train, test)]

    assert not any(word in text for text in said for word in ("Berger", "1971", "755421", "Elm"))


def test_tables_without_particulars_are_not_called_clean(tmp_path, clean):
    train, test = (t.assign(phone=1.5, address="x", birth=0.25) for t in (clean.train, clean.test))

    with pytest.raises(EvidenceUnavailableError, match="identify"):
        found(tmp_path, train, test)


def test_measurements_amounts_categories_and_prose_identify_nobody():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({
        "measured": rng.normal(size=300),
        "income": rng.integers(10_000, 99_999, 300),
        "ward": rng.choice(list("abcdefgh"), 300),
        "flag": rng.random(300) < 0.5,
        "said": [" ".join(rng.choice(["so", "it", "was", "not", "there"], 30)) for _ in range(300)],
        "nothing": [None] * 300,
        "phone": rng.integers(200_000_000, 999_999_999, 300),
        "surname": ["".join(rng.choice(list("abcdefghij"), 7)) for _ in range(300)],
    })  # fmt: skip

    assert set(identifying(table, table.columns.tolist())) == {"phone", "surname"}


@pytest.mark.parametrize(
    ("text", "kind", "whole"),
    [
        pytest.param("3.2.1980", Kind.DATE, "19800203", id="days-first"),
        pytest.param("2/13/1980", Kind.DATE, "19800213", id="months-first"),
        pytest.param("3 Feb 80", Kind.DATE, "19800203", id="month-in-words"),
        pytest.param("Feb 3, 1980", Kind.DATE, "19800203", id="month-in-words-first"),
        pytest.param("1980-02-03T00:00:00", Kind.DATE, "19800203", id="with-a-clock"),
        pytest.param("n/a", Kind.DATE, "", id="no-date"),
        pytest.param("0041 44 668 18 00", Kind.NUMBER, "446681800", id="country-code"),
        pytest.param("  O'Neill-Smith ", Kind.WORDS, "neill o smith", id="signs"),
        pytest.param("Ünal 3", Kind.WORDS, "3 unal", id="accents"),
        pytest.param("山田 太郎", Kind.WORDS, "太郎 山田", id="other-scripts"),
        pytest.param("--", Kind.WORDS, "", id="nothing"),
    ],
)
def test_values_are_written_in_one_way(text, kind, whole):
    assert written(text, kind).whole == whole


@pytest.mark.slow
def test_recall_and_wrong_pairs_of_ten_thousand_rows_hold(tmp_path):
    made = people(10_000, seed=11)
    (finding,) = found(tmp_path, made.train, made.test)
    from detectors.leakage.split import split_of

    split = split_of(dataset(tmp_path, made.train, made.test, **ROLES))
    search = FuzzyEntityOverlap()._search(split, made.train, made.test)
    from detectors.leakage.fuzzy_pairs import alike

    seen = alike(search)
    pairs = set(zip(seen.left.tolist(), seen.right.tolist(), strict=True))
    planted = {kind: set(map(tuple, rows.tolist())) for kind, rows in made.pairs.items()}

    assert planted["person"] <= pairs
    assert len(planted["person with typos"] & pairs) >= 0.9 * len(planted["person with typos"])
    assert pairs <= set().union(*planted.values())
    assert overlap(finding).n_shared == len(pairs)
