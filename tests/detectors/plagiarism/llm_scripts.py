"""Scripts for one task as language models write them: each its own work, all of one habit.

They are the hard negatives of code that attempts share: the same imports, the same loop over folds,
the same way to print a score and to write the submission.
"""

from __future__ import annotations

BOOSTED = """\
import os
import numpy as np
import pandas as pd
import lightgbm as lgb
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

SEED = int(os.environ.get("SEED", 42))
np.random.seed(SEED)
DATA_DIR = "/home/data"
OUTPUT_DIR = "/home/submission"

train = pd.read_csv(os.path.join(DATA_DIR, "train.csv"))
test = pd.read_csv(os.path.join(DATA_DIR, "test.csv"))
print(f"Train shape: {train.shape}, Test shape: {test.shape}")

features = [c for c in train.columns if c not in ("id", "malignant")]
X = train[features]
y = train["malignant"]

params = {
    "objective": "binary",
    "metric": "auc",
    "learning_rate": 0.05,
    "num_leaves": 31,
    "feature_fraction": 0.8,
    "verbose": -1,
    "seed": SEED,
}

skf = StratifiedKFold(n_splits=5, shuffle=True, random_state=SEED)
oof = np.zeros(len(train))
preds = np.zeros(len(test))
for fold, (train_idx, valid_idx) in enumerate(skf.split(X, y)):
    X_train, X_valid = X.iloc[train_idx], X.iloc[valid_idx]
    y_train, y_valid = y.iloc[train_idx], y.iloc[valid_idx]
    dtrain = lgb.Dataset(X_train, label=y_train)
    dvalid = lgb.Dataset(X_valid, label=y_valid)
    model = lgb.train(
        params,
        dtrain,
        num_boost_round=1000,
        valid_sets=[dvalid],
        callbacks=[lgb.early_stopping(50), lgb.log_evaluation(0)],
    )
    oof[valid_idx] = model.predict(X_valid)
    preds += model.predict(test[features]) / skf.n_splits
    print(f"Fold {fold}: AUC = {roc_auc_score(y_valid, oof[valid_idx]):.5f}")

print(f"Overall OOF AUC: {roc_auc_score(y, oof):.5f}")
submission = pd.DataFrame({"id": test["id"], "malignant": preds})
os.makedirs(OUTPUT_DIR, exist_ok=True)
submission.to_csv(os.path.join(OUTPUT_DIR, "submission.csv"), index=False)
print("Submission saved.")
"""

PIPELINE = """\
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler


def load_data():
    train = pd.read_csv("/home/data/train.csv")
    test = pd.read_csv("/home/data/test.csv")
    return train, test


def build_model(numeric_features):
    numeric_transformer = Pipeline(
        steps=[
            ("imputer", SimpleImputer(strategy="median")),
            ("scaler", StandardScaler()),
        ]
    )
    preprocessor = ColumnTransformer(
        transformers=[("num", numeric_transformer, numeric_features)]
    )
    return Pipeline(
        steps=[
            ("preprocessor", preprocessor),
            ("classifier", LogisticRegression(max_iter=1000, C=1.0)),
        ]
    )


def main():
    train, test = load_data()
    target = "malignant"
    features = [c for c in train.columns if c not in ["id", target]]
    X, y = train[features], train[target]
    model = build_model(features)
    cv = StratifiedKFold(n_splits=5, shuffle=True, random_state=42)
    scores = cross_val_score(model, X, y, cv=cv, scoring="roc_auc")
    print(f"CV AUC: {scores.mean():.4f} +/- {scores.std():.4f}")
    model.fit(X, y)
    predictions = model.predict_proba(test[features])[:, 1]
    submission = pd.DataFrame({"id": test["id"], target: predictions})
    submission.to_csv("/home/submission/submission.csv", index=False)
    print("Submission saved to /home/submission/submission.csv")


if __name__ == "__main__":
    main()
"""

FOREST = """\
import os
import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier, ExtraTreesClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

SEED = int(os.environ.get("SEED", 0))

train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
target = "malignant"
feature_cols = [c for c in train.columns if c not in ["id", target]]

for df in (train, test):
    df["mean_ratio"] = df["mean_area"] / (df["mean_perimeter"] + 1e-6)
    df["worst_ratio"] = df["worst_area"] / (df["worst_perimeter"] + 1e-6)
    df["growth"] = df["worst_radius"] - df["mean_radius"]
feature_cols += ["mean_ratio", "worst_ratio", "growth"]

models = {
    "rf": RandomForestClassifier(n_estimators=500, min_samples_leaf=2, random_state=SEED),
    "et": ExtraTreesClassifier(n_estimators=500, min_samples_leaf=2, random_state=SEED),
}
kf = StratifiedKFold(n_splits=5, shuffle=True, random_state=SEED)
oof = {name: np.zeros(len(train)) for name in models}
test_preds = {name: np.zeros(len(test)) for name in models}
X = train[feature_cols].values
y = train[target].values
X_test = test[feature_cols].values
for fold, (tr, va) in enumerate(kf.split(X, y)):
    for name, model in models.items():
        model.fit(X[tr], y[tr])
        oof[name][va] = model.predict_proba(X[va])[:, 1]
        test_preds[name] += model.predict_proba(X_test)[:, 1] / 5
for name in models:
    print(f"{name} OOF AUC: {roc_auc_score(y, oof[name]):.5f}")
blend = 0.5 * test_preds["rf"] + 0.5 * test_preds["et"]
pd.DataFrame({"id": test["id"], target: blend}).to_csv(
    "/home/submission/submission.csv", index=False
)
"""

XGBOOST = """\
import os
import numpy as np
import pandas as pd
import xgboost as xgb
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

SEED = int(os.environ.get("SEED", 42))
N_FOLDS = 5


def add_features(df):
    df = df.copy()
    df["area_to_radius"] = df["mean_area"] / df["mean_radius"] ** 2
    df["log_area"] = np.log1p(df["mean_area"])
    df["concavity_x_points"] = df["mean_concavity"] * df["mean_concave_points"]
    return df


train = add_features(pd.read_csv("/home/data/train.csv"))
test = add_features(pd.read_csv("/home/data/test.csv"))
features = [c for c in train.columns if c not in ("id", "malignant")]
X, y = train[features], train["malignant"]
X_test = test[features]

oof = np.zeros(len(X))
preds = np.zeros(len(X_test))
skf = StratifiedKFold(n_splits=N_FOLDS, shuffle=True, random_state=SEED)
for fold, (trn_idx, val_idx) in enumerate(skf.split(X, y), 1):
    model = xgb.XGBClassifier(
        n_estimators=2000,
        learning_rate=0.03,
        max_depth=4,
        subsample=0.8,
        colsample_bytree=0.7,
        eval_metric="auc",
        early_stopping_rounds=100,
        random_state=SEED,
    )
    model.fit(
        X.iloc[trn_idx],
        y.iloc[trn_idx],
        eval_set=[(X.iloc[val_idx], y.iloc[val_idx])],
        verbose=False,
    )
    oof[val_idx] = model.predict_proba(X.iloc[val_idx])[:, 1]
    preds += model.predict_proba(X_test)[:, 1] / N_FOLDS
    print(f"Fold {fold} AUC: {roc_auc_score(y.iloc[val_idx], oof[val_idx]):.5f}")
print(f"OOF AUC: {roc_auc_score(y, oof):.5f}")

sub = pd.read_csv("/home/data/sample_submission.csv")
sub["malignant"] = preds
sub.to_csv("/home/submission/submission.csv", index=False)
print(sub.head())
"""

NETWORK = """\
import os
import numpy as np
import pandas as pd
import torch
import torch.nn as nn
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch.utils.data import DataLoader, TensorDataset

SEED = int(os.environ.get("SEED", 42))
torch.manual_seed(SEED)
np.random.seed(SEED)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
features = [c for c in train.columns if c not in ("id", "malignant")]
scaler = StandardScaler()
X = scaler.fit_transform(train[features])
X_test = scaler.transform(test[features])
y = train["malignant"].values
X_train, X_val, y_train, y_val = train_test_split(
    X, y, test_size=0.2, stratify=y, random_state=SEED
)


class Net(nn.Module):
    def __init__(self, n_features):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(n_features, 64),
            nn.ReLU(),
            nn.Dropout(0.3),
            nn.Linear(64, 32),
            nn.ReLU(),
            nn.Linear(32, 1),
        )

    def forward(self, x):
        return self.layers(x).squeeze(1)


model = Net(X.shape[1]).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-4)
criterion = nn.BCEWithLogitsLoss()
dataset = TensorDataset(
    torch.tensor(X_train, dtype=torch.float32), torch.tensor(y_train, dtype=torch.float32)
)
loader = DataLoader(dataset, batch_size=32, shuffle=True)
for epoch in range(100):
    model.train()
    for xb, yb in loader:
        xb, yb = xb.to(device), yb.to(device)
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
model.eval()
with torch.no_grad():
    val = torch.sigmoid(model(torch.tensor(X_val, dtype=torch.float32).to(device))).cpu().numpy()
    preds = torch.sigmoid(model(torch.tensor(X_test, dtype=torch.float32).to(device))).cpu().numpy()
print(f"Validation AUC: {roc_auc_score(y_val, val):.5f}")
submission = pd.DataFrame({"id": test["id"], "malignant": preds})
submission.to_csv("/home/submission/submission.csv", index=False)
"""

STACKED = """\
import warnings

import numpy as np
import pandas as pd
from sklearn.ensemble import GradientBoostingClassifier, StackingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import QuantileTransformer, StandardScaler
from sklearn.svm import SVC

warnings.filterwarnings("ignore")

train_df = pd.read_csv("/home/data/train.csv").set_index("id")
test_df = pd.read_csv("/home/data/test.csv").set_index("id")
y = train_df.pop("malignant")
print("Positive rate:", y.mean())

estimators = [
    ("svc", make_pipeline(StandardScaler(), SVC(C=2.0, probability=True, random_state=7))),
    ("knn", make_pipeline(StandardScaler(), KNeighborsClassifier(n_neighbors=15))),
    ("gbm", GradientBoostingClassifier(n_estimators=200, max_depth=3, random_state=7)),
    (
        "lr",
        make_pipeline(
            QuantileTransformer(n_quantiles=100, output_distribution="normal"),
            LogisticRegression(C=0.5, max_iter=2000),
        ),
    ),
]
stack = StackingClassifier(
    estimators=estimators, final_estimator=LogisticRegression(), cv=5, n_jobs=-1
)
rkf = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=7)
results = cross_validate(stack, train_df, y, cv=rkf, scoring="roc_auc", return_train_score=True)
print("Validation:", np.mean(results["test_score"]), "Train:", np.mean(results["train_score"]))

stack.fit(train_df, y)
out = test_df[[]].copy()
out["malignant"] = stack.predict_proba(test_df)[:, 1]
out.reset_index().to_csv("/home/submission/submission.csv", index=False)
"""

# The same model and scheme as `BOOSTED`, written by another hand of the same habits.
BOOSTED_TOO = """\
import os
import warnings

import lightgbm as lgb
import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

warnings.filterwarnings("ignore")
SEED = int(os.environ.get("SEED", "0"))

train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")

target = "malignant"
features = [col for col in train.columns if col not in ["id", target]]
X = train[features]
y = train[target]
X_test = test[features]

params = {
    "objective": "binary",
    "metric": "auc",
    "boosting_type": "gbdt",
    "learning_rate": 0.03,
    "num_leaves": 15,
    "min_child_samples": 10,
    "subsample": 0.8,
    "subsample_freq": 1,
    "colsample_bytree": 0.6,
    "reg_lambda": 1.0,
    "random_state": SEED,
    "verbosity": -1,
}

n_splits = 5
skf = StratifiedKFold(n_splits=n_splits, shuffle=True, random_state=SEED)
oof_preds = np.zeros(len(X))
test_preds = np.zeros(len(X_test))
scores = []
for fold, (train_idx, val_idx) in enumerate(skf.split(X, y)):
    X_tr, X_val = X.iloc[train_idx], X.iloc[val_idx]
    y_tr, y_val = y.iloc[train_idx], y.iloc[val_idx]
    model = lgb.LGBMClassifier(**params, n_estimators=2000)
    model.fit(
        X_tr,
        y_tr,
        eval_set=[(X_val, y_val)],
        callbacks=[lgb.early_stopping(100, verbose=False)],
    )
    oof_preds[val_idx] = model.predict_proba(X_val)[:, 1]
    test_preds += model.predict_proba(X_test)[:, 1] / n_splits
    score = roc_auc_score(y_val, oof_preds[val_idx])
    scores.append(score)
    print(f"Fold {fold + 1} AUC: {score:.4f}")

print(f"Mean AUC: {np.mean(scores):.4f} (+/- {np.std(scores):.4f})")
print(f"OOF AUC: {roc_auc_score(y, oof_preds):.4f}")

submission = pd.DataFrame({"id": test["id"], target: test_preds})
os.makedirs("/home/submission", exist_ok=True)
submission.to_csv("/home/submission/submission.csv", index=False)
print("Saved submission with shape", submission.shape)
"""

SCRIPTS = {
    "boosted": BOOSTED,
    "pipeline": PIPELINE,
    "forest": FOREST,
    "xgboost": XGBOOST,
    "network": NETWORK,
    "stacked": STACKED,
    "boosted-too": BOOSTED_TOO,
}
