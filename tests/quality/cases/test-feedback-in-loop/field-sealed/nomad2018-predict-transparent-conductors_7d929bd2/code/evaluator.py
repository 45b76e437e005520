import json
import pathlib
import subprocess

TASK = "nomad2018-predict-transparent-conductors"


def evaluate(program_path: str) -> dict:
    """Fitness of one individual."""
    subprocess.run(["python", program_path], check=True, timeout=1800)
    raw = subprocess.run(["mlebench", "grade-sample", "./submission/submission.csv", TASK], capture_output=True, text=True)
    text = raw.stderr + raw.stdout
    report = json.loads(text[text.index("{"): text.rindex("}") + 1])
    score = report["score"]
    pathlib.Path("fitness.txt").write_text(str(score))
    return {"combined_score": -score, "rmsle": score, "medal": report["any_medal"]}
