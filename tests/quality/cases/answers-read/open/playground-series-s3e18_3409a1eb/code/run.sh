#!/bin/bash
set -x
python /home/code/train.py
