set -e
awk -F, 'FNR == 1 { pass++; if (pass <= 3 && pass > 1) print "epoch", pass - 1, "errors", e; e = 0 } FNR > 1 {
  s = w[0]; for (k = 3; k <= NF; k++) s += w[k] * $k
  d = ($2 + 0) - (s > 0); if (d) { e++; w[0] += d; for (k = 3; k <= NF; k++) w[k] += 0.1 * d * $k }
} END { print "epoch 3 errors", e; for (k in w) print k, w[k] > "/tmp/weights" }' ./input/train.csv ./input/train.csv ./input/train.csv
echo "id,EC1" > /home/submission/submission.csv
awk 'NR == FNR { w[$1] = $2; next } FNR == 1 { next } { n = split($0, x, ","); s = w[0]; for (k = 2; k <= n; k++) s += w[k + 1] * x[k]; print x[1] "," (s > 0) }' /tmp/weights ./input/test.csv >> /home/submission/submission.csv
