"""Logits of a few positions at a time, and what the scores need of them.

The head is where memory goes: all positions of a window at a vocabulary of 262,144 are a gigabyte
in float32, and every step of a softmax one more. Here the body of the model runs once, and the
head over a few hundred positions at a time.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torch import Tensor
    from transformers import PreTrainedModel

_HEAD_ELEMENTS = 1 << 24  # logits at once: 64 MiB in float32
_BLOCK_ELEMENTS = (
    1 << 20
)  # of which statistics are made at once: they stay in the processor's cache
_FLOOR = -1e4  # where a model forbids a token with -inf: exp() of it is 0, and its square finite
_TOLERANCE = 1e-3  # of the largest logit, between the head alone and the whole model
_PROBE = 8  # tokens


class Statistics(NamedTuple):
    """Of one position each; ``mean``, ``deviation`` and ``rank`` may be None."""

    log_probability: Tensor
    mean: Tensor | None
    deviation: Tensor | None
    rank: Tensor | None


def statistics(logits: Tensor, targets: Tensor, *, full: bool) -> Statistics:
    """Return log-probabilities of the targets, in float32; if `full`, the distribution's moments.

    Parameters
    ----------
    logits : Tensor of shape (n, vocabulary)
        Overwritten where it is float32.
    targets : Tensor of int, shape (n,)
    """
    import torch

    blocks = []
    rows = max(1, _BLOCK_ELEMENTS // logits.shape[-1])
    for block, wanted in zip(logits.split(rows), targets.split(rows), strict=True):
        blocks.append(_of_block(block.float(), wanted[:, None], full=full))
    columns = zip(*blocks, strict=True)
    return Statistics(*(None if c[0] is None else torch.cat(c) for c in columns))


def _of_block(logits: Tensor, targets: Tensor, *, full: bool) -> Statistics:
    shifted = logits.sub_(logits.amax(-1, keepdim=True))
    wanted = shifted.gather(-1, targets)
    rank = (shifted > wanted).sum(-1).add_(1) if full else None
    if not full:
        return Statistics(
            (wanted - shifted.exp_().sum(-1, keepdim=True).log_())[:, 0], None, None, None
        )
    weights = shifted.clamp_(min=_FLOOR).exp()
    total = weights.sum(-1)
    first = weights.mul_(shifted).sum(-1) / total
    second = weights.mul_(shifted).sum(-1) / total
    log_total = total.log()
    deviation = (second - first.square()).clamp_(min=0).sqrt_()
    return Statistics(wanted[:, 0] - log_total, first - log_total, deviation, rank)


@contextmanager
def _answering(body: PreTrainedModel, answer: object) -> Iterator[None]:
    """Let the body of a model give this answer, whatever it is asked."""
    own = body.__dict__.get("forward")
    body.forward = lambda *_, **__: answer
    try:
        yield
    finally:
        if own is None:
            del body.forward
        else:
            body.forward = own


def _head(model: PreTrainedModel, ids: Tensor, kind: type, hidden: Tensor) -> Tensor:
    """Run what the model does after its body: head, scaling, soft-capping."""
    with _answering(model.base_model, kind(last_hidden_state=hidden[None])):
        return model(input_ids=ids[:1], use_cache=False).logits[0]


def has_separate_head(model: PreTrainedModel) -> bool:
    """Say whether the head alone gives what the whole model gives, tried on eight tokens."""
    import torch

    body = model.base_model
    if body is model:
        return False
    size = model.config.get_text_config().vocab_size
    ids = torch.arange(1, _PROBE + 1, device=model.device)[None] % size
    with torch.inference_mode():
        whole = model(input_ids=ids, use_cache=False).logits[0]
        output = body(input_ids=ids, use_cache=False)
        alone = _head(model, ids, type(output), output.last_hidden_state[0])
    if alone.shape != whole.shape:
        return False
    return bool((alone - whole).abs().max() <= _TOLERANCE * whole.abs().max())


def logits_of(
    model: PreTrainedModel, ids: Tensor, rows: Tensor, *, separate: bool
) -> Iterator[tuple[slice, Tensor]]:
    """Yield logits of the wanted positions, some at a time, with the slice of `rows` they are of.

    Parameters
    ----------
    ids : Tensor of int, shape (n_windows, width)
        Padded on the right: what stands there changes nothing before it.
    rows : Tensor of int, shape (n, 2)
        Window and position of each wanted row, windows in order.
    separate : bool
        What `has_separate_head` says; otherwise windows go through the whole model one by one.
    """
    if not separate:
        yield from _whole(model, ids, rows)
        return
    output = model.base_model(input_ids=ids, use_cache=False)
    hidden = output.last_hidden_state[rows[:, 0], rows[:, 1]]
    size = max(1, min(_HEAD_ELEMENTS // model.config.get_text_config().vocab_size, ids.shape[1]))
    for start in range(0, len(hidden), size):
        part = slice(start, start + size)
        yield part, _head(model, ids, type(output), hidden[part])


def _whole(model: PreTrainedModel, ids: Tensor, rows: Tensor) -> Iterator[tuple[slice, Tensor]]:
    start = 0
    for number, line in enumerate(ids):
        positions = rows[rows[:, 0] == number, 1]
        logits = model(input_ids=line[None], use_cache=False).logits[0]
        yield slice(start, start + len(positions)), logits[positions]
        start += len(positions)
