"""What holds for every detector, whatever it is given."""

from __future__ import annotations

import dataclasses
import os
import re
import tempfile
from pathlib import Path

import pytest

from audit.check import check
from competitions import spec as specs
from competitions.io import sha256_bytes
from competitions.prepare import prepare
from detectors.attempt import Attempt
from detectors.base import FAMILIES, all_detectors, detector, family_of, parameters_of, register
from detectors.group import Group
from detectors.model import Model
from detectors.task import Task
from reports.schema import Outcome, SubjectKind
from tests.conftest import write_attempt
from tests.contract.hostile import ATTEMPTS, MARK

DETECTORS = [pytest.param(cls, id=name) for name, cls in all_detectors().items()]
NOBODY = 65534


def tree(folder: Path) -> str:
    """Digest of names, kinds, sizes, times and contents, special files included."""
    lines = []
    for root, folders, files in os.walk(folder):
        for name in sorted(folders + files):
            path = Path(root, name)
            stat = path.lstat()
            is_plain = path.is_file() and not path.is_symlink()
            content = sha256_bytes(path.read_bytes()) if is_plain else ""
            lines.append(f"{os.fsencode(path)!r} {stat.st_mode} {stat.st_mtime_ns} {content}")
    return sha256_bytes("\n".join(sorted(lines)).encode())


@pytest.fixture(scope="module")
def subjects(tmp_path_factory):
    """One subject of each kind."""
    folder = tmp_path_factory.mktemp("subjects")
    spec = specs.load("breast-cancer")
    code = "open('/private/answers.csv')\n"
    logs = "$ cat /private/answers.csv\nid,malignant\n1,0\n"
    return {
        SubjectKind.ATTEMPT: write_attempt(folder / "breast-cancer_1", code=code, logs=logs),
        SubjectKind.TASK: Task(spec, prepare(spec, folder / "data").folder),
        SubjectKind.MODEL: Model("m", "nowhere", spec),
        SubjectKind.GROUP: Group("g"),
    }


def test_there_are_detectors():
    assert {"answers-read", "exact-row-overlap"} <= set(all_detectors())


@pytest.mark.parametrize("cls", DETECTORS)
def test_a_detector_is_built_without_arguments_and_cannot_be_changed(cls):
    instance = cls()

    assert dataclasses.is_dataclass(instance)
    assert instance == cls()
    for field in dataclasses.fields(instance):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(instance, field.name, 0)


@pytest.mark.parametrize("cls", DETECTORS)
def test_parameters_are_scalars_and_documented(cls):
    for name, value in parameters_of(cls()).items():
        assert isinstance(value, bool | int | float | str)
        assert re.search(rf"^ +{name} : .*default={re.escape(str(value))}", cls.__doc__, re.M)


@pytest.mark.parametrize("cls", DETECTORS)
def test_the_card_is_complete(cls):
    about = cls.about

    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", about.id)
    assert cls.__module__ == f"detectors.{family_of(cls)}.{about.id.replace('-', '_')}"
    assert family_of(cls) in FAMILIES
    assert about.asks.endswith("?")
    assert about.blind_spots.endswith(".")
    assert about.reference.startswith("https://")
    assert about.subject in SubjectKind


@pytest.mark.parametrize("cls", DETECTORS)
def test_every_subject_of_another_kind_is_not_applicable(cls, subjects):
    for kind, subject in subjects.items():
        if kind is not cls.about.subject:
            assert check(cls(), subject).outcome is Outcome.NOT_APPLICABLE


@pytest.mark.parametrize("cls", DETECTORS)
def test_the_same_subject_gives_the_same_check_and_stays_as_it_was(cls, subjects):
    subject = subjects[cls.about.subject]
    folder = next(s.path for s in subjects.values() if isinstance(s, Attempt)).parent
    before = tree(folder)
    fresh = Attempt(subject.path) if isinstance(subject, Attempt) else subject
    first, second = (
        check(cls(), s).model_copy(update={"duration_s": 0.0}) for s in (subject, fresh)
    )

    assert first == second
    assert tree(folder) == before


def test_two_detectors_cannot_have_one_id():
    first = next(iter(all_detectors().values()))
    twin = type("Twin", (), {"about": first.about, "__module__": "detectors.rules.twin"})

    with pytest.raises(ValueError, match=r"detectors\.rules\.twin"):
        register(twin)


def test_an_unknown_detector_is_told_with_near_names():
    with pytest.raises(Exception, match="answers-read"):
        detector("answers-reed")


ON_ATTEMPTS = [
    pytest.param(cls, id=name)
    for name, cls in all_detectors().items()
    if cls.about.subject is SubjectKind.ATTEMPT
]


HEAVY = frozenset({"here-documents", "notebook-bomb", "long-line", "doubling-shell"})
HOSTILE = [
    pytest.param(name, id=name, marks=[pytest.mark.slow] if name in HEAVY else [])
    for name in ATTEMPTS
]


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("cls", ON_ATTEMPTS)
def test_a_hostile_attempt_gives_an_outcome(cls, hostile, tmp_path, monkeypatch):
    (tmp_path / "attempts").mkdir()
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "attempts" / f"breast-cancer_{hostile}"
    ATTEMPTS[hostile](path)
    before = tree(tmp_path)
    result = check(cls(), Attempt(path))

    assert result.outcome is not Outcome.FAILED, result.reason
    assert result.model_dump_json().encode()
    assert tree(tmp_path) == before
    assert not list(tmp_path.rglob(MARK))


@pytest.mark.parametrize(
    "hostile", ["empty", "no-code", "no-logs", "empty-files", "linked-folders"]
)
@pytest.mark.parametrize("cls", ON_ATTEMPTS)
def test_an_attempt_without_its_evidence_is_never_clean(cls, hostile, tmp_path):
    path = tmp_path / "breast-cancer_1"
    ATTEMPTS[hostile](path)

    attempt = Attempt(path)
    answer = check(cls(), attempt)
    gap = attempt.gap(cls.about.needs)

    assert answer.outcome in {Outcome.NOT_AVAILABLE, Outcome.NOT_APPLICABLE}
    if gap is not None and answer.outcome is not Outcome.NOT_APPLICABLE:
        assert answer.missing in cls.about.needs


@pytest.mark.parametrize("hostile", ["links-out", "linked-folders"])
@pytest.mark.parametrize("cls", ON_ATTEMPTS)
def test_nothing_outside_the_attempt_is_read(cls, hostile, tmp_path):
    path = tmp_path / "breast-cancer_1"
    ATTEMPTS[hostile](path)

    assert check(cls(), Attempt(path)).findings == ()


@pytest.fixture
def as_nobody():
    """A folder that anyone may enter, and this process as a user to whom permissions apply."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder, lambda: os.seteuid(NOBODY) if os.geteuid() == 0 else None
        if os.getuid() == 0:
            os.seteuid(0)
        for path in [p for p in folder.rglob("*") if p.is_dir()]:
            path.chmod(0o755)


@pytest.mark.parametrize(
    ("name", "mode"),
    [
        ("code/a.py", 0o000), ("logs/a.log", 0o000), ("run.log", 0o000), ("code/sub", 0o000),
        ("logs/sub", 0o000), ("code/sub", 0o444), ("logs/sub", 0o444),  # listed but not entered
    ],
)  # fmt: skip
@pytest.mark.parametrize("cls", ON_ATTEMPTS)
def test_a_file_or_folder_that_may_not_be_read_is_told(cls, name, mode, as_nobody):
    folder, become_nobody = as_nobody
    path = folder / "breast-cancer_1"
    write_attempt(
        path, code={"a.py": "x = 1\n", "sub/b.py": "x = 1\n", "c.py": "x = 1\n"},
        logs={"a.log": "x\n", "sub/b.log": "x\n", "c.log": "x\n"}, run_log="x\n",
    )  # fmt: skip
    check(cls(), Attempt(path))  # so that everything nobody may not import is imported
    (path / name).chmod(mode)
    become_nobody()
    result = check(cls(), Attempt(path))

    if result.outcome is Outcome.NOT_APPLICABLE:  # it asks of the record, and there is none
        assert cls().applies(Attempt(path)) is not None
    elif name.startswith(tuple(cls.about.needs)) or (
        name == "run.log" and "logs" in cls.about.needs
    ):
        assert result.outcome is Outcome.NOT_AVAILABLE
        assert name in (result.reason or "")
        assert "Permission denied" in (result.reason or "")
