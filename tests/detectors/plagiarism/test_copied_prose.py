"""Words of public write-ups in an attempt, and all the words that two honest people share."""

from __future__ import annotations

import json

import pytest

from audit.check import check
from detectors.attempt import Attempt
from detectors.plagiarism.copied_prose import CopiedProse
from detectors.plagiarism.corpus.build import build
from reports.schema import Confidence, Outcome, Severity
from tests.conftest import write_attempt
from tests.detectors.plagiarism.prose_texts import (
    COLUMNS,
    DESCRIPTION,
    GUIDE,
    HONEST,
    MIT,
    THANKS,
    WRITE_UP,
)
from tests.detectors.plagiarism.texts import OTHER, SOLUTION

TASK = "spaceship-titanic"


def notebook(*cells: str) -> str:
    made = [
        {"cell_type": "markdown", "metadata": {}, "source": cell}
        if not cell.startswith("import ")
        else {"cell_type": "code", "metadata": {}, "outputs": [], "source": cell}
        for cell in cells
    ]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def commented(text: str) -> str:
    return "\n".join(f"# {line}" if line.strip() else "x = 1" for line in text.split("\n"))


SNIPPET = """def encode(trn, tst, target, weight):
    # compute the mean of the target and the count of rows for every category of the column
    averages = target.groupby(trn).agg(["mean", "count"])
    # compute the smoothing weight, which grows with the number of rows of the category
    share = 1 / (1 + np.exp(-(averages["count"] - weight) / 10))
    # apply the average to all rows: the bigger the count the less the overall mean counts
    overall = target.mean()
    # merging does not keep the index of the series, so that it has to be restored afterwards
    return trn.map(averages["mean"]), tst.map(averages["mean"]).fillna(overall), share
"""
PUBLIC = {
    "winner.md": WRITE_UP,
    "guide.ipynb": notebook(f"# Trees\n\n{GUIDE}", "import sklearn\n", THANKS),
    "task.ipynb": notebook(DESCRIPTION, COLUMNS, "import pandas\n", THANKS),
    "encoding.py": SNIPPET,
    "licensed.py": f"{commented(MIT)}\n{OTHER}",
    "simple.ipynb": notebook(
        "# First steps\n\nLet us load the data and look at its first rows. Then we train a model "
        "and make a submission file. We check for missing values and fill them in with the median."
    ),
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("given") / "public"
    folder.mkdir()
    for name, text in PUBLIC.items():
        (folder / name).write_text(text)
    build([folder], folder.parent / "corpus", competition=TASK)
    return str(folder.parent / "corpus")


def asked(path, corpus, **settings):
    return check(CopiedProse(corpus=corpus, **settings), Attempt(path))


def journal(plan: str) -> str:
    return json.dumps({"nodes": [{"step": 0, "plan": plan, "code": "print(1)"}]}, indent=1)


def messages(role: str, text: str) -> str:
    return json.dumps([{"role": role, "content": text}, {"role": "assistant", "content": "Done."}])


COPIES = [
    pytest.param({"code": {"a.ipynb": notebook(WRITE_UP)}}, id="markdown-cells"),
    pytest.param({"code": {"a.py": commented(WRITE_UP), "b.py": SOLUTION}}, id="comments"),
    pytest.param({"code": {"a.py": f'"""{WRITE_UP}"""\n{SOLUTION}'}}, id="docstring"),
    pytest.param({"code": {"a.py": SOLUTION, "README.md": WRITE_UP}}, id="notes-beside-the-code"),
    pytest.param({"code": {"a.ipynb": notebook(HONEST, WRITE_UP, HONEST)}}, id="within-own-words"),
    pytest.param(
        {"code": {"a.py": commented(WRITE_UP.upper().replace(",", ""))}}, id="case-and-commas"
    ),
    pytest.param(
        {
            "code": {
                f"{i}.py": commented(part) + "\n" + SOLUTION
                for i, part in enumerate(WRITE_UP.split("\n\n"))
            }
        },
        id="spread-over-files",
    ),
    pytest.param(
        {"code": {"a.ipynb": notebook("\n\n".join(reversed(WRITE_UP.split("\n\n"))))}},
        id="paragraphs-in-another-order",
    ),
    pytest.param(
        {"code": {"a.ipynb": notebook(" ".join(WRITE_UP.split()))}}, id="all-in-one-paragraph"
    ),
    pytest.param(
        {"code": {"a.ipynb": notebook(WRITE_UP.replace("passenger", "p\u0430ssenger\u200b"))}},
        id="letters-that-look-alike",
    ),
]


@pytest.mark.parametrize("files", COPIES)
def test_copied_words_are_told(files, corpus, tmp_path):
    write_attempt(tmp_path / f"{TASK}_1", **files)
    answer = asked(tmp_path / f"{TASK}_1", corpus)

    assert answer.outcome is Outcome.FLAGGED
    (finding,) = answer.findings
    evidence = finding.evidence[0]
    assert evidence.source == "winner.md"
    assert evidence.channel == "prose"
    assert finding.severity >= Severity.MEDIUM
    assert evidence.passages
    assert evidence.longest_run >= 15


IN_LOGS = [
    pytest.param({"journal.json": journal(WRITE_UP)}, id="plan-of-a-journal"),
    pytest.param({"a.jsonl": json.dumps({"thought": WRITE_UP}) + "\n{}\n"}, id="json-lines"),
    pytest.param({"a.json": messages("assistant", WRITE_UP)}, id="message-of-the-agent"),
    pytest.param(
        {"a.log": f"Thought: {WRITE_UP.replace(chr(10) * 2, chr(10))}\nAction: ls\n"},
        id="thought-in-plain-text",
    ),
    pytest.param({"report.md": WRITE_UP}, id="report"),
]


@pytest.mark.parametrize("logs", IN_LOGS)
def test_words_that_only_the_logs_show_are_told_as_such(logs, corpus, tmp_path):
    write_attempt(tmp_path / f"{TASK}_1", code=SOLUTION, logs=logs)
    (finding,) = asked(tmp_path / f"{TASK}_1", corpus).findings

    assert all(e.only_in_trajectory for e in finding.evidence)
    assert finding.message.startswith("The logs tell")


HONEST_ONES = [
    pytest.param({"code": {"a.ipynb": notebook(HONEST)}}, id="own-words-about-the-same-task"),
    pytest.param({"code": {"a.ipynb": notebook(HONEST, GUIDE)}}, id="the-same-guide-quoted"),
    pytest.param({"code": {"a.py": f"{commented(MIT)}\n{SOLUTION}"}}, id="licence-header"),
    pytest.param({"code": {"a.ipynb": notebook(HONEST, THANKS)}}, id="thanks-and-votes"),
    pytest.param({"code": {"a.ipynb": notebook(HONEST, COLUMNS)}}, id="what-columns-mean"),
    pytest.param(
        {"code": {"a.ipynb": notebook(HONEST, "\n".join(f"> {x}" for x in WRITE_UP.split("\n")))}},
        id="quotation-marked-as-one",
    ),
    pytest.param(
        {"code": {"a.ipynb": notebook(HONEST, "\n\n".join(WRITE_UP.split("\n\n")[1:3]))}},
        id="two-paragraphs-quoted",
    ),
    pytest.param(
        {"code": SOLUTION, "logs": "$ cat winner.md\n" + WRITE_UP}, id="printed-by-a-tool"
    ),
    pytest.param(
        {"code": SOLUTION, "logs": {"a.json": messages("user", WRITE_UP)}}, id="told-by-the-user"
    ),
    pytest.param(
        {
            "code": {"a.ipynb": notebook(HONEST, DESCRIPTION)},
            "logs": {"a.json": messages("system", DESCRIPTION)},
        },
        id="instructions-repeated",
    ),
    pytest.param({"code": {"a.py": "# " + "\n# ".join(SOLUTION.split("\n"))}}, id="code-put-aside"),
    pytest.param({"code": {"a.py": SNIPPET + SOLUTION}}, id="a-snippet-that-goes-around"),
    pytest.param({"code": {"a.py": SOLUTION}}, id="no-words-at-all"),
]


@pytest.mark.parametrize("files", HONEST_ONES)
def test_honest_words_accuse_nobody(files, corpus, tmp_path):
    write_attempt(tmp_path / f"{TASK}_1", **files)
    answer = asked(tmp_path / f"{TASK}_1", corpus)

    assert answer.outcome is Outcome.CLEAN
    assert all(f.severity is Severity.NOTE for f in answer.findings)


def test_the_description_beside_the_data_counts_for_nothing(corpus, tmp_path):
    public = tmp_path / "data" / TASK / "prepared" / "public"
    public.mkdir(parents=True)
    (public / "description.md").write_text(DESCRIPTION)
    write_attempt(tmp_path / f"{TASK}_1", code={"a.ipynb": notebook(HONEST, DESCRIPTION)})

    assert asked(tmp_path / f"{TASK}_1", corpus).findings
    assert not asked(tmp_path / f"{TASK}_1", corpus, data=str(tmp_path / "data")).findings


def test_two_long_paragraphs_are_a_note_of_low_confidence(corpus, tmp_path):
    part = "\n\n".join(WRITE_UP.split("\n\n")[3:5])
    write_attempt(tmp_path / f"{TASK}_1", code={"a.ipynb": notebook(HONEST, part)})
    (finding,) = asked(tmp_path / f"{TASK}_1", corpus).findings

    assert (finding.severity, finding.confidence) == (Severity.NOTE, Confidence.LOW)


def test_what_many_solutions_say_accuses_nobody(tmp_path):
    folder = tmp_path / "public"
    folder.mkdir()
    for i in range(25):
        (folder / f"{i}.ipynb").write_text(notebook(DESCRIPTION, f"Own words number {i}."))
    build([folder], tmp_path / "corpus", competition=TASK)
    write_attempt(tmp_path / f"{TASK}_1", code={"a.ipynb": notebook(HONEST, DESCRIPTION)})

    assert not asked(tmp_path / f"{TASK}_1", str(tmp_path / "corpus")).findings


def test_what_solutions_of_other_tasks_say_accuses_nobody(tmp_path):
    for task in (TASK, "another-task"):
        (tmp_path / task).mkdir()
        (tmp_path / task / "a.ipynb").write_text(
            notebook(GUIDE.replace(". ", ".\n\n"), f"For {task}")
        )
    from detectors.plagiarism.corpus.build import add

    build([tmp_path / TASK], tmp_path / "corpus", competition=TASK)
    add(tmp_path / "corpus", [tmp_path / "another-task"], competition="another-task")
    write_attempt(
        tmp_path / f"{TASK}_1", code={"a.ipynb": notebook(HONEST, GUIDE.replace(". ", ".\n\n"))}
    )

    assert not asked(tmp_path / f"{TASK}_1", str(tmp_path / "corpus")).findings


@pytest.mark.parametrize("folder", ["", "/nowhere/corpus"])
def test_without_a_corpus_nothing_is_clean(folder, tmp_path):
    write_attempt(tmp_path / f"{TASK}_1", code={"a.ipynb": notebook(WRITE_UP)})
    answer = asked(tmp_path / f"{TASK}_1", folder)

    assert (answer.outcome, answer.missing) == (Outcome.NOT_AVAILABLE, "corpus")


def test_logs_without_code_are_not_clean(corpus, tmp_path):
    write_attempt(tmp_path / f"{TASK}_1", code={}, logs={"journal.json": journal(HONEST)})

    assert asked(tmp_path / f"{TASK}_1", corpus).outcome is Outcome.NOT_AVAILABLE


def test_lines_of_comments_are_those_of_the_file(corpus, tmp_path):
    code = f"{SOLUTION}\n{commented(WRITE_UP)}\n"
    write_attempt(tmp_path / f"{TASK}_1", code={"a.py": code})
    (finding,) = asked(tmp_path / f"{TASK}_1", corpus).findings

    evidence = finding.evidence[0]
    first = evidence.passages[0].left_first
    assert code.split("\n")[first - 1].startswith("# ")
    assert evidence.left_text == code


def test_documents_that_hold_the_same_are_told_once(tmp_path):
    folder = tmp_path / "public"
    folder.mkdir()
    for i in range(3):
        (folder / f"fork{i}.md").write_text(f"{WRITE_UP}\n\nFork number {i} of the same words.")
    for i in range(9):
        (folder / f"own{i}.md").write_text(f"{HONEST.split('.')[i % 5]} said by number {i}.")
    build([folder], tmp_path / "corpus", competition=TASK)
    write_attempt(tmp_path / f"{TASK}_1", code={"a.ipynb": notebook(WRITE_UP)})
    (finding,) = asked(tmp_path / f"{TASK}_1", str(tmp_path / "corpus")).findings

    assert "2 other documents" in finding.message
