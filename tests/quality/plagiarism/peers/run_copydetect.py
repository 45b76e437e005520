"""Run copydetect over groups of files; its own environment's Python runs this file.

A job on standard input, one JSON line on standard output, as ``dolos.mjs`` has them.
"""

import json
import re
import sys
import time
from pathlib import Path

from copydetect import CodeFingerprint, CopyDetector, compare_files  # type: ignore[import-not-found]
from copydetect.defaults import (  # type: ignore[import-not-found]
    GUARANTEE_THRESHOLD,
    NOISE_THRESHOLD,
)


def of_pairs(files, pairs):
    """Compare some pairs with the default settings."""
    window = GUARANTEE_THRESHOLD - NOISE_THRESHOLD + 1
    prints = [CodeFingerprint(f, NOISE_THRESHOLD, window) for f in files]
    found = []
    for i, j in pairs:
        _, (of_source, of_copy), _ = compare_files(prints[i], prints[j])
        found.append(
            {
                "larger share": float(max(of_source, of_copy)),
                "share of source": float(of_source),
                "share of copy": float(of_copy),
            }
        )
    return found


def all_pairs(files):
    """Compare all files of a list as its users do."""
    detector = CopyDetector(silent=True, autoopen=False, extensions=["py"])
    for file in files:
        detector.add_file(file)
    detector.run()
    return len(files) * (len(files) - 1) // 2


def main():
    started = time.perf_counter()
    job = json.load(sys.stdin)
    results = [
        all_pairs(g["files"]) if g["pairs"] is None else of_pairs(g["files"], g["pairs"])
        for g in job["groups"]
    ]
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    peak = int(re.search(r"VmHWM:\s+(\d+)", status)[1]) * 1024  # type: ignore[index]
    seconds = time.perf_counter() - started
    sys.stdout.write(json.dumps({"results": results, "seconds": seconds, "peak": peak}) + "\n")


if __name__ == "__main__":
    main()
