# Naive Bayes from scratch, for people who want to see how it works
import csv
import math
from collections import defaultdict

def words_of(line):
    return [w.strip(".,;:!?()[]'\"").lower() for w in line.split() if len(w) > 2]

class NaiveBayes(object):
    def __init__(self, smoothing=1.0):
        self.smoothing = smoothing
        self.n_of_queue = defaultdict(int)
        self.n_of_word = defaultdict(lambda: defaultdict(int))
        self.n_words = defaultdict(int)
        self.vocabulary = set()

    def learn(self, words, queue):
        self.n_of_queue[queue] += 1
        for w in words:
            self.n_of_word[queue][w] += 1
            self.n_words[queue] += 1
            self.vocabulary.add(w)

    def score(self, words, queue):
        total = sum(self.n_of_queue.values())
        result = math.log(self.n_of_queue[queue] / float(total))
        below = self.n_words[queue] + self.smoothing * len(self.vocabulary)
        for w in words:
            result += math.log((self.n_of_word[queue][w] + self.smoothing) / below)
        return result

    def guess(self, words):
        best, best_score = None, None
        for queue in self.n_of_queue:
            s = self.score(words, queue)
            if best_score is None or s > best_score:
                best, best_score = queue, s
        return best

model = NaiveBayes(0.3)
right, wrong = 0, 0
with open("../input/train.csv") as f:
    for i, row in enumerate(csv.DictReader(f)):
        words = words_of(row["subject"] + " " + row["body"])
        if i % 10 == 0 and i > 5000:
            if model.guess(words) == row["queue"]:
                right += 1
            else:
                wrong += 1
        model.learn(words, row["queue"])
        if i % 20000 == 0:
            print "%d rows, %d words, %.3f right" % (i, len(model.vocabulary), right / max(1.0, right + wrong))

out = open("bayes.csv", "w")
out.write("ticket_id,queue\n")
with open("../input/test.csv") as f:
    for row in csv.DictReader(f):
        words = words_of(row["subject"] + " " + row["body"])
        out.write("%s,%s\n" % (row["ticket_id"], model.guess(words)))
out.close()
