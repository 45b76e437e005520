"""Sentences that lost a word: a corpus of thirty million lines, read once. Billion words."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from competitions.errors import RawDataError
from competitions.hooks import Hooks
from competitions.miniature import is_miniature
from competitions.packs import pack_file

if TYPE_CHECKING:
    from pathlib import Path
    from typing import TextIO

    import numpy as np

    from competitions.outputs import Trees
    from competitions.spec import Competition
    from competitions.work import Work

_LINES, _LINES_OF_MINIATURE = 30_301_028, 6000  # read; what lies behind is not
_FEWEST = 3  # words of a test sentence
_HEADER = '"id","sentence"\n'
_TRAIN, _TEST = "train_v2.txt", "test_v2.txt"


def shortened(sentence: str, rng: np.random.RandomState) -> str:
    """Take out one word, neither the first nor the last; words stand between white space.

    Examples
    --------
    >>> import numpy as np
    >>> shortened("one  two three", np.random.RandomState(0))
    'one three'
    """
    words = sentence.split()
    place = rng.randint(1, len(words) - 1)
    return " ".join(words[:place] + words[place + 1 :])


def build(spec: Competition, work: Work, trees: Trees) -> None:
    """Read the corpus once; each line is drawn for the test part, or handed on as it is.

    Notes
    -----
    One ``numpy.random.RandomState(seed)`` draws for each line whether it is a test line, with a
    chance of ``test_size``, and, if it is, which word is lost.

    Raises
    ------
    RawDataError
        When the corpus has too few lines, or is no UTF-8 text.
    """
    import numpy as np

    path = work.path(_TRAIN)
    n_lines = _LINES_OF_MINIATURE if is_miniature(work.raw) else _LINES
    with ExitStack() as stack:
        targets = [trees.public / _TRAIN, trees.public / _TEST, trees.private / spec.answers]
        train, test, answers = (
            stack.enter_context(t.open("w", encoding="utf-8", newline="\n")) for t in targets
        )
        test.write(_HEADER)
        answers.write(_HEADER)
        rng = np.random.RandomState(spec.split.seed)
        try:
            share = float(spec.split.test_size or 0)
            n_read = _split_lines(path, n_lines, share, rng, (train, test, answers))
        except (OSError, UnicodeDecodeError) as error:
            raise RawDataError(f"{path} cannot be read as text: {error}.") from error
    if n_read < n_lines:
        raise RawDataError(f"{path}: expected {n_lines} lines, found {n_read}.")
    sample = (trees.public / _TEST).read_bytes()
    (trees.private / "sample_submission.csv").write_bytes(sample)
    for file in spec.public:
        if file.pack is not None:
            pack_file(trees.public / file.path, trees.public / file.pack)


def _split_lines(
    path: Path,
    n_lines: int,
    share: float,
    rng: np.random.RandomState,
    targets: tuple[TextIO, TextIO, TextIO],
) -> int:
    """Write each line where it belongs; returns how many were read."""
    train, test, answers = targets
    n_read = n_test = 0
    with path.open(encoding="utf-8") as corpus:
        for line in corpus:
            n_read += 1
            is_drawn = rng.uniform() <= share
            if is_drawn and len(line.split()) >= _FEWEST:
                sentence = line.strip().replace('"', '""')
                answers.write(f'{n_test},"{sentence}"\n')
                test.write(f'{n_test},"{shortened(sentence, rng)}"\n')
                n_test += 1
            else:
                train.write(line)
            if n_read >= n_lines:
                break
    return n_read


def miniature(spec: Competition, folder: Path, seed: int) -> None:
    """Write short sentences with quotes, odd blanks and odd ends of lines, and some behind."""
    import numpy as np

    del spec
    rng = np.random.default_rng(seed)
    words = np.array(["the", "cat", "sat", "on", "a", "mat", '"', "Zürich", "1.5", "--", "was"])
    lines = []
    for _ in range(_LINES_OF_MINIATURE + 50):
        chosen = rng.choice(words, int(rng.integers(1, 7)))
        blank = ["  ", " \u00a0", "\u3000"][int(rng.integers(3))] if rng.random() < 0.1 else " "  # noqa: PLR2004
        ending = ["\r\n", "\r", " \n"][int(rng.integers(3))] if rng.random() < 0.1 else "\n"  # noqa: PLR2004
        lines.append(blank.join(chosen) + " ." * int(rng.integers(2)) + ending)
    (folder / _TRAIN).write_bytes("".join(lines).encode())


HOOKS = Hooks(build=build, miniature=miniature)
