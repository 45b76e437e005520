"""Compare our preparing and grading with MLE-bench's own, file by file and score by score.

``python -m tests.mlebench.compare MLEBENCH --python PYTHON [-c ID ...] [--seeds N]``: MLEBENCH is a
checkout of https://github.com/openai/mle-bench, PYTHON an interpreter that has what it needs. Both
sides prepare the same miniature raw folder; then seven standard submissions are graded by both,
with ``--odd`` about fifty odd ones, too.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd  # noqa: TID253

from competitions.errors import MleAuditError
from competitions.grade import grade
from competitions.io import walk_files
from competitions.miniature import MARKER, write_miniature
from competitions.prepare import prepare
from competitions.spec import Competition, catalog_ids, load
from competitions.standard import standard_submissions
from tests.mlebench.odd import odd_submissions

ORACLE = Path(__file__).with_name("oracle.py")
OURS_ALONE = {"description.md"}
GRADED = {"graded"}


@dataclass
class Outcome:
    """What one comparison found."""

    competition: str
    seed: int
    files: int = 0
    scores: int = 0
    differences: list[str] = field(default_factory=list)


def compare(
    spec: Competition, seed: int, mlebench: Path, python: str, keep: Path | None, *, odd: bool
) -> Outcome:
    """Prepare one miniature on both sides and grade the same submissions on both."""
    outcome = Outcome(spec.id, seed)
    root = keep / f"{spec.id}-{seed}" if keep else Path(tempfile.mkdtemp(prefix="compare-"))
    shutil.rmtree(root, ignore_errors=True)
    try:
        raw, theirs = root / "raw", root / "theirs"
        write_miniature(spec, raw, seed)
        ours = prepare(spec, root / "ours", "local", raw)
        # Their preparers unpack and delete in it, and some copy all of it.
        shutil.copytree(raw, root / "their-raw", ignore=shutil.ignore_patterns(MARKER))
        tables, submissions = standard_submissions(ours, seed), {}
        if odd:
            tables |= odd_submissions(tables["perfect"], spec)
        for name, table in tables.items():
            path = root / f"{name}.csv"
            table.to_csv(path, index=False)
            submissions[name] = str(path)
        job = {
            "id": spec.id,
            "mlebench": str(mlebench),
            "raw": str(root / "their-raw"),
            "public": str(theirs / "public"),
            "private": str(theirs / "private"),
            "patch": spec.oracle.patch,
            "submissions": submissions,
        }
        answer = _ask(python, job)
        if answer["error"]:
            last = answer["error"].strip().splitlines()[-1]
            outcome.differences.append(f"MLE-bench's prepare failed: {last}")
            return outcome
        for half in ("public", "private"):
            _compare_trees(ours.folder / half, theirs / half, half, outcome)
        for name, file in submissions.items():
            _compare_scores(spec, root / "ours", name, Path(file), answer["scores"][name], outcome)
    finally:
        if keep is None:
            shutil.rmtree(root, ignore_errors=True)
    return outcome


def _ask(python: str, job: dict[str, Any]) -> dict[str, Any]:
    done = subprocess.run(
        [python, str(ORACLE)], input=json.dumps(job), capture_output=True, text=True, check=False
    )
    if done.returncode:
        return {"error": done.stderr or f"ended with {done.returncode}", "scores": {}}
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def _compare_trees(ours: Path, theirs: Path, half: str, outcome: Outcome) -> None:
    mine = {p.relative_to(ours).as_posix(): p for p in walk_files(ours)}
    other = {p.relative_to(theirs).as_posix(): p for p in walk_files(theirs)}
    for name in OURS_ALONE:
        mine.pop(name, None)
        other.pop(name, None)
    for name in sorted(mine.keys() - other.keys()):
        outcome.differences.append(f"{half}/{name}: only ours")
    for name in sorted(other.keys() - mine.keys()):
        outcome.differences.append(f"{half}/{name}: only theirs")
    for name in sorted(mine.keys() & other.keys()):
        outcome.files += 1
        if content(mine[name]) != content(other[name]):
            outcome.differences.append(f"{half}/{name}: differs")


def content(path: Path) -> object:
    """Return a file's bytes; of an archive the names and bytes of its members."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            return {n: archive.read(n) for n in archive.namelist() if not n.endswith("/")}
    if path.suffix == ".parquet":  # its bytes depend on the library that wrote it
        return pd.read_parquet(path).to_dict("list")
    if path.suffix == ".7z":
        import py7zr

        with tempfile.TemporaryDirectory() as folder, py7zr.SevenZipFile(path) as archive:
            archive.extractall(folder)  # noqa: S202 - both sides made it
            root = Path(folder)
            return {p.relative_to(root).as_posix(): p.read_bytes() for p in walk_files(root)}
    if path.name.endswith((".tar", ".tar.gz")):
        with tarfile.open(path) as archive:
            files = [m for m in archive.getmembers() if m.isfile()]
            return {m.name: (archive.extractfile(m) or path.open("rb")).read() for m in files}
    return path.read_bytes()


def _compare_scores(
    spec: Competition, data_dir: Path, name: str, path: Path, theirs: str | None, outcome: Outcome
) -> None:
    outcome.scores += 1
    try:
        result = grade(spec, path, data_dir)
    except MleAuditError as error:
        outcome.differences.append(f"{name}: ours raised {error}")
        return
    ours = repr(result.score) if result.outcome in GRADED else result.score_repr
    if theirs is not None and not _is_number(theirs):
        theirs = None  # an error outside of its grader ends its whole batch; ours is `invalid`
    if (ours is None) != (theirs is None) or (
        ours is not None and theirs is not None and not _same(ours, theirs)
    ):
        told = f" ({'; '.join(result.problems)[:200]})" if result.problems else ""
        outcome.differences.append(f"{name}: ours {ours}{told}, theirs {theirs}")


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _same(ours: str, theirs: str) -> bool:
    one, other = float(ours), float(theirs)
    return one == other or (one != one and other != other)  # noqa: PLR0124 - NaN


def main() -> int:
    """Compare and print a table; end with 1 where something differs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("mlebench", type=Path)
    parser.add_argument("--python", required=True)
    parser.add_argument("-c", "--competition", action="append", default=[])
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--odd", action="store_true")
    options = parser.parse_args()
    names = options.competition or [n for n in catalog_ids() if load(n).source.kind == "kaggle"]
    failed = 0
    for name in names:
        for seed in range(options.seeds):
            task, python = load(name), options.python
            found = compare(task, seed, options.mlebench, python, options.keep, odd=options.odd)
            failed += bool(found.differences)
            mark = "differs" if found.differences else "equal"
            _say(f"{name:60} seed {seed}  {found.files:4} files {found.scores} scores  {mark}")
            for line in found.differences[:20]:
                _say(f"    {line}")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
