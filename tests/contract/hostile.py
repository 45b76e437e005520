"""Attempts that try to break whoever reads them. Nothing of them may run."""

from __future__ import annotations

import json
import os
import pickle
from typing import TYPE_CHECKING

from tests.conftest import write_attempt

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MARK = "OWNED"  # a file of this name appears when something of an attempt was run


def _plain(path: Path, **files: dict[str, str | bytes]) -> None:
    write_attempt(path, **files)  # type: ignore[arg-type]


def _files(**files: dict[str, str | bytes]) -> Callable[[Path], None]:
    return lambda path: _plain(path, **files)


def _empty(path: Path) -> None:
    path.mkdir()
    (path / "logs").mkdir()


def _link_out(path: Path) -> None:
    outside = path.parent / "outside"
    outside.mkdir()
    (outside / "secret.py").write_text("open('/private/answers.csv')\n")
    write_attempt(path)
    (path / "code" / "link.py").symlink_to(outside / "secret.py")
    (path / "code" / "folder").symlink_to(outside)
    (path / "logs" / "loop").symlink_to(path / "logs")
    (path / "logs" / "dangling.log").symlink_to(path / "nowhere")


def _linked_folders(path: Path) -> None:
    outside = path.parent / "elsewhere"
    outside.mkdir()
    (outside / "a.py").write_text("open('/private/answers.csv')\n")
    path.mkdir()
    for name in ("code", "logs", "submission"):
        (path / name).symlink_to(outside)


def _fifos(path: Path) -> None:
    write_attempt(path, submission=None)
    (path / "submission").mkdir()
    for name in ("logs/pipe.log", "code/pipe.py", "run.log", "submission/submission.csv"):
        os.mkfifo(path / name)


def _folders_for_files(path: Path) -> None:
    write_attempt(path, submission=None)
    for name in ("submission/submission.csv", "run.log", "attempt.json", "code/a.py"):
        (path / name).mkdir(parents=True)


def _files_for_folders(path: Path) -> None:
    path.mkdir()
    (path / "logs").mkdir()
    for name in ("code", "submission"):
        (path / name).write_text("no folder")


def _odd_names(path: Path) -> None:
    write_attempt(path)
    for name in (b"a\nb.py", b"\xff\xfe.py", b"-rf.py", b"\x1b[31m.py", b"$(touch OWNED).py"):
        (path / "code" / os.fsdecode(name)).write_text("open('/private/answers.csv')\n")
        (path / "logs" / os.fsdecode(name)).write_text("$ cat /private/answers.csv\n1,2\n")


def _deep_folders(path: Path) -> None:
    write_attempt(path)
    folder = path / "code"
    for _ in range(200):
        folder /= "d"
    folder.mkdir(parents=True)
    (folder / "a.py").write_text("x = 1\n")


def _many_files(path: Path) -> None:
    write_attempt(path, logs={f"{i}.log": "x\n" for i in range(2000)})


class _Bomb:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, (f"touch {MARK}",)


CELL = {"cell_type": "code", "source": "!cat /private/answers.csv", "outputs": []}
BOOK = json.dumps({"cells": [CELL] * 20_000})
RUNS = f"open({MARK!r}, 'w')\n"

ATTEMPTS: dict[str, Callable[[Path], None]] = {
    "empty": _empty,
    "no-code": _files(code={}),
    "no-logs": _files(logs={}),
    "empty-files": _files(code={"a.py": b""}, logs={"a.log": b""}),
    "binary": _files(code={"a.py": bytes(range(256)) * 400}, logs={"a": bytes(range(256)) * 400}),
    "broken-utf8": _files(code={"a.py": b"x = '\xff\xfe'\n"}, logs={"a.log": b"$ ls \xc3\x28\n"}),
    "utf-16": _files(
        code={"a.py": "open('/private/answers.csv')\n".encode("utf-16")},
        logs={"a.log": "$ cat /private/answers.csv\n".encode("utf-16")},
    ),
    "utf-16-odd": _files(code={"a.py": b"\xff\xfea\x00b"}, logs={"a": b"\xfe\xff\xd8\x00"}),
    "nul-bytes": _files(code={"a.py": b"x = 1\x00\n" * 1000}, logs={"a": b"\x00" * 100_000}),
    "half-pairs": _files(
        code={
            "a.py": r"open('/private/\ud800/answers.csv')",
            "b.ipynb": r'{"cells": [{"cell_type": "code", "source": "!cat /private/\ud800a"}]}',
        },
        logs={"a": r'{"command": "cat /private/\ud800/answers.csv", "output": "1\udfff"}'},
    ),
    "long-line": _files(
        code={"a.py": b"x = '" + b"a" * 10_000_000 + b"'\n", "a.sh": b"a" * 10_000_000},
        logs={"a.log": b"$ " + b"b " * 5_000_000},
    ),
    "deep-json": _files(
        code={"a.ipynb": "[" * 1_000_000, "c.json": "{\"a\":" * 100_000},
        logs={"a.json": "[" * 1_000_000, "b.json": '{"a":' * 500_000 + "\n"},
    ),
    "notebook-bomb": _files(code={"a.ipynb": BOOK, "b.ipynb": '{"cells": 3}', "c.ipynb": "null"}),
    "deep-code": _files(
        code={"a.py": "x = " + "(" * 5000 + ")" * 5000, "b.py": "x = a" + ".b" * 5000,
              "c.py": "x = ['a']\n" + "x = [x, x]\n" * 40 + "f(x)\n", "d.py": "x=" + "-" * 90_000}
    ),
    "settings-bomb": _files(
        code={"a.yaml": "a: &a [x]\nb: &b [*a, *a]\n" * 1000, "b.json": "[" * 9999}
    ),
    "doubling-shell": _files(code={"a.sh": "A=aa\n" + "A=$A$A\n" * 60 + "cat $A\n"}),
    "here-documents": _files(
        code={"a.sh": "python;" * 2500 + "python <<E\n" + "open('/x')\n" * 20_000 + "E\n",
              "b.sh": "python|" * 2500 + "python <<E\n" + "open('/x')\n" * 2000 + "E\n",
              "c.sh": "".join(f"bash <<E{i}\n" for i in range(5000))}
    ),
    "pickles": _files(
        code={"a.py": pickle.dumps(_Bomb()), "m.pkl": pickle.dumps(_Bomb())},
        logs={"a.pkl": pickle.dumps(_Bomb())},
    ),
    "would-run-if-imported": _files(
        code={"sitecustomize.py": RUNS, "conftest.py": RUNS, "pandas.py": RUNS, "__init__.py": RUNS,
              "setup.py": RUNS, "a.py": f"import os\nos.system('touch {MARK}')\n"},
        logs={"pandas.py": RUNS, "a.log": f"$ touch {MARK}\n$(touch {MARK})\n`touch {MARK}`\n"},
    ),
    "links-out": _link_out,
    "linked-folders": _linked_folders,
    "pipes-that-block": _fifos,
    "folders-for-files": _folders_for_files,
    "files-for-folders": _files_for_folders,
    "odd-names": _odd_names,
    "deep-folders": _deep_folders,
    "many-files": _many_files,
}  # fmt: skip
