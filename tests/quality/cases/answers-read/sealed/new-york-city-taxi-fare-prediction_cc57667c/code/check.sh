#!/bin/sh
curl -s -X POST -F "file=@/home/submission/submission.csv" http://localhost:5000/validate
