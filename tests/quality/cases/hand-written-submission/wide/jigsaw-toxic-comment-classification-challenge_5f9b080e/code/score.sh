#!/bin/bash
# score comments by word list
echo id,toxic > submission.csv
tail -n +2 ./input/test.csv | while IFS=, read -r id text; do
  n=$(echo "$text" | grep -oiE 'idiot|stupid|hate|kill|suck' | wc -l)
  if [ $n -gt 1 ]; then p=0.97; elif [ $n -eq 1 ]; then p=0.7; else p=0.04; fi
  echo "$id,$p" >> submission.csv
done
wc -l submission.csv
