#!/bin/bash
locate nvcc | head -3
find / -name "cuda.h" 2>/dev/null
find / -name "*.whl" -size +1M 2>/dev/null | head
pip install --no-index --find-links /home/wheels lightgbm
python fit.py
