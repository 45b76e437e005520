"""Corpora that are damaged, hold tricks, or are changed by several at once or by one killed."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from competitions.errors import CorpusError, UsageError
from detectors.plagiarism.corpus import layout
from detectors.plagiarism.corpus.build import add, build, merge, remove, stats
from detectors.plagiarism.corpus.index import Corpus
from detectors.plagiarism.corpus.layout import CARD, SUBMISSIONS
from detectors.plagiarism.fingerprints import fingerprint
from tests.detectors.plagiarism.test_corpus import folder_of, script

FILES = (
    *(
        f"{channel}.{what}"
        for channel in ("code", "prose", "marks")
        for what in ("hashes", "starts", "documents", "directory", "masses", "sizes")
    ),
    "code.base",
    "prose.base",
    "entries",
    "entries.offsets",
    "texts",
    "texts.offsets",
    "null.scores",
)
REMARK = "# what is at https://www.kaggle.com/somebody/k{} says how the folds are cut and why so\n"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    place = tmp_path_factory.mktemp("whole")
    texts = {f"k{i}": REMARK.format(i) + script(i, 20) for i in range(3)}
    csv = place / "public.csv"
    csv.write_text("id,y\n1,2\n")
    build([folder_of(place / "s", **texts)], place / "c", competition="x", submissions=[csv])
    return place / "c"


@pytest.fixture
def corpus(whole, tmp_path):
    shutil.copytree(whole, tmp_path / "c")
    return tmp_path / "c"


def generation(corpus):
    return next(corpus.glob("generation-*"))


def uses(corpus, target):
    """Return all that is done with a corpus."""
    return {
        "open": lambda: Corpus.open(corpus),
        "stats": lambda: stats(corpus),
        "add": lambda: add(corpus, [corpus.parent / "c"], competition="y"),
        "merge": lambda: merge([corpus], target),
        "remove": lambda: remove(corpus, ["k1.py"]),
    }


@pytest.mark.parametrize("damage", ["missing", "empty", "half", "one-byte-less", "longer"])
@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_not_whole_is_one_clear_error(corpus, tmp_path, name, damage):
    path = generation(corpus) / name
    content = path.read_bytes()
    if damage == "missing":
        path.unlink()
    elif damage == "longer":
        path.write_bytes(content + bytes(8))
    else:
        lengths = {"empty": 0, "half": len(content) // 2, "one-byte-less": len(content) - 1}
        path.write_bytes(content[: max(0, lengths[damage])])
    if path.exists() and (path.read_bytes() == content or name.endswith(".base")):
        return  # what was empty is whole; any whole number of hashes may be base code
    for what in ("open", "merge"):
        with pytest.raises(CorpusError) as error:
            uses(corpus, tmp_path / "m")[what]()
        assert generation(corpus).name in error.value.problem
        assert error.value.remedy


@pytest.mark.parametrize("name", FILES)
def test_numbers_that_no_index_holds_crash_nothing(corpus, tmp_path, name):
    path = generation(corpus) / name
    path.write_bytes(b"\xfb" * path.stat().st_size)

    def ask():
        opened = Corpus.open(corpus)
        opened.candidates(fingerprint(script(1, 20)))
        for number in range(opened.n_documents):
            opened.document(number)

    for use in (ask, *uses(corpus, tmp_path / "m").values()):
        with contextlib.suppress(CorpusError):
            use()


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"generation": ".."}, id="outside"),
        pytest.param({"generation": "submissions"}, id="another-folder"),
        pytest.param({"competitions": [["x", 4]]}, id="more-documents"),
        pytest.param({"competitions": [["x", -3]]}, id="fewer-than-none"),
        pytest.param({"competitions": {"x": 3}}, id="no-list"),
        pytest.param(
            {"submissions": [{"competition": "x", "name": "a", "sha256": "../../secret"}]},
            id="a-submission-elsewhere",
        ),
        pytest.param({"submissions": [{"name": "a"}]}, id="a-submission-without-digest"),
        pytest.param({"scheme": {}}, id="another-scheme"),
        pytest.param({"format": 99}, id="another-version"),
    ],
)
def test_a_card_that_does_not_fit_is_one_clear_error(corpus, tmp_path, change):
    card = json.loads((corpus / CARD).read_text())
    (corpus / CARD).write_text(json.dumps(card | change))
    for use in uses(corpus, tmp_path / "m").values():
        with pytest.raises(CorpusError):
            use()


def test_a_submission_file_that_is_gone_is_told_with_what_takes_it_out(corpus, tmp_path):
    path = next((corpus / SUBMISSIONS).glob("*.csv"))
    path.unlink()
    with pytest.raises(CorpusError, match=r"public\.csv"):
        merge([corpus], tmp_path / "m")

    remove(corpus, [path.stem[:12]])
    merge([corpus], tmp_path / "m")


def test_a_copy_of_a_submission_that_broke_off_does_not_pass_for_it(corpus, tmp_path):
    (corpus / SUBMISSIONS / f"{'0' * 64}.part").write_text("id,")
    csv = tmp_path / "other.csv"
    csv.write_text("id,y\n1,3\n")
    add(corpus, [], competition="x", submissions=[csv])

    files = sorted(p.suffix for p in (corpus / SUBMISSIONS).iterdir())
    assert files == [".csv", ".csv"]


def test_pipes_and_devices_are_no_submissions(corpus, tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    for path in (tmp_path / "pipe.csv", Path("/dev/zero")):
        with pytest.raises(UsageError):
            add(corpus, [], competition="x", submissions=[path])


def test_base_code_that_cannot_be_read_is_told(tmp_path):
    source = folder_of(tmp_path / "s", k=script(1))
    os.mkfifo(tmp_path / "kit.py")
    (tmp_path / "empty").mkdir()
    for kit in ("kit.py", "empty"):
        with pytest.raises(UsageError, match="base code"):
            build([source], tmp_path / "c", base=[tmp_path / kit])
    assert not (tmp_path / "c").exists()


def test_a_folder_that_nothing_can_be_written_to_is_told(tmp_path):
    source = folder_of(tmp_path / "s", k=script(1))
    with pytest.raises(CorpusError, match="cannot be made"):
        build([source], Path("/proc/self/c"))


def _add(corpus, source):
    add(corpus, [source], competition="x")


def test_additions_at_the_same_time_are_all_there(corpus, tmp_path):
    spawn = multiprocessing.get_context("fork")
    sources = [folder_of(tmp_path / f"s{i}", **{f"n{i}": script(100 + i)}) for i in range(4)]
    at_work = [spawn.Process(target=_add, args=(corpus, s)) for s in sources]
    for one in at_work:
        one.start()
    for one in at_work:
        one.join(60)

    assert [one.exitcode for one in at_work] == [0] * 4
    assert stats(corpus).n_documents == 7
    assert len(list(corpus.glob("generation-*"))) == 1


def test_an_index_that_another_change_replaced_is_looked_for_anew(corpus, tmp_path, monkeypatch):
    """A change falls between reading the card and looking at the index that it names."""
    read = layout._card_of
    changes = [folder_of(tmp_path / f"s{i}", **{f"n{i}": script(100 + i)}) for i in range(2)]

    def read_and_change(folder):
        card = read(folder)
        if changes:
            source = changes.pop()
            with monkeypatch.context() as calm:
                calm.setattr(layout, "_card_of", read)
                add(corpus, [source], competition="x")
        return card

    monkeypatch.setattr(layout, "_card_of", read_and_change)

    assert sum(n for _, n in layout.read_card(corpus).competitions) == 5


KILLED = """
import os, signal, sys
from pathlib import Path
from detectors.plagiarism.corpus import build as module

def killed(*args, **kwargs):
    os.kill(os.getpid(), signal.SIGKILL)

setattr(module, sys.argv[1], killed)
what, corpus, source = sys.argv[2:]
if what == "add":
    module.add(Path(corpus), [Path(source)], competition="x")
else:
    module.build([Path(source)], Path(corpus), competition="x")
"""


@pytest.mark.parametrize("where", ["assemble", "write_null", "write_json"])
def test_a_killed_change_leaves_the_corpus_and_nothing_else_after_the_next(corpus, tmp_path, where):
    source = folder_of(tmp_path / "s", n=script(100))
    before = stats(corpus)
    died = subprocess.run(
        [sys.executable, "-c", KILLED, where, "add", corpus, source], check=False, timeout=60
    )

    assert died.returncode == -signal.SIGKILL
    assert stats(corpus).digest == before.digest
    assert add(corpus, [source], competition="x").n_documents == before.n_documents + 1
    left = {p.name for p in corpus.iterdir()}
    assert left == {CARD, ".lock", SUBMISSIONS, generation(corpus).name}


def test_what_a_killed_build_leaves_is_cleared_by_the_next(tmp_path):
    source = folder_of(tmp_path / "s", n=script(100))
    (tmp_path / ".c.backup").mkdir()
    died = subprocess.run(
        [sys.executable, "-c", KILLED, "write_json", "build", tmp_path / "c", source],
        check=False,
        timeout=60,
    )
    assert died.returncode == -signal.SIGKILL
    assert not (tmp_path / "c").exists()
    assert len(list(tmp_path.glob(".c.new-*"))) == 1

    build([source], tmp_path / "c")
    assert sorted(p.name for p in tmp_path.iterdir()) == [".c.backup", "c", "s"]
