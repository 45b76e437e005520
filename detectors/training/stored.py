"""Rows that code puts into tables of a data base and takes out again: SQL is read by its words."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from detectors.training.flows import Flow, last_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.training.programs import Program

MAX_ROUNDS = 4  # of views upon views
_STORES = frozenset({"to_sql", "register", "write_database", "create_table", "from_df", "insert"})
_ASKS = re.compile(
    r"(?:^|\.)(?:read_sql\w*|read_database\w*|execute|executescript|sql|query|sqldf|from_query)$"
)
_MAKES = re.compile(
    r"\bcreate\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+)?(?:table|view)\s+(?:if\s+not\s+exists\s+)?"
    r"[\"`]?(?P<name>\w+)|\binsert\s+into\s+[\"`]?(?P<into>\w+)",
    re.IGNORECASE,
)
_FROM = re.compile(r"\b(?:from|join)\s+[\"`']?(?P<name>(?:\w+\.)?\w+)", re.IGNORECASE)
_FROM_FILE = re.compile(r"\b(?:from|join)\s+(?:\w+\()?[\"'][./~]", re.IGNORECASE)
_PATH = re.compile(r"'([^'\n]{3,300})'|\"([^\"\n]{3,300})\"")
_IMPORTED = re.compile(r"^[ \t]*\.import\s+(?:-\S+\s+)*[\"']?([^\s\"']+)", re.MULTILINE)
_ANSWER_TABLE = re.compile(  # of a benchmark, where the code made none of that name
    r"^(?:\w+\.)?(?:gold(?:_\w+)?|(?:\w+_)?(?:answers?|solutions?|answer_key)|hidden_\w+|"
    r"(?:test_)?ground_?truth\w*|test_(?:labels?|answers?|targets?|truth)|true_labels?|"
    r"private_(?:test|labels?|answers?|split))$",
    re.IGNORECASE,
)


def paths_in_sql(text: str) -> Iterator[str]:
    """Yield the texts that stand quoted in SQL, and what a shell of a data base imports.

    Examples
    --------
    >>> list(paths_in_sql("select * from 'a.csv'"))
    ['a.csv']
    >>> list(paths_in_sql(".import a.csv t"))
    ['a.csv']
    """
    yield from _IMPORTED.findall(text)
    if _FROM.search(text) or _FROM_FILE.search(text):
        yield from (a or b for a, b in _PATH.findall(text))


def asks_answer_table(texts: tuple[str, ...], own: frozenset[str]) -> bool:
    """Say whether SQL reads a table that is called like hidden answers.

    Parameters
    ----------
    own : frozenset of str
        Tables that the code made, whatever they are called.
    """
    names = (m["name"] for t in texts if "select" in t.lower() for m in _FROM.finditer(t))
    return any(_ANSWER_TABLE.match(n) and n.lower() not in own for n in names)


def own_tables(program: Program) -> frozenset[str]:
    """Return the tables that code makes, of lower case."""
    found = set()
    for _, node in program.code.tree.calls():
        texts = program.texts(node)
        if last_name(node) in _STORES:
            found |= {t.lower() for t in texts if t.isidentifier()}
        found |= {(m["name"] or m["into"]).lower() for t in texts for m in _MAKES.finditer(t)}
    return frozenset(found)


def stored_reads(program: Program, sources: set[int]) -> set[int]:
    """Return the calls that ask a data base for a table into which rows out of sources were put."""
    tree = program.code.tree
    asking = [(n, program.texts(n)) for _, n in tree.calls() if _ASKS.search(last_name(n))]
    if not asking:
        return set()
    flow = Flow(tree, lambda n: id(n) in sources)
    tables = {
        text.lower()
        for scope, node in tree.calls()
        if last_name(node) in _STORES and _is_given(flow, scope, node)
        for text in _names(node)
    }
    for _round in range(MAX_ROUNDS if tables else 0):
        made = {
            (m["name"] or m["into"]).lower()
            for _, texts in asking
            for text in texts
            if _mentions(text, tables)
            for m in _MAKES.finditer(text)
        }
        if made <= tables:
            break
        tables |= made
    return {
        id(node)
        for node, texts in asking
        if any(_mentions(t, tables) and not _MAKES.search(t) for t in texts)
    }


def _is_given(flow: Flow, scope: tuple[str, ...], node: ast.Call) -> bool:
    values = [*node.args, *(k.value for k in node.keywords)]
    values += [node.func.value] if isinstance(node.func, ast.Attribute) else []
    return any(flow.depends(scope, v) for v in values)


def _names(node: ast.Call) -> Iterator[str]:
    for given in [*node.args[:2], *(k.value for k in node.keywords)]:
        if isinstance(given, ast.Constant) and isinstance(given.value, str):
            yield given.value


def _mentions(text: str, tables: set[str]) -> bool:
    return any(re.search(rf"\b{re.escape(t)}\b", text, re.IGNORECASE) for t in tables)
