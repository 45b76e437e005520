"""A task's description without its story: no title, names, places or meanings, the columns kept.

It is what an agent is given when the question is whether it knows the task from elsewhere. File and
column names, labels and the form of texts stay, for without them nothing can be handed in.

References
----------
Chan et al. (2024), MLE-bench, section on contamination. https://arxiv.org/abs/2410.07095
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.describe import describe

if TYPE_CHECKING:
    from competitions.spec import Competition

TITLE = "A prediction task"
_KINDS = {
    "tabular": "tables",
    "text": "texts",
    "image": "pictures",
    "audio": "recordings",
    "time-series": "series in time",
    "multimodal": "data of several kinds",
    "other": "data",
}


def summary_of(spec: Competition) -> str:
    """Say in one sentence what is to be predicted from what, and nothing about the world."""
    key = ", ".join(f"`{name}`" for name in spec.submission.key)
    targets = [f"`{name}`" for name in spec.targets]
    shown = ", ".join(targets) if len(targets) <= 8 else f"{', '.join(targets[:3])} and the others"  # noqa: PLR2004
    return f"From {_KINDS[spec.modality]}, predict {shown} for each {key} of the test part."


def anonymous(spec: Competition) -> Competition:
    """Return the task with everything taken out that tells its story."""
    rules = {
        name: rule.model_copy(update={"meaning": None})
        for name, rule in spec.submission.columns.items()
    }
    return spec.model_copy(
        update={
            "title": TITLE,
            "summary": summary_of(spec),
            "columns": {},
            "files": tuple(f.model_copy(update={"meaning": None}) for f in spec.files),
            "entities": tuple(e.model_copy(update={"name": "thing"}) for e in spec.entities),
            "public": tuple(
                f.model_copy(update={"made": "a further file"}) if f.made is not None else f
                for f in spec.public
            ),
            "submission": spec.submission.model_copy(update={"columns": rules}),
            "metric": spec.metric.model_copy(
                update={"definition": metric_of(spec), "official_name": None}
            ),
        }
    )


def metric_of(spec: Competition) -> str:
    """Say what the metric is in the words of the function that computes it."""
    from competitions.metrics import METRICS

    if spec.metric.file is not None:  # its author's words tell the story, too
        return "A formula of the task's own."
    first = (METRICS[spec.metric.name].score.__doc__ or "").strip().partition("\n")[0]
    return f"`{spec.metric.name}`: {first.rstrip('.').removeprefix('Return ')}."


def describe_obfuscated(spec: Competition) -> str:
    """Return the Markdown text of ``description.md`` without the task's story and source."""
    return describe(anonymous(spec)).partition("## Source")[0].rstrip() + "\n"
