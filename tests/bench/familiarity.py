"""``make bench-familiarity``: speed and memory of token scores. Run by hand, on quiet cores.

Each ratio is of CPU seconds of the same process and the same windows. The peer is lm-eval in an
environment of its own, named by its interpreter; its sums are compared with ours as well.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from competitions.describe import describe
from competitions.spec import catalog_ids, load
from detectors.familiarity.backend import Plan
from detectors.familiarity.cache import default_cache
from detectors.familiarity.local_model import BUILTIN, LocalModel, load_model
from detectors.familiarity.scoring import score_texts
from detectors.familiarity.texts import Text
from detectors.familiarity.twin_training import one_thread
from detectors.familiarity.windows import batched, cut
from tests.bench.__main__ import Line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

N_DESCRIPTIONS, N_TOKENS = 82, 200_000  # of official length, all together
SAMPLE = 10_000  # tokens that the whole is extrapolated from
BARE, FULL, PEER, ONE_BY_ONE = 0.92, 0.80, 1.3, 200.0
SUMS = 0.01  # nats
MEMORY, VOCABULARY = 1.5e9, 262_144
MINUTES = 12.0
REPEATS = 3
POSITIONS = 4  # that are asked for one by one
# Scores the texts of the first line once for each further line; tells CPU seconds and sums.
_LM_EVAL = """
import json, sys, time
import torch
from lm_eval.api.instance import Instance
from lm_eval.models.huggingface import HFLM

torch.set_num_threads(int(sys.argv[2]))
model = HFLM(pretrained=sys.argv[1], dtype="float32", device="cpu", batch_size=1)
texts = json.loads(sys.stdin.readline())
asked = [Instance("loglikelihood_rolling", {}, (t,), i) for i, t in enumerate(texts)]
for _ in sys.stdin:
    started = time.process_time()
    sums = model.loglikelihood_rolling(asked, disable_tqdm=True)
    print(json.dumps([time.process_time() - started, list(map(float, sums))]), flush=True)
"""
# Scores texts with a small random model of a large vocabulary; tells its weights and its peak.
_LARGE = """
import json, sys
import torch
from transformers import GPT2Config, GPT2LMHeadModel

from detectors.familiarity.backend import Identity, Plan
from detectors.familiarity.local_model import wrap
from detectors.familiarity.scoring import score_texts
from detectors.familiarity.texts import Text
from detectors.familiarity.twin_training import TwinShape, train_tokenizer

def kilobytes(name):
    return int(open("/proc/self/status").read().split(name + ":")[1].split()[0])

contents, size = json.load(sys.stdin), int(sys.argv[1])
texts = [Text(str(i), content) for i, content in enumerate(contents)]
tokenizer = train_tokenizer(texts, TwinShape())
sizes = {"n_positions": 1024, "n_embd": 256, "n_layer": 4, "n_head": 4}
model = GPT2LMHeadModel(GPT2Config(vocab_size=size, bos_token_id=0, eos_token_id=0, **sizes))
weights = sum(p.numel() * p.element_size() for p in model.parameters())
before = kilobytes("VmRSS")
backend = wrap(model, tokenizer, Identity("large", "", "", "float32", tokenizer.bos_token_id))
scores = score_texts(backend, texts, Plan())
n_tokens = sum(s.n_tokens for s in scores)
json.dump({"weights": weights, "loaded": 1024 * before, "peak": 1024 * kilobytes("VmHWM"),
           "tokens": n_tokens, "separate": backend.separate_head}, sys.stdout)
"""


class Measured(NamedTuple):
    """Lines of the table, and whether each target was met."""

    lines: list[Line]
    met: list[bool]


def spent(work: Callable[[], object]) -> float:
    """Return the CPU seconds of one call, of all threads."""
    started = time.process_time()
    work()
    return time.process_time() - started


def in_turn(works: Sequence[Callable[[], object]], repeats: int) -> list[float]:
    """Time several works one after another, again and again; return the median of each."""
    for work in works:
        work()
    rounds = [[spent(work) for work in works] for _ in range(repeats)]
    return [statistics.median(found) for found in zip(*rounds, strict=True)]


def descriptions(model: LocalModel, n_tokens: int) -> Iterator[Text]:
    """Yield texts of so many tokens each, put together from our own descriptions."""
    words = "\n".join(describe(load(name)) for name in catalog_ids())
    ids, offsets = model._encode(Text("all", words))
    for start in range(0, len(ids) - n_tokens, n_tokens):
        first, last = offsets[start][0], offsets[start + n_tokens - 1][1]
        yield Text(f"part {start}", words[first:last])


def forward_lines(model: LocalModel, texts: Sequence[Text]) -> Measured:
    """Compare with a plain forward pass over equal batches."""
    plan = Plan()

    def scored(*, statistics: bool) -> Callable[[], object]:
        return lambda: score_texts(model, texts, Plan(statistics=statistics))

    times = in_turn(
        [_plain(model, texts, plan), scored(statistics=False), scored(statistics=True)], REPEATS
    )
    n_tokens = sum(map(model.count, texts))
    plain, lines, met = times[0], [], []
    for what, seconds, target in zip(
        ("log-probabilities only", "all statistics"), times[1:], (BARE, FULL), strict=True
    ):
        lines.append(
            Line(
                f"{what}, {len(texts)} texts in one window each",
                f"{n_tokens / seconds:.0f} tokens/cpu-s",
                f"plain forward pass: {n_tokens / plain:.0f}",
                f"{plain / seconds:.3f}",
                f"≥ {target}",
            )
        )
        met.append(plain / seconds >= target)
    return Measured(lines, met)


def _plain(model: LocalModel, texts: Sequence[Text], plan: Plan) -> Callable[[], object]:
    """Make the forward pass over our batches with all logits, that nothing is done with."""
    import torch

    encoded = [[model.identity.bos or 0, *model._encode(t)[0]] for t in texts]
    windows = [
        w for i, ids in enumerate(encoded) for w in cut(len(ids) - 1, plan, has_bos=True, text=i)
    ]
    batches = []
    for batch in batched(windows, plan.batch_tokens):
        lines = [torch.tensor(encoded[w.text][: w.length + 1]) for w in batch]
        batches.append(torch.nn.utils.rnn.pad_sequence(lines, batch_first=True))

    def run() -> None:
        with torch.inference_mode():
            for ids in batches:
                model.model(input_ids=ids, use_cache=False)

    return run


def one_by_one_lines(model: LocalModel, text: Text) -> Measured:
    """Compare with a call for each position, as MLE-bench's script asks, at evenly spaced ones."""
    import torch

    ids = torch.tensor([[model.identity.bos or 0, *model._encode(text)[0]]])
    places = [round((i + 0.5) * (ids.shape[1] - 1) / POSITIONS) for i in range(POSITIONS)]

    def asked() -> None:
        with torch.inference_mode():
            for place in places:
                logits = model.model(input_ids=ids[:, : place + 1], use_cache=False).logits
                logits[0, -1].log_softmax(-1).topk(10)

    ours, theirs = in_turn(
        [lambda: score_texts(model, [text], Plan(statistics=False)), asked], REPEATS
    )
    mine, other = model.count(text) / ours, POSITIONS / theirs
    line = Line(
        f"one text of {model.count(text)} tokens",
        f"{mine:.0f} tokens/cpu-s",
        f"one call a position: {other:.2f}",
        f"{mine / other:.0f}",
        f"≥ {ONE_BY_ONE:.0f}",
    )
    return Measured([line], [mine / other >= ONE_BY_ONE])


def peer_lines(model: LocalModel, texts: Sequence[Text], python: str, folder: Path) -> Measured:
    """Compare with lm-eval's rolling log-likelihood, in turn: seconds, and sums of each text."""
    import torch

    call = [python, "-c", _LM_EVAL, str(folder), str(torch.get_num_threads())]
    ours, theirs, sums = [], [], []
    with subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as peer:
        if peer.stdin is None or peer.stdout is None:
            raise RuntimeError("no pipes")
        peer.stdin.write(json.dumps([t.content for t in texts]) + "\n")
        for _ in range(1 + REPEATS):
            peer.stdin.write("again\n")
            peer.stdin.flush()
            seconds, sums = json.loads(peer.stdout.readline())
            theirs.append(seconds)
            ours.append(spent(lambda: score_texts(model, texts, Plan(statistics=False))))
        peer.stdin.close()
    scores = score_texts(model, texts, Plan(statistics=False))
    off = max(abs(s.log_probability.sum() - b) for s, b in zip(scores, sums, strict=True))
    mine, other = statistics.median(ours[1:]), statistics.median(theirs[1:])
    line = Line(
        f"{len(texts)} texts against lm-eval; sums differ by {off:.4f} at most",
        f"{mine:.2f} cpu-s",
        f"loglikelihood_rolling: {other:.2f}",
        f"{other / mine:.2f}",
        f"≥ {PEER}, sums to 0.01",
    )
    return Measured([line], [bool(other / mine >= PEER and off <= SUMS)])


def memory_lines(contents: Sequence[str]) -> Measured:
    """Measure the peak of a process that scores with a vocabulary of 262,144."""
    call = [sys.executable, "-c", _LARGE, str(VOCABULARY)]
    done = subprocess.run(
        call, input=json.dumps(contents), capture_output=True, text=True, check=True
    )
    told = json.loads(done.stdout.splitlines()[-1])
    beside = told["peak"] - told["weights"]
    line = Line(
        f"peak at a vocabulary of {VOCABULARY:,}, {told['tokens']:,} tokens",
        f"{told['peak'] / 1e9:.2f} GB",
        f"weights: {told['weights'] / 1e9:.2f} GB, before scoring {told['loaded'] / 1e9:.2f} GB",
        f"+ {beside / 1e9:.2f} GB",
        f"≤ {MEMORY / 1e9:.1f} GB more",
    )
    return Measured([line], [beside <= MEMORY])


def whole_lines(model: LocalModel) -> Measured:
    """Extrapolate the time of the descriptions of all tasks from a twentieth of them."""
    length = N_TOKENS // N_DESCRIPTIONS
    texts = list(descriptions(model, length))[: SAMPLE // length]
    wall, cpu = time.perf_counter(), time.process_time()
    scores = score_texts(model, texts, Plan())
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    share = N_TOKENS / sum(s.n_tokens for s in scores)
    line = Line(
        f"{N_DESCRIPTIONS} descriptions, {N_TOKENS:,} tokens, from {len(texts)}",
        f"{wall * share / 60:.1f} min",
        f"{cpu * share / 60:.1f} cpu-min",
        "",
        f"≤ {MINUTES:.0f} min",
    )
    return Measured([line], [wall * share <= 60 * MINUTES])


def parts(peer: str | None, cache: Path) -> Iterator[Measured]:
    """Yield what is measured, one thing after another."""
    import torch

    model = load_model(BUILTIN, cache=cache)
    with one_thread():  # threads that wait for one another count as busy
        texts = list(descriptions(model, 560))[:4]
        yield forward_lines(model, texts)
        yield one_by_one_lines(model, texts[0])
        if peer:
            folder = next(iter(sorted((cache / "models").glob("*/config.json")))).parent
            yield peer_lines(model, texts, peer, folder)
    yield memory_lines([t.content for t in descriptions(model, 2000)][:2])
    yield Measured([Line("threads", str(torch.get_num_threads()))], [])
    yield whole_lines(model)


def main() -> int:
    """Print a line as it is measured; end with 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", help="interpreter of an environment with lm-eval")
    parser.add_argument("--cache", type=Path, default=default_cache())
    asked = parser.parse_args()
    sys.stdout.write(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}\n")
    all_met = True
    for part in parts(asked.peer, asked.cache):
        for line in part.lines:
            sys.stdout.write(" | ".join(filter(None, line)) + "\n")
            sys.stdout.flush()
        all_met &= all(part.met)
    return int(not all_met)


if __name__ == "__main__":
    sys.exit(main())
