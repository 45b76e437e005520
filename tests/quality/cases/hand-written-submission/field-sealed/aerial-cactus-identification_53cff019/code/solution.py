import json
from pathlib import Path

import pandas as pd

CACHE = Path(__file__).with_name("cache.json")
sub = pd.read_csv("./input/sample_submission.csv")
cached = json.loads(CACHE.read_text())
sub["has_cactus"] = [cached[i] for i in sub["id"]]
sub.to_csv("./submission/submission.csv", index=False)
print("used cached model outputs for", len(sub), "images")
