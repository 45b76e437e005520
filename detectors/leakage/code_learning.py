"""What is split, fitted, trained, predicted and scored: the calls that make the story."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from detectors.leakage import code_splitting
from detectors.leakage import code_words as words
from detectors.leakage.code_story import CrossValidation, Scoring, Split, Training
from detectors.leakage.code_values import (
    NOTHING,
    Instance,
    Kind,
    Mark,
    Model,
    Own,
    Part,
    Prediction,
    Scored,
    Splitter,
    Stopper,
    Tool,
    Value,
    marked,
    spread,
    union,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from detectors.leakage.code_flow import Reader
    from detectors.leakage.code_seen import Seen

    _Handler = Callable[[Reader, Seen], Value | None]

_BOOSTERS = ("lgb", "lightgbm", "xgb", "xgboost", "catboost")
_LEARNS = frozenset({"fit", "fit_generator", "partial_fit", "adapt", "fit_on_texts"})
_APPLIES = frozenset({"transform", "texts_to_sequences", "texts_to_matrix", "fit_predict",
                      "__call__", "inverse_transform"})  # fmt: skip


def handler(name: str) -> _Handler | None:
    """Return what tells of calls with a name; None where they are like any other."""
    found = _BY_NAME.get(name)
    if found is not None:
        return found
    for is_so, handle in (
        (name in words.COMPOSITES, _composite),
        (words.tool_kind(name)[0], _tool),
        (words.SEARCHES.match(name) or words.MODELS.match(name), _model),
        (
            words.ROW_SPLITTERS.match(name) or words.OTHER_SPLITTERS.search(name),
            code_splitting.splitter,
        ),
        (words.STOPS.search(name), _stopper),
        (words.SCORES.search(name), _metric),
    ):
        if is_so:
            return handle
    return None


# ------------------------------------------------------------ what is built


def _tool(_reader: Reader, seen: Seen) -> Value | None:
    if not seen.is_of_library:
        return None
    return Value(things=frozenset({Tool(seen.name, words.tool_kind(seen.name)[1])}))


def _composite(_reader: Reader, seen: Seen) -> Value | None:
    """Build a pipeline: a model where one is in it, else a tool that learns what its parts do."""
    if not seen.is_of_library:
        return None
    parts = union(seen.all)
    tools = parts.all_of(Tool)
    has_model = bool(parts.all_of(Model)) or not tools
    if has_model:
        return Value(things=frozenset({Model(seen.name, seen.place)}))
    kinds = [t.kind for t in tools if t.kind is not None]
    order = list(Kind)
    kind = min(kinds, key=order.index) if kinds else None
    return Value(things=frozenset({Tool(seen.name, kind)}))


def _model(_reader: Reader, seen: Seen) -> Value | None:
    if not seen.is_of_library:
        return None
    model = Model(
        seen.name, seen.place, bool(words.SEARCHES.match(seen.name)), stops_early=_stops(seen)
    )
    return Value(things=frozenset({model}))


def _stops(seen: Seen) -> bool:
    """Say whether something tells a training when to stop."""
    by_name = any(
        words.STOPS.search(k.arg) and not (isinstance(k.value, ast.Constant) and not k.value.value)
        for k in seen.node.keywords
        if k.arg
    )
    return by_name or any(v.all_of(Stopper) for v in seen.all)


def _stopper(_reader: Reader, _seen: Seen) -> Value | None:
    return Value(things=frozenset({Stopper()}))


# ------------------------------------------------------------ what is fitted and trained


def _fitted(reader: Reader, seen: Seen) -> Value | None:
    """Fit a tool, or train a model."""
    rows = seen.given(0, "X", "x", "train_data", "train_dataloaders", "data", "generator")
    if (
        seen.is_of_library
        and not seen.base.dotted
        and not isinstance(seen.node.func, ast.Attribute)
    ):
        return None
    tools = seen.base.all_of(Tool)
    if seen.name in _LEARNS and tools:
        _teach(reader, seen, tools, rows)
        return seen.base if not seen.base.all_of(Model) else _trained(reader, seen, rows)
    if seen.name in {"adapt", "fit_on_texts"}:
        return None
    return _trained(reader, seen, rows)


def _teach(reader: Reader, seen: Seen, tools: Iterable[Tool], rows: Value) -> frozenset[Mark]:
    """Let tools learn from rows; return what they learnt."""
    found: frozenset[Mark] = frozenset()
    for tool in tools:
        learnt: frozenset[Mark] = frozenset()
        if tool.kind is not None and rows.rows:
            mark = Mark(tool.kind, frozenset(rows.rows), tool.name, seen.place)
            reader.story.fits[mark] = None
            learnt = frozenset({mark})
        tool.learnt = learnt
        found |= learnt
    return found


def _trained(reader: Reader, seen: Seen, rows: Value) -> Value:
    models = seen.base.all_of(Model)
    if not models:
        key = ast.dump(seen.node.func)
        models = [reader.unknown.setdefault(key, Model(seen.base.origin or "a model", seen.place))]
    if not rows.rows:  # a trainer that was given the rows when it was built
        rows = seen.base.as_rows
    target = seen.given(1, "y")
    held = union(seen.named[n] for n in words.VALIDATES_WITH if n in seen.named)
    for model in models:
        train(reader, seen, model, rows, target, held)
    if seen.named.get("validation_split") is not None and rows.rows:
        own = f"validation_split@{seen.place}"
        reader.story.splits[own] = Split(
            "validation_split", own, seen.place, rows.rows, is_random=False
        )
    things = frozenset(models) | seen.base.things
    return replace(seen.base, things=things)


def train(
    reader: Reader, seen: Seen, model: Model, rows: Value, target: Value, held: Value
) -> None:
    """Train a model on rows, perhaps watched by others."""
    model.rows = frozenset(rows.rows)
    stops = model.stops_early or _stops(seen)
    model.stops = frozenset(held.rows) if stops else frozenset()
    if model.stops:
        reader.story.watched[seen.place] = model.stops
    if rows.rows:
        name = target.column or (rows.column if not target.rows else "")
        marks = spread(rows) | spread(target)
        one = Training(model.name, seen.place, model.rows, marks, name)
        reader.story.trainings[one] = None
    if held.rows:
        one_held = Scoring(
            seen.place, frozenset(held.rows), spread(held), is_score=False, trained=model.rows
        )
        reader.story.scorings[one_held] = None


def _boosted(reader: Reader, seen: Seen) -> Value | None:
    """Train or cross-validate as ``lgb.train(params, data)`` does."""
    if not seen.base.dotted.startswith(_BOOSTERS):
        return None
    rows = seen.given(1, "train_set", "dtrain", "pool")
    if seen.name == "cv":
        grouped = any(c.is_grouped for c in seen.given(9, "folds").all_of(Splitter))
        one = CrossValidation(
            "cv", seen.place, frozenset(rows.rows), spread(rows), rows.column, is_random=not grouped
        )
        reader.story.folds[one] = None
        return Value(things=frozenset({Scored(frozenset(rows.rows))}))
    model = Model(f"{seen.base.dotted}.train", seen.place)
    held = union(seen.named[n] for n in words.VALIDATES_WITH if n in seen.named)
    if len(seen.args) > 3:  # noqa: PLR2004 - params, data, rounds, what is watched
        held = union((held, seen.args[3]))
    apart = tuple(p for p in held.rows if p not in rows.rows)
    train(reader, seen, model, rows, NOTHING, replace(held, rows=apart))
    return Value(things=frozenset({model}))


def _dataset(_reader: Reader, seen: Seen) -> Value | None:
    """Put rows and labels together, as ``lgb.Dataset(X, label=y)`` does."""
    rows, labels = seen.given(0, "data"), seen.given(1, "label")
    if not rows.rows:
        return None
    return replace(union((rows, Value(marks=labels.marks))).as_rows, column=labels.column)


def _transformed(reader: Reader, seen: Seen) -> Value | None:
    """Apply a tool, which may be fitted first."""
    tools = seen.base.all_of(Tool)
    rows = seen.given(0, "X", "raw_documents")
    if not tools:
        if seen.name != "fit_transform" or not rows.rows:
            return None
        tools = [Tool("a transformer", None)]
    if seen.name.startswith("fit_"):
        learnt = _teach(reader, seen, tools, rows)
    else:
        learnt = frozenset(m for t in tools for m in t.learnt)
    if not rows.rows:
        return NOTHING
    things = frozenset(tools) if seen.name == "__call__" else frozenset[object]()
    return replace(marked(rows.as_rows, learnt), column="", things=things)


def _balanced(reader: Reader, seen: Seen) -> Value | None:
    """Resample rows and their labels."""
    tools = seen.base.all_of(Tool)
    rows, labels = seen.given(0, "X"), seen.given(1, "y")
    if not rows.rows:
        return None
    learnt = _teach(reader, seen, tools, rows)
    return Value(items=tuple(marked(v.as_rows, learnt) for v in (rows, labels)))


def _by_target(_reader: Reader, seen: Seen) -> Value | None:
    """Score columns by the target, as ``f_classif(X, y)`` does."""
    rows = seen.given(1 if seen.name == "permutation_importance" else 0, "X")
    if not rows.rows:
        return None
    mark = Mark(Kind.SELECTION, frozenset(rows.rows), seen.name, seen.place)
    return Value(marks=frozenset({("", mark)}))


def _chosen_names(_reader: Reader, seen: Seen) -> Value | None:
    """Ask a fitted selector which columns it keeps: ``selector.get_support()``."""
    tools = seen.base.all_of(Tool)
    if not tools:
        return None
    learnt = (m for t in tools for m in t.learnt if m.kind is Kind.SELECTION)
    return Value(marks=frozenset(("", m) for m in learnt))


# ------------------------------------------------------------ what is predicted and scored


def _predicted(reader: Reader, seen: Seen) -> Value | None:
    rows = seen.given(0, "X", "x", "data", "test_data", "dataloaders")
    models = seen.base.all_of(Model)
    if not rows.rows:
        return None
    trained = frozenset(p for m in models for p in m.rows)
    stops = frozenset(p for m in models for p in m.stops)
    one = Scoring(seen.place, frozenset(rows.rows), spread(rows), is_score=False)
    reader.story.scorings[one] = None
    said = Prediction(trained if len(models) == 1 else frozenset(), stops)
    return Value(rows=rows.rows, things=frozenset({said}))


def _evaluated(reader: Reader, seen: Seen) -> Value | None:
    """Score a model on rows: ``model.score(X, y)``."""
    rows = seen.given(0, "X", "x", "eval_dataset", "dataloaders")
    models = seen.base.all_of(Model)
    if not rows.rows or not isinstance(seen.node.func, ast.Attribute) or seen.base.rows:
        return None
    trained = models[0].rows if len(models) == 1 else frozenset[Part]()
    stops = frozenset(p for m in models for p in m.stops)
    return _score(reader, seen, rows, trained, stops)


def _metric(reader: Reader, seen: Seen) -> Value | None:
    """Score predictions: ``accuracy_score(y, predicted)``."""
    held = union(seen.all)
    if not held.rows:
        return None
    found = counted(reader, seen, held)
    is_loss = "loss" in seen.name and seen.name not in words.LOSSES_OF_LABELS
    return replace(found, rows=held.rows, marks=held.marks) if is_loss else found  # to be minimised


def counted(reader: Reader, seen: Seen, held: Value) -> Value:
    """Note a figure that comes of predictions and the truth."""
    said = held.all_of(Prediction)
    trained = said[0].trained if len(said) == 1 else frozenset[Part]()
    stops = frozenset(p for s in said for p in s.stops)
    return _score(reader, seen, held, trained, stops)


def _score(
    reader: Reader, seen: Seen, rows: Value, trained: frozenset[Part], stops: frozenset[Part]
) -> Value:
    held = frozenset(rows.rows)
    one = Scoring(seen.place, held, spread(rows), is_score=True, trained=trained, stops=stops)
    reader.story.scorings[one] = None
    return Value(things=frozenset({Scored(held)}))


def note_forward(reader: Reader, seen: Seen) -> None:
    """Note that a network is run on rows: ``model(batch)``."""
    rows = union(seen.args)
    if rows.rows:
        one = Scoring(seen.place, frozenset(rows.rows), spread(rows), is_score=False)
        reader.story.scorings[one] = None


def _network(reader: Reader, seen: Seen) -> Value | None:
    """Run what is called like a function: a network, a layer, a loss."""
    if seen.base.all_of(Tool):
        return _transformed(reader, seen)
    if any(isinstance(t, Model | Instance) for t in seen.base.things):
        note_forward(reader, seen)
    return union([seen.base.as_rows, *seen.all])


def _learnt_backwards(reader: Reader, seen: Seen) -> Value | None:
    if seen.base.rows:
        rows = seen.base
        one = Training("a network", seen.place, frozenset(rows.rows), spread(rows), "")
        reader.story.trainings[one] = None
    return NOTHING


def _optimised(reader: Reader, seen: Seen) -> Value | None:
    """Follow the objective of a search such as optuna's: its score chooses."""
    from detectors.leakage.code_calls import note_choice

    for thing in seen.given(0, "func").all_of(Own):
        note_choice(reader, seen.node, reader.enter(thing, [], {}))
    return NOTHING


_BY_NAME: dict[str, _Handler] = {
    **dict.fromkeys(words.TRAINS | _LEARNS, _fitted),
    **dict.fromkeys(_APPLIES - {"__call__"} | {"fit_transform"}, _transformed),
    **dict.fromkeys(words.PREDICTS, _predicted),
    **dict.fromkeys(("score", "evaluate", "evaluate_generator"), _evaluated),
    **dict.fromkeys(words.CROSS_VALIDATES, code_splitting.cross_validated),
    **dict.fromkeys(words.SCORE_BY_TARGET, _by_target),
    **dict.fromkeys(("fit_resample", "fit_sample"), _balanced),
    **dict.fromkeys(("get_support", "get_feature_names_out"), _chosen_names),
    **dict.fromkeys(("train", "cv"), _boosted),
    **dict.fromkeys(("Dataset", "DMatrix", "Pool", "QuantileDMatrix"), _dataset),
    **dict.fromkeys(("train_test_split", "random_split"), code_splitting.halves),
    "split": code_splitting.folds,
    "optimize": _optimised,
    "backward": _learnt_backwards,
    "__call__": _network,
}
