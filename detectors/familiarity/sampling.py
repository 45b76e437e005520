"""Answers of a local model: its most probable continuation of a prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from detectors.familiarity.local_model import LocalModel

_DEFAULT_CONTEXT = 2048  # of models that do not say theirs


def asking(backend: LocalModel, n_tokens: int) -> Callable[[str], str]:
    """Return a function that answers prompts, always the same way.

    A prompt is put as a person's turn where the tokenizer has a chat template. Of one that does not
    fit, the middle is left out: its question stands at the beginning or the end.

    Parameters
    ----------
    n_tokens : int
        Of an answer, at most.
    """
    import torch

    model, tokenizer = backend.model, backend.tokenizer
    room = (backend.context or _DEFAULT_CONTEXT) - n_tokens

    def ask(prompt: str) -> str:
        text = prompt
        if tokenizer.chat_template:
            turn = [{"role": "user", "content": prompt}]
            text = str(
                tokenizer.apply_chat_template(turn, tokenize=False, add_generation_prompt=True)
            )
        ids = list(tokenizer(text, add_special_tokens=not tokenizer.chat_template)["input_ids"])
        if len(ids) > room:
            ids = [*ids[: room // 2], *ids[len(ids) - (room - room // 2) :]]
        given = torch.tensor([ids], device=model.device)
        with torch.inference_mode():
            made = model.generate(
                given,
                attention_mask=torch.ones_like(given),
                max_new_tokens=n_tokens,
                do_sample=False,
                temperature=None,
                top_p=None,
                top_k=None,
                pad_token_id=tokenizer.eos_token_id,
            )
        return str(tokenizer.decode(made[0, len(ids) :], skip_special_tokens=True))

    return ask
