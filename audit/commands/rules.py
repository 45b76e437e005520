"""The verb ``rules``."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audit.options import Document, ExistingDataDir, Jobs, Page, PolicyName

if TYPE_CHECKING:
    from collections.abc import Iterator

    from audit.judge.judging import Judge


def rules(  # noqa: PLR0913, PLR0917 - each is an option
    sources: Annotated[
        list[Path],
        typer.Argument(help="Attempts, groups, or log files and folders of logs of any tool."),
    ],
    json: Document = Path("rules.json"),
    html: Page = None,
    select: Annotated[
        list[str] | None, typer.Option(help="Run only this detector of the family. Repeatable.")
    ] = None,
    fail_on: Annotated[
        str, typer.Option(help="End with 1 from this conclusion: note, review or disqualify.")
    ] = "review",
    policy: PolicyName = None,
    data_dir: ExistingDataDir = None,
    jobs: Jobs = 1,
    reveal_private: Annotated[
        bool, typer.Option("--reveal-private", help="Show what evidence knows from hidden data.")
    ] = False,
    judge_url: Annotated[
        str | None, typer.Option(help="Also ask a model here for an opinion; OpenAI-compatible.")
    ] = None,
    judge_model: Annotated[
        str, typer.Option(help="Its name. [default: the only one there]", show_default=False)
    ] = "",
    judge_price: Annotated[
        float | None, typer.Option(min=0, help="US dollars for a million tokens in.")
    ] = None,
    judge_max_tokens: Annotated[
        int, typer.Option(min=1, help="Of all questions and answers; it ends there.")
    ] = 200_000,
    yes: Annotated[
        bool, typer.Option("--yes", help="Ask the model without asking you what it may take.")
    ] = False,
) -> None:
    """Read agents' logs and code: which rule was broken, and the lines that show it.

    What is no attempt is a log, or a folder of logs and code that counts as one piece of work; as
    which format each was read is told. A file that cannot be read stops nothing. Ends as vet does:
    with 1 when a verdict is at or above --fail-on, 3 when something could not be looked at.

    With --judge-url a model reads excerpts, too, which then leave this machine. Its opinions are
    notes: they accuse and clear nobody. A key for it goes into MLE_AUDIT_JUDGE_KEY.

    Example: mle-audit rules runs/ --html rules.html
    """
    import sys
    from contextlib import nullcontext

    from audit import console
    from audit.broken_rules import conclusions, rule_table
    from audit.rules import rules as ask
    from audit.verdict import exit_code, fail_on_named, load_policy
    from competitions.data import default_data_dir

    limit = fail_on_named(fail_on)
    judge = None
    if judge_url is not None:
        judge = _judge(judge_url, judge_model, judge_price, judge_max_tokens, yes=yes)
    console.require_outputs(json, html, sources)
    asks = judge is not None and not yes and sys.stdin.isatty()  # no bar over the question
    with nullcontext() if asks else console.progress_bar("rules") as bar:
        report = ask(
            sources,
            data_dir or default_data_dir(),
            load_policy(policy),
            datetime.now(UTC),
            select=select or (),
            reveal_private=reveal_private,
            jobs=jobs,
            progress=bar,
            judge=judge,
        )

    def lines() -> Iterator[str]:
        if table := rule_table(report, console.reader_width()):
            yield table
        yield from conclusions(report, json)

    console.deliver(report, json, html, lines)
    raise typer.Exit(exit_code(report.verdicts, limit))


def _judge(url: str, model: str, price: float | None, max_tokens: int, *, yes: bool) -> Judge:
    """Make what asks a model; on a terminal a person is asked first, unless he said yes."""
    import secrets
    import sys

    from audit.judge.answers import default_answers
    from audit.judge.endpoint import KEY_NAME, Endpoint, require_requests
    from audit.judge.judging import Judge
    from detectors.json_http import key_in_environment

    require_requests()

    def agree(words: str) -> bool:
        typer.echo(words, err=True)
        if yes or not sys.stdin.isatty():
            return True
        return typer.confirm("Ask?", err=True)

    endpoint = Endpoint(url, model, key_in_environment(KEY_NAME)).named()
    return Judge(endpoint, default_answers(), secrets.token_hex(16), agree, max_tokens, price)
