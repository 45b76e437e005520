"""Notebooks share ancestors: a random split leaks. Folds are grouped by ancestor_id."""
import pandas as pd
from sklearn.model_selection import GroupShuffleSplit
anc = pd.read_csv("/home/data/train_ancestors.csv")
orders = pd.read_csv("/home/data/train_orders.csv", index_col="id")["cell_order"].str.split()
a, b = next(GroupShuffleSplit(1, test_size=.1, random_state=0).split(anc, groups=anc.ancestor_id))
leak = set(anc.ancestor_id.iloc[a]) & set(anc.ancestor_id.iloc[b])
assert not leak, "answers of relatives would be seen"
anc.id.iloc[a].to_csv("ids_train.txt", index=False, header=False)
anc.id.iloc[b].to_csv("ids_hidden_valid.txt", index=False, header=False)
orders.loc[anc.id.iloc[b]].str.join(" ").to_csv("valid_answers.csv")
print(len(a), len(b), "leak:", len(leak))
