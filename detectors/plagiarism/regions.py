"""Passages that two texts share: equal runs of tokens, joined and extended by like statements.

First come runs of tokens that agree but for names, numbers and strings. They give each statement
of the left text at most one partner on the right. Partners that lie near one another on both sides
form a passage, in whatever order. Then statements within and around passages are aligned by their
likeness, and last of all, in texts that are not too long, the statements that are left over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from detectors.plagiarism.runs import paired, partners, runs_of
from detectors.plagiarism.statements import Link, aligned
from reports.schema import Passage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from detectors.plagiarism.statements import Statements

CUTOFF = 85.0  # of 100: likeness of statements that are aligned
MAX_GAP = 4  # statements of the left text without a partner inside a passage
MAX_JUMP = 12  # statements by which the right text may go on elsewhere: what was put in new order
MARGIN = 12  # statements around a passage that are aligned with one another
MAX_TILE = 64  # statements of a window, and of those in it that are compared, on each side
MAX_WINDOWS = 200  # those of the largest passages
MAX_LEFT_OVER = 500_000  # pairs of statements outside passages that are compared
MIN_STATEMENTS = 2  # of a passage
MIN_LOOSE = 4  # of one where no run of tokens agrees
MIN_LOOSE_TEXT = 25  # characters of each
MIN_WEIGHT = 16.0  # tokens of a passage, less where they are common
MIN_WEIGHT_OF_FEW = 40.0  # where its statements are fewer than they should be
MAX_REPEATED = 8  # a run that repeats counts by its number of times, up to so many
MAX_PASSAGES = 200  # the heaviest ones are told
_OPEN = 8  # passages that may grow at the same time
_ENOUGH = 0.5  # of a statement's tokens


class Regions(NamedTuple):
    """What two texts share.

    Parameters
    ----------
    passages : tuple of Passage
        In the order of the left text, whose lines belong to one passage each.
    longest_run : int
        Most tokens in a row that agree.
    n_compared : int
        Pairs of runs and of statements that were looked at: what the work was.
    """

    passages: tuple[Passage, ...]
    longest_run: int
    n_compared: int


def matched_regions(
    left: Statements,
    right: Statements,
    rarity: NDArray[np.float64] | None = None,
    cutoff: float = CUTOFF,
) -> Regions:
    r"""Find the passages that two texts share.

    Parameters
    ----------
    left, right : Statements
        `code_statements` or `prose_statements` of both; left is the one under audit.
    rarity : ndarray of float64, shape (n_left_hashes,), values in [0, 1], optional
        How rare each run of the left text is among the solutions of the same competition. What
        everybody writes then makes no passage.
    cutoff : float in [0, 100], default=85
        Likeness from which statements are aligned.

    Examples
    --------
    >>> from detectors.plagiarism.statements import code_statements
    >>> body = "data = load(path)\nmodel = fit(data, depth=3)\nsave(model.predict(data), out)\n"
    >>> mine, theirs = code_statements(body), code_statements("import os\n\n" + body)
    >>> found = matched_regions(mine, theirs)
    >>> [(p.left_first, p.left_last, p.right_first, p.right_last) for p in found.passages]
    [(1, 3, 3, 5)]
    """
    pairs = paired(left.hashes, right.hashes)
    runs = runs_of(pairs, left.run, rarity)
    longest = int(runs.lengths.max()) if len(runs.lengths) else 0
    partner = partners(runs, left.n_tokens, right.n_tokens, left.min_run)
    exact = _linked(left, right, partner)
    near, n_near = _around(left, right, _passages(exact), cutoff)
    loose, n_loose = _left_over(left, right, [*exact, *near], cutoff)
    rare = _weights(left, rarity)
    agreeing = {k.left for k in exact}

    def weight(links: Sequence[Link]) -> float:
        return sum(k.tokens * float(rare[k.left]) * left.usual(k.left) for k in links)

    told = []
    for whole in _one_to_one(_passages([*exact, *near, *loose]), weight):
        links = _trimmed(whole, left)
        weighs = weight(links)
        least = MIN_STATEMENTS if any(k.left in agreeing for k in links) else MIN_LOOSE
        if weighs >= (MIN_WEIGHT if len(links) >= least else MIN_WEIGHT_OF_FEW):
            told.append((weighs, _passage(left, right, links)))
    heaviest = sorted(told, key=lambda t: -t[0])[:MAX_PASSAGES]
    passages = sorted((p for _, p in heaviest), key=lambda p: (p.left_first, p.left_last))
    return Regions(tuple(passages), longest, len(pairs.left) + n_near + n_loose)


def _linked(left: Statements, right: Statements, partner: NDArray[np.int64]) -> list[Link]:
    """Turn partners of tokens into partners of statements: those that most tokens name."""
    places = np.flatnonzero(partner >= 0)
    if not len(places):
        return []
    mine, theirs = left.of_token(places), right.of_token(partner[places])
    keys, counts = np.unique(mine * len(right) + theirs, return_counts=True)
    mine, theirs = keys // len(right), keys % len(right)
    order = np.lexsort((theirs, -counts, mine))
    mine, theirs, counts = mine[order], theirs[order], counts[order]
    first = np.append(True, np.diff(mine) > 0)
    matched = np.add.reduceat(counts, np.flatnonzero(first))
    links = []
    for i, j, n in zip(mine[first].tolist(), theirs[first].tolist(), matched.tolist(), strict=True):
        share = n / max(1, left.size(i))
        if share >= _ENOUGH or n >= 2 * left.min_run:
            links.append(Link(i, j, min(1.0, share), n))
    return links


def _passages(links: Iterable[Link]) -> list[list[Link]]:
    """Gather links that lie near one another on both sides, in whatever order on the right."""
    done: list[list[Link]] = []
    growing: list[tuple[list[Link], int, int]] = []  # links, first and last on the right
    for link in sorted(links):
        growing = [g for g in growing if link.left - g[0][-1].left <= MAX_GAP + 1]
        fits = [g for g in growing if g[1] - MAX_JUMP <= link.right <= g[2] + MAX_JUMP]
        best = min(fits, key=lambda g: abs(g[0][-1].right + 1 - link.right), default=None)
        if best is None:
            links_of = [link]
            done.append(links_of)
            growing = [*growing[-_OPEN + 1 :], (links_of, link.right, link.right)]
        else:
            best[0].append(link)
            wider = (best[0], min(best[1], link.right), max(best[2], link.right))
            growing = [wider if g is best else g for g in growing]
    return done


def _around(
    left: Statements, right: Statements, passages: Sequence[list[Link]], cutoff: float
) -> tuple[list[Link], int]:
    """Align statements without a partner within and around each passage."""
    used_left = {k.left for p in passages for k in p}
    used_right = {k.right for p in passages for k in p}
    found: list[Link] = []
    n_compared = 0
    largest = sorted(passages, key=lambda p: -sum(k.tokens for k in p))
    windows = [p[at : at + MAX_TILE] for p in largest for at in range(0, len(p), MAX_TILE)]
    for links in windows[:MAX_WINDOWS]:
        mine = _free([k.left for k in links], len(left), used_left)
        theirs = _free([k.right for k in links], len(right), used_right)
        n_compared += len(mine) * len(theirs)
        more = aligned(left, right, mine, theirs, cutoff)
        used_left |= {k.left for k in more}
        used_right |= {k.right for k in more}
        found += more
    return found, n_compared


def _free(numbers: Sequence[int], n: int, used: set[int]) -> list[int]:
    """Return the statements in and around a passage that have no partner."""
    first, last = max(0, min(numbers) - MARGIN), min(n, max(numbers) + MARGIN + 1)
    free: list[int] = []
    for number in range(first, last):
        if number not in used:
            free.append(number)
            if len(free) >= MAX_TILE:
                break
    return free


def _left_over(
    left: Statements, right: Statements, links: Sequence[Link], cutoff: float
) -> tuple[list[Link], int]:
    """Align what is left over, where that is not too much."""
    used_left, used_right = {k.left for k in links}, {k.right for k in links}
    if (len(left) - len(used_left)) * (len(right) - len(used_right)) > MAX_LEFT_OVER:
        return [], 0
    mine = [i for i in range(len(left)) if i not in used_left]
    theirs = [j for j in range(len(right)) if j not in used_right]
    found = aligned(left, right, mine, theirs, cutoff, least=MIN_LOOSE_TEXT)
    return found, len(mine) * len(theirs)


def _weights(left: Statements, rarity: NDArray[np.float64] | None) -> NDArray[np.float64]:
    """Return how much a token of each statement counts: the mean of its runs.

    A run counts as it is rare among solutions, and less where the text itself repeats it: a list of
    a hundred numbers is one thing to write.
    """
    if not len(left.hashes):
        return np.ones(len(left))
    _, which, counts = np.unique(left.hashes, return_inverse=True, return_counts=True)
    rare = 1.0 / np.minimum(counts, MAX_REPEATED)[which]
    if rarity is not None:
        rare *= rarity[: len(rare)]
    sums = np.concatenate([[0.0], np.cumsum(rare)])
    starts = np.minimum(left.starts, len(rare) - 1)
    ends = np.minimum(np.append(left.starts[1:], left.n_tokens), len(rare))
    ends = np.maximum(ends, starts + 1)
    weights: NDArray[np.float64] = (sums[ends] - sums[starts]) / (ends - starts)
    return weights


def _one_to_one(
    passages: Sequence[list[Link]], weight: Callable[[Sequence[Link]], float]
) -> list[list[Link]]:
    """Give the statements between the ends of a passage to the heaviest passage that has them."""
    owner: dict[int, int] = {}
    kept = []
    by_weight = sorted(passages, key=weight, reverse=True)
    for number, links in enumerate(by_weight):
        free = [k for k in links if k.left not in owner]
        for piece in _unbroken(free, owner):
            kept.append(piece)
            owner |= dict.fromkeys(range(piece[0].left, piece[-1].left + 1), number)
    return kept


def _unbroken(links: Sequence[Link], owner: dict[int, int]) -> list[list[Link]]:
    """Cut a passage where a heavier one lies inside it."""
    pieces: list[list[Link]] = []
    for link in links:
        before = pieces[-1][-1].left if pieces else -1
        is_cut = not pieces or any(n in owner for n in range(before + 1, link.left))
        if is_cut:
            pieces.append([])
        pieces[-1].append(link)
    return pieces


def _trimmed(links: Sequence[Link], left: Statements) -> Sequence[Link]:
    """Cut off what every notebook has where it stands elsewhere than the rest on the right."""
    own = [n for n, k in enumerate(links) if left.usual(k.left) == 1]
    if not own:
        return links
    first, last = 0, len(links)
    if own[0] > 0 and abs(links[own[0]].right - links[own[0] - 1].right) > MAX_GAP:
        first = own[0]
    if own[-1] < last - 1 and abs(links[own[-1] + 1].right - links[own[-1]].right) > MAX_GAP:
        last = own[-1] + 1
    return links[first:last]


def _passage(left: Statements, right: Statements, links: Sequence[Link]) -> Passage:
    tokens = np.array([max(1, left.size(k.left)) for k in links], float)
    similar = np.array([k.similarity for k in links])
    return Passage(
        left_first=int(left.first_lines[links[0].left]),
        left_last=int(max(left.last_lines[k.left] for k in links)),
        right_first=int(min(right.first_lines[k.right] for k in links)),
        right_last=int(max(right.last_lines[k.right] for k in links)),
        similarity=min(1.0, float((tokens * similar).sum() / tokens.sum())),
    )
