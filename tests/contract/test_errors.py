"""What holds for every error class."""

from __future__ import annotations

import importlib
import pkgutil
import re

import pytest

import audit
import competitions
import detectors
import reports
from competitions import errors
from competitions.errors import MleAuditError

for package in (audit, competitions, detectors, reports):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.startswith("audit.agents."):
            importlib.import_module(module.name)  # so that every subclass is known


def below(cls: type[MleAuditError]) -> list[type[MleAuditError]]:
    return [cls, *(deeper for sub in cls.__subclasses__() for deeper in below(sub))]


CLASSES = [pytest.param(cls, id=cls.__name__) for cls in below(MleAuditError)]


@pytest.mark.parametrize("cls", CLASSES)
def test_an_error_lives_in_the_one_tree_and_says_what_it_is(cls):
    assert cls.__module__ == "competitions.errors"
    assert cls.__name__.endswith("Error")
    assert cls.__doc__
    assert cls.__doc__.splitlines()[0].endswith(".")
    assert re.search(rf"^ *[│├└─ ]*{cls.__name__}\b", errors.__doc__ or "", re.M)


def test_the_tree_draws_no_error_that_is_not_there():
    drawn = set(re.findall(r"^ *(?:[│├└─ ]*)(\w+Error)\b", errors.__doc__ or "", re.M))

    assert drawn == {cls.__name__ for cls in below(MleAuditError)}


@pytest.mark.parametrize("cls", CLASSES)
def test_an_error_ends_with_2_or_3(cls):
    assert cls.exit_code in {2, 3}
    assert (cls.exit_code == 2) is issubclass(cls, errors.UsageError)


def test_codes_are_kebab_case_and_their_own():
    codes = [cls.code for cls in below(MleAuditError)]

    assert len(set(codes)) == len(codes)
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", code) for code in codes)
