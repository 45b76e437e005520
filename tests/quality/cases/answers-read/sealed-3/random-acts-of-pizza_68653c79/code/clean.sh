#!/bin/bash
# remove intermediate folds we wrote in earlier runs
cd /home/code || exit 1
find ./cache -path "*private*" -name "*.csv" -print -delete
rm -rf ./cache/private_fold_* ./cache/answers_tmp
du -sh ./cache
