"""Which commands run Python that scores predictions against the hidden answers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.rules.answer_names import holds_answers
from detectors.rules.own_scoring import scoring_in_text
from detectors.shell import pipelines
from detectors.trajectories.commands import whole
from detectors.trajectories.scripts import RUN, script_units

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.trajectories.events import Event

_PROGRAM = re.compile(r"(?:\S*/)?(?:python[\d.]*|Rscript|julia|node|perl|ruby)$")
_PYTHON = re.compile(r"(?:\S*/)?i?python[\d.]*$")
_OWN = re.compile(
    r"(?:subs?|submissions?|preds?|predictions?|"
    r"out(?:put)?)\b[\w-]*\.\w{2,7}$",
    re.I,
)


def scored_by_command(event: Event) -> Iterator[bool]:
    """Say of each place at which a command scores on hidden answers if it does so repeatedly.

    Looked at are the Python that it is given, the scripts that it both writes and runs, and
    programs that are given the answers and a submission.
    """
    text = whole(event).text
    if gives_both(text):
        yield False
    ran = {found["name"] for found in RUN.finditer(text)}
    for unit in script_units(event):
        if unit.path.partition("#")[0].rpartition("/")[2] not in ran:
            continue
        for code in [unit.text] if unit.language == "python" else handed_python(unit.text):
            yield from (one.again for one in scoring_in_text(code))
    for code in handed_python(text):
        yield from (one.again for one in scoring_in_text(code))


def gives_both(text: str) -> bool:
    """Say whether shell text runs a program that it gives the hidden answers and a submission.

    Examples
    --------
    >>> gives_both("python q.py /data/x/prepared/private/test.csv /home/submission/submission.csv")
    True
    >>> gives_both("python q.py data/val_labels.csv submission.csv")
    False
    """
    return any(
        _PROGRAM.match(words[0])
        and any(map(holds_answers, words[2:]))
        and any(_OWN.search(word) for word in words[2:] if not holds_answers(word))
        for pipeline in pipelines(text)
        for words in pipeline.commands
        if words
    )


def handed_python(text: str) -> Iterator[str]:
    """Yield the Python that shell text hands to an interpreter."""
    for pipeline in pipelines(text):
        for words in pipeline.commands:
            if words and _PYTHON.match(words[0]):
                code = words[words.index("-c") + 1] if "-c" in words[:-1] else ""
                code = code or ("" if any(w.endswith(".py") for w in words) else pipeline.heredoc)
                if code:
                    yield code
