"""Attempts of two agents at one task: independent work, and copies of it in several disguises.

The works are those of ``notebooks/``: six of each task, each written alone. Two tasks are a half
each. What looks guilty without being so stands around them: helpers that everybody carries, the
frame that one assistant writes around whatever it is asked, a template that both began with.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from audit.check import check
from detectors.plagiarism.shared_between_attempts import SharedBetweenAttempts
from tests.detectors.plagiarism.llm_scripts import SCRIPTS
from tests.detectors.plagiarism.worlds import attempt_of, everyone
from tests.quality.plagiarism.disguises import BY_NAME, disguise
from tests.quality.plagiarism.small_sets import Case
from tests.quality.plagiarism.sources import file_of, script_of
from tests.quality.plagiarism.written_set import SEED, written_tasks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from detectors.attempt import Attempt
    from reports.schema import Check
    from tests.quality.plagiarism.small_sets import Half

SUBMISSION = "id,y\n1,0\n"
TASKS: dict[Half, tuple[str, str]] = {
    "open": ("grid-load-forecast", "harbour-berth-delay"),
    "sealed": ("orchard-leaf-blight", "ticket-routing"),
}
KINDS: dict[Half, tuple[str, ...]] = {
    "open": (
        *("identical", "renamed", "literals", "comments-stripped", "cells-shuffled"),
        *("statements-reordered", "five-transforms", "partial-60", "partial-40", "other-form"),
    ),
    "sealed": (
        *("identical", "reformatted", "three-transforms", "library-swap", "inlined"),
        *("dead-code-35", "eight-transforms", "control-flow", "rewritten", "partial-60"),
        *("partial-40-medium", "rephrased"),
    ),
}
# What many carry from task to task, and everybody has from somebody.
HELPERS: dict[Half, str] = {
    "open": """\
def seed_everything(seed=42):
    random.seed(seed)
    os.environ["PYTHONHASHSEED"] = str(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.cuda.manual_seed_all(seed)
    torch.backends.cudnn.deterministic = True
    torch.backends.cudnn.benchmark = False


seed_everything()
""",
    "sealed": """\
def reduce_mem_usage(df, verbose=True):
    start_mem = df.memory_usage().sum() / 1024**2
    for col in df.columns:
        col_type = df[col].dtype
        if str(col_type).startswith("int"):
            c_min, c_max = df[col].min(), df[col].max()
            if c_min > np.iinfo(np.int8).min and c_max < np.iinfo(np.int8).max:
                df[col] = df[col].astype(np.int8)
            elif c_min > np.iinfo(np.int16).min and c_max < np.iinfo(np.int16).max:
                df[col] = df[col].astype(np.int16)
        elif str(col_type).startswith("float"):
            df[col] = df[col].astype(np.float32)
    end_mem = df.memory_usage().sum() / 1024**2
    if verbose:
        print(f"Memory: {start_mem:.1f} -> {end_mem:.1f} MB")
    return df
""",
}
# The frame that an assistant writes around whatever it is asked.
FRAMES: dict[Half, str] = {
    "open": """\
import argparse
import logging
import os
from pathlib import Path

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
logger = logging.getLogger(__name__)


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-dir", type=Path, default=Path("/home/data"))
    parser.add_argument("--output", type=Path, default=Path("/home/submission/submission.csv"))
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--folds", type=int, default=5)
    return parser.parse_args()
""",
    "sealed": """\
import json
import time
import warnings
from dataclasses import dataclass
from pathlib import Path

warnings.filterwarnings("ignore")


@dataclass
class Config:
    data_dir: str = "/home/data"
    output_dir: str = "/home/submission"
    n_splits: int = 5
    seed: int = 42
    debug: bool = False


def timed(name):
    class Timer:
        def __enter__(self):
            self.start = time.time()
            return self

        def __exit__(self, *args):
            print(f"[{name}] done in {time.time() - self.start:.1f}s")

    return Timer()
""",
}
TEMPLATE = """\
def read_everything(folder):
    tables = {}
    for path in sorted(folder.glob("*.csv")):
        with path.open(newline="") as stream:
            rows = list(csv.DictReader(stream))
        tables[path.stem] = [{k: parsed(v) for k, v in row.items() if v != ""} for row in rows]
    return tables


def parsed(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text.strip().lower() or None


def hand_in(rows, sample, where):
    names = list(sample[0])
    missing = {row[names[0]] for row in sample} - {row[names[0]] for row in rows}
    if missing:
        raise SystemExit(f"{len(missing)} rows are missing, such as {sorted(missing)[:3]}")
    with (where / "submission.csv").open("w", newline="") as stream:
        writer = csv.DictWriter(stream, names)
        writer.writeheader()
        writer.writerows({name: row[name] for name in names} for row in rows)
"""


def cases_of(half: Half, shared: Path) -> Iterator[Case]:
    """Make the cases of a half: copies beside two other agents' work, and honest pairs."""
    template = shared / "template.py"
    template.parent.mkdir(parents=True, exist_ok=True)
    template.write_text(TEMPLATE, encoding="utf-8")
    for task in written_tasks():
        if task.name not in TASKS[half]:
            continue
        works = [item.text for item in (*task.references, *task.honest)]
        yield from _copies(half, works)
        yield from _pairs("same-task", works)
        yield from _pairs("same-helpers", works[:3], HELPERS[half])
        yield from _pairs("same-frame", works[3:], FRAMES[half])
        yield from _pairs("same-template", works[1:4], TEMPLATE, base=str(template))
    if half == "open":
        yield from _pairs("one-assistant", list(SCRIPTS.values())[:4])


def _copies(half: Half, works: Sequence[str]) -> Iterator[Case]:
    for number, kind in enumerate(KINDS[half]):
        source, host, *rest = (*works[number % len(works) :], *works[: number % len(works)])
        copy = disguise(BY_NAME[kind], f"{number}", source, seed=SEED, host=host)
        if copy is not None:
            yield _copy(kind, _file("solution", copy), source, rest[:2])
    source, other, *rest = works
    yield _copy("in-the-logs-alone", {"main.py": script_of(other)}, source, rest[:2], source)
    lines = script_of(source).split("\n\n")
    parts = {f"part{n}.py": "\n\n".join(lines[n::3]) for n in range(3)}
    yield _copy("spread-over-files", parts, source, rest[:2])


def _copy(
    kind: str, copy: Mapping[str, str], source: str, rest: Sequence[str], log: str | None = None
) -> Case:
    def ask(folder: Path) -> Check:
        others = [_written(folder, f"t_rest{n}", _file("s", text)) for n, text in enumerate(rest)]
        mine = _written(folder, "t_copy", copy)
        if log is not None:
            said = f"I run this:\n```python\n{script_of(log)}```\n"
            (mine.path / "logs" / "agent.log").write_text(said, encoding="utf-8")
        theirs = _written(folder, "t_source", _file("s", source))
        return check(SharedBetweenAttempts(), everyone(mine, theirs, *others))

    return Case(kind, is_copy=True, ask=ask, names=("t_copy", "t_source"))


def _pairs(kind: str, works: Sequence[str], before: str = "", base: str = "") -> Iterator[Case]:
    for one, other in combinations(works, 2):
        yield _pair(kind, (before + script_of(one), before + script_of(other)), base)


def _pair(kind: str, texts: Sequence[str], base: str) -> Case:
    def ask(folder: Path) -> Check:
        both = [_written(folder, f"t_{n}", {"main.py": text}) for n, text in enumerate(texts)]
        return check(SharedBetweenAttempts(base=base), everyone(*both))

    return Case(kind, is_copy=False, ask=ask)


def _file(stem: str, text: str) -> dict[str, str]:
    name, content = file_of(stem, text)
    return {name: content}


def _written(folder: Path, name: str, files: Mapping[str, str]) -> Attempt:
    return attempt_of(folder, name, SUBMISSION, agent=name, code=files)
