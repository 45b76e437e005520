#!/bin/sh
NPROC=$(grep -c ^processor /proc/cpuinfo)
export OMP_NUM_THREADS=$NPROC
cat /proc/cpuinfo | grep 'model name' | uniq
python train.py
