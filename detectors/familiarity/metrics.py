"""Familiarity scores: pure functions of stored token scores, and of a reference's where it matters.

Every `Metric` is oriented: the more familiar the text, the higher its `familiarity`. What a
metric needs and is not there (mean and deviation from a server, a reference, a lower-case twin)
gives NaN.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from detectors.familiarity.tokens import TokenScores

MIN_TOKENS = 64  # below it a text is flagged: Min-K would look at a dozen tokens, a t at few pairs
LOWEST_SHARE = 0.2  # of tokens that Min-K and Min-K++ look at
TOP = 10  # log-probabilities per position that MLE-bench's measure sees
_MIN_PAIRS = 8  # differences that a standard error is made of


class Scored(NamedTuple):
    """Token scores of one text, and what it is compared with.

    Parameters
    ----------
    target : TokenScores
        By the model in question.
    reference : TokenScores or None
        Of the same text by a model that is known not to have seen it.
    lower : TokenScores or None
        Of the text in lower case, by the model in question.
    same_tokenizer : bool
        Whether target and reference are known to cut texts alike: tokens without offsets are
        paired only then.
    """

    target: TokenScores
    reference: TokenScores | None = None
    lower: TokenScores | None = None
    same_tokenizer: bool = False


def _scored(column: NDArray[np.float64]) -> NDArray[np.float64]:
    return column[~np.isnan(column)]


def _lowest(column: NDArray[np.float64]) -> float:
    """Average the lowest fifth, at least one."""
    values = np.sort(_scored(column))
    return (
        float(values[: math.ceil(LOWEST_SHARE * len(values))].mean()) if len(values) else math.nan
    )


def mean_log_probability(scored: Scored) -> float:
    """Average log-probability of a token, in nats: minus the loss.

    References
    ----------
    The loss attack of Yeom et al., Privacy Risk in Machine Learning, 2018 (arXiv:1709.01604).
    """
    values = _scored(scored.target.log_probability)
    return float(values.mean()) if len(values) else math.nan


def bits_per_character(scored: Scored) -> float:
    """Bits that the model needs per character of the text; comparable between tokenizers.

    References
    ----------
    Per byte in Gao et al., The Pile, 2020 (arXiv:2101.00027), section 3.1.
    """
    values = _scored(scored.target.log_probability)
    n_characters = scored.target.n_characters
    return float(-values.sum() / math.log(2) / n_characters) if len(values) else math.nan


def mean_probability(scored: Scored) -> float:
    """Average probability of a token: MLE-bench's familiarity, over all positions in one pass.

    References
    ----------
    Chan et al., MLE-bench, 2024 (arXiv:2410.07095), section 4 and appendix.
    """
    values = _scored(scored.target.log_probability)
    return float(np.exp(values).mean()) if len(values) else math.nan


def mean_probability_top(scored: Scored) -> float:
    """Average probability where a token outside the ten most probable counts as 0.

    What MLE-bench's script measures, since the interface it asks gives ten log-probabilities.

    References
    ----------
    Chan et al., MLE-bench, 2024 (arXiv:2410.07095).
    """
    target = scored.target
    there = ~np.isnan(target.log_probability) & ~np.isnan(target.rank)
    if not there.any():
        return math.nan
    inside = target.rank[there] <= TOP
    return float(np.where(inside, np.exp(target.log_probability[there]), 0.0).mean())


def min_k(scored: Scored) -> float:
    """Average log-probability of the 20 % least probable tokens.

    References
    ----------
    Shi et al., Detecting Pretraining Data from Large Language Models, 2023 (arXiv:2310.16789).
    """
    return _lowest(scored.target.log_probability)


def min_k_plus_plus(scored: Scored) -> float:
    """Average of the 20 % lowest log-probabilities, each standardised by its own distribution.

    ``(log p(token) - mean) / deviation``, both over the vocabulary at that place. A place where
    the model has no doubt at all (deviation 0) says nothing and is left out.

    References
    ----------
    Zhang et al., Min-K%++, 2024 (arXiv:2404.02936).
    """
    target = scored.target
    doubt = target.deviation > 0
    return _lowest((target.log_probability - target.mean)[doubt] / target.deviation[doubt])


def zlib_ratio(scored: Scored) -> float:
    """Log-probability of the text per byte of it compressed by zlib, in nats.

    References
    ----------
    Carlini et al., Extracting Training Data from Large Language Models, 2021 (arXiv:2012.07805).
    """
    values = _scored(scored.target.log_probability)
    return float(values.sum() / scored.target.zlib_bytes) if len(values) else math.nan


def lower_case(scored: Scored) -> float:
    """Bits per character of the text in lower case, less those of the text as it is.

    References
    ----------
    Carlini et al., Extracting Training Data from Large Language Models, 2021 (arXiv:2012.07805),
    there as the ratio of perplexities per token.
    """
    if scored.lower is None:
        return math.nan
    return bits_per_character(Scored(scored.lower)) - bits_per_character(scored)


def mean_difference(scored: Scored) -> float:
    """Average difference of log-probability to the reference, in nats per common piece of text.

    References
    ----------
    Mireshghallah et al., Quantifying Privacy Risks of Masked Language Models Using Membership
    Inference Attacks, 2022 (arXiv:2203.03929): a likelihood ratio with a reference model.
    """
    pairs = paired_differences(scored)
    return float(pairs.mean()) if len(pairs) else math.nan


def paired_t(scored: Scored) -> float:
    """Average difference to the reference divided by its standard error: Student's paired t.

    Tokens are no independent draws: it orders texts, and its p-value comes from control texts,
    never from a table of t.

    References
    ----------
    Student, The probable error of a mean, 1908 (doi:10.1093/biomet/6.1.1), on the ratio of
    arXiv:2203.03929; t-tests over documents for membership: Maini et al., LLM Dataset Inference,
    2024 (arXiv:2406.06443).
    """
    pairs = paired_differences(scored)
    if len(pairs) < _MIN_PAIRS or not (spread := float(pairs.std(ddof=1))):
        return math.nan
    return float(pairs.mean() / (spread / math.sqrt(len(pairs))))


def paired_differences(scored: Scored) -> NDArray[np.float64]:
    """Return log-probability less the reference's, token by token, in the order of the text.

    Where tokenizers differ, tokens are added up between the places where both have a boundary, so
    that each difference is about the same characters. Empty without a reference, and where tokens
    `can_be_paired` in no way.

    Raises
    ------
    ValueError
        When the reference scored another text.
    """
    target, reference = scored.target, scored.reference
    if reference is None:
        return np.empty(0)
    if target.text_sha256 != reference.text_sha256:
        raise ValueError("target and reference scored different texts")
    if not can_be_paired(target, reference, same_tokenizer=scored.same_tokenizer):
        return np.empty(0)
    if np.array_equal(target.end, reference.end) and np.array_equal(target.start, reference.start):
        return _scored(target.log_probability - reference.log_probability)
    ends = np.intersect1d(_boundaries(target), _boundaries(reference))
    ours, theirs = (_between(scores, ends) for scores in (target, reference))
    return _scored(ours - theirs)


def can_be_paired(
    target: TokenScores, reference: TokenScores, *, same_tokenizer: bool = False
) -> bool:
    """Say whether it is known which tokens of two models stand for the same characters.

    Equal counts say nothing: without offsets, only one tokenizer's tokens are the same ones.
    """
    if target.has_offsets and reference.has_offsets:
        return True
    return same_tokenizer and target.n_tokens == reference.n_tokens


def _boundaries(scores: TokenScores) -> NDArray[np.int64]:
    """Return ends of tokens that no later token reaches back over: no piece of a character."""
    following = np.append(scores.start[1:], scores.n_characters)
    later = np.minimum.accumulate(following[::-1])[::-1]
    return np.unique(scores.end[(later >= scores.end) & (scores.end > 0)])


def _between(scores: TokenScores, ends: NDArray[np.int64]) -> NDArray[np.float64]:
    """Add up log-probabilities of the tokens up to each common boundary; NaN stays NaN."""
    piece = np.searchsorted(ends, scores.end, side="left")
    inside = piece < len(ends)  # what stands behind the last common boundary belongs to none
    sums = np.zeros(len(ends))
    np.add.at(sums, piece[inside], scores.log_probability[inside])
    return sums


@dataclass(frozen=True)
class Metric:
    """One way to read token scores.

    Parameters
    ----------
    id : str
        Kebab-case, for tables and JSON.
    label : str
        For people.
    value : callable
        The number as its paper has it.
    sign : {1, -1}
        1 where higher means more familiar.
    needs : {"", "statistics", "reference", "lower"}
        What gives NaN where it is missing.
    """

    id: str
    label: str
    value: Callable[[Scored], float]
    sign: int = 1
    needs: str = ""

    def familiarity(self, scored: Scored) -> float:
        """Return the value turned so that higher is more familiar."""
        return self.sign * self.value(scored)


METRICS = {
    metric.id: metric
    for metric in (
        Metric("reference-t", "paired t to the reference", paired_t, needs="reference"),
        Metric("min-k-plus-plus", "Min-K++ 20 %", min_k_plus_plus, needs="statistics"),
        Metric("min-k", "Min-K 20 %", min_k),
        Metric("mean-log-probability", "mean log-probability", mean_log_probability),
        Metric("bits-per-character", "bits per character", bits_per_character, sign=-1),
        Metric("mean-probability", "mean probability (MLE-bench compatible)", mean_probability),
        Metric(
            "mean-probability-top-10",
            "mean probability, top 10 (MLE-bench compatible)",
            mean_probability_top,
            needs="statistics",
        ),
        Metric("zlib", "zlib ratio", zlib_ratio),
        Metric("lower-case", "lower case", lower_case, needs="lower"),
        Metric(
            "reference-difference",
            "difference to the reference",
            mean_difference,
            needs="reference",
        ),
    )
}


@dataclass(frozen=True)
class Measured:
    """Every metric of one text.

    Parameters
    ----------
    values : dict of str to float
        By metric id, as the papers have them; NaN where something was missing.
    n_tokens : int
        Of the target's tokenizer.
    too_short : bool
        Below `MIN_TOKENS`: shown, but no ground for a verdict.
    """

    values: dict[str, float]
    n_tokens: int
    too_short: bool


def headline(*, has_reference: bool) -> str:
    """Return the id of the metric that decides: with a matched reference, and without."""
    return "reference-t" if has_reference else "min-k-plus-plus"


def measure(
    target: TokenScores,
    reference: TokenScores | None = None,
    lower: TokenScores | None = None,
    *,
    same_tokenizer: bool = False,
) -> Measured:
    """Return every metric of a text; parameters as of `Scored`."""
    scored = Scored(target, reference, lower, same_tokenizer)
    values = {name: metric.value(scored) for name, metric in METRICS.items()}
    return Measured(values, target.n_tokens, target.n_tokens < MIN_TOKENS)


def measure_documents(documents: Sequence[Measured]) -> dict[str, float]:
    """Average each metric over the documents of one task, each counting once.

    Documents that are too short are left out, unless all are; NaN where any of the rest has none.
    """
    enough = [d for d in documents if not d.too_short] or list(documents)
    return {name: float(np.mean([d.values[name] for d in enough])) for name in METRICS}
