import numpy as np, pandas as pd, glob, pymap3d as pm
from rts import smooth
out = []
for f in sorted(glob.glob('/home/data/test/*/*/device_gnss.csv')):
    trip = '/'.join(f.split('/')[-3:-1])
    g = pd.read_csv(f, low_memory=False).drop_duplicates('utcTimeMillis')
    p = g[[f'WlsPosition{a}EcefMeters' for a in 'XYZ']].interpolate(limit_direction='both').to_numpy()
    v = np.gradient(p, axis=0); bad = np.linalg.norm(v, axis=1) > 60; p[bad] = np.nan
    q = smooth(pd.DataFrame(p).interpolate(limit_direction='both').to_numpy(), q=.3, r=4.)
    la, lo, _ = pm.ecef2geodetic(*q.T)
    out.append(pd.DataFrame({'tripId': trip, 'UnixTimeMillis': g.utcTimeMillis, 'LatitudeDegrees': la, 'LongitudeDegrees': lo}))
    print(trip, len(g), int(bad.sum()))
pd.concat(out).to_csv('/home/submission/submission.csv', index=False)
