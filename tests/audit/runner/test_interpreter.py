"""The agent's own interpreter: built once, offline where possible, and without answers."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.runner.bundled import is_bundled_data, remove_bundled_data
from audit.runner.distributions import closure
from audit.runner.interpreter import interpreter_for
from competitions.errors import InterpreterError


def python(interpreter, code: str) -> subprocess.CompletedProcess[str]:
    command = [str(interpreter.bin / "python"), "-I", "-c", code]
    return subprocess.run(command, check=False, capture_output=True, text=True)


def make_wheel(folder: Path, data: str = "", needs: str = "") -> Path:
    """Write a wheel by hand; with a copy of a bundled data set or a requirement if asked."""
    wheel = folder / "tinypkg-1.0-py3-none-any.whl"
    info = "tinypkg-1.0.dist-info"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("tinypkg.py", "VALUE = 42\n")
        if data:
            archive.writestr(data, "x\n")
        told = "Metadata-Version: 2.1\nName: tinypkg\nVersion: 1.0\n"
        told += f"Requires-Dist: {needs}\n" if needs else ""
        archive.writestr(f"{info}/METADATA", told)
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(f"{info}/entry_points.txt", "[console_scripts]\ntiny = tinypkg:VALUE\n")
        archive.writestr(f"{info}/RECORD", "")
    return wheel


def test_without_requirements_it_is_bare(tmp_path):
    interpreter = interpreter_for(None, [], tmp_path)
    assert python(interpreter, "import json").returncode == 0
    for package in ("pip", "numpy", "pydantic", "audit"):
        assert "ModuleNotFoundError" in python(interpreter, f"import {package}").stderr


def test_the_second_call_finds_the_first_ones_work(tmp_path):
    first = interpreter_for(None, [], tmp_path)
    (first.folder / "kept").touch()
    assert interpreter_for(None, [], tmp_path) == first
    assert (first.folder / "kept").exists()


def _instead(folder: Path) -> Path:
    """Remove a folder, so that something else can take its place."""
    shutil.rmtree(folder)
    return folder


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda folder: (folder / "bin" / "python").unlink(), id="no python"),
        pytest.param(lambda folder: (folder / "pyvenv.cfg").unlink(), id="part"),
        pytest.param(lambda folder: (folder / ".entries").write_text("many"), id="no count"),
        pytest.param(shutil.rmtree, id="gone"),
        pytest.param(lambda folder: _instead(folder).mkdir(), id="empty"),
        pytest.param(lambda folder: _instead(folder).touch(), id="a file"),
        pytest.param(lambda folder: _instead(folder).symlink_to("/nowhere"), id="a link"),
    ],
)
def test_one_that_is_whole_no_more_is_built_anew(tmp_path, damage):
    first = interpreter_for(None, [], tmp_path)
    damage(first.folder)
    assert interpreter_for(None, [], tmp_path) == first
    assert python(first, "import json").returncode == 0
    assert (first.folder / "pyvenv.cfg").is_file()


def test_bytecode_that_is_gone_is_no_damage(tmp_path):
    first = interpreter_for(None, ["pyyaml"], tmp_path)
    (first.folder / "kept").touch()
    for folder in list(first.folder.rglob("__pycache__")):
        shutil.rmtree(folder)
    interpreter_for(None, ["pyyaml"], tmp_path)
    assert (first.folder / "kept").exists()


def test_a_pipe_in_the_place_of_the_lock_stops_nobody(tmp_path):
    folder = interpreter_for(None, [], tmp_path).folder
    shutil.rmtree(folder)
    folder.with_suffix(".lock").unlink()
    os.mkfifo(folder.with_suffix(".lock"))
    assert python(interpreter_for(None, [], tmp_path), "").returncode == 0


def test_other_requirements_are_another_interpreter(tmp_path):
    bare = interpreter_for(None, [], tmp_path)
    assert interpreter_for(None, ["pyyaml"], tmp_path).folder != bare.folder


def test_two_who_want_the_same_get_the_same(tmp_path):
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: interpreter_for(None, ["pyyaml"], tmp_path), range(4)))
    assert len({i.folder for i in found}) == 1
    assert python(found[0], "import yaml").returncode == 0
    left = [p.name for p in tmp_path.iterdir() if p.is_dir()]
    assert left == [found[0].folder.name]


def test_what_is_installed_here_is_linked_and_not_copied(tmp_path):
    import yaml

    interpreter = interpreter_for(None, ["pyyaml"], tmp_path)
    (copy,) = interpreter.folder.glob("lib/python*/site-packages/yaml/__init__.py")
    ours = Path(yaml.__file__).stat()
    assert copy.read_bytes() == Path(yaml.__file__).read_bytes()
    assert copy.stat().st_ino == ours.st_ino or copy.stat().st_dev != ours.st_dev


@pytest.mark.slow  # the sandbox's tests ask the same of an agent
def test_scikit_learn_comes_without_its_data(interpreters):
    interpreter = interpreter_for(None, ["scikit-learn", "statsmodels"], interpreters)
    works = python(interpreter, "import sklearn.ensemble, statsmodels.api; print('works')")
    assert works.stdout == "works\n", works.stderr
    fails = python(interpreter, "from sklearn.datasets import *; load_breast_cancer()")
    assert fails.returncode == 1
    folders = list(interpreter.folder.glob("lib/python*/site-packages"))
    assert [p for f in folders for p in f.rglob("*.csv") if "datasets" in p.parts] == []


def test_pip_installs_what_is_not_here(tmp_path):
    data = "sklearn/datasets/data/breast_cancer.csv"
    wheel = make_wheel(tmp_path, data)
    requirement = f"tinypkg @ {wheel.as_uri()}"
    interpreter = interpreter_for(None, [requirement], tmp_path / "cache")
    assert python(interpreter, "import tinypkg; print(tinypkg.VALUE)").stdout == "42\n"
    assert list(interpreter.folder.rglob("breast_cancer.csv")) == []
    script = (interpreter.bin / "tiny").read_text()
    assert script.startswith("#!/usr/bin/env python3\n")


def test_what_is_wanted_alone_comes_without_what_it_asks_for(tmp_path):
    missing = f"nothing @ {(tmp_path / 'nothing-1.0-py3-none-any.whl').as_uri()}"
    wheel = make_wheel(tmp_path, needs=missing)
    alone = [f"tinypkg @ {wheel.as_uri()}"]
    interpreter = interpreter_for(None, [], tmp_path / "cache", alone)
    assert python(interpreter, "import tinypkg; print(tinypkg.VALUE)").stdout == "42\n"
    assert interpreter_for(None, [], tmp_path / "cache") != interpreter


def test_pips_last_words_are_told_and_nothing_is_left(tmp_path):
    missing = (tmp_path / "nothing-1.0-py3-none-any.whl").as_uri()
    with pytest.raises(InterpreterError, match="pip ended with") as caught:
        interpreter_for(None, [f"nothing @ {missing}"], tmp_path / "cache")
    assert "ERROR" in str(caught.value)
    assert "agent.yaml" in str(caught.value)
    assert [p for p in (tmp_path / "cache").iterdir() if p.is_dir()] == []


@pytest.mark.parametrize("path", ["/nowhere/python", "/bin/true"])
def test_what_is_no_python_is_refused(tmp_path, path):
    with pytest.raises(InterpreterError, match="Expected a Python interpreter"):
        interpreter_for(Path(path), [], tmp_path)


def test_a_python_that_is_named_is_used(tmp_path):
    interpreter = interpreter_for(Path(sys.executable), [], tmp_path)
    said = python(interpreter, "import sys; print(sys.prefix, sys.base_prefix)").stdout.split()
    assert said == [str(interpreter.folder), str(interpreter.base_prefix)]


@pytest.mark.parametrize(
    ("requirements", "complete"),
    [
        pytest.param(["pandas"], True, id="installed"),
        pytest.param(["pandas>=3"], True, id="fits"),
        pytest.param(["pandas<1"], False, id="other version"),
        pytest.param(["no-such-package-anywhere"], False, id="missing"),
        pytest.param(["mle-audit"], False, id="ourselves"),
    ],
)
def test_closure_says_when_only_pip_helps(requirements, complete):
    assert (closure(requirements) is not None) is complete


def test_closure_holds_what_is_needed_indirectly():
    parts = closure(["scikit-learn"])
    assert parts is not None
    assert {"scikit-learn", "numpy", "scipy", "joblib"} <= {p.name.lower() for p in parts}


@pytest.mark.parametrize(
    ("path", "is_data"),
    [
        ("sklearn/datasets/data/iris.csv", True),
        ("sklearn/datasets/images/china.jpg", True),
        ("sklearn/datasets/_base.py", False),
        ("sklearn/datasets/database.py", False),
        ("sklearn/tests/test_base.py", True),
        ("sklearn/ensemble/_forest.py", False),
        ("statsmodels/datasets/modechoice/modechoice.csv", True),
        ("statsmodels/datasets/modechoice/data.py", False),
        ("statsmodels/datasets/__init__.py", False),
        ("statsmodels/discrete/tests/results/x.csv", True),
        ("statsmodels/discrete/discrete_model.py", False),
        ("mysklearn/datasets/data/iris.csv", False),
        ("babel/locale-data/de.dat", True),
        ("babel/locale-data/LICENSE.unicode", True),
        ("babel/localedata.py", False),
        ("babel/global.dat", False),
        ("mybabel/locale-data/de.dat", False),
    ],
)
def test_bundled_data_is_told_from_code(path, is_data):
    assert is_bundled_data(path) is is_data
    assert is_bundled_data(f"lib/python3.11/site-packages/{path}") is is_data


@given(st.lists(st.sampled_from(["a", "tests", "data", "x.py", "datasets"]), min_size=1))
def test_other_packages_lose_nothing(parts):
    assert not is_bundled_data("/".join(["numpy", *parts]))


def test_removal_leaves_modules_and_takes_the_rest(tmp_path):
    site = tmp_path / "lib" / "python3.11" / "site-packages"
    keep = ["sklearn/datasets/_base.py", "statsmodels/datasets/a/data.py", "numpy/tests/t.py"]
    lose = ["sklearn/datasets/data/d.csv", "sklearn/tests/t.py", "statsmodels/datasets/a/a.csv"]
    keep += ["babel/localedata.py", "babel/global.dat"]
    lose += ["babel/locale-data/de.dat"]
    for path in [*keep, *lose]:
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).touch()
    remove_bundled_data(tmp_path)
    left = sorted(p.relative_to(site).as_posix() for p in site.rglob("*") if p.is_file())
    assert left == sorted(keep)
