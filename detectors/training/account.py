"""Whether an attempt's code accounts for handing in one file under several seeds.

Only what is plain speaks against it: every model of the code is random and its randomness comes
from the seed or from nothing, or nothing is trained at all, or the figures it logs are drawn.
Everything else, an unknown library, another language, a deterministic model beside a random one,
accounts for it.
"""

from __future__ import annotations

import ast
import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from detectors.folding import dotted
from detectors.training import models
from detectors.training.figures import names_metric
from detectors.training.flows import last_name
from detectors.training.parsed import Shown, parsed
from detectors.training.scopes import Names
from detectors.units import code_units

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.attempt import Attempt
    from detectors.training.parsed import Code
    from detectors.training.scopes import Scope, Tree
    from detectors.units import CodeUnit

_SEED = re.compile(r"^(?:random_?)?seed$", re.IGNORECASE)
_ENVIRON = frozenset({"os.environ", "environ"})
_GETENV = frozenset({"os.getenv", "getenv", "os.environ.get", "environ.get", "os.environ.pop"})
_DRAWS = frozenset(
    {
        *("gauss", "normal", "uniform", "normalvariate", "rand", "randn", "standard_normal"),
        *("triangular", "betavariate", "expovariate", "exponential", "laplace", "lognormal"),
    }
)
_LOGS = re.compile(r"(?:^|\.)(?:print|say|log|info|debug|warning|write|writelines|echo|tell|emit)$")
_PICKS = frozenset(
    {
        *("choice", "choices", "permutation", "randint", "integers", "sample", "resample"),
        *("shuffle", "bootstrap"),
    }
)
_TEST = re.compile(r"(?:^|_)(?:x_?)?te?st|test|^T$|^X_?te$|sub", re.IGNORECASE)
_RUNS_OTHERS = re.compile(
    r"(?:^|\.)(?:system|popen|run|call|check_call|check_output|Popen|exec|eval|import_module|"
    r"glob|iglob|rglob|iterdir|listdir|walk|scandir)$"
)
_FROM_SEED = "with the seed"
_TRAINS = re.compile(r"(?:^|\.)(?:\w*fit\w*|train\w*|backward|minimize|lstsq|solve|step)$")
_PREDICTS = re.compile(rf"{_TRAINS.pattern}|predict|forward|(?:^|\.)load$")
_READS = re.compile(r"(?:^|\.)(?:read\w*|open|copy\w*|loadtxt|genfromtxt|reader|DictReader)$")
_WRITES = re.compile(r"(?:^|\.)(?:copy\w*|move|rename|replace|to_csv|write\w*|savetxt)$")


class Account(StrEnum):
    """What the code says about one file under several seeds."""

    SETTLED = "the code may give one file whatever the seed"
    VARIES = "whatever the code trains is random and drawn anew for each seed"
    READY_MADE = "the code trains nothing and hands in what it has ready"
    DRAWN = "the code draws the figures that it logs"


class Accounted(NamedTuple):
    """What an attempt's code says, and where.

    Parameters
    ----------
    is_seeded : bool
        Whether randomness is tied to the attempt's seed somewhere, so that another's run with the
        same seed could give the same file.
    """

    account: Account
    places: tuple[Shown, ...] = ()
    is_seeded: bool = True


def accounted(attempt: Attempt) -> Accounted:
    """Say whether the code of an attempt accounts for a file that other seeds gave too."""
    try:
        return _accounted(attempt)
    except RecursionError:  # nested more deeply than anyone writes: not followed
        return Accounted(Account.SETTLED)


def _accounted(attempt: Attempt) -> Accounted:
    units = list(code_units(attempt.code))
    code = parsed(units)
    if code is None:
        return Accounted(Account.SETTLED)
    seeded = Names(code.tree, _SeedSource(code.tree, units)).follow()
    drawn = [] if models.trains_network(code.tree) else list(_drawn_figures(code))
    if drawn:
        first = next(c for _, c in code.tree.calls() if _is_draw(c))
        return Accounted(Account.DRAWN, (drawn[0], code.shown(first, "draws"), *drawn[1:]))
    varying = _varying(code, seeded)
    if varying:
        is_seeded = models.global_seeds(code.tree, seeded)[1] or any(
            _FROM_SEED in place.shows for place in varying
        )
        return Accounted(Account.VARIES, tuple(varying), is_seeded)
    ready = _ready_made(code)
    return Accounted(Account.READY_MADE, (ready,)) if ready else Accounted(Account.SETTLED)


class _SeedSource:
    """Says whether a node is the seed: the variable SEED, or an option that is given it."""

    def __init__(self, tree: Tree, units: list[CodeUnit]) -> None:
        handed = any(
            u.language == "shell" and re.search(r"\$\{?SEED\b", u.text) is not None for u in units
        )
        self.options: set[str] = set()
        for _, node in tree.calls():
            if not dotted(node.func).endswith("add_argument"):
                continue
            flags = [a.value for a in node.args if isinstance(a, ast.Constant)]
            names = {str(f).lstrip("-").replace("-", "_") for f in flags}
            default = next((k.value for k in node.keywords if k.arg == "default"), None)
            of_seed = handed or any(self._is_variable(n) for n in ast.walk(default or node))
            self.options |= {n for n in names if of_seed and _SEED.match(n)}

    def __call__(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Attribute):
            return node.attr in self.options
        return self._is_variable(node)

    @staticmethod
    def _is_variable(node: ast.AST) -> bool:
        if isinstance(node, ast.Subscript) and dotted(node.value) in _ENVIRON:
            key: ast.AST = node.slice
        elif isinstance(node, ast.Call) and dotted(node.func) in _GETENV and node.args:
            key = node.args[0]
        else:
            return False
        return isinstance(key, ast.Constant) and key.value == "SEED"


# ---------------------------------------------------------------- figures that are drawn


def _is_draw(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and last_name(node) in _DRAWS


def _drawn_figures(code: Code) -> Iterator[Shown]:
    """Yield the lines that log a drawn number under the name of a metric."""
    drawn = Names(code.tree, _is_draw, through_calls=False).follow()
    for scope, call in code.tree.calls():
        if _LOGS.search(dotted(call.func)):
            texts = [a for a in call.args if isinstance(a, ast.JoinedStr | ast.BinOp)]
            for text in texts:
                yield from _drawn_in(code, drawn, scope, text)


def _drawn_in(code: Code, drawn: Names, scope: Scope, node: ast.AST) -> Iterator[Shown]:
    for text in [n for n in ast.walk(node) if isinstance(n, ast.JoinedStr)]:
        before = ""
        for part in text.values:
            if isinstance(part, ast.Constant):
                before = str(part.value)
            elif isinstance(part, ast.FormattedValue):
                if names_metric(before) and drawn.depends(scope, part.value):
                    shows = f"logs a number under {before.strip()!r} that is drawn, not measured"
                    yield code.shown(text, shows)
                    return
                before = ""


# ---------------------------------------------------------------- models that follow the seed


def _varying(code: Code, seeded: Names) -> list[Shown]:
    """Return the places of random models, when every model of the code follows the seed."""
    found = models.models_in(code.tree)
    if found is None:
        return []
    is_fixed, _ = models.global_seeds(code.tree, seeded)
    places = []
    for scope, node, kind, seed in found:
        unseeded = seed is None or (isinstance(seed, ast.Constant) and seed.value is None)
        follows = (not is_fixed) if unseeded else seeded.depends(scope, seed)
        if kind is models.Kind.RANDOM and follows:
            how = "is given no seed" if unseeded else f"has its randomness {_FROM_SEED}"
            places.append(code.shown(node, f"a random model that {how}"))
        else:
            return _drawn_rows(code, seeded)
    return places or _drawn_rows(code, seeded)


def _drawn_rows(code: Code, seeded: Names) -> list[Shown]:
    """Return a loop that trains on rows drawn with the seed, if all predictions come of such."""
    inside: set[int] = set()
    loops = []
    for scope, node in code.tree.nodes:
        if isinstance(node, ast.For) and _draws_rows(scope, node, seeded):
            below = list(ast.walk(node))
            if any(_fits(n) for n in below) and any(_predicts_test(n) for n in below):
                inside |= {id(n) for n in below}
                loops.append(node)
    all_inside = all(id(n) in inside for _, n in code.tree.calls() if _predicts_test(n))
    if not loops or not all_inside:
        return []
    shows = f"trains on rows that are drawn {_FROM_SEED}"
    return [code.shown(loop, shows) for loop in loops[:1]]


def _draws_rows(scope: Scope, loop: ast.For, seeded: Names) -> bool:
    if seeded.depends(scope, loop.iter):
        return any(dotted(n.func).endswith("split") for n in _calls_below(loop.iter))
    return any(last_name(n) in _PICKS and seeded.depends(scope, n) for n in _calls_below(loop))


def _calls_below(node: ast.AST) -> list[ast.Call]:
    return [n for n in ast.walk(node) if isinstance(n, ast.Call)]


def _fits(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and bool(
        re.search(r"fit$|train$", getattr(node.func, "attr", ""))
    )


def _predicts_test(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    name = last_name(node)
    given = [n.id for a in node.args for n in ast.walk(a) if isinstance(n, ast.Name)]
    return name.startswith("predict") and any(_TEST.search(g) for g in given)


# ---------------------------------------------------------------- nothing is trained


def _ready_made(code: Code) -> Shown | None:
    """Return the place that hands in what is ready, when no code trains or reads what to learn."""
    words = _words(code)
    if _does_more(code, _TRAINS) or "train" in words or "sample" in words:
        return None
    return _last_write(code, "hands in what was ready; no code here trains")


def handed_through(attempt: Attempt) -> Shown | None:
    """Return the place where an attempt's code writes values that it has only read.

    Nothing in the code trains, predicts, runs other code, or reads the rows to train on or to
    predict, so that all it can do with the values is mix, scale and copy them. None where that is
    not plain.
    """
    try:
        code = parsed(code_units(attempt.code))
    except RecursionError:
        return None
    words = _words(code) if code else ""
    if code is None or "train" in words or "test" in words or _does_more(code, _PREDICTS):
        return None
    if not any(_READS.search(name) for _, name in _named_calls(code)):
        return None
    return _last_write(code, "writes what was read; no code here trains or predicts")


def _words(code: Code) -> str:
    texts = [n.value for _, n in code.tree.nodes if isinstance(n, ast.Constant)]
    return " ".join(t for t in texts if isinstance(t, str)).lower()


def _named_calls(code: Code) -> list[tuple[ast.Call, str]]:
    return [(c, dotted(c.func) or getattr(c.func, "attr", "")) for _, c in code.tree.calls()]


def _does_more(code: Code, pattern: re.Pattern[str]) -> bool:
    """Say whether code calls what a pattern names, runs other code, or uses further libraries."""
    named = any(pattern.search(n) or _RUNS_OTHERS.search(n) for _, n in _named_calls(code))
    return named or not models.imports(code.tree) <= models.PLAIN


def _last_write(code: Code, shows: str) -> Shown | None:
    last = next((c for c, n in _named_calls(code) if _WRITES.search(n)), None)
    return code.shown(last, shows) if last else None
