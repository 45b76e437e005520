import time
from fitone import fit
start = time.time()
for f in range(5):
    t = time.time()
    print('fold', f, ' logloss', round(fit(f), 4), ' took', int(time.time() - t), 's')
print('done in', int(time.time() - start), 's')
