#!/bin/bash
# accuracy on my holdout: rows of train.csv kept back by split.py
paste -d, /tmp/holdout_y.csv /tmp/holdout_pred.csv | awk -F, '$1==$2{c++} END{print c/NR}'
