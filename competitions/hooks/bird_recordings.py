"""Recordings of birds, whose tables are numbered anew: MLSP 2013."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from competitions.errors import RawDataError
from competitions.hooks import Hooks
from competitions.outputs import with_fill, write_table
from competitions.splits import Parts
from competitions.work import raw_table

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    import pandas as pd

    from competitions.outputs import Trees
    from competitions.spec import Competition
    from competitions.work import Work

_ROOT = "mlsp_contest_dataset"
_FOLDS, _NAMES = "essential_data/CVfolds_2.txt", "essential_data/rec_id2filename.txt"
_LABELS, _SPECIES = "essential_data/rec_labels_test_hidden.txt", "essential_data/species_list.txt"
_TABLES = ("histogram_of_segments", "segment_features", "segment_rectangles")
_PICTURES = (
    *("filtered_spectrograms", "segmentation_examples", "spectrograms", "supervised_segmentation"),
)
_MOSAICS = ("segment_clusters", "segment_mosaic")
_HEADER = "rec_id,[histogram of segment features]"  # of all three tables, as published
_N_SPECIES, _PER_RECORDING = 19, 100  # rows are named 100 · recording + species
_OLD = "raw_rec_id"


def split(spec: Competition, work: Work) -> Parts:
    """Draw recordings among those whose species Kaggle told, and number them in file order.

    Notes
    -----
    ``pandas.DataFrame.sample(frac=test_size, random_state=seed)``; both parts keep raw order.
    """
    folds = raw_table(spec, work, spec.split.on)
    folds = folds[folds["fold"] == 0].reset_index(drop=True)
    drawn = folds.sample(frac=float(spec.split.test_size or 0), random_state=spec.split.seed)
    in_test = folds.index.isin(drawn.index)
    known = folds.assign(raw_rec_id=folds["rec_id"], rec_id=folds.index, fold=1 * in_test)
    return Parts(known[~in_test], known[in_test])


def finish(spec: Competition, work: Work, parts: Parts, trees: Trees) -> None:
    """Write the tables under new numbers, the answers, and the files of all recordings kept."""
    import pandas as pd

    known = pd.concat(parts).sort_values("rec_id")
    new = dict(zip(known[_OLD], known["rec_id"], strict=True))
    write_table(known[["rec_id", "fold"]], trees.public / _FOLDS)
    names = raw_table(spec, work, f"{_ROOT}/{_NAMES}")
    names = names[names["rec_id"].isin(set(new))]
    write_table(names.assign(rec_id=names["rec_id"].map(new)), trees.public / _NAMES)
    labels = _kept_lines(work, _LABELS, new)
    hidden = set(parts.test["rec_id"])
    _write_lines(
        trees.public / _LABELS,
        "rec_id,[labels]",
        [f"{i},?" if i in hidden else f"{i},{own}".rstrip(",") for i, own in labels],
    )
    answers = _rows({i: own for i, own in labels if i in hidden})
    write_table(answers, trees.private / spec.answers)
    sample = with_fill(_rows(dict.fromkeys(sorted(hidden), "")), spec, parts)
    write_table(sample, trees.public / spec.sample_submission.path)
    for name in _TABLES:
        path = f"supplemental_data/{name}.txt"
        lines = [f"{i},{rest}" for i, rest in _kept_lines(work, path, new)]
        _write_lines(trees.public / path, _HEADER, lines)
    _copy_files(work, trees.public, list(names["filename"]))


def _kept_lines(work: Work, name: str, new: dict[int, int]) -> list[tuple[int, str]]:
    """Read lines of ``rec_id,rest`` behind a header; those that are kept, by their new number."""
    path = work.path(f"{_ROOT}/{name}")
    try:
        lines = path.read_text(encoding="utf-8").splitlines()[1:]
        found = [(int(line.partition(",")[0]), line.partition(",")[2]) for line in lines]
    except (OSError, ValueError) as error:
        raise RawDataError(f"{path}: expected lines that begin with a number: {error}.") from error
    return [(new[i], rest) for i, rest in found if i in new]


def _write_lines(target: Path, header: str, lines: list[str]) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")


def _rows(heard: dict[int, str]) -> pd.DataFrame:
    """Give each species of each recording a row: 1 where its number is among those heard."""
    import pandas as pd

    rows = [
        (i * _PER_RECORDING + species, int(str(species) in own.split(",")))
        for i, own in heard.items()
        for species in range(_N_SPECIES)
    ]
    return pd.DataFrame(rows, columns=["Id", "Probability"])


def _copy_files(work: Work, public: Path, names: list[str]) -> None:
    wanted = [_SPECIES, *(f"essential_data/src_wavs/{name}.wav" for name in names)]
    wanted += [f"supplemental_data/{name}.bmp" for name in _MOSAICS]
    wanted += [f"supplemental_data/{kind}/{name}.bmp" for kind in _PICTURES for name in names]
    for name in wanted:
        source, target = work.path(f"{_ROOT}/{name}"), public / name
        if source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
        elif "segmentation_examples" not in name:  # which exist for some recordings only
            raise RawDataError(f"Expected {_ROOT}/{name} in {work.raw}, found none.")


def miniature(spec: Competition, folder: Path, seed: int) -> None:
    """Write a folder of 90 recordings, of which Kaggle's train part are two thirds or so."""
    import numpy as np

    del spec
    rng = np.random.default_rng(seed)
    ids = [int(i) for i in rng.permutation(90)]
    folds = [int(f) for f in rng.permutation([0] * 65 + [1] * 25)]
    names = [f"PC{i % 18 + 1}_2009060{i % 9}_050000_00{i:02d}" for i in range(90)]
    tables = {
        _FOLDS: ("rec_id,fold", [f"{i},{f}" for i, f in enumerate(folds)]),
        _NAMES: ("rec_id,filename", [f"{i},{names[i]}" for i in range(90)]),
        _SPECIES: ("class_id,code,species", [f"{i},B{i},Bird {i}" for i in range(_N_SPECIES)]),
        _LABELS: ("rec_id,[labels]", [_labels(i, rng) for i in ids]),
    }
    for name in _TABLES:
        lines = [f"{i},{','.join(map(str, rng.integers(0, 9, 3)))}" for i in ids]
        tables[f"supplemental_data/{name}.txt"] = (f"rec_id,[{name}]", [*lines[:-1], f"{ids[-1]}"])
    for path, (header, lines) in tables.items():
        _write_lines(folder / _ROOT / path, header, lines)
    _write_pictures(folder / _ROOT, names, rng)


def _labels(recording: int, rng: np.random.Generator) -> str:
    heard = sorted(rng.choice(_N_SPECIES, int(rng.integers(0, 4)), replace=False))
    return f"{recording}" + "".join(f",{species}" for species in heard)


def _write_pictures(root: Path, names: list[str], rng: np.random.Generator) -> None:
    from competitions.miniature_files import make_file
    from competitions.shapes import EachFile

    sound, picture = (EachFile(of="", kind=k, size=s) for k, s in (("wav", (20,)), ("png", (4, 4))))
    for number, name in enumerate(names):
        make_file(root / f"essential_data/src_wavs/{name}.wav", sound, rng)
        for kind in _PICTURES:
            if kind != "segmentation_examples" or number % 3 == 0:
                make_file(root / f"supplemental_data/{kind}/{name}.bmp", picture, rng)
    for name in _MOSAICS:
        make_file(root / f"supplemental_data/{name}.bmp", picture, rng)


HOOKS = Hooks(split=split, finish=finish, miniature=miniature)
