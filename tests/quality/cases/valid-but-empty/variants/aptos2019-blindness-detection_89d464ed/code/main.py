import pandas as pd
from nets import RetinaNet50

train = pd.read_csv("/home/agent/data/train.csv")
sample = pd.read_csv("/home/agent/data/sample_submission.csv")
net = RetinaNet50(epochs=20, size=512)
net.fit("/home/agent/data/train_images", train["id_code"], train["diagnosis"])
sample["diagnosis"] = net.predict("/home/agent/data/test_images", sample["id_code"])
sample.to_csv("/home/submission/submission.csv", index=False)
print("predictions of RetinaNet50 saved")
