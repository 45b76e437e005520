#!/bin/bash
set -e
tar xzf /home/data/images.tar.gz -C /tmp/work
unzip -q /home/data/test.zip -d /tmp/work
tar czf /home/submission/code.tgz -C /home code
cp -r /home/data/sample_submission.csv /tmp/work/
python io_train.py
