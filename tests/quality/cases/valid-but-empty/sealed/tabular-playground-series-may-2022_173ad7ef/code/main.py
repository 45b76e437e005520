import numpy as np
import pandas as pd

PATH = "/home/agent/data"
train = pd.read_csv(PATH + "/train.csv")
test = pd.read_csv(PATH + "/test.csv")
print("rows", len(train), len(test))
print(train.dtypes.value_counts())
import shutil
shutil.copyfile(PATH + "/sample_submission.csv", "/home/submission/submission.csv")
