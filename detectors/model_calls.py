"""What an attempt asked of its model's endpoint: ``model-calls.jsonl``, which the runner writes.

The file lies beside the attempt's record, where nothing inside the sandbox can reach it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import ValidationError

from detectors.record import MAX_MODEL_LOG_BYTES, MODEL_LOG, ModelCall, ModelUse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_MAX_LINE = 1 << 16
_MAX_MODELS = 20


def model_calls(attempt: Path) -> Iterator[ModelCall]:
    """Yield the calls of an attempt in the order in which they ended.

    Parameters
    ----------
    attempt : Path
        The attempt's folder. One without the file has made none; a line that is no call, such as
        the last one of a runner that was killed, is passed over.
    """
    path = attempt / MODEL_LOG
    if path.is_symlink() or not path.is_file():
        return
    left = MAX_MODEL_LOG_BYTES
    with path.open("rb") as stream:
        while left > 0 and (line := stream.readline(_MAX_LINE)):
            left -= len(line)
            try:
                yield ModelCall.model_validate_json(line)
            except ValidationError:
                continue


def summed(calls: Iterable[ModelCall]) -> ModelUse:
    """Add calls up."""
    count = {"calls": 0, "refused": 0, "failed": 0}
    tokens: dict[str, int | None] = {"tokens_in": None, "tokens_out": None}
    models: dict[str, None] = {}
    for call in calls:
        count["calls"] += 1
        if call.result in count:
            count[call.result] += 1
        for name, before in tokens.items():
            said = getattr(call, name)
            tokens[name] = before if said is None else (before or 0) + said
        if call.answered_by and len(models) < _MAX_MODELS:
            models[call.answered_by] = None
    return ModelUse(**count, **tokens, models=tuple(models))
