"""``make bench-familiarity``: speed and memory of token scores. Run by hand, on quiet cores.

Each ratio is of CPU seconds over the same windows, measured in turn. The peer is lm-eval in an
environment of its own, named by its interpreter; its sums are compared with ours as well, and a
profile says where our time goes. The descriptions of all tasks are scored as a whole where they
are named, and else extrapolated.
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
from detectors.familiarity.texts import Text, read_text
from detectors.familiarity.twin_training import one_thread
from detectors.familiarity.windows import batched, cut
from tests.bench.__main__ import Line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from detectors.familiarity.tokens import TokenScores

N_DESCRIPTIONS, N_TOKENS = 82, 200_000  # of official length, all together
SAMPLE = 10_000  # tokens that the whole is extrapolated from
BARE, FULL, PEER, ONE_BY_ONE = 0.92, 0.80, 1.3, 200.0
SUMS = 0.01  # nats
MEMORY, VOCABULARY = 1.5e9, 262_144
MINUTES = 12.0
REPEATS = 3
POSITIONS = 4  # that are asked for one by one
PARTS = ("forward", "peer", "memory", "whole")
_KINDS = {"aten::mm": "matrix products", "aten::addmm": "matrix products"}
_ATTENTION = "aten::_scaled_dot_product"
# Scores the texts of the first line once for each further line; tells CPU, wall and sums.
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
    cpu, wall = time.process_time(), time.perf_counter()
    sums = model.loglikelihood_rolling(asked, disable_tqdm=True)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    print(json.dumps([cpu, wall, list(map(float, sums))]), flush=True)
"""
# Scores texts with a small random model of a large vocabulary; tells its weights and its peak.
_LARGE = """
import json, sys
import torch
from transformers import GPT2Config, GPT2LMHeadModel

from detectors.familiarity.backend import Identity, Plan
from detectors.familiarity.local_model import wrap
from detectors.familiarity.scoring import score_texts
from detectors.familiarity.texts import Text, read_text
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


class Spent(NamedTuple):
    """Seconds of one call, or medians of several."""

    cpu: float
    wall: float


def peer_lines(model: LocalModel, texts: Sequence[Text], python: str, folder: Path) -> Measured:
    """Compare with lm-eval's rolling log-likelihood, in turn: seconds, and sums of each text.

    The peer takes texts one at a time, whole where the model's context has room for them; so do we.
    """
    import torch

    longest = max(map(model.count, texts)) + 1
    plan = Plan(window=max(Plan().window, longest), statistics=False)
    call = [python, "-c", _LM_EVAL, str(folder), str(torch.get_num_threads())]
    ours: list[Spent] = []
    theirs: list[Spent] = []
    scores: list[TokenScores] = []
    sums: list[float] = []
    with subprocess.Popen(
        call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as peer:
        if peer.stdin is None or peer.stdout is None:
            raise RuntimeError("no pipes")
        peer.stdin.write(json.dumps([t.content for t in texts]) + "\n")
        for _ in range(1 + REPEATS):
            peer.stdin.write("again\n")
            peer.stdin.flush()
            cpu, wall, sums = json.loads(peer.stdout.readline())
            theirs.append(Spent(cpu, wall))
            cpu, wall = time.process_time(), time.perf_counter()
            scores = score_texts(model, texts, plan)
            ours.append(Spent(time.process_time() - cpu, time.perf_counter() - wall))
        peer.stdin.close()
    off = max(abs(s.log_probability.sum() - b) for s, b in zip(scores, sums, strict=True))
    mine, other = _median(ours[1:]), _median(theirs[1:])
    each = ", ".join(f"{b.cpu / a.cpu:.2f}" for a, b in zip(ours[1:], theirs[1:], strict=True))
    line = Line(
        f"{len(texts)} texts of {longest - 1} tokens at most, sums differ by {off:.4f}",
        f"{mine.cpu:.2f} cpu-s, {mine.wall:.2f} s",
        f"lm-eval's loglikelihood_rolling: {other.cpu:.2f} cpu-s, {other.wall:.2f} s",
        f"{other.cpu / mine.cpu:.2f} (in turn: {each})",
        f"≥ {PEER}, sums to 0.01",
    )
    return Measured([line], [bool(other.cpu / mine.cpu >= PEER and off <= SUMS)])


def _median(rounds: Sequence[Spent]) -> Spent:
    return Spent(*(statistics.median(column) for column in zip(*rounds, strict=True)))


def profile_line(model: LocalModel, texts: Sequence[Text]) -> Line:
    """Say where the time of scoring goes: nothing but what is no product can be saved."""
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CPU]) as seen:
        score_texts(model, texts, Plan(statistics=False))
    parts: dict[str, float] = {}
    for one in seen.key_averages():
        kind = "attention" if one.key.startswith(_ATTENTION) else _KINDS.get(one.key, "the rest")
        parts[kind] = parts.get(kind, 0.0) + one.self_cpu_time_total
    total = sum(parts.values())
    shares = ", ".join(
        f"{k} {v / total:.0%}" for k, v in sorted(parts.items(), key=lambda i: -i[1])
    )
    return Line("where the time of log-probabilities goes", shares)


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


def sample_lines(model: LocalModel) -> Measured:
    """Extrapolate the time of the descriptions of all tasks from a twentieth of them."""
    length = N_TOKENS // N_DESCRIPTIONS
    texts = list(descriptions(model, length))[: SAMPLE // length]
    wall, cpu = time.perf_counter(), time.process_time()
    scores = score_texts(model, texts, Plan())
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    share = N_TOKENS / sum(s.n_tokens for s in scores)
    line = Line(
        f"{N_DESCRIPTIONS} descriptions, {N_TOKENS:,} tokens, extrapolated from {len(texts)}",
        f"{wall * share / 60:.1f} min",
        f"{cpu * share / 60:.1f} cpu-min",
        "",
        f"≤ {MINUTES:.0f} min",
    )
    return Measured([line], [wall * share <= 60 * MINUTES])


def whole_lines(model: LocalModel, folder: Path) -> Measured:
    """Score every description of a checkout of MLE-bench, and tell how busy the machine was."""
    paths = sorted(folder.glob("mlebench/competitions/*/description.md"))
    if not paths:
        raise SystemExit(f"{folder}: expected a checkout of MLE-bench with descriptions.")
    texts, loads = [read_text(path) for path in paths], [os.getloadavg()[0]]
    wall, cpu = time.perf_counter(), time.process_time()
    scores = score_texts(model, texts, Plan(), progress=lambda _: loads.append(os.getloadavg()[0]))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    n_tokens = sum(s.n_tokens for s in scores)
    line = Line(
        f"{len(texts)} official descriptions, {n_tokens:,} tokens, all statistics",
        f"{wall / 60:.1f} min, {cpu / 60:.1f} cpu-min",
        f"load while it ran: {min(loads):.1f} to {max(loads):.1f}",
        f"{n_tokens / cpu:.0f} tokens/cpu-s",
        f"≤ {MINUTES:.0f} min",
    )
    return Measured([line], [wall <= 60 * MINUTES])


def parts(asked: argparse.Namespace) -> Iterator[Measured]:
    """Yield what is measured, one thing after another."""
    import torch

    model = load_model(BUILTIN, cache=asked.cache)
    with one_thread():  # threads that wait for one another count as busy
        texts = list(descriptions(model, 560))[:4]
        if "forward" in asked.only:
            yield forward_lines(model, texts)
            yield one_by_one_lines(model, texts[0])
        if asked.peer and "peer" in asked.only:
            folder = next(iter(sorted((asked.cache / "models").glob("*/config.json")))).parent
            yield peer_lines(model, texts[:2], asked.peer, folder)
            yield Measured([profile_line(model, texts[:2])], [])
            official = list(descriptions(model, N_TOKENS // N_DESCRIPTIONS))[:1]
            yield peer_lines(model, official, asked.peer, folder)
    if "memory" in asked.only:
        yield memory_lines([t.content for t in descriptions(model, 2000)][:2])
    if "whole" in asked.only:
        yield Measured([Line("threads", str(torch.get_num_threads()))], [])
        yield whole_lines(model, asked.descriptions) if asked.descriptions else sample_lines(model)


def main() -> int:
    """Print a line as it is measured; end with 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", help="interpreter of an environment with lm-eval")
    parser.add_argument("--descriptions", type=Path, help="checkout of MLE-bench, scored whole")
    parser.add_argument("--only", type=lambda v: v.split(","), default=PARTS, help=",".join(PARTS))
    parser.add_argument("--cache", type=Path, default=default_cache())
    asked = parser.parse_args()
    sys.stdout.write(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}\n")
    all_met = True
    for part in parts(asked):
        for line in part.lines:
            sys.stdout.write(" | ".join(filter(None, line)) + "\n")
            sys.stdout.flush()
        all_met &= all(part.met)
    return int(not all_met)


if __name__ == "__main__":
    sys.exit(main())
