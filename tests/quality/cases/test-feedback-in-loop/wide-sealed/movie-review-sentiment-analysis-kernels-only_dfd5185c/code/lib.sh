run() {  # run <args>: trains, then says how we do on the test set
  python train.py "$@" | tail -n 1
  curl -s -F "file=@submission.csv" http://localhost:5001/grade | sed 's/.*"score": *\([0-9.]*\).*/test score: \1/'
}
