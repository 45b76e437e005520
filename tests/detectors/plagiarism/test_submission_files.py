"""Files of one task are read row by row, whatever is in them, and large ones in part."""

from __future__ import annotations

import os

import numpy as np
import pytest

from competitions.errors import UnreadableFileError
from detectors.plagiarism.submission_files import File, Rules, rules_of, scan, sheets_of
from tests.detectors.plagiarism.worlds import as_csv, honest

RULES = Rules(("id",), ("y",))


@pytest.fixture
def files(tmp_path):
    """Write files, the first one an attempt's."""

    def write(*texts):
        found = []
        for number, text in enumerate(texts):
            path = tmp_path / f"{number}.csv"
            path.write_text(text, encoding="utf-8")
            attempt = "" if number else "a"
            found.append(File(path, path.name, f"author {number}", attempt))
        return found

    return write


def test_rows_are_paired_by_their_keys_however_these_are_written(files):
    first = "id,y\n" + "".join(f"{n},{n / 7}\n" for n in range(30))
    second = "y,id\n" + "".join(f"{n / 7},{n}.0\n" for n in reversed(range(30)))

    sheets = sheets_of(files(first, second), RULES)

    assert sheets.number_columns == ("y",)
    assert (sheets.numbers[0] == sheets.numbers[1]).all()


def test_a_key_that_is_repeated_is_paired_in_its_order(files):
    text = "id,y\n" + "".join(f"{n // 2},{n / 7}\n" for n in range(60))

    sheets = sheets_of(files(text, text), RULES)

    assert sheets.numbers.shape == (2, 60, 1)


def test_a_public_file_is_read_again_only_when_it_has_changed(files):
    text = "id,y\n" + "".join(f"{n},{n / 7}\n" for n in range(30))
    given = files(text, text)
    first = sheets_of(given, RULES)
    known = given[1].path.stat()

    given[1].path.write_text(text.replace("0.0", "5.0"), encoding="utf-8")
    os.utime(given[1].path, ns=(known.st_atime_ns, known.st_mtime_ns))
    held = sheets_of(given, RULES)
    os.utime(given[1].path, ns=(known.st_atime_ns, known.st_mtime_ns + 1))
    anew = sheets_of(given, RULES)

    assert (first.numbers == held.numbers).all()
    assert anew.numbers[1, 0, 0] == 5.0


def test_several_key_columns_name_a_row_together(files):
    text = "a,b,y\n" + "".join(f"{n // 6},{n % 6},{n / 7}\n" for n in range(36))
    lines = text.splitlines()
    other = "\n".join([lines[0], *reversed(lines[1:])]) + "\n"

    sheets = sheets_of(files(text, other), Rules(("a", "b"), ("y",)))

    assert (sheets.numbers[0] == sheets.numbers[1]).all()


def test_large_files_are_sampled_by_their_keys(files):
    one, other = honest(2, 3000)
    order = np.random.default_rng(0).permutation(3000)
    shuffled = "id,y\n" + "".join(f"{n},{other[n]}\n" for n in order)

    sheets = sheets_of(files(as_csv(one, "y"), shuffled), RULES, max_cells=500)

    assert 350 < sheets.numbers.shape[1] < 650
    assert sheets.n_rows == 3000
    by_value = {round(v, 12): w for v, w in zip(one, other, strict=True)}
    assert all(
        by_value[round(mine, 12)] == pytest.approx(theirs)
        for mine, theirs in sheets.numbers[:, :, 0].T
    )


def test_what_most_files_have_counts_and_others_are_left_out(files):
    texts = [as_csv(v, "y") for v in honest(4, 100)]
    short = as_csv(honest(1, 100)[0][:60], "y")
    words = "id,y\n" + "".join(f"{n},word {n}\n" for n in range(100))

    sheets = sheets_of(files(*texts, short, words), RULES)

    assert len(sheets.files) == 4
    assert {f.name: why for f, why in sheets.left_out} == {
        "4.csv": "it has 60% of the rows.",
        "5.csv": "cells are missing or no numbers.",
    }


def test_few_values_and_words_are_labels_and_true_is_true(files):
    first = "id,y\n" + "".join(f"{n},{n % 2}\n" for n in range(40))
    second = "id,y\n" + "".join(f"{n},{float(n % 2)}\n" for n in range(40))

    sheets = sheets_of(files(first, second), RULES)

    assert sheets.label_columns == ("y",)
    assert (sheets.labels[0] == sheets.labels[1]).all()


def test_a_task_that_the_catalog_has_not_takes_its_first_column_as_key(files):
    texts = [as_csv(v, "y", "row") for v in honest(2, 50)]

    assert sheets_of(files(*texts), rules_of("nobody-knows", "v1")).number_columns == ("y",)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        pytest.param(b"id,y\n1,\x00\n", "NUL", id="binary"),
        pytest.param(b"id,y\n" + b"1" * (2 << 20), "longer than 1 MiB", id="one-line"),
    ],
)
def test_what_would_harm_is_refused_before_it_is_parsed(content, why, tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(content)

    with pytest.raises(UnreadableFileError, match=why):
        scan(path)


def test_links_are_not_followed(tmp_path):
    (tmp_path / "a.csv").write_text("id,y\n1,2\n")
    (tmp_path / "b.csv").symlink_to(tmp_path / "a.csv")

    with pytest.raises(UnreadableFileError, match="expected a file"):
        scan(tmp_path / "b.csv")


def test_nothing_to_read_gives_nothing(files):
    assert sheets_of([], RULES).files == ()
    assert sheets_of(files("", ""), RULES).files == ()
