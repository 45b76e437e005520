import json
qs = [json.loads(l)["question_text"] for l, _ in zip(open("/home/data/simplified-nq-train.jsonl"), range(90000))]
for q in qs:
    if any(w in q for w in ("linux", "unix", "command")): print("Q:", q)
print(len(qs))
