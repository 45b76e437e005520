"""Clusters that code works on, by its own words or what it printed: Spark, Dask, Ray, queues."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

LOCAL = r"(?:localhost|127\.|0\.0\.0\.0|\[?::1|host\.docker\.internal)"
_HINT = re.compile(
    r"yarn|application_|master|<Client|^Active:|H2O_|machines|\(TID |Ray cluster", re.MULTILINE
)
_HINT_ASKED = re.compile(r"spark|dask|\bray\b|Celery|rpyc|execnet|Redis|Databricks|master")
_ELSEWHERE = rf"(?:yarn|mesos://|k8s://|spark://(?!{LOCAL})[\w.-]+)"
_ASKS_SPARK = re.compile(
    rf"\.master\(\s*[\"']{_ELSEWHERE}|--master[= ][\"']?{_ELSEWHERE}|"
    rf"spark\.master[\"']?\s*[,:= ]\s*[\"']?{_ELSEWHERE}|\bDatabricksSession\b|\bsc://(?!{LOCAL})"
)
_ON_SPARK = re.compile(
    r"\byarn\.Client: (?:Submitted application|Application report)|\bapplication_\d{6,}_\d{3,}\b|"
    r"\(TID \d+\) \([\w.-]+, executor \d+\b|"
    rf"\bmaster\b\W{{1,3}}{_ELSEWHERE}|\bspark\.master\W{{1,3}}{_ELSEWHERE}"
)
_DASK_CLIENT = re.compile(rf"<Client: '(?:tcp|tls|ucx|ws)://(?!{LOCAL})(?P<host>[\w.-]+)")
_DASK_HERE = re.compile(r"\bdask[- ](?:scheduler|worker)\b|\bdask\b.*\bLocalCluster\(\s*host")
_ASKS_DASK = re.compile(
    rf"\bClient\([^()\n]*(?:\([^()\n]*)?[\"'](?:(?:tcp|tls|ucx)://(?!{LOCAL})(?P<host>[\w.-]+)|"
    rf"(?!{LOCAL})(?P<bare>[\w.-]+):8786\b)"
)
_ASKS_RAY = re.compile(
    rf"\bray\.init\([^)\n]*(?:address\s*=\s*|\(\s*)[\"'](?:ray://)?"
    rf"(?!{LOCAL}|auto|local)(?P<host>[\w-]+(?:\.[\w-]+)+|[\w-]+):\d+(?P<bare>)"
)
_RAY_NODES = re.compile(r"^Active:\n(?P<nodes>(?:\s*\d+ \S+\n?)+)", re.MULTILINE)
RAY_FOUND = re.compile(
    rf"\bConnecting to existing Ray cluster at address: (?!{LOCAL})[\w.-]+:\d+"
    r"[\s\S]{0,2000}?\b(?P<n>[2-9]|[1-9]\d{1,2}) (?:alive |active )?(?:nodes|hosts|machines)\b"
)
_NODES = re.compile(
    r"\bH2O_cluster_total_nodes:\s*(?P<h2o>[2-9]|\d\d+)\b|"
    r"\btotal number of machines: (?P<lightgbm>[2-9]|\d\d+)\b"
)
_BROKER = re.compile(
    rf"\bCelery\([^)]*\bbroker\s*=\s*[\"']\w+://(?!(?:[^@\"'/]*@)?{LOCAL})[^\"']+[\"']"
    r"[\s\S]*?(?:\bsend_task\(|\.delay\(|\.apply_async\()|"
    rf"\brpyc\.(?:classic\.)?connect\(\s*[\"'](?!{LOCAL})|"
    rf"\bexecnet\.makegateway\(\s*[\"'][^\"']*ssh=|"
    rf"\bQueue\([^)]*connection\s*=\s*Redis\(\s*(?:host\s*=\s*)?[\"'](?!{LOCAL})"
)


def clusters_printed(text: str, *, starts_here: bool) -> Iterator[tuple[str, str]]:
    """Yield the clusters that output alone tells of, each by a name and what shows it.

    Parameters
    ----------
    starts_here : bool
        The attempt started a scheduler of its own, which may have any address of this machine.
    """
    if not _HINT.search(text):
        return
    if _ON_SPARK.search(text):
        yield "spark", "works on a cluster of Spark"
    client = _DASK_CLIENT.search(text)
    if client and not starts_here:
        yield client["host"], f"works with a Dask cluster at {client['host']}"
    for nodes in _RAY_NODES.finditer(text):
        n = len(nodes["nodes"].strip().split("\n"))
        if n > 1:
            yield "ray", f"lists {n} nodes of Ray"
    found = RAY_FOUND.search(text)
    if found:
        yield "ray", f"works on {found['n']} nodes of Ray"
    for told in _NODES.finditer(text):
        yield "nodes", f"tells of {told['h2o'] or told['lightgbm']} machines"


def clusters_asked(asked: str) -> Iterator[tuple[str, str]]:
    """Yield the clusters that a command, or code that it ran, asks for work."""
    if not _HINT_ASKED.search(asked):
        return
    if _ASKS_SPARK.search(asked):
        yield "spark", "works on a cluster of Spark"
    for form in (_ASKS_DASK, _ASKS_RAY):
        found = form.search(asked)
        if found and ("dask" in asked or form is _ASKS_RAY):
            host = found["host"] or found["bare"]
            yield host, f"asks {host} to compute"
    if _BROKER.search(asked):
        yield "workers", "gives work to workers elsewhere"


def starts_scheduler(text: str) -> bool:
    """Say whether a command or code starts a scheduler of Dask on this machine."""
    return _DASK_HERE.search(text) is not None
