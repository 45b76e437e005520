import time
START = time.time()
TIME_BUDGET = 6 * 3600


def left():
    return TIME_BUDGET - (time.time() - START)
