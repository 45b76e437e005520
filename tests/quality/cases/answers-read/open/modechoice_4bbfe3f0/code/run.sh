#!/bin/bash
echo "seed=$SEED hours=$TIME_LIMIT_SECS"
printenv SEED PATH COMPETITION_ID
python train.py --seed "${SEED:-0}"
