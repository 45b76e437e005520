"""Models in name alone: a baseline that draws labels, and a network that nothing trains."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from detectors.training.flows import Flow, last_name
from detectors.training.writes import name_of

if TYPE_CHECKING:
    from detectors.training.programs import Program

_NETWORKS = frozenset({"torch", "torchvision", "tensorflow", "keras", "jax", "flax", "timm"})
_LEARNS = re.compile(
    r"(?:fit\w*|\w*train\w*|backward|step|minimize|apply_gradients|grad\w*|value_and_grad|load\w*|"
    r"restore\w*|from_pretrained|pipeline|system|run|exec|eval|import_module|lstsq|solve|inverse|pinv)$"
)
_BUILDS = re.compile(
    r"^(?:Linear|Dense|Conv\w*|Sequential|Embedding|LSTM|GRU|create_model|Module)$"
)
_ZOOS = re.compile(
    r"^(?:torchvision(?:\.\w+)*\.models|models|timm(?:\.\w+)*|(?:tensorflow\.|tf\.)?keras(?:\.\w+)*\.applications)"
    r"(?:\.\w+)*\.\w+$"
)
_KEPT = re.compile(r"\.(?:pt|pth|ckpt|h5|keras|safetensors|bin|onnx|npz|pkl)\b", re.IGNORECASE)
_CALLED_UNSEEN = frozenset({"forward", "call", "training_step", "configure_optimizers"})
_WITHOUT = frozenset({"no_grad", "set_grad_enabled", "requires_grad_", "zero_grad"})
_MODES = frozenset({"train", "eval"})  # of a network: they switch and teach nothing


def untrained(program: Program) -> ast.AST | None:
    """Return where a network is built that nothing trains or loads, though it is handed in."""
    libraries = {name.partition(".")[0] for name in program.foreign.values()}
    if not libraries or not libraries <= _NETWORKS:
        return None
    built: ast.AST | None = None
    idle = _never_called(program)
    for scope, node in program.code.tree.nodes:
        if idle & {*scope}:
            continue
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and _KEPT.search(text):
            return None
        if not isinstance(node, ast.Call):
            continue
        name = last_name(node)
        is_switch = name in _MODES and isinstance(node.func, ast.Attribute) and len(node.args) <= 1
        is_switch = is_switch or name in _WITHOUT
        if (_LEARNS.search(name) and not is_switch) or _is_pretrained(node):
            return None
        if built is None and (_BUILDS.match(name) or _is_known_network(program, node)):
            built = node
    return built


def _never_called(program: Program) -> frozenset[str]:
    """Return the names of functions that nothing in the program calls or hands on."""
    nodes = [node for _, node in program.code.tree.nodes]
    named = {n.id for n in nodes if isinstance(n, ast.Name)}
    named |= {n.attr for n in nodes if isinstance(n, ast.Attribute)}
    made = {n.name for n in nodes if isinstance(n, ast.FunctionDef) and not n.decorator_list}
    return frozenset(n for n in made - named if n not in _CALLED_UNSEEN and not n.startswith("__"))


def _is_known_network(program: Program, node: ast.Call) -> bool:
    """Say whether a call builds a network of a library that has many: ``resnet18()``."""
    root, _, rest = name_of(node).partition(".")
    source = program.foreign.get(root, "")
    return bool(_ZOOS.match(f"{source}.{rest}" if rest else source))


def _is_pretrained(node: ast.Call) -> bool:
    """Say whether a call is given weights that somebody trained, or takes them if not told."""
    given = {k.arg: k.value for k in node.keywords if k.arg}
    if "applications" in name_of(node).split(".") and "weights" not in given:
        return True
    for name in ("pretrained", "weights", "checkpoint", "checkpoint_path"):
        value = given.get(name)
        if value is not None and not (isinstance(value, ast.Constant) and not value.value):
            return True
    return False


def dummy_alone(program: Program) -> ast.AST | None:
    """Return a baseline that draws labels, where no other model is handed in."""
    tree = program.code.tree
    names = {n for n, module in program.foreign.items() if module.startswith("sklearn.dummy")}
    if not names:
        return None
    drawn = {id(node): node for _, node in tree.calls() if _is_drawing(node, names)}
    if not drawn:
        return None
    dummies = Flow(tree, lambda n: id(n) in drawn)
    others = {
        id(node)
        for scope, node in tree.nodes
        if program.is_made(node) and not dummies.depends(scope, node)
        if not (isinstance(node, ast.Name) and node.id in names)
    }
    is_other = program.depends(program.flow(lambda n: id(n) in others))
    is_handed_in = program.depends(dummies) is not None
    return next(iter(drawn.values())) if is_handed_in and is_other is None else None


def _is_drawing(node: ast.Call, names: set[str]) -> bool:
    if last_name(node) not in names:
        return False
    given = [*node.args, *(k.value for k in node.keywords if k.arg == "strategy")]
    return any(isinstance(a, ast.Constant) and a.value in {"stratified", "uniform"} for a in given)
