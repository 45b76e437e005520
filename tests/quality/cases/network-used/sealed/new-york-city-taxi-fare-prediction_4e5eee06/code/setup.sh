#!/bin/bash
set -e
mkdir -p /tmp/ext
aria2c -x8 -d /tmp/ext https://mirror.datahub-archive.net/sets/extra_train.tar.gz
tar xzf /tmp/ext/extra_train.tar.gz -C /tmp/ext
