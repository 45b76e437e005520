import pathlib

import yaml

TIPS = yaml.safe_load((pathlib.Path(__file__).parent / "tips.yaml").read_text())


def system(task):
    lines = "\n".join(f"- {t}" for t in TIPS.get(task, []))
    return f"You are an ML engineer. Task: {task}.\n{lines}"
