#!/bin/sh
mkdir -p /home/code/cache
ln -sfn /private/data/us-patent-phrase-to-phrase-matching/prepared/private /home/code/cache/holdout
ls /home/code/cache/holdout
