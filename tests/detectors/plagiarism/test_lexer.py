"""Code becomes a row of token kinds, whatever it is."""

from __future__ import annotations

import keyword

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from detectors.plagiarism.fingerprints import fingerprint, kept, mixed, run_hashes
from detectors.plagiarism.lexer import tokens

LANGUAGES = ("python", "r", "julia", "sql", "text", "markdown")


def same(left: str, right: str, language: str) -> bool:
    one, two = tokens(left, language).kinds, tokens(right, language).kinds
    return bool(one.tolist() == two.tolist())


@pytest.mark.parametrize(
    ("left", "right", "language"),
    [
        pytest.param("x = f(1)", "frame = load(20.5e-3)", "python", id="names-and-numbers"),
        pytest.param("a='x'", 'b = """y\nz"""', "python", id="strings"),
        pytest.param("a = rb'x' + f'{y}'", "a = 'x' + 'y'", "python", id="prefixes"),
        pytest.param("a = 1  # why\n\n", "a=1", "python", id="comments-and-blanks"),
        pytest.param("x = True", "x = flag", "python", id="values-are-names"),
        pytest.param("a.b[0x1F] **= 1_000", "c.d[7] **= 2", "python", id="numbers-of-all-kinds"),
        pytest.param("x <- f(1) # c", "y.z <- g.h(2)", "r", id="r"),
        pytest.param('x = "it\'s" # c', "y = 'a'", "r", id="r-strings"),
        pytest.param("x = 1 #= a\nb =#\ny = 2", "a = 3\nb = 4", "julia", id="julia-comments"),
        pytest.param("SELECT a FROM b -- c", "select x\nfrom y /* z */", "sql", id="sql-case"),
        pytest.param("One two", "one  TWO", "text", id="words"),
        pytest.param("a = b \\\n  + c", "a = b + c", "python", id="joined-lines"),
        pytest.param("a = 1; b = 2;", "a = 1\nb = 2", "python", id="semicolons"),
        pytest.param("x <- 1; y <- 2", "x <- 1\ny <- 2", "r", id="r-semicolons"),
        pytest.param("if a:\n  pass\n  b()", "if a:\n  b()", "python", id="pass"),
        pytest.param("a()\n...\nb()", "a()\nb()", "python", id="dots"),
        pytest.param('def f():\n  "d"\n  g()', "def f():\n  g()", "python", id="docstring"),
        pytest.param("a()\n'note'; 7; None\nb()", "a()\nb()", "python", id="values-alone"),
        pytest.param("a = (b)", "a = b", "python", id="brackets-around-a-name"),
        pytest.param("a = ((f((b) + (1))))", "a = f(b + 1)", "python", id="nested-brackets"),
        pytest.param("(a, b) = (c)\n(f(d))", "a, b = c\nf(d)", "python", id="brackets-at-first"),
        pytest.param("if (a > b): c()", "if a > b: c()", "python", id="brackets-of-conditions"),
        pytest.param("f(a,\n  [b, c,],\n)", "f(a, [b, c])", "python", id="last-commas"),
        pytest.param("a: int = b", "a = b", "python", id="type-of-a-variable"),
        pytest.param("a.b['c']: dict[str, int] = d", "a.b['e'] = d", "python", id="of-an-element"),
        pytest.param("a: 'x'\nb()", "b()", "python", id="a-type-alone"),
        pytest.param(
            "def f(a: int, b: list[str] = 3, *c: x.y) -> dict[str, z]:\n  g()",
            "def f(a, b=3, *c):\n  g()",
            "python",
            id="types-of-a-function",
        ),
        pytest.param("x\u0304y = a\u00b7b", "xy = ab", "python", id="accents-in-names"),
    ],
)
def test_what_a_disguise_changes_counts_for_nothing(left, right, language):
    assert same(left, right, language)


@pytest.mark.parametrize(
    ("left", "right", "language"),
    [
        pytest.param("for x in y: pass", "while x: pass", "python", id="keywords"),
        pytest.param("a + b", "a - b", "python", id="operators"),
        pytest.param("a = b", "a == b", "python", id="comparison"),
        pytest.param("f(a)", "f(a, b)", "python", id="arguments"),
        pytest.param("'#' + x", "'a' # x", "python", id="hash-in-a-string"),
        pytest.param("f(a)", "f a", "python", id="a-call"),
        pytest.param("a[b](c)", "a[b] c", "python", id="a-call-of-an-element"),
        pytest.param("a = f(lambda b: c)", "a = f(lambda b)", "python", id="lambda"),
        pytest.param("a = lambda b: c", "a = lambda b = c", "python", id="lambda-at-top"),
        pytest.param("a = b[c:d]", "a = b[c]", "python", id="slices"),
        pytest.param("a = {b: c}", "a = {b}", "python", id="dictionaries"),
        pytest.param("if a: b = c", "if a = c", "python", id="a-condition-and-its-only-line"),
        pytest.param("[1\n, a\n]", "[, a]", "python", id="a-value-alone-in-its-line"),
        pytest.param("x <- y", "x < -y", "r", id="r-assignment"),
        pytest.param("select a", "delete a", "sql", id="sql-keywords"),
        pytest.param("one two", "one three", "text", id="words"),
    ],
)
def test_what_code_does_counts(left, right, language):
    assert not same(left, right, language)


def test_a_token_knows_its_line():
    found = tokens('x = """a\nb"""\n# none\ny = 2\n')

    assert found.lines.tolist() == [1, 1, 1, 4, 4, 4]


@pytest.mark.parametrize("language", LANGUAGES)
@given(text=st.text(alphabet=st.sampled_from("ab1 '\"\\\n#=-/*`({.@é\x00\ud800"), max_size=200))
def test_any_text_has_tokens_in_the_order_of_its_lines(language, text):
    found = tokens(text, language)

    assert len(found.kinds) == len(found.lines)
    assert (np.diff(found.lines) >= 0).all()
    assert not len(found.lines) or 1 <= found.lines[0] <= found.lines[-1] <= text.count("\n") + 1


NAMES = st.from_regex(r"[a-z_]{1,8}", fullmatch=True).filter(lambda n: n not in keyword.kwlist)


@given(
    names=st.lists(NAMES, min_size=3, max_size=3), others=st.lists(NAMES, min_size=3, max_size=3)
)
def test_renaming_changes_nothing(names, others):
    code = "def {0}({1}):\n    return [{2} for {2} in {1} if {2} > 3]\n"

    assert same(code.format(*names), code.format(*others), "python")


@given(st.lists(st.integers(0, 5), max_size=40), st.sampled_from([1, 2, 4, 16]))
def test_equal_runs_have_equal_hashes_and_others_others(values, run):
    hashes = run_hashes(np.array(values, np.uint32), run).tolist()
    runs = [tuple(values[i : i + run]) for i in range(len(values) - run + 1)]

    assert len(hashes) == len(runs)
    assert len(set(hashes)) == len(set(runs)) == len(set(zip(hashes, runs, strict=True)))


@given(st.lists(st.integers(0, 2**64 - 1), unique=True, max_size=50))
def test_mixing_loses_nothing(values):
    assert len(np.unique(mixed(np.array(values, np.uint64)))) == len(values)


def test_code_around_a_passage_does_not_change_which_hashes_are_kept_of_it():
    passage = "\n".join(f"x{i} = f(y[{i}], z) + g(h={i}) if a < b else c{i}.d()" for i in range(40))
    alone = fingerprint(passage).kept
    inside = fingerprint(f"import os\nprint(1)\n{passage}\nwhile True:\n    break\n").kept

    assert len(alone)
    assert np.isin(alone, inside).all()


def test_one_hash_in_four_is_kept():
    hashes = mixed(np.arange(40_000, dtype=np.uint64))

    assert len(kept(hashes)) / len(hashes) == pytest.approx(0.25, abs=0.01)


def test_a_text_of_fewer_tokens_than_a_run_has_no_hashes():
    assert len(fingerprint("x = 1").hashes) == 0
