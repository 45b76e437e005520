"""The verb ``familiarity``, and ``familiarity selftest``."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from audit.familiarity_asking import choose, recognise
from audit.options import (
    MAX_CONTROLS,
    AllTasks,
    AsJson,
    CompetitionSet,
    ControlCount,
    ControlTexts,
    Descriptions,
    Document,
    ExistingDataDir,
    Lite,
    Page,
    PolicyName,
    SplitName,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from audit.familiarity import Heard
    from detectors.familiarity.backend import Progress
    from reports.schema import AuditReport

Model = Annotated[
    str,
    typer.Option(
        help="A folder, a GGUF file, a name on the hub, builtin:smollm2 (fetched once, 93 MB), "
        "a server http://HOST:PORT, llama-cpp:FILE.gguf."
    ),
]
familiarity = typer.Typer(rich_markup_mode=None)
_STDOUT = Path("-")
_SILENT_S = 30.0  # between two lines about progress where there is no terminal
_NOTHING = (
    "Name tasks with -c ID, or a file with --text FILE and texts like it with --controls DIR; what "
    "can be seen at all, without either: mle-audit familiarity selftest"
)


@familiarity.callback(invoke_without_command=True)
def ask(  # noqa: PLR0913, PLR0917 - each is an option
    context: typer.Context,
    competition: Annotated[
        list[str] | None, typer.Option("--competition", "-c", help="Repeatable.")
    ] = None,
    competition_set: CompetitionSet = None,
    split: SplitName = None,
    lite: Lite = False,
    all_: AllTasks = False,
    text: Annotated[
        list[Path] | None, typer.Option(help="A text file to ask about. Repeatable.")
    ] = None,
    model: Annotated[
        str,
        typer.Option(
            help="A folder, a GGUF file, a name on the hub, builtin:smollm2 (fetched once, 93 MB), "
            "a server http://HOST:PORT, llama-cpp:FILE.gguf, or logprobs:FILE.jsonl."
        ),
    ] = "builtin:smollm2",
    reference: Annotated[
        str, typer.Option(help="A model of the same kind that cannot have read the texts.")
    ] = "",
    description: Descriptions = None,
    texts: Annotated[
        Path | None,
        typer.Option(
            help="Posts, write-ups and solutions of tasks: a folder with a folder per task."
        ),
    ] = None,
    urls: Annotated[
        Path | None,
        typer.Option(help="A table `file,url` that says where files of --texts come from."),
    ] = None,
    controls: ControlTexts = None,
    n_controls: ControlCount = 99,
    write_logprobs: Annotated[
        Path | None,
        typer.Option(help="Also write each token's numbers, for --model logprobs:FILE."),
    ] = None,
    reports: Annotated[
        list[Path] | None,
        typer.Option(
            help="Grading reports of the model's attempts, to correlate with. Repeatable."
        ),
    ] = None,
    reports_obfuscated: Annotated[
        list[Path] | None,
        typer.Option(
            help="Those of runs on obfuscated descriptions, paired with --reports. Repeatable."
        ),
    ] = None,
    json: Document = Path("familiarity.json"),
    html: Page = None,
    fail_on: Annotated[
        str, typer.Option(help="End with 1 from this conclusion: note, review or disqualify.")
    ] = "review",
    policy: PolicyName = None,
    data_dir: ExistingDataDir = None,
) -> None:
    """Ask whether a model knows texts already: more probable to it than unseen texts of their kind.

    A text is held against control texts. Where they can be told apart without any model, or are
    too few, there is no verdict; a verdict never says that a text was not seen, but what could not
    be excluded. `familiarity selftest` shows on this machine what the method sees. Keys of servers
    go into MLE_AUDIT_MODEL_KEY and MLE_AUDIT_REFERENCE_KEY.

    Example: mle-audit familiarity -c spaceship-titanic --description mle-bench/ --controls recent/
    """
    if context.invoked_subcommand:
        return
    from audit import console
    from audit.familiarity import HEAD, Question, rows
    from audit.familiarity import familiarity as look
    from audit.selection import chosen_competitions, split_named
    from audit.verdict import exit_code, fail_on_named, load_policy
    from competitions.data import default_data_dir
    from competitions.errors import UsageError
    from competitions.outside import named
    from reports.render import write_report
    from reports.schema import write_audit

    limit = fail_on_named(fail_on)
    grades = reports or [], reports_obfuscated or []
    read = _files_of(*(text or ()), *grades[0], *grades[1], model=model, reference=reference)
    _require_files(grades, (json, write_logprobs), html, read)
    place = data_dir or default_data_dir()
    which = split_named(split, lite=lite, everything=all_)
    asks_tasks = competition or competition_set or which
    if not (asks_tasks or text):
        raise UsageError("Expected tasks or texts to ask about, found none.", _NOTHING)
    ids = (
        chosen_competitions(competition or (), competition_set, which, place) if asks_tasks else ()
    )
    question = Question(
        model=model,
        reference=reference,
        specs=tuple(named(name, "v1", place) for name in ids),
        description=description,
        folder=texts,
        urls=urls,
        texts=tuple(text or ()),
        controls=controls,
        n_controls=n_controls,
        write_logprobs=write_logprobs,
    )
    with console.progress_bar("familiarity") as bar:
        report = look(question, place, load_policy(policy), datetime.now(UTC), _heard(bar))
    if json == _STDOUT:
        typer.echo(report.model_dump_json(indent=2))
    else:
        write_audit(report, json)
        typer.echo(f"Written: {json}", err=True)
        typer.echo(console.entries(HEAD, rows(report), 2))
    if reports:
        _tell_performance(report, grades, json, html)
    for page in write_report(report, html) if html else ():
        typer.echo(f"Written: {page}", err=True)
    raise typer.Exit(exit_code(report.verdicts, limit))


def _files_of(*files: Path, model: str, reference: str) -> list[Path]:
    """Return the files that a call reads, those among its models too."""
    names = (name.partition(":")[2] or name for name in (model, reference) if name)
    return [*files, *(Path(name.partition("#")[0]) for name in names)]


def _require_files(
    grades: tuple[list[Path], list[Path]],
    written: tuple[Path, Path | None],
    html: Path | None,
    read: list[Path],
) -> None:
    """See before hours of scoring that grades are some, and that results have their places."""
    from audit import console
    from competitions.errors import UsageError
    from reports.grading import read_grading

    if grades[1] and not grades[0]:
        raise UsageError("Runs on obfuscated descriptions are paired with others: --reports FILE.")
    for path in (*grades[0], *grades[1]):
        read_grading(path)
    console.require_outputs(written[0], html, read, filter(None, written[1:]))


def _tell_performance(
    report: AuditReport, reports: tuple[list[Path], list[Path]], json: Path, html: Path | None
) -> None:
    """Write what grades have to do with familiarity beside the document, and say it."""
    from audit.familiarity_performance import as_json, lines, page, performance
    from competitions.io import write_text

    found = performance(report, *reports)
    if json != _STDOUT:
        place = json.with_name(f"{json.stem}-performance.json")
        write_text(place, as_json(found))
        typer.echo("\n".join(lines(found)))
        typer.echo(f"Written: {place}", err=True)
    if html:
        folder, stem = (html.parent, html.stem) if html.suffix else (html, "familiarity")
        plot = folder / f"{stem}-performance.html"
        write_text(plot, page(found))
        typer.echo(f"Written: {plot}", err=True)


def _heard(bar: Callable[[int, int, str], None]) -> Heard:
    """Show progress as a bar, or as a line now and then where there is no terminal."""
    from audit.familiarity import Heard

    told = time.monotonic()

    def show(name: str, p: Progress) -> None:
        nonlocal told
        words = f"{name}: {p.tokens_per_s:,.0f} tokens/s, {p.seconds_left:,.0f} s left"
        bar(p.tokens_done, p.n_tokens, words)
        if not sys.stderr.isatty() and p.tokens_done and time.monotonic() - told > _SILENT_S:
            told = time.monotonic()
            typer.echo(f"{p.tokens_done:,} of {p.n_tokens:,} tokens. {words}", err=True)

    return Heard(lambda said: typer.echo(said, err=True), show)


@familiarity.command()
def example(
    model: Model = "builtin:smollm2",
    json: AsJson = False,
) -> None:
    """Ask whether a model knows the Zen of Python, and sayings that nobody had read.

    Both are sayings in an order that nothing in them shows. Each is held against other orders of
    its own: where the published one is more probable than nearly all, the model has read it. About
    a minute, after the model was fetched.

    Example: mle-audit familiarity example
    """
    from audit import console
    from audit.familiarity_example import HEAD
    from audit.familiarity_example import example as look

    with console.progress_bar("familiarity") as bar:
        rows = list(look(model, _heard(bar)))
    if json:
        console.show(HEAD, rows, as_json=True)
    else:
        typer.echo(console.entries(HEAD, rows, 2))


@familiarity.command()
def selftest(
    seed: Annotated[int, typer.Option(min=0, help="Of texts, weights and draws.")] = 0,
    json: AsJson = False,
    html: Annotated[Path | None, typer.Option(help="Also write a page with plots.")] = None,
    plots: Annotated[
        Path | None, typer.Option(help="Also write the plots as SVG files into this folder.")
    ] = None,
) -> None:
    """Train small models that have seen texts 0, 1, 4 and 16 times, and see what can be told apart.

    About two minutes on one core, without a network. Ends with 1 where a target is missed: no
    verdict of familiarity is to be trusted on this machine then.

    Example: mle-audit familiarity selftest
    """
    from audit import console
    from audit.familiarity_selftest import as_json, lines, page
    from audit.familiarity_selftest import plots as drawn
    from competitions.disk import require_writable
    from competitions.io import write_text
    from detectors.familiarity.twins import selftest as train

    if html:
        require_writable(html, console.ELSEWHERE)
    if plots:
        require_writable(plots, console.ELSEWHERE, is_folder=True)
    with console.progress_bar("selftest") as bar:
        table = train(seed, lambda what, done, total: bar(done, total, what))
    typer.echo(as_json(table) if json else "\n".join(lines(table)))
    files = {html: page(table)} if html else {}
    if plots:
        files |= {plots / f"selftest-{name}.svg": svg for name, svg in drawn(table).items()}
    for path, content in files.items():
        write_text(path, content)
        typer.echo(f"Written: {path}", err=True)
    raise typer.Exit(0 if table.passed else 1)


familiarity.command()(recognise)
familiarity.command()(choose)


@familiarity.command()
def data(  # noqa: PLR0913, PLR0917 - each is an option
    competition: Annotated[
        list[str] | None,
        typer.Option("--competition", "-c", help="Its public train table. Repeatable."),
    ] = None,
    table: Annotated[list[Path] | None, typer.Option(help="A CSV or TSV file. Repeatable.")] = None,
    model: Model = "builtin:smollm2",
    n_controls: Annotated[
        int,
        typer.Option(min=19, max=MAX_CONTROLS, help="Fresh tables, and other orders, per table."),
    ] = 99,
    sample: Annotated[
        bool, typer.Option("--sample", help="Let the model write rows: for chat endpoints.")
    ] = False,
    json: Document = Path("familiarity-data.json"),
    html: Page = None,
    fail_on: Annotated[
        str, typer.Option(help="End with 1 from this conclusion: note, review or disqualify.")
    ] = "review",
    policy: PolicyName = None,
    data_dir: ExistingDataDir = None,
) -> None:
    """Ask whether a model knows data tables: header, rows, first tokens, a feature, and order.

    The first forty rows of a table are held against fresh tables of its shape, and its order and
    that of its columns against others. Hidden answers are never shown to a model.

    Example: mle-audit familiarity data --table train.csv
    """
    from audit import console
    from audit.familiarity_data import HEAD, SAMPLED_HEAD, TableQuestion, rows, sampled
    from audit.familiarity_data import familiarity_of_data as look
    from audit.verdict import exit_code, fail_on_named, load_policy
    from competitions.data import default_data_dir
    from competitions.outside import named

    limit = fail_on_named(fail_on)
    console.require_outputs(json, html, table or ())
    place = data_dir or default_data_dir()
    if sample:
        from detectors.familiarity.servers.opening import answers_of, require_model

        require_model(model)
        found = list(
            sampled(table or (), lambda: answers_of(model, lambda said: typer.echo(said, err=True)))
        )
        console.show(SAMPLED_HEAD, found, as_json=json == _STDOUT)
        return
    question = TableQuestion(
        model=model,
        tables=tuple(table or ()),
        specs=tuple(named(name, "v1", place) for name in competition or ()),
        n_controls=n_controls,
    )
    with console.progress_bar("familiarity") as bar:
        report = look(question, place, load_policy(policy), datetime.now(UTC), _heard(bar))
    console.deliver(report, json, html, lambda: [console.entries(HEAD, list(rows(report)), 3)])
    raise typer.Exit(exit_code(report.verdicts, limit))
