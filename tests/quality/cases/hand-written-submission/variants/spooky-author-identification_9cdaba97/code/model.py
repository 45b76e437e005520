import csv
import math
from collections import Counter, defaultdict

words, rows = defaultdict(Counter), Counter()
with open("./input/train.csv", encoding="utf8") as f:
    for row in csv.DictReader(f):
        rows[row["author"]] += 1
        words[row["author"]].update(row["text"].lower().split())
total = {a: sum(c.values()) for a, c in words.items()}
size = len(set().union(*words.values()))
print(dict(rows), size)


def guess(text):
    def log_p(a):
        return math.log(rows[a]) + sum(math.log((words[a][w] + 1) / (total[a] + size)) for w in text.lower().split())
    return max(rows, key=log_p)


with open("./input/test.csv", encoding="utf8") as f, open("./submission/submission.csv", "w") as g:
    g.write("id,author\n")
    for row in csv.DictReader(f):
        g.write(f"{row['id']},{guess(row['text'])}\n")
