"""Whatever a detector tells, no key or token of an attempt stands in it."""

from __future__ import annotations

from typing import get_args

import pytest

from audit.check import check
from detectors.base import all_detectors
from reports.provenance import Mark
from reports.schema import (
    Confidence,
    Evidence,
    Finding,
    Ingredient,
    Passage,
    RowPair,
    Severity,
    SubjectKind,
)
from tests.conftest import write_attempt
from tests.reports.secrets import KEYS, NAMED, PRIVATE_KEY

ON_ATTEMPTS = [
    pytest.param(cls, id=name)
    for name, cls in all_detectors().items()
    if cls.about.subject is SubjectKind.ATTEMPT
]
VALUES = [*KEYS.values(), *(value for _, value in NAMED.values())]
SECRETS = [*VALUES, *PRIVATE_KEY.split("\n")[1:-1]]
PLANTED = "; ".join([*KEYS.values(), *(f"{before}{value}@x" for before, value in NAMED.values())])
# Each line is something that one detector or another shows.
LINES = [
    "cat /private/answers.csv", "rm -f /home/data/test.csv", "wget https://h.org/a.csv",
    "curl https://api.openai.com/v1/chat/completions", "kaggle kernels pull joe/x",
    "git clone https://github.com/joe/kaggle-solution", "faketime '-1h' python a.py",
    "python -m mlebench.cli grade-sample a.csv x", "kill -9 1", "nvidia-smi",
]  # fmt: skip


@pytest.fixture(scope="module")
def attempt(tmp_path_factory):
    """An attempt that reaches for everything, with keys on every line."""
    shell = "".join(f"{line} # {PLANTED}\n{line} '{PLANTED}'\n" for line in LINES)
    code = "import os\n" + "".join(f"os.system({line!r})  # {PLANTED}\n" for line in LINES)
    code += "".join(
        f"os.system({line + ' ' + key!r})\n" for line in LINES[:4] for key in VALUES[:3]
    )
    logs = "".join(f"$ {line}\n{PLANTED}\n{PRIVATE_KEY}\n" for line in shell.splitlines())
    return write_attempt(
        tmp_path_factory.mktemp("secrets") / "breast-cancer_1",
        code={"a.sh": shell, "a.py": code, "k.pem.py": f"'''{PRIVATE_KEY}'''\n"},
        logs=logs,
        run_log=logs,
    )


@pytest.mark.parametrize("cls", ON_ATTEMPTS)
def test_no_secret_of_an_attempt_stands_in_a_check(cls, attempt):
    told = check(cls(), attempt).model_dump_json()

    assert not [secret for secret in SECRETS if secret in told]


def test_the_attempt_above_makes_detectors_show_it(attempt):
    found = [check(cls(), attempt).findings for cls in all_detectors().values()
             if cls.about.subject is SubjectKind.ATTEMPT]  # fmt: skip

    assert sum(bool(findings) for findings in found) >= 5


KINDS = [pytest.param(kind, id=kind.__name__) for kind in get_args(get_args(Evidence)[0])]


def filled(kind):
    """Build evidence of one kind with secrets in every text."""
    text = f"{PLANTED}\n{PRIVATE_KEY}"
    special = {
        "kind": None, "channel": None, "method": None, "provenance": None,
        "pairs": (RowPair(left_row=1, right_row=1),),
        "passages": (Passage(left_first=1, left_last=1, right_first=1, right_last=1,
                             similarity=1.0),),
        "ingredients": (Ingredient(source=text, weight=1.0, exact_share=1.0),),
        "marks": (Mark(what="author", value=text),),
        "answers_agree": text,
    }  # fmt: skip
    values = {}
    for name, field in kind.model_fields.items():
        if special.get(name, "") is None:
            if field.is_required():
                values[name] = get_args(field.annotation)[0]
        elif name in special:
            values[name] = special[name]
        elif field.annotation in {str, str | None}:
            values[name] = text
        elif field.annotation == tuple[str, ...]:
            values[name] = (text,)
        elif field.is_required():
            values[name] = 1
    return kind(**values)


@pytest.mark.parametrize("kind", KINDS)
def test_no_kind_of_evidence_shows_a_secret(kind):
    finding = Finding.seen(
        "x", "a", PLANTED, filled(kind), severity=Severity.LOW, confidence=Confidence.LOW
    )
    told = finding.model_dump_json()

    assert not [secret for secret in SECRETS if secret in told]
    assert kind.__name__ == "Quantity" or "[secret: " in told
