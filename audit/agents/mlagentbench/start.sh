#!/bin/bash
# MLAgentBench wants tasks below its own folder, which it writes to: it works in a copy.
set -euo pipefail
for word in "$@"; do declare "${word%%=*}=${word#*=}"; done
cp "$AGENT_DIR/start.sh" "$CODE_DIR/"
if [[ ! -d "$AGENT_DIR/MLAgentBench/MLAgentBench" ]]; then
    echo "Expected a checkout of MLAgentBench in $AGENT_DIR/MLAgentBench."
    exit 2
fi
export HOME=/tmp/home
# It counts tokens with tiktoken, which would download cl100k_base: lay the file there beforehand.
export TIKTOKEN_CACHE_DIR="$AGENT_DIR/tiktoken"
work=/tmp/bench
mkdir -p "$HOME" "$work"
cp -r "$AGENT_DIR/MLAgentBench/." "$work"
task="$work/MLAgentBench/benchmarks/mle_audit"
mkdir -p "$task/env" "$task/scripts"
cp -r "$DATA_DIR/." "$task/env/"
cat "$INSTRUCTIONS" > "$task/scripts/research_problem.txt"
echo "Write submission.csv into your working folder; from there it is handed in for you." \
    >> "$task/scripts/research_problem.txt"
echo '*.csv' > "$task/scripts/read_only_files.txt"
cd "$work"
echo "none:$OPENAI_API_KEY" > openai_api_key.txt
finish() {
    local place
    for place in /tmp/workspace/mle_audit /tmp/workspace/mle_audit/env; do
        [[ ! -f $place/submission.csv ]] || cp "$place/submission.csv" "$SUBMISSION_DIR/"
        [[ ! -d $place ]] || find "$place" -maxdepth 1 -name '*.py' -exec cp -t "$CODE_DIR" {} +
    done
}
trap finish EXIT
timeout --signal=INT "$((TIME_LIMIT_SECS > 60 ? TIME_LIMIT_SECS - 30 : TIME_LIMIT_SECS))" \
    python -u -m MLAgentBench.runner --python "$(command -v python)" --task mle_audit --device 0 \
    --log-dir "$LOGS_DIR" --work-dir /tmp/workspace --agent-type ResearchAgent \
    --llm-name "$model" --edit-script-llm-name "$model" --fast-llm-name "$model" \
    --max-steps "$steps" --max-time "$TIME_LIMIT_SECS"
