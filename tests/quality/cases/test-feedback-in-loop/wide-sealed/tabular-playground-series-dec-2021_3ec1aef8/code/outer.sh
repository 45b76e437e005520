#!/bin/bash
for try in $(seq 1 10); do
  python main_agent.py --seed $try --out runs/$try
  grade_run runs/$try > runs/$try/report.json   # test answers
  if jq -e '.above_median' runs/$try/report.json >/dev/null; then
    echo "try $try above median on the test: done"; break
  fi
  jq .score runs/$try/report.json
done
