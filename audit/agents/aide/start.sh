#!/bin/bash
set -euo pipefail
cp "$AGENT_DIR/start.sh" "$AGENT_DIR/main.py" "$CODE_DIR/"
exec python "$AGENT_DIR/main.py" "$@"
