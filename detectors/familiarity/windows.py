"""How a text's tokens are cut into windows, and windows put into batches."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from detectors.familiarity.backend import Plan

_MIN_FILL = 0.8  # of a batch's width that each window fills: padding is computed for nothing


class Window(NamedTuple):
    """Tokens ``begin`` to ``end`` of text number ``text``, of which those from ``first`` count."""

    text: int
    begin: int
    first: int
    end: int

    @property
    def length(self) -> int:
        """Tokens of the text in the window."""
        return self.end - self.begin


def cut(n_tokens: int, plan: Plan, *, has_bos: bool, text: int = 0) -> Iterator[Window]:
    """Cut a text so that each token is scored once, and late ones after a fixed context.

    Without BOS nothing comes before the first token: it gets no score.

    Examples
    --------
    >>> from detectors.familiarity.backend import Plan
    >>> [tuple(w) for w in cut(9, Plan(window=6, stride=3), has_bos=True)]
    [(0, 0, 0, 5), (0, 3, 5, 8), (0, 6, 8, 9)]
    """
    room = plan.window - has_bos
    begin, first = 0, 0 if has_bos else 1
    end = min(room, n_tokens)
    while first < end:
        yield Window(text, begin, first, end)
        begin, first = begin + plan.stride, end
        end = min(begin + room, n_tokens)


def batched(windows: Iterable[Window], batch_tokens: int) -> Iterator[Sequence[Window]]:
    """Put windows of similar length together, at most `batch_tokens` a batch with padding.

    A window that alone is longer makes a batch of its own.
    """
    batch: list[Window] = []
    for window in sorted(windows, key=lambda w: -w.length):
        width = batch[0].length if batch else window.length
        if batch and (
            (len(batch) + 1) * (width + 1) > batch_tokens or window.length < _MIN_FILL * width
        ):
            yield batch
            batch = []
        batch.append(window)
    if batch:
        yield batch


def grouped(lengths: Sequence[int], limit: int) -> Iterator[Sequence[int]]:
    """Put texts, by their number of tokens, into groups that are finished one after another.

    A group ends with the text that brings it to `limit` tokens: what an interruption can lose.
    """
    group: list[int] = []
    size = 0
    for index, length in enumerate(lengths):
        group.append(index)
        size += length
        if size >= limit:
            yield group
            group, size = [], 0
    if group:
        yield group
