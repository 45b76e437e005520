"""``python -m tests.tamper.probes TARGETS [CLASS]``."""

from __future__ import annotations

import sys

from tests.tamper.probes.inside import main

main(*sys.argv[1:])
