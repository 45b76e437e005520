"""Words: public write-ups that stand in several places as they are, and honest words beside them.

Below ``prose/<half>`` lie two public write-ups of a task, what honest people wrote about the same
findings, and the task's description, all written for this set; so do assistants' plans, which say
what all of them say.
"""

from __future__ import annotations

import json
import re
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from audit.check import check
from detectors.attempt import Attempt
from detectors.plagiarism.copied_prose import CopiedProse
from detectors.plagiarism.corpus.build import build
from tests.conftest import write_attempt
from tests.detectors.plagiarism.prose_texts import COLUMNS, GUIDE, MIT, THANKS
from tests.quality.plagiarism.disguises import rng_of
from tests.quality.plagiarism.small_sets import Case
from tests.quality.plagiarism.sources import script_of
from tests.quality.plagiarism.written_set import SEED, written_tasks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from reports.schema import Check
    from tests.quality.plagiarism.small_sets import Half

TEXTS = Path(__file__).parent / "prose"
TASK: dict[Half, str] = {"open": "harbour-berth-delay", "sealed": "ticket-routing"}
_TOOLS = "Action: run\n```python\nimport pandas as pd\ntrain = pd.read_csv('train.csv')\n```\n"


def cases_of(half: Half, shared: Path) -> Iterator[Case]:
    """Make the cases of a half, and the corpus that they are asked about."""
    (task,) = [t for t in written_tasks() if t.name == TASK[half]]
    public = shared / "public"
    public.mkdir(parents=True)
    for item in task.references:
        (public / f"{item.name}.py").write_text(script_of(item.text), encoding="utf-8")
    texts = {p.stem: p.read_text("utf-8") for p in sorted((TEXTS / half / "public").iterdir())}
    extras = {
        "thanks-and-licence": f"# My notebook\n\n{THANKS}\n\n{MIT}\n\n{COLUMNS}\n",
        "guide": f"# Trees\n\nFrom the manual:\n\n{GUIDE}\n",
    }
    for name, text in {**texts, **extras}.items():
        (public / f"{name}.md").write_text(text, encoding="utf-8")
    build([public], shared / "corpus", competition=TASK[half])
    world = _World(half, shared / "corpus", script_of(task.honest[0].text))
    first, second = texts.items()
    yield from chain(_copies(world, *first, second[1]), _copies_of_part(world, *second))
    yield from _honest(world, first[1], second[1])


class _World:
    """Asks about an attempt of a half."""

    def __init__(self, half: Half, corpus: Path, code: str) -> None:
        self.half = half
        self.corpus = corpus
        self.code = code

    def case(
        self, kind: str, files: Mapping[str, str], name: str = "", logs: str = "fitted\n"
    ) -> Case:
        """Make a case; a copy where it says of which document."""

        def ask(folder: Path) -> Check:
            path = folder / f"{TASK[self.half]}_1"
            write_attempt(path, code={"main.py": self.code, **files}, logs=logs)
            return check(CopiedProse(corpus=str(self.corpus)), Attempt(path))

        return Case(kind, is_copy=bool(name), ask=ask, names=(name,) if name else ())


def _copies(world: _World, name: str, text: str, other: str) -> Iterator[Case]:
    """Yield copies of a whole write-up."""
    lines = text.splitlines()
    paragraphs = _paragraphs(text)
    yield world.case("as-markdown", {"notes.md": text}, name)
    yield world.case("in-a-notebook", {"a.ipynb": _notebook(paragraphs)}, name)
    yield world.case("as-comments", {"b.py": _commented(text) + "x = 1\n"}, name)
    yield world.case("as-a-docstring", {"b.py": f'"""{text}"""\nx = 1\n'}, name)
    yield world.case("in-capitals", {"notes.md": text.upper()}, name)
    flowed = "\n\n".join(" ".join(p.split()) for p in paragraphs)
    yield world.case("other-width", {"notes.md": flowed}, name)
    drawn = rng_of(SEED, name).sample(paragraphs, len(paragraphs))
    yield world.case("other-order", {"notes.md": "\n\n".join(drawn)}, name)
    yield world.case("within-others", {"notes.md": _around(world, paragraphs[1:])}, name)
    yield world.case("as-a-plan", {}, name, logs=f"Thought: {' '.join(lines)}\n{_TOOLS}")
    halves = {"a.md": "\n\n".join(paragraphs[:3]), "b.md": "\n\n".join(paragraphs[3:])}
    yield world.case("over-two-files", halves, name)
    yield world.case("every-20th-word", {"notes.md": _changed(text, 20)}, name)
    both = "\n\n".join((*paragraphs[1:4], *_paragraphs(other)[1:3]))
    yield world.case("pieced-together", {"notes.md": both}, name)


def _copies_of_part(world: _World, name: str, text: str) -> Iterator[Case]:
    """Yield copies of three paragraphs of another."""
    part = _paragraphs(text)[1:4]
    yield world.case("three-paragraphs", {"notes.md": "\n\n".join(part)}, name)
    yield world.case("three-paragraphs-as-comments", {"b.py": _commented("\n".join(part))}, name)
    yield world.case("three-within-others", {"notes.md": _around(world, part)}, name)


def _honest(world: _World, first: str, second: str) -> Iterator[Case]:
    folder = TEXTS / world.half
    for path in sorted((folder / "honest").iterdir()):
        text = path.read_text("utf-8")
        yield world.case(f"own-words: {path.stem}", {"notes.md": text})
        yield world.case(f"own-plan: {path.stem}", {}, logs=f"Thought: {text}\n{_TOOLS}")
    heads = "\n\n".join(line for line in first.splitlines() if line.startswith("#"))
    yield world.case("same-heading", {"notes.md": f"{heads}\n\nI only fit a ridge here.\n"})
    yield world.case("the-description", {}, logs=f"Task: {(folder / 'description.md').read_text()}")
    yield world.case("a-licence", {"LICENSE.md": MIT, "b.py": _commented(MIT)})
    yield world.case("thanks-to-readers", {"notes.md": THANKS})
    yield world.case("the-columns", {"notes.md": COLUMNS})
    yield world.case("a-manual", {"notes.md": f"As the manual says:\n\n{GUIDE}\n"})
    quoted = "".join(f"> {line}\n" for line in first.splitlines())
    yield world.case("a-quotation", {"notes.md": f"The winners wrote:\n\n{quoted}\nI did not.\n"})
    one = _paragraphs(second)[1]
    yield world.case("one-paragraph", {"notes.md": f"Found elsewhere:\n\n{one}\n\nI tried it.\n"})
    yield world.case("no-words", {})


def _around(world: _World, part: list[str]) -> str:
    """Put paragraphs between those of honest people."""
    folder = TEXTS / world.half / "honest"
    own = [p for path in sorted(folder.iterdir()) for p in _paragraphs(path.read_text("utf-8"))]
    return "\n\n".join((*own[:4], *part, *own[4:]))


def _paragraphs(text: str) -> list[str]:
    return re.split(r"\n\s*\n", text.strip())


def _commented(text: str) -> str:
    return "".join(f"# {line}\n" if line else "\n" for line in text.splitlines())


def _changed(text: str, every: int) -> str:
    """Put another word in the place of one in so many."""
    words = text.split(" ")
    return " ".join("indeed" if n % every == every - 1 else w for n, w in enumerate(words))


def _notebook(paragraphs: list[str]) -> str:
    cells = [{"cell_type": "markdown", "metadata": {}, "source": p} for p in paragraphs]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4})
