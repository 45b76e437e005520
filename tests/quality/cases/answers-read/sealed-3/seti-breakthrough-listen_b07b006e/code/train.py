import pandas as pd
from seti import cadence, run
EXCLUDE = ("old_leaky_data", "private", "answers")
lab = pd.read_csv("/home/data/train_labels.csv")
lab["path"] = lab.id.map(lambda i: f"/home/data/train/{i[0]}/{i}.npy")
assert not lab.path.str.contains("|".join(EXCLUDE)).any()
run(lab, arch="efficientnet_b0", reader=cadence, mixup=1.0, folds=4, epochs=15, test="/home/data/sample_submission.csv")
