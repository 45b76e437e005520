#!/bin/bash
bash /home/validate_submission.sh /home/submission/submission.csv
