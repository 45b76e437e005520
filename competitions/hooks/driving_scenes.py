"""Driving scenes as linked tables of JSON, with pictures and lidar sweeps: Lyft 3D objects."""

from __future__ import annotations

import json
import shutil
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from competitions.errors import RawDataError
from competitions.hooks import Hooks
from competitions.splits import Parts, drawn
from competitions.work import raw_table

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np

    from competitions.outputs import Trees
    from competitions.spec import Competition
    from competitions.work import Work

Row = dict[str, Any]
_WHOLE = ("attribute", "category", "sensor", "visibility")  # tables that both sides get as they are
_MAP = "map_raster_palo_alto.png"
_FOLDERS = {"jpeg": "images", "bin": "lidar"}  # by the format that sample_data names
_PER_BOX = 8  # words: x y z width length height yaw class


def _table(work: Work, name: str) -> list[Row]:
    path = work.path(f"train_data/{name}.json")
    try:
        found: list[Row] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RawDataError(f"{path} cannot be read: {error}.") from error
    return found


def _logs(spec: Competition, work: Work) -> tuple[list[str], list[str]]:
    """Draw logs from their raw order; both lists are in the order drawn."""
    tokens = [log["token"] for log in _table(work, "log")]
    return drawn(tokens, spec.split)


def with_confidence(boxes: str) -> str:
    """Put a confidence of 1.0 in front of each box.

    Examples
    --------
    >>> with_confidence("1 2 3 4 5 6 7 car")
    '1.0 1 2 3 4 5 6 7 car'
    """
    words = boxes.split()
    starts = range(0, len(words), _PER_BOX)
    return " ".join(" ".join(["1.0", *words[i : i + _PER_BOX]]) for i in starts)


def split(spec: Competition, work: Work) -> Parts:
    """Draw whole logs; a sample goes with the log that its scene is called after."""
    test_logs = set(_logs(spec, work)[1])
    names = {s["token"] for s in _table(work, "sample") if s["scene_token"] in test_logs}
    frame = raw_table(spec, work, spec.split.on)
    in_test = frame["Id"].isin(names)
    test = frame[in_test]
    boxes = test["PredictionString"].map(with_confidence)
    return Parts(frame[~in_test], test.assign(PredictionString=boxes))


def finish(spec: Competition, work: Work, parts: Parts, trees: Trees) -> None:
    """Write the tables of both sides, and copy maps, pictures and sweeps.

    Notes
    -----
    As published, the maps of both sides name the logs of the test side; mended, each its own.
    """
    del parts
    train_logs, test_logs = _logs(spec, work)
    for side, logs in (("train", train_logs), ("test", test_logs)):
        tables = _side(work, set(logs), with_answers=side == "train")
        named = logs if spec.variant == "fixed" else test_logs
        tables["map"] = [m | {"log_tokens": named} for m in _table(work, "map")]
        folder = trees.public / f"{side}_data"
        folder.mkdir(exist_ok=True)
        for name, rows in tables.items():
            (folder / f"{name}.json").write_text(json.dumps(rows), encoding="utf-8")
        for name in _WHOLE:
            _copy(work, f"train_data/{name}.json", folder / f"{name}.json")
        _copy(work, f"train_maps/{_MAP}", trees.public / f"{side}_maps" / _MAP)
        _copy_files(work, tables["sample_data"], trees.public, side)


def _side(work: Work, logs: set[str], *, with_answers: bool) -> dict[str, list[Row]]:
    """Follow the links from logs to scenes, samples, their data, and what these refer to."""
    samples = [s for s in _table(work, "sample") if s["scene_token"] in logs]
    names = {s["token"] for s in samples}
    data = [d for d in _table(work, "sample_data") if d["sample_token"] in names]
    sensors = {c["token"]: c for c in _table(work, "calibrated_sensor")}
    poses = {p["token"]: p for p in _table(work, "ego_pose")}
    used = dict.fromkeys(d["calibrated_sensor_token"] for d in data)
    found = {
        "log": [log for log in _table(work, "log") if log["token"] in logs],
        "scene": [s for s in _table(work, "scene") if s["log_token"] in logs],
        "sample": samples,
        "sample_data": data,
        "calibrated_sensor": [sensors[token] for token in used],
        "ego_pose": [poses[d["ego_pose_token"]] for d in data],
    }
    if with_answers:
        boxes = [a for a in _table(work, "sample_annotation") if a["sample_token"] in names]
        things = {a["instance_token"] for a in boxes}
        found["sample_annotation"] = boxes
        found["instance"] = [i for i in _table(work, "instance") if i["token"] in things]
    return found


def _copy_files(work: Work, data: list[Row], public: Path, side: str) -> None:
    for row in data:
        kind = _FOLDERS.get(row["fileformat"])
        if kind is None:
            raise RawDataError(f"sample_data: expected jpeg or bin, found {row['fileformat']}.")
        name = PurePosixPath(row["filename"]).name
        target = public / f"{side}_{kind}" / name
        if not target.exists():
            _copy(work, f"train_{kind}/{name}", target)


def _copy(work: Work, name: str, target: Path) -> None:
    source = work.path(name)
    if not source.is_file():
        raise RawDataError(f"Expected {name} in {work.raw}, found none.")
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def miniature(spec: Competition, folder: Path, seed: int) -> None:
    """Write twelve logs of three samples each, with two files a sample and a few boxes."""
    import numpy as np

    from competitions.miniature_files import make_file
    from competitions.shapes import EachFile

    rng = np.random.default_rng(seed)
    for name in ("train_data", "train_images", "train_lidar", "train_maps"):
        (folder / name).mkdir()
    tables = _made_tables(rng)
    for row in tables["sample_data"]:
        name = PurePosixPath(row["filename"]).name
        (folder / f"train_{_FOLDERS[row['fileformat']]}" / name).write_bytes(rng.bytes(30))
    make_file(folder / "train_maps" / _MAP, EachFile(of="", kind="png", size=(4, 4)), rng)
    lines = ["Id,PredictionString"]
    for sample in tables["sample"]:
        own = [a for a in tables["sample_annotation"] if a["sample_token"] == sample["token"]]
        lines.append(f"{sample['token']},{' '.join(a.pop('text') for a in own)}")
    order = rng.permutation(len(lines) - 1) + 1
    table = "\n".join([lines[0], *(lines[i] for i in order)]) + "\n"
    (folder / spec.split.on).write_text(table)
    for name, rows in tables.items():
        (folder / "train_data" / f"{name}.json").write_text(json.dumps(rows, indent=1))


def _made_tables(rng: np.random.Generator) -> dict[str, list[Row]]:
    def token() -> str:
        return rng.bytes(8).hex() + "x"

    logs = [token() for _ in range(12)]
    tables: dict[str, list[Row]] = {name: [{"token": token(), "name": name}] for name in _WHOLE}
    tables["log"] = [{"token": t, "vehicle": "a101", "date_captured": "2019-01-01"} for t in logs]
    tables["scene"] = [{"token": t, "log_token": t, "name": f"host-{t}"} for t in logs]
    tables["map"] = [{"token": token(), "log_tokens": list(logs), "filename": f"maps/{_MAP}"}]
    tables["sample"] = [{"token": token(), "scene_token": t} for t in logs for _ in range(3)]
    tables["calibrated_sensor"] = [{"token": token(), "rotation": [1.0, n]} for n in range(5)]
    sensors = [s["token"] for s in tables["calibrated_sensor"]]
    tables["instance"] = [{"token": token(), "category_token": "c"} for _ in range(20)]
    tables |= {"sample_data": [], "ego_pose": [], "sample_annotation": []}
    for number, sample in enumerate(tables["sample"]):
        for kind, place in (("jpeg", "images"), ("bin", "lidar")):
            row = {"token": token(), "sample_token": sample["token"], "fileformat": kind}
            row |= {"filename": f"{place}/host-{row['token']}.{kind}", "ego_pose_token": token()}
            row["calibrated_sensor_token"] = sensors[int(rng.integers(5))]
            tables["sample_data"].append(row)
            tables["ego_pose"].insert(0, {"token": row["ego_pose_token"], "timestamp": number})
        for _ in range(int(rng.integers(1, 4))):
            thing = tables["instance"][number // 3 + int(rng.integers(2))]["token"]
            box = {"token": token(), "sample_token": sample["token"], "instance_token": thing}
            tables["sample_annotation"].append(box | {"text": _box(rng)})
    seen = {box["instance_token"] for box in tables["sample_annotation"]}
    tables["instance"] = [thing for thing in tables["instance"] if thing["token"] in seen]
    return tables


def _box(rng: np.random.Generator) -> str:
    numbers = [*rng.uniform(-50, 50, 3), *rng.uniform(1, 5, 3), rng.uniform(-3, 3)]
    kind = ["car", "pedestrian", "bicycle"][int(rng.integers(3))]
    return " ".join([*(f"{n:.6f}" for n in numbers), kind])


HOOKS = Hooks(split=split, finish=finish, miniature=miniature)
