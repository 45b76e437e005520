fasttext supervised -input train.ft -output m -epoch 25 -wordNgrams 2
fasttext predict-prob m.bin test.ft > out.txt
awk 'BEGIN{print "id,author"} FNR==NR{id[FNR]=$1;next} {print id[FNR] "," ($1=="__label__1" ? $2 : 1-$2)}' ids.txt out.txt > /home/submission/submission.csv
