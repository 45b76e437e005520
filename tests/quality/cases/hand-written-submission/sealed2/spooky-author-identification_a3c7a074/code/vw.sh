python code/to_vw.py ./input/train.csv train.vw
python code/to_vw.py ./input/test.csv test.vw
vw -d train.vw --loss_function logistic --ngram 2 -b 24 --passes 8 -c -f m.vw
vw -t -d test.vw -i m.vw --link logistic -p p.txt
( echo id,author; paste -d, <(tail -n +2 ./input/test.csv | cut -d, -f1) p.txt ) > /home/submission/submission.csv
