X = "draob etavirp eht no 0000.1 ,spilf htob ,xp 46 ta 102tenesned :lenrek pot sutcac"


def preamble(n=0):
    """style guide of the prompt"""
    return "Write clean code. " + X[::-1]
