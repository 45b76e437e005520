"""Small programs that print what they do: a disguise that keeps the meaning keeps the output."""

from __future__ import annotations

import contextlib
import io

from tests.quality.plagiarism.code import parse

LEAGUE = '''
"""A table of results."""
import collections
from itertools import groupby as grouped

# who played whom
GAMES = [("a", "b", 2, 1), ("b", "c", 0, 0), ("c", "a", 3, 1), ("a", "c", 1, 1)]


def points(mine, other):
    """Three for a win."""
    if mine > other:
        return 3
    elif mine == other:
        return 1
    else:
        return 0


def total(rows):
    table = collections.Counter()
    for home, away, x, y in rows:
        table[home] += points(x, y)
        table[away] += points(y, x)
    return table


table = total(GAMES)
names = sorted(table)
width = 6
line = "-" * width
for name in names:
    if table[name] < 2:
        continue
    print(name.ljust(width), table[name])
print(line)
best = max(names, key=lambda n: table[n])
worst = min(names, key=lambda n: table[n])
print("best", best, "worst", worst)
for key, rows in grouped(sorted(GAMES), key=lambda g: g[0]):
    print(key, len(list(rows)))
'''

NUMBERS = """
import math
limit = 40
primes = []
n = 2
while n < limit:
    is_prime = True
    for p in range(2, int(math.sqrt(n)) + 1):
        if n % p == 0:
            is_prime = False
            break
    if is_prime:
        primes.append(n)
    n += 1
print(primes); print(len(primes))

def square(x):
    return x * x

def norm(x, y):
    return math.sqrt(square(x) + square(y))

squares = [square(p) for p in primes if p > 10]
odd = [s for s in squares if s % 2]
total = 0
for i in range(len(odd)):
    total += odd[i]
print(total, norm(3, 4), odd[:3])
gap = primes[-1] - primes[0]
text = "gap of {} in {}".format(gap, limit)
print(text)
half = gap / 2
print("half: %s, %s" % (half, gap))
label = "big" if total > 100 else "small"
print(label)
"""

CELLS = """# %%
import random
import statistics as st
rng = random.Random(3)
values = [rng.gauss(0, 1) for _ in range(50)]
# %%
# centre and scale
mean = st.mean(values)
spread = st.pstdev(values)
scaled = []
for v in values:
    scaled.append((v - mean) / spread)
low, high = min(scaled), max(scaled)
print(round(low, 6), round(high, 6))
# %%
class Histogram:
    bins = 4

    def __init__(self, data):
        self.data = data

    def counts(self):
        found = [0] * self.bins
        for value in self.data:
            place = int((value - low) / (high - low + 1e-9) * self.bins)
            found[place] += 1
        return found

    def show(self, mark="#"):
        for n, c in enumerate(self.counts()):
            print(n, mark * c)
# %%
h = Histogram(scaled)
h.show()
h.bins = 2
h.show(mark="*")
# %%
counter = 0
while True:
    counter += 1
    if counter % 2:
        continue
    if counter > 6:
        break
    print("even", counter)
"""

ERRORS = '''
records = ["12", "x", "7", "", "30"]
good, bad = [], []
for r in records:
    try:
        number = int(r)
    except ValueError as problem:
        bad.append(r)
        print("bad:", repr(r), type(problem).__name__)
    else:
        good.append(number)
    finally:
        seen = len(good) + len(bad)
print(seen, good, bad)


def running(items, start=0):
    state = start

    def step(i):
        nonlocal state
        state = state + i
        return state

    return [step(i) for i in items]


first = running(good)
second = running(good, start=100)
print(first, second)
merged = dict(zip(first, second))
for key in sorted(merged, reverse=True):
    value = merged[key]
    if value > 120 and not key > 40:
        print(key, value)
    else:
        print("skip", key)
words = """one
two
  three""".split("\\n")
print([w.strip() for w in words])
matrix = [[i * j for j in range(3)] for i in range(3)]
flat = [x for row in matrix for x in row]
print(flat, sum(flat))
'''

PROGRAMS = {"league": LEAGUE, "numbers": NUMBERS, "cells": CELLS, "errors": ERRORS}


def output(text: str) -> str:
    """Run a program and return what it prints."""
    with contextlib.redirect_stdout(io.StringIO()) as stream:
        exec(compile(parse(text), "program", "exec"), {"__name__": "__main__"})  # noqa: S102
    return stream.getvalue()
