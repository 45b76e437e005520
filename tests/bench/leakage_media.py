"""How well copied pictures, texts and sounds are found, and at what cost, beside other tools.

Run it with ``python -m tests.bench.leakage_media``. ``PEER=PYTHON`` names an interpreter that has
`imagehash`, `imagededup` and `datasketch` installed (what it lacks is left out), ``PHOTOS=DIR`` a
folder of photographs that are cut into tiles besides the two that scikit-learn ships.

Nothing here is asked of a detector as a whole: pure functions get what a detector would give them.
"""

from __future__ import annotations

import ast
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from detectors.leakage.image_pairs import compare_pictures
from detectors.leakage.media_files import MediaFile
from detectors.leakage.text_pairs import compare_texts
from tests.detectors.leakage.media.pictures import DISGUISES as PICTURE_EDITS
from tests.detectors.leakage.media.test_duplicate_audio import DISGUISES as SOUND_EDITS
from tests.detectors.leakage.media.test_duplicate_audio import tune, wav
from tests.detectors.leakage.media.test_duplicate_text import EDITS as TEXT_EDITS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

PLANTED = 50  # copies of each kind
SIDES = (32, 64, 128, 256)  # pixels of a tile
MIN_TILES, MAX_TILES = 20, 600
SHARED_WORDS = 6  # in a row, from which two texts of a corpus are not both honest


class Score(NamedTuple):
    """What one tool found in one set.

    Parameters
    ----------
    tool : str
    recall : dict of str to float
        Per edit, the share of copies found with their source.
    false : int
        Honest test items taken for copies.
    honest : int
        Honest test items.
    ms : float
        CPU time per item, of both parts.
    """

    tool: str
    recall: dict[str, float]
    false: int
    honest: int
    ms: float


def digits() -> list[NDArray[np.uint8]]:
    """Return scikit-learn's digits, made larger as scanners would give them."""
    from PIL import Image
    from sklearn.datasets import load_digits

    small = ((i * 255 / 16).astype(np.uint8) for i in load_digits().images)
    return [np.asarray(Image.fromarray(i).resize((64, 64))) for i in small]


def tiles(side: int) -> list[NDArray[np.uint8]]:
    """Cut photographs into tiles that do not overlap; some of them, none that is nearly blank."""
    import sklearn
    from PIL import Image

    folders = [Path(sklearn.__file__).parent / "datasets/images"]
    folders += [Path(os.environ["PHOTOS"])] if "PHOTOS" in os.environ else []
    found = []
    for path in sorted(p for f in folders for p in f.iterdir() if p.suffix in {".jpg", ".png"}):
        photo = np.asarray(Image.open(path).convert("RGB"))
        for y in range(0, photo.shape[0] - side + 1, side):
            for x in range(0, photo.shape[1] - side + 1, side):
                tile = photo[y : y + side, x : x + side]
                grey = np.asarray(Image.fromarray(tile).convert("L"))
                busy = [part.std() > 3 for half in np.array_split(grey, 4) for part in
                        np.array_split(half, 4, axis=1)]  # fmt: skip
                if np.mean(busy) > 0.5:
                    found.append(tile)
    return random.Random(0).sample(found, min(MAX_TILES, len(found)))  # noqa: S311


def passages(most: int = 8000) -> list[str]:
    """Return paragraphs of docstrings of which no two share six words in a row."""
    found: dict[str, list[str]] = {}
    for package in ("scipy", "pandas", "sklearn", "statsmodels", "numpy", "networkx", "sympy"):
        spec = find_spec(package)
        for path in sorted(Path(str(spec.origin)).parent.rglob("*.py")) if spec else ():
            for text in _paragraphs(path):
                found.setdefault(text, re.findall(r"\w+", text.lower()))
    seen: dict[tuple[str, ...], str] = {}
    shared: set[str] = set()
    for text, words in found.items():
        for start in range(len(words) - SHARED_WORDS + 1):
            other = seen.setdefault(tuple(words[start : start + SHARED_WORDS]), text)
            shared |= {text} if other != text else set()
    kept = [t for t, words in found.items() if t not in shared and len(words) > 2 * SHARED_WORDS]
    random.Random(0).shuffle(kept)  # noqa: S311
    return kept[:most]


def _paragraphs(path: Path) -> Iterator[str]:
    try:
        tree = ast.parse(path.read_text("utf-8"))
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
            for part in re.split(r"\n\s*\n", ast.get_docstring(node) or ""):
                text = " ".join(part.split())
                if 80 <= len(text) <= 900 and text[0].isalpha():
                    yield text


class Case(NamedTuple):
    """A set with copies planted into its test part: what each test item is a copy of, and how."""

    train: list[Any]
    test: list[Any]
    source: list[int | None]
    edit: list[str]


def planted(items: list[Any], edits: dict[str, Callable[[Any, int], Any]], seed: int = 0) -> Case:
    """Split items, and put disguised train items among the test items."""
    place = random.Random(seed)  # noqa: S311
    items = place.sample(items, len(items))
    cut = len(items) * 4 // 5
    train, honest = items[:cut], items[cut:]
    case = Case(train, list(honest), [None] * len(honest), [""] * len(honest))
    for name, edit in edits.items():
        for number in place.sample(range(cut), min(PLANTED, cut)):
            case.test.append(edit(train[number], number))
            case.source.append(number)
            case.edit.append(name)
    return case


def scored(tool: str, case: Case, found: dict[int, int], seconds: float) -> Score:
    """Compare what was found, from test item to train item, with what was planted."""
    right: dict[str, list[bool]] = defaultdict(list)
    for number, (source, edit) in enumerate(zip(case.source, case.edit, strict=True)):
        if source is not None:
            right[edit].append(found.get(number) == source)
    honest = [n for n, s in enumerate(case.source) if s is None]
    recall = {edit: float(np.mean(hits)) for edit, hits in right.items()}
    false = sum(n in found for n in honest)
    n_items = len(case.train) + len(case.test)
    return Score(tool, recall, false, len(honest), seconds * 1000 / n_items)


def ours_of_pictures(case: Case) -> Score:
    """Time `compare_pictures` on PNG files, and score it."""
    with tempfile.TemporaryDirectory() as folder:
        sides = [_files(side, Path(folder) / n, _png, ".png") for side, n in
                 ((case.train, "train"), (case.test, "test"))]  # fmt: skip
        started = time.process_time()
        result = compare_pictures(sides[0], sides[1], 10**6)
        seconds = time.process_time() - started
    found = {int(Path(m.test.name).stem): int(Path(m.train.name).stem)
             for m in result.matches.values()}  # fmt: skip
    return scored("duplicate-image", case, found, seconds)


def ours_of_sounds(case: Case) -> Score:
    """Time `compare_sounds` on WAV files, and score it."""
    from detectors.leakage.audio_pairs import compare_sounds

    with tempfile.TemporaryDirectory() as folder:
        sides = [_files(side, Path(folder) / n, bytes, ".wav") for side, n in
                 ((case.train, "train"), (case.test, "test"))]  # fmt: skip
        started = time.process_time()
        result = compare_sounds(sides[0], sides[1], 10**6)
        seconds = time.process_time() - started
    found = {int(Path(m.test.name).stem): int(Path(m.train.name).stem)
             for m in result.matches.values()}  # fmt: skip
    return scored("duplicate-audio", case, found, seconds)


def ours_of_texts(case: Case) -> Score:
    """Time `compare_texts`, and score it."""
    started = time.process_time()
    result = compare_texts(case.train, case.test, 10**9)
    seconds = time.process_time() - started
    found = {row: match.train for row, match in result.matches.items()}
    return scored("duplicate-text", case, found, seconds)


def _files(
    items: list[Any], folder: Path, write: Callable[[Any], bytes], suffix: str
) -> list[MediaFile]:
    folder.mkdir()
    files = []
    for number, item in enumerate(items):
        path = folder / f"{number}{suffix}"
        content = write(item)
        path.write_bytes(content)
        files.append(MediaFile(f"public/{folder.name}/{path.name}", path, None, len(content)))
    return files


def _png(pixels: NDArray[np.uint8]) -> bytes:
    from PIL import Image

    stream = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels)).save(stream, "PNG")
    return stream.getvalue()


# Runs in another interpreter: reads a pickle-free folder, prints what it found as JSON.
PEERS = r"""
import json, sys, time
from pathlib import Path
import numpy as np
kind, folder = sys.argv[1], Path(sys.argv[2])
told = {}
def nearest(train, test, most):
    found = {}
    for n, h in enumerate(test):
        d = (train != h).sum(axis=1)
        if d.min() <= most: found[n] = int(d.argmin())
    return found
if kind == "pictures":
    from PIL import Image
    sides = [sorted((folder / s).iterdir(), key=lambda p: int(p.stem)) for s in ("train", "test")]
    tools = {}
    try:
        import imagehash
        for name in ("phash", "dhash", "whash"):
            tool = getattr(imagehash, name)
            tools["imagehash " + name] = lambda p, f=tool: f(Image.open(p)).hash.ravel()
    except ImportError: pass
    try:
        from imagededup.methods import PHash
        hasher = PHash(verbose=False)
        bits = lambda h: np.array([int(c, 16) >> k & 1 for c in h for k in (3, 2, 1, 0)], bool)
        tools["imagededup PHash"] = lambda p: bits(hasher.encode_image(image_file=p))
    except ImportError: pass
    for name, tool in tools.items():
        t = time.process_time()
        train, test = (np.stack([tool(p) for p in side]) for side in sides)
        for most in (4, 10):
            found = nearest(train, test, most)
            told[f"{name} <= {most}"] = [found, time.process_time() - t]
else:
    from datasketch import MinHash, MinHashLSH
    train, test = json.loads((folder / "texts.json").read_text())
    for threshold in (0.5, 0.7):
        t = time.process_time()
        grams = lambda x: {x[i:i + 5].encode() for i in range(len(x) - 4)}
        hashes = [MinHash.bulk(map(grams, side), num_perm=128) for side in (train, test)]
        lsh = MinHashLSH(threshold=threshold, num_perm=128)
        for n, h in enumerate(hashes[0]): lsh.insert(n, h)
        found = {}
        for n, h in enumerate(hashes[1]):
            near = lsh.query(h)
            if near: found[n] = max(near, key=lambda m: hashes[0][m].jaccard(h))
        told[f"datasketch {threshold}"] = [found, time.process_time() - t]
print(json.dumps(told))
"""


def peers(kind: str, case: Case) -> list[Score]:
    """Score other tools on the same items, in the interpreter that ``PEER`` names."""
    if "PEER" not in os.environ:
        return []
    with tempfile.TemporaryDirectory() as folder:
        if kind == "pictures":
            _files(case.train, Path(folder) / "train", _png, ".png")
            _files(case.test, Path(folder) / "test", _png, ".png")
        else:
            texts = json.dumps([case.train, case.test])
            (Path(folder) / "texts.json").write_text(texts, "utf-8")
        command = [os.environ["PEER"], "-c", PEERS, kind, folder]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return [Score(f"peers failed: {done.stderr[-200:]}", {}, 0, 0, 0.0)]
    told: dict[str, tuple[dict[str, int], float]] = json.loads(done.stdout.splitlines()[-1])
    return [
        scored(tool, case, {int(k): v for k, v in found.items()}, seconds)
        for tool, (found, seconds) in told.items()
    ]


def table(title: str, scores: list[Score]) -> str:
    """Return the scores as a Markdown table; ratios are our time over a tool's."""
    edits = list(scores[0].recall)
    lines = [f"\n### {title}", "| tool | " + " | ".join(edits) + " | false | ms an item | ratio |"]
    lines.append("|---" * (len(edits) + 4) + "|")
    for score in scores:
        cells = [f"{score.recall.get(edit, float('nan')):.2f}" for edit in edits]
        false = f"{score.false} of {score.honest}"
        ratio = f"{scores[0].ms / score.ms:.1f}" if score.ms else ""
        lines.append(f"| {score.tool} | {' | '.join(cells)} | {false} | {score.ms:.2f} | {ratio} |")
    return "\n".join(lines)


def growth(texts: list[str]) -> str:
    """Return CPU time over numbers of texts, made of the words of real ones."""
    words = [w for t in texts for w in t.split()]
    place = random.Random(1)  # noqa: S311
    seconds = []
    for n in (25_000, 50_000, 100_000, 200_000):
        made = [" ".join(place.choices(words, k=30)) for _ in range(n)]
        started = time.process_time()
        compare_texts(made[: n * 4 // 5], made[n * 4 // 5 :], 10**9)
        seconds.append((n, time.process_time() - started))
    ratios = ", ".join(f"×{b[1] / a[1]:.1f}" for a, b in pairwise(seconds))
    return (
        f"\nTexts: {'; '.join(f'{n:,}: {s:.1f} s' for n, s in seconds)} (twice as many: {ratios})"
    )


def _of_one(edit: Callable[[Any], Any]) -> Callable[[Any, int], Any]:
    return lambda item, _: edit(item)


def main() -> int:
    """Print the tables."""
    out = sys.stdout
    sets = [("Digits, 64 × 64", digits())]
    sets += [(f"Tiles of photographs, {side} × {side}", tiles(side)) for side in SIDES]
    for title, items in sets:
        if len(items) < MIN_TILES:
            continue
        case = planted(items, PICTURE_EDITS)
        scores = [ours_of_pictures(case), *peers("pictures", case)]
        out.write(table(f"{title}: {len(case.train)} train, {len(case.test)} test", scores) + "\n")
    texts = passages()
    case = planted(texts, TEXT_EDITS)
    scores = [ours_of_texts(case), *peers("texts", case)]
    out.write(table(f"Texts: {len(case.train)} train, {len(case.test)} test", scores) + "\n")
    out.write(growth(texts) + "\n")
    tunes = [tune(i) for i in range(400)]
    case = planted(tunes, {name: _of_one(edit) for name, edit in SOUND_EDITS.items()})
    honest = [wav(t) if s is None else t for t, s in zip(case.test, case.source, strict=True)]
    case = case._replace(train=[wav(t) for t in case.train], test=honest)
    title = f"Sounds: {len(case.train)} train, {len(case.test)} test"
    out.write(table(title, [ours_of_sounds(case)]) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
