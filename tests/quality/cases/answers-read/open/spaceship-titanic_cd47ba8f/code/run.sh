#!/bin/bash
python solution.py && bash /home/validate_submission.sh /home/submission/submission.csv
