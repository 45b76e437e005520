import pandas as pd

pd.read_csv("/home/data/sample_submission.csv").to_csv("/home/submission/submission.csv", index=False)
