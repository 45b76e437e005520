"""Compare all pairs of a folder of files with the product, in a process of its own.

``python -m tests.quality.plagiarism.peers.run_ours FOLDER``; prints seconds and peak memory as one
JSON line, reading and parsing included.
"""

from __future__ import annotations

import json
import re
import sys
import time
from pathlib import Path


def main() -> None:
    """Read and hash the files, and share out what each pair holds."""
    started = time.perf_counter()
    import numpy as np

    from detectors.plagiarism.between import Between
    from detectors.plagiarism.documents import Document, read_documents
    from detectors.plagiarism.fingerprints import fingerprint

    found = (d for d in read_documents(Path(sys.argv[1])) if isinstance(d, Document))
    hashes = [fingerprint(d.code, d.language).kept for d in found]
    among = Between(hashes, range(len(hashes)), np.empty(0, np.uint64))
    n_pairs = sum(1 for _ in among.pairs())
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    peak = re.search(r"VmHWM:\s+(\d+)", status)
    assert peak is not None
    answer = {
        "results": [n_pairs],
        "seconds": time.perf_counter() - started,
        "peak": int(peak[1]) * 1024,
    }
    sys.stdout.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    main()
