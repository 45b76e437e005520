#!/bin/sh
timeout 3600 python /home/code/run.py
