"""Python of an attempt, parsed together, with the places at which its nodes stand."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from detectors.parsing import parse_leniently
from detectors.training.only_shown import leave_out_shown
from detectors.training.ordered import set_apart
from detectors.training.scopes import Tree
from detectors.training.straight import straightened

if TYPE_CHECKING:
    from collections.abc import Iterable

    from detectors.units import CodeUnit

MAX_EXCERPT = 600  # characters


class Shown(NamedTuple):
    """A place in the code that shows it."""

    path: str
    first_line: int
    last_line: int
    excerpt: str
    shows: str


class Code(NamedTuple):
    """Parsed Python of an attempt; nodes are told apart by the unit they come from."""

    tree: Tree
    units: dict[int, CodeUnit]  # id of a node -> its unit

    def shown(self, node: ast.AST, shows: str) -> Shown:
        """Return the place of a node, with its lines."""
        unit = self.units[id(node)]
        first = node.lineno  # type: ignore[attr-defined]
        last = getattr(node, "end_lineno", None) or first
        lines = unit.text.split("\n")[first - 1 : last]
        offset = unit.first_line - 1
        excerpt = "\n".join(lines)[:MAX_EXCERPT]
        return Shown(unit.path, first + offset, last + offset, excerpt, shows)


def parsed(
    units: Iterable[CodeUnit],
    *,
    is_lenient: bool = False,
    printed: str | None = None,
    command: str = "",
) -> Code | None:
    """Parse all Python; None where a part is another language or does not parse whole.

    Parameters
    ----------
    is_lenient : bool
        Take the parts that parse.
    printed : str or None
        What a run of it printed, which tells what of it ran. Names of straight code are told apart
        by what they were set to last, cells of a notebook in their order; texts stay as they are.
        None leaves all as it stands.
    command : str
        What ran it, whose options and variables tell so, too.
    """
    tree, whose = Tree(), {}
    cells: dict[str, list[tuple[CodeUnit, list[ast.stmt]]]] = {}
    for unit in units:
        if unit.language == "other" and not is_lenient:
            return None
        if unit.language == "python":
            body, is_whole = parse_leniently(unit.text, unit.path if printed is None else "")
            if not is_whole and not is_lenient:
                return None
            if printed is not None:
                file = unit.path.partition("#")[0]
                cells.setdefault(file, []).append((unit, body))
                continue
            before = len(tree.nodes)
            tree.add(body)
            whose.update({id(node): unit for _, node in tree.nodes[before:]})
    modules = [_imports(body) for parts in cells.values() for _, body in parts]
    straight: list[tuple[CodeUnit, dict[int, CodeUnit], list[ast.stmt]]] = []
    for parts in cells.values():
        whole = [statement for _, body in parts for statement in body]
        owner = {id(node): unit for unit, body in parts for s in body for node in ast.walk(s)}
        is_main = not any(parts[0][0].module in imported for imported in modules)
        block = straightened(whole, printed or "", is_main=is_main, command=command)
        straight.append((parts[0][0], owner, set_apart(block)))
    leave_out_shown([block for _, _, block in straight])
    for first, owner, block in straight:
        before = len(tree.nodes)
        tree.add(block)
        last = first
        for _, node in tree.nodes[before:]:
            last = owner.get(id(node), last)  # what was put in stands beside what it came of
            whose[id(node)] = last
    is_seen = tree.is_whole or is_lenient
    return Code(tree, whose) if is_seen and tree.nodes else None


def _imports(body: list[ast.stmt]) -> set[str]:
    """Return the last names of the modules that some statements import."""
    found: set[str] = set()
    for node in (n for s in body for n in ast.walk(s)):
        if isinstance(node, ast.Import):
            found |= {a.name.rpartition(".")[2] for a in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {(node.module or "").rpartition(".")[2], *(a.name for a in node.names)}
    return found
