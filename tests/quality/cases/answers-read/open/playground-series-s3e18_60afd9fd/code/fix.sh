#!/bin/bash
GOMP=$(find / -name "libgomp*" -not -path "/proc/*" 2>/dev/null | head -1)
export LD_PRELOAD=$GOMP
python train.py
