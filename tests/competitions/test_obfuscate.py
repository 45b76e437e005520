"""A description without its story names what is needed to hand something in, and nothing else."""

from __future__ import annotations

import re

import pytest
from pydantic import ValidationError

from competitions.describe import describe
from competitions.obfuscate import describe_obfuscated
from competitions.spec import Column, catalog_ids, load
from tests.competitions.conftest import VARIANTS

COMMON = {"task", "prediction", "predict", "with", "from", "data", "series", "test", "train"}
COMMON |= {"text", "texts", "image", "images", "pictures", "recordings", "tables", "thing", "right"}
# Words about how something is written, and about nothing else in the world.
WRITING = """
after alone along also another best between blank blanks called cell changed class column
confidence count counted counts down each empty ends entries excluded file find finds first five
folders follow further guess height hold inside keys label labels lacks leading length likeliest
mask names nine none nothing number numbers once ones order part pixels point runs separated
short single start that their them there three token twelve what where whole width without words
written xmax xmin ymax ymin zeros
"""
# Labels that no file of the train part has as they are handed in.
LABELS = {"siim-covid19-detection": {"typical", "atypical", "indeterminate", "opacity"}}


def words_of(text: str) -> set[str]:
    return {w for w in re.findall(r"[a-z]{4,}", text.lower()) if w not in COMMON}


def needed(name: str) -> set[str]:
    """Words of names without which nothing can be handed in."""
    spec = load(name)
    rules = spec.submission.columns.values()
    names = [*spec.submission.key, *spec.targets, *(str(v) for r in rules for v in r.labels)]
    names += [f.lies_at for f in spec.public] + [f.to for f in spec.files]
    names += [e.column for e in spec.entities] + [spec.metric.name]
    names += [str(v) for v in spec.sample_submission.fill.values()]
    return words_of(" ".join(names))


@pytest.mark.parametrize("name", catalog_ids())
def test_title_id_and_source_are_not_told(name):
    spec = load(name)
    told = words_of(describe_obfuscated(spec))
    telling = words_of(f"{spec.title} {spec.id} {spec.source.url}") - needed(name)
    plain = words_of("classification detection identification recognition prediction challenge")
    assert not told & (telling - plain) - words_of(spec.metric.definition)
    assert "kaggle" not in told - needed(name)
    assert spec.summary.strip() not in describe_obfuscated(spec)


@pytest.mark.parametrize("name", catalog_ids())
def test_everything_that_a_submission_needs_is_told(name):
    spec = load(name)
    told = describe_obfuscated(spec)
    for column in (*spec.submission.key, *spec.targets):
        assert column in told
    for file in spec.public:
        assert file.lies_at in told
    assert ("The lower" if spec.metric.is_lower_better else "The higher") in told
    assert len(told) < len(describe(spec)) + 200


@pytest.mark.parametrize(("name", "variant"), VARIANTS)
def test_the_form_of_each_text_is_told_without_its_meaning(name, variant):
    spec = load(name, variant)
    texts = [rule for rule in spec.submission.columns.values() if rule.type == "text"]

    for rule in texts:
        assert rule.form
        assert rule.form in describe_obfuscated(spec)
        assert rule.form in describe(spec)
        known = words_of(WRITING) | needed(name) | LABELS.get(name, set())
        assert words_of(rule.form) <= known, "a new word: does it tell the story?"


def test_only_a_text_has_a_form():
    with pytest.raises(ValidationError, match="only texts have one"):
        Column(type="int", form="one word")
