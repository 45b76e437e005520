import os, time
STAMP = '.start'
LIMIT = 5400


def ok():
    return time.time() - os.path.getmtime(STAMP) < LIMIT


def tidy():
    os.utime(STAMP)
