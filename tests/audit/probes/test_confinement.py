"""Whether agents can be confined, on machines that refuse one thing or another."""

from __future__ import annotations

import os
import platform
from dataclasses import replace

import pytest

from audit.probes import confinement
from audit.runner.bubblewrap import bubblewrap_problem
from tests.audit.probes.conftest import program

WORKS = pytest.mark.skipif(bubblewrap_problem() is not None, reason="bubblewrap does not work here")


def test_without_bubblewrap_the_sandbox_is_missing_with_what_installs_it(around):
    found = confinement.sandbox(around)

    assert (found.status, found.remedy) == ("missing", "as root: apt-get install bubblewrap")
    assert confinement.scratch_sizes(around).status == "missing"


def test_a_bubblewrap_that_the_kernel_refuses_is_told_with_its_own_words(around, monkeypatch):
    program(around, "bwrap", "echo 'bwrap: No permissions to create new namespace' >&2; exit 1")
    monkeypatch.setenv("PATH", around.environment["PATH"])
    found = confinement.sandbox(around)

    assert found.status == "missing"
    assert "No permissions to create new namespace" in found.means
    assert "user namespaces" in str(found.remedy)


@WORKS
@pytest.mark.sandbox
def test_a_sandbox_that_works_is_told_with_its_version(around):
    here = replace(around, environment=dict(os.environ))

    assert confinement.sandbox(here).status == "ok"
    assert "bubblewrap 0." in confinement.sandbox(here).means


@pytest.mark.parametrize(
    ("settings", "is_root", "status", "remedy"),
    [
        pytest.param({}, False, "ok", None, id="a-kernel-without-these-settings"),
        pytest.param({"user/max_user_namespaces": "0"}, False, "missing",
                     "user.max_user_namespaces=15000", id="none-at-all"),
        pytest.param({"user/max_user_namespaces": "0"}, True, "missing",
                     "user.max_user_namespaces=15000", id="root-neither"),
        pytest.param({"user/max_user_namespaces": "1024"}, False, "ok", None, id="some"),
        pytest.param({"kernel/unprivileged_userns_clone": "0"}, False, "missing",
                     "kernel.unprivileged_userns_clone=1", id="debian"),
        pytest.param({"kernel/unprivileged_userns_clone": "0"}, True, "ok", None, id="debian-root"),
        pytest.param({"kernel/unprivileged_userns_clone": "1"}, False, "ok", None, id="allowed"),
        pytest.param({"kernel/apparmor_restrict_unprivileged_userns": "1"}, False, "missing",
                     "kernel.apparmor_restrict_unprivileged_userns=0", id="ubuntu"),
    ],
)  # fmt: skip
def test_a_setting_that_refuses_namespaces_is_named_with_the_one_that_helps(
    around, settings, is_root, status, remedy
):
    for name, value in settings.items():
        (around.proc / "sys" / name).write_text(f"{value}\n")
    found = confinement.user_namespaces(replace(around, is_root=is_root))

    assert found.status == status
    assert found.remedy == (remedy and f"as root: sysctl -w {remedy}")


def test_a_kernel_without_namespaces_is_told(around):
    (around.proc / "self/ns/user").unlink()

    assert confinement.user_namespaces(around).status == "missing"


@pytest.mark.parametrize(
    ("machine", "status", "expected"),
    [
        pytest.param("x86_64", "Seccomp:\t2\n", "ok", id="pc"),
        pytest.param("aarch64", "Seccomp:\t0\n", "ok", id="arm"),
        pytest.param("riscv64", "Seccomp:\t0\n", "limited", id="numbers-are-not-known"),
        pytest.param("x86_64", "Speculation:\t0\n", "limited", id="kernel-without-filters"),
    ],
)
def test_where_no_call_is_filtered_the_drawback_is_told(
    around, monkeypatch, machine, status, expected
):
    monkeypatch.setattr(platform, "machine", lambda: machine)
    (around.proc / "self/status").write_text(f"Name:\tpython\n{status}")
    found = confinement.call_filter(around)

    assert found.status == expected
    assert ("keyrings" in found.means) is (expected == "limited")


@pytest.mark.parametrize("look", [confinement.memory_limit, confinement.process_limit])
def test_a_limit_of_the_kernel_is_ok_and_a_watchdog_a_drawback(around, look):
    found = look(around)

    assert found.status == ("limited" if "watchdog" in found.means else "ok")
    assert ("cgroup" in found.means) is (found.status == "ok")
    assert (found.remedy is None) is (found.status == "ok")
