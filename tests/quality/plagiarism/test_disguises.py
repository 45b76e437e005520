"""Disguised copies parse, do what their kind says, and come out the same again."""

from __future__ import annotations

import pytest

from tests.quality.plagiarism.code import MARK, Code, Edit, n_lines, parses
from tests.quality.plagiarism.disguises import BY_NAME, KINDS, MIN_PART, disguise, rng_of
from tests.quality.plagiarism.embed import part_of
from tests.quality.plagiarism.order import dead_code
from tests.quality.plagiarism.programs import PROGRAMS, output
from tests.quality.plagiarism.python2 import python2_of, python3_of
from tests.quality.plagiarism.written_set import written_tasks

KEEPING = [k for k in KINDS if k.keeps_meaning]
SOURCES = {i.name: i for t in written_tasks() for i in t.references if parses(i.text)}
HOST = next(i.text for t in written_tasks() for i in t.honest if t.name == "ticket-routing")


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("kind", KEEPING, ids=lambda k: k.name)
def test_a_kind_that_keeps_the_meaning_prints_the_same(kind, program):
    text = PROGRAMS[program]
    wanted = output(text)

    for seed in range(6):
        copy = disguise(kind, program, text, seed=seed)
        if copy is not None:
            assert output(copy) == wanted, copy


@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k.name)
def test_each_kind_can_be_made_of_half_of_the_notebooks_and_parses(kind):
    some = list(SOURCES.items())[::2]
    copies = [disguise(kind, n, s.text, seed=1, host=HOST) for n, s in some]
    made = [c for c in copies if c is not None]

    assert len(made) >= len(copies) / 2
    if kind.name != "other-python":
        assert all(map(parses, made))


@pytest.mark.parametrize("kind", [k for k in KINDS if k.name != "identical"], ids=lambda k: k.name)
def test_a_copy_differs_from_its_source_and_comes_out_the_same_again(kind):
    for name, source in list(SOURCES.items())[:3]:
        first = disguise(kind, name, source.text, seed=1, host=HOST)
        again = disguise(kind, name, source.text, seed=1, host=HOST)

        assert first == again
        assert first != source.text


@pytest.mark.parametrize("kind", ["renamed", "dead-code-35", "eight-transforms", "rewritten"])
def test_another_seed_gives_another_copy(kind):
    source = SOURCES["gru-with-embeddings"].text
    copies = {disguise(BY_NAME[kind], "gru", source, seed=s, host=HOST) for s in range(3)}

    assert len(copies) == 3


@pytest.mark.parametrize("share", [0.2, 0.4, 0.6])
def test_a_part_holds_about_its_share_of_the_lines(share):
    for name, source in SOURCES.items():
        part = "\n".join(part_of(source.text, share, rng_of(1, name)))
        slack = max(20, 0.2 * n_lines(source.text))  # a part is made of whole cells

        assert abs(n_lines(part) - share * n_lines(source.text)) <= slack


def test_a_partial_copy_holds_the_whole_host():
    source = SOURCES["lags-and-xgboost"]
    copy = disguise(BY_NAME["partial-20"], source.name, source.text, seed=2, host=HOST)

    assert copy is not None
    assert {line.strip() for line in HOST.splitlines()} <= {c.strip() for c in copy.splitlines()}
    assert n_lines(copy) >= n_lines(HOST) + MIN_PART


def test_a_partial_copy_without_a_host_is_refused():
    with pytest.raises(ValueError, match="needs a host"):
        disguise(BY_NAME["partial-20"], "n", PROGRAMS["league"], seed=1)


def test_too_short_a_part_is_not_made():
    short = "a = 1\nb = 2\nc = a + b\n"

    assert disguise(BY_NAME["partial-20"], "short", short, seed=1, host=HOST) is None


@pytest.mark.parametrize("kind", ["rephrased", "control-flow", "renamed"])
def test_an_expression_that_is_too_deep_ends_no_run(kind):
    deep = "if a:\n    b = " + " + ".join(["a"] * 600) + "\nelse:\n    b = 1\n"
    copy = disguise(BY_NAME[kind], "deep", deep, seed=1)

    assert copy is None or parses(copy)


def test_dead_code_is_its_share_of_the_lines():
    text = PROGRAMS["numbers"]
    longer = dead_code(text, rng_of(4), share=0.35)

    assert (n_lines(longer) - n_lines(text)) / n_lines(longer) == pytest.approx(0.35, abs=0.06)


def test_notebooks_keep_their_cells():
    source = next(s for s in SOURCES.values() if MARK in s.text)
    for name in ("renamed", "literals", "comments-stripped", "dead-code-35"):
        copy = disguise(BY_NAME[name], source.name, source.text, seed=1)
        assert copy is not None
        assert copy.count(f"{MARK}\n") == source.text.count(f"{MARK}\n"), name


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("print 'a', b", "print('a', b)", id="print"),
        pytest.param("print", "print()", id="print-nothing"),
        pytest.param("print x,", "print(x, end=' ')", id="no-new-line"),
        pytest.param("print >>f, x, y", "print(x, y, file=f)", id="print-to-a-file"),
        pytest.param("print ('%d' % a), b", "print(('%d' % a), b)", id="parentheses-of-one"),
        pytest.param("try:\n    f()\nexcept E, e:\n    print e", None, id="except"),
        pytest.param("raise ValueError, 'no'", "raise ValueError('no')", id="raise"),
        pytest.param("if a <> 0777L: x = `a`", "if a != 0o777: x = repr(a)", id="operators"),
        pytest.param("for i in xrange(3): print i", "for i in range(3): print(i)", id="range"),
        pytest.param("if a:\n\tprint a\n        print b", None, id="tabs"),
        pytest.param("x = 0.001; print x", "x = 0.001; print(x)", id="no-octal"),
    ],
)
def test_python_2_becomes_python_3(old, new):
    found = python3_of(f"print 0\n{old}\n", rng_of(0))

    assert parses(found)
    if new is not None:
        assert found == f"print(0)\n{new}\n"


@pytest.mark.parametrize("program", PROGRAMS)
def test_python_3_comes_back_from_python_2(program):
    text = PROGRAMS[program]
    old = python2_of(text, rng_of(0))

    assert not parses(old)
    assert output(python3_of(old, rng_of(0))) == output(text)


def test_edits_that_overlap_leave_the_outermost():
    code = Code("aé = f(b)\n")

    assert code.edited([Edit(6, 10, "g()"), Edit(8, 9, "c")]) == "aé = g()\n"
