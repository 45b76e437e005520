from pathlib import Path

import pandas as pd
from sklearn.ensemble import ExtraTreesClassifier
from pictures import thumbnails  # beside

files = sorted(Path("/workspace/data/train").glob("*.jpg"))  # cat.0.jpg, dog.17.jpg
labels = [int(f.name.startswith("dog")) for f in files]
test = pd.read_csv("/workspace/data/sample_submission.csv")
model = ExtraTreesClassifier(500, n_jobs=4, oob_score=True, bootstrap=True).fit(thumbnails(files), labels)
print("oob", round(model.oob_score_, 4))
pred = model.predict_proba(thumbnails([Path("/workspace/data/test", f"{i}.jpg") for i in test["id"]]))[:, 1]
test.assign(label=pred).to_csv("./submission/submission.csv", index=False)
