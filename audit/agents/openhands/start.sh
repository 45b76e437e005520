#!/bin/bash
# OpenHands' headless mode: the agent and its tools run in this one container (RUNTIME=local), since
# a runtime of its own would need the engine's socket, with which it could do anything.
set -euo pipefail
for word in "$@"; do declare "${word%%=*}=${word#*=}"; done
cp "$AGENT_DIR/start.sh" "$CODE_DIR/"
export HOME=/tmp/home RUNTIME=local RUN_AS_OPENHANDS=false
mkdir -p "$HOME"
export LLM_MODEL="$model" LLM_BASE_URL="$OPENAI_BASE_URL" LLM_API_KEY="$OPENAI_API_KEY"
export LITELLM_LOCAL_MODEL_COST_MAP=True
export SAVE_TRAJECTORY_PATH="$LOGS_DIR/trajectory.json"
export AGENT_ENABLE_BROWSING=false LOG_ALL_EVENTS=true
task=/tmp/task.md
cat "$INSTRUCTIONS" "$DATA_DIR/description.md" > "$task" 2>/dev/null || cat "$INSTRUCTIONS" > "$task"
cd /app
exec timeout --signal=INT "$((TIME_LIMIT_SECS > 60 ? TIME_LIMIT_SECS - 30 : TIME_LIMIT_SECS))" \
    python -m openhands.core.main -f "$task" -d "$CODE_DIR" -i "$steps"
