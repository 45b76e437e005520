"""What scores pairs of files: the product, and its peers in an environment of their own.

The peers live in a folder that the user names, made once by hand::

    cd PEERS && npm install @dodona/dolos-lib@3.5
    python3 -m venv venv && venv/bin/pip install copydetect==0.5.0

Neither reads notebooks, so each gets every file as a script with the same code; that costs their
users a conversion, which the quality runs leave out and the speed run counts.
A tool may offer several readings of a pair; the one that does best is quoted, for the peers' sake.
"""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from detectors.plagiarism.corpus.build import add, build
from detectors.plagiarism.corpus.index import Corpus
from detectors.plagiarism.documents import document_from
from detectors.plagiarism.fingerprints import fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tests.quality.plagiarism.material import Asked

HERE = Path(__file__).parent / "peers"
TIMEOUT_S = 3600


class Pair(NamedTuple):
    """A reference and a query of one task, by their names."""

    task: str
    source: str
    query: str


Scores = dict[str, dict[Pair, float]]
"""Scores of pairs by reading."""


class Tool(Protocol):
    """Scores the pairs that queries name."""

    @property
    def name(self) -> str:
        """What it is called in tables."""

    def score_pairs(self, asked: Sequence[Asked]) -> Scores:
        """Score each query against what it is to be held against."""


def pairs_of(one: Asked) -> list[Pair]:
    """List the pairs of one task."""
    return [Pair(one.task, source, q.file.name) for q in one.queries for source in q.against]


@dataclass(frozen=True)
class Ours:
    """A corpus of the references, asked with each query.

    Parameters
    ----------
    folder : Path
        Where the corpus is built.
    """

    folder: Path
    name: str = "mle-audit"

    def corpus(self, asked: Sequence[Asked]) -> Corpus:
        """Build the corpus, or open the one that is there."""
        if not self.folder.exists():
            for n, one in enumerate(asked):
                sources = [one.references[0].path.parent]
                if n:
                    add(self.folder, sources, competition=one.task)
                else:
                    build(sources, self.folder, competition=one.task)
        return Corpus.open(self.folder)

    def score_pairs(self, asked: Sequence[Asked]) -> Scores:
        """See `Tool.score_pairs`."""
        corpus = self.corpus(asked)
        found: dict[Pair, float] = {}
        for one in asked:
            names = {d: Path(corpus.entry(d).name).stem for d in corpus.docs_of(one.task)}
            for query in one.queries:
                scores = dict(_scores(corpus, query.file.path, one.task))
                by_name = {names[d]: score for d, score in scores.items()}
                for source in query.against:
                    pair = Pair(one.task, source, query.file.name)
                    found[pair] = by_name.get(source, 0.0)
        return {"score": found}


def _scores(corpus: Corpus, path: Path, task: str) -> Iterator[tuple[int, float]]:
    document = document_from(path.name, path.read_bytes())
    hashes = fingerprint(document.code, document.language).kept
    shared = corpus.shared(hashes, task)
    yield from zip(shared.documents.tolist(), shared.scores.tolist(), strict=True)


class Run(NamedTuple):
    """What a peer's script answered."""

    results: list[list[dict[str, float]]]
    seconds: float
    peak_bytes: int


@dataclass(frozen=True)
class Peer:
    """A tool that runs in its own process, a job on standard input.

    Parameters
    ----------
    command : tuple of str
        What runs the script.
    settings : dict
        What goes into the job besides the files.
    """

    name: str
    command: tuple[str, ...]
    settings: dict[str, int]

    def run(self, groups: Iterable[tuple[list[str], list[tuple[int, int]] | None]]) -> Run:
        """Run it over groups of files; pairs of None asks for all.

        Raises
        ------
        RuntimeError
            When it ended with an error.
        """
        job = self.settings | {"groups": [{"files": f, "pairs": p} for f, p in groups]}
        done = subprocess.run(
            self.command,
            input=json.dumps(job),
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{self.name} ended with {done.returncode}: {done.stderr[-500:]}")
        answer = json.loads(done.stdout.splitlines()[-1])
        return Run(answer["results"], answer["seconds"], answer["peak"])

    def score_pairs(self, asked: Sequence[Asked]) -> Scores:
        """See `Tool.score_pairs`."""
        groups = [_group(one) for one in asked]
        results = self.run(groups).results
        found: Scores = {}
        for one, values in zip(asked, results, strict=True):
            for pair, readings in zip(pairs_of(one), values, strict=True):
                for reading, value in readings.items():
                    found.setdefault(reading, {})[pair] = value
        return found


def _group(one: Asked) -> tuple[list[str], list[tuple[int, int]]]:
    files = [*one.references, *(q.file for q in one.queries)]
    place = {str(f.script): n for n, f in enumerate(files)}
    sources = {r.name: n for n, r in enumerate(one.references)}
    pairs = [
        (sources[source], place[str(q.file.script)]) for q in one.queries for source in q.against
    ]
    return list(place), pairs


def peers(folder: Path) -> tuple[Peer, ...]:
    """List the peers of a folder."""
    dolos = ("node", "--max-old-space-size=8192", str(HERE / "dolos.mjs"), str(folder))
    python = (str(folder / "venv/bin/python"), str(HERE / "run_copydetect.py"))
    return (
        Peer("Dolos 3.5, k = 23", dolos, {"kgram": 23}),
        Peer("Dolos 3.5, k = 75", dolos, {"kgram": 75}),
        Peer("copydetect 0.5", python, {}),
    )


@dataclass(frozen=True)
class WholeText:
    """The ratio of whole texts, as a floor that needs no tool."""

    name: str = "rapidfuzz, whole files"

    def score_pairs(self, asked: Sequence[Asked]) -> Scores:
        """See `Tool.score_pairs`."""
        from rapidfuzz import fuzz

        found: dict[Pair, float] = {}
        for one in asked:
            texts = {r.name: r.script.read_text(encoding="utf-8") for r in one.references}
            for query in one.queries:
                text = query.file.script.read_text(encoding="utf-8")
                for source in query.against:
                    ratio = fuzz.ratio(texts[source], text) / 100
                    found[Pair(one.task, source, query.file.name)] = ratio
        return {"ratio": found}
