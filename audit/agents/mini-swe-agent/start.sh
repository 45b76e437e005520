#!/bin/bash
set -euo pipefail
cp "$AGENT_DIR/start.sh" "$AGENT_DIR/main.py" "$AGENT_DIR/config.yaml" "$CODE_DIR/"
exec python "$AGENT_DIR/main.py" "$@"
