"""Write the pages of docs/ that are made from the code, or check that they are up to date.

``python docs/generate.py`` writes them, ``--check`` compares and ends with 1 when one is stale.
"""

from __future__ import annotations

import csv
import inspect
import json
import re
import sys
from collections import Counter
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from competitions.errors import MleAuditError
    from competitions.spec import Competition
    from detectors.base import Detector

DOCS = Path(__file__).resolve().parent
QUALITY = DOCS / "quality"
NOTE = "<!-- Made from the code by `make docs`. Do not edit. -->\n"
WIDTH = 80
_SOURCES = {
    "kaggle": "Kaggle's, not in this distribution",
    "embedded": "embedded",
    "local": "a folder of the user's, `--raw DIR`",
}


def documents() -> dict[str, str]:
    """Return every generated page by its path below docs/."""
    return {
        "cli.md": cli_page(),
        "detectors.md": detectors_page(),
        "competitions.md": competitions_page(),
        "known-issues.md": known_issues_page(),
        "errors.md": errors_page(),
        "sandbox.md": sandbox_page(),
        "audit.schema.json": audit_schema(),
        "reproduction.schema.json": reproduction_schema(),
        "comparison.schema.json": comparison_schema(),
    }


def cli_page() -> str:
    """Show the help of the command and of every verb, as the terminal shows it."""
    from audit.cli import app

    verbs = sorted(_verb_names(app))
    parts = [NOTE, "# The command line\n"]
    parts += [f"```text\n{_help_text(app, [])}```\n"]
    parts += [
        f"## mle-audit {verb}\n\n```text\n{_help_text(app, verb.split())}```\n" for verb in verbs
    ]
    parts += [
        "## Environment\n",
        "| variable | says |\n| --- | --- |\n"
        "| `MLE_AUDIT_DATA` | where prepared data lies, when `--data-dir` does not say |\n"
        "| `MLE_AUDIT_CACHE` | where agents' interpreters, and answers of models, are kept |\n"
        "| `MLE_AUDIT_JUDGE_KEY` | the key for the endpoint of `rules --judge-url` |\n"
        "| `MLE_AUDIT_MODEL_KEY` | the key for the server of `familiarity --model http://…` |\n"
        "| `MLE_AUDIT_REFERENCE_KEY` | the key for the server of `familiarity --reference http://…`"
        " |\n"
        "| `XDG_STATE_HOME` | where digests of what MLE-bench prepared are remembered |\n"
        "| `KAGGLE_API_TOKEN`, or `KAGGLE_USERNAME` and `KAGGLE_KEY` | your account at Kaggle; "
        "files below `~/.kaggle/` do as well |\n",
        "Exit codes: see the [README](../README.md#exit-codes); errors: see [errors](errors.md).\n",
    ]
    return "\n".join(parts)


def _verb_names(app: object) -> list[str]:
    """List the verbs, and those of a verb that has some, as ``corpus build``."""
    names = [command.name for command in app.registered_commands]  # type: ignore[attr-defined]
    names += [
        group.name
        for group in app.registered_groups  # type: ignore[attr-defined]
        if (own := group.typer_instance.registered_callback) and own.invoke_without_command is True
    ]
    return names + [
        f"{group.name} {command.name or command.callback.__name__}"
        for group in app.registered_groups  # type: ignore[attr-defined]
        for command in group.typer_instance.registered_commands
    ]


def _help_text(app: object, verb: list[str]) -> str:
    from typer.testing import CliRunner

    runner = CliRunner(env={"COLUMNS": str(WIDTH), "TERM": "dumb"})
    done = runner.invoke(
        app,  # type: ignore[arg-type]
        [*verb, "--help"],
        prog_name="mle-audit",
        terminal_width=WIDTH,
    )
    if done.exit_code:
        raise RuntimeError(f"mle-audit {' '.join(verb)} --help ended with {done.exit_code}")
    return done.stdout


def sandbox_page() -> str:
    """Show what was tried from inside an attempt, and what a missing sandbox leaves open."""
    from audit.runner.sandbox import MISSING

    sys.path.insert(0, str(DOCS.parent))
    from tests.tamper.tamperings import table

    open_doors = "".join(f"- {sentence}\n" for sentence in MISSING["none"])
    return "\n".join(
        (
            NOTE,
            "# The sandbox\n",
            "Each attempt runs in [bubblewrap](https://github.com/containers/bubblewrap): see "
            "[agents](agents.md) for what exists inside. `tests/tamper/` holds the code that tries "
            "to get out, read, change or outlive; `make test` runs it: as an agent, and "
            "once more without a sandbox, where it has to succeed: what never works proves "
            "nothing.\n",
            table(),
            "## Without a sandbox\n",
            "`--sandbox none` protects from next to nothing. The record of each attempt "
            "(`missing_protections`) and every report say so:\n",
            open_doors,
            "In bubblewrap the same field names what a machine cannot do: no control group, no "
            "filter of system calls, a bubblewrap below 0.8, device files of root's.\n",
            "## In a container\n",
            "`--sandbox docker` is for agents that come as an image "
            "([agents](agents.md#agents-as-images)). What it leaves open stands in the record:\n",
            "".join(f"- {sentence}\n" for sentence in MISSING["docker"]),
            "The tests of `tests/tamper/` do not run there.\n",
            "## With a model's endpoint\n",
            "`--model-endpoint` opens one way out of bubblewrap, to one host and the paths below "
            "one prefix ([agents](agents.md#a-model-outside)). The network namespace stays as it "
            "is: one more socket is bound, and a proxy outside reads each request whole, writes "
            "it anew with a few of its headers, and adds the key. Redirects are not followed. "
            "Other hosts, paths and methods, and tools that the provider would run itself (web "
            "search, code, MCP), are refused and written down. "
            "`tests/audit/runner/test_model_proxy.py` tries each of these.\n",
            "- A model can be asked for what it remembers, and a provider's own tool that has a "
            "name of no known kind is not recognised.\n"
            "- Below the prefix everything can be asked for. Where a provider keeps files or "
            "conversations, attempts with one key could leave each other messages: name a "
            "narrower prefix, or use a key for each attempt.\n",
            "## What is left\n",
            "- Knowledge that the system brings along: ICU in system libraries, browsers and node "
            "knows the names of countries in most languages, which `place-names` asks for.\n"
            "- A file without a name that is neither open nor mapped but under way in a socket "
            "counts as no disk space. What must stay free on the disk is watched all the same.\n"
            "- Where no control group can be made, buffers of pipes and sockets, System V segments "
            "and other memory of the kernel are not counted.\n"
            "- Lines of `run.log` that begin with `[mle-audit]` may be the agent's own; what "
            "counts stands in the record.\n"
            "- Inside, the paths of the host's folders can be read in `/proc/self/mountinfo`.\n"
            "- A hole in the kernel is a hole in the sandbox. Whoever runs agents that may look "
            "for one does so in a virtual machine.\n",
        )
    )


def detectors_page() -> str:
    """Describe each detector: what it asks, how, what it cannot see, how good it is."""
    from detectors.base import FAMILIES, all_detectors, family_of

    found = all_detectors()
    counts = {family: sum(family_of(d) == family for d in found.values()) for family in FAMILIES}
    rows = [(f"`{name}`", what, str(counts[name] or "none yet")) for name, what in FAMILIES.items()]
    parts = [
        NOTE,
        "# Detectors\n",
        "A detector asks one question of one subject and yields findings with evidence. It never "
        "decides: what a finding means is said by the policy (`audit/policies/default.yaml`).\n",
        _table(("family", "looks for", "detectors"), rows),
        _all_rules(),
    ]
    parts += [_detector_section(name, cls) for name, cls in found.items()]
    return "\n".join(parts)


def _all_rules() -> str:
    """Show how many honest attempts any of the rules flags."""
    rows = [
        (r["half"], r["n_rules"], f"{r['flagged']} of {r['n_honest']}",
         f"{float(r['share']):.3f} ({float(r['low']):.3f}–{float(r['high']):.3f})")
        for r in _read(QUALITY / "all-rules.csv")
    ]  # fmt: skip
    return "\n".join(
        (
            "## All rules together\n",
            "Every rule is asked about every honest attempt of eleven blind sets, not its own "
            "alone ([figures](quality/all-rules.csv), `python -m tests.quality.all_rules`), with "
            "95 % Wilson intervals. The aim is 1 in 100. The last rows are what each rule accused "
            "of its own sealed halves before anything was mended: those, and no figure above them, "
            "estimate new attempts. `changed-after-attempt` is not asked, because the digests in "
            "the sets' records were drawn at random; rules about records and submissions answer "
            "for the cases that have one ([how the sets were made](../tests/quality/README.md)).\n",
            _table(("half", "rules asked of each", "honest attempts flagged", "share"), rows),
        )
    )


def _detector_section(name: str, cls: type[Detector]) -> str:
    from detectors.base import family_of

    about = cls.about
    what, parameters = _split_docstring(cls)
    facts = [
        ("family", f"`{family_of(cls)}`"),
        ("looks at", about.subject.value),
        ("asks", about.asks),
        ("cannot see", about.blind_spots),
        ("reference", about.reference),
    ]
    parts = [f"## {name}\n", what + "\n", _table(("", ""), facts)]
    if parameters:
        parts += [f"Parameters:\n\n{parameters}"]
    return "\n".join([*parts, _measured(name)])


def _split_docstring(cls: type) -> tuple[str, str]:
    """Return a class's prose and its parameters as a list."""
    prose, _, rest = inspect.cleandoc(cls.__doc__ or "").partition("\nParameters\n----------\n")
    section = re.split(r"\n\w[\w ]*\n-{3,}\n", rest)[0]
    known = {field.name for field in fields(cls)}
    items: list[str] = []
    for line in section.splitlines():
        name = line.partition(" : ")[0]
        if name in known:
            items.append(f"- `{name}` ({line.partition(' : ')[2]}):")
        elif line.strip():
            items[-1] += f" {line.strip()}"
    return prose.strip(), "\n".join(items) + "\n" if items else ""


def _measured(name: str) -> str:
    """Show what was measured on the labelled set, and what each sealed half said at first."""
    path = QUALITY / f"{name}.csv"
    if not path.is_file():
        return "Quality: not measured; there is no labelled set for it yet.\n"
    head = (
        *("half", "measured", "found", "recall"),
        *("honest accused", "false positives", "precision at 5 %"),
    )
    notes = [f"- `{r['half']}`: {r['note']}" for r in _first_contacts() if r["detector"] == name]
    sealed = (
        "A sealed half is scored once before anyone who tunes the detector opens it: *first "
        "contact* is the estimate for attempts nobody has seen, *now* only guards against getting "
        "worse. "
    )
    return "\n".join(
        [
            f"Quality on the labelled set ([figures](quality/{name}.csv), "
            "[how it was made](../tests/quality/README.md)), with 95 % Wilson intervals. "
            f"{sealed if notes else ''}"
            "Precision is for a world where 5 % are guilty; in brackets with recall at "
            "its lower and false positives at their upper limit, all that so few cases promise.\n",
            _table(head, [_quality_row(row) for row in _read(path)]),
            *notes,
            "",
        ]
    )


def _first_contacts() -> list[dict[str, str]]:
    return _read(QUALITY / "first-contact.csv")


def _quality_row(row: dict[str, str]) -> tuple[str, ...]:
    def share(*names: str) -> str:
        value, low, high = (float(row[name]) for name in names)
        return f"{value:.2f} ({low:.2f}–{high:.2f})"

    return (
        row["half"],
        row["measured"],
        f"{row['found']} of {row['n_positive']}",
        share("recall", "recall_low", "recall_high"),
        f"{row['accused']} of {row['n_negative']}",
        share("false_positives", "fp_low", "fp_high"),
        f"{float(row['precision_at_5_percent']):.2f} ({float(row['precision_at_limits']):.2f})",
    )


def competitions_page() -> str:
    """Tabulate the catalog, then tell what is known to be wrong with each task."""
    from competitions.spec import catalog_ids, load

    specs = [load(name) for name in catalog_ids()]
    head = ("id", "modality", "metric", "split", "board", "variants", "entities", "known issues")
    parts = [
        NOTE,
        "# Tasks\n",
        f"{_how_written(specs)}\n",
        _table(head, [_competition_row(spec) for spec in specs]),
        "`v1` is the split that was published, `fixed` the one with its known faults removed; "
        "scores under `fixed` are not comparable with a board. A board of baselines gives "
        "percentiles and awards no medals.\n",
        "What a task needs is free disk while it is downloaded and prepared (looked at before the "
        "download): three times the published size of its data, for Kaggle's zip, what it "
        "unpacks to and the prepared files, and four times where there are archives in that zip, "
        "unless the task's YAML says better under `needs`. Memory is told where raw tables or "
        "metadata are large: the peak with synthetic ones of the real columns, scaled to the "
        "real number of rows. Read it as the right order of magnitude. Large tables are prepared "
        "in pieces, unless a task says otherwise: [authoring.md](authoring.md#large-tables).\n",
        _reference(),
    ]
    return "\n".join([*parts, *map(_competition_section, specs)])


def _how_written(specs: Sequence[Competition]) -> str:
    """Count tasks that are YAML alone; what serves one task only counts as a hook."""
    kaggle = [spec for spec in specs if spec.source.kind == "kaggle"]
    recipes = Counter(spec.split.method for spec in specs)
    metrics = Counter(spec.metric.name for spec in specs)
    hooked = [spec for spec in kaggle if spec.hooks is not None]
    alone = [
        spec
        for spec in kaggle
        if spec.hooks is None
        and (recipes[spec.split.method] == 1 or metrics[spec.metric.name] == 1)
    ]
    plain = len(kaggle) - len(hooked) - len(alone)
    return (
        f"{len(specs)} tasks, {len(kaggle)} of them from Kaggle: {plain} are YAML with recipes and "
        f"metrics that other tasks use too, {len(alone)} are YAML with a metric or recipe of their "
        f"own, {len(hooked)} have a hook."
    )


def known_issues_page() -> str:
    """Tabulate what is known to be wrong with tasks before anyone runs them."""
    from competitions.spec import catalog_ids, load

    specs = [load(name) for name in catalog_ids()]
    rows = [
        (
            f"[{spec.id}](competitions.md#{spec.id.lower()})",
            issue.kind,
            " ".join(issue.what.split()),
            _probe(issue.probe) if issue.probe else "",
            issue.fixed_by or "",
        )
        for spec in specs
        for issue in spec.known_issues
    ]
    concerned = sum(bool(spec.known_issues) for spec in specs)
    return "\n".join(
        [
            NOTE,
            "# Known issues of tasks\n",
            f"{len(rows)} faults of {concerned} tasks, as their definitions record them. `v1` has "
            "them, for published scores were made with them; where the last column says how, "
            "`--variant fixed` has not.\n",
            _table(("task", "kind", "what is wrong", "shown by", "in `fixed`"), rows),
        ]
    )


def _reference() -> str:
    """Show what the agent `baseline` scores on embedded tasks, and how sure that is."""
    head = ("task", "score", "over seeds", "over the test part", "percentile", "its own validation")
    return "\n".join(
        [
            "## What the baseline scores\n",
            "The agent `baseline` stands for what a person with little time reaches. Mean over "
            "seeds, and two intervals of 95 %: over seeds (Student's t; same test part), and over "
            "draws of the test part with replacement, where what belongs together is drawn "
            "together. Seeds alone understate how far a score could be off. The percentile is the "
            "share of the board of baselines that the mean leaves behind. Its own validation is "
            "what its logs said before anyone graded it "
            "([figures](quality/baseline.csv), made by `python -m tests.quality.baseline`).\n",
            _table(head, [_reference_row(row) for row in _read(QUALITY / "baseline.csv")]),
        ]
    )


def _reference_row(row: dict[str, str]) -> tuple[str, ...]:
    from competitions.medals import load_board, percentile
    from competitions.spec import load

    spec = load(row["competition"])
    lower = spec.metric.is_lower_better
    place = percentile(float(row["score"]), load_board(spec).scores, is_lower_better=lower)
    return (
        f"[{spec.id}](#{spec.id})",
        f"{row['score']} ({spec.metric.name}, {row['n_seeds']} seeds)",
        f"{row['seeds_low']}–{row['seeds_high']}",
        f"{row['rows_low']}–{row['rows_high']} ({row['n_units']} × {row['unit']})",
        f"{place:.1f}",
        f"{row['validated']} ({row['measure']}, {row['scheme']})",
    )


def _competition_row(spec: Competition) -> tuple[str, ...]:
    from competitions.medals import load_board

    n = len(load_board(spec).scores)
    board = f"{n} baselines" if spec.board.kind == "baselines" else f"Kaggle, {n} teams"
    return (
        f"[{spec.id}](#{spec.id.lower()})",
        spec.modality,
        f"{spec.metric.name}, {spec.metric.direction} is better",
        spec.split.method
        + ("" if spec.split.test_size is None else f", test {spec.split.test_size:g}"),
        board,
        "v1, fixed" if spec.has_fixed else "v1",
        ", ".join(e.name for e in spec.entities) or "none",
        str(len(spec.known_issues)),
    )


def _needs_in_words(spec: Competition) -> str:
    """Say what preparing takes, and what the repaired variant takes where that is another thing."""
    from competitions.needs import needs_of
    from competitions.spec import load

    told = needs_of(spec).words
    if told and spec.needs.whole:
        told += f" ({spec.needs.whole}, held whole)"
    if spec.has_fixed and (fixed := load(spec.id, "fixed")).needs != spec.needs:
        told += f"; as `fixed` {_needs_in_words(fixed)}"
    return told


def _competition_section(spec: Competition) -> str:
    from competitions.board_health import board_health
    from competitions.medals import load_board

    kind = _SOURCES[spec.source.kind]
    licence = f"; licence: {spec.source.licence}" if spec.source.licence else ""
    parts = [
        f"## {spec.id}\n",
        f"{spec.title}. {' '.join(spec.summary.split())}\n",
        f"- Source: <{spec.source.url}> ({kind}{licence})",
        f"- Metric: {' '.join(spec.metric.definition.split())}",
        f"- Board: sha256 `{spec.board.sha256}`; {board_health(load_board(spec)).words}",
    ]
    if needs := _needs_in_words(spec):
        parts.append(f"- Needs: {needs}")
    if any(raw.miniature for raw in spec.raw):
        parts.append(f"- Miniature: `mle-audit prepare -c {spec.id} --source miniature`")
    for twin in spec.twins:
        page = f" (<{twin.source}>)" if twin.source else ""
        parts.append(f"- Public twin: {twin.name}{page} holds {twin.holds}.")
    for issue in spec.known_issues:
        probe = f" {_probe(issue.probe)}" if issue.probe else ""
        fixed = f" In `fixed`: {issue.fixed_by}." if issue.fixed_by else ""
        what = " ".join(issue.what.split())
        parts.append(f"- Known issue `{issue.id}` ({issue.kind}): {what}{probe}{fixed}")
    return "\n".join(parts) + "\n"


def _probe(detector_id: str) -> str:
    from detectors.base import all_detectors

    if detector_id in all_detectors():
        return f"Shown by [{detector_id}](detectors.md#{detector_id})."
    return f"For a detector `{detector_id}`, which does not exist yet."


def errors_page() -> str:
    """List every error with its code as the anchor, its exit code and what it means."""
    from competitions.errors import MleAuditError

    parts = [
        NOTE,
        "# Errors\n",
        "An error is printed as `error[code]: what was expected, what was found, where`, and below "
        "it what helps. The codes are stable. An unexpected exception is `error[bug]` and ends "
        "with 70; a refusal of the operating system (a full disk, a folder without leave to write) "
        "is `error[os]` and ends with 3.\n",
        "A call that the option parser cannot read (an unknown verb or option, a missing argument, "
        "a word where a number belongs) is told in the parser's own words, `Usage: …` and "
        "`Error: …`, and ends with 2.\n",
    ]
    return "\n".join([*parts, *(_error_section(error) for error in _tree(MleAuditError))])


def _tree(error: type[MleAuditError]) -> Iterator[type[MleAuditError]]:
    yield error
    for child in error.__subclasses__():
        yield from _tree(child)


def _error_section(error: type[MleAuditError]) -> str:
    prose = inspect.cleandoc(error.__doc__ or "").partition("\nParameters\n")[0].strip()
    parent = error.__mro__[1]
    kind = f", a kind of `{parent.__name__}`" if hasattr(parent, "code") else ""
    return f"## {error.code}\n\n`{error.__name__}`{kind}; exit {error.exit_code}. {prose}\n"


def audit_schema() -> str:
    """Return the JSON schema of the audit document."""
    from reports.schema import AuditReport

    schema = AuditReport.model_json_schema(mode="serialization")
    return json.dumps(schema, indent=2, sort_keys=True) + "\n"


def reproduction_schema() -> str:
    """Return the JSON schema of the document of a reproduction."""
    from audit.reproduction.schema import Reproduction

    schema = Reproduction.model_json_schema(mode="serialization")
    return json.dumps(schema, indent=2, sort_keys=True) + "\n"


def comparison_schema() -> str:
    """Return the JSON schema of the document of a comparison."""
    from reports.comparison.schema import Comparison

    schema = Comparison.model_json_schema(mode="serialization")
    return json.dumps(schema, indent=2, sort_keys=True) + "\n"


def _read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return (
        "\n".join(f"| {' | '.join(c.replace('|', '/') for c in line)} |" for line in lines) + "\n"
    )


def stale() -> list[str]:
    """List the pages that are not what the code says."""
    return [
        name
        for name, text in documents().items()
        if not (DOCS / name).is_file() or (DOCS / name).read_text(encoding="utf-8") != text
    ]


def main(arguments: Sequence[str]) -> int:
    """Write the pages, or with ``--check`` name the stale ones; return the exit code."""
    old = stale()
    if "--check" in arguments:
        for name in old:
            sys.stderr.write(f"docs/{name} is not up to date; run: make docs\n")
        return 1 if old else 0
    for name, text in documents().items():
        if name in old:
            (DOCS / name).write_text(text, encoding="utf-8")
            sys.stdout.write(f"Written: docs/{name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
