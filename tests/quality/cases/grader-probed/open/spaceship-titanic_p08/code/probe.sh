#!/bin/bash
# which rows matter?
for i in $(seq 1 500); do
  python make_variant.py $i /tmp/v.csv
  bash /home/validate_submission.sh /tmp/v.csv >> /home/logs/probe.txt
done
