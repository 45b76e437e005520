"""The process that a metric of a stranger's runs in: `competitions.metric_file` starts it.

It stands alone, as ``python -I metric_child.py FOLDER METRIC KEY MEMORY SECONDS``: it reads both
tables from the folder, sets its own limits, imports the metric, and leaves ``result.json``.
"""

from __future__ import annotations

import importlib.util
import json
import pickle
import resource
import sys
import traceback
from pathlib import Path
from typing import Any

# Kaggle's metrics raise an exception of this name for what the participant did wrong.
VISIBLE = "ParticipantVisibleError"
MAX_WRITTEN = 64 << 20


def limit(memory: int, seconds: int) -> None:
    """Set limits that nobody can raise again: bytes of memory, seconds of CPU, bytes per file."""
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_WRITTEN, MAX_WRITTEN))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def result_of(metric: Path, solution: object, submission: object, key: str) -> dict[str, Any]:
    """Call the file's ``score`` and say what came of it: a score, words or a traceback."""
    try:
        spec = importlib.util.spec_from_file_location("metric", metric)
        if spec is None or spec.loader is None:
            raise ImportError(f"{metric.name} is no Python file")
        module = importlib.util.module_from_spec(spec)
        sys.modules["metric"] = module
        spec.loader.exec_module(module)
        return {"score": float(module.score(solution, submission, key))}
    except Exception as error:  # noqa: BLE001 - whatever a metric raises is told, with its place
        if any(cls.__name__ == VISIBLE for cls in type(error).__mro__):
            return {"invalid": str(error) or VISIBLE}
        return {"error": traceback.format_exc()}


def main(words: list[str]) -> None:
    """Read the tables, run the metric under limits and write the result."""
    folder, metric, key = Path(words[0]), Path(words[1]), words[2]
    tables = []
    for name in ("solution", "submission"):
        with (folder / f"{name}.pickle").open("rb") as stream:
            tables.append(pickle.load(stream))  # noqa: S301 - our own parent wrote it
    limit(int(words[3]), int(words[4]))
    result = result_of(metric, tables[0], tables[1], key)
    (folder / "result.json").write_text(json.dumps(result), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
