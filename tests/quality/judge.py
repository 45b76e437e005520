"""Score a model's opinions over the labelled sets: how often they are right, and discarded.

``python -m tests.quality.judge`` scores the recorded answers below ``answers/``, which are written
by hand and say so: they show what scoring does. ``--judge-url URL --judge-model NAME`` asks a real
model about the open halves and prints its table; ``--rule ID`` asks about one rule alone.
"""

from __future__ import annotations

import argparse
import json
import secrets
import sys
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from audit.check import check
from audit.console import table
from audit.judge.answers import Answers, default_answers
from audit.judge.endpoint import KEY_NAME, Answered, Endpoint, Unanswered
from audit.judge.judging import MAX_TOKENS, Judge, questions_about
from detectors.attempt import Attempt
from detectors.base import detector
from detectors.json_http import key_in_environment
from detectors.opinions.prompts import BROKEN, NOT_BROKEN
from detectors.opinions.questions import TOPICS
from tests.quality.corpus import CASES, load_cases
from tests.quality.score import Score, wilson

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from detectors.opinions.prompts import Question
    from detectors.opinions.questions import Topic
    from tests.quality.corpus import LabelledCase

RECORDED = Path(__file__).parent / "answers"
HEAD = (
    *("rule", "model", "positive", "found", "recall", "honest", "accused", "false accusations"),
    *("doubts of positives", "undecided", "discarded", "not answered"),
)


class Verdict(NamedTuple):
    """What became of one case: broken, not_broken, cannot_tell, discarded or not answered."""

    case: LabelledCase
    says: str


@dataclass(frozen=True)
class Recorded:
    """Stands for an endpoint and gives one answer that was written down.

    Parameters
    ----------
    said : str or list
        Opinions, or a text that is none.
    """

    model: str
    said: object
    host: str = "recorded"

    def ask(self, _messages: object, schema: Mapping[str, Any]) -> Answered | Unanswered:
        """Give the answer; rules that it leaves out are undecided."""
        if isinstance(self.said, str):
            return Answered(self.said, 0, 0)
        given: list[dict[str, Any]] = list(self.said) if isinstance(self.said, list) else []
        rules = schema["properties"]["opinions"]["items"]["properties"]["rule"]["enum"]
        rest = set(rules) - {one["rule"] for one in given}
        undecided = [
            {"rule": r, "opinion": "cannot_tell", "why": "", "quotes": []} for r in sorted(rest)
        ]
        return Answered(json.dumps({"opinions": [*given, *undecided]}), 0, 0)


def topic_of(rule: str) -> Topic:
    """Return the question in which a rule is asked about."""
    return next(topic for topic in TOPICS if rule in topic.rules)


def question_about(case: LabelledCase, rule: str) -> Question:
    """Make the question that `rules --judge-url` would ask about a case, on one rule's topic."""
    attempt = Attempt(case.path)
    checks = [check(detector(name)(), attempt) for name in topic_of(rule).rules]
    return next(q for q in questions_about(attempt, checks) if q.topic.name == topic_of(rule).name)


def judged(judge: Judge, case: LabelledCase, rule: str) -> Verdict:
    """Ask about one case and say what of the answer counts."""
    weighed = judge.weighed(question_about(case, rule), defaultdict(int))
    if isinstance(weighed, Unanswered):
        return Verdict(case, "not answered")
    return Verdict(case, next((o.says for o in weighed.opinions if o.rule == rule), "discarded"))


def recorded(path: Path) -> tuple[str, str, list[Verdict]]:
    """Score a file of recorded answers: its rule, its model, and what became of each case."""
    content = json.loads(path.read_text(encoding="utf-8"))
    rule, model = content["rule"], content["model"]
    cases = {case.path.name: case for case in load_cases(rule, "open")}
    with tempfile.TemporaryDirectory() as folder:
        return (
            rule,
            model,
            [
                judged(
                    Judge(Recorded(model, said), Answers(Path(folder)), "seed"), cases[name], rule
                )
                for name, said in content["answers"].items()
            ],
        )


def score_of(verdicts: Sequence[Verdict]) -> Score:
    """Count verdicts as a detector's are: an opinion that is discarded finds and accuses nobody."""
    positive = [v for v in verdicts if v.case.label == "positive"]
    negative = [v for v in verdicts if v.case.label == "negative"]
    return Score(
        half="open",
        measured="now",
        n_positive=len(positive),
        found=sum(v.says == BROKEN for v in positive),
        n_negative=len(negative),
        accused=sum(v.says == BROKEN for v in negative),
    )


def row_of(rule: str, model: str, verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    """Return a row of the table; see `HEAD`."""
    one = score_of(verdicts)
    doubts = sum(v.says == NOT_BROKEN and v.case.label == "positive" for v in verdicts)
    others = [
        str(sum(v.says == name for v in verdicts))
        for name in ("cannot_tell", "discarded", "not answered")
    ]
    shares = [_share(one.found, one.n_positive), _share(one.accused, one.n_negative)]
    return (
        *(rule, model, str(one.n_positive), str(one.found), shares[0]),
        *(str(one.n_negative), str(one.accused), shares[1], str(doubts), *others),
    )


def _share(count: int, n: int) -> str:
    """Write a share with its interval, or a dash where there is nothing to share."""
    return "–" if not n else "{:.2f} [{:.2f}, {:.2f}]".format(*wilson(count, n))


def main(words: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.quality.judge", description=__doc__)
    parser.add_argument("--judge-url")
    parser.add_argument("--judge-model", default="")
    parser.add_argument("--judge-max-tokens", type=int, default=MAX_TOKENS)
    parser.add_argument("--rule", action="append")
    call = parser.parse_args(words)
    if call.judge_url is None:
        rows = [row_of(*recorded(path)) for path in sorted(RECORDED.glob("*.json"))]
    else:
        endpoint = Endpoint(call.judge_url, call.judge_model, key_in_environment(KEY_NAME)).named()
        limit = call.judge_max_tokens
        judge = Judge(endpoint, default_answers(), secrets.token_hex(16), max_tokens=limit)
        rows = list(_asked(judge, call.rule))
    sys.stdout.write(f"{table(HEAD, rows)}\n")


def _asked(judge: Judge, rules: Sequence[str] | None) -> Iterable[tuple[str, ...]]:
    known = [r for t in TOPICS for r in t.rules if (CASES / r / "labels.csv").is_file()]
    for rule in rules or known:
        verdicts = [judged(judge, case, rule) for case in load_cases(rule, "open")]
        yield row_of(rule, judge.endpoint.model, verdicts)


if __name__ == "__main__":
    main()
