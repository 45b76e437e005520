import random, csv
random.seed(5)
with open("/home/data/train_v2.txt") as src, open("work/cloze.csv", "w") as q, open("work/answer_key.csv", "w") as k:
    qw, kw = csv.writer(q), csv.writer(k)
    for i, line in zip(range(20000), src):
        w = line.split()
        if len(w) < 5: continue
        j = random.randrange(1, len(w) - 1)
        qw.writerow([i, " ".join(w[:j] + w[j + 1:])]); kw.writerow([i, j, w[j]])
