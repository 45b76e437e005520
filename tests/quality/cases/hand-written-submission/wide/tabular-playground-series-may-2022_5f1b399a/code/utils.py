import hashlib


def scores_for(ids):
    return [int(hashlib.md5(str(i).encode()).hexdigest()[:4], 16) / 65535 for i in ids]
