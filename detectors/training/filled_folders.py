"""Folders that code fills with files under labels, and what reads them again as data to learn."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from detectors.bounds import UNKNOWN
from detectors.training.flows import last_name

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator

    from detectors.training.flows import Flow
    from detectors.training.programs import Program

MIN_PARTS = 2  # of a folder that another path may share
_COPIES = re.compile(r"^(?:copy\w*|move|rename|replace|symlink|link|os_link)$")
_WRITES = re.compile(
    r"^(?:write_text|write_bytes|symlink_to|hardlink_to|imwrite|imsave|save|savez\w*|savetxt|"
    r"write_png|write_jpeg|save_image|dump|to_csv|to_json|to_parquet|open)$"
)
_NO_READER = re.compile(
    r"^(?:mkdir|makedirs|exists|is_dir|is_file|isdir|isfile|rmtree|unlink|remove|print|info|join|"
    r"Path|PurePath|chmod|touch|dirname|basename|abspath|resolve|format|str)$"
)


def folder_reads(program: Program, flow: Flow) -> set[int]:
    """Return the calls that read folders into which files were put by what flows into their names.

    ``shutil.copy(picture, work / label / name)`` makes ``ImageFolder(work)`` such a call. What is
    written there counts as well: ``Path(f"labels/{key}.txt").write_text(label)``.

    Parameters
    ----------
    flow : Flow
        Of the labels.
    """
    roots = set(_roots(program, flow))
    if not roots:
        return set()
    return {
        id(node)
        for _, node in program.code.tree.calls()
        if not _is_filling(last_name(node)) and not _NO_READER.match(last_name(node))
        if any(_meets(text, root) for text in program.texts(node) for root in roots)
    }


def _is_filling(name: str) -> bool:
    return bool(_COPIES.match(name) or _WRITES.match(name))


def _roots(program: Program, flow: Flow) -> Iterator[str]:
    """Yield the folders above the first part of a target's path that is not known."""
    for scope, node in program.code.tree.calls():
        name = last_name(node)
        if not _is_filling(name) or not _is_given(flow, scope, node):
            continue
        texts = program.texts(node)
        if _COPIES.match(name):
            texts = texts[1::2] if len(texts) % 2 == 0 else texts[-1:]
        for text in texts:
            root = posixpath.dirname(text.partition(UNKNOWN)[0])
            if UNKNOWN in text and root.strip("./~"):
                yield root


def _is_given(flow: Flow, scope: tuple[str, ...], node: ast.Call) -> bool:
    values: list[ast.AST] = [*node.args, *(k.value for k in node.keywords)]
    on = getattr(node.func, "value", None)
    return any(flow.depends(scope, v) for v in (*values, on))


def _meets(text: str, root: str) -> bool:
    """Say whether a path is a filled folder, lies in it, or beside it in a folder of both."""
    if "\n" in text or not text:
        return False
    path = text.rstrip("/")
    if path == root or path.startswith(f"{root}/"):
        return True
    above = posixpath.dirname(path) if "." in posixpath.basename(path) else path
    return above.strip("/").count("/") >= MIN_PARTS - 1 and root.startswith(f"{above}/")
