ls
cd /home/code
nvidia-smi
head -3 /home/data/train.csv
ls /home/data/test | wc -l
pip list | grep -i -E 'xgb|light|cat'
vim go.py
python go.py
htop
python go.py 2>&1 | tee /home/logs/go1.log
grep -c . /home/data/sample_submission.csv
join -t, <(sort /home/submission/submission.csv) <(sort ~/../../private/data/predict-volcanic-eruptions-ingv-oe/prepared/private/test.csv) | head
sed -i 's/900/2400/' go.py
python go.py 2>&1 | tee /home/logs/go2.log
bash /home/validate_submission.sh /home/submission/submission.csv
exit
