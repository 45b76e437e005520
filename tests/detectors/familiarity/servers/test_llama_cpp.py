"""The real llama.cpp: its server, which is refused, and its library, whose logits are read."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from competitions.errors import (
    MissingLibraryError,
    ModelFilesError,
    ModelServerError,
    ModelTooLargeError,
)
from detectors.familiarity.backend import Plan
from detectors.familiarity.builtin import MEMBER
from detectors.familiarity.cache import default_cache
from detectors.familiarity.scoring import score_texts
from detectors.familiarity.servers.opening import fitted, open_model
from detectors.familiarity.texts import Text
from tests.detectors.familiarity.test_gguf_file import write_gguf

SMOLLM2 = default_cache() / "models" / Path(MEMBER).name


@pytest.fixture(params=["random", "SmolLM2"])
def gguf(request, tmp_path):
    """A GGUF file: one with random weights, and the built-in model where it was fetched."""
    if request.param == "random":
        write_gguf(tmp_path / "m.gguf", context=2048)
        return tmp_path / "m.gguf"
    if not SMOLLM2.is_file():
        pytest.skip("the built-in model has not been fetched here")
    return SMOLLM2


@pytest.mark.slow
def test_the_server_of_llama_cpp_is_refused_since_it_ignores_echo(gguf, tmp_path):
    xllamacpp = pytest.importorskip("xllamacpp", reason="xllamacpp is not installed")
    settings = xllamacpp.CommonParams()
    settings.model.path = str(gguf)
    settings.n_ctx, settings.port, settings.hostnames = 2048, 0, ["127.0.0.1"]
    settings.n_gpu_layers, settings.cpuparams.n_threads, settings.warmup = 0, 1, False
    server = xllamacpp.Server(settings)

    with pytest.raises(ModelServerError) as refused:
        open_model(server.listening_address, cache=tmp_path, announce=print)

    assert "This is llama.cpp: its server ignores echo" in str(refused.value)
    assert "echo (OpenAI completions): its answer has no echo" in str(refused.value)


@pytest.mark.slow
def test_logits_of_llama_cpp_are_those_of_the_converted_file(tmp_path):
    pytest.importorskip("llama_cpp", reason="llama-cpp-python is not installed")
    if not SMOLLM2.is_file():
        pytest.skip("the built-in model has not been fetched here")
    text = Text("t", "Größe 世界 🎉 and <|im_start|> here, in a sentence of some thirty tokens.\n")
    found = []
    for name in (f"llama-cpp:{SMOLLM2}", "builtin:smollm2"):
        model = open_model(name, cache=default_cache(), announce=print)
        found += score_texts(model, [text], fitted(Plan(), model))

    ours, theirs = found
    assert np.array_equal(ours.end, theirs.end)
    # llama.cpp rounds activations to eight bits where weights are quantised.
    assert np.abs(ours.log_probability - theirs.log_probability).mean() < 0.2
    assert np.abs(ours.mean - theirs.mean).mean() < 0.2


@pytest.mark.slow
def test_a_model_that_foretells_nothing_fails_the_self_test_in_llama_cpp(tmp_path):
    pytest.importorskip("llama_cpp", reason="llama-cpp-python is not installed")
    write_gguf(tmp_path / "m.gguf")

    with pytest.raises(ModelServerError, match="fail the self-test: its numbers are not those"):
        open_model(f"llama-cpp:{tmp_path}/m.gguf", cache=tmp_path, announce=print)


def test_without_a_file_or_the_library_it_is_told(tmp_path, monkeypatch):
    with pytest.raises(ModelFilesError, match="expected a GGUF file, found none"):
        open_model("llama-cpp:nowhere.gguf", cache=tmp_path, announce=print)
    (tmp_path / "m.gguf").write_bytes(b"GGUF")
    monkeypatch.setitem(sys.modules, "llama_cpp", None)
    with pytest.raises(MissingLibraryError, match="pip install llama-cpp-python"):
        open_model(f"llama-cpp:{tmp_path}/m.gguf", cache=tmp_path, announce=print)


def test_a_file_that_does_not_fit_is_told_before_it_is_loaded(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "llama_cpp", SimpleNamespace(Llama=None))
    monkeypatch.setattr("psutil.virtual_memory", lambda: SimpleNamespace(available=1 << 20))
    (tmp_path / "m.gguf").write_bytes(b"GGUF")
    said: list[str] = []

    with pytest.raises(ModelTooLargeError, match=r"1.397 GiB of memory needed, 1 MiB free"):
        open_model(f"llama-cpp:{tmp_path}/m.gguf", cache=tmp_path, announce=said.append)
    assert said == []
