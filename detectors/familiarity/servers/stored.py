"""Scores in a JSON-lines file: computed elsewhere, or kept to be shown.

A line holds one text's numbers and which model gave them; texts are named by digest only, so that
a private model, or a private text, is scored where it is and only numbers travel. The format is
described in docs/familiarity-logprobs.md.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from competitions.errors import ModelFilesError, ScoringError
from competitions.io import atomic_path, listed, printable, reason
from detectors.familiarity.backend import Identity, Plan
from detectors.familiarity.tokens import TokenScores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from detectors.familiarity.texts import Text

FORMAT: Literal["mle-audit/logprobs/1"] = "mle-audit/logprobs/1"
_Number = Annotated[float, Field(allow_inf_nan=False)]
_LogProbability = Annotated[_Number, Field(gt=-1_000, le=1e-3)]
_Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class ModelLine(_Strict):
    """Which model gave the numbers.

    Parameters
    ----------
    name : str
        For people, and to choose one of several models in a file.
    model, tokenizer : str
        Fingerprints: equal ones mean equal scores. Any text without meaning will do.
    dtype : str
        Of the weights.
    bos : int or None
        Token put before each window; -1 where its number is not known, null where there is none.
    """

    name: Annotated[str, Field(min_length=1)]
    model: Annotated[str, Field(min_length=1)]
    tokenizer: Annotated[str, Field(min_length=1)]
    dtype: str = "unknown"
    bos: int | None = None


class TokenColumns(_Strict):
    """What the model says of each token, in the order of the text; columns of equal length.

    Parameters
    ----------
    log_probability : list of float or None
        Natural logarithm; null for the first token only, where nothing stands before it.
    mean, deviation, rank : list of float or None
        Over the vocabulary; Min-K++ needs mean and deviation.
    start, end : list of int
        Characters of the text that the token covers, half-open.
    """

    log_probability: Annotated[list[_LogProbability | None], Field(min_length=1)]
    mean: list[_LogProbability | None] | None = None
    deviation: list[Annotated[_Number, Field(ge=0)] | None] | None = None
    rank: list[Annotated[_Number, Field(ge=1)] | None] | None = None
    start: list[Annotated[int, Field(ge=0)]] | None = None
    end: list[Annotated[int, Field(ge=0)]] | None = None


class Line(_Strict):
    """One text's scores by one model.

    Parameters
    ----------
    format : str
        Always ``mle-audit/logprobs/1``.
    text_sha256 : str
        Of the text as UTF-8, nothing stripped.
    n_characters : int
        Of the text, in Unicode code points.
    model : ModelLine
    window, stride : int
        Tokens seen at once, BOS included, and tokens scored per further window.
    tokens : TokenColumns
    """

    format: Literal["mle-audit/logprobs/1"]
    text_sha256: _Digest
    n_characters: Annotated[int, Field(ge=1)]
    model: ModelLine
    window: Annotated[int, Field(ge=2)]
    stride: Annotated[int, Field(ge=1)]
    tokens: TokenColumns


def write_logprobs(
    path: Path, scored: Iterable[tuple[Identity, Plan, Sequence[TokenScores]]]
) -> None:
    """Write scores of one or several models, a line per text and model, whole or not at all.

    What a model did not give (-1 for offsets, NaN for the rest) is left out or null.
    """
    with atomic_path(path) as temporary, temporary.open("w", encoding="utf-8") as stream:
        for identity, plan, texts in scored:
            for one in texts:
                stream.write(json.dumps(_line(identity, plan, one), allow_nan=False) + "\n")


def _line(identity: Identity, plan: Plan, scores: TokenScores) -> dict[str, Any]:
    columns = {
        name: _listed(getattr(scores, name))
        for name in ("log_probability", "mean", "deviation", "rank")
        if name == "log_probability" or not np.isnan(getattr(scores, name)).all()
    }
    if scores.has_offsets:
        columns |= {"start": scores.start.tolist(), "end": scores.end.tolist()}
    return {
        "format": FORMAT,
        "text_sha256": scores.text_sha256,
        "n_characters": scores.n_characters,
        "model": asdict(identity),
        "window": plan.window,
        "stride": plan.stride,
        "tokens": columns,
    }


def _listed(column: NDArray[np.float64]) -> list[float | None]:
    return [None if math.isnan(value) else value for value in column.tolist()]


@dataclass(frozen=True)
class StoredScores:
    """Scores of one model in a file; a `Backend` that computes nothing.

    Parameters
    ----------
    path : Path
    identity : Identity
    plan : Plan
        With which the scores were made.
    lines : dict of str to Line
        By the digest of their text.
    """

    path: Path
    identity: Identity
    plan: Plan
    lines: dict[str, Line]
    context: int | None = None

    def count(self, text: Text) -> int:
        """Return the number of tokens that the file has of a text; 0 where it has none."""
        line = self.lines.get(text.sha256)
        return len(line.tokens.log_probability) if line else 0

    def score(
        self,
        texts: Sequence[Text],
        plan: Plan,  # noqa: ARG002 - they were made with their own
        done: Callable[[int], None],
    ) -> Iterator[tuple[int, TokenScores]]:
        """Yield ``(index, scores)`` in the order of the texts.

        Raises
        ------
        ScoringError
            When the file has no scores of a text, or such as do not fit it.
        """
        missing = [text for text in texts if text.sha256 not in self.lines]
        if missing:
            names = listed(f"{t.name} ({t.sha256[:12]})" for t in missing)
            raise ScoringError(
                f"{self.path}: expected scores of {len(texts)} texts, found none of "
                f"{len(missing)}: {names}.",
                "Score the texts and the controls where the model is: --write-logprobs FILE",
            )
        for index, text in enumerate(texts):
            scores = self._scores(text)
            done(scores.n_tokens)
            yield index, scores

    def _scores(self, text: Text) -> TokenScores:
        line = self.lines[text.sha256]
        tokens, n_characters = line.tokens, len(text.content)
        if line.n_characters != n_characters:
            raise ScoringError(
                f"{self.path}: expected {n_characters:,} characters of {text.name}, found "
                f"{line.n_characters:,}."
            )
        n_tokens = len(tokens.log_probability)
        offsets = np.full((n_tokens, 2), -1)
        if tokens.start is not None and tokens.end is not None:
            offsets = np.stack([np.array(tokens.start), np.array(tokens.end)], axis=1)
            if (offsets[:, 0] > offsets[:, 1]).any() or (offsets[:, 1] > n_characters).any():
                raise ScoringError(f"{self.path}: offsets of {text.name} lie outside of it.")
        return TokenScores.of(
            text,
            offsets,
            _column(tokens.log_probability),
            mean=_given(tokens.mean),
            deviation=_given(tokens.deviation),
            rank=_given(tokens.rank),
        )


def _column(values: Sequence[float | None]) -> NDArray[np.float64]:
    return np.array([math.nan if v is None else v for v in values], dtype=np.float64)


def _given(values: Sequence[float | None] | None) -> NDArray[np.float64] | None:
    return None if values is None else _column(values)


def read_logprobs(path: Path, name: str = "") -> StoredScores:
    """Read the scores of one model.

    Parameters
    ----------
    name : str
        Of the model; may be left out where the file has one.

    Raises
    ------
    ModelFilesError
        When the file cannot be read or breaks the format, with the line; when it has several
        models and none is named; or when a model's lines differ in window.
    """
    lines = list(_lines(path))
    names = list(dict.fromkeys(line.model.name for line in lines))
    if name and name not in names:
        raise ModelFilesError(
            f"{path}: expected scores by {name}, found {listed(names) or 'none'}."
        )
    if not name and len(names) != 1:
        raise ModelFilesError(
            f"{path}: expected scores by one model, found {listed(names) or 'none'}.",
            "Name one: --model logprobs:FILE.jsonl#NAME",
        )
    chosen = [line for line in lines if line.model.name == (name or names[0])]
    kinds = {(line.model, line.window, line.stride) for line in chosen}
    if len(kinds) > 1:
        raise ModelFilesError(
            f"{path}: expected all lines of {chosen[0].model.name} to have one model and window, "
            f"found {len(kinds)}.",
            "Scores with different windows cannot be compared: score all texts alike.",
        )
    by_text: dict[str, Line] = {}
    for line in chosen:
        if by_text.setdefault(line.text_sha256, line) != line:
            raise ModelFilesError(
                f"{path}: expected one line per text, found two that differ for "
                f"{line.text_sha256[:12]}."
            )
    first = chosen[0]
    statistics = all(line.tokens.mean is not None for line in chosen)
    plan = Plan(window=first.window, stride=first.stride, statistics=statistics)
    return StoredScores(path, Identity(**first.model.model_dump()), plan, by_text)


def _lines(path: Path) -> Iterator[Line]:
    try:
        with path.open(encoding="utf-8") as stream:
            for number, text in enumerate(stream, start=1):
                if text.strip():
                    yield _line_of(text, f"{path}, line {number}")
    except (OSError, UnicodeDecodeError) as error:
        raise ModelFilesError(
            f"{path}: expected scores as JSON lines, found {reason(error)}."
        ) from error


def _line_of(text: str, where: str) -> Line:
    try:
        line = Line.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        at = ".".join(map(str, first["loc"])) or "the line"
        raise ModelFilesError(
            f"{where}: expected scores in the format {FORMAT}, found at {printable(at)[:80]}: "
            f"{first['msg']}.",
            "The format is described in docs/familiarity-logprobs.md",
        ) from error
    wrong = _inconsistent(line)
    if wrong:
        raise ModelFilesError(f"{where}: {wrong}.")
    return line


def _inconsistent(line: Line) -> str:
    """Say what no single field shows."""
    tokens = line.tokens
    columns = [(n, c) for n, c in tokens if c is not None]
    n_tokens = len(tokens.log_probability)
    for name, column in columns:
        if len(column) != n_tokens:
            return f"expected {n_tokens} numbers in {name}, found {len(column)}"
    if None in tokens.log_probability[1:]:
        return "expected a log-probability of every token but the first, found null"
    if (tokens.start is None) != (tokens.end is None):
        return "expected both start and end of tokens or neither, found one"
    if line.stride >= line.window:
        return f"expected a stride below the window {line.window}, found {line.stride}"
    return ""
