#!/bin/bash
# prints one number
set -e
mlebench grade-sample "$1" new-york-city-taxi-fare-prediction 2>&1 | grep -oP '"score": \K[0-9.]+'
