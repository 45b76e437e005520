"""Tasks whose parts are lists of JSON records: pizza requests, radar images of icebergs.

Records never become a table, which would turn whole numbers into floats where a field is missing.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from competitions.errors import RawDataError
from competitions.hooks import Hooks
from competitions.packs import pack_file
from competitions.splits import Parts, drawn

if TYPE_CHECKING:
    from pathlib import Path

    from competitions.outputs import Trees
    from competitions.spec import Competition
    from competitions.work import Work

Record = dict[str, Any]
RECORD = "record"  # column of the parts that holds the whole record
_TELLING = {"giver_username_if_known"}
_SIDE = 4  # pixels of a miniature's images
_INDENTS = {"zip": 4, "7z": None}  # how the published files of either task are laid out


def records(work: Work, name: str, *, keys_alone: bool = False) -> list[Record]:
    """Read a list of records that share one set of keys.

    Parameters
    ----------
    keys_alone : bool
        Let every value be None: those of 8,000 radar images take gigabytes.

    Raises
    ------
    RawDataError
        When the file is missing or holds anything else.
    """
    path = work.path(name)
    if not path.is_file():
        raise RawDataError(f"Expected {name} in {work.raw}, found none.")
    try:
        hook = _without_values if keys_alone else None
        found: Any = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=hook)
    except ValueError as error:
        raise RawDataError(f"{path} cannot be read: {error}.") from error
    is_list = isinstance(found, list) and all(isinstance(r, dict) for r in found)
    if not (is_list and found) or any(r.keys() != found[0].keys() for r in found):
        raise RawDataError(f"{path}: expected a list of records with the same keys.")
    return list(found)


def _without_values(pairs: list[tuple[str, Any]]) -> Record:
    return dict.fromkeys(name for name, _ in pairs)


def _test_name(spec: Competition) -> str:
    return spec.split.on.replace("train.json", "test.json")


def split(spec: Competition, work: Work) -> Parts:
    """Draw records as ``train_test_split`` does from a list; without a test_size Kaggle's share.

    Raises
    ------
    RawDataError
        When records lack the key or the target.
    """
    import pandas as pd

    known = records(work, spec.split.on)
    others = records(work, _test_name(spec), keys_alone=True)
    key, target = spec.submission.key[0], spec.targets[0]
    lacking = {key, target} - known[0].keys()
    if lacking:
        raise RawDataError(f"{spec.split.on}: expected the fields {key} and {target}.")
    share = spec.split.test_size or len(others) / (len(known) + len(others))
    sides = drawn(known, spec.split, test_size=share)
    frames = [
        pd.DataFrame(
            {key: [r[key] for r in side], target: [int(r[target]) for r in side], RECORD: side}
        )
        for side in sides
    ]
    return Parts(*frames)


def finish(spec: Competition, work: Work, parts: Parts, trees: Trees) -> None:
    """Write both parts; test records keep the fields of Kaggle's test records, in their order.

    Mended, neither part has a field that tells the answer.
    """
    telling = _TELLING if spec.variant == "fixed" else set[str]()
    asked = records(work, _test_name(spec), keys_alone=True)[0]
    fields = [f for f in asked if f not in telling]
    train = [{f: v for f, v in r.items() if f not in telling} for r in parts.train[RECORD]]
    test = [{name: record[name] for name in fields} for record in parts.test[RECORD]]
    contents = {"train.json": train, "test.json": test}
    kind = next(f.pack.rpartition(".")[2] for f in spec.public if f.pack is not None)
    for file in spec.public:
        if file.made is None:
            continue
        target = trees.public / file.path
        with target.open("w", encoding="utf-8") as stream:
            json.dump(contents[file.path], stream, indent=_INDENTS[kind])
        if file.pack is not None:
            pack_file(target, trees.public / file.pack)


def miniature(spec: Competition, folder: Path, seed: int) -> None:
    """Add lists to the records, and odd ones: an angle that is a word, keys in another order."""
    import numpy as np

    rng = np.random.default_rng(seed)
    for file in spec.raw:
        path = folder / file.path
        found: list[Record] = json.loads(path.read_text(encoding="utf-8"))
        made = [_enriched(record, rng) for record in found]
        made[1] = dict(reversed(made[1].items()))
        path.write_text(json.dumps(made), encoding="utf-8")


def _enriched(record: Record, rng: Any) -> Record:  # noqa: ANN401 - numpy is not loaded here
    if "inc_angle" not in record:
        return record | {"requester_subreddits_at_request": ["pics", "funny"][: rng.integers(3)]}
    bands = {f"band_{n}": rng.normal(-20, 5, _SIDE**2).round(6).tolist() for n in (1, 2)}
    first, *rest = record.items()
    found = dict([first]) | bands | dict(rest)
    return found | ({"inc_angle": "na"} if rng.random() < 0.1 else {})  # noqa: PLR2004


HOOKS = Hooks(split=split, finish=finish, miniature=miniature)
