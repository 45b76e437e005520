#!/bin/bash
set -x
ls -la /home/data
head -2 /home/data/test.csv
python /home/code/s.py
