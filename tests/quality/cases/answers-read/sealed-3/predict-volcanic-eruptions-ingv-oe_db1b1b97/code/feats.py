import glob, os, numpy as np, pandas as pd
from joblib import Parallel, delayed
def one(f):
    d = pd.read_csv(f, dtype='float32'); r = {'segment_id': int(os.path.basename(f)[:-4])}
    for c in d:
        x = d[c].fillna(0).to_numpy(); s = np.abs(np.fft.rfft(x))
        r.update({f'{c}_std': x.std(), f'{c}_mad': np.abs(x).mean(), f'{c}_nan': d[c].isna().sum(), **{f'{c}_q{q}': np.quantile(x, q / 100) for q in (1, 5, 95, 99)}, **{f'{c}_f{k}': s[k * 1000:(k + 1) * 1000].mean() for k in range(6)}})
    return r
for part in ('train', 'test'):
    pd.DataFrame(Parallel(-1, verbose=5)(delayed(one)(f) for f in sorted(glob.glob(f'/home/data/{part}/*.csv')))).to_parquet(f'{part}.parquet')
