set -a; . ./.env.agent
agent run --task "$COMPETITION_ID" --append-to-prompt "$EXTRA_CONTEXT" --max-steps $MAX_STEPS
