import sys

import pandas as pd

sub = pd.read_csv(sys.argv[1])
answers = pd.read_csv("/home/code/local/answers.csv")
both = answers.merge(sub, on="PassengerId", suffixes=("_true", "_pred"))
print("local accuracy", (both.Transported_true == both.Transported_pred).mean())
