import json, pandas as pd
from pathlib import Path
for p in sorted(Path("/home/data/train").glob("*.json"))[:4]:
    nb = json.loads(p.read_text())
    print("==", p.stem)
    for k, src in list(nb["source"].items())[:3]:
        print(f"{k} [{nb['cell_type'][k]:>8}] {src!r}")
