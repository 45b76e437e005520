"""Compare all pairs of a folder of files with the product, in a process of its own.

``python -m tests.quality.plagiarism.peers.run_ours FOLDER``; prints seconds and peak memory as one
JSON line, reading and parsing included.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
import time
from pathlib import Path


def main() -> None:
    """Index the files, then ask the index about each."""
    started = time.perf_counter()
    from detectors.plagiarism.corpus.build import build
    from detectors.plagiarism.corpus.index import Corpus
    from detectors.plagiarism.fingerprints import fingerprint

    n_pairs = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "corpus"
        build([Path(sys.argv[1])], folder, competition="all")
        corpus = Corpus.open(folder)
        for number in range(corpus.n_documents):
            document = corpus.document(number)
            n_pairs += len(corpus.shared(fingerprint(document.code).kept, "all").documents) - 1
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    peak = re.search(r"VmHWM:\s+(\d+)", status)
    assert peak is not None
    answer = {
        "results": [n_pairs // 2],
        "seconds": time.perf_counter() - started,
        "peak": int(peak[1]) * 1024,
    }
    sys.stdout.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    main()
