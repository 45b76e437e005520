"""What holds for every verb of the command line; import contracts are left to `make imports`."""

from __future__ import annotations

import inspect
import pkgutil
import re
import shlex
import subprocess
import sys

import pytest
import typer.main
from typer.testing import CliRunner

import audit.commands
from audit.cli import app

MODULES = [
    m.name.strip("_").replace("_", "-") for m in pkgutil.iter_modules(audit.commands.__path__)
]
TOP = typer.main.get_command(app).commands  # type: ignore[attr-defined]
GROUPS = {name: verb for name, verb in TOP.items() if hasattr(verb, "commands")}
# Every verb with its words: `vet`, and `corpus build` of a verb that has verbs of its own.
COMMANDS = {name: verb for name, verb in TOP.items() if name not in GROUPS} | {
    f"{name} {below}": verb
    for name, group in GROUPS.items()
    for below, verb in group.commands.items()
}
HEAVY = (
    "pandas",
    "numpy",
    "sklearn",
    "scipy",
    "torch",
    "jinja2",
    "pydantic",
    "statsmodels",
    "rich",
)

# One spelling per meaning: parameter -> (long name, short names).
SHARED = {
    "data_dir": ("--data-dir", set()),
    "json": ("--json", set()),
    "output": ("--output", {"-o"}),
    "document": ("--document", {"-d"}),
    "competition": ("--competition", {"-c"}),
    "jobs": ("--jobs", {"-j"}),
    "variant": ("--variant", set()),
    "fail_on": ("--fail-on", set()),
    "reveal_private": ("--reveal-private", set()),
}


def test_every_verb_of_the_architecture_that_is_here_is_offered():
    assert set(TOP) == set(MODULES)


@pytest.mark.parametrize("verb", COMMANDS)
def test_a_verb_says_what_it_does_and_gives_an_example_that_parses(verb):
    doc = inspect.getdoc(COMMANDS[verb].callback) or ""
    examples = re.findall(r"^Example: mle-audit (.+)$", doc, re.M)

    assert doc.splitlines()[0].endswith(".")
    assert len(examples) == 1
    words = shlex.split(examples[0])
    n_words = len(verb.split())
    assert words[:n_words] == verb.split()
    COMMANDS[verb].make_context(verb, words[n_words:]).close()


@pytest.mark.parametrize("verb", [*COMMANDS, *GROUPS])
def test_help_is_printed_with_its_example(verb):
    shown = CliRunner().invoke(app, [*verb.split(), "--help"])

    assert shown.exit_code == 0
    assert f"Example: mle-audit {verb}" in " ".join(shown.output.split())


@pytest.mark.parametrize("verb", COMMANDS)
def test_options_that_mean_the_same_are_spelt_the_same(verb):
    for parameter in COMMANDS[verb].params:
        if parameter.name in SHARED and parameter.param_type_name == "option":
            long, short = SHARED[parameter.name]
            assert set(parameter.opts) == {long, *short}


@pytest.mark.parametrize("verb", COMMANDS)
def test_every_option_and_argument_is_explained(verb):
    for parameter in COMMANDS[verb].params:
        if parameter.name not in {"help"}:
            assert getattr(parameter, "help", None), parameter.name


def test_no_two_options_share_a_short_name_for_another_meaning():
    meanings: dict[str, set[str]] = {}
    for command in COMMANDS.values():
        for parameter in command.params:
            for option in parameter.opts:
                if re.fullmatch(r"-\w", option):
                    meanings.setdefault(option, set()).add(parameter.name)

    assert all(len(names) == 1 for names in meanings.values()), meanings


def test_the_command_line_is_imported_without_anything_heavy():
    code = f"import sys, audit.cli; print([m for m in {HEAVY} if m in sys.modules])"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    assert loaded.stdout == "[]\n"


def test_help_of_the_whole_names_every_verb():
    shown = CliRunner().invoke(app, ["--help"])

    assert all(re.search(rf"^ +{verb} ", shown.output, re.M) for verb in MODULES)


@pytest.mark.parametrize("name", GROUPS)
def test_help_of_a_verb_with_verbs_names_each(name):
    shown = CliRunner().invoke(app, [name, "--help"])

    assert all(re.search(rf"^ +{verb} ", shown.output, re.M) for verb in GROUPS[name].commands)
