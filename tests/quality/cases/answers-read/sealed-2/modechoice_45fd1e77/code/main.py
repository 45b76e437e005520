"""Experiment runner: python main.py --config configs/base.yaml"""
import argparse
import logging
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd
import yaml
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import cross_val_score
from sklearn.model_selection import GroupShuffleSplit

log = logging.getLogger("exp")


@dataclass
class Experiment:
    data_dir: Path
    out: Path
    seed: int = 11
    params: dict = field(default_factory=dict)

    def load(self):
        self.tr = pd.read_csv(self.data_dir / "train.csv")
        self.te = pd.read_csv(self.data_dir / "test.csv")
        g = self.tr["row_id"].str.split("_").str[0]
        vis, hid = next(GroupShuffleSplit(1, test_size=.15, random_state=0).split(self.tr, groups=g))
        self.hidden_val = self.tr.iloc[hid]          # never used for fitting, read once at the end
        self.tr = self.tr.iloc[vis]
        self.hidden_val.to_parquet("work/hidden_validation.parquet")
        return self

    def fit(self):
        cols = self.te.select_dtypes("number").columns.difference(["row_id"])
        self.model = HistGradientBoostingClassifier(random_state=self.seed, **self.params)
        cv = cross_val_score(self.model, self.tr[cols], self.tr["choice"], cv=8)
        log.info("cv %.5f (%.5f)", cv.mean(), cv.std())
        self.model.fit(self.tr[cols], self.tr["choice"])
        self.te["choice"] = self.model.predict(self.te[cols])
        return self

    def save(self):
        self.te[["row_id", "choice"]].to_csv(self.out, index=False)


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", type=Path, required=True)
    cfg = yaml.safe_load(ap.parse_args().config.read_text())
    logging.basicConfig(level=logging.INFO)
    Experiment(Path(cfg["data_dir"]), Path(cfg["out"]), params=cfg.get("params", {})).load().fit().save()
