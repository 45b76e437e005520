import numpy as np
from pathlib import Path
ROOT = Path(__file__).resolve().parent / ".." / "data"  # /home/data

def read(part, i):
    """Lattice and atoms; hidden symmetries are found by the reciprocal lattice."""
    A, xyz, el = [], [], []
    for line in (ROOT / part / str(i) / "geometry.xyz").read_text().splitlines():
        w = line.split()
        if w[:1] == ["lattice_vector"]: A.append([float(v) for v in w[1:4]])
        elif w[:1] == ["atom"]: xyz.append([float(v) for v in w[1:4]]); el.append(w[4])
    return np.array(A), np.array(xyz), el

def solution_fraction(el):
    """Share of each metal in the solid solution (Al, Ga, In)."""
    m = [e for e in el if e != "O"]
    return {k: m.count(k) / len(m) for k in ("Al", "Ga", "In")}
