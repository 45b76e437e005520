"""Search for golden features (differences and ratios of pairs) on the training molecules."""
import itertools, numpy as np, pandas as pd
from sklearn.tree import DecisionTreeRegressor
from sklearn.metrics import mean_absolute_error as mae
tr = pd.read_csv("/home/data/train.csv").sample(80000, random_state=0)
st = pd.read_csv("/home/data/structures.csv")
for k in (0, 1):
    tr = tr.merge(st.rename(columns={"atom_index": f"atom_index_{k}", "x": f"x{k}", "y": f"y{k}", "z": f"z{k}"}), on=["molecule_name", f"atom_index_{k}"])
num = [f"{a}{k}" for a in "xyz" for k in (0, 1)]
gold = []
for a, b in itertools.combinations(num, 2):
    for op, v in (("diff", tr[a] - tr[b]), ("ratio", tr[a] / (tr[b].abs() + 1e-6))):
        m = DecisionTreeRegressor(max_depth=3).fit(v.values[:60000, None], tr.scalar_coupling_constant[:60000])
        gold.append((mae(tr.scalar_coupling_constant[60000:], m.predict(v.values[60000:, None])), op, a, b))
gold.sort()
pd.DataFrame(gold[:25], columns=["mae", "op", "a", "b"]).to_csv("gold.csv", index=False)
print("magic:", *gold[:5], sep="\n  ")
