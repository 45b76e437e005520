"""RNA molecules whose bases are the rows of submissions: OpenVaccine."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from competitions.errors import RawDataError
from competitions.hooks import Hooks
from competitions.io import listed, said_by
from competitions.outputs import with_fill
from competitions.splits import Parts

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

    from competitions.outputs import Trees
    from competitions.spec import Competition
    from competitions.work import Work

_KEPT = "keep"  # column of the answers: whether the position was measured
_LENGTH, _MEASURED = 8, 5  # bases of a miniature's molecules


def _molecules(work: Work, name: str) -> pd.DataFrame:
    import pandas as pd

    path = work.path(name)
    if not path.is_file():
        raise RawDataError(f"Expected {name} in {work.raw}, found none.")
    try:
        return pd.read_json(path, lines=True)
    except ValueError as error:
        raise RawDataError(f"{path} cannot be read: {said_by(error)}") from error


def split(spec: Competition, work: Work) -> Parts:
    """Draw test molecules among those that passed the quality filter; both parts keep raw order.

    Notes
    -----
    ``test_size`` is a share of *all* molecules, cut to a whole number.
    """
    frame = _molecules(work, spec.split.on)
    if "SN_filter" not in frame.columns:
        found = listed(frame.columns)
        raise RawDataError(
            f"{work.path(spec.split.on)}: expected a field SN_filter, found {found}."
        )
    n_test = int(len(frame) * float(spec.split.test_size or 0))
    passed = frame[frame["SN_filter"] > 0]
    in_test = frame.index.isin(passed.sample(n=n_test, random_state=spec.split.seed).index)
    return Parts(frame[~in_test], frame[in_test])


def finish(spec: Competition, work: Work, parts: Parts, trees: Trees) -> None:
    """Write molecules as JSON lines, and one row per base for the answers and the sample."""
    fields = list(_molecules(work, "test.json").columns)
    for name, part in (("train.json", parts.train), ("test.json", parts.test[fields])):
        numbered = part.assign(index=range(len(part)))
        numbered.to_json(trees.public / name, orient="records", lines=True)
    answers = bases(parts.test, spec.targets)
    _write(answers, trees.private / spec.answers)
    sample = with_fill(answers.drop(columns=_KEPT), spec, parts)
    _write(sample, trees.public / spec.sample_submission.path)


def bases(molecules: pd.DataFrame, targets: tuple[str, ...]) -> pd.DataFrame:
    """Give each base of each molecule a row.

    Returns
    -------
    DataFrame
        ``id_seqpos`` (``<molecule>_<position>``, counted from 0), the targets, 0.0 where a base was
        not measured, and ``keep``, which says whether it was.
    """
    import pandas as pd

    rows: list[dict[str, object]] = []
    for molecule in molecules.to_dict("records"):
        for position in range(molecule["seq_length"]):
            kept = position < molecule["seq_scored"]
            values = {t: molecule[t][position] if kept else 0.0 for t in targets}
            rows.append({"id_seqpos": f"{molecule['id']}_{position}"} | values | {_KEPT: kept})
    return pd.DataFrame(rows)


def _write(frame: pd.DataFrame, target: Path) -> None:
    frame.to_csv(target, index=False, float_format="%.10f", lineterminator="\n")


def miniature(spec: Competition, folder: Path, seed: int) -> None:
    """Write molecules of eight bases, five of them measured, as JSON lines."""
    import numpy as np

    rng = np.random.default_rng(seed)
    names = [f"{target}{end}" for target in spec.targets for end in ("", "_error")]
    known = [_molecule(n, rng, names) for n in range(60)]
    facts = ("index", "id", "sequence", "structure", "predicted_loop_type", "seq_length")
    others = [{k: m[k] for k in (*facts, "seq_scored")} for m in known[:3]]
    for name, molecules in (("train.json", known), ("test.json", others)):
        (folder / name).write_text("".join(json.dumps(m) + "\n" for m in molecules))
    (folder / "sample_submission.csv").write_text(",".join(["id_seqpos", *spec.targets]) + "\n")


def _molecule(number: int, rng: Any, names: list[str]) -> dict[str, Any]:  # noqa: ANN401
    def letters(kinds: str) -> str:
        return "".join(rng.choice(list(kinds), _LENGTH))

    facts = {
        "index": number,
        "id": f"id_{int(rng.integers(16**6)):06x}{number:03x}",
        "sequence": letters("ACGU"),
        "structure": letters("(.)"),
        "predicted_loop_type": letters("SMIBHEX"),
        "signal_to_noise": round(float(rng.uniform(0, 10)), 3),
        "SN_filter": float(rng.random() < 0.7),  # noqa: PLR2004
        "seq_length": _LENGTH,
        "seq_scored": _MEASURED,
    }
    return facts | {name: rng.normal(0.4, 0.5, _MEASURED).round(4).tolist() for name in names}


HOOKS = Hooks(split=split, finish=finish, miniature=miniature)
