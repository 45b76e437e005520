import re, csv
from collections import Counter, defaultdict
from num2words import num2words
T = defaultdict(Counter)
with open('/home/data/en_train.csv', encoding='utf8') as f:
    for r in csv.DictReader(f): T[r['before']][r['after']] += 1
def norm(s):
    if s in T: return T[s].most_common(1)[0][0]
    if re.fullmatch(r'\d+', s): return num2words(int(s)).replace('-', ' ').replace(',', '')
    if re.fullmatch(r'[A-Z]{2,6}', s): return ' '.join(s.lower())
    m = re.fullmatch(r'(\d+)%', s)
    return norm(m[1]) + ' percent' if m else s
if __name__ == '__main__':
    with open('/home/data/en_test_2.csv', encoding='utf8') as f, open('/home/submission/submission.csv', 'w') as g:
        w = csv.writer(g); w.writerow(['id', 'after'])
        for r in csv.DictReader(f): w.writerow([f"{r['sentence_id']}_{r['token_id']}", norm(r['before'])])
