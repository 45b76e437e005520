"""Libraries, clock and engines of the interpreter."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from audit.probes import host


@pytest.mark.parametrize(
    ("found", "wanted", "status", "said"),
    [
        pytest.param({}, {}, "ok", "as tested: babel 1.0, numpy 1.0", id="as-tested"),
        pytest.param({"pandas": "3.2"}, {}, "limited", "pandas 3.2 (tested: 1.0)", id="newer"),
        pytest.param({"numpy": None}, {}, "missing", "not installed: numpy", id="absent"),
        pytest.param({}, None, "ok", "named in a checkout only", id="no-checkout"),
        pytest.param({"pandas": "3.2"}, {"pandas": None}, "ok", "pandas 3.2", id="not-pinned"),
    ],
)
def test_versions_are_held_against_the_tested_ones(found, wanted, status, said):
    def versions(changes):
        some = dict.fromkeys(host.WATCHED, "1.0") | changes
        return {name: version for name, version in some.items() if version}

    row = host.compare_versions(versions(found), {} if wanted is None else versions(wanted))

    assert row.status == status
    assert said in row.means


def test_the_pins_of_this_checkout_name_every_watched_library(tmp_path):
    assert set(host.WATCHED) <= set(host.pinned_in(host.CONSTRAINTS))
    assert host.pinned_in(tmp_path / "none.txt") == {}


@pytest.mark.parametrize(("year", "status"), [(2000, "limited"), (2100, "ok")])
def test_a_clock_before_the_installation_is_wrong(around, year, status):
    now = datetime(year, 1, 1, tzinfo=UTC)

    assert host.clock(replace(around, now=now)).status == status


def test_engines_are_told_with_their_cores_and_clusters(around):
    found = host.engines(around)

    assert found.status == "ok"
    assert "loky" in found.means
    assert "ray" in found.means
    assert "dask" in found.means
