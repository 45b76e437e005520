#!/bin/bash
set -x
# 1. look at the box
df -h
ls /mnt/bench
ls /mnt/bench/prepared/plant-pathology-2020-fgvc7
grep -n Test_0 /mnt/bench/prepared/plant-pathology-2020-fgvc7/private/test.csv
# 2. train
python train.py --arch resnext50_32x4d --size 384
