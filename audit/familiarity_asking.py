"""The verbs of ``familiarity`` that ask a model for answers: ``recognise`` and ``choose``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from audit.options import AsJson, ControlCount, ControlTexts, Descriptions, ExistingDataDir

Model = Annotated[
    str,
    typer.Option(
        help="A folder, a GGUF file, a name on the hub, builtin:smollm2, or a server "
        "http://HOST:PORT; a chat endpoint does."
    ),
]
Competitions = Annotated[list[str], typer.Option("--competition", "-c", help="Repeatable.")]


def recognise(
    competition: Competitions,
    model: Model = "builtin:smollm2",
    description: Descriptions = None,
    data_dir: ExistingDataDir = None,
    json: AsJson = False,  # noqa: FBT002
) -> None:
    """Ask a model which competition an obfuscated description is of, and to go on with a text.

    The second half of an official description is to be written twice, with its source and without:
    what the name adds is what the model knows by name.

    Example: mle-audit familiarity recognise -c spaceship-titanic --description mle-bench/
    """
    from audit import console
    from audit.familiarity_recognition import HEAD, conclusion, rows
    from audit.familiarity_recognition import recognise as look
    from competitions.data import default_data_dir
    from competitions.outside import named
    from detectors.familiarity.servers.opening import answers_of

    place = data_dir or default_data_dir()
    specs = [named(name, "v1", place) for name in competition]
    asking = answers_of(model, lambda said: typer.echo(said, err=True))
    found, guided = look(specs, description, asking)
    console.show(HEAD, list(rows(found, guided)), as_json=json)
    if not json:
        for line in conclusion(found, guided):
            typer.echo(line)


def choose(  # noqa: PLR0913, PLR0917 - each is an option
    competition: Competitions,
    model: Model = "builtin:smollm2",
    description: Descriptions = None,
    paraphrases: Annotated[
        Path | None,
        typer.Option(
            help="The text in other words: a file, or a folder with NAME.md or NAME/ for each task "
            "and control."
        ),
    ] = None,
    controls: ControlTexts = None,
    n_controls: ControlCount = 19,
    passages: Annotated[int, typer.Option(min=1, max=20, help="Of each text, at most.")] = 5,
    data_dir: ExistingDataDir = None,
    json: AsJson = False,  # noqa: FBT002
) -> None:
    """Let a model choose the published passage among paraphrases of it, in every order of places.

    Asked of official descriptions and of controls that nobody has read, with paraphrases made the
    same way: a model that chooses what reads better does so on both. Answers are enough, so that
    chat endpoints can be asked. Where there are too few controls, or they are chosen as surely,
    there is no decision. Ends with 0 whatever is found, with 3 where nothing could be asked.

    Example: mle-audit familiarity choose -c spaceship-titanic --description mle-bench/
    """
    from audit import console
    from audit.familiarity_choice import HEAD, ChoiceQuestion, choose_passages, conclusion
    from audit.verdict import EXIT_COULD_NOT
    from competitions.data import default_data_dir
    from competitions.outside import named
    from detectors.familiarity.servers.opening import answers_of, require_model

    def announce(said: str) -> None:
        typer.echo(said, err=True)

    place = data_dir or default_data_dir()
    require_model(model)
    question = ChoiceQuestion(
        specs=tuple(named(name, "v1", place) for name in dict.fromkeys(competition)),
        description=description,
        paraphrases=paraphrases,
        controls=controls,
        n_controls=n_controls,
        n_passages=passages,
    )
    with console.progress_bar("questions") as bar:
        rows = choose_passages(question, place, lambda: answers_of(model, announce), announce, bar)
    if json:
        console.show(HEAD, rows, as_json=True)
    else:
        typer.echo(console.entries(HEAD, rows, 2))
        for line in conclusion(rows):
            typer.echo(line)
    raise typer.Exit(0 if any(row.passages for row in rows) else EXIT_COULD_NOT)
