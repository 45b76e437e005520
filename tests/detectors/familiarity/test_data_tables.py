"""Data familiarity: fresh tables, orders, completion, against models that know and do not know."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise

import numpy as np
import pytest
from typer.testing import CliRunner

from audit.cli import app
from audit.familiarity import Heard
from audit.familiarity_data import TableQuestion, familiarity_of_data, rows
from audit.verdict import exit_code, load_policy
from competitions.errors import UsageError
from detectors.familiarity.backend import Identity
from detectors.familiarity.calibration import calibrate
from detectors.familiarity.data_order import order_of, orders_of_names, other_orders
from detectors.familiarity.data_sampling import write_rows
from detectors.familiarity.data_scores import cell_spans, header_span, row_spans, telling_column
from detectors.familiarity.data_tables import Fresh, lines_of
from detectors.familiarity.data_trials import Judged, still_open
from detectors.familiarity.tokens import TokenScores
from detectors.known_data import DataTest
from reports.schema import Outcome, Severity

NOW = datetime(2026, 1, 1, tzinfo=UTC)
HEADER = ["width", "kind", "age", "price", "ticket"]


def table(n=60, seed=0, header=HEADER):
    rng = np.random.default_rng(seed)
    width = rng.normal(5, 1, n)
    cells = [
        [
            f"{w:.1f}",
            str(rng.choice(["red", "blue"])),
            str(rng.integers(20, 70)),
            f"{3 * w:.2f}",
            f"T-{rng.integers(10**5, 10**6)}",
        ]
        for w in width
    ]
    return lines_of("published.csv", [header, *cells])


class Reader:
    """A model of characters: what it has read before, in the order it stood, is easy for it."""

    context = None
    has_statistics = False

    def __init__(self, *read):
        self.read = {
            pair
            for text in read
            for pair in zip(text.split("\n"), text.split("\n")[1:], strict=False)
        }
        self.identity = Identity(
            "reader", f"reader-{len(self.read)}", "characters", "float32", None
        )

    def count(self, text):
        return len(text.content)

    def score(self, texts, plan, done):  # noqa: ARG002 - the protocol
        for index, text in enumerate(texts):
            numbers, before = [], ""
            for line in text.content.split("\n"):
                rng = np.random.default_rng(sum(map(ord, line)))
                easy = 0.1 if (before, line) in self.read else 2.0
                numbers += [-easy + 0.05 * rng.normal() for _ in line + "\n"]
                before = line
            n = len(text.content)
            places = np.column_stack([np.arange(n), np.arange(1, n + 1)])
            done(n)
            yield index, TokenScores.of(text, places, np.array(numbers[:n]))


@pytest.fixture
def ask(monkeypatch, tmp_path):
    """Ask a reader about a table; returns the report."""

    def look(lines, reader, n_controls=39, heard=None):
        import audit.familiarity_data as module

        monkeypatch.setattr(module, "require_known", lambda _: None)
        path = tmp_path / "published.csv"
        path.write_text(lines.text().content.partition("\n")[2])
        monkeypatch.setattr(module, "open_model", lambda *_, **__: reader)
        return familiarity_of_data(
            TableQuestion("reader", (path,), n_controls=n_controls),
            tmp_path,
            load_policy(),
            NOW,
            heard or Heard(lambda _: None, lambda *_: None),
            cache=tmp_path / "cache",
        )

    return look


def answer(name, n_above, why=""):
    own, others = 0.0, [1.0] * n_above + [-1.0 - n / 99 for n in range(19 - n_above)]
    one = calibrate(own, [], others, np.zeros((19, 0)))
    return DataTest(name, name, 19, one, q=one.p, why=why)


def decisions(report):
    return {question: decision for _table, question, decision, _seen in rows(report)}


def test_a_table_that_was_read_is_familiar_by_rows_and_by_order(ask):
    lines = table()
    report = ask(lines, Reader(lines.text().content))

    found = decisions(report)
    assert {found[q] for q in ("row", "first token", "feature", "order", "header")} == {"familiar"}
    assert {f.severity for f in report.findings} == {Severity.LOW}


def test_a_table_that_was_not_read_gives_nothing_and_says_what_cannot_be_excluded(ask):
    other = table(seed=1, header=["a", "row", "of", "other", "names"])
    report = ask(table(), Reader(other.text().content))

    assert set(decisions(report).values()) == {"nothing seen"}
    assert all("cannot be excluded" in f.message for f in report.findings)
    assert report.checks[0].outcome is Outcome.CLEAN


def test_too_few_controls_for_five_questions_give_no_decision(ask):
    report = ask(table(), Reader("width,kind,age,price,ticket"), n_controls=19)
    known = ask(table(), Reader(table().text().content), n_controls=19)

    assert "familiar" not in set(decisions(report).values())
    assert set(decisions(known).values()) <= {"familiar", "no decision"}


def test_sorted_rows_are_not_asked_for_their_order(ask):
    lines = table()
    ordered = lines.with_rows(sorted(lines.rows, key=lambda r: float(r[0])))

    report = ask(ordered, Reader(ordered.text().content))

    assert decisions(report)["order"] == "not asked"


def test_more_controls_are_scored_only_where_they_may_decide_something(ask):
    said: list[str] = []
    heard = Heard(said.append, lambda *_: None)
    read, other = table().text().content, table(50, seed=1, header=["a", "b", "of", "d", "e"])

    unknown = ask(table(), Reader(other.text().content), 39, heard)
    n_unknown = len(said)
    known = ask(table(), Reader(read), 39, heard)

    assert "59 texts" in said[0]
    assert "cpu-minute" in said[0]
    assert n_unknown == 1 or "Something is left open" in said[1]
    assert "Something is left open" in said[-1]
    assert "familiar" not in decisions(unknown).values()
    assert decisions(known)["order"] == "familiar"
    assert "p = 0.025" in next(seen for _, question, _, seen in rows(known) if question == "order")


def test_what_five_of_the_first_controls_reach_is_not_asked_further():
    tests = [answer("order", 5), answer("row", 4), answer("header", 0, why="confounded")]

    assert still_open(Judged(tests, 1.0)) == {"row"}


def test_a_table_of_too_few_rows_is_not_available_and_never_clean(ask):
    report = ask(table().with_rows(table().rows[:5]), Reader())

    assert {c.outcome for c in report.checks} == {Outcome.NOT_AVAILABLE}
    assert "12 rows" in next(rows(report))[3]
    assert exit_code(report.verdicts) == 3


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(None, "no such file", id="nowhere"),
        pytest.param(b"", "empty", id="empty"),
        pytest.param(b"a,b\n" + b"1,2\n" * 20 + b"1\n", "cells in row 22", id="ragged"),
        pytest.param("a,b\n1,2\n".encode("utf-16"), "no UTF-8", id="utf-16"),
        pytest.param(b"PAR1\x15\x04\x15\x80", "no UTF-8", id="parquet"),
        pytest.param(b"a\0\1\2\n\3\0\0\n", "binary", id="binary"),
        pytest.param("folder", "directory", id="folder"),
    ],
)
@pytest.mark.parametrize("how", [(), ("--sample",)], ids=["scored", "sampled"])
def test_what_is_no_table_is_refused_before_a_model_is_opened(tmp_path, content, said, how):
    path = tmp_path / "t.csv"
    if content == "folder":
        path.mkdir()
    elif content is not None:
        path.write_bytes(content)

    done = CliRunner().invoke(
        app,
        ["familiarity", "data", *how, "--table", str(path), "--json", str(tmp_path / "d.json")],
    )

    assert isinstance(done.exception, UsageError)
    assert said in str(done.exception)
    assert not (tmp_path / "d.json").exists()


def test_fresh_rows_keep_form_and_are_new():
    lines = table()
    fresh = Fresh(lines, 20).draw(np.random.default_rng(0))

    assert fresh.header == lines.header
    assert not set(fresh.rows) & set(lines.rows)
    for row in fresh.rows:
        assert row[0] == f"{float(row[0]):.1f}"
        assert row[1] in {"red", "blue"}
        assert row[3] == f"{float(row[3]):.2f}"
        assert row[4][:2] == "T-"
        assert row[4][2:].isdecimal()
    assert Fresh(lines, 20).draw(np.random.default_rng(0)) == fresh


def test_fresh_rows_keep_how_columns_go_together():
    fresh = Fresh(table(200), 100).draw(np.random.default_rng(0))
    width, price = (np.array([float(r[n]) for r in fresh.rows]) for n in (0, 3))

    assert np.corrcoef(width, price)[0, 1] > 0.95


@pytest.mark.parametrize(
    ("order", "is_refused", "n_strata"),
    [
        pytest.param(lambda rows: rows, False, 1, id="as-drawn"),
        pytest.param(lambda rows: sorted(rows, key=lambda r: float(r[0])), True, 1, id="sorted"),
        pytest.param(lambda rows: sorted(rows, key=lambda r: r[1]), False, 2, id="by-class"),
    ],
)
def test_rows_change_places_only_where_they_could(order, is_refused, n_strata):
    lines = table(120)
    found = order_of(lines.with_rows(order(list(lines.rows))))

    assert bool(found.refused) == is_refused
    assert len(set(found.strata)) == n_strata
    if not is_refused:
        (moved,) = other_orders(found.strata, 1, np.random.default_rng(0))
        assert (found.strata[moved] == found.strata).all()
        assert (moved != np.arange(len(moved))).any()


@pytest.mark.parametrize(
    ("names", "said"),
    [
        pytest.param(["a", "b", "c", "d"], "sorted", id="sorted"),
        pytest.param(["x1", "x2", "x3", "y"], "numbered", id="numbered"),
        pytest.param(["z", "a"], "too few", id="two"),
        pytest.param(["sepal_b", "sepal_a", "petal", "x"], "the word sepal", id="in-groups"),
    ],
)
def test_an_order_of_names_that_anybody_would_choose_is_not_asked_for(names, said):
    assert said in orders_of_names(names, 19, np.random.default_rng(0))


def test_spans_are_where_header_rows_and_cells_stand():
    lines = lines_of("t.csv", [["a", "b, c"], *[[f"x{n}", f"q,{n}"] for n in range(14)]])
    text = lines.text().content

    start, end = header_span(lines)
    assert text[start:end] == 'a,"b, c"\n'
    assert [text[a:b] for a, b in row_spans(lines, 2)] == ['x0,"q,0"\n', 'x1,"q,1"\n']
    assert [text[a:b] for a, b in cell_spans(lines, 2, 1)] == ['"q,0"', '"q,1"']
    assert telling_column(lines) == 1


def test_rows_written_by_one_who_knows_them_are_told_from_rows_that_look_right():
    lines = table(80)
    written = [lines.line(row) for row in lines.rows]
    after = dict(pairwise(written))
    fresh = Fresh(lines, 80).draw(np.random.default_rng(0))
    other = iter(map(lines.line, fresh.rows))

    def knows(prompt):
        return after[prompt.splitlines()[-1]]

    known = write_rows(lines, 4, knows)
    guessed = write_rows(lines, 4, lambda _prompt: f"```\n{next(other)}\n```")

    assert [(w.name, w.hits) for w in known] == [("row", 12), ("first cell", 12), ("feature", 12)]
    assert known[0].p < 0.001
    assert all(w.p > 0.05 for w in guessed)


def test_the_example_tells_a_text_that_was_read_from_one_that_nobody_had(monkeypatch, tmp_path):
    import audit.familiarity_data
    import audit.familiarity_example as module

    reader = Reader(module.zen_of_python().text().content)
    monkeypatch.setattr(audit.familiarity_data, "open_model", lambda *_, **__: reader)
    monkeypatch.setattr(module, "require_model", lambda _: None)
    heard = Heard(lambda _: None, lambda *_: None)

    known, fresh = module.example("reader", heard, cache=tmp_path, n_orders=59)

    assert known[:2] == ("zen.txt: The Zen of Python, by Tim Peters", "familiar")
    assert fresh[1] == "nothing seen"
