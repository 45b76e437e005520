"""People written otherwise are found; families, neighbours and namesakes are not taken for one."""

from __future__ import annotations

import numpy as np
import pandas as pd  # noqa: TID253
import pytest

from competitions.errors import EvidenceUnavailableError
from detectors.leakage.fuzzy_entity_overlap import FuzzyEntityOverlap
from detectors.leakage.fuzzy_fields import identifying
from detectors.leakage.fuzzy_people import is_particular, name_pair
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


FIRST = """
Anna Hugo Ida Mona Olga Eva Peter Jan Karl Lena Otto Rosa Emil Nora Paul Vera""".split()  # noqa: SIM905
STEMS = """
Silv Novak Sing Smit Jens Mey Kell Haus Brun Lang Wint Somm Fisch Schmi Web Hub""".split()  # noqa: SIM905
SURNAMES = [stem + end for stem in STEMS for end in ("ova", "en", "er", "ski", "mann")]
NAMES, PHONE = ("first", "last"), "phone"


def guests(n: int, seed: int) -> pd.DataFrame:
    """Make rows about people as a booking has them: two names, a phone and a postcode."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame({
        "id": np.arange(n) + 1000 * seed,
        "first": rng.choice(FIRST, n),
        "last": rng.choice(SURNAMES, n),
        "phone": [f"0{p}" for p in rng.integers(10_000_000, 999_999_999, n)],
        "zip": rng.integers(10_000, 99_999, n),
        "amount": rng.normal(100, 20, n).round(2),
    })  # fmt: skip


def written_otherwise(rows: pd.DataFrame) -> pd.DataFrame:
    """Write surnames small and short, and swap two digits of phones."""
    swapped = [p[:-3] + p[-2] + p[-3] + p[-1] for p in rows["phone"]]
    return rows.assign(last=rows["last"].str.lower().str[:-1], phone=swapped)


@pytest.mark.parametrize("entities", [None, (*NAMES, PHONE, "zip")], ids=["guessed", "asked"])
@pytest.mark.parametrize(
    "form",
    [
        pytest.param(lambda t: t, id="numbers"),
        pytest.param(lambda t: t.assign(phone="+41 " + t["phone"].str[1:]), id="formatted"),
        pytest.param(lambda t: t.rename(columns={"first": "a", "last": "b", "phone": "c"}),
                     id="without-names-of-columns"),
    ],
)  # fmt: skip
def test_two_columns_of_names_with_a_phone_identify(tmp_path, form, entities):
    train, test = guests(400, 1), guests(160, 2)
    one = written_otherwise(train[:30])
    test.loc[:29, ["first", "last", "phone", "zip"]] = one[["first", "last", "phone", "zip"]]
    train, test = form(train), form(test)
    asked = tuple(train.columns[1:5]) if entities else None
    subject = dataset(
        tmp_path, train.assign(target=0), test.assign(target=0), **ROLES, entities=asked
    )
    (finding,) = FuzzyEntityOverlap().detect(subject)

    assert 24 <= overlap(finding).n_shared <= 30
    assert all(pair.right_row <= 30 for pair in overlap(finding).pairs)
    assert ("the call names" in finding.message) == (asked is not None)


def test_honest_guests_who_share_names_yield_nothing(tmp_path):
    train, test = (guests(n, s).assign(target=0) for n, s in ((1500, 3), (700, 4)))

    assert list(FuzzyEntityOverlap().detect(dataset(tmp_path, train, test, **ROLES))) == []


def test_a_town_with_its_county_and_codes_are_no_names_of_people():
    rng = np.random.default_rng(0)
    town = rng.integers(0, 200, 2000)
    table = pd.DataFrame({
        "town": [f"Town{chr(97 + t // 26)}{chr(97 + t % 26)}" for t in town],
        "county": [f"County{chr(97 + t // 8)}" for t in town],
        "airport": ["".join(rng.choice(list("ABCDEF"), 3)) for _ in town],
        "count": rng.integers(100_000_000, 999_999_999, 2000),
    })  # fmt: skip

    assert name_pair(table, ["town", "county"]) is None
    assert name_pair(table, ["town", "airport"]) is None
    assert not is_particular("income", pd.Series(rng.integers(10_000, 99_999, 300)))
    assert is_particular("zip", pd.Series(rng.integers(10_000, 99_999, 300)))


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
