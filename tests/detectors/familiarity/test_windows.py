"""Each token is scored once, whatever the text's length."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from detectors.familiarity.backend import Plan
from detectors.familiarity.windows import batched, cut, grouped

plans = st.integers(2, 40).flatmap(
    lambda w: st.builds(Plan, window=st.just(w), stride=st.integers(1, w - 1))
)


@given(st.integers(1, 300), plans, st.booleans())
def test_every_token_counts_once_and_late_ones_have_their_context(n_tokens, plan, has_bos):
    windows = list(cut(n_tokens, plan, has_bos=has_bos))

    scored = [t for w in windows for t in range(w.first, w.end)]
    assert scored == list(range(0 if has_bos else 1, n_tokens))
    assert all(w.length + has_bos <= plan.window for w in windows)
    for w in windows[1:]:
        assert w.first - w.begin == plan.window - has_bos - plan.stride


@given(st.integers(1, 300), st.integers(1, 300), plans)
def test_a_longer_text_changes_no_window_of_its_beginning(n_tokens, more, plan):
    short = list(cut(n_tokens, plan, has_bos=True))
    long = list(cut(n_tokens + more, plan, has_bos=True))

    assert short[:-1] == long[: len(short) - 1]


@given(st.lists(st.integers(1, 100), max_size=30), st.integers(1, 200))
def test_batches_hold_every_window_and_keep_the_budget(lengths, batch_tokens):
    plan = Plan(window=32, stride=16)
    windows = [w for i, n in enumerate(lengths) for w in cut(n, plan, has_bos=True, text=i)]

    batches = list(batched(windows, batch_tokens))

    assert sorted(w for b in batches for w in b) == sorted(windows)
    for batch in batches:
        width = max(w.length for w in batch)
        assert len(batch) == 1 or len(batch) * (width + 1) <= batch_tokens
        assert min(w.length for w in batch) >= 0.8 * width


@given(st.lists(st.integers(1, 100), max_size=30), st.integers(1, 200))
def test_groups_hold_every_text_in_order(lengths, limit):
    groups = list(grouped(lengths, limit))

    assert [i for g in groups for i in g] == list(range(len(lengths)))
    assert all(sum(lengths[i] for i in g[:-1]) < limit for g in groups)
