"""The written pages say what is so: commands parse, links lead somewhere, nothing is stale."""

from __future__ import annotations

import importlib.util
import re
import sys

import pytest

from competitions.errors import MleAuditError
from tests.docs.pages import (
    PAGES,
    ROOT,
    Command,
    links,
    page_commands,
    parse_error,
    source_commands,
)

MAX_README_LINES = 150


@pytest.fixture(scope="module")
def generate():
    spec = importlib.util.spec_from_file_location("generate_docs", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _id(command: Command) -> str:
    return f"{command.where}: {' '.join(command.words)}"


@pytest.mark.parametrize("command", page_commands(), ids=_id)
def test_a_command_on_a_page_is_one_the_terminal_takes(command):
    assert parse_error(command.words) is None


@pytest.mark.parametrize("command", source_commands(), ids=_id)
def test_a_command_that_the_source_advises_exists(command):
    assert parse_error(command.words) is None


def test_commands_are_found_where_they_are():
    wheres = {command.where for command in page_commands()}
    advised = {command.words[0] for command in source_commands()}

    assert {"README.md", "CONTRIBUTING.md", "agents.md", "competitions.md"} <= wheres
    assert {"prepare", "run", "vet", "list", "report", "demo"} <= advised


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("teach",), id="unknown-verb"),
        pytest.param(("vet", "runs", "--quietly"), id="unknown-option"),
        pytest.param(("run", "--seeds"), id="value-missing"),
        pytest.param(("run", "--agent", "a", "-c", "b", "--seeds", "many"), id="wrong-type"),
        pytest.param(("grade-sample", "a.csv"), id="argument-missing"),
        pytest.param(("--verbose",), id="unknown-option-of-the-front"),
    ],
)
def test_a_command_the_terminal_refuses_is_told(words):
    assert parse_error(words)


def test_readme_is_short():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= MAX_README_LINES


def _anchor(title: str) -> str:
    """Name a heading as the hosting sites do."""
    kept = re.sub(r"[^\w\- ]", "", title.strip().lower())
    return kept.replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files_and_headings_that_exist(page):
    broken = []
    for link in links(page):
        path, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", link):
            continue
        target = page.parent / path if path else page
        if not target.exists():
            broken.append(link)
        elif anchor:
            headings = re.findall(r"^#+ (.+)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            if anchor not in map(_anchor, headings):
                broken.append(link)

    assert broken == []


def test_generated_pages_are_up_to_date(generate):
    assert generate.stale() == [], "run: make docs"


@pytest.mark.slow
def test_a_changed_page_is_found_stale(generate, tmp_path, monkeypatch):
    monkeypatch.setattr(generate, "DOCS", tmp_path)
    for name, text in generate.documents().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert generate.main(["--check"]) == 0

    (tmp_path / "cli.md").write_text("old", encoding="utf-8")
    (tmp_path / "errors.md").unlink()

    assert generate.stale() == ["cli.md", "errors.md"]
    assert generate.main(["--check"]) == 1
    assert generate.main([]) == 0
    assert generate.main(["--check"]) == 0


def test_every_error_has_a_code_of_its_own_and_a_heading():
    def tree(error):
        return [error, *(e for child in error.__subclasses__() for e in tree(child))]

    ours = [e for e in tree(MleAuditError) if e.__module__ == "competitions.errors"]
    codes = [error.code for error in ours]
    text = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")

    assert sorted(re.findall(r"^## (.+)$", text, re.MULTILINE)) == sorted(codes)
    assert len(set(codes)) == len(codes)


def test_every_verb_has_an_example():
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    sections = text.split("\n## mle-audit ")[1:]

    assert sections
    assert [s.split("\n")[0] for s in sections if "Example: mle-audit" not in s] == []
