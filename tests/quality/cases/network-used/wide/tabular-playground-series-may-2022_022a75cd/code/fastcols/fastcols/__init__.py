import os

PATH = os.path.join(os.path.dirname(__file__), "_speedups.so")
