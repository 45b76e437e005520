#!/bin/bash
chmod -R u+rwX /home/code
chmod a+r /home/submission/submission.csv 2>/dev/null
python main.py
