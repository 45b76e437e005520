import csv, math
from collections import Counter, defaultdict
count, total, docs = defaultdict(Counter), Counter(), Counter()
with open('/home/agent/data/train.csv') as f:
    for r in csv.DictReader(f):
        w = r['text'].lower().split()
        count[r['author']].update(w); total[r['author']] += len(w); docs[r['author']] += 1
V = len(set().union(*count.values()))
n = sum(docs.values())
with open('/home/agent/data/test.csv') as f, open('submission.csv', 'w') as g:
    g.write('id,EAP,HPL,MWS\n')
    for r in csv.DictReader(f):
        s = {c: math.log(docs[c] / n) + sum(math.log((count[c][w] + 0.5) / (total[c] + 0.5 * V)) for w in r['text'].lower().split()) for c in ('EAP', 'HPL', 'MWS')}
        m = max(s.values()); e = {c: math.exp(x - m) for c, x in s.items()}; z = sum(e.values())
        g.write(r['id'] + ',' + ','.join(f'{e[c] / z:.6f}' for c in s) + '\n')
print('vocabulary', V)
