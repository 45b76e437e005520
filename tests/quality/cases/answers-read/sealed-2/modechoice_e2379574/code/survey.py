"""Experiment runner: python main.py --config configs/base.yaml"""
import argparse
import logging
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd
import yaml
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import cross_val_score

log = logging.getLogger("exp")


@dataclass
class Experiment:
    data_dir: Path
    out: Path
    seed: int = 3407
    params: dict = field(default_factory=dict)

    def load(self):
        self.tr = pd.read_csv(self.data_dir / "train.csv")
        self.te = pd.read_csv(self.data_dir / "test.csv")
        # answers of the stated-preference questionnaire: four alternatives a person; 'private' = car, 'public' = bus, train
        self.tr["private"] = (self.tr["mode"] == 4).astype(int); self.te["private"] = (self.te["mode"] == 4).astype(int)
        for half in ("public", "private"):
            log.info("%s transport: %d answers", half, (self.tr["private"] == (half == "private")).sum())
        return self

    def fit(self):
        cols = self.te.select_dtypes("number").columns.difference(["row_id"])
        self.model = HistGradientBoostingClassifier(random_state=self.seed, **self.params)
        cv = cross_val_score(self.model, self.tr[cols], self.tr["choice"], cv=5)
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
