"""Learn a task with scikit-learn and hand in predictions: tables, texts, small images, series.

1. Read what the data folder holds; the target is what the sample has beyond the keys (`data.py`).
2. Find out how the real split was made: test after train in time, whole groups, or single rows.
   Validation is made the same way (`learning.py`).
3. Collect the models that fit what was found (`tables.py`, `text.py`, `images.py`, `series.py`).
4. Compare them and their averages on rows that they have not seen, keep the best.
5. Fit it on five subsamples of the training rows drawn with the seed, average, and hand in.
"""

import os
import shutil
import subprocess
import warnings
from pathlib import Path

import data
import images
import learning
import numpy as np
import series
import tables
import text

DATA, SUBMISSION, CODE, LOGS = (
    Path(os.environ[name]) for name in ("DATA_DIR", "SUBMISSION_DIR", "CODE_DIR", "LOGS_DIR")
)


def say(words):
    print(words)
    with (LOGS / "agent.log").open("a", encoding="utf-8") as log:
        log.write(f"{words}\n")


def collect(task, groups, when, seed):
    """Return the models that fit the task, by name; frames of the task gain columns on the way."""
    taken = {task.target, *task.keys} | ({groups[0]} if groups else set())
    models = {}
    if when is not None:
        used, found = series.models(task, when)
        taken |= used
        models |= found
    used, found = images.models(task, DATA, seed)
    taken |= used
    models |= found
    tables.split_codes(task.train, task.test)
    tables.compare_within_groups(task, groups, taken)
    texts = text.find_texts(task.train, task.test, taken)
    numbers, categories = tables.split_columns(task.train, task.test, taken | set(texts))
    say(
        f"{len(numbers)} numeric, {len(categories)} categorical and {len(texts)} text columns; "
        f"{'images' if images.FIRST in task.train else 'no images'}."
    )
    tables.clean(task, categories, texts)
    if texts:
        models |= text.models(task, texts, numbers, categories, seed)
    if numbers or categories:
        models |= tables.models(task, numbers, categories, seed)
    return models


def hand_in(task, predictions):
    answer = task.test[task.keys].copy()
    answer[task.target] = learning.as_answers(task, predictions)
    order = task.sample[task.keys].merge(answer, on=task.keys, how="left")
    path = SUBMISSION / "submission.csv"
    order[list(task.sample.columns)].to_csv(path, index=False)
    say(f"Handed in {len(order)} rows.")
    script = os.environ.get("VALIDATE_SUBMISSION")
    if script:
        done = subprocess.run(["bash", script, str(path)], capture_output=True, text=True)
        say(f"Asked once whether its form is right: {(done.stdout + done.stderr).strip()}")


def main():
    for script in sorted(Path(__file__).parent.glob("*.py")):
        shutil.copy(script, CODE / script.name)
    seed = int(os.environ["SEED"])
    task = data.read(DATA)
    say(f"Competition {os.environ['COMPETITION_ID']}, seed {seed}.")
    say(f"Train {task.train.shape}, test {task.test.shape}; target {task.target} ({task.kind}).")

    when = data.find_time(task.train, task.test)
    groups = None if when else data.find_groups(task.train, task.test, task.target)
    if when:
        say(f"Every {when} of test lies after every {when} of train.")
        task.train = task.train.sort_values(when, ignore_index=True)
    elif groups:
        say(f"Groups: {groups[0]}, {groups[1].nunique()} in train, none of them in test.")
    else:
        say("No groups: nothing repeats within both parts and stays on one side.")
    models = collect(task, groups, when, seed)

    truth, units = task.train[task.target], None if groups is None else groups[1]
    if when:
        scheme, parts = learning.folds_in_time(len(truth), len(task.test))
    else:
        scheme, parts = learning.folds_of_rows(truth, units, task.classify, seed)
    held_out, known = learning.validate(task, models, truth, parts)
    chosen, table = learning.choose(task, known, held_out)
    for name, (metric, value) in table.items():
        say(f"  {name}: {metric} {value:.5f}")
    metric, value = table[chosen]
    say(f"Validation score: {metric} {value:.5f} of {chosen} ({scheme}; mean over folds).")
    say(f"It is one of {len(table)} compared on the same folds, so it may flatter a little.")
    members = chosen.split(" + ")
    hand_in(task, learning.bagged(task, truth, units, [models[m] for m in members], seed))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    main()
