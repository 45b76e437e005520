"""What logs show of the grader being run, and of boards being read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from detectors.rules.board_reads import reads_board
from detectors.rules.grader_requests import asks_by_row, asks_grader, grading_requests
from detectors.rules.grading_calls import grading_in_text, whole
from detectors.rules.grading_commands import grades_in_shell
from detectors.rules.scoring_servers import is_own
from detectors.trajectories.events import EventKind, events, recognised
from detectors.trajectories.scripts import MAX_COMMAND, RUN, script_units
from detectors.trajectories.source import pieces

if TYPE_CHECKING:
    from detectors.attempt import Attempt
    from detectors.text_file import TextFile
    from detectors.trajectories.events import Event

_FAILED = re.compile(
    r"command not found|No such file|No module named|ModuleNotFoundError|ImportError|Traceback|"
    r"Permission denied|not permitted|does not exist|cannot (?:open|access|find)|error\[|"
    r"not recognized",
    re.IGNORECASE,
)
_WORDS = re.compile(r"grade|leaderboard|competitions/boards|mlebench|mledojo|MLAgentBench|/score|"
                    r"evaluate|submit|validat")  # fmt: skip
_LONGEST = 20  # characters of these words
_PACKED = frozenset({"inspect-eval", "rd-agent"})
_SAYS_NOTHING = re.compile(r"^\s*(?:</?\w+>|\d|\s)*$")  # tags and an exit code


_IMPORTS = re.compile(
    r"^[ \t]*(?:from|import)\b[^\n#]*\b(?:mlebench|biomlbench)\."
    r"(?:grade|grade_helpers|competitions\.[\w.]*grade)\b",
    re.MULTILINE,
)


class GraderRun(NamedTuple):
    """A command or code that a log shows, which graded or read a board.

    Parameters
    ----------
    came_back : bool
        Something came back that is no refusal.
    """

    event: Event
    shows: str
    came_back: bool


def runs_of_grader(attempt: Attempt, ports: frozenset[str] = frozenset()) -> list[GraderRun]:
    """Read the logs of an attempt for runs of a grader and for reads of a board.

    Parameters
    ----------
    ports : frozenset of str
        Those of the attempt's own servers, which are asked as it likes.
    """
    found = []
    scripts: set[str] = set()  # those that were written and ask a grader
    for event in events(log for log in attempt.logs if _may_hold(log)):
        units = script_units(event)
        if units and any(True for _ in grading_requests(units)):
            scripts |= {unit.path.partition("#")[0].rpartition("/")[2] for unit in units}
        shows = _shows(event) or _runs_one(event, scripts)
        if shows and not is_own(event.text, ports):
            output = event.output
            came_back = bool(output.strip()) and not _FAILED.search(output)
            came_back = came_back and not _SAYS_NOTHING.match(output)
            tail = "something came back" if came_back else "nothing came back"
            found.append(GraderRun(event, f"{shows}; {tail}", came_back))
    return found


def _runs_one(event: Event, scripts: set[str]) -> str:
    """Say whether a command runs one of these scripts."""
    if event.kind is not EventKind.COMMAND or not scripts:
        return ""
    ran = {found["name"] for found in RUN.finditer(event.text[:MAX_COMMAND])}
    return "runs a script that asks the grader" if ran & scripts else ""


def _may_hold(log: TextFile) -> bool:
    """Say whether a log has a word that every run and every read has; packed ones may always."""
    if recognised(log) in _PACKED:
        return True
    end = ""
    for piece in pieces(log):
        if _WORDS.search(end + piece):
            return True
        end = piece[-_LONGEST:]
    return False


def _shows(event: Event) -> str:
    if event.kind is EventKind.COMMAND and grades_in_shell(event.text):
        return "runs the grader"
    if event.kind is EventKind.COMMAND and asks_by_row(event.text):
        return "asks the validation server row by row"
    if event.kind is EventKind.NETWORK and asks_grader(event.target):
        return "asks the grader"
    has_code = event.kind is EventKind.CODE or (
        event.kind is EventKind.COMMAND and "python" in event.text
    )
    if has_code and grading_in_text(whole(event.text, event.output)):
        return "calls the grader"
    if event.kind is EventKind.CODE and _IMPORTS.search(event.text):
        return "imports the grader"
    return "reads a board or the grader's source" if reads_board(event) else ""
