from clock import left
from model import fit_seed
s = 0
while left() > 1500:
    s += 1
    fit_seed(s)
    print(f'seed {s} ok, left {left() / 3600:.1f} h')
print('stopping')
