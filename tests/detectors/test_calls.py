"""What reaches a call, through every disguise that is a value without running the code."""

from __future__ import annotations

import ast
import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detectors.bounds import MAX_STRING, UNKNOWN, Env, Unfoldable
from detectors.call import TOO_MUCH, Call
from detectors.calls import calls
from detectors.folding import dotted, fold
from detectors.units import CodeUnit

HIDDEN = "/private/answers.csv"
B64 = base64.b64encode(HIDDEN.encode()).decode()


def unit(text: str, module: str = "a", path: str | None = None) -> CodeUnit:
    return CodeUnit(path or f"{module}.py", 1, "python", text, module)


def called(*texts: str) -> list[Call]:
    return [call for _, call in calls([unit(t, f"m{i}") for i, t in enumerate(texts)])]


def reaching(name: str, *texts: str) -> list[tuple[str, ...]]:
    return [c.strings for c in called(*texts) if c.name == name]


def folded(expression: str, **names: object) -> object:
    return fold(ast.parse(expression, mode="eval").body, Env(names))


@pytest.mark.parametrize(
    "expression",
    [
        pytest.param(f"'{HIDDEN}'", id="literal"),
        pytest.param("'/priv' + 'ate/answers.csv'", id="sum"),
        pytest.param("'/priv' 'ate/answers.csv'", id="adjacent"),
        pytest.param("f'/private/{\"answers\"}.csv'", id="f-string"),
        pytest.param("'/%s/%s.csv' % ('private', 'answers')", id="percent"),
        pytest.param("'/%(a)s/answers.csv' % {'a': 'private'}", id="percent-mapping"),
        pytest.param("'/{}/{}.csv'.format('private', 'answers')", id="format"),
        pytest.param("'/{1}/{0}.csv'.format('answers', 'private')", id="format-positions"),
        pytest.param("'/{a}/{b}.csv'.format(a='private', b='answers')", id="format-names"),
        pytest.param("'/{a}/answers.csv'.format(**{'a': 'private'})", id="format-spread"),
        pytest.param("Template('/$a/answers.csv').substitute(a='private')", id="template"),
        pytest.param("''.join(['/private', '/answers', '.csv'])", id="join"),
        pytest.param("'/'.join(('', 'private', 'answers.csv'))", id="join-slash"),
        pytest.param("os.path.join('/private', 'answers.csv')", id="os-path-join"),
        pytest.param("str(Path('/') / 'private' / 'answers.csv')", id="pathlib"),
        pytest.param("Path('/private').joinpath('answers.csv')", id="joinpath"),
        pytest.param("pathlib.Path('/private', 'answers.csv')", id="path-of-parts"),
        pytest.param("os.path.join('ignored', '/private/answers.csv')", id="absolute-starts-anew"),
        pytest.param(f"'{HIDDEN[::-1]}'[::-1]", id="reversed"),
        pytest.param(f"''.join(reversed('{HIDDEN[::-1]}'))", id="reversed-call"),
        pytest.param(f"base64.b64decode('{B64}').decode()", id="base64"),
        pytest.param(f"b64decode(b'{B64}').decode('utf-8')", id="base64-bytes"),
        pytest.param(f"bytes.fromhex('{HIDDEN.encode().hex()}').decode()", id="hex"),
        pytest.param("codecs.decode('/cevingr/nafjref.pfi', 'rot13')", id="rot13"),
        pytest.param(f"''.join(chr(c) for c in {[ord(c) for c in HIDDEN]})", id="chr"),
        pytest.param(f"''.join(map(chr, {[ord(c) for c in HIDDEN]}))", id="map-chr"),
        pytest.param(f"''.join(chr(c ^ 1) for c in {[ord(c) ^ 1 for c in HIDDEN]})", id="xor"),
        pytest.param(f"bytes({list(HIDDEN.encode())}).decode()", id="bytes-of-numbers"),
        pytest.param("'/%70rivate/answers.csv'.replace('%70', 'p')", id="replace"),
        pytest.param("unquote('/%70rivate/answers.csv')", id="unquote"),
        pytest.param("'/PRIVATE/ANSWERS.CSV'.lower()", id="lower"),
        pytest.param("'  /private/answers.csv '.strip()", id="strip"),
        pytest.param("'x:/private/answers.csv'.split(':')[1]", id="split"),
        pytest.param("{'a': '/private/answers.csv'}['a']", id="dict"),
        pytest.param("{'a': '/private/answers.csv'}.get('a')", id="dict-get"),
        pytest.param("['x', '/private/answers.csv'][-1]", id="index"),
        pytest.param("'x/private/answers.csv'[1:]", id="slice"),
        pytest.param("os.getenv('D', '/private/answers.csv')", id="environment-default"),
        pytest.param("glob.glob('/private/answers.csv')[0]", id="glob"),
        pytest.param("next(Path('/private').glob('answers.csv'))", id="path-glob"),
        pytest.param("os.sep + 'private' + os.sep + 'answers.csv'", id="os-sep"),
        pytest.param("'/private/answers.csv'.encode().decode()", id="encode-decode"),
    ],
)
def test_a_disguised_path_is_the_string_it_stands_for(expression):
    assert folded(expression) == HIDDEN


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        pytest.param("root + '/answers.csv'", None, id="sum-with-unknown"),
        pytest.param("f'{root}/answers.csv'", f"{UNKNOWN}/answers.csv", id="f-string"),
        pytest.param("os.path.join(root, 'a')", f"{UNKNOWN}/a", id="join"),
        pytest.param("'%s/a' % root", f"{UNKNOWN}/a", id="percent"),
        pytest.param("'{}/a'.format(root)", f"{UNKNOWN}/a", id="format"),
        pytest.param("Path(root) / 'a'", f"{UNKNOWN}/a", id="pathlib"),
        pytest.param("Path(__file__).parent / 'a'", f"{UNKNOWN}/../a", id="file"),
        pytest.param("os.environ['D'] + '/a'", "$D/a", id="environment"),
        pytest.param("os.environ.get('D')", "$D", id="environment-get"),
        pytest.param("Path.home() / 'a'", f"{UNKNOWN}/a", id="home"),
    ],
)  # fmt: skip
def test_what_is_not_known_stays_a_hole(expression, expected):
    if expected is None:
        expected = f"{UNKNOWN}/answers.csv"
    assert folded(expression) == expected


@pytest.mark.parametrize(
    "expression",
    [
        "a", "a()", "1.5", "None", "lambda: 1", "a + b", "-'x'", "'x'['y']", "[1][9]", "{}['a']",
        "'x' * 3", "2 ** 99999", "bytes(10**9)", "bytes.fromhex('zz')", "b64decode('a')",
        "chr(-1)", "'x'.join(1)", "0x" + "f" * 6000, "a.b.c", "map(f, [1])", "(yield)",
    ],
)  # fmt: skip
def test_what_has_no_known_value_is_not_guessed(expression):
    with pytest.raises(Unfoldable):
        folded(expression)


@pytest.mark.parametrize(
    ("texts", "name", "strings"),
    [
        pytest.param(["p = '/a'\nopen(p)"], "open", ("/a",), id="name"),
        pytest.param(["p: str = '/a'\nopen(p)"], "open", ("/a",), id="annotated"),
        pytest.param(["p = '/a'\np += '/b'\nopen(p)"], "open", ("/a/b",), id="augmented"),
        pytest.param(["p, q = '/a', '/b'\nopen(q)"], "open", ("/b",), id="tuple"),
        pytest.param(["p = q = '/a'\nopen(p)"], "open", ("/a",), id="chained"),
        pytest.param(["p = '/a'\np = f()\nopen(p, 'r')"], "open", ("r",), id="forgotten"),
        pytest.param(["for p in ['/a']:\n    open(p)"], "open", ("/a",), id="loop"),
        pytest.param(["for i, p in [(1, '/a')]:\n    open(p)"], "open", ("/a",), id="loop-tuple"),
        pytest.param(["x = [open(p) for p in ['/a']]"], "open", ("/a",), id="comprehension"),
        pytest.param(["x = {p: open(p) for p in ['/a']}"], "open", ("/a",), id="dict-comp"),
        pytest.param(["with open('/a') as f:\n    pass"], "open", ("/a",), id="with"),
        pytest.param(["if x:\n    pass\nelse:\n    open('/a')"], "open", ("/a",), id="else"),
        pytest.param(["try:\n    f()\nexcept E:\n    open('/a')"], "open", ("/a",), id="except"),
        pytest.param(["try:\n    f()\nfinally:\n    open('/a')"], "open", ("/a",), id="finally"),
        pytest.param(["match x:\n    case 1:\n        open('/a')"], "open", ("/a",), id="match"),
        pytest.param(["while open('/a'):\n    pass"], "open", ("/a",), id="while"),
        pytest.param(["def f(p):\n    open(p)\nf('/a')"], "open", ("/a",), id="argument"),
        pytest.param(["def f(p='/a'):\n    open(p)\nf()"], "open", ("/a",), id="default"),
        pytest.param(["def f(*, p='/a'):\n    open(p)\nf()"], "open", ("/a",), id="keyword-only"),
        pytest.param(["def f(p):\n    open(p)\nf(p='/a')"], "open", ("/a",), id="keyword"),
        pytest.param(["async def f(p):\n    open(p)\nf('/a')"], "open", ("/a",), id="async"),
        pytest.param(["def f():\n    open('/a')"], "open", ("/a",), id="never-called"),
        pytest.param(["def g(p):\n    open(p)\ndef f(p):\n    g(p + '/b')\nf('/a')"], "open",
                     ("/a/b",), id="two-functions"),
        pytest.param(["class C:\n    P = '/a'\n    def f(self):\n        open(self.P)"], "open",
                     ("/a",), id="class-attribute"),
        pytest.param(["class C:\n    P = '/a'\nopen(C.P)"], "open", ("/a",), id="class-dot"),
        pytest.param(["class C:\n    def f(self, p):\n        open(p)\nC().f('/a')"], "open",
                     ("/a",), id="method"),
        pytest.param(["P = '/a'", "from m0 import P\nopen(P)"], "open", ("/a",), id="from-import"),
        pytest.param(["P = '/a'", "from m0 import P as q\nopen(q)"], "open", ("/a",), id="as"),
        pytest.param(["P = '/a'", "import m0\nopen(m0.P)"], "open", ("/a",), id="import"),
        pytest.param(["P = '/a'", "from m0 import *\nopen(P)"], "open", ("/a",), id="star"),
        pytest.param(["P = '/a'\nimport m0\nopen(m0.P)"], "open", ("/a",), id="itself"),
        pytest.param(["from m1 import P\nopen(P)", "P = '/a'"], "open", ("/a",), id="later-module"),
        pytest.param(["exec(\"open('/a')\")"], "open", ("/a",), id="exec"),
        pytest.param(["eval(\"open('/a')\")"], "open", ("/a",), id="eval"),
        pytest.param(["open(*['/a'])"], "open", ("/a",), id="starred"),
        pytest.param(["Path('/a').read_text()"], "?.read_text", ("/a",), id="receiver"),
        pytest.param(["f(g(open('/a')))"], "open", ("/a",), id="nested-call"),
        pytest.param(["lambda: open('/a')"], "open", ("/a",), id="lambda"),
        pytest.param(["@f(open('/a'))\ndef g(): pass"], "open", ("/a",), id="decorator"),
        pytest.param(["run(['cat', '/a'])"], "run", ("cat", "/a"), id="list-argument"),
        pytest.param(["open(b'/a')"], "open", ("/a",), id="bytes"),
        pytest.param(["x = (\nopen('/a')"], "open", ("/a",), id="broken-elsewhere"),
    ],
)  # fmt: skip
def test_a_string_reaches_the_call(texts, name, strings):
    assert strings in reaching(name, *texts)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("# open('/a')", id="comment"),
        pytest.param("'''open('/a')'''", id="docstring"),
        pytest.param("x = \"open('/a')\"", id="text"),
    ],
)
def test_what_only_looks_like_a_call_is_none(text):
    assert called(text) == []


def test_a_call_stands_on_its_own_lines():
    (call,) = called("\n\nopen(\n    '/a'\n)\n")

    assert (call.first_line, call.last_line) == (3, 5)


def test_a_call_of_a_cell_is_counted_from_the_cells_first_line():
    (found,) = calls([CodeUnit("n.ipynb#cell-1", 5, "python", "\nopen('/a')", "n")])

    assert found[1].first_line == 6


def test_cells_of_one_notebook_share_their_names():
    cells = [unit("P = '/a'", "n", "n#cell-1"), unit("open(P)", "n", "n#cell-2")]

    assert [(u.path, c.strings) for u, c in calls(cells)] == [("n#cell-2", ("/a",))]


def test_the_same_call_is_told_once():
    assert len(reaching("open", "for i in [1, 2, 3]:\n    open('/a')")) == 1


def test_names_of_a_function_stay_in_it():
    assert ("/a",) not in reaching("g", "def f(p='/a'):\n    pass\nf()\ng(p, 'x')")


def test_a_call_inside_a_function_that_refuses_private_paths_is_marked():
    text = "def load(p):\n    if 'private' in p:\n        raise ValueError\n    open(p)\nload('/a')"

    assert [c.guarded for c in called(text) if c.name == "open"] == [True]


BOMBS = {
    "lists-of-lists": "x = ['a']\n" + "x = [x, x]\n" * 40 + "f(x)\n",
    "list-in-text": "x = ['a']\n" + "x = [x, x]\n" * 40 + "f(f'{x}')\n",
    "long-replace": f"x = '{'a' * 4000}'\n" + "y = x.replace('a', x)\n" * 2000,
    "exec-of-itself": f"x = '{'exec(x);' * 400}'\nexec(x)\n",
    "exec-quine": "x = 'exec(x)'\nexec(x)\n",
    "recursion": "def f(a):\n" + "".join(f"    f(a + '{i}')\n" for i in range(60)) + "f('')\n",
    "mutual-recursion": "def f(a):\n    g(a + 'x')\ndef g(a):\n    f(a + 'y')\nf('')\n",
    "attribute-chain": "x = a" + ".b" * 5000 + "()\n",
    "call-chain": "x = a" + ".b('c')" * 900 + "\n",
    "sum": "x = " + "+".join(["'a'"] * 3000) + "\n",
    "parentheses": "x = " + "(" * 5000 + ")" * 5000 + "\n",
    "minus": "x = " + "-" * 50_000 + "1\n",
    "huge-number": f"open(f'{{0x{'f' * 6000}}}')\n",
    "huge-argument": f"def f(a):\n    open(a)\nf(0x{'f' * 6000})\n",
    "nested-loops": "".join(
        "  " * i + f"for a{i} in 'a b c d e f'.split():\n" for i in range(12)
    ) + "  " * 12 + "open(a1)\n",
    "big-loop": f"A = {[str(i) for i in range(64)]}\nfor a in A:\n for b in A:\n  f(["
    + ",".join(["g(a)"] * 1000) + "])\n",
    "nested-comprehensions": "z = " + "[" * 60 + "1" + " for x in ['a', 'b']]" * 60 + "\n",
    "long-list": "x = [" + "1," * 2_000_000 + "]\n",
    "long-line": "x = '" + "a" * 10_000_000 + "'\n",
    "broken-lines": "x(\n" * 500_000,
    "many-classes": "".join(f"class C{i}:\n    x = 'a'\n" for i in range(3000)),
    "nul-bytes": "x = 1\x00\n" * 1000,
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("text", [pytest.param(t, id=name) for name, t in BOMBS.items()])
def test_what_is_made_to_blow_up_ends_and_hides_nothing_after_it(text):
    found = called(f"{text}\nopen('{HIDDEN}')\n")

    assert (HIDDEN,) in [c.strings for c in found] or TOO_MUCH in {c.name for c in found}


@pytest.mark.parametrize("name", ["exec-of-itself", "long-list"])
def test_code_that_was_not_followed_to_its_end_says_so(name):
    assert TOO_MUCH in {c.name for c in called(BOMBS[name])}


def test_code_that_was_followed_to_its_end_does_not_say_otherwise():
    assert TOO_MUCH not in {c.name for c in called("for a in range(9):\n    f('a')\n" * 500)}


def test_a_nest_too_deep_to_follow_says_so_and_what_stands_after_it_is_read():
    deep = "x = " + "+".join(["a('b')"] * 940)
    found = called(f"{deep}\nopen('{HIDDEN}')\n")

    assert (HIDDEN,) in [c.strings for c in found]


def test_a_path_built_too_deeply_to_fold_is_never_passed_over():
    names = {c.name for c in called("open(" + "'' + " * 960 + f"'{HIDDEN}')")}

    assert names <= {TOO_MUCH}
    assert names


def test_a_long_value_is_cut():
    assert len(folded("x + x", x="a" * MAX_STRING)) == MAX_STRING  # type: ignore[arg-type]


def test_only_names_and_attributes_are_dotted():
    def name(text: str) -> str:
        return dotted(ast.parse(text, mode="eval").body)

    assert [name("a"), name("a.b.c"), name("a().b"), name("a[0].b")] == ["a", "a.b.c", "", ""]


@given(st.text())
def test_any_text_is_read_without_an_error(text):
    called(text)


ATOMS = st.sampled_from(["'a'", "b'x'", "1", "None", "p", "q.r", "__file__", "[]", "{}", "True"])
EXPRESSIONS = st.recursive(
    ATOMS,
    lambda e: st.one_of(
        st.tuples(e, st.sampled_from(["+", "-", "/", "%", "^", "*", "<", "and"]), e).map(
            lambda t: f"({t[0]} {t[1]} {t[2]})"
        ),
        st.lists(e, max_size=3).map(lambda v: f"[{', '.join(v)}]"),
        st.tuples(e, e).map(lambda t: f"{{{t[0]}: {t[1]}}}"),
        st.tuples(e, e).map(lambda t: f"{t[0]}[{t[1]}]"),
        st.tuples(e, e).map(lambda t: f"{t[0]}[{t[1]}:]"),
        st.tuples(e, e).map(lambda t: f"[x for x in {t[0]} if {t[1]}]"),
        st.tuples(e, e).map(lambda t: f"''.join(chr(x) for x in ({t[0]}, {t[1]}))"),
        st.tuples(
            st.sampled_from(["open", "Path", "str", "chr", "bytes", "os.path.join", "f", "exec",
                             "codecs.decode", "b64decode", "sorted", "map", "reversed", "list"]),
            st.lists(e, max_size=3),
        ).map(lambda t: f"{t[0]}({', '.join(t[1])})"),
        st.tuples(
            e,
            st.sampled_from(["join", "replace", "format", "split", "get", "items", "decode",
                             "with_name", "parent", "strip", "lower", "substitute"]),
            st.lists(e, max_size=2),
        ).map(lambda t: f"({t[0]}).{t[1]}({', '.join(t[2])})"),
    ),
    max_leaves=12,
)  # fmt: skip


@given(st.lists(st.tuples(st.sampled_from(["p = {}", "p += {}", "for p in {}:\n    f(p)",
       "def f(p={0}): {0}", "class C:\n    p = {}", "if {}:\n    raise E",
       "with {} as p:\n    f(p)", "f({})", "p, q = {0}, {0}"]), EXPRESSIONS)))  # fmt: skip
def test_any_valid_python_is_read_without_an_error(parts):
    called("\n".join(template.format(e) for template, e in parts))
