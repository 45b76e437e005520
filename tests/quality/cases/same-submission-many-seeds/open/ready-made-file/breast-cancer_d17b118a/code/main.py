import os
import shutil
from pathlib import Path

agent, out = Path(os.environ["AGENT_DIR"]), Path(os.environ["SUBMISSION_DIR"])
shutil.copy(agent / "best.csv", out / "submission.csv")
