"""The house around the code holds together: targets, pins, figures that pages repeat."""

from __future__ import annotations

import os
import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from detectors.base import all_detectors
from tests.docs.pages import PAGES, ROOT
from tests.quality.score import first_contacts

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = dict(re.findall(r"^([a-z-]+):.*## .*\n((?:\t.*\n)*)", MAKEFILE, re.MULTILINE))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MAX_TARGET_LINES = 3
_MAKE = re.compile(r"(?:`|^\$ |: )make ((?:[a-z]+-?[a-z]* ?)+)(?:`|#|$)", re.MULTILINE)


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_is_short(name):
    assert len(TARGETS[name].splitlines()) <= MAX_TARGET_LINES


@pytest.mark.parametrize("page", [*PAGES, ROOT / "constraints.txt"], ids=lambda page: page.name)
def test_every_target_that_a_page_names_exists(page):
    named = {
        word
        for match in _MAKE.finditer(page.read_text(encoding="utf-8"))
        for word in match[1].split()
    }

    assert named <= set(TARGETS)


def test_targets_are_found_where_they_are_named():
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    named = {word for match in _MAKE.finditer(text) for word in match[1].split()}

    assert {"setup", "demo", "check", "format", "golden", "docs"} <= named


def _pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    wanted = [Requirement(line) for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(r.name): str(r.specifier).removeprefix("==") for r in wanted}


def test_every_dependency_is_pinned_within_its_bounds():
    extras = PROJECT["optional-dependencies"]
    wanted = [
        *PROJECT["dependencies"],
        *(r for n in ("dev", "familiarity", "cluster") for r in extras[n]),
    ]
    pins = _pins()

    def is_pinned(requirement: Requirement) -> bool:
        name = canonicalize_name(requirement.name)
        return name in pins and requirement.specifier.contains(pins[name])

    wrong = [text for text in wanted if not is_pinned(Requirement(text))]

    assert wrong == []


def test_the_readme_quotes_the_newest_first_contacts():
    met = [one for name in all_detectors() for one in first_contacts(name)]
    newest = [one for one in met if one.half == "wide-sealed"]
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    found, accused = sum(one.found for one in newest), sum(one.accused for one in newest)

    assert f"found {found} of {sum(one.n_positive for one in newest)} offences" in readme
    assert f"accused {accused} of {sum(one.n_negative for one in newest)} honest" in readme


@pytest.mark.parametrize("script", ["run", "bubblewrap"])
def test_scripts_of_ci_can_be_run(script):
    assert os.access(ROOT / ".ci" / script, os.X_OK)
