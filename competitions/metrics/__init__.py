"""Metrics, one module each: a new one is one new file that holds a `METRIC`."""

from __future__ import annotations

import importlib
import pkgutil

from competitions.errors import UnknownNameError
from competitions.metrics.base import Context, Metric

__all__ = ["METRICS", "Context", "Metric", "metric_named"]


def _walk() -> dict[str, Metric]:
    found: dict[str, Metric] = {}
    for module in pkgutil.iter_modules(__path__):
        metric = getattr(importlib.import_module(f"{__name__}.{module.name}"), "METRIC", None)
        if metric is None:
            continue
        if metric.name in found:
            raise RuntimeError(f"two modules define the metric {metric.name!r}")
        found[metric.name] = metric
    return found


METRICS: dict[str, Metric] = _walk()


def metric_named(name: str) -> Metric:
    """Return a metric by its canonical name.

    Raises
    ------
    UnknownNameError
        When there is none.
    """
    if name not in METRICS:
        known = f"There are: {', '.join(sorted(METRICS))}. A file of your own ends in .py."
        raise UnknownNameError("metric", name, METRICS, known)
    return METRICS[name]
