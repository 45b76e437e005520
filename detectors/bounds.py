"""What folding may cost: known names with a budget of steps, and values that stay small."""

from __future__ import annotations

from typing import Any

UNKNOWN = "\ufffc"  # stands for the part of a string that is not known
MAX_STRING = 4096
MAX_ELEMENTS = 64
MAX_UNROLLED = 512  # elements of a comprehension
MAX_STEPS = 1_000_000  # expressions evaluated for one unit of code
MAX_EXPRESSION_STEPS = 5000  # one that takes more to evaluate is not known
MAX_BITS = 4096  # of an integer
MAX_WEIGHT = 4096  # elements below a list
CHARACTERS_PER_STEP = 64  # what it costs to build a long text
ELEMENTS_PER_STEP = 8


class Unfoldable(Exception):  # noqa: N818 - control flow between this module and `folding`
    """The value is not known."""


class Env(dict[str, Any]):
    """Known names and their values; copies share what may still be spent.

    Parameters
    ----------
    budget : list of int, length 1
        Steps left for the whole unit of code.
    steps : list of int, length 1
        Steps left for the expression that is being evaluated.
    """

    def __init__(
        self,
        names: dict[str, Any] | None = None,
        budget: list[int] | None = None,
        steps: list[int] | None = None,
    ) -> None:
        super().__init__(names or {})
        self.budget = budget if budget is not None else [MAX_STEPS]
        self.steps = steps if steps is not None else [MAX_EXPRESSION_STEPS]

    def copy(self) -> Env:
        """Copy the names; budget and steps stay the same ones."""
        return Env(self, self.budget, self.steps)

    @property
    def is_exhausted(self) -> bool:
        """Whether folding stopped early, so that a call may have been missed."""
        return self.budget[0] <= 0


def bounded(value: Any, env: Env) -> Any:  # noqa: ANN401
    """Cut what is long and refuse what is huge, so that no value costs more than its steps."""
    if isinstance(value, str | bytes):
        env.budget[0] -= len(value) // CHARACTERS_PER_STEP
        return value[:MAX_STRING]
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        raise Unfoldable
    if isinstance(value, list | dict):
        weight = _weight(value)
        env.budget[0] -= weight // ELEMENTS_PER_STEP
        if weight > MAX_WEIGHT:
            raise Unfoldable
    return value


def _weight(value: list[Any] | dict[Any, Any]) -> int:
    """Count the elements below a list or dict, shared ones as often as they are met."""
    weight, stack = 0, [value]
    while stack and weight <= MAX_WEIGHT:
        inner = stack.pop()
        for element in inner.values() if isinstance(inner, dict) else inner:
            weight += 1
            if isinstance(element, list | dict):
                stack.append(element)
            elif isinstance(element, str | bytes):
                weight += len(element) // CHARACTERS_PER_STEP
    return weight
