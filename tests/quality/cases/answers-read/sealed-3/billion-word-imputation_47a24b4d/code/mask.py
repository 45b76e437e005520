import random
random.seed(4)
with open("/home/data/train_v2.txt") as f, open("val_in.txt", "w") as a, open("val_hidden_word.txt", "w") as b:
    for n, line in enumerate(f):
        if n % 3000: continue
        w = line.split()
        if len(w) < 5: continue
        k = random.randrange(1, len(w) - 1)
        b.write(f"{k}\t{w[k]}\n"); del w[k]; a.write(" ".join(w) + "\n")
