import time
T0 = float(open('t0').read())


def used():  # minutes
    return (time.time() - T0) / 60 / 6


print('used time: %.0f min' % used())
