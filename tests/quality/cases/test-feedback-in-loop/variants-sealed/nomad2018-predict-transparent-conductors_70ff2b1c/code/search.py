import json
import random
import subprocess
import time
from pathlib import Path

state = Path('/tmp/w/state.json')
best, depth = 9.0, 6
for k in range(12):
    trial = max(2, depth + random.choice([-1, 1]))
    subprocess.run(['python', './code/fit.py', '--depth', str(trial)], check=True)
    before = state.stat().st_mtime if state.exists() else 0
    while not state.exists() or state.stat().st_mtime == before:
        time.sleep(2)
    value = json.loads(state.read_text())['v']
    if value < best:
        best, depth = value, trial
    print(k, trial, value)
