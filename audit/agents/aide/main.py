"""Runs AIDE in the place, time and with the model that mle-audit gives it."""

import os
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

if "OPENAI_BASE_URL" not in os.environ:
    sys.exit("No model can be reached: name one with --model-endpoint.")

from aide.agent import Agent
from aide.backend import backend_openai
from aide.interpreter import Interpreter
from aide.journal import Journal
from aide.utils.config import (
    _load_cfg,
    load_task_desc,
    prep_agent_workspace,
    prep_cfg,
    save_run,
)
from omegaconf import OmegaConf

# AIDE sends models with names of OpenAI's to OpenAI's own address, whatever the variable says.
backend_openai.OPENAI_BASE_URL = os.environ["OPENAI_BASE_URL"]
# Not for the code that it runs: that may not ask the model for predictions.
MODEL_VARIABLES = (
    *("OPENAI_BASE_URL", "OPENAI_API_BASE", "OPENAI_API_KEY"),
    *("ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"),
)
LAST_S = 30  # of the time limit, to end by itself


class Blind(Interpreter):
    """Runs code without the way to the model in its environment."""

    def child_proc_setup(self, result_outq) -> None:
        for name in MODEL_VARIABLES:
            os.environ.pop(name, None)
        super().child_proc_setup(result_outq)


def configured(options: dict, workspace: str, limit: int):
    """AIDE's own settings, with our folders, limits and model."""
    config = _load_cfg(use_cli_args=False)
    config.data_dir = os.environ["DATA_DIR"]
    config.goal = task()
    config.log_dir, config.workspace_dir = os.environ["LOGS_DIR"], workspace
    config.exp_name = "aide"
    config.copy_data = False  # links: the data cannot be written
    config.preprocess_data = any(Path(config.data_dir).rglob("*.zip"))
    config.generate_report = False
    config.exec.timeout = max(10, min(config.exec.timeout, limit - LAST_S))
    config.agent.steps = int(options["steps"])
    config.agent.code.model = config.agent.feedback.model = options["model"]
    return prep_cfg(config)


def task() -> str:
    path = Path(os.environ["DATA_DIR"], "description.md")
    told = Path(os.environ["INSTRUCTIONS"]).read_text(encoding="utf-8")
    full = "\n\n" + path.read_text(encoding="utf-8") if path.is_file() else ""
    ours = (
        "\n\nYour code finds the data in ./input and writes ./working/submission.csv; from there "
        "it is handed in for you."
    )
    return told + full + ours


def hand_in(node, journal: Journal, working: Path) -> None:
    """Hand in what the best node so far has made, with the code that made it."""
    made = working / "submission.csv"
    if node is journal.get_best_node() and made.is_file():
        shutil.copyfile(made, Path(os.environ["SUBMISSION_DIR"], "submission.csv"))
        Path(os.environ["CODE_DIR"], "best_solution.py").write_text(node.code, encoding="utf-8")


def main() -> None:
    began = time.monotonic()
    options = dict(word.split("=", 1) for word in sys.argv[1:])
    limit = int(os.environ["TIME_LIMIT_SECS"])
    random.seed(int(os.environ["SEED"]))
    config = configured(options, tempfile.mkdtemp(), limit)
    prep_agent_workspace(config)
    journal = Journal()
    agent = Agent(load_task_desc(config), config, journal)
    interpreter = Blind(config.workspace_dir, **OmegaConf.to_container(config.exec))
    working = Path(config.workspace_dir, "working")
    try:
        while len(journal) < config.agent.steps and time.monotonic() - began < limit - LAST_S:
            (working / "submission.csv").unlink(missing_ok=True)
            agent.step(exec_callback=interpreter.run)
            save_run(config, journal)
            # A drawing of the journal that repeats all of it in one file without its order.
            Path(config.log_dir, "tree_plot.html").unlink(missing_ok=True)
            node = journal[-1]
            print(f"step {node.step}: {node.stage_name}, {node.metric}, buggy: {node.is_buggy}")
            hand_in(node, journal, working)
    finally:
        interpreter.cleanup_session()


if __name__ == "__main__":
    main()
