"""Votes for classes as shares: what a submission predicts where the answers count votes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.hooks import Hooks
from competitions.splits import Parts

if TYPE_CHECKING:
    import pandas as pd

    from competitions.spec import Competition

VOTE, SHARE = "_vote", "_share"  # what names of columns end in
KEYS = ("eeg_id", "label_id")  # of v1 and of the repaired variant, whose answers have it alone


def shares(votes: pd.DataFrame) -> pd.DataFrame:
    """Divide the votes of each row by their sum.

    Examples
    --------
    >>> import pandas as pd
    >>> shares(pd.DataFrame({"a_vote": [1, 0], "b_vote": [3, 2]})).to_numpy().tolist()
    [[0.25, 0.75], [0.0, 1.0]]
    """
    return votes.div(votes.sum(axis=1), axis=0)


def add_shares(spec: Competition, parts: Parts) -> Parts:
    """Give each row a column ``<class>_share`` per predicted column ``<class>_vote``."""
    names = {name: name.removesuffix(VOTE) + SHARE for name in spec.targets}
    train, test = (
        part.assign(**{names[str(n)]: v for n, v in shares(part[list(names)]).items()})
        for part in parts
    )
    return Parts(train, test)


def perfect(answers: pd.DataFrame) -> pd.DataFrame:
    """Return the submission of the voted shares."""
    votes = [name for name in answers.columns if name.endswith(VOTE)]
    key = next(name for name in KEYS if name in answers.columns)
    return answers[[key, *votes]].assign(**{str(n): v for n, v in shares(answers[votes]).items()})


HOOKS = Hooks(rows=add_shares, perfect=perfect)
