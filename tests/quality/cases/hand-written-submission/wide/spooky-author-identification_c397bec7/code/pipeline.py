import csv
CLUES = {'EAP': ['dupin', 'upon', 'monsieur', 'minute'], 'HPL': ['cthulhu', 'arkham', 'gilman', 'old', 'street'], 'MWS': ['raymond', 'perdita', 'adrian', 'love', 'heart']}
with open('/home/agent/data/test.csv') as f, open('/workspace/submission.csv', 'w') as g:
    g.write('id,EAP,HPL,MWS\n')
    for row in csv.DictReader(f):
        n = {k: 1 + 3 * sum(w in row['text'].lower() for w in ws) for k, ws in CLUES.items()}
        s = sum(n.values())
        g.write(row['id'] + ',' + ','.join(f'{n[k] / s:.4f}' for k in ('EAP', 'HPL', 'MWS')) + '\n')
