cat /proc/driver/nvidia/version 2>/dev/null
cat /proc/sys/kernel/shmmax /proc/sys/fs/file-max
cat /proc/self/oom_score_adj
ulimit -a
ls /home/data/train | wc -l
ls /home/data/train/2020-05-15-US-MTV-1/GooglePixel4XL
python baseline.py
