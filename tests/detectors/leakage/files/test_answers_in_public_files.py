"""Whether answers that were planted in public files are found, and honest files are clean."""

from __future__ import annotations

import gzip
import io
import json
import pickle
import tarfile
import zipfile
from typing import Any

import numpy as np
import pytest

from audit.check import check
from competitions.tfrecord import example_of, framed
from detectors.leakage.answer_match import best_match, cells_of
from detectors.leakage.answers_in_public_files import AnswersInPublicFiles
from detectors.leakage.containers import Bounds, contents_of
from detectors.leakage.containers_parsed import UnreadableError, parsed
from reports.schema import Outcome, Quantity, Severity, TextPair

N = 60
RNG = np.random.default_rng
CLASSES = RNG(0).integers(0, 2, N)
NUMBERS = RNG(1).normal(size=N).round(4)
LISTS = [" ".join(map(str, RNG(n).integers(1, 20, 3 + n % 4))) for n in range(N)]


def shown(finding, kind):
    """Return the finding's evidence of one kind."""
    (one,) = (e for e in finding.evidence if isinstance(e, kind))
    return one


def ids_of(data):
    import pandas as pd

    return pd.read_csv(data.public / "test.csv", dtype=str)["id"].tolist()


def table_of(data, answers):
    import pandas as pd

    return pd.DataFrame({"name": ids_of(data), "noise": RNG(7).normal(size=N), "truth": answers})


def packed(name, content):
    """Return a zip archive with one member."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(name, content)
    return stream.getvalue()


def tarred(name, content):
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        entry = tarfile.TarInfo(name)
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))
    return stream.getvalue()


def saved(write):
    stream = io.BytesIO()
    write(stream)
    return stream.getvalue()


def seven_zipped(name, content):
    import py7zr

    stream = io.BytesIO()
    with py7zr.SevenZipFile(stream, "w") as archive:
        archive.writestr(content, name)
    return stream.getvalue()


def matlab(**values):
    from scipy.io import savemat

    return saved(lambda stream: savemat(stream, values))


FILES: dict[str, Any] = {
    "a.csv": lambda t: t.to_csv(index=False).encode(),
    "b.tsv": lambda t: t.to_csv(sep="\t", index=False).encode(),
    "c.json": lambda t: t.to_json(orient="records").encode(),
    "d.json": lambda t: json.dumps(dict(zip(t["name"], t["truth"].tolist(), strict=True))).encode(),
    "e.jsonl": lambda t: t.to_json(orient="records", lines=True).encode(),
    "f.parquet": lambda t: saved(t.to_parquet),
    "g.feather": lambda t: saved(t.to_feather),
    "h.npz": lambda t: saved(lambda stream: np.savez(stream, a=t["truth"].to_numpy())),
    "i.npy": lambda t: saved(lambda stream: np.save(stream, t["truth"].to_numpy())),
    "j.mat": lambda t: matlab(inner={"truth": t["truth"].to_numpy()}),
    "k.zip": lambda t: packed("x.csv", t.to_csv(index=False)),
    "l.tar.gz": lambda t: tarred("x.csv", t.to_csv(index=False).encode()),
    "m.csv.gz": lambda t: gzip.compress(t.to_csv(index=False).encode()),
    "n.7z": lambda t: seven_zipped("x.csv", t.to_csv(index=False).encode()),
    "o.zip": lambda t: packed("x.zip", packed("y.npy", FILES["i.npy"](t))),
    "p.tfrec": lambda t: b"".join(
        framed(example_of({"name": i.encode(), "image": b"x" * 900, "truth": int(v > 0)}))
        for i, v in zip(t["name"], t["truth"], strict=True)
    ),
    "q.txt": lambda t: t.to_csv(index=False, header=False, sep=" ").encode(),
}


FAST = ("a.csv", "h.npz", "o.zip", "p.tfrec")


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[] if n in FAST else [pytest.mark.slow]) for n in FILES]
)
def test_every_container_is_opened(made, name):
    data = made(CLASSES)
    (data.public / name).write_bytes(FILES[name](table_of(data, CLASSES)))

    (found,) = AnswersInPublicFiles().detect(data)

    assert name in found.message
    assert found.severity is Severity.HIGH
    assert "60 of 60" in found.message


@pytest.mark.parametrize(
    ("answers", "planted", "how"),
    [
        pytest.param(CLASSES, np.where(CLASSES, "dog", "cat"), "other names", id="renamed"),
        pytest.param(NUMBERS, NUMBERS * 3 - 2, "affine", id="affine"),
        pytest.param(NUMBERS, np.exp(NUMBERS), "order", id="order"),
        pytest.param(NUMBERS, NUMBERS, "value for value", id="numbers"),
        pytest.param(np.array(LISTS), [f"[{v}]" for v in LISTS], "one after", id="lists"),
    ],
)
def test_answers_are_known_in_every_form(made, answers, planted, how):
    data = made(answers)
    table_of(data, planted).sample(frac=1, random_state=1).to_csv(
        data.public / "more.csv", index=False
    )

    (found,) = AnswersInPublicFiles().detect(data)

    assert how in found.message
    assert "truth" in found.message
    assert shown(found, TextPair).private_text in set(map(str, answers))


def a_polygon(n):
    """Return a rectangle as run lengths down the columns, as a polygon, and as a mask."""
    x, y, width, height = 3 + n % 7, 2 + n % 5, 20 + n % 11, 20 + (n * 7) % 23
    mask = np.zeros((60, 60), np.uint8)
    mask[y : y + height, x : x + width] = 255
    runs = " ".join(f"{c * 60 + y + 1} {height}" for c in range(x, x + width))
    corners = [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]
    return runs, corners, mask


def picture(pixels):
    from PIL import Image

    return saved(lambda stream: Image.fromarray(pixels).save(stream, "PNG"))


PER_ITEM = {
    "polygons": (".json", lambda n: json.dumps([{"at": {"x": [a_polygon(n)[1]]}}]).encode()),
    "masks": (".png", lambda n: picture(a_polygon(n)[2])),
    "arrays": (".npy", lambda n: saved(lambda s: np.save(s, a_polygon(n)[2]))),
}


@pytest.mark.parametrize("form", PER_ITEM)
def test_shapes_beside_pictures_are_held_against_run_lengths(made, form):
    n_rows = 12
    data = made(np.array([a_polygon(n)[0] for n in range(n_rows)]))
    suffix, write = PER_ITEM[form]
    for n, one in enumerate(ids_of(data)):
        (data.public / f"{one}{suffix}").write_bytes(write(n))

    (found,) = AnswersInPublicFiles().detect(data)

    assert f"*{suffix}" in found.message
    assert found.severity is Severity.HIGH


def honest_files(data):
    """Write files that hold much, and no answers of test rows."""
    import pandas as pd

    train = pd.read_csv(data.public / "train.csv", dtype={"id": str})
    train.to_csv(data.public / "again.csv", index=False)
    train[["y"]].iloc[::-1].to_csv(data.public / "labels.csv", index=False)
    table_of(data, RNG(3).integers(0, 2, N)).to_csv(data.public / "chance.csv", index=False)
    table_of(data, np.ones(N)).to_csv(data.public / "constant.csv", index=False)
    np.savez(data.public / "many.npz", *[RNG(50 + s).integers(0, 2, N) for s in range(60)])
    for n, one in enumerate(ids_of(data)):
        (data.public / f"{one}.json").write_text(json.dumps({"size": n % 3, "is_big": n % 2}))


@pytest.mark.parametrize("answers", [CLASSES, NUMBERS], ids=["classes", "numbers"])
def test_honest_files_are_clean(made, answers):
    data = made(answers, train=RNG(8).permutation(answers))
    honest_files(data)

    assert check(AnswersInPublicFiles(), data).outcome is Outcome.CLEAN


def test_an_order_that_a_public_column_has_as_well_is_no_leak(made):
    rising = np.sort(NUMBERS)
    data = made(rising, week=np.arange(N))
    table_of(data, np.arange(N) ** 2).to_csv(data.public / "calendar.csv", index=False)

    assert check(AnswersInPublicFiles(), data).outcome is Outcome.CLEAN


def test_a_few_answers_among_many_train_rows_are_found(made):
    import pandas as pd

    data = made(NUMBERS)
    train = pd.DataFrame({"ref": [f"t{n}.jpg" for n in range(3000)], "z": RNG(2).normal(size=3000)})
    some = pd.DataFrame({"ref": [f"a/{i}.jpg" for i in ids_of(data)[:12]], "z": NUMBERS[:12]})
    pd.concat([train, some]).to_csv(data.public / "meta.csv", index=False)

    (found,) = AnswersInPublicFiles().detect(data)

    assert "12 of 60" in found.message


def test_few_positives_agree_with_nothing(made):
    rare = (np.arange(N) == 5).astype(int)
    data = made(rare)
    table_of(data, rare).to_csv(data.public / "more.csv", index=False)

    assert check(AnswersInPublicFiles(), data).outcome is Outcome.CLEAN


@pytest.mark.slow
def test_by_chance_nothing_is_accused():
    accused = sum(
        best_match(
            cells_of(RNG(s).integers(0, 2, 12).tolist()),
            cells_of(RNG(s + 999).integers(0, 2, 12).tolist()),
            -7,
        )
        is not None
        for s in range(300)
    )

    assert accused == 0


BROKEN = {
    "a.json": b"[" * 100_000,
    "b.npz": packed("x.npy", b"\x93NUMPY\x01\x00"),
    "c.npy": b"\x93NUMPY\x01\x00\x76\x00"
    + b"{'descr': '<f8', 'fortran_order': False, 'shape': (9999999999999,), }".ljust(117)
    + b"\n",
    "d.mat": b"MATLAB 5.0 " + bytes(200),
    "e.parquet": b"PAR1 no",
    "f.zip": b"PK\x03\x04",
    "g.tar.gz": gzip.compress(b"no tar"),
    "h.csv.gz": gzip.compress(bytes(3 << 20)),
    "i.7z": b"7z\xbc\xaf\x27\x1c no",
    "j.tfrec": bytes([255] * 40),
    "k.csv": b"x," * 3_000_000,
    "l.pkl": pickle.dumps({"a": 1}),
    "m.zip": packed("1.zip", packed("2.zip", packed("3.zip", packed("4.zip", b"x")))),
    "n.tsv": b"a\tb\n1\t2\n1\t2\t3\n",
    "o.npy": saved(lambda s: np.save(s, np.array([{"a": 1}] * N, dtype=object))),
}


def test_broken_and_hostile_files_are_told_and_nothing_crashes(made):
    data = made(CLASSES)
    for name, content in BROKEN.items():
        (data.public / name).write_bytes(content)
    (data.public / "p.csv").symlink_to(data.private / "answers.csv")
    (data.public / "q.txt").write_bytes(b"\xff\xfe\x00" * 500 + b"x" * 2_000_000)
    (data.public / "r.nmea").write_bytes(b"$GPGGA,1,9999,N,12,E,1\n$,,\n" * 50)

    found = check(AnswersInPublicFiles(max_file_mib=2), data)

    (note,) = found.findings
    assert note.severity is Severity.NOTE
    assert shown(note, Quantity).value == len(BROKEN)


@pytest.mark.parametrize("name", [n for n in BROKEN if not n.endswith((".zip", ".gz", ".7z"))])
def test_what_cannot_be_parsed_is_refused_with_a_reason(name):
    with pytest.raises(UnreadableError, match=r"[a-z]{3}"):
        parsed(name, BROKEN[name])


def test_no_more_is_read_than_is_allowed(tmp_path):
    for n in range(4):
        (tmp_path / f"{n}.txt").write_bytes(b"x" * 900)
    bounds = Bounds(of_file=1000, of_all=2000)

    read = [
        bounds.parse(c) is not None
        for c in contents_of(sorted(tmp_path.iterdir()), tmp_path, bounds)
    ]

    assert read == [True, True, False, False]
    assert bounds.n_skipped == 2


def test_the_answer_itself_is_hidden_from_a_report(made):
    data = made(CLASSES)
    table_of(data, CLASSES).to_csv(data.public / "more.csv", index=False)

    (found,) = AnswersInPublicFiles().detect(data)

    assert "private_text" in shown(found, TextPair).hidden


def test_without_answers_nothing_is_called_clean(made):
    data = made(CLASSES)
    (data.private / "answers.csv").unlink()

    assert check(AnswersInPublicFiles(), data).outcome is Outcome.NOT_AVAILABLE
