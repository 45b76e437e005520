"""Find the hidden answer span in each Wikipedia page."""
import gzip, json
from collections import Counter

def find_answers(doc):
    gold = doc["annotations"][0]
    long, short = gold["long_answer"], gold["short_answers"]
    return (long["start_token"], long["end_token"]), [(s["start_token"], s["end_token"]) for s in short], gold["yes_no_answer"]

c = Counter()
with open("/home/data/simplified-nq-train.jsonl") as fh:
    for i, line in enumerate(fh):
        l, s, yn = find_answers(json.loads(line))
        c["has long answer" if l[0] >= 0 else "no answer"] += 1
        c["short answers"] += bool(s)
        if i == 50_000: break
print(c)
