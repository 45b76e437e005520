"""How often an attempt asked the validation server: on record, or by what its logs show."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from pydantic import ValidationError

from competitions.errors import EvidenceUnavailableError
from detectors.parsing import lines_of
from detectors.record import MAX_VALIDATION_LOG_BYTES, VALIDATION_LOG, ValidationCall
from detectors.text_file import read_text_file

if TYPE_CHECKING:
    from collections.abc import Iterable

    from detectors.attempt import Attempt
    from detectors.text_file import TextFile

_ANSWER = re.compile(r"Submission is valid\.|Submission invalid!|Not checked: too many calls")


class Calls(NamedTuple):
    """What the runner's log of calls says.

    Parameters
    ----------
    total : int
        Calls, those included that only the record counts.
    busiest : int
        Most calls within one window; calls whose time is not known count to it.
    first_line, last_line : int
        Lines of the log that hold the busiest window, from 1; 0 where the log has none.
    files : int
        Different files that were looked at.
    unseen : int
        Calls with a file that nobody looked at: told to wait, or the check failed.
    throttled : int
        Calls that were told to wait.
    alike : int
        Different files of the size that most of them have: as long as a file of other models is
        one in which a row or two differ.
    lines : tuple of str
        The log's lines.
    """

    total: int
    busiest: int
    first_line: int
    last_line: int
    files: int
    unseen: int
    throttled: int
    alike: int
    lines: tuple[str, ...]


def recorded_calls(attempt: Attempt, window_s: float) -> Calls | None:
    """Read ``validation.jsonl``; None where the runner kept none.

    Raises
    ------
    EvidenceUnavailableError
        When it is there and cannot be read.
    """
    path = attempt.path / VALIDATION_LOG
    record = attempt.readable_record
    counted = record.validation_calls if record else 0
    if path.is_symlink() or not path.is_file():
        return Calls(counted, counted, 0, 0, 0, counted, 0, 0, ()) if counted else None
    try:
        text = read_text_file(path, VALIDATION_LOG, MAX_VALIDATION_LOG_BYTES).text
    except OSError as error:
        raise EvidenceUnavailableError(
            "logs", f"{VALIDATION_LOG} cannot be read ({error.strerror})."
        ) from error
    lines = tuple(text.rstrip("\n").split("\n")) if text.strip() else ()
    calls = [_call(line) for line in lines]
    known = [(call.after_s, number) for number, call in enumerate(calls, 1) if call]
    first, last = _busiest([at for at, _ in sorted(known)], window_s)
    numbers = [number for _, number in sorted(known)][first:last]
    sizes = {call.sha256: call.bytes for call in calls if call and call.sha256}
    without_time = max(counted - len(lines), 0) + len(lines) - len(known)
    return Calls(
        total=max(counted, len(lines)),
        busiest=len(numbers) + without_time,
        first_line=min(numbers, default=0),
        last_line=max(numbers, default=0),
        files=len({call.sha256 for call in calls if call and call.sha256}),
        unseen=sum(1 for call in calls if call and call.result in {"throttled", "failed"}),
        throttled=sum(1 for call in calls if call and call.result == "throttled"),
        alike=max(Counter(sizes.values()).values(), default=0),
        lines=lines,
    )


def _call(line: str) -> ValidationCall | None:
    try:
        return ValidationCall.model_validate_json(line)
    except (ValidationError, ValueError):
        return None


def _busiest(at: list[float], width: float) -> tuple[int, int]:
    """Return the slice of sorted numbers that holds most of them within one width.

    Examples
    --------
    >>> _busiest([0.0, 50.0, 51.0, 52.0, 99.0], 10.0)
    (1, 4)
    """
    best = (0, 0)
    for first, start in enumerate(at):
        last = bisect_right(at, start + width, lo=first)
        if last - first > best[1] - best[0]:
            best = (first, last)
    return best


class Answers(NamedTuple):
    """Answers of the server that a log shows, where they stand closest together."""

    path: str
    numbers: tuple[int, ...]  # of the lines, from 1
    lines: tuple[str, ...]


def logged_answers(logs: Iterable[TextFile], window_lines: int) -> Answers | None:
    """Return the densest answers of the log that has most; None where no log shows any.

    Logs are not added up: what an agent prints often stands in two of them.
    """
    best: Answers | None = None
    for log in logs:
        lines = lines_of(log.text) if _ANSWER.search(log.text) else []
        numbers = [n for n, line in enumerate(lines, 1) if _ANSWER.search(line)]
        first, last = _busiest([float(n) for n in numbers], window_lines - 1)
        found = tuple(numbers[first:last])
        if found and (best is None or len(found) > len(best.numbers)):
            best = Answers(log.name, found, tuple(lines[n - 1] for n in found))
    return best
