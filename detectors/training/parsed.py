"""Python of an attempt, parsed together, with the places at which its nodes stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from detectors.parsing import parse_leniently
from detectors.training.ordered import set_apart
from detectors.training.scopes import Tree

if TYPE_CHECKING:
    import ast
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
    units: Iterable[CodeUnit], *, is_lenient: bool = False, is_ordered: bool = False
) -> Code | None:
    """Parse all Python; None where a part is another language or does not parse whole.

    Parameters
    ----------
    is_lenient : bool
        Take the parts that parse.
    is_ordered : bool
        Tell names of straight code apart by what they were set to last, cells of a notebook in
        their order; texts stay as they are.
    """
    tree, whose = Tree(), {}
    cells: dict[str, list[tuple[CodeUnit, list[ast.stmt]]]] = {}
    for unit in units:
        if unit.language == "other" and not is_lenient:
            return None
        if unit.language == "python":
            body, is_whole = parse_leniently(unit.text, "" if is_ordered else unit.path)
            if not is_whole and not is_lenient:
                return None
            if is_ordered:
                file = unit.path.partition("#")[0]
                cells.setdefault(file, []).append((unit, body))
                continue
            before = len(tree.nodes)
            tree.add(body)
            whose.update({id(node): unit for _, node in tree.nodes[before:]})
    for parts in cells.values():
        together = set_apart([statement for _, body in parts for statement in body])
        for unit, body in parts:
            before = len(tree.nodes)
            tree.add(together[: len(body)])
            del together[: len(body)]
            whose.update({id(node): unit for _, node in tree.nodes[before:]})
    is_seen = tree.is_whole or is_lenient
    return Code(tree, whose) if is_seen and tree.nodes else None
