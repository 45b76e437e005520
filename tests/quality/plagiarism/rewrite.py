"""A rewrite in the manner of a language model, by rules: functions, hints, docstrings."""

from __future__ import annotations

import ast
import re
from collections import Counter
from typing import TYPE_CHECKING

from tests.quality.plagiarism.code import (
    FUNCTIONS,
    Code,
    Edit,
    cells,
    n_lines,
    names_in,
    parse,
    rewritten_with,
)
from tests.quality.plagiarism.flow import control_flow
from tests.quality.plagiarism.naming import fresh_names, renamed
from tests.quality.plagiarism.order import statements_reordered
from tests.quality.plagiarism.rephrase import rephrased
from tests.quality.plagiarism.structure import with_steps
from tests.quality.plagiarism.surface import comments_stripped, reformatted

if TYPE_CHECKING:
    from random import Random

    from tests.quality.plagiarism.structure import Step

_TASKS = (
    ("read_csv", ("load_data", "read_inputs"), "Load the input files"),
    (r"\.fit\(|\.train\(", ("fit_model", "train_model"), "Train the model"),
    (r"predict", ("make_predictions", "predict_test"), "Predict the target"),
    (r"to_csv", ("write_submission", "save_submission"), "Write the submission file"),
    (r"plt\.|sns\.|\.plot\(", ("plot_overview", "show_distribution"), "Visualise the data"),
    (r"fillna|dropna|isnull", ("clean_missing", "handle_missing"), "Handle missing values"),
    (r"groupby|merge|map\(|apply\(", ("build_features", "add_features"), "Engineer the features"),
    (r"print|head\(|describe", ("inspect_data", "report_summary"), "Report a summary"),
    ("", ("prepare_step", "process_stage"), "Run this stage of the pipeline"),
)
_NOTES = (
    "Keep the original data untouched",
    "This step can be tuned later",
    "Guard against unexpected values",
    "Fixed for reproducibility",
    "Collect the intermediate results",
    "See the helper above for details",
)


def rewritten(text: str, rng: Random) -> str:
    """Restructure a text as an assistant would when it is told to make it its own.

    Old comments go; conditions, loops and expressions are said in other words; runs of statements
    become documented functions; formatted text becomes f-strings; functions get type hints; imports
    are sorted to the top; all is renamed, reordered where nothing depends on it, and laid out anew.
    """
    text = comments_stripped(_one_script(text), rng)
    text = rewritten_with(text, _FStrings())
    text = rephrased(control_flow(text, rng), rng)
    text = renamed(statements_reordered(text, rng), rng)
    text = _into_functions(text, rng)
    text = _hinted(reformatted(text, rng))
    return _with_notes(_imports_first(text), rng)


def _one_script(text: str) -> str:
    return "\n\n".join(cells(text)) + "\n"


def _into_functions(text: str, rng: Random) -> str:
    spare = fresh_names(rng, names_in(parse(text)))
    used: Counter[str] = Counter(names_in(parse(text)))

    def task(step: Step) -> tuple[tuple[str, ...], str]:
        body = "".join(c.text for c in step.chunks)
        return next((names, told) for pattern, names, told in _TASKS if re.search(pattern, body))

    def name_of(step: Step) -> str:
        name = rng.choice(task(step)[0])
        used[name] += 1
        number = used[name]
        return name if number == 1 else f"{name}_{next(spare)}"

    def head_of(name: str, step: Step) -> str:
        hints = ", ".join(f"{i}: Any" for i in step.inputs)
        kind = "None" if not step.outputs else "Any" if len(step.outputs) == 1 else "tuple"
        return f'def {name}({hints}) -> {kind}:\n    """{task(step)[1]}."""\n'

    return "from typing import Any\n\n" + with_steps(text, rng, name_of, head_of)


class _FStrings(ast.NodeTransformer):
    """`%` and `format` with plain names become f-strings."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format"),
                args=args,
                keywords=[],
            ) if text.count("{}") == len(args) == text.count("{") == text.count("}"):
                return _filled(text.split("{}"), args) or node
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod(), right=right):
                args = right.elts if isinstance(right, ast.Tuple) else [right]
                if text.count("%s") == text.count("%") == len(args) and isinstance(
                    right, ast.Tuple
                ):
                    return _filled(text.split("%s"), args) or node
            case _:
                pass
        return node


def _filled(parts: list[str], args: list[ast.expr]) -> ast.JoinedStr | None:
    simple = (ast.Name, ast.Attribute, ast.Subscript)
    quoted = any(isinstance(n, ast.Constant | ast.Starred) for a in args for n in ast.walk(a))
    if quoted or not all(isinstance(a, simple) for a in args):
        return None
    values: list[ast.expr] = [ast.Constant(parts[0])] if parts[0] else []
    for arg, text in zip(args, parts[1:], strict=True):
        values.append(ast.FormattedValue(arg, -1, None))
        values += [ast.Constant(text)] if text else []
    return ast.JoinedStr(values)


def _hinted(text: str) -> str:
    """Give the functions that were there before hints from their defaults, and a docstring."""
    code = Code(text)
    edits = []
    for node in ast.walk(code.tree):
        if not isinstance(node, FUNCTIONS) or ast.get_docstring(node) is not None:
            continue
        plain = node.args.args[: len(node.args.args) - len(node.args.defaults)]
        edits += [
            Edit(code.end(a), code.end(a), ": Any")
            for a in plain
            if a.annotation is None and a.arg not in {"self", "cls"}
        ]
        first = node.body[0]
        if code.stands_alone(first):
            words = node.name.strip("_").replace("_", " ")
            told = f'"""Compute the {words}."""\n{code.indent(first)}'
            edits.append(Edit(code.start(first), code.start(first), told))
    return code.edited(edits)


def _imports_first(text: str) -> str:
    code = Code(text)
    found = [n for n in code.tree.body if isinstance(n, ast.Import | ast.ImportFrom)]
    found = [n for n in found if code.stands_alone(n)]
    future = [n for n in found if isinstance(n, ast.ImportFrom) and n.module == "__future__"]
    rest = code.edited(Edit(code.start(n), code.end(n), "") for n in found)
    lines = [*map(ast.unparse, future), *sorted({ast.unparse(n) for n in found if n not in future})]
    body = re.sub(r"\n{3,}", "\n\n", rest).strip("\n")
    return "\n".join(lines) + f"\n\n\n{body}\n"


def _with_notes(text: str, rng: Random) -> str:
    """Put comments above a tenth of the top-level statements."""
    code = Code(text)
    edits = [
        Edit(code.start(n), code.start(n), f"# {rng.choice(_NOTES)}.\n")
        for n in code.tree.body
        if code.stands_alone(n) and rng.random() < 0.1
    ]
    assert n_lines(text)
    return code.edited(edits)
