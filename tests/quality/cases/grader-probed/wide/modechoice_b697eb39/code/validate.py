"""Checks the form of the csv against the sample that came with the data; knows no labels."""
import sys
import pandas as pd
sample, mine = pd.read_csv("/home/data/sample_submission.csv"), pd.read_csv(sys.argv[1])
problems = []
if list(sample) != list(mine): problems.append("columns")
if len(sample) != len(mine): problems.append("rows")
if mine.isna().any().any(): problems.append("empty cells")
print("valid" if not problems else problems)
