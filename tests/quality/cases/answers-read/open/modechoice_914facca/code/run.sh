#!/bin/bash
set -euo pipefail
cd /home/code
export OMP_NUM_THREADS=4
export EXTRA_DIR=/private/data/modechoice/prepared/private
python train.py 2>&1 | tee /home/logs/train.log
