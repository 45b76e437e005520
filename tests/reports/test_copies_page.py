"""The page about copies: texts side by side and linked, who copied from whom, hostile and big."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from reports.copies_page import MAX_FULL, MAX_RANKED, MAX_SIDES
from reports.html import TEMPLATES, render_html
from reports.markdown import render_markdown
from reports.schema import Mark, Passage, Provenance, Severity, read_audit, write_audit
from tests.reports.copy_documents import (
    ANN,
    MARKS,
    MIX,
    PASSAGE,
    audit_of,
    crossed,
    passages,
    seen,
    ugly_copies,
)
from tests.reports.hostile import HOSTILE
from tests.reports.test_html import INKS, Outline, contrast


def page_of(*findings, n_attempts=0):
    return render_html(audit_of(*findings, n_attempts=n_attempts))


def section(page, name):
    return page.partition(f'<section id="{name}"')[2].partition("</section>")[0]


def plain(page):
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def badges(page):
    return dict(re.findall(r'<a class="badge[^"]*" id="([^"]+)" href="#([^"]+)"', page))


TWO = passages(
    passages=(
        Passage(left_first=2, left_last=6, right_first=20, right_last=24, similarity=0.9),
        PASSAGE,
    )
)


def test_each_region_leads_to_its_counterpart_and_back():
    made = page_of(seen("t_1", TWO))

    led = badges(made)
    assert len(led) == 4
    assert all(led[to] == place for place, to in led.items())
    for number in (1, 2):
        assert len(re.findall(f'data-region="{number}" data-to="', made)) == 2
    assert '1<span class="from"> matches lines 20-24</span>' in made


def test_a_region_that_only_one_text_shows_leads_nowhere():
    made = page_of(seen("t_1", passages(right_text="")))

    assert badges(made) == {}
    assert "The document does not hold this text." in made
    assert "data-to" not in section(made, "findings")


def test_what_was_seen_in_the_trajectory_only_is_said():
    said = "Seen in the trajectory only"

    assert said in page_of(seen("t_1", passages(only_in_trajectory=True)))
    assert said not in page_of(seen("t_1", passages()))


def test_without_enough_honest_comparisons_there_is_no_p():
    made = plain(page_of(seen("t_1", passages(p=None, q=None, n_null=12))))

    assert "No p: 12 honest comparisons are too few" in made


def test_a_file_with_several_sources_is_shown_once_with_the_source_of_each_region():
    later = PASSAGE.model_copy(update={"left_first": 40, "left_last": 45})
    told = Provenance(title="Other")
    other = passages(source="b.py", provenance=told, share_of_file=0.5, passages=(later,))

    made = page_of(seen("t_1", passages()), seen("t_1", other))

    view = made.partition('class="evidence one-way"')[2].partition("</figure>")[0]
    assert "shares passages with 2 sources" in plain(view)
    assert re.findall(r'region-\w">([AB])</span> <a href="#[^"]+">([^<]+)', view) == [
        ("A", "Other"), ("B", "Start here"),
    ]  # fmt: skip
    leads = re.findall(r'<a class="badge region-(\w)" href="#([^"]+)">([AB])', view)
    assert [(colour, letter) for colour, _, letter in leads] == [("b", "B"), ("a", "A")]
    assert all(to in badges(made) for _, to, _ in leads)
    Outline(made)


def test_one_source_needs_no_view_of_its_own():
    assert 'class="evidence one-way"' not in page_of(seen("t_1", passages(), passages()))


@pytest.mark.parametrize(
    ("url", "is_link"),
    [
        pytest.param("https://www.kaggle.com/code/ann/a?scriptVersionId=1", True, id="kaggle"),
        pytest.param("javascript:alert(1)", False, id="script"),
        pytest.param("http://a.example/", False, id="not-encrypted"),
        pytest.param("https://kaggle.com@evil.example/", False, id="user-name"),
        pytest.param("https://kaggle.com\u202e/moc", False, id="reordered"),
        pytest.param("https://kаggle.com/", False, id="cyrillic-a"),
        pytest.param('https://a.b/" onclick="x', False, id="attribute"),
    ],
)
def test_an_address_is_a_link_only_where_it_is_what_it_looks_like(url, is_link):
    outline = Outline(page_of(seen("t_1", passages(provenance=replace(ANN, url=url)))))

    assert (url in outline.outside) is is_link
    assert len(outline.outside) == 1 + is_link  # the empty icon


def loose(*findings):
    """Make an audit of files that no agent is known to have made."""
    report = audit_of(*findings)
    subjects = tuple(
        s.model_copy(update={"agent": None, "seed": None, "title": f"{s.id}.py"})
        for s in report.subjects
    )
    return report.model_copy(update={"subjects": subjects})


def test_files_are_called_files_and_their_copies_come_first():
    report = loose(seen("a", passages()), seen("b", passages()))

    made = render_html(report)

    text = plain(made)
    assert "Audit of 2 files 2 of 2 files are in question." in text
    assert "unnamed" not in made.partition('id="how"')[0]
    assert 'id="headline"' not in made
    assert made.index('id="copies"') < made.index('id="findings"')
    assert {t[1:] for t in Outline(made).targets} <= set(Outline(made).ids)
    told = render_markdown(report)
    assert "### Headline" not in told
    assert "### Files in question" in told


def test_one_file_is_called_by_its_name():
    made = plain(render_html(loose(seen("a", passages()))))

    assert "The only file, a.py, is in question." in made


def test_the_ranking_names_each_pair_and_leads_to_its_finding():
    grave = seen("t_1", MARKS, severity=Severity.HIGH)
    slight = seen("t_2", passages(source="x", provenance=Provenance()), severity=Severity.NOTE)

    made = section(page_of(slight, grave), "copies")

    rows = [plain(r) for r in re.findall(r"<tr role.*?</tr>", made, re.DOTALL)[1:]]
    assert rows == [
        "copyist, seed 1 Start here (ann) 14 marks – – – – – high, medium",
        "copyist, seed 0 x code 25.0 % 16.7 % 71 0.0012 0.0098 note, medium",
    ]
    assert f'href="#{grave.id}"' in made
    assert "Connected groups" not in made  # one pair is no group, and a note connects nothing


def test_groups_are_told_with_their_strongest_pairs_and_lone_pairs_are_counted():
    own = [seen(f"t_{n}", passages(source=f"own_{n}")) for n in range(3)]
    common = [seen(f"t_{n}", passages(source="common")) for n in range(2)]

    made = section(page_of(*own, *common), "copies")

    text = plain(made)
    assert "Group 1: 2 copies, 3 sources" in text
    assert "Group 2" not in text
    assert "1 more verified pair stands alone." in text
    assert made.count('class="graph large-screen"') == made.count('class="graph small-screen"') == 1


def test_an_audit_without_copies_says_nothing_of_them():
    made = page_of(n_attempts=2)

    assert 'id="copies"' not in made
    assert '"#copies"' not in made


def test_the_heat_map_stands_beside_a_table_with_the_same_shares_and_links():
    report = crossed(4, 6, every=5)

    made = section(render_html(report), "copies")

    table = made.partition('<table class="shares">')[2].partition("</table>")[0]
    drawn = re.findall(r'<a href="(#[^"]+)" tabindex="-1">', made)
    listed = re.findall(r'<a href="(#[^"]+)">[\d.]+ %</a>', table)
    assert sorted(drawn) == sorted(listed)
    assert len(drawn) == sum(len(f.evidence) for f in report.findings) == 5
    assert "Notebook 0 (author 0)" in table


def test_a_page_from_a_file_is_the_page_of_the_document(tmp_path):
    report = audit_of(seen("t_1", TWO, MIX, MARKS), n_attempts=3)
    write_audit(report, tmp_path / "audit.json")

    assert render_html(read_audit(tmp_path / "audit.json")) == render_html(report)


@pytest.fixture(scope="module")
def ugly_page():
    return render_html(ugly_copies(300, line=10_000))


@pytest.mark.slow
def test_three_hundred_findings_of_hostile_copies_are_harmless_and_small(ugly_page):
    outline = Outline(ugly_page)

    assert len(ugly_page.encode()) < 15_000_000
    assert len(outline.ids) == len(set(outline.ids))
    assert {t[1:] for t in outline.targets} <= set(outline.ids)
    assert set(outline.outside) == {"data:,"}
    assert not [a for _, a in outline.tags if any(n.startswith("on") for n in a)]
    assert "<script>alert" not in ugly_page
    assert not re.search(
        "[\x00-\x08\x0b-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2066-\u2069]", ugly_page
    )
    assert "⟨U+202E⟩evil" in ugly_page


def test_what_is_more_than_a_page_can_hold_has_a_line_each():
    report = crossed(60, 30, every=2)
    n_pieces = sum(len(f.evidence) for f in report.findings)
    assert n_pieces > MAX_FULL > MAX_SIDES

    made = render_html(report)

    assert made.count('class="sides"') == MAX_SIDES
    assert made.count('<dl class="figures">') == MAX_FULL
    assert made.count("</code> prints it.") == n_pieces - MAX_FULL
    assert f"{n_pieces - MAX_RANKED} weaker pairs in the audit document" in plain(made)
    assert len(made.encode()) < 15_000_000


@pytest.mark.slow
def test_a_dense_map_of_50_by_200_is_all_there():
    made = render_html(crossed(50, 200, every=1))

    assert made.count('tabindex="-1"><rect') == 10_000
    assert len(made.encode()) < 15_000_000


def test_more_marks_than_are_shown_are_counted():
    many = tuple(Mark(what="cell guid", value=f"{n:032x}") for n in range(50))
    made = page_of(seen("t_1", MARKS.model_copy(update={"marks": many, "n_shared": 70})))

    assert "20 of 70 shared marks shown as examples" in plain(made)


def test_a_mix_of_no_weight_and_of_negative_weights_is_drawn_by_size():
    files = tuple(
        i.model_copy(update={"weight": w}) for i, w in zip(MIX.ingredients, (3, -1), strict=True)
    )
    made = page_of(seen("t_1", MIX.model_copy(update={"ingredients": files})))

    assert re.findall(r"flex-grow: ([\d.]+)", made) == ["0.7500", "0.2500"]
    none = tuple(i.model_copy(update={"weight": 0}) for i in files)
    assert 'class="mix"' not in page_of(seen("t_1", MIX.model_copy(update={"ingredients": none})))


def test_the_same_evidence_twice_in_a_finding_has_places_of_its_own():
    outline = Outline(page_of(seen("t_1", TWO, TWO, MARKS, MIX, TWO)))

    assert len(outline.ids) == len(set(outline.ids))
    assert {t[1:] for t in outline.targets} <= set(outline.ids)


def colours(block):
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", block))


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_regions_and_cells_have_the_contrast_of_wcag_aa(scheme):
    grounds = [
        re.findall(r":root \{(.*?)\}", (TEMPLATES / name).read_text(), re.DOTALL)[scheme]
        for name in ("style.css", "copies.css")
    ]
    base, own = map(colours, grounds)

    for letter in "abcdefgh":
        tint, edge = own[f"region-{letter}-bg"], own[f"region-{letter}"]
        assert min(contrast(base[ink], tint) for ink in INKS[:2]) >= 4.5, letter
        assert min(contrast(edge, tint), contrast(edge, base["bg"])) >= 4.5, letter
    for step, ink in zip("abcde", ("ink", "ink", "ink", "far", "far"), strict=True):
        assert contrast(own[f"heat-{ink}"], own[f"heat-{step}"]) >= 4.5, step


def test_hostile_names_stay_whole_in_the_ranking():
    made = section(
        page_of(seen("t_1", passages(source=HOSTILE, provenance=Provenance()))), "copies"
    )

    assert "&lt;script&gt;alert" in made
