"""The verb ``vet``."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from audit.options import CorpusDir, ExistingDataDir, Formats, PolicyName


def vet(  # noqa: PLR0913, PLR0917 - each is an option
    runs: Annotated[
        list[Path] | None,
        typer.Argument(help="Attempts, groups, folders of groups, or grading reports (.json)."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="The audit document. [default: audit.json; with --from: rejudged.json]",
        ),
    ] = None,
    site: Annotated[
        Path | None, typer.Option(help="Also render a web page and a summary into this folder.")
    ] = None,
    formats: Formats = None,
    data_dir: ExistingDataDir = None,
    policy: PolicyName = None,
    source: Annotated[
        Path | None,
        typer.Option("--from", help="Judge this document anew; no detector runs, nothing is read."),
    ] = None,
    suppressions: Annotated[
        Path | None,
        typer.Option(help="A YAML of findings to strike out, with reason, author and last day."),
    ] = None,
    appeals: Annotated[
        Path | None, typer.Option(help="A YAML of what is said to findings; printed beside them.")
    ] = None,
    sign_key: Annotated[
        Path | None, typer.Option(help="Sign the document with this ssh or minisign key.")
    ] = None,
    select: Annotated[
        list[str] | None, typer.Option(help="Run only this detector. Repeatable.")
    ] = None,
    corpus: CorpusDir = None,
    reports: Annotated[
        list[Path] | None, typer.Option(help="A grading report, ours or MLE-bench's. Repeatable.")
    ] = None,
    experiments: Annotated[
        Path | None,
        typer.Option(
            help="A list experiment_id,run_group; attempts and reports in its groups are vetted."
        ),
    ] = None,
    claim: Annotated[
        list[str] | None,
        typer.Option(help='A published row: "Low 62.12 ± 1.52, seeds 3", or a CSV. Repeatable.'),
    ] = None,
    fail_on: Annotated[
        str, typer.Option(help="End with 1 from this conclusion: note, review or disqualify.")
    ] = "review",
    reveal_private: Annotated[
        bool, typer.Option("--reveal-private", help="Show what evidence knows from hidden data.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the document.")] = False,
) -> None:
    """Audit run groups and what was published of them: findings, grades, verdicts.

    Ends with 1 when a verdict is at or above --fail-on, 3 when something could not be audited. The
    document is sealed with digests of what it was made from; `verify` compares them.

    Example: mle-audit vet runs/ -o audit.json --site site/
    """
    from audit import console
    from audit.published import Published
    from audit.rejudge import rejudge, saved_as
    from audit.signing import refuse_unusable, sign
    from audit.suppressions import load_appeals, load_suppressions
    from audit.verdict import exit_code, fail_on_named, load_policy
    from audit.vet import vet as vet_groups
    from competitions.data import default_data_dir
    from competitions.errors import UsageError
    from reports.markdown import render_markdown
    from reports.render import formats_named, refuse_overwriting, write_report, written_to
    from reports.schema import write_audit

    limit = fail_on_named(fail_on)
    chosen = formats_named(formats) if formats is not None else ()
    if chosen and site is None:
        raise UsageError(
            "Expected --site with --format, which says what that folder gets; found none.",
            "Name one: mle-audit vet runs/ --site site/ --format html,sarif,junit",
        )
    looking = {
        "RUNS": runs, "--select": select, "--corpus": corpus, "--reports": reports,
        "--experiments": experiments, "--claim": claim, "--data-dir": data_dir,
        "--reveal-private": reveal_private,
    }  # fmt: skip
    target = saved_as(output, source, [name for name, given in looking.items() if given])
    named = (source, suppressions, appeals, sign_key, experiments, policy)
    refuse_overwriting(
        (target, *(written_to(site, chosen) if site else ())),
        map(Path, filter(None, (*named, *(runs or ()), *(reports or ()), *(claim or ())))),
    )
    rules = load_policy(policy)
    struck = load_suppressions(suppressions) if suppressions else None
    said = load_appeals(appeals) if appeals else None
    if sign_key:
        refuse_unusable(sign_key)
    if source:
        report = rejudge(source, rules, datetime.now(UTC), suppressions=struck, appeals=said)
    else:
        with console.counter("vet") as tell:
            report = vet_groups(
                runs or (),
                data_dir or default_data_dir(),
                rules,
                datetime.now(UTC),
                select=select or (),
                settings={"corpus": str(corpus)} if corpus else {},
                reveal_private=reveal_private,
                progress=tell,
                published=Published(tuple(reports or ()), experiments, tuple(claim or ())),
                suppressions=struck or (),
                appeals=said or (),
            )
    write_audit(report, target)
    signature = (sign(target, sign_key),) if sign_key else ()
    pages = write_report(report, site, chosen) if site else ()
    typer.echo(report.model_dump_json(indent=2) if json else render_markdown(report))
    for path in (target, *signature, *pages):
        typer.echo(f"Written: {path}", err=True)
    raise typer.Exit(exit_code(report.verdicts, limit))
