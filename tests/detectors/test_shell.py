"""Shell text becomes pipelines of words, whatever a shell script looks like."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detectors.shell import MAX_LINE, pipelines


def commands(text: str) -> list[tuple[tuple[str, ...], ...]]:
    return [p.commands for p in pipelines(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("cat a b", [(("cat", "a", "b"),)], id="words"),
        pytest.param("cat 'a b' \"c d\"", [(("cat", "a b", "c d"),)], id="quotes"),
        pytest.param("cat a\\ b", [(("cat", "a b"),)], id="escaped-space"),
        pytest.param("cat it's a", [(("cat", "it", "s", "a"),)], id="open-quote"),
        pytest.param("a; b && c || d & e", [((w,),) for w in "abcde"], id="statements"),
        pytest.param("a | b |& c", [(("a",), ("b",), ("c",))], id="pipe"),
        pytest.param("cat a # b", [(("cat", "a"),)], id="comment"),
        pytest.param("# cat a", [], id="comment-alone"),
        pytest.param("cat a#b", [(("cat", "a#b"),)], id="hash-within-a-word"),
        pytest.param("cat \\\n a \\\n b", [(("cat", "a", "b"),)], id="continuation"),
        pytest.param("cat a > b 2>&1", [(("cat", "a", ">", "b", "2", ">&", "1"),)], id="redirect"),
        pytest.param("(cd /; ls)", [(("cd", "/"),), (("ls",),)], id="subshell"),
        pytest.param("D=/x\ncat $D/a", [(("export", "/x"),), (("cat", "/x/a"),)], id="variable"),
        pytest.param("export D=/x; cat ${D}/a", [(("export", "/x"),), (("cat", "/x/a"),)],
                     id="variable-of-the-same-line"),
        pytest.param("H=/x; for i in $(seq 3); do cat $H/$i; done", [(("export", "/x"),),
                     (("for", "i", "in", "$"),), (("seq", "3"),), (("cat", "/x/$i"),),
                     (("done",),)], id="variable-in-a-loop-of-the-same-line"),
        pytest.param("W=ca; E=t; $W$E a", [(("export", "ca"),), (("export", "t"),),
                     (("cat", "a"),)], id="a-command-in-pieces"),
        pytest.param("D=`cat a`", [(("export", "$_"),), (("cat", "a"),)], id="backquotes"),
        pytest.param('sh -c "$(cat a)"', [(("sh", "-c", "$_"),), (("cat", "a"),)],
                     id="within-double-quotes"),
        pytest.param("echo '$(cat a) `cat b`'", [(("echo", "$(cat a) `cat b`"),)],
                     id="within-single-quotes"),
        pytest.param("echo \"a \\`b\\`\"", [(("echo", "a \\`b\\`"),)],
                     id="escaped-backquotes"),
        pytest.param("cat <<< a\nrm b", [(("cat", "<<<", "a"),), (("rm", "b"),)], id="here-text"),
        pytest.param("wc <(cat a)", [(("wc",),), (("cat", "a"),)], id="as-a-file"),
        pytest.param("until cat a; do b; done", [(("cat", "a"),), (("b",),), (("done",),)],
                     id="until"),
        pytest.param("cat ${D:-/x}/a ${E-/y}", [(("cat", "/x/a", "/y"),)], id="default"),
        pytest.param("cat $D", [(("cat", "$D"),)], id="unknown-variable"),
        pytest.param("D=/x cat a", [(("cat", "a"),)], id="assignment-before-a-command"),
        pytest.param("sudo time cat a", [(("cat", "a"),)], id="prefixes"),
        pytest.param("if true; then cat a; fi", [(("true",),), (("cat", "a"),), (("fi",),)],
                     id="if"),
        pytest.param("for f in a; do cat $f; done", [(("for", "f", "in", "a"),),
                     (("cat", "a"),), (("done",),)], id="for"),
        pytest.param("", [], id="nothing"),
        pytest.param(" \n\t\n;;\n", [], id="no-words"),
    ],
)  # fmt: skip
def test_text_becomes_these_commands(text, expected):
    assert commands(text) == expected


@pytest.mark.parametrize("mark", ["EOF", "'EOF'", '"EOF"'])
@pytest.mark.parametrize("arrow", ["<<", "<<-", "<< "])
def test_a_here_document_goes_to_its_command_and_is_no_command(arrow, mark):
    (first, second) = pipelines(f"python - {arrow}{mark}\ncat a\nrm b\nEOF\nls\n")

    assert (first.commands, first.heredoc) == ((("python", "-"),), "cat a\nrm b")
    assert (second.commands, second.heredoc, second.line) == ((("ls",),), "", 5)


def test_a_here_document_goes_to_its_own_statement_alone():
    found = [(p.commands, p.heredoc) for p in pipelines("ls; cat <<E | wc; pwd\na\nE\n")]

    assert found == [((("ls",),), ""), ((("cat",), ("wc",)), "a"), ((("pwd",),), "")]


def test_a_here_document_without_end_takes_the_rest():
    (only,) = pipelines("cat <<EOF\na\nb")

    assert only.heredoc == "a\nb"


def test_a_pipeline_knows_its_first_line_and_text():
    found = [(p.line, p.text) for p in pipelines("\n\nls\ncat \\\n a\nls -l\n")]

    assert found == [(3, "ls"), (4, "cat  a"), (6, "ls -l")]


def test_a_form_feed_is_no_end_of_line():
    assert [p.line for p in pipelines("echo a\x0cb\nls")] == [1, 2]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a" * 10_000_000, id="one-word"),
        pytest.param("'" * 1_000_000, id="quotes"),
        pytest.param("${a-" * 5_000, id="open-defaults"),
        pytest.param("! " * 10_000, id="prefixes"),
        pytest.param("a\\\n" * 100_000, id="continued"),
        pytest.param("A=aa\n" + "A=$A$A\n" * 60 + "cat $A\n", id="doubling-variable"),
        pytest.param("cat <<E\n" * 50_000, id="here-documents"),
        pytest.param("((((" * 10_000, id="parentheses"),
    ],
)
def test_what_is_made_to_blow_up_stays_small(text):
    found = list(pipelines(text))

    assert all(len(w) <= MAX_LINE for p in found for c in p.commands for w in c)


@given(st.text())
def test_any_text_gives_pipelines_of_words_and_no_error(text):
    for pipeline in pipelines(text):
        assert pipeline.line >= 1
        assert all(command for command in pipeline.commands)


@given(st.lists(st.sampled_from(
    [*"|&;<>()$`\"'\\#!\n ", "<<EOF\n", "EOF", "${", "}", "A=", "$A", "cat", "if", "2>&1"]
)))  # fmt: skip
def test_any_shell_syntax_gives_no_error(parts):
    list(pipelines("".join(parts)))


@given(st.lists(st.from_regex(r"[\w./ -]{1,12}", fullmatch=True), min_size=1, max_size=5))
def test_quoted_words_come_back_as_they_were(words):
    text = "run " + " ".join(f"'{w}'" for w in words)

    assert commands(text) == [(("run", *words),)]
