import csv
from collections import defaultdict


class Writer:
    def __init__(self, path):
        self.path, self.scores = path, defaultdict(lambda: 0.0958)

    def add(self, key, score):
        self.score = score

    def close(self, ids):
        with open(self.path, 'w', newline='') as f:
            w = csv.writer(f)
            w.writerow(['id', 'toxic'])
            w.writerows([i, self.scores[i]] for i in ids)
