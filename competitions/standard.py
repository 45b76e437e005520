"""The seven standard submissions that show whether a task grades as it should."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.hooks import hooks_of
from competitions.submission import read_table
from competitions.work import read_raw

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from competitions.prepared import Prepared
    from competitions.spec import Column

STANDARD = (
    "sample",
    "perfect",
    "random",
    "shuffled-perfect",
    "with-nan",
    "missing-rows",
    "extra-rows",
)


def _random(rule: Column, answers: pd.Series, rng: np.random.Generator) -> pd.Series:
    """Draw allowed values: uniform in the column's range, else from the answers themselves."""
    import pandas as pd

    if rule.type == "float" and rule.low is not None and rule.high is not None:
        return pd.Series(rng.uniform(rule.low, rule.high, len(answers)), index=answers.index)
    return pd.Series(rng.choice(answers.to_numpy(), len(answers)), index=answers.index)


def standard_submissions(prepared: Prepared, seed: int = 0) -> dict[str, pd.DataFrame]:
    """Build the seven submissions of a prepared task; `expect` in its YAML says what they score.

    Returns
    -------
    dict of str to DataFrame
        By the names of `STANDARD`. ``with-nan`` has one empty cell, ``missing-rows`` lacks the last
        row and ``extra-rows`` has one more with an unknown key.
    """
    import numpy as np
    import pandas as pd

    spec = prepared.spec
    rng = np.random.default_rng(seed)
    answers = read_raw(prepared.answers)
    hooks = hooks_of(spec)
    if hooks is not None and hooks.perfect is not None:
        perfect = hooks.perfect(answers)
    else:
        if "truth" in spec.metric.arguments:  # the answers' name of the only predicted column
            answers = answers.rename(columns={spec.metric.arguments["truth"]: spec.targets[0]})
        perfect = answers[[*spec.submission.key, *spec.targets]]
    random, empty = perfect.copy(), perfect.astype(dict.fromkeys(spec.targets, object))
    for name, rule in spec.submission.columns.items():
        random[name] = _random(rule, perfect[name], rng)
    if {"sum_tolerance", "sum_decimals"} & set(spec.metric.arguments):
        targets = list(spec.targets)
        random[targets] = random[targets].div(random[targets].sum(axis=1), axis=0)
    empty.loc[empty.index[0], spec.targets[0]] = None
    extra = perfect.tail(1).astype(dict.fromkeys(spec.submission.key, object))
    extra[list(spec.submission.key)] = "no-such-key"
    return {
        "sample": read_table(prepared.public / spec.sample_submission.path),
        "perfect": perfect,
        "random": random,
        "shuffled-perfect": perfect.iloc[rng.permutation(len(perfect))],
        "with-nan": empty,
        "missing-rows": perfect.iloc[:-1],
        "extra-rows": pd.concat([perfect.astype(extra.dtypes.to_dict()), extra]),
    }
