"""What libraries of models do that is no model: draws, arrays of one value, arithmetic."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from detectors.folding import dotted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from detectors.training.scopes import Tree

_NEUTRAL = re.compile(
    r"^(?:torch|tensorflow|jax|scipy|sklearn)(?:\.(?:numpy|random|nn|functional|math|stats|special|"
    r"utils|[a-z]\w*(?=\.rvs$)))*\.(?:"
    r"rand|randn|randint|randperm|rand_like|randn_like|normal|uniform|categorical|bernoulli|rvs|"
    r"truncated_normal|multinomial|zeros|ones|full|zeros_like|ones_like|full_like|empty|eye|arange|"
    r"linspace|range|tensor|as_tensor|from_numpy|constant|convert_to_tensor|array|cast|sigmoid|"
    r"softmax|expit|clip|clamp|clip_by_value|round|where|stack|cat|concat|concatenate|reshape|"
    r"float(?:16|32|64)?|int(?:32|64)?|long|bool|manual_seed|set_seed|set_random_seed|seed|no_grad|"
    r"Generator|PRNGKey|from_seed|device|shuffle|resample|check_random_state)$"
)
_LIBRARIES = frozenset({"torch", "tensorflow", "jax", "scipy", "sklearn"})


def neutral_names(tree: Tree, foreign: Mapping[str, str]) -> frozenset[int]:
    """Return the ids of names of libraries under what neither learns nor predicts.

    Parameters
    ----------
    foreign : mapping of str to str
        Names of libraries that may make values, with what they were taken from.
    """
    found: set[int] = set()
    for root, name in _uses(tree):
        source = foreign.get(root.id, "")
        whole = f"{source}{name[len(root.id) :]}".replace("torch.torch", "torch")
        if source.partition(".")[0] in _LIBRARIES and _NEUTRAL.match(whole):
            found.add(id(root))
    return frozenset(found)


def _uses(tree: Tree) -> Iterator[tuple[ast.Name, str]]:
    """Yield the names at the left of dotted ones, with these, longest first."""
    for _, node in tree.nodes:
        if isinstance(node, ast.Attribute | ast.Name):
            inner: ast.expr = node
            while isinstance(inner, ast.Attribute):
                inner = inner.value
            if isinstance(inner, ast.Name):
                yield inner, dotted(node)
