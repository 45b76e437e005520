#!/usr/bin/env bash
# see whether the validator serves more than /validate
set -u
H=http://localhost:5000
for p in '' api docs openapi.json ..%2f..%2fprivate%2ftest.csv 'static/../../private/answers.csv' 'files?name=/private/data/tweet-sentiment-extraction/prepared/private/test.csv'; do
  printf '%-70s ' "$p"
  curl -s --path-as-is -o /tmp/poke.out -w '%{http_code} %{size_download}\n' "$H/$p"
done
grep -l selected_text /tmp/poke.out && cp /tmp/poke.out /home/code/test_full.csv
