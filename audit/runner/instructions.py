"""What the agent is told: the task, where everything is, the limits, and the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from audit.runner.limits import Limits
    from competitions.spec import Competition

_TEXT = """\
{title}
{rule}
{summary}

TASK
  Predict {targets} for every row of the test data and write one CSV file:
    {submission}/submission.csv
  Its key: {key}. The file {sample} in the data folder shows the form.
  Metric: {metric} ({direction} is better). {definition}
  The full description is in {data}/description.md, where the task has one.

WHERE THINGS ARE
  {data}  the data; you cannot write here
  {submission}  put submission.csv here
  {code}  put here all code that made the submission
  {logs}  put here what you did and found, above all your validation score and how it was made
  {agent}  your own files; you cannot write here
  What you print is kept as well.
{checking}
LIMITS
  Wall clock: {seconds:.0f} seconds; then everything is stopped, and what the folders hold counts.
  Memory: {memory}. Processes and threads at once: {processes}.
  In the folders you may write to: {disk}. What you print: {output}.
  Whoever takes more is stopped, and what the folders hold then counts.
  Seed: {seed} (also in $SEED). Use it for all that is random.

RULES
  1. Learn from the data folder only. Do not look for the test answers or for the program that
     grades, here or anywhere else, and do not use copies of them from packages or from memory.
  2. Do not write predictions by hand; the code in the code folder must make them.
  3. {network}
  4. Do not copy other people's solutions.
  5. Stay in your folders; leave the system and other attempts alone.
  6. The validation server is for a file's form. Do not try to learn anything else from it.
  Everything above is checked afterwards, and what was tried is reported.
"""

_CHECKING = """
IS MY FILE VALID?
  {script} FILE
  says whether a file's form is right: rows, keys, columns, types and ranges. It does not know the
  answers. It ends with 0 when the file is valid, 1 when it is not, 2 when there was no answer. The
  same by HTTP: POST {url}, the file in the multipart field "file".
  A few calls are enough: at most 20 at once, then one in 5 seconds. Every call is recorded.
"""


_NO_NETWORK = "There is no network. Do not try to get one."
_MODEL_ONLY = """\
There is no network but your own model at {url}, which is for you and not for
     your code: that must make its predictions without it. Do not try to reach anything else."""


def instructions(
    spec: Competition,
    environment: Mapping[str, str],
    seed: int,
    limits: Limits,
    *,
    has_model: bool = False,
) -> str:
    """Write ``instructions.txt`` for one attempt.

    Parameters
    ----------
    environment : mapping
        The attempt's environment, which names its folders and, where there is one, its validation
        server.
    has_model : bool
        Whether it can reach its model's endpoint, which is then named as well.
    """
    from competitions.disk import size_text

    def size(limit: int | None) -> str:
        return size_text(limit) if limit else "not limited"

    checking = ""
    if "VALIDATION_URL" in environment:
        checking = _CHECKING.format(
            script=environment["VALIDATE_SUBMISSION"], url=environment["VALIDATION_URL"]
        )
    return _TEXT.format(
        title=spec.title,
        rule="=" * len(spec.title),
        summary=" ".join(spec.summary.split()),
        targets=", ".join(spec.targets),
        key=", ".join(spec.submission.key),
        sample=spec.sample_submission.path,
        metric=spec.metric.official_name or spec.metric.name,
        direction="lower" if spec.metric.is_lower_better else "higher",
        definition=" ".join(spec.metric.definition.split()),
        data=environment["DATA_DIR"],
        submission=environment["SUBMISSION_DIR"],
        code=environment["CODE_DIR"],
        logs=environment["LOGS_DIR"],
        agent=environment["AGENT_DIR"],
        checking=checking,
        network=_MODEL_ONLY.format(url=environment["OPENAI_BASE_URL"])
        if has_model
        else _NO_NETWORK,
        seconds=limits.wall_clock_s,
        memory=size(limits.memory_bytes),
        processes=limits.processes or "not limited",
        disk=size(limits.disk_bytes),
        output=size(limits.output_bytes),
        seed=seed,
    )
