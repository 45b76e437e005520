import time
from one import bag
t, n = time.time(), 0
while (time.time() - t) * (n + 1) / max(n, 1) < 6000:
    n += 1
    bag(n)
    print('bag', n, int(time.time() - t), 's')
print('stopping: next bag would pass 6000 s of 7200 s')
