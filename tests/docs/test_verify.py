"""The page for receivers of a report: its recipe gives the digest that a seal holds."""

from __future__ import annotations

import re
import typing

from audit.seal import sealed
from reports.schema import read_audit, write_audit
from reports.sealing import InputKind
from tests.docs.pages import ROOT, blocks
from tests.reports.documents import sample

PAGE = ROOT / "docs" / "verify.md"


def test_the_recipe_gives_the_digest_of_the_seal(tmp_path):
    (recipe,) = (block.text for block in blocks(PAGE, "python"))
    found: dict[str, typing.Any] = {}
    exec(recipe, found)  # noqa: S102 - our own page
    write_audit(sealed(sample(), ()), tmp_path / "audit.json")
    seal = read_audit(tmp_path / "audit.json").seal

    assert seal
    assert found["digest"]((tmp_path / "audit.json").read_text("utf-8")) == seal.document


def test_the_page_names_every_kind_of_input():
    rows = [line.split("|")[1] for line in PAGE.read_text("utf-8").splitlines() if "|" in line]
    named = {name for row in rows for name in re.findall(r"`([^`]+)`", row)}

    assert set(typing.get_args(InputKind)) <= named
