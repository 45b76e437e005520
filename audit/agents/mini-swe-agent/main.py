"""Runs mini-swe-agent in the place, time and with the model that mle-audit gives it."""

import os
import sys
from pathlib import Path

import yaml
from minisweagent.agents.default import DefaultAgent
from minisweagent.environments.local import LocalEnvironment
from minisweagent.models import get_model

LAST_S = 30  # of the time limit, to end by itself
LONGEST_COMMAND_S = 3600
# Not for its commands: they may not ask the model for predictions.
MODEL_VARIABLES = (
    *("OPENAI_BASE_URL", "OPENAI_API_BASE", "OPENAI_API_KEY"),
    *("ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"),
)


class Recorded(DefaultAgent):
    """Keeps each command as code before it runs: what was typed at a shell is in no other file."""

    def execute_actions(self, message: dict) -> list[dict]:
        with open(Path(os.environ["CODE_DIR"], "commands.sh"), "a", encoding="utf-8") as stream:
            for action in message.get("extra", {}).get("actions", []):
                stream.write(f"# step {self.n_calls}\n{action.get('command', '')}\n\n")
        return super().execute_actions(message)


def main() -> None:
    options = dict(word.split("=", 1) for word in sys.argv[1:])
    if "OPENAI_BASE_URL" not in os.environ:
        sys.exit("No model can be reached: name one with --model-endpoint.")
    config = yaml.safe_load(Path(__file__).with_name("config.yaml").read_text(encoding="utf-8"))
    limit = int(os.environ["TIME_LIMIT_SECS"])
    kwargs = {"drop_params": True, "seed": int(os.environ["SEED"]), "timeout": limit}
    model = get_model(options["model"], {**config["model"], "model_kwargs": kwargs})
    environment = LocalEnvironment(
        cwd=os.environ["CODE_DIR"],
        env={"PAGER": "cat", "TQDM_DISABLE": "1"} | dict.fromkeys(MODEL_VARIABLES, ""),
        timeout=max(10, min(LONGEST_COMMAND_S, limit - LAST_S)),
    )
    agent = Recorded(
        model,
        environment,
        **config["agent"],
        step_limit=int(options["steps"]),
        wall_time_limit_seconds=max(1, limit - LAST_S),
        output_path=Path(os.environ["LOGS_DIR"], "mini-swe-agent.traj.json"),
    )
    ended = agent.run(Path(os.environ["INSTRUCTIONS"]).read_text(encoding="utf-8") + description())
    print(f"mini-swe-agent ended: {ended.get('exit_status')}; {agent.n_calls} calls of its model")


def description() -> str:
    """The task in full, where it has a description."""
    path = Path(os.environ["DATA_DIR"], "description.md")
    return "\n\n" + path.read_text(encoding="utf-8") if path.is_file() else ""


if __name__ == "__main__":
    main()
