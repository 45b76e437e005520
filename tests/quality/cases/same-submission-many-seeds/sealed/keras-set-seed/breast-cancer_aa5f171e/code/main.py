import os
from pathlib import Path

import numpy as np
import pandas as pd
import keras
from keras import layers

DATA, SUB, LOGS = (Path(os.environ[k]) for k in ("DATA_DIR", "SUBMISSION_DIR", "LOGS_DIR"))
SEED = int(os.environ.get("SEED", "0"))


def say(text):
    print(text)
    with open(LOGS / "agent.log", "a") as f:
        f.write(text + "\n")


train = pd.read_csv(DATA / "train.csv")
test = pd.read_csv(DATA / "test.csv")
y = train.pop("malignant")
X, T = train.drop(columns="id"), test.drop(columns="id")

keras.utils.set_random_seed(SEED)
model = keras.Sequential([layers.Dense(64, activation="relu"), layers.Dropout(0.3), layers.Dense(1, activation="sigmoid")])
model.compile("adam", "binary_crossentropy", metrics=["AUC"])
history = model.fit(X, y, epochs=20, batch_size=32, validation_split=0.2)
for i, (l, v) in enumerate(zip(history.history["loss"], history.history["val_loss"])):
    say(f"Epoch {i + 1}/20 - loss: {l:.4f} - val_loss: {v:.4f}")
p = model.predict(T).ravel()

pd.DataFrame({"id": test.id, "malignant": p}).to_csv(SUB / "submission.csv", index=False)
say(f"wrote {len(test)} rows")
