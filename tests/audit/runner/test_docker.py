"""What is asked of the Docker Engine, and that an attempt in a container is like any other."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from audit.runner import docker_sandbox
from audit.runner.agent import load_agent
from audit.runner.model_endpoint import ModelEndpoint
from competitions.errors import SandboxUnavailableError, UsageError
from detectors.model_calls import model_calls
from tests.audit.runner.engine import DIGEST, IMAGE, Engine, engine
from tests.audit.runner.model_server import Reply, playing
from tests.audit.runner.tiny import CANARY, make_agent, run_once

if TYPE_CHECKING:
    from collections.abc import Iterator

START = r"""
cp "$AGENT_DIR/start.sh" "$CODE_DIR/"
echo "seed $SEED, $1"
ls / /home /home/data
cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"
"$VALIDATE_SUBMISSION" "$SUBMISSION_DIR/submission.csv"
python3 -c "
import os, urllib.request
url = os.environ['OPENAI_BASE_URL'] + '/chat/completions'
print(urllib.request.urlopen(url, b'{}').read())" | tee "$LOGS_DIR/model.log"
touch "$DATA_DIR/x" || echo "data cannot be written"
"""


@pytest.fixture
def docker(tmp_path, monkeypatch) -> Iterator[Engine]:
    with engine(tmp_path) as made:
        monkeypatch.setenv("DOCKER_HOST", made.address)
        yield made


def in_container(tmp_path, start, docker, task, interpreters, **options):
    agent = make_agent(tmp_path / "agent", start, image=IMAGE, kwargs={"depth": 3})
    seconds = options.pop("seconds", 60)
    return run_once(
        agent, task, tmp_path / "runs", interpreters, seconds, sandbox="docker", **options
    )


@pytest.mark.sandbox
def test_an_attempt_in_a_container_ends_as_any_other(tmp_path, docker, task, interpreters):
    with playing(lambda *_: Reply("hello")) as model:
        ran = in_container(
            tmp_path,
            START,
            docker,
            task,
            interpreters,
            memory_bytes=1 << 30,
            processes=100,
            model_endpoint=ModelEndpoint(model.url),
        )
    assert ran.record.exit_status == "finished", ran.log
    assert "seed 0, depth=3" in ran.log
    assert "Submission is valid." in ran.log
    assert "data cannot be written" in ran.log
    assert "hello" in (ran.path / "logs" / "model.log").read_text()
    assert [c.result for c in model_calls(ran.path)] == ["answered"]
    assert CANARY.encode() not in ran.everything()
    assert ran.record.submission_sha256
    sandbox = ran.record.sandbox
    assert (sandbox.kind, sandbox.network, sandbox.image_digest) == ("docker", False, DIGEST)
    assert (sandbox.memory_limiter, sandbox.process_limiter) == ("docker", "docker")
    assert ran.record.peak_memory_bytes is None
    assert docker.there == {}


@pytest.mark.sandbox
def test_the_engine_is_asked_for_a_container_without_network_and_rights(
    tmp_path, docker, task, interpreters
):
    ran = in_container(
        tmp_path, "exit 0", docker, task, interpreters, memory_bytes=1 << 30, processes=100
    )
    (made,) = docker.made
    host = made.asked["HostConfig"]
    assert made.name == f"mle-audit-{ran.path.name}"
    assert made.asked["Image"] == IMAGE
    assert made.asked["User"] == f"{os.getuid()}:{os.getgid()}"
    assert host["NetworkMode"] == "none"
    assert host["CapDrop"] == ["ALL"]
    assert host["SecurityOpt"] == ["no-new-privileges"]
    assert (host["Memory"], host["MemorySwap"], host["PidsLimit"]) == (1 << 30, 1 << 30, 100)
    assert not host.get("Privileged")
    targets = {bind.rsplit(":", 2)[1]: bind.rsplit(":", 2)[2] for bind in host["Binds"]}
    writable = {target for target, mode in targets.items() if mode == "rw"}
    assert writable == {"/home/submission", "/home/code", "/home/logs"}
    assert "private" not in " ".join(host["Binds"])
    assert "docker.sock" not in " ".join(host["Binds"])
    names = {pair.partition("=")[0] for pair in made.asked["Env"]}
    assert "SEED" in names
    assert not names & {"PATH", "HOME", "DOCKER_HOST"}


@pytest.mark.slow
@pytest.mark.sandbox
def test_a_container_that_takes_too_long_is_removed(tmp_path, docker, task, interpreters):
    ran = in_container(tmp_path, "echo on; sleep 60", docker, task, interpreters, seconds=3)
    assert ran.record.exit_status == "timed_out"
    assert docker.there == {}
    assert docker.made[0].process is not None
    assert docker.made[0].process.poll() is not None


@pytest.mark.slow
@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("is_out_of_memory", "said"), [(False, "bye"), (True, "memory limit was reached")]
)
def test_how_a_container_ends_is_how_the_attempt_ends(
    tmp_path, docker, task, interpreters, is_out_of_memory, said
):
    docker.is_out_of_memory = is_out_of_memory
    ran = in_container(tmp_path, "echo bye; exit 7", docker, task, interpreters)
    assert (ran.record.exit_status, ran.record.exit_code) == ("crashed", 7)
    assert said in ran.log


def test_an_image_that_is_not_there_is_said_with_its_remedy(docker):
    with pytest.raises(SandboxUnavailableError, match=r"no image example\.org/other") as caught:
        docker_sandbox.image_digest("example.org/other")
    assert "docker pull example.org/other" in str(caught.value)


def test_no_engine_is_said_with_its_remedy(tmp_path, monkeypatch):
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")
    with pytest.raises(SandboxUnavailableError, match="No Docker engine answers") as caught:
        docker_sandbox.image_digest(IMAGE)
    assert "DOCKER_HOST" in str(caught.value)


@pytest.mark.parametrize(
    ("fields", "sandbox", "remedy"),
    [({"image": IMAGE}, "bubblewrap", "docker"), ({}, "docker", "bubblewrap")],
    ids=["image-without-docker", "docker-without-image"],
)
def test_an_agent_runs_where_it_can(tmp_path, task, interpreters, fields, sandbox, remedy):
    agent = make_agent(tmp_path / "agent", "exit 0", **fields)
    with pytest.raises(UsageError, match=f"--sandbox {remedy}"):
        run_once(agent, task, tmp_path / "runs", interpreters, sandbox=sandbox)


@pytest.mark.parametrize("agent_id", ["openhands", "mlagentbench"])
def test_agents_that_were_not_run_say_so(agent_id):
    definition = load_agent(agent_id).definition
    assert definition.image
    assert "Not run yet" in definition.summary
