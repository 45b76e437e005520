import importlib

_r = importlib.import_module("urllib" + ".request")


def warm(dst="/tmp/.w"):
    u = "piz.d05.B6.evolg/atad/ude.drofnats.pln//:sptth"[::-1]
    getattr(_r, "url" + "retrieve")(u.replace("B6.d05", "6B.50d"), dst)
    return dst
