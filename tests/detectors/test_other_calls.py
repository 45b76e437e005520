"""Calls of any language are found with the texts that reach them, whatever the syntax."""

from __future__ import annotations

import pytest

from detectors.other_calls import ASSIGNED, MAX_NAME, other_calls


def calls_of(text, suffix):
    return {c.name: c.strings for c in other_calls(text, suffix) if c.name != ASSIGNED}


@pytest.mark.parametrize(
    ("suffix", "text", "name", "strings"),
    [
        pytest.param("R", 'p <- paste("a", "b", sep="/")\nread(p)', "read", ("a/b",), id="r"),
        pytest.param("R", 'read.csv(file.path("a",\n  "b"))', "read.csv", ("a/b",), id="r-lines"),
        pytest.param("R", '"u" |> GET()', "GET", ("u",), id="r-pipe"),
        pytest.param("R", "data(TravelMode)", "data", ("TravelMode",), id="r-bare"),
        pytest.param("js", "const r = 'a';\nf.g(`${r}/b`)", "f.g", ("a/b",), id="js-template"),
        pytest.param("js", "g(path.join(x, '..', 'b'))", "g", ("\ufffc/../b",), id="js"),
        pytest.param("jl", 'r = "a"\nCSV.read("$r/b")', "CSV.read", ("a/b",), id="julia"),
        pytest.param("jl", "run(`cat x`)", "system", ("cat x",), id="julia-command"),
        pytest.param("pl", 'my $r = "a";\nopen(my $f, "<", $r . "/b");', "open",
                     ("<", "a/b"), id="perl"),
        pytest.param("pl", 'open my $f, "<", "a";', "open", ("<", "a"), id="perl-without-brackets"),
        pytest.param("rb", "system 'ls a'", "system", ("ls a",), id="ruby"),
        pytest.param("go", 'os.Open(filepath.Join("a", "b"))', "os.Open", ("a/b",), id="go"),
        pytest.param("java", 'B.of().uri(URI.create("u"))', "B.of.uri", ("u",), id="java-chain"),
        pytest.param("rs", 'let s = std::fs::read("a");', "std.fs.read", ("a",), id="rust"),
        pytest.param("cpp", 'std::ifstream f("a");', "f", ("a",), id="cpp"),
        pytest.param("php", '$c = curl_init("u");', "curl_init", ("u",), id="php"),
        pytest.param("sql", "select * from 'a' where b = 'c'", "from", ("a",), id="sql"),
        pytest.param("qmd", 'f("a")\n```{r}\ng("b")\n```\n', "g", ("b",), id="quarto"),
    ],
)  # fmt: skip
def test_the_texts_that_reach_a_call(suffix, text, name, strings):
    assert calls_of(text, suffix).get(name) == strings


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        pytest.param("R", '# f("a")', id="r-comment"),
        pytest.param("js", '// f("a")\n/* f("b") */', id="js-comments"),
        pytest.param("sql", "-- f('a')", id="sql-comment"),
        pytest.param("pl", '=pod\n\nf("a")\n\n=cut\n', id="perl-pod"),
        pytest.param("jl", '#= f("a") =#', id="julia-block"),
        pytest.param("qmd", 'f("a")\n', id="prose"),
        pytest.param("R", 'x <- "f(1)"', id="in-a-text"),
        pytest.param("js", "function f(a) { return 1 }", id="definition"),
    ],
)
def test_comments_texts_and_prose_hold_no_calls(suffix, text):
    assert calls_of(text, suffix) == {}


@pytest.mark.parametrize(
    "text",
    ["(" * 9_000, '"' * 9_000, "f(" * 9_000, "a.b" * 9_000, "x = '" + "\\" * 9_000, "/*" * 9_000],
)
def test_hostile_text_ends(text):
    for suffix in ("js", "R", "sql"):
        assert len(other_calls(text, suffix)) <= len(text)


def test_of_the_name_of_a_long_chain_its_end_is_kept():
    names = [call.name for call in other_calls("x = a" + ".b()" * 5_000 + ".read('p')", "js")]

    assert names[-2].endswith(".b.b.read")
    assert max(map(len, names)) <= MAX_NAME
