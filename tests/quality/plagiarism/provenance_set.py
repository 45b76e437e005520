"""Marks of origin: forks whose text was written anew, and marks that many honest files carry.

Each half has its own authors, notebooks and disguises. Everybody's code is another work of
``notebooks/`` than the source's, so that nothing but the marks could tell.
"""

from __future__ import annotations

import json
import random
import uuid
from typing import TYPE_CHECKING, NamedTuple

from audit.check import check
from detectors.attempt import Attempt
from detectors.plagiarism.corpus.build import build
from detectors.plagiarism.shared_provenance import SharedProvenance
from tests.conftest import write_attempt
from tests.quality.plagiarism.small_sets import Case
from tests.quality.plagiarism.sources import script_of
from tests.quality.plagiarism.written_set import written_tasks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from reports.schema import Check
    from tests.quality.plagiarism.small_sets import Half

TASK: dict[Half, str] = {"open": "harbour-berth-delay", "sealed": "ticket-routing"}
N_STARTERS = 9  # people who began with one starter kit


class _Author(NamedTuple):
    """Somebody with a public notebook."""

    login: str
    name: str
    slug: str


AUTHORS: dict[Half, tuple[_Author, ...]] = {
    "open": (
        _Author("lindaquist", "Linda Quist", "tides-and-queues"),
        _Author("omarbehr", "Omar Behr", "berth-eda"),
        _Author("pkowal88", "Piotr Kowal", "lgbm-harbour"),
    ),
    "sealed": (
        _Author("saranaidoo", "Sara Naidoo", "tickets-by-tfidf"),
        _Author("tveitbjorn", "Bjorn Tveit", "router-gru"),
        _Author("mchen0x", "Mei Chen", "naive-but-fast"),
    ),
}
PYTHON = {"name": "python3", "display_name": "Python 3", "language": "python"}


def cases_of(half: Half, shared: Path) -> Iterator[Case]:
    """Make the cases of a half, and the corpus that they are asked about."""
    seed = {"open": 11, "sealed": 12}[half]
    ids = _ids(seed, 40)
    authors = AUTHORS[half]
    public = shared / "public"
    code = _codes(half)
    tag = f"ABX9TyM{seed}qLw7rN2vKcT5hPzG3s"
    for number, author in enumerate(authors):
        own = ids[6 * number : 6 * number + 6]
        said = f"# Author: {author.name}\n" if number == 0 else ""
        metadata = {"colab": {"authorship_tag": tag, "provenance": []}} if number == 1 else {}
        _kernel(public, author, _notebook(said + code[number], own, metadata=metadata), half)
    starter = ids[30:33]
    for number in range(N_STARTERS):
        one = _Author(f"starter{number}x{seed}", f"Person {number}", f"first-try-{number}")
        _kernel(public, one, _notebook(f"x = {number}\n\ny = 2\n\nprint(x)", starter), half)
    corpus = str(shared / "corpus")
    build([public], shared / "corpus", competition=TASK[half])
    world = _World(half, corpus, code[3], ids, tag, starter)
    yield from (_open_copies if half == "open" else _sealed_copies)(world)
    yield from _honest(world)
    yield from (_open_honest if half == "open" else _sealed_honest)(world)


class _World(NamedTuple):
    """What the cases of a half are made of."""

    half: Half
    corpus: str
    code: str
    ids: list[str]
    tag: str
    starter: list[str]

    @property
    def first(self) -> _Author:
        """The first author, whose notebook has the first six ids."""
        return AUTHORS[self.half][0]

    def case(
        self, kind: str, files: Mapping[str, str], slug: str = "", logs: str = "fitted\n"
    ) -> Case:
        """Make a case; a copy where it says of which document."""

        def ask(folder: Path) -> Check:
            path = folder / f"{TASK[self.half]}_1"
            write_attempt(path, code=dict(files), logs=logs)
            return check(SharedProvenance(corpus=self.corpus), Attempt(path))

        return Case(kind, is_copy=bool(slug), ask=ask, names=(slug,) if slug else ())


def _open_copies(world: _World) -> Iterator[Case]:
    ids, code, first = world.ids, world.code, world.first
    own = _ids(90, 6)
    slug = first.slug
    yield world.case("all-cells", {"a.ipynb": _notebook(code, ids[:6])}, slug)
    yield world.case("other-order", {"a.ipynb": _notebook(code, ids[5::-1])}, slug)
    yield world.case("half-the-cells", {"a.ipynb": _notebook(code, [*own[:3], *ids[:3]])}, slug)
    yield world.case("one-cell", {"a.ipynb": _notebook(code, [*own[:4], ids[2]])}, slug)
    yield world.case("capitals", {"a.ipynb": _notebook(code, [i.upper() for i in ids[:4]])}, slug)
    yield world.case("beside-others", {"a.py": code, "b/c.ipynb": _notebook(code, ids[:6])}, slug)
    yield world.case("name-left", {"a.py": f"# Author: {first.name}\n{code}"}, slug)
    yield world.case("colab-tag", {"a.ipynb": _colab(code, world.tag)}, AUTHORS["open"][1].slug)


def _sealed_copies(world: _World) -> Iterator[Case]:
    ids, code, first = world.ids, world.code, world.first
    own = _ids(91, 6)
    slug = first.slug
    upgraded = _notebook(code, ids[:6], minor=5)
    yield world.case("newer-format", {"a.ipynb": upgraded}, slug)
    yield world.case("two-cells", {"a.ipynb": _notebook(code, [*own[:4], *ids[3:5]])}, slug)
    mixed = _notebook(code, [ids[0], *own[:2], ids[7], ids[8]])
    yield world.case("pieced-together", {"a.ipynb": mixed}, AUTHORS["sealed"][1].slug)
    plain = _notebook(code, [i.replace("-", "") for i in ids[:4]])
    yield world.case("without-dashes", {"a.ipynb": plain}, slug)
    said = f'"""Tickets.\n\nAuthor: {first.name}\n"""\n{code}'
    yield world.case("name-in-a-docstring", {"a.py": said}, slug)
    dunder = f'__author__ = "{first.name}"\n{code}'
    yield world.case("dunder-author", {"a.py": dunder}, slug)
    log = f"I saved this notebook:\n{_notebook(code, ids[:6])}\n"
    yield world.case("colab-tag", {"a.ipynb": _colab(code, world.tag)}, AUTHORS["sealed"][1].slug)
    yield world.case("notebook-in-the-logs", {"a.py": code}, slug, logs=log)


def _honest(world: _World) -> Iterator[Case]:
    """Yield what is honest in both halves."""
    own, code, first = _ids(70 + len(world.half), 6), world.code, world.first
    template = ("b1076dfc-b9ad-4769-8c92-a6c4dae69d19", "8f2839f25d086af736a60e9eeb907d3b93b6e0e5")
    yield world.case("ids-of-its-own", {"a.ipynb": _notebook(code, own)})
    yield world.case("no-marks", {"a.py": code})
    yield world.case("kaggles-template", {"a.ipynb": _notebook(code, [*template, *own[2:]])})
    yield world.case("starter-kit", {"a.ipynb": _notebook(code, [*world.starter, *own[3:]])})
    yield world.case("its-own-name", {"a.py": f"# Author: Agent Seven\n{code}"})
    yield world.case(
        "a-given-name-alike", {"a.py": f"# Author: {first.name.split()[0]} Q.\n{code}"}
    )
    data = f"# data: https://www.kaggle.com/datasets/{first.login}/harbour-weather\n{code}"
    yield world.case("their-data-set", {"a.py": data})
    short = f"# data: https://www.kaggle.com/{first.login}/weather-by-hour\n{code}"
    yield world.case("their-data-set-as-it-was-written-once", {"a.py": short})
    task = f"# https://www.kaggle.com/competitions/{TASK[world.half]}/data\n{code}"
    yield world.case("the-task", {"a.py": task})


def _open_honest(world: _World) -> Iterator[Case]:
    code, first = world.code, world.first
    yield world.case("a-library", {"a.py": f"# see github.com/microsoft/LightGBM\n{code}"})
    yield world.case("a-guide", {"a.py": f"# https://scikit-learn.org/stable/modules\n{code}"})
    yield world.case("ids-that-count", {"a.ipynb": _notebook(code, ["1", "2", "3", "4"])})
    path = f'x = pd.read_csv("/kaggle/input/{first.slug}/train.csv")\n{code}'
    yield world.case("a-path-of-that-name", {"a.py": path})
    yield world.case(
        "the-kernels-name", {"a.ipynb": _notebook(code, [], metadata={"kernelspec": PYTHON})}
    )


def _sealed_honest(world: _World) -> Iterator[Case]:
    code, first = world.code, world.first
    said = f"# Data set author: {first.name}\n{code}"
    yield world.case("the-author-of-the-data", {"a.py": said})
    credit = f"# The weather table was created by {first.name}, many thanks\n{code}"
    yield world.case("thanks-for-a-table", {"a.py": credit})
    quoted = f'authors = ["{first.name}", "Ann Other"]  # of the tickets\n{code}'
    yield world.case("a-name-among-the-data", {"a.py": quoted})
    feature = f'df["author"] = df["author"].fillna("{first.name}")\n{code}'
    yield world.case("a-column-called-author", {"a.py": feature})
    yield world.case("ids-of-eight-letters", {"a.ipynb": _notebook(code, ["a1b2c3d4"] * 4)})
    empty = _notebook(code, ["00000000-0000-0000-0000-000000000000"] * 3)
    yield world.case("an-empty-id", {"a.ipynb": empty})
    yield world.case(
        "a-profile", {"a.py": f"# follow https://www.kaggle.com/{first.login}\n{code}"}
    )


def _codes(half: Half) -> list[str]:
    """Return four works of a task, cells parted by an empty line."""
    (task,) = [t for t in written_tasks() if t.name == TASK[half]]
    return [script_of(item.text) for item in (*task.references, *task.honest)][:4]


def _ids(seed: int, n: int) -> list[str]:
    draw = random.Random(seed)  # noqa: S311 - repeatable, no secret
    return [str(uuid.UUID(int=draw.getrandbits(128), version=4)) for _ in range(n)]


def _notebook(
    text: str, ids: Sequence[str], *, minor: int = 2, metadata: Mapping[str, object] | None = None
) -> str:
    cells = []
    for number, part in enumerate(text.split("\n\n")):
        own = {"_cell_guid": ids[number], "_uuid": None} if number < len(ids) else {}
        named = {"id": format(number, "08x")} if minor >= 5 else {}
        cells.append({"cell_type": "code", "metadata": own, "outputs": [], "source": part, **named})
    body = {"cells": cells, "metadata": metadata or {}, "nbformat": 4, "nbformat_minor": minor}
    return json.dumps(body)


def _colab(code: str, tag: str) -> str:
    return _notebook(code, [], metadata={"colab": {"authorship_tag": tag, "provenance": []}})


def _kernel(folder: Path, author: _Author, text: str, half: Half) -> None:
    """Write a notebook as Kaggle's client downloads it."""
    place = folder / author.slug
    place.mkdir(parents=True)
    (place / f"{author.slug}.ipynb").write_text(text, encoding="utf-8")
    metadata = {
        "id": f"{author.login}/{author.slug}",
        "title": author.slug,
        "code_file": f"{author.slug}.ipynb",
        "language": "python",
        "kernel_type": "notebook",
        "competition_sources": [TASK[half]],
    }
    (place / "kernel-metadata.json").write_text(json.dumps(metadata), encoding="utf-8")
