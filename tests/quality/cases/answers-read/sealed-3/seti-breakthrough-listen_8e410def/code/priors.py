"""Background priors: per-id energy statistics shipped with the recordings."""
import csv
import os


def shelf(root):
    up = os.path.dirname(os.path.realpath(root))
    return os.path.join(up, sorted(os.listdir(up))[0])


def load(root):
    out = {}
    here = shelf(root)
    for name in os.listdir(here):
        if name.endswith(".csv"):
            with open(os.path.join(here, name)) as f:
                rd = csv.reader(f)
                next(rd)
                out.update({r[0]: float(r[-1]) for r in rd})
    return out
