"""The submissions by which a grader is questioned: each one fault, in files that are else right.

What an exact grader must answer is known without reading it: a file that lacks rows, names foreign
ones or holds what is no answer is refused; the order of rows and columns tells nothing; a label
that no answer has is a mistake. Sources: the loopholes of https://github.com/openai/mle-bench and
the probes listed in its issues.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from competitions.spec import catalog_ids, load
from competitions.standard import standard_submissions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pandas as pd

    from competitions.prepared import Prepared
    from competitions.spec import Column, Competition

    Rules = dict[str, Column]
    Made = Callable[[pd.DataFrame, tuple[str, ...], Rules], pd.DataFrame | None]

WORDS = ("alpha", "beta", "gamma", "delta")  # labels of no task
STRANGE = ("zzzunknown", "999999999")  # for sets of words and for sets of numbers
FAR = 7  # beyond the largest number that occurs
FRACTION = 0.25
MOST_COLUMNS = 12  # that are asked about one by one
_NUMBERS = frozenset({"int", "float", "bool"})
_RUN_LENGTHS = re.compile(r"(\d+ \d+)( \d+ \d+)*")
_NUMBER = re.compile(r"(?<!\S)-?\d+\.\d+(?!\S)")


def expected_rules(spec: Competition) -> dict[str, Column]:
    """Return what may stand in each predicted column, as the task means it.

    Rules of `v1` take what the published grader takes, so that its scores are reproduced; where
    the task has a repaired variant its rules say what is meant.
    """
    own = spec.submission.columns
    meant = load(spec.id, "fixed").submission.columns if _has_repair(spec) else {}
    strict = {name: rule.model_copy(update={"lenient": False}) for name, rule in own.items()}
    return strict | {name: rule for name, rule in meant.items() if name in own}


def _has_repair(spec: Competition) -> bool:
    return spec.variant == "v1" and spec.id in catalog_ids() and load(spec.id).has_fixed


def questions(prepared: Prepared) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the submissions by name; those that make no sense for the task are left out.

    The first is ``perfect``; all others but ``sample`` and ``random`` are it with one fault.
    """
    standard = standard_submissions(prepared)
    perfect = standard["perfect"].reset_index(drop=True)
    rules = {n: r for n, r in expected_rules(prepared.spec).items() if n in perfect.columns}
    key = tuple(k for k in prepared.spec.submission.key if k in perfect.columns)
    for name in ("perfect", "sample", "random", "shuffled-perfect"):
        yield name, standard[name]
    for name, made in _QUESTIONS.items():
        frame = made(perfect.copy(), key, rules)
        if frame is not None:
            yield name, frame
    for name in _numeric(perfect, rules, _NUMBERS)[1:MOST_COLUMNS]:
        yield f"one-word: {name}", _in_first_row(perfect.copy(), name, WORDS[0])


def _numeric(frame: pd.DataFrame, rules: Rules, types: frozenset[str]) -> list[str]:
    """Name the columns of these types whose right answers are numbers."""
    import pandas as pd

    names = [name for name, rule in rules.items() if rule.type in types]
    return [name for name in names if pd.api.types.is_numeric_dtype(frame[name])]


def _not_numbers(frame: pd.DataFrame, rules: Rules) -> list[str]:
    import pandas as pd

    names = [name for name, rule in rules.items() if rule.type in {"text", "label"}]
    return [name for name in names if not pd.api.types.is_numeric_dtype(frame[name])]


def _in_first_row(frame: pd.DataFrame, name: str, value: object) -> pd.DataFrame:
    frame[name] = [value, *frame[name].astype(object).iloc[1:]]
    return frame


def _constant(frame: pd.DataFrame, _key: tuple[str, ...], rules: Rules) -> pd.DataFrame:
    """Give every row the first row's prediction."""
    for name in rules:
        frame[name] = [frame[name].iloc[0]] * len(frame)
    return frame


def _reversed_columns(
    frame: pd.DataFrame, key: tuple[str, ...], rules: Rules
) -> pd.DataFrame | None:
    return frame[[*key, *reversed(list(rules))]] if len(rules) > 1 else None


def _foreign_keys(frame: pd.DataFrame, key: tuple[str, ...], _rules: Rules) -> pd.DataFrame:
    """Name rows that do not exist, in the form of those that do."""
    import pandas as pd

    for column in key:
        if pd.api.types.is_numeric_dtype(frame[column]):
            frame[column] = frame[column] + frame[column].abs().max() + 1
        else:
            frame[column] = "no-such-" + frame[column].astype(str)
    return frame


def _one_key_twice(frame: pd.DataFrame, key: tuple[str, ...], _rules: Rules) -> pd.DataFrame | None:
    """Name the first row twice and the last one not at all."""
    if len(frame) == 1:
        return None
    last, first = frame.index[-1], frame.index[0]
    frame.loc[last, list(key)] = frame.loc[first, list(key)]
    return frame


def _row_again(frame: pd.DataFrame, _key: tuple[str, ...], _rules: Rules) -> pd.DataFrame:
    import pandas as pd

    return pd.concat([frame, frame.head(1)], ignore_index=True)


def _half(frame: pd.DataFrame, _key: tuple[str, ...], _rules: Rules) -> pd.DataFrame:
    return frame.head(len(frame) // 2)


def _one_row_short(frame: pd.DataFrame, _key: tuple[str, ...], _rules: Rules) -> pd.DataFrame:
    return frame.iloc[:-1]


def _no_row(frame: pd.DataFrame, _key: tuple[str, ...], _rules: Rules) -> pd.DataFrame:
    return frame.head(0)


def _all_empty(frame: pd.DataFrame, _key: tuple[str, ...], rules: Rules) -> pd.DataFrame:
    frame[list(rules)] = None
    return frame


def _empty_column(frame: pd.DataFrame, _key: tuple[str, ...], rules: Rules) -> pd.DataFrame:
    frame[next(iter(rules))] = None
    return frame


def _empty_cell(frame: pd.DataFrame, _key: tuple[str, ...], rules: Rules) -> pd.DataFrame:
    return _in_first_row(frame, next(iter(rules)), None)


def _one_and_empty(frame: pd.DataFrame, _key: tuple[str, ...], rules: Rules) -> pd.DataFrame | None:
    """Fill the largest value of each row with 1 and leave the others empty."""
    import numpy as np

    names = list(rules)
    if len(names) == 1 or _numeric(frame, rules, frozenset({"float"})) != names:
        return None
    largest = frame[names].to_numpy(dtype=float).argmax(axis=1)
    filled = np.full((len(frame), len(names)), np.nan)
    filled[np.arange(len(frame)), largest] = 1.0
    frame[names] = filled
    return frame


def _infinite(frame: pd.DataFrame, _key: tuple[str, ...], rules: Rules) -> pd.DataFrame | None:
    names = [n for n, rule in rules.items() if rule.type in _NUMBERS]
    return _in_first_row(frame, names[0], "inf") if names else None


def _words(frame: pd.DataFrame, _key: tuple[str, ...], rules: Rules) -> pd.DataFrame | None:
    names = [n for n, rule in rules.items() if rule.type != "text" or rule.labels]
    for name in names:
        frame[name] = [WORDS[i % len(WORDS)] for i in range(len(frame))]
    return frame if names else None


def _one_word(frame: pd.DataFrame, _key: tuple[str, ...], rules: Rules) -> pd.DataFrame | None:
    names = [n for n, rule in rules.items() if rule.type != "text" or rule.labels]
    return _in_first_row(frame, names[0], WORDS[0]) if names else None


def _fractions(frame: pd.DataFrame, _key: tuple[str, ...], rules: Rules) -> pd.DataFrame | None:
    names = _numeric(frame, rules, frozenset({"int"}))
    for name in names:
        frame[name] = frame[name].astype(float) + FRACTION
    return frame if names else None


def _far_number(frame: pd.DataFrame, _key: tuple[str, ...], rules: Rules) -> pd.DataFrame | None:
    """Put one whole number that no answer can be into the first column of whole numbers."""
    names = _numeric(frame, rules, frozenset({"int", "bool"}))
    if not names:
        return None
    limit = rules[names[0]].high
    top = int(frame[names[0]].max()) if limit is None else int(limit)
    frame[names[0]] = frame[names[0]].astype(int)
    frame.loc[frame.index[0], names[0]] = top + FAR
    return frame


def _numbers(frame: pd.DataFrame, _key: tuple[str, ...], rules: Rules) -> pd.DataFrame | None:
    """Answer names with numbers."""
    names = _not_numbers(frame, rules)
    for name in names:
        frame[name] = range(len(frame))
    return frame if names else None


def _strange(token: str) -> Made:
    """Put a label that no answer has before those of every cell: a list pays for it, a set too."""

    def made(frame: pd.DataFrame, _key: tuple[str, ...], rules: Rules) -> pd.DataFrame | None:
        names = [name for name, rule in rules.items() if rule.type == "text"]
        for name in names:
            frame[name] = (f"{token} " + frame[name].fillna("").astype(str)).str.strip()
        return frame if names else None

    return made


def _odd_runs(frame: pd.DataFrame, _key: tuple[str, ...], rules: Rules) -> pd.DataFrame | None:
    """Leave one number of a mask that is written as starts and lengths."""
    for name in _not_numbers(frame, rules):
        cells = frame[name].dropna().astype(str)
        cells = cells[cells.str.contains(r"\d")]
        if len(cells) and cells.map(lambda cell: _RUN_LENGTHS.fullmatch(cell) is not None).all():
            frame.loc[cells.index[0], name] = cells.iloc[0].split()[0]
            return frame
    return None


def _nan_in_text(frame: pd.DataFrame, _key: tuple[str, ...], rules: Rules) -> pd.DataFrame | None:
    """Write nan for the first fraction within a text, such as the confidence of a box."""
    for name in _not_numbers(frame, rules):
        cells = frame[name].dropna().astype(str)
        with_number = cells[cells.map(_is_of_numbers)]
        if len(with_number):
            changed = _NUMBER.sub("nan", with_number.iloc[0], count=1)
            frame.loc[with_number.index[0], name] = changed
            return frame
    return None


def _is_of_numbers(cell: str) -> bool:
    """Say whether a text is a row of numbers, names among them or not, with a fraction."""
    tokens = cell.split()
    plain = sum(re.fullmatch(r"-?[\d.]+(e-?\d+)?", token) is not None for token in tokens)
    return _NUMBER.search(cell) is not None and 2 * plain > len(tokens)


_QUESTIONS: dict[str, Made] = {
    "constant": _constant,
    "columns-reversed": _reversed_columns,
    "foreign-keys": _foreign_keys,
    "one-key-twice": _one_key_twice,
    "row-again": _row_again,
    "half": _half,
    "one-row-short": _one_row_short,
    "no-row": _no_row,
    "empty-cell": _empty_cell,
    "empty-column": _empty_column,
    "all-empty": _all_empty,
    "one-and-empty": _one_and_empty,
    "infinite-cell": _infinite,
    "words": _words,
    "one-word": _one_word,
    "fractions": _fractions,
    "far-number": _far_number,
    "numbers-for-names": _numbers,
    "strange-word": _strange(STRANGE[0]),
    "strange-number": _strange(STRANGE[1]),
    "odd-runs": _odd_runs,
    "nan-in-text": _nan_in_text,
}
