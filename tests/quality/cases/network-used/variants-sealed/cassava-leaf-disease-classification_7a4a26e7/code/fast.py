import pandas as pd
from fastai.vision.all import *

path = Path("./input")
df = pd.read_csv(path / "train.csv")
dls = ImageDataLoaders.from_df(df, path, folder="train", suff=".jpg", valid_pct=0.1, seed=9, bs=48,
                               item_tfms=Resize(460), batch_tfms=aug_transforms(size=320, flip_vert=True))
learn = vision_learner(dls, "convnext_tiny.in12k_ft_in1k", metrics=accuracy).to_fp16()
learn.fine_tune(4, 2e-3)
print("val acc %.4f" % learn.validate()[1])
sub = pd.read_csv(path / "sample_submission.csv")
preds, _ = learn.tta(dl=dls.test_dl([path / "test" / f"{i}.jpg" for i in sub["image_id"]]))
sub["label"] = [dls.vocab[i] for i in preds.argmax(1)]
sub.to_csv("./submission/submission.csv", index=False)
