"""``make bench-plagiarism NOTEBOOKS=DIR``: how well copies are told from honest code, and how fast.

From a folder of public notebooks the labels are built, copies are disguised, and every tool scores
the same pairs in the same run; what is printed is Markdown, with everything a reader needs to judge
the figures. Nothing is fetched, and nothing of the notebooks is kept.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from competitions.io import write_text
from detectors.plagiarism.documents import document_from
from detectors.plagiarism.fingerprints import fingerprint
from tests.quality.plagiarism.disguises import KINDS
from tests.quality.plagiarism.labels import half, labelled
from tests.quality.plagiarism.material import FORK, HONEST, prepare
from tests.quality.plagiarism.metrics import Quality, measure
from tests.quality.plagiarism.speed import measure_speed
from tests.quality.plagiarism.tools import Ours, WholeText, peers
from tests.quality.plagiarism.verdicts import verdicts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from detectors.plagiarism.corpus.index import Corpus
    from detectors.plagiarism.corpus.ranking import Candidate
    from tests.quality.plagiarism.labels import Task
    from tests.quality.plagiarism.material import Asked
    from tests.quality.plagiarism.speed import Speed
    from tests.quality.plagiarism.tools import Pair, Tool
    from tests.quality.plagiarism.verdicts import Verdicts

SEED = 5
PER_KIND = 60
N_SPEED = 300
MOST = 20


class Candidates(NamedTuple):
    """How often the source of a copy is among the first candidates of the whole corpus."""

    found: int
    n: int
    missed: tuple[str, ...]


def candidate_recall(ours: Ours, asked: Sequence[Asked]) -> Candidates:
    """Ask the corpus for each copy's candidates without naming the task."""
    corpus = ours.corpus(asked)
    missed, n = [], 0
    for one in asked:
        for query in one.queries:
            if not query.is_copy:
                continue
            n += 1
            document = document_from(query.file.path.name, query.file.path.read_bytes())
            told = corpus.candidates(fingerprint(document.code, document.language), most=MOST)
            names = {(corpus.entry(c.document).competition, _stem(corpus, c)) for c in told}
            if (one.task, query.against[0]) not in names:
                missed.append(query.kind)
    return Candidates(n - len(missed), n, tuple(sorted(missed)))


def _stem(corpus: Corpus, candidate: Candidate) -> str:
    return Path(corpus.entry(candidate.document).name).stem


# --- tables


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines) + "\n"


def set_line(tasks: Sequence[Task], asked: Sequence[Asked], account: Counter[str]) -> str:
    """Say what the set holds."""
    queries = [q for one in asked for q in one.queries]
    n_pairs = sum(len(q.against) for q in queries if q.kind == HONEST)
    near = sum(t.is_near(r.name, h.name) for t in tasks for r in t.references for h in t.honest)
    left_out = ", ".join(f"{n} {reason}" for reason, n in account.most_common())
    return (
        f"{len(tasks)} tasks, {sum(len(t.references) for t in tasks)} references, "
        f"{sum(len(t.honest) for t in tasks)} honest files, "
        f"{sum(q.kind == FORK for q in queries)} real forks, "
        f"{sum(q.is_copy and q.kind != FORK for q in queries)} disguised copies of "
        f"{len({q.kind for q in queries} - {HONEST, FORK})} kinds, {n_pairs} false pairs "
        f"({near} more share real copies and are left out).\nOf the folder's files: {left_out}.\n\n"
    )


def quality_tables(found: Sequence[Quality]) -> str:
    """Write the figures of all tools, of groups of kinds, and of every kind."""
    head = ("tool", "reading", "AUC", "AP", "recall at 1 % false pairs", "at 2 % honest files")
    rows = [
        (
            *(q.tool, q.reading, f"{q.auc:.4f}", f"{q.average_precision:.4f}"),
            *(f"{q.at_pairs:.3f}", f"{q.at_files:.3f}"),
        )
        for q in found
    ]
    groups = list(found[0].groups)
    by_group = [
        (name, str(found[0].groups[name][2]), *(_two(q.groups[name]) for q in found))
        for name in groups
    ]
    order = [FORK, *(k.name for k in KINDS)]
    held = {k.name for k in KINDS if k.held_out}
    kinds = [k for k in order if k in found[0].by_kind]
    by_kind = [
        (
            f"{kind} (held out)" if kind in held else kind,
            str(found[0].by_kind[kind][1]),
            *(f"{q.by_kind[kind][0]:.2f}" for q in found),
        )
        for kind in kinds
    ]
    tools = [q.tool for q in found]
    return (
        table(head, rows)
        + "Recall at 1 % false pairs / at 2 % honest files:\n\n"
        + table(("copies", "n", *tools), by_group)
        + "Recall at 1 % false pairs, by kind:\n\n"
        + table(("kind", "n", *tools), by_kind)
    )


def _two(group: tuple[float, float, int]) -> str:
    return f"{group[0]:.3f} / {group[1]:.3f}"


def worst_lines(scores: Mapping[Pair, float], asked: Sequence[Asked], n: int) -> str:
    """List our highest scores of false pairs: copies that no rule of the labels knows are there."""
    honest = {(one.task, q.file.name) for one in asked for q in one.queries if not q.is_copy}
    false = [p for p in scores if (p.task, p.query) in honest]
    highest = sorted(false, key=lambda p: (-scores[p], p))[:n]
    return "".join(f"False pair: {scores[p]:.3f} {p.query} of {p.source}\n" for p in highest)


def shipped_lines(told: Verdicts, candidates: Candidates) -> str:
    """Say what the default thresholds do, and how often the source is a candidate."""
    slips, recall = told.false_flags, told.recall
    counted = ", ".join(f"{n} {kind}" for kind, n in Counter(told.missed_kinds).most_common())
    missed = ", ".join(f"{n} {kind}" for kind, n in Counter(candidates.missed).most_common())
    return (
        f"At the shipped thresholds {len(told.accused)} of {told.n_honest} honest files "
        "are flagged: "
        f"{_percent(slips.share)} % ({_percent(slips.low)} to {_percent(slips.high)}, "
        "Wilson 95 %); "
        f"{told.near} more only for code that they do share. "
        f"Of {told.n_copies} copies {_percent(recall.share)} % "
        f"({_percent(recall.low)} to {_percent(recall.high)}) are flagged with their source named; "
        f"precision at 5 % prevalence {told.precision:.3f}. Missed: {counted or 'none'}.\n\n"
        f"The source is among the first {MOST} candidates of the whole corpus, no task named, for "
        f"{candidates.found} of {candidates.n} copies ({candidates.found / candidates.n:.4f}). "
        f"Missed: {missed or 'none'}.\n\n"
    )


def _percent(share: float) -> str:
    return f"{100 * share:.2f}"


def speed_table(found: Sequence[Speed]) -> str:
    """Write seconds, memory and ratios to ours."""
    ours = found[0]
    rows = [
        (
            s.tool,
            f"{s.seconds:.1f}",
            f"{s.cpu_s:.2f}",
            f"{s.converting_s:.1f}",
            f"{s.peak_bytes / 1e6:,.0f} MB",
            "" if s is ours else f"{s.total_s / ours.total_s:.1f}",
            "" if s is ours else f"{s.total_cpu_s / ours.total_cpu_s:.1f}",
        )
        for s in found
    ]
    head = (
        *("tool", "seconds", "CPU seconds", "converting notebooks", "peak memory"),
        *("times ours", "CPU times ours"),
    )
    return f"All pairs of {found[0].n_files} notebooks:\n\n{table(head, rows)}"


# --- the run


def report(options: argparse.Namespace, work: Path) -> str:
    """Measure everything and write it as Markdown."""
    account: Counter[str] = Counter()
    skipped: Counter[str] = Counter()
    tasks = labelled(options.notebooks, seed=options.seed, account=account)
    tasks = half(tasks, sealed=options.sealed, seed=options.seed)
    _say(f"{len(tasks)} tasks; disguising")
    asked = prepare(
        tasks, work / "files", seed=options.seed, per_kind=options.per_kind, skipped=skipped
    )
    ours = Ours(work / "corpus")
    tools: list[Tool] = [ours, *(peers(options.peers) if options.peers else ()), WholeText()]
    found, worst = [], ""
    for tool in tools:
        _say(f"scoring with {tool.name}")
        scores = tool.score_pairs(asked)
        found.append(measure(tool.name, scores, asked))
        if tool is ours and not options.sealed:
            worst = worst_lines(scores["score"], asked, options.worst)
    _say("asking the detector")
    told = verdicts(work / "corpus", asked)
    left_out = ", ".join(f"{n} {reason}" for reason, n in skipped.most_common())
    text = (
        f"The {'sealed' if options.sealed else 'open'} half, seed {options.seed}: "
        + set_line(tasks, asked, account)
        + f"Copies not made: {left_out or 'none'}.\n\n"
        + quality_tables(found)
        + shipped_lines(told, candidate_recall(ours, asked))
        + worst
    )
    if not options.sealed:
        text += "".join(f"Accused: {file} of {sources}\n" for file, sources in told.accused)
    if options.speed:
        _say("timing")
        speeds = list(
            measure_speed(options.notebooks, work / "speed", options.speed, options.peers)
        )
        text += speed_table(speeds)
    return text


def _say(words: str) -> None:
    sys.stderr.write(f"{words}\n")


def main() -> None:
    """Read the options, print the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notebooks", type=Path, help="folder of public notebooks and scripts")
    parser.add_argument("--sealed", action="store_true", help="score the sealed half: once")
    parser.add_argument("--peers", type=Path, help="folder with the peers; see tools.py")
    parser.add_argument("--per-kind", type=int, default=PER_KIND, help="copies of each kind")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--speed", type=int, default=0, metavar="N", help="time N notebooks, too")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="list N false pairs")
    parser.add_argument("-o", "--output", type=Path, help="write the report there as well")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-plagiarism-") as name:
        text = report(options, Path(name))
    sys.stdout.write(text)
    if options.output:
        write_text(options.output, text)


if __name__ == "__main__":
    main()
