"""A description without its story names what is needed to hand something in, and nothing else."""

from __future__ import annotations

import re

import pytest

from competitions.describe import describe
from competitions.obfuscate import describe_obfuscated
from competitions.spec import catalog_ids, load

COMMON = {"task", "prediction", "predict", "with", "from", "data", "series", "test", "train"}
COMMON |= {"text", "texts", "image", "images", "pictures", "recordings", "tables", "thing", "right"}


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
