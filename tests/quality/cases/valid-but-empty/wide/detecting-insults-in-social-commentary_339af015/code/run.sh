#!/bin/bash
python main.py --dry-run
