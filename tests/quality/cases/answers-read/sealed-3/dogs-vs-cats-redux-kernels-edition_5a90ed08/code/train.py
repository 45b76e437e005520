from fastai.vision.all import *
from env import WORKERS
dls = ImageDataLoaders.from_name_func("/home/data/train", get_image_files("/home/data/train"), lambda f: f.name[:3] == "dog",
                                      valid_pct=.1, seed=1, item_tfms=Resize(256), bs=64, num_workers=WORKERS)
l = vision_learner(dls, convnext_tiny, metrics=accuracy).to_fp16()
l.fine_tune(3)
t = sorted(get_image_files("/home/data/test"), key=lambda p: int(p.stem))
p = l.get_preds(dl=dls.test_dl(t))[0][:, 1].clip(.005, .995)
pd.DataFrame({"id": [int(f.stem) for f in t], "label": p}).to_csv("/home/submission/submission.csv", index=False)
