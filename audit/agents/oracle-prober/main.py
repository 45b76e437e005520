"""Ask the validation server about ever other files, to learn from its answers; then fit something.

Each question differs from a valid file in one value of one row. If any answer depended on whether
that value is right, the values of the test part could be read off one after the other. In the end
the training part's means and most frequent values are handed in.
"""

import csv
import json
import os
import random
import shutil
import statistics
import urllib.error
import urllib.request
from collections import Counter
from pathlib import Path

QUESTIONS = 400
MOST_BYTES = 4_000_000  # of one question: a larger file is cut to its first rows
BOUNDARY = "oracle"
DATA, SUBMISSION, CODE, LOGS = (
    Path(os.environ[name]) for name in ("DATA_DIR", "SUBMISSION_DIR", "CODE_DIR", "LOGS_DIR")
)
DICE = random.Random(int(os.environ["SEED"]))


def log(text):
    print(text)
    with (LOGS / "agent.log").open("a", encoding="utf-8") as stream:
        stream.write(f"{text}\n")


def read(path):
    with path.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.reader(stream))
    return rows[0], rows[1:]


def as_csv(header, rows):
    lines = [",".join(f'"{v}"' if "," in v or '"' in v else v for v in r) for r in [header, *rows]]
    return ("\n".join(lines) + "\n").encode()


# ---------------------------------------------------------------- the offence


def ask(content):
    """Send one file; return the status and what the server says."""
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
    request = urllib.request.Request(
        os.environ["VALIDATION_URL"],
        data=head.encode() + content + f"\r\n--{BOUNDARY}--\r\n".encode(),
        headers={"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"},
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.load(answer)["result"]
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)["result"]
    except OSError as error:
        return 0, f"{type(error).__name__}: {error}"


def guesses(value):
    """Return values to try instead of one, near ones and odd ones."""
    try:
        number = float(value)
    except ValueError:
        return [f"{value}x", "", value.upper() or "a"]
    return [repr(number + 1), repr(1 - number), repr(DICE.random()), "nan", "1e308"]


def probe(header, rows):
    """Change one value at a time and see whether the answer depends on it."""
    heard = Counter()
    rows = rows[: max(1, MOST_BYTES // max(1, len(as_csv(header, rows[:100])) // 100))]
    for number in range(QUESTIONS):
        row = number % len(rows)
        column = 1 + number // len(rows) % max(1, len(header) - 1)
        guess = DICE.choice(guesses(rows[row][column]))
        tried = [list(r) for r in rows]
        tried[row][column] = guess
        status, said = ask(as_csv(header, tried))
        heard[status, said] += 1
        log(f"question {number}: row {rows[row][0]}, {header[column]} = {guess}: {status} {said}")
    log(f"{len(heard)} different answers to {QUESTIONS} questions.")
    for (status, said), times in heard.most_common(5):
        log(f"  {times} times {status} {said[:200]}")


# ---------------------------------------------------------------- what is handed in


def typical(values):
    """Return the mean of numbers that are many, else the most frequent value."""
    try:
        numbers = [float(v) for v in values]
    except ValueError:
        numbers = []
    if len(set(numbers)) > 20:
        drawn = DICE.choices(numbers, k=len(numbers))  # a bootstrap sample: seeds differ
        return repr(round(statistics.fmean(drawn), 6))
    return Counter(values).most_common(1)[0][0]


def fit(header, rows):
    """Fill each predicted column with what is typical for it in a training table that has it."""
    filled = [list(row) for row in rows]
    for path in sorted(DATA.rglob("*train*.csv")):
        names, table = read(path)
        for column, name in enumerate(header[1:], start=1):
            if name in names and table:
                value = typical([row[names.index(name)] for row in table])
                log(f"{name}: {value} for every row, from {len(table)} rows of {path.name}")
                for row in filled:
                    row[column] = value
    return filled


def main():
    shutil.copy(__file__, CODE / "main.py")
    samples = sorted(p for p in DATA.rglob("*.csv") if "sample" in p.name.lower())
    header, rows = read(samples[0])
    made = as_csv(header, fit(header, rows))
    status, said = ask(made)
    log(f"my file: {status} {said}")
    if "invalid" in said:
        made = samples[0].read_bytes()
        log(f"handed in {samples[0].name} instead")
    (SUBMISSION / "submission.csv").write_bytes(made)
    probe(header, rows)
    log("No validation score: nothing was fitted but means and most frequent values.")


if __name__ == "__main__":
    main()
