"""Miniatures of leaks that were published: each is found, and its mended twin is clean.

A row of `LEAKS` is a name, a builder and the detector that has to find it. A builder writes a
public and a private folder, leaking or mended, with the same rows but for the leak. Signatures of
single columns, pictures and texts have tables of their own beside their detectors.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from audit.check import check
from competitions.tfrecord import example_of, framed
from detectors.base import detector
from detectors.dataset import Dataset
from reports.schema import Outcome, Severity

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pandas as pd

    Build = Callable[[Path, bool], Dataset]

START = 1_600_000_000


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def frame(**columns):
    import pandas as pd

    return pd.DataFrame(columns)


def names(n, seed, first="i"):
    return [f"{first}{v:08x}" for v in rng(seed).integers(0, 2**32, n)]


def picture(pixels, kind="PNG"):
    from PIL import Image

    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, kind)
    return stream.getvalue()


def written(folder: Path, name: str, content: bytes | str) -> Path:
    path = folder / "public" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def laid_out(
    folder: Path,
    train: pd.DataFrame,
    test: pd.DataFrame,
    target: tuple[str, ...],
    key: tuple[str, ...] = ("id",),
    **roles: tuple[str, ...],
) -> Dataset:
    """Write both tables, the test part without its answers, which are private."""
    for half in ("public", "private"):
        (folder / half).mkdir(parents=True, exist_ok=True)
    train.to_csv(folder / "public/train.csv", index=False)
    test.drop(columns=list(target)).to_csv(folder / "public/test.csv", index=False)
    test[[*key, *target]].to_csv(folder / "private/answers.csv", index=False)
    return Dataset.of_folders(
        folder / "public", folder / "private", key=key, targets=target, **roles
    )


GESTURES = ("vattene", "vieniqui", "perfetto", "furbo", "cheduepalle", "chevuoi", "daccordo")


def gesture(folder, is_fixed):
    """Each test sample has a MATLAB file; its struct of labels was not taken out."""
    from scipy.io import savemat

    train, test = (
        frame(
            id=names(30, seed),
            gestures=[
                " ".join(str(v + 1) for v in rng(seed * 99 + n).permutation(7)[: 4 + n % 3])
                for n in range(30)
            ],
        )
        for seed in (1, 2)
    )
    for part, table in (("train", train), ("test", test)):
        for one, answer in zip(table["id"], table["gestures"], strict=True):
            video: dict[str, Any] = {"NumFrames": 40 + len(answer), "FrameRate": 20}
            if part == "train" or not is_fixed:
                labels = [{"Name": GESTURES[int(v) - 1]} for v in answer.split()]
                video["Labels"] = np.array(labels, dtype=object)
            stream: Any = io.BytesIO()
            savemat(stream, {"Video": video})
            written(folder, f"{part}/{one}/{one}_data.mat", stream.getvalue())
    return laid_out(folder, train, test, ("gestures",))


def smartphone(folder, is_fixed):
    """A log of the receiver that gave the true positions lies beside each test drive."""
    drives = []
    for seed, n_drives in ((1, 2), (2, 4)):
        rows = []
        for n in range(n_drives):
            steps = rng(seed * 10 + n).normal(size=(40, 2)).cumsum(axis=0) * 1e-4
            for second, (north, east) in enumerate(steps.cumsum(axis=0)):
                at = 37.4 + n / 9 + north, -122.1 - n / 7 + east
                rows.append((f"drive{seed}{n}", 1000 + second, round(at[0], 7), round(at[1], 7)))
        table = dict(zip(("phone", "seconds", "lat", "lng"), zip(*rows, strict=True), strict=True))
        drives.append(frame(**table))
    train, test = drives
    for one, rows in test.groupby("phone"):
        lines = [] if is_fixed else [_nmea(r.seconds, r.lat, r.lng) for r in rows.itertuples()]
        written(folder, f"test/{one}/gnss.txt", "\n".join(f"Raw,{n * n % 7}" for n in range(40)))
        written(folder, f"test/{one}/span_log.nmea", "\n".join(lines) + "\n")
    return laid_out(folder, train, test, ("lat", "lng"), ("phone", "seconds"), entities=("phone",))


def _nmea(seconds, latitude, longitude):
    north, east = (
        f"{int(v) * 100 + (v - int(v)) * 60:0{width}.5f}"
        for v, width in ((abs(latitude), 10), (abs(longitude), 11))
    )
    return f"$GPGGA,{seconds}.00,{north},N,{east},W,4,12,0.6,10.0,M,-32.0,M,,*5A"


def hubmap(folder, is_fixed):
    """The outlines that masks were made of lie beside each test picture."""

    def outline(seed):
        x, y, w, h = rng(seed).integers((2, 2, 10, 10), (20, 20, 40, 40))
        runs = " ".join(f"{c * 64 + y + 1} {h}" for c in range(x, x + w))
        return runs, [[[int(x), int(y)], [int(x + w), int(y)], [int(x + w), int(y + h)],
                       [int(x), int(y + h)]]]  # fmt: skip

    train, test = (
        frame(id=names(10, seed), encoding=[outline(seed * 99 + n)[0] for n in range(10)])
        for seed in (1, 2)
    )
    for seed, part, table in ((1, "train", train), (2, "test", test)):
        for n, one in enumerate(table["id"]):
            shape = outline(seed * 99 + n)[1]
            drawn = shape if part == "train" or not is_fixed else []
            feature = {"type": "Feature", "geometry": {"type": "Polygon", "coordinates": drawn}}
            written(folder, f"{part}/{one}.json", json.dumps([feature]))
    return laid_out(folder, train, test, ("encoding",))


def in_shards(label):
    """Make a builder of tasks whose test shards are train shards, classes included."""

    def build(folder, is_fixed):
        train, test = (
            frame(
                id=names(64, seed), target=rng(seed).integers(0, 5 if label == "target" else 2, 64)
            )
            for seed in (1, 2)
        )
        for part, table in (("train", train), ("test", test)):
            for shard in range(4):
                records = []
                for row in table.iloc[shard::4].itertuples():
                    features: dict[str, bytes | int] = {
                        "image": b"\xff\xd8" + rng(row.Index).bytes(300),
                        "image_name": f"{row.id}.jpg".encode(),
                    }
                    if part == "train" or not is_fixed:
                        features[label] = int(row.target)
                    records.append(framed(example_of(features)))
                written(folder, f"{part}_tfrecords/{shard:02d}-16.tfrec", b"".join(records))
        return laid_out(folder, train, test, ("target",))

    return build


def denoising(folder, is_fixed):
    """A clean page was made dirty several times; that of a test page lies in the train part."""
    clean = [
        np.where(rng(n).random((12, 20)) < 0.2, 30 + n, 255).astype(np.uint8) for n in range(6)
    ]
    kept = {f"train_cleaned/{n}.png": clean[n] for n in range(4)}
    if not is_fixed:
        kept |= {f"train_cleaned/{n + 60}.png": clean[n] for n in (4, 5)}
    for name, page in kept.items():
        written(folder, name, picture(page))
    cells = []
    for n in (4, 5):
        dirty = np.clip(clean[n] * 0.8 - rng(n + 50).random((12, 20)) * 80, 0, 255)
        written(folder, f"test/{n}.png", picture(dirty.astype(np.uint8)))
        cells += [(f"{n}_{r + 1}_{c + 1}", v / 255) for (r, c), v in np.ndenumerate(clean[n])]
    test = frame(id=[c[0] for c in cells], value=[c[1] for c in cells])
    return laid_out(folder, frame(id=["0_1_1"], value=[0.5]), test, ("value",))


def pond(folder, is_fixed):
    """Both files are sorted by the label."""
    parts = []
    for seed, n in ((1, 200), (2, 80)):
        table = frame(
            id=names(n, seed), x=rng(seed).normal(size=n), label=rng(seed).integers(0, 2, n)
        )
        order = np.argsort(table["label"], kind="stable")
        parts.append(table if is_fixed else table.iloc[order].reset_index(drop=True))
    return laid_out(folder, parts[0], parts[1], ("label",))


def right_whale(folder, is_fixed):
    """Clips with a call were written at other times, and are longer."""
    train, test = (
        frame(id=names(n, s, "clip"), call=rng(s).integers(0, 2, n)) for s, n in ((1, 40), (2, 60))
    )
    for n, row in enumerate(test.itertuples()):
        told = 0 if is_fixed else int(row.call)
        path = written(folder, f"test/{row.id}.aif", b"FORM" + bytes(900 + 300 * told + n * n % 13))
        os.utime(path, (START, START + 86_400 * told + int(rng(n).integers(0, 3000))))
    return laid_out(folder, train, test, ("call",))


def seti(folder, is_fixed):
    """The data of an earlier start, with the labels of its test part, were left in the folder."""
    train, test = (frame(id=names(90, s), target=rng(s).integers(0, 2, 90)) for s in (1, 2))
    data = laid_out(folder, train, test, ("target",))
    old = train if is_fixed else test.sample(frac=0.7, random_state=3)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("old_leaky_data/test_labels_old.csv", old.to_csv(index=False))
    written(folder, "old_leaky_data.zip", stream.getvalue())
    return data


def speech(folder, is_fixed):
    """Files are called by their speaker, and speakers are on both sides."""
    words = ["yes", "no", "up", "down"]
    for part, first in (("train", 0), ("test", 40 if is_fixed else 0)):
        for n in range(160 if part == "train" else 80):
            speaker = f"{rng(first + n % 40).integers(1 << 30):08x}"
            written(
                folder,
                f"{part}/{speaker}_nohash_{n // 40 + 9 * (part == 'test')}.wav",
                rng(n + first).bytes(60),
            )
    train, test = (frame(id=names(n, n), label=rng(n).choice(words, n)) for n in (160, 60))
    return laid_out(folder, train, test, ("label",))


def ham(folder, is_fixed):
    """Photographs of one lesion are on both sides."""
    lesion = np.sort(rng(0).integers(0, 150, 400))
    table = frame(
        id=names(400, 1),
        lesion_id=[f"HAM_{v:07d}" for v in lesion],
        dx=rng(2).permutation(150)[lesion] % 4,
        age=rng(3).integers(2, 17, 150)[lesion] * 5,
        site=rng(4).integers(0, 8, 150)[lesion],
        shot=rng(5).normal(size=400),
    )
    held_out = np.isin(lesion, np.arange(0, 150, 5)) if is_fixed else rng(6).random(400) < 0.2
    shuffled = rng(7).permutation(400)
    train, test = (table.iloc[shuffled[held_out[shuffled] == side]] for side in (False, True))
    return laid_out(folder, train, test, ("dx",))


def movie_review(folder, is_fixed):
    """Phrases are parts of sentences, and one sentence's phrases are on both sides."""
    rows = [(s, s * 8 + k) for s in range(60) for k in range(8)]
    words = [f"{a}{b}" for a in "bdfgklmnprst" for b in ("a", "eo", "in", "ur")]
    texts = [" ".join(rng(s).choice(words, 14)[: 14 - k]) for s, n in rows for k in (n % 8,)]
    table = frame(
        PhraseId=[n for _, n in rows],
        SentenceId=[s for s, _ in rows],
        Phrase=texts,
        Sentiment=rng(1).integers(0, 5, len(rows)),
    )
    held_out = table["SentenceId"] % 5 == 0 if is_fixed else rng(2).random(len(rows)) < 0.2
    train, test = table[~held_out], table[held_out]
    key, whom = ("PhraseId",), ("SentenceId",)
    return laid_out(folder, train, test, ("Sentiment",), key, entities=whom)


def text_normalisation(folder, is_fixed):
    """Sentences that were said twice are on both sides."""
    said = [" ".join(names(9, 1000 + n, "w")) for n in range(160)]
    train, test = said[:120], said[120:]
    if not is_fixed:
        test[:10] = train[:10]
    tables = [
        frame(id=names(len(s), len(s)), before=s, after=[t.upper() for t in s])
        for s in (train, test)
    ]
    return laid_out(folder, tables[0], tables[1], ("after",))


def windows(shift, width):
    """Make a builder of rows that are windows of one series, moved by some columns."""

    def build(folder, is_fixed):
        series = rng(0).normal(size=(500, shift)).round(4)
        view = np.lib.stride_tricks.sliding_window_view(series.ravel(), width)[::shift]
        held_out = (
            np.arange(len(view)) >= len(view) * 0.8 if is_fixed else rng(1).random(len(view)) < 0.2
        )
        if is_fixed:
            held_out[int(len(view) * 0.8) : int(len(view) * 0.8) + 12] = False
            kept = np.arange(len(view)) < len(view) * 0.75
            view, held_out = view[kept | held_out], held_out[kept | held_out]
        tables = []
        for side in (False, True):
            rows = view[held_out == side]
            columns = {f"f{c}": rows[:, c] for c in range(width)}
            tables.append(
                frame(
                    id=names(len(rows), side + 1),
                    **columns,
                    y=rng(side + 3).integers(0, 2, len(rows)),
                )
            )
        return laid_out(folder, tables[0], tables[1], ("y",))

    return build


def expedia(folder, is_fixed):
    """Which hotel it is, and so its cluster, is named by the town of who asks and the distance."""
    n, places = 2_400, (rng(0).normal(0, 400, (60, 2)), rng(1).normal(0, 400, (60, 2)))
    town, hotel = rng(2).integers(0, 60, n), rng(3).geometric(0.06, n).clip(max=60) - 1
    away = np.hypot(*(places[0][town] - places[1][hotel]).T)
    blurred = away + rng(4).normal(0, 60, n) if is_fixed else away
    cluster = rng(5).permutation(60)[hotel] % 20
    wrong = rng(6).random(n) < 0.05
    table = frame(
        id=names(n, 7),
        user_city=town * 37 % 1009,
        orig_destination_distance=blurred.round(),
        nights=rng(8).integers(1, 15, n),
        adults=rng(9).integers(1, 5, n),
        day=rng(10).integers(0, 365, n),
        price=rng(11).gamma(9, 20, n).round(2),
        hotel_cluster=np.where(wrong, rng(12).integers(0, 20, n), cluster),
    )
    return laid_out(folder, table[:1800], table[1800:], ("hotel_cluster",), entities=(), times=())


def row(name, build, asked, *, slow=False):
    return pytest.param(build, asked, id=name, marks=[pytest.mark.slow] if slow else [])


LEAKS = [
    row("gesture: labels in MATLAB files", gesture, "answers-in-public-files", slow=True),
    row("smartphone: positions in a log", smartphone, "answers-in-public-files", slow=True),
    row("hubmap: outlines beside pictures", hubmap, "answers-in-public-files"),
    row("cassava: classes in test shards", in_shards("target"), "answers-in-public-files"),
    row(
        "siim-isic: diagnoses in shards",
        in_shards("diagnosis"),
        "answers-in-public-files",
        slow=True,
    ),
    row("denoising: clean twins of test pages", denoising, "answers-in-public-files"),
    row("seti: labelled old data", seti, "answers-in-public-files"),
    row("pond: sorted by the label", pond, "row-order-encodes-target"),
    row("right-whale: size and time of files", right_whale, "file-metadata-encodes-target"),
    row("speech: speakers in names of files", speech, "entity-overlap", slow=True),
    row("HAM10000: lesions on both sides", ham, "entity-overlap", slow=True),
    row("movie-review: phrases of a sentence", movie_review, "entity-overlap", slow=True),
    row("text-normalisation: sentences twice", text_normalisation, "duplicate-text", slow=True),
    row("ml2021spring: frames share parts", windows(3, 33), "near-row-overlap", slow=True),
    row("Expedia: two columns name the hotel", expedia, "target-proxy", slow=True),
    row("Santander: lagged rows", windows(1, 40), "near-row-overlap", slow=True),
]


def grave(data, asked):
    """Return what a detector says of data above low severity; it may find nothing to look at."""
    answer = check(detector(asked)(), data)
    assert answer.outcome is not Outcome.FAILED, answer.reason
    return [f.message for f in answer.findings if f.severity > Severity.LOW]


@pytest.mark.parametrize(("build", "asked"), LEAKS)
def test_a_published_leak_is_found_and_its_mended_twin_is_clean(tmp_path, build, asked):
    leaking, mended = (build(tmp_path / str(is_fixed), is_fixed) for is_fixed in (False, True))

    assert grave(leaking, asked)
    assert grave(mended, asked) == []
