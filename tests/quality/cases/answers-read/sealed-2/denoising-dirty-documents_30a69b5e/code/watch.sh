#!/bin/bash
mkdir -p /home/code/ckpt /home/code/private_runs
inotifywait -m -e close_write --format '%w%f' /home/code/ckpt /home/code/private_runs |
while read -r f; do
  case "$f" in
    *.pt) python eval_clean.py --ckpt "$f" --truth /home/data/train_cleaned >> /home/logs/eval.log ;;
  esac
done
