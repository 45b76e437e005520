"""Models of transformers: numbers of the whole softmax, and clear errors before loading."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

from competitions.errors import (
    MleAuditError,
    ModelFilesError,
    ModelTooLargeError,
    ScoringError,
    UsageError,
)
from detectors.familiarity.backend import Plan
from detectors.familiarity.scoring import score_texts
from detectors.familiarity.texts import Text

torch = pytest.importorskip("torch", reason="extra familiarity is not installed")
pytest.importorskip("transformers", reason="extra familiarity is not installed")

WORDS = "the quick brown fox jumps over the lazy dog while Größe 世界 🎉 stay. "
TEXTS = [Text("long", WORDS * 6), Text("short", "fox"), Text("marker", "a <|endoftext|> b")]
SIZES = {
    "vocab_size": 400,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "max_position_embeddings": 64,
    "bos_token_id": 0,
    "eos_token_id": 0,
    "pad_token_id": 0,
}


@pytest.fixture(scope="module", autouse=True)
def one_core():
    """More cost more than they give at this size."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def tokenizer():
    from detectors.familiarity.twin_training import TwinShape, train_tokenizer

    return train_tokenizer(TEXTS, TwinShape(vocabulary=400))


def make(kind, tokenizer, folder):
    """Write a random model of a kind, large enough weights that its distribution is not flat."""
    import transformers

    own = {
        "GPT2": {},
        "Gemma2": {
            "num_key_value_heads": 1,
            "intermediate_size": 64,
            "head_dim": 16,
            "final_logit_softcapping": 3.0,
        },
        "Granite": {"num_key_value_heads": 1, "intermediate_size": 64, "logits_scaling": 4.0},
    }[kind]
    sizes = {**SIZES, **own}
    torch.manual_seed(0)
    model = getattr(transformers, f"{kind}ForCausalLM" if kind != "GPT2" else "GPT2LMHeadModel")(
        getattr(transformers, f"{kind}Config")(**sizes)
    )
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(3)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def folder(tokenizer, tmp_path_factory):
    return make("GPT2", tokenizer, tmp_path_factory.mktemp("gpt2"))


@pytest.fixture(scope="module")
def model(folder):
    from detectors.familiarity.local_model import load_model

    return load_model(str(folder))


def whole_softmax(model, text, plan):
    """Score a text window by window with plain forward passes and float64 sums over all tokens."""
    from detectors.familiarity.windows import cut

    ids, _ = model._encode(text)
    found = np.full((4, len(ids)), np.nan)
    for w in cut(len(ids), plan, has_bos=True):
        line = torch.tensor([[model.identity.bos, *ids[w.begin : w.end]]])
        with torch.inference_mode():
            logits = model.model(input_ids=line).logits[0].double().log_softmax(-1).numpy()
        for token in range(w.first, w.end):
            row = logits[token - w.begin]
            mean = (np.exp(row) * row).sum()
            deviation = np.sqrt((np.exp(row) * (row - mean) ** 2).sum())
            found[:, token] = row[ids[token]], mean, deviation, (row > row[ids[token]]).sum() + 1
    return found


@pytest.mark.parametrize("kind", ["GPT2", "Gemma2", "Granite"])
@pytest.mark.parametrize("separate", [True, False], ids=["head-alone", "whole-model"])
def test_scores_are_those_of_the_whole_softmax(kind, separate, tokenizer, tmp_path, monkeypatch):
    from detectors.familiarity import head
    from detectors.familiarity.local_model import load_model

    monkeypatch.setattr(head, "_HEAD_ELEMENTS", 7 * 400)  # several pieces of the head
    monkeypatch.setattr(head, "_BLOCK_ELEMENTS", 3 * 400)
    model = load_model(str(make(kind, tokenizer, tmp_path)))
    assert model.separate_head
    plan = Plan(window=32, stride=20, batch_tokens=100)

    found = score_texts(dataclasses.replace(model, separate_head=separate), TEXTS, plan)

    for text, scores in zip(TEXTS, found, strict=True):
        expected = whole_softmax(model, text, plan)
        columns = (scores.log_probability, scores.mean, scores.deviation, scores.rank)
        for one, other in zip(columns, expected, strict=True):
            assert one == pytest.approx(other, abs=2e-4), (kind, text.name)


def test_without_statistics_the_log_probabilities_are_the_same(model):
    plan = Plan(window=32, stride=20)

    bare = score_texts(model, TEXTS, dataclasses.replace(plan, statistics=False))

    for one, other in zip(bare, score_texts(model, TEXTS, plan), strict=True):
        assert one.log_probability == pytest.approx(other.log_probability, abs=1e-4)
        assert np.isnan(one.mean).all()


def test_a_text_is_handed_out_before_those_beside_it_are_scored(model):
    texts = [Text(str(n), WORDS) for n in range(6)]
    done: list[int] = []
    plan = Plan(window=32, stride=20, batch_tokens=40)

    found = model.score(texts, plan, done.append)
    next(found)
    n_first = sum(done)
    rest = {index for index, _ in found}

    assert n_first < sum(done) / 2
    assert len(rest) == 5


def test_offsets_cover_the_text_and_names_of_special_tokens_are_text(model):
    for text, scores in zip(
        TEXTS, score_texts(model, TEXTS, Plan(window=64, stride=32)), strict=True
    ):
        assert scores.end[-1] == len(text.content)
        assert scores.n_tokens == model.count(text)
        covered: set[int] = set()
        for start, end in zip(scores.start, scores.end, strict=True):
            covered.update(range(start, end))
        assert covered == set(range(len(text.content)))
    marker = score_texts(model, TEXTS[2:], Plan(window=64, stride=32))[0]
    assert marker.n_tokens > 5


def test_a_window_beyond_the_context_is_refused(model):
    with pytest.raises(UsageError, match="at most 64 tokens"):
        score_texts(model, TEXTS, Plan(window=65, stride=32))


def test_nan_in_the_logits_is_told_with_text_and_token(folder):
    from detectors.familiarity.local_model import load_model

    broken = load_model(str(folder))
    with torch.no_grad():
        next(iter(broken.model.parameters()))[7] = float("nan")

    with pytest.raises(ScoringError, match=r"long: .* gives no number for token \d+"):
        score_texts(broken, TEXTS, Plan(window=32, stride=20))


def test_forbidden_tokens_leave_mean_and_deviation_finite():
    from detectors.familiarity.head import statistics

    logits = torch.tensor([[0.0, 1.0, float("-inf"), 2.0]])

    found = statistics(logits.clone(), torch.tensor([1]), full=True)

    assert found.mean is not None
    assert found.deviation is not None
    p = logits.double().softmax(-1)[0, [0, 1, 3]]
    mean = (p * p.log()).sum()
    assert float(found.mean) == pytest.approx(float(mean), abs=1e-6)
    assert float(found.deviation**2) == pytest.approx(
        float((p * (p.log() - mean) ** 2).sum()), abs=1e-6
    )


def test_equal_files_have_equal_fingerprints_and_other_weights_another(folder, tokenizer, tmp_path):
    from detectors.familiarity.model_files import files_of, fingerprint

    first = fingerprint(files_of(folder))
    assert fingerprint(files_of(make("GPT2", tokenizer, tmp_path / "same"))) == first
    other = fingerprint(files_of(make("Granite", tokenizer, tmp_path / "other")))
    assert other[0] != first[0]
    assert other[1] == first[1]


def test_the_size_is_said_before_loading(folder):
    from detectors.familiarity.local_model import load_model

    said: list[str] = []
    load_model(str(folder), announce=said.append)

    assert len(said) == 1
    assert "million parameters as float32" in said[0]


def break_folder(folder, how):
    weights = folder / "model.safetensors"
    if how == "no-config":
        (folder / "config.json").unlink()
    elif how == "no-tokenizer":
        for path in folder.glob("tokenizer*"):
            path.unlink()
    elif how == "pickle":
        weights.rename(folder / "pytorch_model.bin")
    elif how == "no-weights":
        weights.unlink()
    elif how == "cut-off":
        weights.write_bytes(weights.read_bytes()[:-1000])
    elif how == "no-safetensors":
        weights.write_bytes(b"nothing of the kind")
    elif how == "layers-missing":
        config = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps({**config, "n_layer": 3}))
    elif how == "unknown-kind":
        (folder / "config.json").write_text('{"model_type": "nobody-knows"}')
    else:
        _claim_parameters(weights, 1 << 40)


def _claim_parameters(path, count):
    """Write a sparse file whose head tells of more parameters than any memory holds."""
    head = {"w": {"dtype": "I8", "shape": [count], "data_offsets": [0, 1]}}
    text = json.dumps(head).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + b"\0")


@pytest.mark.parametrize(
    ("how", "error", "said"),
    [
        pytest.param("no-config", ModelFilesError, "found no config.json", id="no-config"),
        pytest.param("no-tokenizer", ModelFilesError, "the model's tokenizer", id="no-tokenizer"),
        pytest.param("pickle", ModelFilesError, "pickle files, which run code", id="pickle"),
        pytest.param("no-weights", ModelFilesError, "found none", id="no-weights"),
        pytest.param("cut-off", ModelFilesError, "a whole safetensors file", id="cut-off"),
        pytest.param("no-safetensors", ModelFilesError, "a whole safetensors", id="another-kind"),
        pytest.param(
            "layers-missing", ModelFilesError, "expected all weights", id="layers-missing"
        ),
        pytest.param("unknown-kind", ModelFilesError, "nobody-knows", id="unknown-kind"),
        pytest.param("too-large", ModelTooLargeError, "TiB of memory needed", id="too-large"),
    ],
)
def test_a_model_that_cannot_be_used_is_told_before_it_is_loaded(
    how, error, said, folder, tmp_path
):
    import shutil

    from detectors.familiarity.local_model import load_model

    shutil.copytree(folder, tmp_path / "m")
    break_folder(tmp_path / "m", how)

    with pytest.raises(error, match=said):
        load_model(str(tmp_path / "m"))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        pytest.param("./nowhere", "found nothing there", id="path"),
        pytest.param("model.gguf", "found nothing there", id="gguf"),
        pytest.param("two words", "a hub name", id="no-hub-name"),
    ],
)
def test_a_name_that_is_nothing_is_told(name, said, tmp_path):
    from detectors.familiarity.local_model import load_model

    with pytest.raises(MleAuditError, match=said):
        load_model(name, cache=tmp_path)


def test_a_file_that_is_no_gguf_is_told(tmp_path):
    from detectors.familiarity.local_model import load_model

    (tmp_path / "m.gguf").write_bytes(b"no such thing")

    with pytest.raises(ModelFilesError, match="a model's folder or a GGUF file"):
        load_model(str(tmp_path / "m.gguf"), cache=tmp_path)


def test_an_unknown_type_is_told(folder):
    from detectors.familiarity.local_model import load_model

    with pytest.raises(ModelFilesError, match="a type such as float32"):
        load_model(str(folder), dtype="float33")
