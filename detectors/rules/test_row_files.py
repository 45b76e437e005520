"""Files that tell by their names of the test rows what they are, wherever they lie."""

from __future__ import annotations

import re

MIN_WORD = 4  # letters of a word of a column by which a file may be called
_DATA = re.compile(
    r"\.(?:csv|json|jsonl|parquet|npy|npz|pkl|pickle|feather|tsv|txt|rds)(?:\.(?:gz|zip|bz2|xz))?$",
    re.IGNORECASE,
)
_OF_TEST = re.compile(  # what is told of the test rows, also where it lies beside them
    r"^(?:[a-z]+_)?(?:(?:test|lb)(?:_?set)?_?(?:with_?)?(?:labels?|labell?ed|answers?|targets?|truth|keys?|grades?|"
    r"results?|outcomes?|solutions?|gold|gt|y|ys|classes|actuals?|ground_?truth|true|y_true)|"
    r"(?:y|labels?|answers?|targets?|keys?|gold|truth|gt|solutions?)_?(?:of_|for_)?test)"
    r"(?:_(?:true|real|full|all|final|released|official|v?\d+))*$",
    re.IGNORECASE,
)
_OFTEN_OWN = re.compile(
    r"(?:^|_)(?:y|ys|results?|outcomes?|classes|targets?)(?:_|$)", re.IGNORECASE
)
_BY_CLASS = re.compile(  # a folder of test items, sorted by what they are
    r"(?:^|/)(?:test|lb)[a-z]*_(?:by_\w+|sorted\w*|labell?ed|with_labels?|(?:true_|real_|gold_)?(?:classes|labels)|"
    r"true|gold|truth|answers?)(?:/|$)",
    re.IGNORECASE,
)


def tells_of_test(text: str, columns: frozenset[str], written: frozenset[str]) -> bool:
    """Say whether a path is of a file, or of folders by class, that tell what test rows are.

    Parameters
    ----------
    columns : frozenset of str
        What the task predicts: a file may be called after the test rows and it.
    written : frozenset of str
        Names of files that the attempt writes: a hold-out of its own may be called test.

    Examples
    --------
    >>> none = frozenset()
    >>> tells_of_test("../data/test_key.csv", none, none)
    True
    >>> tells_of_test("../data/test.csv", none, none)
    False
    >>> tells_of_test("data/test_fares.csv", frozenset({"fare_amount"}), none)
    True
    """
    if _BY_CLASS.search(text):
        return True
    name = text.rpartition("/")[2]
    stem = name.partition(".")[0].replace("-", "_")
    is_loose = text == name and _OFTEN_OWN.search(stem) is not None
    if not _DATA.search(name) or name in written or is_loose:
        return False
    words = {w for c in columns for w in re.split(r"[\W_]+", c.lower()) if len(w) >= MIN_WORD}
    of_column = re.match(r"(?:test|lb)_([a-z]+?)s?$", stem, re.IGNORECASE)
    return bool(_OF_TEST.match(stem)) or bool(of_column and of_column[1].lower() in words)
