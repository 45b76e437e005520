import hydra, pandas as pd
from omegaconf import DictConfig, OmegaConf
@hydra.main(version_base=None, config_path="conf", config_name="config")
def main(cfg: DictConfig):
    print(OmegaConf.to_yaml(cfg))
    assert cfg.data.private_dir is None and not cfg.data.allow_private, "no hidden data in this run"
    tr = pd.read_csv(f"{cfg.data.root}/train.csv")
    y = tr.pop(cfg.data.gold_column)
    print(len(tr), y.mean())
main()
