"""Who seems to have copied what: pairs, their order, groups over verified pairs, the grid."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.copies import MAX_GRID, Copies, Node, mix_share, shared
from reports.copy_plots import LARGE, SMALL, graph, heat_map
from reports.overview import Overview
from reports.schema import Ingredient, Provenance, Severity
from tests.reports.copy_documents import ANN, MARKS, MIX, audit_of, crossed, passages, seen
from tests.reports.hostile import HOSTILE


def copies(*findings, n_attempts=0):
    return Copies(Overview(audit_of(*findings, n_attempts=n_attempts)))


def named(pairs):
    return [(p.copy.label, p.source.key) for p in pairs]


def test_all_evidence_between_a_copy_and_a_source_is_one_pair_told_by_its_gravest_text():
    found = copies(
        seen("t_1", passages(), severity=Severity.NOTE),
        seen("t_1", MARKS, passages(channel="prose", share_of_source=0.9), severity=Severity.HIGH),
        n_attempts=2,
    )

    (pair,) = found.pairs
    assert shared(pair) == "prose, code (25.0 %), 14 marks"
    assert pair.share == 0.9
    assert pair.findings[0].severity is Severity.HIGH
    assert pair.copy.subject == "t_1"


def test_no_p_of_prose_stands_beside_the_share_of_code():
    prose = passages(channel="prose", share_of_source=0.9, p=0.001, q=0.002)
    found = copies(seen("t_1", passages(p=None, q=None)), seen("t_1", prose), n_attempts=2)

    (pair,) = found.pairs
    assert (pair.share, pair.p, pair.q) == (0.25, None, None)
    assert shared(pair) == "code, prose (90.0 %)"


def test_each_file_of_a_mix_is_a_pair_with_its_weight():
    found = copies(seen("t_1", MIX), n_attempts=2)

    assert [(p.source.key, p.share) for p in found.pairs] == [
        ("source:public_a.csv", 0.7), ("source:public_b.csv", 0.3),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("method", "share"),
    [("equal", 0.125), ("overridden rows", 0.125), ("affine", 0.9), ("monotone", 0.9),
     ("blend", 0.7)],
)  # fmt: skip
def test_what_a_file_makes_up_of_a_submission_is_told_as_its_method_can(method, share):
    mix = MIX.model_copy(update={"method": method, "r2": 0.9})

    assert mix_share(mix, mix.ingredients[0]) == pytest.approx(share)


def test_weights_of_nothing_make_up_nothing():
    none = Ingredient(source="a", weight=0, exact_share=0.5)

    assert mix_share(MIX.model_copy(update={"ingredients": (none,)}), none) == 0


def test_pairs_are_ranked_by_severity_then_significance_then_share():
    def one(name, severity=Severity.MEDIUM, **changes):
        evidence = passages(source=name, provenance=Provenance(), **changes)
        return seen("t_1", evidence, severity=severity)

    found = copies(
        one("no-p", p=None, q=None, share_of_source=1.0),
        one("long", q=0.01, longest_run=90),
        one("short", q=0.01, longest_run=9),
        one("rare", q=0.001, share_of_source=0.1),
        one("grave", Severity.HIGH, q=0.04),
        n_attempts=2,
    )

    assert [p.source.label for p in found.pairs] == ["grave", "rare", "long", "short", "no-p"]


def test_where_one_attempt_was_audited_its_files_are_the_copies():
    found = copies(seen("t_1", passages(path="a.py"), passages(path="b.py")))

    assert sorted(p.copy.label for p in found.pairs) == ["a.py", "b.py"]


def test_attempts_that_share_with_each_other_are_told_by_their_paths():
    both = ("t_1", "t_2")
    evidence = passages(path="t_1/code/a.py", source="t_2/code/b.py", provenance=Provenance())

    found = copies(seen("all", evidence, attempts=both), seen("t_2", passages()))

    group = found.groups[0]
    assert named(group.pairs) == [
        ("copyist, seed 1", "t_2"), ("copyist, seed 2", "source:kernels.zip!ann/start.ipynb"),
    ]  # fmt: skip
    assert len(found.groups) == 1


def test_a_note_connects_no_group():
    bridge = seen("t_1", passages(source="two"), severity=Severity.NOTE)
    found = copies(
        seen("t_1", passages(source="one")), bridge, seen("t_2", passages(source="two")),
        n_attempts=3,
    )  # fmt: skip

    assert len(found.pairs) == 3
    assert sorted(len(g.pairs) for g in found.groups) == [1, 1]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=14))
def test_groups_part_all_verified_pairs_and_share_no_node(links):
    found = copies(*(seen(f"t_{a}", passages(source=f"s{b}")) for a, b in links), n_attempts=7)

    members = [p for g in found.groups for p in g.pairs]
    assert len(members) == len(found.pairs) == len(set(links))
    nodes = [{n.key for n in (*g.copies, *g.sources)} for g in found.groups]
    assert sum(map(len, nodes)) == len(set().union(*nodes))


def test_sources_of_one_title_are_told_apart_by_their_names():
    found = copies(
        seen("t_1", passages(source="k/one.ipynb"), passages(source="k/two.ipynb")), n_attempts=2
    )

    assert sorted(p.source.label for p in found.pairs) == [
        "Start here (ann)", "two.ipynb: Start here (ann)",
    ]  # fmt: skip


def test_the_grid_has_the_longer_side_down_and_a_cap():
    grid = Copies(Overview(crossed(3, 5, every=1))).grid
    assert grid
    assert (len(grid.rows), len(grid.columns), grid.rows_are_sources) == (5, 3, True)

    wide = Copies(Overview(crossed(MAX_GRID[0] + 9, 2, every=1))).grid
    assert wide
    assert (len(wide.rows), len(wide.columns), wide.rows_are_sources) == (MAX_GRID[0], 2, False)
    assert wide.n_left_out == 9


def test_one_source_alone_needs_no_grid():
    assert copies(seen("t_1", passages()), n_attempts=2).grid is None
    assert copies().pairs == ()


def hostile_pairs():
    bad = Provenance(title=HOSTILE, author=HOSTILE)
    return Copies(
        Overview(
            audit_of(
                *(
                    seen(f"t_{a}", *(passages(source=f"{s}{HOSTILE}", provenance=bad)
                                     for s in range(3)), MARKS)
                    for a in range(3)
                )
            )
        )
    )  # fmt: skip


@pytest.mark.parametrize("frame", [LARGE, SMALL])
def test_a_graph_is_well_formed_and_draws_every_pair_whatever_it_is_called(frame):
    (group,) = hostile_pairs().groups

    root = ET.fromstring(graph(group, "g", frame))  # noqa: S314 - our own text

    drawn = [e for e in root.iter("path") if "edge" in e.get("class", "")]
    assert len(drawn) == len(group.pairs) == 12
    assert root.findtext("desc") == "3 copies, 4 sources, 12 pairs; the list below names them"
    assert all(0 <= float(e.get("x", "nan")) <= frame.width for e in root.iter("text"))


def test_a_heat_map_is_well_formed_with_a_tooltip_and_a_link_for_each_cell():
    found = hostile_pairs()

    root = ET.fromstring(f"<p>{heat_map(found.grid, lambda _: '#x', 'h')}</p>")  # noqa: S314

    cells = list(root.iter("a"))
    assert len(cells) == 12
    assert all(c.get("href") == "#x" and c.get("tabindex") == "-1" for c in cells)
    told = sorted("".join(t.itertext()) for c in cells for t in c.iter("title"))
    assert sum("25.0 % of the source, p 0.0012" in t for t in told) == 9
    assert sum("14 marks of origin shared, no text" in t for t in told) == 3
    assert len(list(root.iter("circle"))) == 3


def test_a_node_is_called_the_same_whatever_its_evidence_says():
    other = replace(ANN, title="Another title")
    found = copies(seen("t_1", passages()), seen("t_2", passages(provenance=other)), n_attempts=3)

    assert {p.source for p in found.pairs} == {
        Node("source:kernels.zip!ann/start.ipynb", "Start here (ann)")
    }
