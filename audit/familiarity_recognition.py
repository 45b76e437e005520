"""Whether a model names tasks, and goes on better with a text when it is told where it is from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.errors import UsageError
from competitions.obfuscate import describe_obfuscated
from competitions.official import official_description
from detectors.familiarity.recognition import complete_guided, name_competitions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from competitions.spec import Competition
    from detectors.familiarity.recognition import Guided, Named

NAME_TOKENS, TEXT_TOKENS = 32, 160  # of an answer
_CHARACTERS = 1600  # of an official description: half is shown, half is to be written
HEAD = ("task", "named", "guided", "unguided", "guided gain")


def recognise(
    specs: Sequence[Competition],
    description: Path | None,
    asking: Callable[[int], Callable[[str], str]],
) -> tuple[Named, list[Guided | None]]:
    """Ask a model for the names of tasks and, of those with an official text, for its second half.

    Parameters
    ----------
    asking : callable
        Given the most tokens of an answer, returns what answers a prompt.

    Raises
    ------
    UsageError
        When there is no task.
    """
    tasks = [(spec.id, [spec.title, spec.id], describe_obfuscated(spec)) for spec in specs]
    named = name_competitions(tasks, asking(NAME_TOKENS))
    ask = asking(TEXT_TOKENS)
    return named, [_guided(spec, description, ask) for spec in specs]


def _guided(
    spec: Competition, description: Path | None, ask: Callable[[str], str]
) -> Guided | None:
    if description is None:
        return None
    try:
        text = official_description(spec.id, description)[:_CHARACTERS]
        return complete_guided(spec.title, text, ask)
    except UsageError:  # there is no such text, or too little of it
        return None


def rows(
    named: Named, guided: Sequence[Guided | None]
) -> Iterator[tuple[str | bool | float | None, ...]]:
    """Yield a row per task, as `HEAD` names its cells; None where there was no official text."""
    for task, said, one in zip(named.tasks, named.named, guided, strict=True):
        figures = (one.guided, one.unguided, one.gain) if one is not None else (None,) * 3
        yield (task, said, *(None if f is None else round(f, 3) for f in figures))


def conclusion(named: Named, guided: Sequence[Guided | None]) -> Iterator[str]:
    """Say what the rows come to, beside what they would be without knowledge."""
    yield (
        f"{sum(named.named)} of {len(named.named)} tasks named; {named.by_chance:.1%} of answers "
        "name a given other task."
    )
    gains = [one.gain for one in guided if one is not None]
    if gains:
        better = sum(gain > 0 for gain in gains)
        worse = sum(gain < 0 for gain in gains)
        yield (
            f"Told the source, {better} of {len(gains)} completions came closer to the official "
            f"text, {worse} less close{_sign_test(better, worse)}."
        )
    yield "A task that is not named may be known all the same: small models say little of it."


def _sign_test(better: int, worse: int) -> str:
    from scipy.stats import binomtest

    if not better + worse:
        return ""
    p = binomtest(better, better + worse, alternative="greater").pvalue
    return f" (one-sided sign test over tasks, p = {p:.2g})"
