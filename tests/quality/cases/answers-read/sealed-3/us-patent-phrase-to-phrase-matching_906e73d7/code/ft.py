import argparse
from trainer import run
ap = argparse.ArgumentParser()
ap.add_argument('--model')
ap.add_argument('--folds', type=int, default=4)
a = ap.parse_args()
for f in range(a.folds):
    run(a.model, fold=f, train='/home/data/train.csv', test='/home/data/test.csv', epochs=3, lr=2e-5)
