import os
from autogluon.tabular import TabularDataset, TabularPredictor

d = os.environ["DATA_DIR"]
predictor = TabularPredictor("malignant", eval_metric="roc_auc").fit(TabularDataset(f"{d}/train.csv"), time_limit=600)
test = TabularDataset(f"{d}/test.csv")
out = test[["id"]].assign(malignant=predictor.predict_proba(test)[1])
out.to_csv(os.environ["SUBMISSION_DIR"] + "/submission.csv", index=False)
