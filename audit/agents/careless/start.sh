#!/bin/bash
set -euo pipefail
exec python "$AGENT_DIR/main.py" "$@"
