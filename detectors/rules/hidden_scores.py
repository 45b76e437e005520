"""Scores on hidden answers that logs hold while the agent still works, and who was shown them."""

from __future__ import annotations

import itertools
import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from detectors.rules.fed_scores import (
    compared_with_hidden,
    fed_back,
    graded_step,
    hands_in_by,
    node_rows,
    picked_by_hidden,
    remembers_test,
    takes_submissions,
    weighs_hidden,
)
from detectors.rules.grader_words import (
    GENERAL,
    hidden_score_in,
    looks_at_grader,
    selects_by_hidden,
)
from detectors.rules.prompts import Said, is_done, said
from detectors.rules.scoring_runs import run_of, scorers_of
from detectors.trajectories.events import Event, EventKind, events, recognised
from detectors.trajectories.reports import MARKS
from detectors.trajectories.source import numbered_lines, pieces

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from detectors.attempt import Attempt
    from detectors.rules.grading_calls import GradingCall

MAX_TEXT = 20_000  # characters of one text that are looked at
MAX_TABLES = 200_000  # characters of a log in which tables are looked for
MAX_SEEN = 2_000  # of one attempt
_NUMBER = r"-?\d*\.?\d+(?:[eE][+-]?\d+)?"
_NAME = (
    r"\b(?P<name>(?:private|hidden|official|held[- ]?out[ _-]private)[ _-]?(?:test[ _-]?)?"
    r"(?:set[ _-]?)?(?:lb|leaderboard|position)?[ _-]?score|private[ _-](?:lb|leaderboard)|"
    r"position[ _]score|leaderboard[ _](?:rank|percentile|position|score)|"
    r"normali[sz]ed[ _]test[ _]score|"
    r"score on the (?:hidden|private|official) \w+(?: set)?)\b[\"']?"
)
_TOLD_SCORE = re.compile(
    rf"{_NAME}(?: of (?:your )?submission(?: #?\d+)?)?[^\w\n.-]{{1,4}}{_NUMBER}", re.IGNORECASE
)
_PRINTED_SCORE = re.compile(rf"{_NAME}\s{{0,3}}[:=]\s{{0,3}}[\"']?{_NUMBER}", re.IGNORECASE)
_MEDAL = re.compile(
    r"\b(?:medal[\"']?\s*[=:]\s*[\"']?(?:none|bronze|silver|gold)|"
    r"any_medal[\"']?\s*[=:]\s*(?:true|false))\b",
    re.IGNORECASE,
)
_STOPS = re.compile(
    r"\b(?:stop|break|finish|terminat|end|exit)\w*\b[^.,\n]{0,40}\bmedal\b[^.,\n]{0,30}"
    r"\b(?:reached|won|obtained|achieved|earned|got)\b|"
    r"\bmedal\b[^.,\n]{0,20}\b(?:reached|won|obtained|achieved|earned)\b[^.\n]{0,30}"
    r"\b(?:stop|break|finish|terminat|exit)\w*",
    re.IGNORECASE,
)
_YOURS = re.compile(
    r"\b(?:graded|scored|evaluated)\b[^\n]{0,60}\b(?:hidden|private|official|leaderboard)\b|"
    r"\b(?:your|last|latest|current|previous)\b(?! own (?:[\d.]+ ?%|hold|val|cv|split|fold))"
    r"[^\n]{0,40}\b(?:hidden|private|official)\b"
    r"[^\n]{0,20}\b(?:score|test)\b",
    re.IGNORECASE,
)
_OF_HIDDEN = (
    r"(?:private|hidden|official|secret|held[- ]?back|withheld)(?: test)?"
    r"(?: (?:labels?|answers?|set|tests?|data|part|targets?|score|auc|accuracy|rmse|loss))?"
)
_AGAINST = re.compile(
    rf"\b(?:graded|scored|evaluated)\b[^\n]{{0,40}}\b(?:on|against|with|by) (?:the )?{_OF_HIDDEN}\b"
    rf"[^\w\n]{{0,4}}(?:is |was |gives? |gave |= ?)?-?\d*\.\d+|"
    rf"\b(?:graded|scored|scores|reached|got)\b[^\n]{{0,20}}?\d*\.\d+ (?:on|against|by) the "
    rf"{_OF_HIDDEN}\b|"
    rf"\b(?:private|hidden|official) test(?: (?:set|labels?|score|auc|accuracy|rmse|loss))?"
    rf"(?:\s*[:=]\s*| (?:is |was |fell to |rose to |of )?)-?\d*\.\d+",
    re.IGNORECASE,
)
_TELLS_AGENT = re.compile(
    r"\b(?:told|shown|sent|reported|returned|fed back)\b[^\n]{0,30}\bagent\b", re.IGNORECASE
)
_SCORED_YOURS = re.compile(
    r"\d{0,12}\.\d+[^\n]{0,40}\b(?:your|the) (?:submission|file|predictions?|answer)\b[^\n]{0,40}"
    r"\b(?:on|against) the (?:private|hidden|official|held[- ]?back) "
    r"(?:test|labels?|answers?|set|data)",
    re.IGNORECASE,
)
_REPORT = re.compile(rf"[\"']score[\"']\s*:\s*{_NUMBER}")
_EXAMPLE = re.compile(r"\bexamples?\b[^\n{]{0,120}\{", re.IGNORECASE)
_EVALUATED = re.compile(  # what is ranked on a board is scored on hidden answers
    rf"\bevaluator\b.{{0,40}}\"test_score\"\s*:\s*{_NUMBER}.{{0,80}}\"rank\"\s*:\s*\d"
)
_CAME_BACK = re.compile(rf"\d\.\d|{_REPORT.pattern}")
_ONLY_NEGATED = re.compile(r"\b(?:do not|don't|never|not to be|must not|cannot)\b", re.IGNORECASE)
_OTHER_RUNS = re.compile(
    r"\brank 1\b|solution|memory|winner|kernel|notebook|\b(?:earlier|previous|past|other) (?:runs?|"
    r"attempts?|teams?)|threshold|\btop[- ]|knowledge|\bhints?\b|\btips?\b", re.IGNORECASE,
)  # fmt: skip
_CHOSEN = re.compile(r"\b(?:best|kept|keep|discard\w*|select\w*|improv\w*)\b", re.IGNORECASE)
_ENDS = re.compile(r"^\s*(?:submit|exit|finish|done|quit)\b", re.IGNORECASE)
_SETTINGS = re.compile(r"\.(?:ya?ml|toml|ini|cfg)$|(?:^|/)\w*config\w*\.json$", re.IGNORECASE)
_SAID = frozenset({EventKind.THOUGHT, EventKind.MESSAGE})
_RECALLS = re.compile(
    r"\b(?:remember|recall|typical\w*|usual\w*|reported|paper|expect\w*|would|could|might|may|"
    r"target|aim|"
    r"goal|guess|estimate\w*|hope|wish|should|if|winners?|kernels?|notebooks?|need\w*|"
    r"thresholds?)\b",
    re.IGNORECASE,
)
_PRINTED = frozenset({EventKind.TEXT, EventKind.OUTPUT})


class How(StrEnum):
    """How a hidden score came into the loop."""

    SHOWN = "the agent was shown its score on hidden answers"
    CHOSEN = "candidates were graded on hidden answers, and a choice or an end hung on it"
    LOGGED = "each step was graded on hidden answers"


class Seen(NamedTuple):
    """One hidden score in a log.

    Parameters
    ----------
    key : tuple
        What tells one showing from the next: a log often repeats itself.
    went_on : bool
        The agent did something after it.
    """

    how: How
    event: Event
    shows: str
    key: tuple[str, str]
    went_on: bool = False


def hidden_scores(attempt: Attempt, own_words: str, places: Sequence[GradingCall]) -> list[Seen]:
    """Read the scores on hidden answers that logs hold, in their order, each once.

    Parameters
    ----------
    own_words : str
        The attempt's code in lower case: a label of a score that it prints itself is its own.
    places : sequence of GradingCall
        Where its code grades, or scores against the hidden answers.
    """
    found: list[tuple[Seen, int]] = []
    scorers = scorers_of(attempt, places)
    last_done: dict[tuple[str, bool], tuple[int, int]] = {}
    hands_in = False  # a tool of the scaffold was called that takes submissions
    began = False  # the agent has said or done something
    asked: Event | None = None  # what was done last, where a score came back with it
    everything = itertools.chain(said(events(attempt.logs)), _unread(attempt))
    for number, one in enumerate(everything):
        event = one.event
        at = (event.first_line, number)
        for what in _followed(one):
            last_done[event.path, what] = max(at, last_done.get((event.path, what), at))
        if event.kind is EventKind.OUTPUT and _came_of(event, asked):
            continue
        began = began or one.own or is_done(event)
        told_here = [*_of(one, own_words, scorers)] if len(found) < MAX_SEEN else []
        if not told_here and began and one.told and fed_back(event.text):
            key = (event.path, event.text[:400])
            told_here = [Seen(How.SHOWN, event, "tells the agent what was graded", key)]
        is_answer = event.kind is EventKind.OUTPUT or (event.kind is EventKind.TEXT and not one.own)
        if not told_here and is_answer and hands_in and not takes_submissions(event.text):
            told_here = _answered(event, own_words)
        hands_in = hands_in_by(one, hands_in)
        found += [(seen, number) for seen in told_here]
        if is_done(event):
            asked = event if told_here else None
    told = [*_in_settings(attempt, scorers), *_in_tables(attempt, own_words)]
    for seen, number in found:
        in_prompt = seen.event.kind is not EventKind.SCORE and seen.event.by in {"user", "system"}
        last = last_done.get((seen.event.path, in_prompt), (0, 0))
        told.append(seen._replace(went_on=last > (seen.event.first_line, number)))
    return _once(told)


def _in_settings(attempt: Attempt, scorers: frozenset[str]) -> Iterator[Seen]:
    """Read what settings of the scaffold, beside code or logs, choose by."""
    for file in attempt.settings:
        if file.name.rpartition("/")[2] in scorers:
            event = Event(EventKind.TEXT, file.text[:400], file.name, 1, file.text.count("\n") + 1)
            shows = "a search runs a program that scores against hidden answers"
            yield Seen(How.CHOSEN, event, shows, (file.name, "search"))
    kept = [f for f in attempt.logs if not f.is_large and _SETTINGS.search(f.name)]
    for file in (*attempt.settings, *kept):
        found = selects_by_hidden(file.text[:MAX_TEXT])
        if found is not None:
            line = file.text.count("\n", 0, found.start()) + 1
            event = Event(EventKind.TEXT, found[0], file.name, line, line)
            yield Seen(How.CHOSEN, event, "chooses by the score on the test", (file.name, found[0]))


def _in_tables(attempt: Attempt, own_words: str) -> Iterator[Seen]:
    """Read tables in which a search lists its nodes with what they were graded."""
    for log in attempt.logs:
        text = "" if log.is_large else log.text[:MAX_TABLES]
        for start, end in node_rows(text):
            if "medal" in own_words or "graded" in own_words:
                break
            line = text.count("\n", 0, start) + 1
            event = Event(EventKind.TEXT, text[start:end], log.name, line, line)
            key = (log.name, f"row {line}")
            yield Seen(How.LOGGED, event, "a node with its score on hidden answers", key)


def _answered(event: Event, own_words: str) -> list[Seen]:
    """Read what a tool that takes submissions says of the one that it was given."""
    score = re.search(r"\d{0,12}\.\d{2,}(?!\d|\s*(?:s|sec|min|h|hours?|[GM]B)\b)", event.text)
    is_own = re.search(r"\b(?:valid(?:ation)?|cv|oof|fold)\b", event.text, re.IGNORECASE)
    if score is None or is_own or event.text.strip().lower() in own_words:
        return []
    key = (event.path, f"{event.first_line} {event.text[:60]}")
    return [Seen(How.SHOWN, event, "hands in, and a score came back", key)]


def _came_of(event: Event, asked: Event | None) -> bool:
    """Say whether an output is what came back with what was done before, and was told already."""
    if asked is None or asked.path != event.path:
        return False
    return event.text[:200].strip() in asked.output


def _followed(one: Said) -> Iterator[bool]:
    """Say of what an event is the sequel: False of what came back, True of what was told."""
    if is_done(one.event) and not _ENDS.match(one.event.text):
        yield from (False, True)
    elif one.own:  # who is told a score and answers works on with it
        yield True


def _unread(attempt: Attempt) -> Iterator[Said]:
    """Yield the lines of JSON of no known form, whose reader gives only what was done."""
    for log in attempt.logs:
        if recognised(log) == "json-document":
            for number, line in numbered_lines(pieces(log)):
                yield Said(Event(EventKind.TEXT, line[:MAX_TEXT], log.name, number, number))


def _once(found: list[Seen]) -> list[Seen]:
    """Leave out what stands within the lines of another, and of each key all but the first."""
    wide = [
        s.event for s in found if max(s.event.output_end, s.event.last_line) > s.event.first_line
    ]
    kept: dict[tuple[How, tuple[str, str]], Seen] = {}
    for one in found:
        within = any(
            e is not one.event
            and e.path == one.event.path
            and e.first_line <= one.event.first_line <= max(e.output_end, e.last_line)
            for e in wide
        )
        if not within:
            kept.setdefault((one.how, one.key), one)
    return list(kept.values())


def _of(one: Said, own_words: str, scorers: frozenset[str]) -> Iterator[Seen]:
    event = one.event
    if event.kind is EventKind.SCORE:
        if "_" not in event.target or event.target.lower() not in own_words:
            yield from _of_score(event, told=one.told)
    elif one.told:
        yield from _of_prompt(event, own_words)
    elif event.kind in {EventKind.COMMAND, EventKind.CODE}:
        yield from _of_run(event, scorers, own_words)
    elif event.kind is EventKind.READ and looks_at_grader(f"cat {event.target}", own_words):
        yield from _shown_by(event, own_words, "reads what a grader wrote")
    elif event.kind is EventKind.OUTPUT and event.by == "tool" and event.target != "metric":
        yield from _shown_by(event, own_words, "tells a score on hidden answers") or _of_line(
            event, own_words
        )
    elif event.kind in _SAID and event.by == "agent":
        yield from _of_agent(event, own_words)
    elif event.kind in _PRINTED and not one.own:
        yield from _of_line(event, own_words)


def _of_agent(event: Event, own_words: str) -> Iterator[Seen]:
    """Read what the agent says that it was graded; wishes and memories are none."""
    text = event.text[:MAX_TEXT]
    found = hidden_score_in(text, own_words)
    if found is not None and not _RECALLS.search(text):
        key = (event.path, found[0][-40:])
        how = How.CHOSEN if weighs_hidden(text) else How.LOGGED
        yield Seen(how, event, "says what was graded on hidden answers", key)


def _of_score(event: Event, *, told: bool) -> Iterator[Seen]:
    if event.target.endswith("_threshold") or event.target.startswith("best_"):
        return
    how = How.SHOWN if event.is_shown or told else How.LOGGED
    shows = f"{event.text[:100]}, on hidden answers"
    step = event.step if event.step is not None else event.first_line
    yield Seen(how, event, shows, (event.path, f"{step}"))


def _of_prompt(event: Event, own_words: str) -> Iterator[Seen]:
    """Read a prompt that tells the agent what its own work scored."""
    text = event.text[:MAX_TEXT]
    is_example = _EXAMPLE.search(text)
    report = (
        not is_example
        and _REPORT.search(text)
        and any(f'"{m}"' in text or f"'{m}'" in text for m in MARKS)
    )
    yours = _YOURS.search(text)
    told = yours and re.search(_NUMBER, text[yours.start() : yours.end() + 60])
    named = _TOLD_SCORE.search(text)
    before = text[max(0, yours.start() - 60) : yours.start()] if yours else ""
    if _ONLY_NEGATED.search(before) or GENERAL.search(before):
        told = None
    is_user = event.by == "user" and not _OTHER_RUNS.search(text)
    scored = _SCORED_YOURS.search(text) or (is_user and not is_example and hidden_score_in(text))
    if (
        report
        or told
        or scored
        or remembers_test(text, own_words)
        or (named and not re.search(r"\brank 1\b|solution|memory", text, re.I))
    ):
        yield Seen(How.SHOWN, event, "tells the agent what was graded", (event.path, text[:400]))


def _shown_by(event: Event, own_words: str, shows: str) -> list[Seen]:
    """Read what came back to the agent, whatever it had asked."""
    text = event.output if event.kind is EventKind.READ else event.text
    found = hidden_score_in(text, own_words)
    is_read = event.kind is EventKind.READ and _CAME_BACK.search(text)
    key = (event.path, f"{event.first_line} {found[0] if found else text[:60]}")
    compared = compared_with_hidden(text) and text[:200].strip().lower() not in own_words
    return [Seen(How.SHOWN, event, shows, key)] if found or is_read or compared else []


def _of_run(event: Event, scorers: frozenset[str], own_words: str) -> Iterator[Seen]:
    """Read a command or code that grades; that no score came back shows nothing."""
    run = run_of(event, scorers, own_words)
    if run is not None:
        how = How.CHOSEN if run.again else How.SHOWN
        yield Seen(how, event, run.shows, (event.path, f"{event.first_line}"))


def _of_line(event: Event, own_words: str) -> Iterator[Seen]:
    """Read what a harness prints of grading each candidate."""
    text = event.text[:MAX_TEXT]
    if _EVALUATED.search(text):
        yield Seen(
            How.CHOSEN,
            event,
            "scores and ranks on hidden answers",
            (event.path, f"{event.first_line}"),
        )
        return
    if picked_by_hidden(text, own_words):
        key = (event.path, f"{event.first_line}")
        yield Seen(How.CHOSEN, event, "picks by the score on hidden answers", key)
        return
    told = hidden_score_in(text, own_words) or graded_step(text)
    if told and not _PRINTED_SCORE.search(text) and not _MEDAL.search(text):
        how = How.SHOWN if _TELLS_AGENT.search(text) else How.LOGGED
        how = How.CHOSEN if how is How.LOGGED and _CHOSEN.search(text) else how
        yield Seen(how, event, "a score on hidden answers", (event.path, f"{event.first_line}"))
        return
    against = _AGAINST.search(text)
    parts = re.split(r"[\s:=-]{0,12}\d{0,12}\.\d+", against[0].lower()) if against else []
    if against and not all(part.strip() in own_words for part in parts):
        chosen = How.CHOSEN if _CHOSEN.search(text) else How.LOGGED
        how = How.SHOWN if _TELLS_AGENT.search(text) else chosen
        yield Seen(how, event, "a score on hidden answers", (event.path, f"{event.first_line}"))
        return
    stops = _STOPS.search(text)
    for found in [stops] if stops else [*_PRINTED_SCORE.finditer(text), *_MEDAL.finditer(text)][:1]:
        label = found["name"].lower() if not stops and "name" in found.re.groupindex else ""
        if (
            not stops
            and (label or found[0].partition("=")[0].partition(":")[0]).strip("\"' ").lower()
            in own_words
        ):
            continue
        how = How.CHOSEN if stops or _CHOSEN.search(text) else How.LOGGED
        shows = "stops at a medal" if stops else "a score on hidden answers"
        yield Seen(how, event, shows, (event.path, f"{event.first_line}"))
