"""Disguises that leave the structure alone: comments, layout, values, names of libraries."""

from __future__ import annotations

import ast
import io
import math
import re
import tokenize
from typing import TYPE_CHECKING

from tests.quality.plagiarism.code import MARK, Code, Edit, parse, rendered

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

_WRAP = 60
_SWAPS = (
    ("XGBClassifier", "LGBMClassifier"),
    ("XGBRegressor", "LGBMRegressor"),
    ("xgboost", "lightgbm"),
    ("xgb", "lgb"),
    ("RandomForestClassifier", "ExtraTreesClassifier"),
    ("RandomForestRegressor", "ExtraTreesRegressor"),
    ("GradientBoostingClassifier", "HistGradientBoostingClassifier"),
    ("GradientBoostingRegressor", "HistGradientBoostingRegressor"),
    ("LogisticRegression", "SGDClassifier"),
    ("LinearRegression", "Ridge"),
    ("Lasso", "ElasticNet"),
    ("StandardScaler", "RobustScaler"),
    ("MinMaxScaler", "MaxAbsScaler"),
    ("LabelEncoder", "OrdinalEncoder"),
    ("KFold", "ShuffleSplit"),
    ("StratifiedKFold", "StratifiedShuffleSplit"),
    ("TfidfVectorizer", "CountVectorizer"),
    ("PCA", "TruncatedSVD"),
    ("GridSearchCV", "RandomizedSearchCV"),
    ("cross_validation", "model_selection"),
    ("keras", "tensorflow.keras"),
    ("LSTM", "GRU"),
    ("Adam", "RMSprop"),
    ("MaxPooling2D", "AveragePooling2D"),
    ("ImageDataGenerator", "ImageSequence"),
    ("countplot", "histplot"),
    ("distplot", "kdeplot"),
    ("boxplot", "violinplot"),
    ("num_boost_round", "n_estimators"),
    ("DMatrix", "Dataset"),
    ("eta", "learning_rate"),
    ("colsample_bytree", "feature_fraction"),
    ("subsample", "bagging_fraction"),
    ("nltk", "spacy"),
    ("cv2", "imageio"),
    ("pandas", "polars"),
    ("pd", "pl"),
    ("read_csv", "scan_csv"),
    ("matplotlib", "plotnine"),
    ("np", "jnp"),
    ("numpy", "jax.numpy"),
)


def _docstrings(tree: ast.Module) -> Iterator[tuple[list[ast.stmt], ast.stmt]]:
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if not isinstance(body, list) or not isinstance(
            node, ast.Module | ast.ClassDef | ast.FunctionDef
        ):
            continue
        for statement in body:
            value = getattr(statement, "value", None)
            if (
                isinstance(statement, ast.Expr)
                and isinstance(value, ast.Constant)
                and isinstance(value.value, str)
            ):
                yield body, statement


def comments_stripped(text: str, rng: Random) -> str:
    """Remove comments, docstrings and empty lines."""
    code = Code(text)
    edits = []
    for body, node in _docstrings(code.tree):
        if code.stands_alone(node):
            edits.append(Edit(code.start(node), code.end(node), "pass" if len(body) == 1 else ""))
    lines = code.edited([*edits, *_comments(code)]).split("\n")
    inside = _inside_strings("\n".join(lines))
    kept = [n for n, line in enumerate(lines, start=1) if line.strip() or n in inside]
    return "\n".join(lines[n - 1] if n in inside else lines[n - 1].rstrip() for n in kept) + "\n"


def _comments(code: Code) -> Iterator[Edit]:
    for token in tokenize.generate_tokens(io.StringIO(code.text).readline):
        if token.type == tokenize.COMMENT and token.string != MARK:
            line, column = token.start
            at = code._starts[line - 1] + len(token.line[:column].encode())
            yield Edit(at, at + len(token.string.encode()), "")


def _inside_strings(text: str) -> set[int]:
    """Return the lines that stand within a string of several lines, its last one apart."""
    found: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.STRING:
            found.update(range(token.start[0], token.end[0]))
    return found


def reformatted(text: str, rng: Random) -> str:
    """Lay every simple statement out anew, long calls with an argument a line; comments stay."""
    code = Code(text)
    simple = [n for n in ast.walk(code.tree) if _is_simple(n) and code.stands_alone(n)]  # type: ignore[arg-type]
    edits = [Edit(code.start(n), code.end(n), _laid_out(n, code.indent(n))) for n in simple]  # type: ignore[arg-type]
    spaced = code.edited(edits)
    return re.sub(r"\n(?=(?:def|class) )", "\n\n", spaced)


def _is_simple(node: ast.AST) -> bool:
    inside_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return isinstance(node, ast.Assign | ast.AugAssign | ast.Expr | ast.Return) and not inside_text


def _laid_out(node: ast.stmt, indent: str) -> str:
    text = rendered([node], indent)
    value = getattr(node, "value", None)
    if not isinstance(value, ast.Call) or len(indent) + len(text) <= _WRAP or "\n" in text:
        return text
    arguments = [*map(ast.unparse, value.args), *(ast.unparse(k) for k in value.keywords)]
    inner = ast.unparse(ast.Call(func=value.func, args=[], keywords=[]))
    head = text[: len(text) - len(ast.unparse(value))] + inner[:-1]
    if len(arguments) < 2 or any(isinstance(a, ast.GeneratorExp) for a in value.args):
        return text
    rows = "".join(f"{indent}    {a},\n" for a in arguments)
    return f"{head}\n{rows}{indent})"


def literals(text: str, rng: Random) -> str:
    """Change numbers, messages, titles and paths; names of columns stay."""
    code = Code(text)
    fixed = {
        id(n)
        for s in ast.walk(code.tree)
        if isinstance(s, ast.Subscript | ast.JoinedStr)
        for n in ast.walk(s.slice if isinstance(s, ast.Subscript) else s)
    }
    edits = []
    for node in ast.walk(code.tree):
        if isinstance(node, ast.Constant) and id(node) not in fixed:
            new = _other_value(node.value, rng)
            if new is not None and code.segment(node)[:1] not in "bru":
                edits.append(Edit(code.start(node), code.end(node), new))
    return code.edited(edits)


def _other_value(value: object, rng: Random) -> str | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int) and value > 2:
        return str(max(3, round(value * rng.uniform(0.7, 1.4)) + rng.choice((0, 1))))
    if isinstance(value, float) and math.isfinite(value) and value:
        return repr(float(f"{value * rng.uniform(0.7, 1.4):.3g}"))
    if isinstance(value, str) and (" " in value or "/" in value) and "\n" not in value:
        if any(c in value for c in "%{}\\<>"):
            return None
        words = value.split(" ")
        rng.shuffle(words)
        return repr(" ".join([*words, rng.choice(("now", "v2", "here", "done"))]))
    return None


def library_swap(text: str, rng: Random) -> str:
    """Use sibling libraries, estimators and parameters: xgboost for lightgbm, and so on."""
    both = {**dict(_SWAPS), **{b: a for a, b in _SWAPS if a[0].isupper()}}
    both.update({"lightgbm": "xgboost", "lgb": "xgb", "model_selection": "model_selection"})
    code = Code(text)
    edits = []
    for node in ast.walk(code.tree):
        if isinstance(node, ast.Name) and node.id in both:
            edits.append(Edit(code.start(node), code.end(node), both[node.id]))
        elif isinstance(node, ast.Attribute) and node.attr in both:
            at = code.end(node)
            edits.append(Edit(at - len(node.attr.encode()), at, both[node.attr]))
        elif isinstance(node, ast.keyword) and node.arg in both:
            at = code.start(node)  # type: ignore[arg-type]
            edits.append(Edit(at, at + len(node.arg.encode()), both[node.arg]))
        elif isinstance(node, ast.Import | ast.ImportFrom) and code.stands_alone(node):
            new = re.sub(r"\w+", lambda m: both.get(m[0], m[0]), ast.unparse(node))
            new = re.sub(r"( as )(\w+)\.\w+$", r"\1\2", new)
            edits.append(Edit(code.start(node), code.end(node), new))
    changed = code.edited(sorted(edits, key=lambda e: e.end - e.start))
    return changed if _still_parses(changed) else text


def _still_parses(text: str) -> bool:
    try:
        parse(text)
    except SyntaxError:
        return False
    return True
