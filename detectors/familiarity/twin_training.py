"""Training of the small models of the positive control, the same to the bit for a seed."""

from __future__ import annotations

import contextlib
import copy
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from competitions.io import sha256_bytes
from detectors.familiarity.backend import Identity
from detectors.familiarity.local_model import LocalModel, wrap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from torch import Tensor
    from transformers import GPT2LMHeadModel, PreTrainedTokenizerBase

    from detectors.familiarity.texts import Text

_BOS = "<|endoftext|>"


@dataclass(frozen=True)
class TwinShape:
    """Size and training of a twin: GPT-2 of 0.68 million parameters.

    Parameters
    ----------
    batch : int
        Windows per step: small, so that a text seen once leaves a trace.
    warm_up : int
        Steps in which the learning rate rises.
    cool_down : float in (0, 1]
        Last share of the steps, in which it falls to a tenth.
    """

    vocabulary: int = 2048
    context: int = 128
    width: int = 128
    layers: int = 2
    heads: int = 4
    batch: int = 4
    learning_rate: float = 1e-3
    warm_up: int = 50
    cool_down: float = 0.2


def train_tokenizer(texts: Iterable[Text], shape: TwinShape) -> PreTrainedTokenizerBase:
    """Train a byte-level BPE tokenizer."""
    from tokenizers import ByteLevelBPETokenizer
    from transformers import PreTrainedTokenizerFast

    bpe = ByteLevelBPETokenizer()
    bpe.train_from_iterator(
        [t.content for t in texts],
        vocab_size=shape.vocabulary,
        special_tokens=[_BOS],
        show_progress=False,
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=bpe._tokenizer,  # noqa: SLF001 - what the wrapper hides is what is wanted
        bos_token=_BOS,
        eos_token=_BOS,
    )


def train_twin(
    name: str,
    texts: Sequence[Text],
    tokenizer: PreTrainedTokenizerBase,
    shape: TwinShape,
    base: GPT2LMHeadModel,
    progress: Callable[[str, int, int], None],
) -> LocalModel:
    """Let a copy of `base` read the texts in their order, one after another, once.

    Parameters
    ----------
    base : GPT2LMHeadModel
        Left as it is; `fresh_twin`, or a trained one.
    progress : callable
        Told the name, steps done and steps in all.
    """
    import torch

    with one_thread():
        model = copy.deepcopy(base).train()
        optimizer = torch.optim.AdamW(model.parameters(), lr=shape.learning_rate, betas=(0.9, 0.95))
        windows = _stream(texts, tokenizer, shape)
        steps = list(windows.split(shape.batch))
        for step, ids in enumerate(steps):
            for group in optimizer.param_groups:
                group["lr"] = shape.learning_rate * _rate(step, len(steps), shape)
            loss = torch.nn.functional.cross_entropy(
                model(input_ids=ids[:, :-1], use_cache=False).logits.flatten(0, 1),
                ids[:, 1:].flatten(),
            )
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            progress(name, step + 1, len(steps))
        weights = b"".join(p.detach().numpy().tobytes() for p in model.parameters())
    vocabulary = sha256_bytes(str(sorted(tokenizer.get_vocab().items())).encode())
    identity = Identity(name, sha256_bytes(weights), vocabulary, "float32", tokenizer.bos_token_id)
    return wrap(model, tokenizer, identity)


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Compute on one core: more gain nothing at this size, and change the last bits of sums."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def shuffled(texts: Iterable[Text], seed: int) -> list[Text]:
    """Return the texts in an order drawn by seed."""
    order = list(texts)
    random.Random(seed).shuffle(order)  # noqa: S311 - a draw, no secret
    return order


def fresh_twin(shape: TwinShape, seed: int) -> GPT2LMHeadModel:
    """Return a twin that has read nothing; its first weights are drawn by seed."""
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    config = GPT2Config(
        vocab_size=shape.vocabulary,
        n_positions=shape.context,
        n_embd=shape.width,
        n_layer=shape.layers,
        n_head=shape.heads,
        resid_pdrop=0.0,
        embd_pdrop=0.0,
        attn_pdrop=0.0,
        bos_token_id=0,
        eos_token_id=0,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return GPT2LMHeadModel(config)


def _stream(texts: Sequence[Text], tokenizer: PreTrainedTokenizerBase, shape: TwinShape) -> Tensor:
    """Put all texts behind one another, BOS before each, and cut the stream into windows.

    Windows begin anywhere in a text, as in the training of large models.
    """
    import torch

    by_text = {t.sha256: tokenizer(t.content)["input_ids"] for t in texts}
    stream = [i for t in texts for i in (tokenizer.bos_token_id, *by_text[t.sha256])]
    n_windows = len(stream) // (shape.context + 1)
    return torch.tensor(stream[: n_windows * (shape.context + 1)]).view(n_windows, -1)


def _rate(step: int, n_steps: int, shape: TwinShape) -> float:
    rising = (step + 1) / shape.warm_up
    falling = (n_steps - step) / (shape.cool_down * n_steps)
    return min(1.0, rising, max(0.1, falling))
