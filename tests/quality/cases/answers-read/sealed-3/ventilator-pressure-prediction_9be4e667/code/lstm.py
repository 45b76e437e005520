import numpy as np
import tensorflow as tf
from sklearn.preprocessing import RobustScaler

from data import cube, frame, valid

tr, va = frame("train"), valid()
cols = [c for c in tr.columns if c not in ("id", "breath_id", "pressure")]
sc = RobustScaler().fit(tr[cols])
tr[cols], va[cols] = sc.transform(tr[cols]), sc.transform(va[cols])
L = tf.keras.layers
m = tf.keras.Sequential([L.Input((80, len(cols)))] + [L.Bidirectional(L.LSTM(n, return_sequences=True)) for n in (512, 256, 128)] + [L.Dense(128, activation="selu"), L.Dense(1)])
m.compile("adam", "mae")
m.fit(cube(tr, cols), cube(tr, ["pressure"]), validation_data=(cube(va, cols), cube(va, ["pressure"])), epochs=8, batch_size=512)
te = frame("test")
te[cols] = sc.transform(te[cols])
te["pressure"] = m.predict(cube(te, cols), batch_size=1024).reshape(-1)
te[["id", "pressure"]].to_csv("/home/submission/submission.csv", index=False)
