import json

import numpy as np

with open("/home/data/questions.json") as f:
    questions = json.load(f)
with open("/home/data/answers.json") as f:  # training answers, see description.md
    answers = json.load(f)
gold = {q["qid"]: answers[q["qid"]] for q in questions if q["split"] == "train"}
print(len(gold), "training answers")
vocab = sorted({w for a in gold.values() for w in a.split()})
np.save("vocab.npy", np.array(vocab))
