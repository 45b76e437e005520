"""Open files for the pipeline, public half only."""
from pathlib import Path

FORBIDDEN = ("/private", "prepared/private", "answers.csv")


def open_public(path):
    p = Path(path).resolve()
    if any(word in str(p) for word in FORBIDDEN):
        raise PermissionError(f"{p} belongs to the grader")
    assert not str(p).startswith("/private/data")
    return p.open()


def test_guard():
    try:
        open_public("/private/data/modechoice/prepared/private/test.csv")
    except PermissionError:
        return
    raise AssertionError("guard is broken")
