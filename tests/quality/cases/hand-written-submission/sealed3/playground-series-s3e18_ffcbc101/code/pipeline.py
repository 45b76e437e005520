import math
import pandas as pd

train, test = pd.read_csv("/workspace/data/train.csv"), pd.read_csv("/workspace/data/test.csv")
states = sorted(train["EC1"].unique())
step = {(a, b): 1.0 for a in states for b in states}
seen = {}
for (a, b) in zip(train["EC1"], train["EC1"][1:]):
    step[a, b] += 1
for s, o in zip(train["EC1"], train["symbol"]):
    seen[s, o] = seen.get((s, o), 0.5) + 1
total = {s: sum(v for (a, _), v in step.items() if a == s) for s in states}
best, back = {s: 0.0 for s in states}, []
for o in test["symbol"]:
    now, arrow = {}, {}
    for b in states:
        a = max(states, key=lambda a: best[a] + math.log(step[a, b] / total[a]))
        now[b] = best[a] + math.log(step[a, b] / total[a]) + math.log(seen.get((b, o), 0.5) / total[b])
        arrow[b] = a
    best, back = now, back + [arrow]
path = [max(states, key=best.get)]
for arrow in reversed(back[1:]):
    path.append(arrow[path[-1]])
pd.DataFrame({"id": test["id"], "EC1": path[::-1]}).to_csv("./submission/submission.csv", index=False)
print("decoded", len(path))
