"""Lists: one broken task stops no other, JSON has typed values, a beginning of an id is enough."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from audit import console
from audit.cli import app
from audit.listing import listing
from audit.verdict import load_policy
from audit.vet import vet
from competitions import board_facts, spec
from competitions.errors import UnknownNameError, UsageError
from competitions.medals import BOARDS
from reports.schema import write_audit
from tests.audit.conftest import HONEST, PEEKING, TASK
from tests.audit.test_vet import NOW

NOWHERE = Path("nowhere.json")


def rows_of(what: str, *, capsys) -> list[dict[str, object]]:
    console.show(*listing(what, NOWHERE), as_json=True)
    return list(json.loads(capsys.readouterr().out))


@pytest.fixture
def catalog(tmp_path, monkeypatch):
    """A catalog that holds the tasks that ship, to be spoiled."""
    folder = tmp_path / "catalog"
    folder.mkdir()
    for path in spec.CATALOG.glob("*.yaml"):
        (folder / path.name).write_text(path.read_text())
    monkeypatch.setattr(spec, "CATALOG", folder)
    spec.load.cache_clear()
    yield folder
    spec.load.cache_clear()


@pytest.mark.parametrize(
    ("columns", "width"),
    [
        pytest.param("80", 80, id="asked"),
        pytest.param("", None, id="program"),
        pytest.param("wide", None, id="no-number"),
    ],
)
def test_a_pipe_that_names_its_columns_is_read_by_a_person(monkeypatch, columns, width):
    monkeypatch.setenv("COLUMNS", columns)

    assert console.reader_width() == width


def test_policies_are_listed_by_the_name_that_a_call_takes(tmp_path):
    head, rows = listing("policies", tmp_path / "none.json")

    assert head[0] == "name"
    assert [row[0] for row in rows] == ["default", "lenient", "strict"]


def test_a_broken_definition_says_so_in_its_row_and_the_others_stand(catalog, capsys):
    (catalog / "a-task.yaml").write_text("id: a-task\ntitle: T\n")
    (catalog / "b-task.yaml").write_bytes(b"\xff")
    (catalog / "c-task.yaml").mkdir()
    rows = {row["id"]: row for row in rows_of("competitions", capsys=capsys)}

    assert str(rows["a-task"]["note"]) == "broken: summary: required, and missing"
    assert str(rows["b-task"]["note"]).startswith("broken: ")
    assert str(rows["c-task"]["note"]).startswith("broken: ")
    assert rows["a-task"]["board_size"] is None
    assert rows[TASK]["note"] is None
    assert rows[TASK]["board_size"] == 11
    assert rows["a-task"]["board_health"] is None


def test_a_broken_board_says_so_in_its_row(catalog, capsys):
    text = (catalog / f"{TASK}.yaml").read_text()
    (catalog / f"{TASK}.yaml").write_text(text.replace("sha256: 1825", "sha256: 0000"))
    (catalog / "new.yaml").write_text(text.replace(f"id: {TASK}", "id: new"))
    rows = {row["id"]: row for row in rows_of("competitions", capsys=capsys)}

    assert "expected sha256 0000" in str(rows[TASK]["note"])
    assert "new.csv is no board" in str(rows["new"]["note"])
    assert rows["new"]["metric"] == "auc-roc"


def test_health_is_told_in_words_in_the_table_and_in_figures_in_json(capsys):
    rows = {str(row["id"]): row for row in rows_of("competitions", capsys=capsys)}
    health = rows["spaceship-titanic"]["board_health"]

    assert isinstance(health, dict)
    assert health["words"] == "24 teams tied at silver"
    assert (health["tied_at_silver"], health["n_distinct"], health["n_most_common"]) == (
        24,
        428,
        60,
    )
    shown = CliRunner().invoke(app, ["list", "competitions"]).stdout
    assert shown.splitlines()[0].split() == ["id", "split", "source", "prepared"]
    assert "board health: 24 teams tied at silver" in " ".join(shown.split())


def test_a_task_tells_the_size_and_the_dates_of_its_competition_where_they_are_published(capsys):
    rows = {row["id"]: row for row in rows_of("competitions", capsys=capsys)}

    assert rows["leaf-classification"]["data"] == {"words": "0.036 GB", "gb": 0.036}
    assert rows["leaf-classification"]["dates"] == {
        "words": "2016-07-30 to 2017-02-28",
        "enabled": "2016-07-30",
        "deadline": "2017-02-28",
    }
    assert (rows["breast-cancer"]["data"], rows["breast-cancer"]["dates"]) == (None, None)
    dated = [row for row in rows.values() if row["source"] == "kaggle" and row["dates"]]
    assert len(dated) > 70


def test_all_boards_are_listed_also_those_whose_task_is_not_here(capsys):
    rows = {str(row["id"]): row for row in rows_of("boards", capsys=capsys)}
    leaves, ship = rows["leaf-classification"], rows["spaceship-titanic"]

    assert len(rows) == 82
    assert ship["is_task_here"] is True
    assert leaves["board"] == {
        "words": "1596 teams, lower is better",
        "split75": True,
        "dataset_gb": 0.036,
        "enabled": "2016-07-30",
        "deadline": "2017-02-28",
        "last_submission": "2017-02-28",
        "direction": "lower",
        "n_teams": 1596,
        "gold": 0.0,
        "silver": 0.00791,
        "bronze": 0.01526,
        "median": 0.108345,
        "official_sha256": "d5f3dc57f971ea476f1e43ea68ec5f184f0ecb41f56528335d0a1add5eeb19a9",
        "sha256": "cbfc91136dba8ff453043742fe77efd0d5a4ed4a9f25cfa092479789dd06d302",
    }
    assert isinstance(leaves["board_health"], dict)
    assert leaves["board_health"]["words"] == "best = gold at 0, 2% of teams there"
    assert {row["note"] for row in rows.values()} == {None}


def test_a_changed_board_says_so_in_its_row_and_the_others_stand(tmp_path, monkeypatch):
    for path in BOARDS.glob("*.csv"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "AI4Code.csv").write_text("rank,score\n1,1.0\n")
    (tmp_path / "leaf-classification.csv").unlink()
    load = board_facts.load_kaggle_board
    monkeypatch.setattr(board_facts, "load_kaggle_board", lambda name: load(name, tmp_path))
    head, rows = listing("boards", NOWHERE)
    notes = {str(row[0]): row[head.index("note")] for row in rows}

    assert str(notes["AI4Code"]).startswith("broken: ")
    assert "leaf-classification.csv is no board" in str(notes["leaf-classification"])
    assert sum(note is None for note in notes.values()) == 80


def test_the_call_ends_with_0_although_a_task_is_broken(catalog):
    (catalog / "a-task.yaml").write_text("- nothing\n")
    done = CliRunner().invoke(app, ["list", "competitions"])

    assert done.exit_code == 0
    assert "broken: expected a mapping, found list" in done.stdout
    assert all(name in done.stdout for name in ("breast-cancer", "modechoice"))


def test_json_has_keys_in_snake_case_numbers_and_lists(capsys):
    tasks = {row["id"]: row for row in rows_of("competitions", capsys=capsys)}

    assert tasks["spaceship-titanic"]["variants"] == ["v1", "fixed"]
    assert tasks["spaceship-titanic"]["known_issues"] == 2
    assert {row["honest"] for row in rows_of("agents", capsys=capsys)} == {True, False}
    for what in ("competitions", "boards", "detectors", "agents"):
        assert all(key.isidentifier() for row in rows_of(what, capsys=capsys) for key in row)


def test_a_table_says_the_same_in_words(capsys):
    console.show(("a b", "c", "d", "e"), [((), 3, True, None), (("x", "y"), 0, False, "z")],
                 as_json=False)  # fmt: skip

    assert capsys.readouterr().out == "a b   c  d    e\n      3  yes\nx, y  0  no   z\n"


@pytest.fixture
def document(group, data_dir, tmp_path):
    write_audit(vet([group], data_dir, load_policy(), NOW), tmp_path / "a.json")
    return tmp_path / "a.json"


def test_findings_are_chosen_by_a_beginning(document):
    _, everything = listing("findings", document)
    grave = str(next(row[0] for row in everything if row[1] == "high"))

    assert listing("findings", document, PEEKING[:-2])[1] == [
        row for row in everything if row[3] == PEEKING
    ]
    assert [row[0] for row in listing("findings", document, grave[:-3])[1]] == [grave]
    assert listing("findings", document, HONEST[:-1])[1] == []


@pytest.mark.parametrize(
    ("words", "error", "said"),
    [
        pytest.param(("findings", "DOCUMENT", "breast"), UsageError, PEEKING, id="ambiguous"),
        pytest.param(("findings", "DOCUMENT", "x"), UnknownNameError, "called 'x'", id="unknown"),
        pytest.param(("agents", NOWHERE, "peeker"), UsageError, "Only findings", id="other-list"),
    ],
)
def test_a_name_that_chooses_nothing_is_told(document, words, error, said):
    with pytest.raises(error, match=said):
        listing(*(document if w == "DOCUMENT" else w for w in words))


def test_a_task_says_its_split_its_source_and_what_is_prepared(data_dir, capsys, tmp_path):
    head, rows = listing("competitions", NOWHERE, data_dir=data_dir)
    console.show(head, rows, as_json=True)
    told = {row["id"]: row for row in json.loads(capsys.readouterr().out)}
    ship = told["spaceship-titanic"]

    assert (ship["split"], ship["source"]) == ("dev", "kaggle")
    assert ship["prepared"] == {"words": "no", "v1": False, "fixed": False}
    assert (told[TASK]["split"], told[TASK]["source"]) == ("embedded", "embedded")
    assert told[TASK]["prepared"]["words"] == "v1"
    (tmp_path / "spaceship-titanic" / "prepared-fixed").mkdir(parents=True)
    _, rows = listing("competitions", NOWHERE, data_dir=tmp_path)
    (cell,) = (row[3] for row in rows if row[0] == "spaceship-titanic")
    assert isinstance(cell, console.Told)
    assert cell.words == "fixed"


@pytest.mark.parametrize("width", [80, 100, 120])
def test_competitions_fit_a_terminal_and_each_begins_its_own_line(data_dir, width):
    head, rows = listing("competitions", NOWHERE, data_dir=data_dir)
    lines = console.entries(head, rows, 4, width).splitlines()
    begun = [line.split()[0] for line in lines[1:] if not line.startswith(" ")]

    assert begun == [row[0] for row in rows]
    assert max(map(len, lines)) <= width


def test_a_document_without_findings_says_so(document, group, data_dir, tmp_path):
    write_audit(vet([group / HONEST], data_dir, load_policy(), NOW), tmp_path / "none.json")
    words = ["list", "findings", "-d", str(tmp_path / "none.json")]

    assert CliRunner().invoke(app, words).stdout == f"No finding in {tmp_path / 'none.json'}.\n"
    assert json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout) == []
