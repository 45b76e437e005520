from fastai.vision.all import *
import pandas as pd

path = Path("/home/data")
df = pd.read_csv(path / "train.csv")
dls = ImageDataLoaders.from_df(df, path, folder="train", valid_pct=0.15, seed=42, bs=128,
                               batch_tfms=aug_transforms(flip_vert=True, max_rotate=20))
learn = vision_learner(dls, resnet18, metrics=[accuracy, RocAucBinary()])
learn.fine_tune(5, 1e-2)
sub = pd.read_csv(path / "sample_submission.csv")
dl = learn.dls.test_dl([path / "test" / i for i in sub.id])
p, _ = learn.tta(dl=dl, n=4)
sub["has_cactus"] = p[:, 1].numpy()
sub.to_csv("/home/submission/submission.csv", index=False)
