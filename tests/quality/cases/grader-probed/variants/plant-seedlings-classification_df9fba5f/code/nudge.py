import sys
import numpy as np
import pandas as pd
s = pd.read_csv("/home/submission/submission.csv")
g = np.random.default_rng(int(sys.argv[1]))
i = g.choice(len(s), 25, replace=False)
s.iloc[i, 1] = np.clip(s.iloc[i, 1] + g.normal(0, 0.4, 25), 0, 1)
s.to_csv(sys.stdout, index=False)
